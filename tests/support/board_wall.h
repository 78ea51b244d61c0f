// Three boards on a wall, two cameras that see one end each, and a hand-held one that is walked along it.
#pragma once

#include <Eigen/Geometry>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "tests/support/drawn_boards.h"

namespace vantage::test {

inline Eigen::Isometry3d pose_of_turns(const Eigen::Vector3d& at, double x_rad, double y_rad, double z_rad) {
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
  pose.linear() = (Eigen::AngleAxisd(x_rad, Eigen::Vector3d::UnitX()) *
                   Eigen::AngleAxisd(y_rad, Eigen::Vector3d::UnitY()) *
                   Eigen::AngleAxisd(z_rad, Eigen::Vector3d::UnitZ()))
                      .toRotationMatrix();
  pose.translation() = at;
  return pose;
}

// Of 800 x 600 pixels, at the world's origin.
inline Camera wall_camera(const std::string& name) {
  PinholeCamera<double> m;
  m.width_px = 800, m.height_px = 600, m.fx_px = 700, m.fy_px = 702, m.cx_px = 404, m.cy_px = 297;
  m.k1 = -0.1;
  m.rotation_cam_from_world[0] = m.rotation_cam_from_world[4] = m.rotation_cam_from_world[8] = 1;
  return Camera::make(name, m).value();
}

// The picture `number` of a folder, which is made: boards on something rigid before a camera.
inline bool draw_rig(const std::filesystem::path& folder, int number, const BoardPainter& painter,
                     const std::vector<PrintedBoard>& prints, const Eigen::Isometry3d& camera_from_rig,
                     const std::vector<Eigen::Isometry3d>& rig_from_board) {
  std::filesystem::create_directories(folder);
  std::vector<Eigen::Isometry3d> poses;
  for (const Eigen::Isometry3d& board : rig_from_board) poses.push_back(camera_from_rig * board);
  return write_painted(folder / (std::to_string(100 + number) + ".png"), painter,
                       paint_boards(painter, prints, poses));
}

// Two grids of tags and a ChArUco board; the first camera sees the first alone, the second the last.
struct BoardWall {
  std::vector<Board> boards = [] {
    std::vector<Board> all = boards_alike(grid_of_tags(3, 3, {"DICT_4X4_50", 0.08, 0.02}), 2);
    all.push_back(
        {.columns = 5, .rows = 4, .square_m = 0.05, .markers = BoardMarkers{"DICT_4X4_50", 0.037, 18}});
    return all;
  }();
  std::vector<Eigen::Isometry3d> on_wall = {pose_of_turns({-0.14, -0.14, 0}, 0, 0, 0),
                                            pose_of_turns({0.5, -0.1, 0.03}, 0.05, 0.1, 0.2),
                                            pose_of_turns({1.4, -0.1, 0}, 0, -0.1, -0.1)};
  Eigen::Isometry3d a = pose_of_turns({0.1, 0.05, 1.0}, M_PI + 0.3, 0.2, 0.1);
  Eigen::Isometry3d b = pose_of_turns({-1.6, 0.1, 1.1}, M_PI - 0.3, -0.05, 0.05);

  // Folders "a" and "b" of one picture each, and "phone" of those from `first` to `end` of twenty.
  bool draw(const std::filesystem::path& folder, int first = 0, int end = 20) const {
    const BoardPainter painter(wall_camera("any"));
    std::vector<PrintedBoard> prints;
    for (const Board& board : boards) prints.emplace_back(board);
    bool drawn = draw_rig(folder / "a", 0, painter, prints, a, on_wall) &&
                 draw_rig(folder / "b", 0, painter, prints, b, on_wall);
    std::mt19937 random(6);
    std::uniform_real_distribution<double> unit(-1, 1);
    for (int i = 0; i < 20; ++i) {
      const double tilt = 0.35 * unit(random), pan = 0.35 * unit(random), roll = 0.6 * unit(random);
      const Eigen::Vector3d middle(1.5 * i / 19, 0.1 * unit(random), 0.1 * unit(random));
      if (i < first || i >= end) continue;
      // Before the wall, its middle in the picture's.
      Eigen::Isometry3d back = Eigen::Isometry3d::Identity();
      back.translation().z() = 1.25;
      const Eigen::Isometry3d pose = back * pose_of_turns(Eigen::Vector3d::Zero(), M_PI + tilt, pan, roll) *
                                     Eigen::Isometry3d(Eigen::Translation3d(-middle));
      drawn = drawn && draw_rig(folder / "phone", i, painter, prints, pose, on_wall);
    }
    return drawn;
  }
};

}  // namespace vantage::test
