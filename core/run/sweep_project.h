// Measures values of a project's parameters, for the window's sweep.
#pragma once

#include <functional>

#include "core/run/sweep_points.h"

namespace vantage {

struct SweepRequest {
  SweepPoints points;
  SweepSpans spans;      // limited to the recording
  SweepMeasurement how;  // without timed_stages, which are those that the values invalidate
};

// `measured` is called after each point, in order. Artifacts of stages before the parameters are kept next to
// the project and used again, as in an analysis. Points are kept, too (core/run/sweep_folder.h): those of the
// same stopped sweep are not measured again. The results of single runs are there meanwhile (for a project
// that was never saved, which keeps nothing, in temporary files). Errors: those of Analysis::open(),
// SweepFolder::open() and SweepRun::measure(); invalid_argument where a span is beyond the recording, or both
// have common frames.
Status sweep_project(const Project& project, const DeviceBackends& backends,
                     const std::string& device_description, SweepRequest request,
                     const std::function<void(size_t point, const SweepPoint& figures)>& measured,
                     const StopSource& stop);

}  // namespace vantage
