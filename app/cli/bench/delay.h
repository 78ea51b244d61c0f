// How late a live camera's pictures are: over RTSP from a test camera on this machine, through the source
// that live cameras use.
#pragma once

#include "app/cli/bench/experiments.h"

namespace vantage::cli {

void live_delay(const BenchDevice& device, const BenchFootage& footage, const ExperimentOptions& options,
                BenchReport& report);

}  // namespace vantage::cli
