// Pictures of a chessboard through any lens, by a ray for each of four parts of a pixel.
#pragma once

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "core/calibration/solve/board.h"
#include "core/geometry/camera.h"
#include "core/image/image_files.h"

namespace vantage::test {

class BoardPainter {
 public:
  explicit BoardPainter(const Camera& camera) : width_(camera.width_px()), height_(camera.height_px()) {
    for (int y = 0; y < height_; ++y)
      for (int x = 0; x < width_; ++x)
        for (int part = 0; part < kParts; ++part) {
          const auto at = camera.undistort({x + 0.5 * (part % 2) - 0.25, y + 0.5 * (part / 2) - 0.25});
          rays_.push_back(at ? Eigen::Vector3d(at->x(), at->y(), 1) : Eigen::Vector3d::Zero());
        }
  }

  int width() const { return width_; }
  int height() const { return height_; }

  // camera_from_board: z of the board up from its printed side. Row by row; dark, light and all else.
  std::vector<uint8_t> paint(const Board& board, const Eigen::Isometry3d& camera_from_board) const {
    const Eigen::Isometry3d board_from_camera = camera_from_board.inverse();
    const Eigen::Vector3d from = board_from_camera.translation();
    const Eigen::Matrix3d turn = board_from_camera.linear();
    return paint_by([&](const Eigen::Vector3d& ray) { return shade(board, from, turn * ray); });
  }

  // shade(ray): 0 to 255; a ray from the camera with z = 1, or all 0 outside what its lens shows.
  template <typename Shade>
  std::vector<uint8_t> paint_by(const Shade& shade) const {
    std::vector<uint8_t> picture;
    for (size_t first = 0; first < rays_.size(); first += kParts) {
      int sum = 0;
      for (size_t part = first; part < first + kParts; ++part) sum += shade(rays_[part]);
      picture.push_back(static_cast<uint8_t>(sum / kParts));
    }
    return picture;
  }

 private:
  static constexpr int kParts = 4;

  static int shade(const Board& board, const Eigen::Vector3d& from, const Eigen::Vector3d& ray) {
    constexpr int kDark = 30, kLight = 225, kElse = 110;
    if (!(from.z() * ray.z() < 0)) return kElse;
    const Eigen::Vector3d at = from - from.z() / ray.z() * ray;
    const double column = at.x() / board.square_m, row = at.y() / board.square_m;
    const double margin = 1.7;  // a square about the corners, and paper about the squares
    if (column < -margin || row < -margin || column > board.columns - 1 + margin ||
        row > board.rows - 1 + margin)
      return kElse;
    if (column < -1 || row < -1 || column > board.columns || row > board.rows) return kLight;
    return (static_cast<int>(std::floor(column) + std::floor(row)) & 1) == 0 ? kDark : kLight;
  }

  int width_, height_;
  std::vector<Eigen::Vector3d> rays_;
};

// A board carried about before a camera: its middle up to so far off the axis, its printed side turned to the
// camera but for up to 40 degrees.
inline Eigen::Isometry3d carried_board(const Board& board, double max_off_axis_rad, double distance_m,
                                       std::mt19937* random) {
  std::uniform_real_distribution<double> unit(-1, 1);
  const double about = M_PI * unit(*random), off = max_off_axis_rad * std::sqrt(std::abs(unit(*random)));
  const Eigen::Vector3d sight(std::sin(off) * std::cos(about), std::sin(off) * std::sin(about),
                              std::cos(off));
  const Eigen::Vector3d middle(board.x_m(board.columns - 1) / 2, board.y_m(board.corner_count() - 1) / 2, 0);
  const double aside = 0.7 * unit(*random), up = 0.7 * unit(*random), round = M_PI * unit(*random);
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
  pose.linear() = Eigen::Quaterniond::FromTwoVectors(Eigen::Vector3d::UnitZ(), sight).toRotationMatrix() *
                  Eigen::AngleAxisd(M_PI + aside, Eigen::Vector3d::UnitX()) *
                  Eigen::AngleAxisd(up, Eigen::Vector3d::UnitY()) *
                  Eigen::AngleAxisd(round, Eigen::Vector3d::UnitZ());
  pose.translation() = distance_m * (1 + 0.3 * unit(*random)) * sight - pose.linear() * middle;
  return pose;
}

inline bool write_painted(const std::filesystem::path& file, const BoardPainter& painter,
                          const std::vector<uint8_t>& pixels) {
  auto image = Image::make(ImageType::u8, painter.width(), painter.height(), HostPool::shared());
  if (!image) return false;
  for (int y = 0; y < painter.height(); ++y)
    std::copy_n(pixels.begin() + y * painter.width(), painter.width(),
                image->writable_view<uint8_t>().row(y));
  return write_png_gray(file, *image).has_value();
}

inline bool write_board(const std::filesystem::path& file, const BoardPainter& painter, const Board& board,
                        const Eigen::Isometry3d& camera_from_board) {
  return write_painted(file, painter, painter.paint(board, camera_from_board));
}

// 10.png to 13.png in a new folder: a board that lies about in the middle of a scene, lifted and tilted more
// from picture to picture, as the camera sees it.
inline bool write_boards(const std::filesystem::path& folder, const Camera& camera, const Board& board) {
  constexpr int kPictures = 4;
  const BoardPainter painter(camera);
  std::filesystem::create_directories(folder);
  for (int picture = 0; picture < kPictures; ++picture) {
    Eigen::Isometry3d lies = Eigen::Isometry3d::Identity();
    lies.translation() = Eigen::Vector3d(-0.3 + 0.1 * picture, -0.2, 0.1 * picture);
    lies.linear() =
        Eigen::AngleAxisd(0.1 * picture, Eigen::Vector3d(1, 1, 1).normalized()).toRotationMatrix();
    if (!write_board(folder / (std::to_string(10 + picture) + ".png"), painter, board,
                     camera.cam_from_world() * lies))
      return false;
  }
  return true;
}

// A camera of 640 x 480 pixels at (x, 0, 0), looking along z turned about y.
inline Camera camera_beside(const char* name, double x_m, double turn_degrees, double k1 = 0) {
  PinholeCamera<double> m;
  m.width_px = 640, m.height_px = 480, m.fx_px = m.fy_px = 620, m.cx_px = 322, m.cy_px = 238;
  m.k1 = k1;
  const Eigen::Matrix3d turn =
      Eigen::AngleAxisd(turn_degrees * M_PI / 180, Eigen::Vector3d::UnitY()).toRotationMatrix();
  const Eigen::Vector3d shift = -turn * Eigen::Vector3d(x_m, 0, 0);
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 3; ++column)
      m.rotation_cam_from_world[3 * row + column] = turn(row, column);
    m.translation_cam_from_world_m[row] = shift[row];
  }
  return Camera::make(name, m).value();
}

}  // namespace vantage::test
