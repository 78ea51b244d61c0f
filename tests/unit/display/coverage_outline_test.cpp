#include "core/display/coverage_outline.h"

#include <gtest/gtest.h>

#include <bit>

#include "core/people/occupancy/coverage.h"
#include "tests/support/camera_ring.h"

namespace vantage {
namespace {

TEST(CoverageOutline, LiesWhereTheNumberOfCamerasChanges) {
  const std::vector<Camera> cameras = test::camera_ring({});
  const std::vector<PinholeCamera<double>> models = models_of(cameras);
  const auto seeing = [&](double x, double y) {
    return std::popcount(cameras_that_see(models, x, y, 0) &
                         cameras_that_see(models, x, y, FloorCoverage::kChest_m));
  };
  const CoverageOutline outline(cameras, {-16, -16}, {16, 16});
  for (int needed = 1; needed <= 4; ++needed) {
    const std::vector<CoverageLine> lines = outline.lines(needed);
    ASSERT_FALSE(lines.empty()) << needed;
    for (const CoverageLine& line : lines) {
      ASSERT_GE(line.size(), 2u);
      for (const Eigen::Vector2d& p : line) {
        int least = 99, most = 0;  // within 2 mm: the line is known to 1 mm
        for (const auto& [dx, dy] : {std::pair(2e-3, 0.0), {-2e-3, 0.0}, {0.0, 2e-3}, {0.0, -2e-3}}) {
          const int count = seeing(p.x() + dx, p.y() + dy);
          least = std::min(least, count), most = std::max(most, count);
        }
        EXPECT_LT(least, needed) << p.transpose();
        EXPECT_GE(most, needed) << p.transpose();
      }
    }
  }
}

TEST(CoverageOutline, IsClosedAroundTheMiddleAndInOrder) {
  const std::vector<Camera> cameras = test::camera_ring({});
  const std::vector<CoverageLine> lines = CoverageOutline(cameras, {-6, -6}, {6, 6}).lines(4);
  ASSERT_EQ(lines.size(), 1u) << "the ring's common view is one piece";
  EXPECT_EQ(lines[0].front(), lines[0].back());
  for (size_t i = 0; i + 1 < lines[0].size(); ++i)
    EXPECT_LT((lines[0][i + 1] - lines[0][i]).norm(), 0.15) << "neighbours on the lattice";
}

TEST(CoverageOutline, ThereIsNoneWhereNothingChanges) {
  const std::vector<Camera> cameras = test::camera_ring({});
  EXPECT_TRUE(CoverageOutline(cameras, {-0.1, -0.1}, {0.1, 0.1}).lines(4).empty());
}

}  // namespace
}  // namespace vantage
