#include "tools/bench/gpu_busy_share.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace vantage::cli {
namespace {

TraceSpan span(std::string name, std::string lane, int64_t start_ms, int64_t duration_ms) {
  return {std::move(name),      std::move(lane),         -1, 0, SpanKind::stage,
          start_ms * 1'000'000, duration_ms * 1'000'000, 7};
}

TEST(GpuBusyShare, AGpuIsBusyWhereAnySpanOfItIs) {
  const std::vector<TraceSpan> spans = {span("a", "cuda:0 x", 0, 20), span("b", "cuda:0 y", 10, 30),
                                        span("c", "cuda:0 x", 15, 10), span("d", "cuda:0 x", 60, 100),
                                        span("of the host", "carving", 0, 1000)};
  const auto share = [&](int64_t from_ms, int64_t to_ms) {
    return gpu_busy_share(spans, from_ms * 1'000'000, to_ms * 1'000'000);
  };
  EXPECT_DOUBLE_EQ(share(0, 80), 0.75);  // 0 to 40 and 60 to 80
  EXPECT_DOUBLE_EQ(share(30, 70), 0.5);  // 30 to 40 and 60 to 70
  EXPECT_DOUBLE_EQ(share(200, 300), 0);
  EXPECT_DOUBLE_EQ(share(10, 10), 0);
  EXPECT_DOUBLE_EQ(gpu_busy_share({}, 0, 10), 0);
}

}  // namespace
}  // namespace vantage::cli
