// Pictures and models for tests of head detection: models that let a few windows of such pictures pass.
#pragma once

#include <Eigen/Core>
#include <cmath>
#include <random>

#include "core/geometry/camera.h"
#include "core/heads/head_model.h"
#include "core/heads/head_window.h"
#include "core/image/picture.h"
#include "tests/support/pictures.h"

namespace vantage::test {

inline HeadModel random_head_model(int weak_count, std::mt19937& random) {
  HeadModel model;
  for (int t = 0; t < weak_count; ++t) {
    WeakHeadClassifier weak;
    weak.block = static_cast<uint8_t>(random() % kHeadBlockCount);
    const unsigned places = static_cast<unsigned>(kHeadWindow - 3 * kHeadBlocks[weak.block] + 1);
    weak.x = static_cast<uint8_t>(random() % places);
    weak.y = static_cast<uint8_t>(random() % places);
    for (int8_t& entry : weak.table) entry = static_cast<int8_t>(static_cast<int>(random() % 255) - 127);
    // About one window in ten or fewer gets through the first; later ones take some more.
    weak.reject_below = static_cast<int16_t>(t == 0 ? 60 : t % 3 == 0 ? 20 : -300);
    model.weak.push_back(weak);
  }
  model.accept_from = 400;
  return model;
}

// Smooth shapes under a little noise, so that all block sizes have something to see; some of it saturated.
inline Picture shapes_picture(int width, int height, std::mt19937& random) {
  Picture picture = random_picture(PictureLayout::i420, width, height, random);
  const ImageView<uint8_t> luma = picture.writable_plane(0);
  const double a = 0.02 + 0.0001 * (random() % 500), b = 0.03 + 0.0001 * (random() % 500);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const double value =
          140 + 150 * std::sin(a * x + 0.3 * std::sin(b * y)) * std::cos(b * y) + random() % 9;
      luma.at(x, y) = static_cast<uint8_t>(std::clamp(value, 0.0, 255.0));
    }
  return picture;
}

// Before people on the floor, 2.5 m high, looking a little down; people lean by `roll` in its picture.
inline Camera rolled_camera(int width, int height, double roll) {
  PinholeCamera<double> model;
  model.width_px = width;
  model.height_px = height;
  model.fx_px = model.fy_px = 0.9 * width;
  model.cx_px = (width - 1) / 2.0;
  model.cy_px = (height - 1) / 2.0;
  const Eigen::Vector3d center(-4, 0, 2.5), forward = Eigen::Vector3d(4, 0, -1.2).normalized();
  const Eigen::Vector3d right = forward.cross(Eigen::Vector3d::UnitZ()).normalized();
  const Eigen::Vector3d down = forward.cross(right);
  Eigen::Map<Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> rotation(model.rotation_cam_from_world);
  rotation.row(0) = std::cos(roll) * right - std::sin(roll) * down;
  rotation.row(1) = std::cos(roll) * down + std::sin(roll) * right;
  rotation.row(2) = forward;
  Eigen::Map<Eigen::Vector3d>(model.translation_cam_from_world_m) = -rotation * center;
  return Camera::make("askew", model).value();
}

}  // namespace vantage::test
