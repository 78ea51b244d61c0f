// The board on the floor of a real recording: what its corners and its cameras come to, by the shipped
// calibration, by the board, and by the board where the calibration given is wrong.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/calibration/solve/points_solve.h"
#include "core/setup/boards/project_boards.h"
#include "tests/support/data.h"
#include "tests/support/uu_voxel.h"

namespace vantage {
namespace {

const Board kFloorBoard{8, 6, 0.115};

class RealBoard : public ::testing::Test {
 protected:
  void SetUp() override {
    VANTAGE_NEED_DATA(folder, "uu-voxel-1p");
    shipped_ = test::uu_voxel_cameras(folder);
    inaccurate_ = test::uu_voxel_inaccurate_cameras(folder);
    for (size_t c = 0; c < shipped_.size(); ++c) {
      const std::string name = test::uu_voxel_camera(static_cast<int>(c));
      clips_.push_back((folder / name / "checkerboard.avi").string());
      shipped_[c].set_name(name), inaccurate_[c].set_name(name);
    }
  }

  SolvedProjectBoards solve(const std::vector<Camera>& given) const {
    Project project;
    for (const Camera& camera : given) {
      ProjectCamera one;
      one.name = camera.name(), one.calibration = camera;
      one.board_pictures = clips_[project.cameras.size()];
      project.cameras.push_back(one);
    }
    ProjectBoards boards{.boards = {kFloorBoard}, .solve_lens = false};
    boards.still = true;
    return solve_project_boards(project, boards, [](int64_t, int64_t) {}, StopSource()).value();
  }

  std::vector<Camera> shipped_, inaccurate_;
  std::vector<std::string> clips_;
};

std::vector<Camera> cameras_of(const SolvedProjectBoards& solved) {
  std::vector<Camera> cameras;
  for (const CameraSolution& camera : solved.solution.cameras) cameras.push_back(camera.camera);
  return cameras;
}

// Root mean square distance of the board's corners, as the cameras triangulate them, from where they are: on
// the floor, a square apart.
double corners_off_m(const std::vector<Camera>& cameras, const std::vector<FoundBoards>& found) {
  std::vector<ClickedPoint> points;
  for (int corner = 0; corner < kFloorBoard.corner_count(); ++corner) {
    ClickedPoint point{std::to_string(corner), {}, {}};
    for (size_t c = 0; c < cameras.size(); ++c)
      for (const BoardCorner& seen : found[c].views.at(0).corners)
        if (seen.index == corner) point.clicks.push_back({cameras[c].name(), {seen.x_px, seen.y_px}});
    points.push_back(std::move(point));
  }
  double sum_m2 = 0;
  const PointsSolution placed = triangulate_points(cameras, points).value();
  for (const SolvedPoint& point : placed.points) {
    const int corner = std::stoi(point.name);
    sum_m2 += (point.at_m.value() - Eigen::Vector3d(kFloorBoard.x_m(corner), kFloorBoard.y_m(corner), 0))
                  .squaredNorm();
  }
  return std::sqrt(sum_m2 / kFloorBoard.corner_count());
}

TEST_F(RealBoard, CornersLieWhereTheBoardIs) {
  const SolvedProjectBoards solved = solve(shipped_);
  // The detector's corners in the board's order, whichever way round a picture shows it.
  std::vector<FoundBoards> found = solved.found;
  const std::vector<Camera> cameras = cameras_of(solved);
  for (size_t c = 0; c < cameras.size(); ++c)
    for (BoardCorner& corner : found[c].views.at(0).corners) {
      const auto seen_m = [&](int index) {
        return cameras[c].project({kFloorBoard.x_m(index), kFloorBoard.y_m(index), 0}).value();
      };
      const Eigen::Vector2d at(corner.x_px, corner.y_px);
      const int turned = kFloorBoard.half_turned(corner.index);
      if ((seen_m(turned) - at).norm() < (seen_m(corner.index) - at).norm()) corner.index = turned;
    }
  const double by_board_m = corners_off_m(cameras, found), by_shipped_m = corners_off_m(shipped_, found);
  fmt::print("corners off by {:.2f} mm, by the shipped calibration {:.2f} mm\n", 1000 * by_board_m,
             1000 * by_shipped_m);
  EXPECT_LT(by_board_m, 0.0035);
  EXPECT_LT(by_board_m, by_shipped_m);
}

TEST_F(RealBoard, WrongPosesToStartFromDoNotMatter) {
  const std::vector<Camera> right = cameras_of(solve(shipped_));
  std::vector<Camera> start;
  for (size_t c = 0; c < shipped_.size(); ++c) {
    PinholeCamera<double> model = inaccurate_[c].model();
    static_cast<Lens<double>&>(model) = shipped_[c].model();
    model.fx_px = shipped_[c].model().fx_px, model.fy_px = shipped_[c].model().fy_px;
    model.cx_px = shipped_[c].model().cx_px, model.cy_px = shipped_[c].model().cy_px;
    start.push_back(Camera::make(shipped_[c].name(), model).value());
    EXPECT_GT(change_between(start[c], right[c]).segment<3>(3).norm(), 1) << "the start is wrong by metres";
  }
  const std::vector<Camera> solved = cameras_of(solve(start));
  for (size_t c = 0; c < solved.size(); ++c) {
    const CameraChange off = change_between(right[c], solved[c]);
    EXPECT_LT(off.segment<3>(3).norm(), 1e-6) << right[c].name();
    EXPECT_LT(off.head<3>().norm(), 1e-6) << right[c].name();
  }
}

// One view of a flat board leaves a lens open: what is wrong of the lens given goes into the pose.
TEST_F(RealBoard, AnotherLensMovesThePose) {
  const SolvedProjectBoards right = solve(shipped_), other = solve(inaccurate_);
  for (size_t c = 0; c < 4; ++c) {
    const CameraChange off =
        change_between(right.solution.cameras[c].camera, other.solution.cameras[c].camera);
    fmt::print("{}: {:.1f} mm, {:.2f} degrees, RMS {:.3f} instead of {:.3f} px\n", shipped_[c].name(),
               1000 * off.segment<3>(3).norm(), off.head<3>().norm() * 180 / M_PI,
               other.solution.cameras[c].rms_px, right.solution.cameras[c].rms_px);
    EXPECT_LT(off.segment<3>(3).norm(), 0.06);
    EXPECT_LT(off.head<3>().norm() * 180 / M_PI, 1);
    EXPECT_NEAR(other.solution.cameras[c].rms_px, right.solution.cameras[c].rms_px, 0.005)
        << "the pictures do not tell the lenses apart";
  }
}

}  // namespace
}  // namespace vantage
