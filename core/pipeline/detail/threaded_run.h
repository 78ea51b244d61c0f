// A range of frames with one thread a stage, one that plans, and bounded queues between them.
#pragma once

#include "core/pipeline/detail/chain.h"
#include "core/pipeline/pipeline.h"

namespace vantage::pipeline_detail {

// As Pipeline::analyse(). The sink runs on the caller's thread. All threads have ended on return.
Status run_threaded(Chain& chain, FrameRange range, const PipelineOptions& options,
                    const std::function<bool(FrameResultRef)>& sink, const StopSource& stop);

}  // namespace vantage::pipeline_detail
