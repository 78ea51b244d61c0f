// Slopes of tangents' misses by poses and lenses, compared with differences of the misses themselves.
#include "core/calibration/people/detail/tangents.h"

#include <ceres/ceres.h>
#include <gtest/gtest.h>

#include "tests/unit/people_calibration/walked_room.h"

namespace vantage::people_calibration_detail {
namespace {

// What two cameras, changed from the given ones, show of one body: where it misses by nothing.
TangentProblem one_pair() {
  TangentProblem problem;
  std::mt19937 random(3);
  const std::vector<Camera> room = walked_room::room(10);
  problem.cameras = {room[0], room[1]};
  problem.free = {true, true};
  problem.changes = {{0.03, -0.02, 0.05, 0.1, -0.2, 0.05}, {-0.04, 0.01, 0.02, 0, 0.1, -0.1}};
  problem.lenses = problem.seen_by = {{0, 0}, {0, 0}};
  for (size_t c = 0; c < 2; ++c) {
    BodyOutline& outline = problem.outlines.emplace_back(BodyOutline{.camera = c});
    const LensSlopes lens(problem.cameras[c]);
    CameraChange change = CameraChange::Zero();
    for (size_t i = 0; i < 6; ++i) change[static_cast<Eigen::Index>(i)] = problem.changes[c][i];
    const Camera stands = *changed_camera(problem.cameras[c], change);
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
  ceres::Problem solved;
  add_tangents(problem, 0, 0, solved);
  ceres::Problem::EvaluateOptions options;
  options.apply_loss_function = false;
  options.parameter_blocks = {problem.changes[0].data(), problem.changes[1].data(), problem.lenses[0].data(),
                              problem.lenses[1].data()};
  ceres::CRSMatrix slopes;
  std::vector<double> residuals;
  ASSERT_TRUE(solved.Evaluate(options, nullptr, &residuals, nullptr, &slopes));
  ASSERT_EQ(residuals.size(), kTouches);
  int column = 0, compared = 0;
  for (double* block : options.parameter_blocks)
    for (int i = 0; i < solved.ParameterBlockSize(block); ++i, ++column) {
      constexpr double kStep = 1e-6;
      std::vector<double> ahead, behind;
      const double at = block[i];
      block[i] = at + kStep, solved.Evaluate(options, nullptr, &ahead, nullptr, nullptr);
      block[i] = at - kStep, solved.Evaluate(options, nullptr, &behind, nullptr, nullptr);
      block[i] = at;
      for (int row = 0; row < static_cast<int>(kTouches); ++row)
        for (int e = slopes.rows[row]; e < slopes.rows[row + 1]; ++e)
          if (slopes.cols[e] == column) {
            const double expected = (ahead[row] - behind[row]) / (2 * kStep);
            EXPECT_NEAR(slopes.values[e], expected, 1e-4 * (1 + std::abs(expected))) << column << " " << row;
            ++compared;
          }
    }
  EXPECT_EQ(compared, 2 * 16);
}

}  // namespace
}  // namespace vantage::people_calibration_detail
