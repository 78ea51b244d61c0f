// Height maps: descriptors and data cost of three pictures, and an iteration of belief propagation in its
// variants, at the source's size.
#pragma once

#include "app/cli/bench/report.h"
#include "app/cli/bench/scenes.h"

namespace vantage::cli {

void bench_height_map(BenchDevice& device, BenchReport& report);

}  // namespace vantage::cli
