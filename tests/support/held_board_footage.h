// Videos of a board that somebody carries about before two cameras and holds still again and again.
#pragma once

#include <Eigen/Geometry>
#include <cmath>
#include <filesystem>
#include <random>
#include <vector>

#include "core/project/project.h"
#include "core/video/video_writer.h"
#include "tests/support/drawn_board.h"

namespace vantage::test {

inline const Board kHeldBoard{7, 5, 0.08};
inline constexpr int kHeldPoses = 8;
inline constexpr double kHeldRate = 10;
inline constexpr int kHeldFrames = 20;       // a pose
inline constexpr double kHeldApart_m = 0.8;  // the two cameras

inline std::vector<Camera> cameras_before_board() {
  std::vector<Camera> cameras;
  for (const double side : {-1.0, 1.0}) {
    PinholeCamera<double> m;
    m.width_px = 320, m.height_px = 240, m.fx_px = m.fy_px = 310, m.cx_px = 161, m.cy_px = 119;
    const Eigen::Matrix3d turn =
        Eigen::AngleAxisd(side * 12 * M_PI / 180, Eigen::Vector3d::UnitY()).toRotationMatrix();
    const Eigen::Vector3d shift = -turn * Eigen::Vector3d(side * kHeldApart_m / 2, 0, 0);
    for (int row = 0; row < 3; ++row) {
      for (int column = 0; column < 3; ++column)
        m.rotation_cam_from_world[3 * row + column] = turn(row, column);
      m.translation_cam_from_world_m[row] = shift[row];
    }
    cameras.push_back(Camera::make(side < 0 ? "left" : "right", m).value());
  }
  return cameras;
}

// left.mp4 and right.mp4 in the folder, and the project of them, without a calibration.
inline Result<Project> make_held_board_footage(const std::filesystem::path& folder) {
  Project project;
  for (const Camera& camera : cameras_before_board()) {
    const BoardPainter painter(camera);
    Eigen::Isometry3d from_world = Eigen::Isometry3d::Identity();
    from_world.linear() = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(
        camera.model().rotation_cam_from_world);
    from_world.translation() = Eigen::Map<const Eigen::Vector3d>(camera.model().translation_cam_from_world_m);
    const PictureFormat format{.width = painter.width(), .height = painter.height()};
    const std::filesystem::path path = folder / (camera.name() + ".mp4");
    VANTAGE_ASSIGN(const auto video, VideoWriter::open(path, format, {.frame_rate = kHeldRate, .crf = 12}));
    std::mt19937 random(11);
    for (int pose = 0; pose < kHeldPoses; ++pose) {
      const Eigen::Isometry3d board = carried_board(kHeldBoard, 0.15, 1.7, &random);
      const std::vector<uint8_t> pixels = painter.paint(kHeldBoard, from_world * board);
      VANTAGE_ASSIGN(Picture picture, Picture::make(format, HostPool::shared()));
      for (int y = 0; y < format.height; ++y)
        std::copy_n(pixels.begin() + y * format.width, format.width, picture.writable_plane(0).row(y));
      for (int plane = 1; plane < 3; ++plane)
        for (int y = 0; y < picture.plane(plane).height; ++y)
          std::fill_n(picture.writable_plane(plane).row(y), picture.plane(plane).width, uint8_t{128});
      for (int frame = 0; frame < kHeldFrames; ++frame) VANTAGE_TRY(video->write(picture));
    }
    VANTAGE_TRY(video->finish());
    ProjectCamera one;
    one.name = camera.name(), one.video = path.string();
    project.cameras.push_back(one);
  }
  return project;
}

}  // namespace vantage::test
