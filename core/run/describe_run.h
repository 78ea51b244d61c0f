// The description of an opened analysis, for its results.
#pragma once

#include <string>

#include "core/image/backend/registry.h"
#include "core/results/results_writer.h"
#include "core/run/analysis.h"

namespace vantage {

// `backends`: of the analysis's device; pictures are fetched from there. `device_description`: "CPU, 2
// threads". Errors: of the device.
Result<RunDescription> describe_run(Analysis& analysis, const DeviceBackends& backends,
                                    std::string device_description);

}  // namespace vantage
