// Small footage for tests of the real chain: a bright box moves over a textured background before cameras on
// a ring that look at the origin. Exact to the byte for a given camera and frame.
#pragma once

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <filesystem>
#include <string>

#include "core/project/project.h"
#include "core/video/video_writer.h"

namespace vantage::test {

inline constexpr int kWidth = 96, kHeight = 64;

inline Picture footage_picture(int camera, int64_t frame, bool empty) {
  Picture picture =
      Picture::make({PictureLayout::i420, kWidth, kHeight, ColorRange::limited, ColorMatrix::bt601},
                    HostPool::shared())
          .value();
  const int box = 24 + static_cast<int>(12 * std::sin(0.2 * static_cast<double>(frame) + camera));
  const ImageView<uint8_t> luma = picture.writable_plane(0);
  for (int y = 0; y < luma.height; ++y)
    for (int x = 0; x < luma.width; ++x) {
      const bool inside = !empty && x >= box && x < box + 30 && y >= 12 && y < 52;
      luma.at(x, y) = static_cast<uint8_t>(inside ? 200 : 60 + (x * 7 + y * 13 + camera * 5) % 20);
    }
  for (int plane = 1; plane < 3; ++plane) {
    const ImageView<uint8_t> chroma = picture.writable_plane(plane);
    for (int y = 0; y < chroma.height; ++y)
      for (int x = 0; x < chroma.width; ++x) chroma.at(x, y) = static_cast<uint8_t>(plane == 1 ? 120 : 135);
  }
  return picture;
}

inline Camera footage_camera(int index, int count) {
  const double angle = 2 * M_PI * index / count;
  const Eigen::Vector3d center(3 * std::cos(angle), 3 * std::sin(angle), 1.2);
  const Eigen::Vector3d forward = (Eigen::Vector3d(0, 0, 0.5) - center).normalized();
  const Eigen::Vector3d right = forward.cross(Eigen::Vector3d::UnitZ()).normalized();
  Eigen::Matrix3d rotation;
  rotation << right.transpose(), forward.cross(right).transpose(), forward.transpose();
  const Eigen::Vector3d translation = -rotation * center;
  PinholeCamera<double> model;
  model.width_px = kWidth, model.height_px = kHeight;
  model.fx_px = model.fy_px = 80, model.cx_px = (kWidth - 1) / 2.0, model.cy_px = (kHeight - 1) / 2.0;
  for (int r = 0; r < 3; ++r) {
    model.translation_cam_from_world_m[r] = translation[r];
    for (int c = 0; c < 3; ++c) model.rotation_cam_from_world[3 * r + c] = rotation(r, c);
  }
  return Camera::make("cam" + std::to_string(index + 1), model).value();
}

inline void write_footage(const std::filesystem::path& path, int camera, int64_t frames, bool empty) {
  const PictureFormat format = footage_picture(camera, 0, empty).format();
  VideoWriterOptions options;
  options.gop_frames = 10;
  auto writer = VideoWriter::open(path, format, options);
  ASSERT_TRUE(writer) << writer.error().message();
  for (int64_t frame = 0; frame < frames; ++frame)
    ASSERT_TRUE((*writer)->write(footage_picture(camera, frame, empty)));
  ASSERT_TRUE((*writer)->finish());
}

// A saved project over such footage. The first camera has an empty-scene clip, the others learn their first
// frames.
inline Project make_footage(const std::filesystem::path& folder, int cameras, int64_t frames,
                            bool calibrated = true) {
  Project project;
  project.parameters = default_parameters();
  for (int i = 0; i < cameras; ++i) {
    ProjectCamera camera;
    camera.name = "cam" + std::to_string(i + 1);
    camera.video = (folder / (camera.name + ".mp4")).string();
    write_footage(camera.video, i, frames, false);
    if (i == 0) {
      camera.background = (folder / "cam1_empty.mp4").string();
      write_footage(camera.background, i, 12, true);
    }
    if (calibrated) camera.calibration = footage_camera(i, cameras);
    project.cameras.push_back(camera);
  }
  if (calibrated) project.grid = VoxelGrid{{-0.8, -0.8, 0}, 0.05, 32, 32, 32};
  static_cast<void>(project.parameters.set("foreground", "learning_frames", 8));
  static_cast<void>(
      project.parameters.set("foreground", "whole_recording", 0));  // a dozen frames, as if live
  project.path = folder / "footage.vantage";
  EXPECT_TRUE(save_project(project, project.path));
  return project;
}

}  // namespace vantage::test
