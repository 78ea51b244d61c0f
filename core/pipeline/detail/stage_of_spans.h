// A stage that is another one from some frames on, since cameras stand otherwise there.
#pragma once

#include <memory>
#include <vector>

#include "core/base/result.h"
#include "core/pipeline/stage.h"

namespace vantage {

struct StageSpan {
  int64_t begin = 0;  // the first frame set
  std::unique_ptr<Stage> stage;
};

// `spans`: of the same stage, in the order of time, the first from 0 on. Errors: unsupported for a stage with
// memory, which would have to be handed over.
Result<std::unique_ptr<Stage>> make_stage_of_spans(std::vector<StageSpan> spans);

}  // namespace vantage
