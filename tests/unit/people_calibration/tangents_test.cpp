// Slopes of tangents' misses by poses and lenses, compared with differences of the misses themselves.
#include "core/calibration/people/detail/tangents.h"

#include <gtest/gtest.h>

#include "tests/unit/people_calibration/walked_room.h"

namespace vantage::people_calibration_detail {
namespace {

// What two cameras, changed from the given ones, show of one body: where it misses by nothing.
TangentProblem one_pair() {
  std::mt19937 random(3);
  const std::vector<Camera> room = walked_room::room(10);
  TangentProblem problem({room[0], room[1]});
  problem.free = {true, true};
  problem.changes = {{0.03, -0.02, 0.05, 0.1, -0.2, 0.05}, {-0.04, 0.01, 0.02, 0, 0.1, -0.1}};
  for (size_t c = 0; c < 2; ++c) {
    BodyOutline& outline = problem.outlines.emplace_back(BodyOutline{.camera = c});
    const LensSlopes lens(problem.cameras[c]);
    const Camera stands = *changed_camera(problem.cameras[c], camera_change(problem.changes[c]));
    for (const Eigen::Vector2d& corner :
         walked_room::outline_in(stands, walked_room::body(0.4, -0.3, 1.7, 0.3), {}, random).hull_px) {
      const SeenPoint seen = *lens.at(corner);
      const Eigen::Vector3d ray(seen.at.x(), seen.at.y(), 1);
      outline.rays.push_back(ray.normalized()), outline.cut.push_back(false);
      Eigen::Matrix<double, 3, 2> slopes = Eigen::Matrix<double, 3, 2>::Zero();
      slopes.topRows<2>() = seen.slopes / ray.norm();
      outline.slopes.push_back(slopes), outline.middle += ray.normalized();
    }
    outline.middle.normalize();
  }
  problem.pairs = {{0, 1}};
  problem.solve_lenses = true;
  return problem;
}

TEST(Tangents, SlopesAreThoseOfTheMisses) {
  TangentProblem problem = one_pair();
  Adjustment adjustment;
  add_tangents(problem, adjustment);
  name_blocks(problem, adjustment);
  const auto found = adjustment.slopes(false);
  ASSERT_TRUE(found);
  ASSERT_EQ(found->residuals.size(), kTouches);
  Eigen::Index column = 0;
  int compared = 0;
  for (std::span<double> block :
       {std::span<double>(problem.changes[0]), std::span<double>(problem.changes[1]),
        std::span<double>(problem.lenses[0]), std::span<double>(problem.lenses[1])})
    for (double& value : block) {
      constexpr double kStep = 1e-6;
      const double at = value;
      value = at + kStep;
      const std::vector<double> ahead = adjustment.slopes(false)->residuals;
      value = at - kStep;
      const std::vector<double> behind = adjustment.slopes(false)->residuals;
      value = at;
      for (size_t row = 0; row < kTouches; ++row, ++compared) {
        const double expected = (ahead[row] - behind[row]) / (2 * kStep);
        EXPECT_NEAR(found->by_values.coeff(static_cast<Eigen::Index>(row), column), expected,
                    1e-4 * (1 + std::abs(expected)))
            << column << " " << row;
      }
      ++column;
    }
  EXPECT_EQ(compared, 2 * 16);
}

}  // namespace
}  // namespace vantage::people_calibration_detail
