// The footage that each camera learns its background from, opened as the project names it. Private to
// core/pipeline/stages.
#pragma once

#include <functional>
#include <string>

#include "core/pipeline/background.h"
#include "core/pipeline/chain_context.h"

namespace vantage {

// A camera, or one of its views where it stands otherwise later (LaterView).
struct ForegroundCamera {
  std::string name;
  size_t camera = 0;
  int64_t from_frame = 0;        // the first frame set
  BackgroundFootage background;  // read when the first frame comes
  // Opens it once more, for another method and for those that cannot save what they learnt; null where there
  // is none.
  std::function<Result<BackgroundFootage>()> reopen;
};

// `view`: 0 is the camera as it stands from the beginning, further ones are its later ones. An empty-scene
// clip serves these where the camera was turned alone (core/pipeline/turned_clip.h). Errors: those of
// opening; an empty-scene clip of another size than the video (invalid_argument). That a clip's pictures are
// converted goes into the context's notes.
Result<ForegroundCamera> open_background_footage(ChainContext& context, size_t camera, size_t view);

}  // namespace vantage
