// The live cameras of a project by themselves, without an analysis.
#pragma once

#include <memory>

#include "core/run/analysis.h"

namespace vantage {

// As Analysis::open() opens them; files among them are played at their own pace. Errors: those of
// LiveFrameSource::open().
Result<std::unique_ptr<LiveFrameSource>> open_live_cameras(const Project& project,
                                                           const AnalysisOptions& options);

}  // namespace vantage
