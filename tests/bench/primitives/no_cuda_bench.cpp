#include "tests/bench/primitives/report.h"

namespace vantage::bench {

void measure_integral_cuda(Report& report) {
  report.note("built without CUDA: no rows for a GPU");
}
void measure_nms_cuda(Report&) {}
void measure_npp_cuda(Report&) {}

}  // namespace vantage::bench
