// Values of parameters of a project, each measured; what the window's sweep does.
#pragma once

#include <functional>

#include "core/run/sweep_points.h"

namespace vantage {

struct SweepRequest {
  SweepPoints points;
  SweepSpans spans;      // cut to the recording
  SweepMeasurement how;  // but for timed_stages, which are those that the values make run again
};

// `measured` is called after each point, in their order. What stages before the parameters make is kept
// next to the project and used again, as an analysis does. Points are kept, too (core/run/sweep_folder.h):
// those of the same sweep that was stopped are not measured again. Results of the single runs lie there
// meanwhile (of a project that was never saved, which keeps nothing, among temporary files). Errors: those of
// Analysis::open(), SweepFolder::open() and SweepRun::measure(); invalid_argument where a span lies behind
// the recording, or both have frames in common.
Status sweep_project(const Project& project, const DeviceBackends& backends,
                     const std::string& device_description, SweepRequest request,
                     const std::function<void(size_t point, const SweepPoint& figures)>& measured,
                     const StopSource& stop);

}  // namespace vantage
