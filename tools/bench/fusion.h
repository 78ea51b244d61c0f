// Cost of finding people from detections per frame set, and its growth with people, cameras and floor.
#pragma once

#include "tools/bench/footage.h"
#include "tools/bench/report.h"

namespace vantage::cli {

// A crowd of 20 seen by 4 cameras on 10 x 10 m.
void bench_fusion(BenchDevice& device, BenchReport& report);

}  // namespace vantage::cli
