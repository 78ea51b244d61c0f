// The footage that each camera learns its background from, opened as the project names it. Private to
// core/pipeline/stages.
#pragma once

#include <functional>
#include <string>

#include "core/pipeline/background.h"
#include "core/pipeline/chain_context.h"

namespace vantage {

struct ForegroundCamera {
  std::string name;
  BackgroundFootage background;  // read when the first frame comes
  // Opens it once more, for another method and for those that cannot save what they learnt; null where there
  // is none.
  std::function<Result<BackgroundFootage>()> reopen;
};

// Errors: those of opening; an empty-scene clip of another size than the video (invalid_argument). That a
// clip's pictures are converted goes into the context's notes.
Result<ForegroundCamera> open_background_footage(ChainContext& context, size_t camera);

}  // namespace vantage
