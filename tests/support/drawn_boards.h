// Pictures of several boards with markers or of tags, as they are printed, through any lens.
#pragma once

#include <Eigen/Geometry>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/calibration/solve/board.h"
#include "tests/support/drawn_board.h"

namespace vantage::test {

// A print on white paper.
class PrintedBoard {
 public:
  explicit PrintedBoard(const Board& board) : drawing_(draw_board(board, usual_style(board)).value()) {
    columns_ = pixels(drawing_.width_m + 2 * kMargin_m), rows_ = pixels(drawing_.height_m + 2 * kMargin_m);
    dark_.assign(static_cast<size_t>(columns_) * static_cast<size_t>(rows_), false);
    for (const BoardRectangle& dark : drawing_.dark)
      for (int y = pixels(kMargin_m + dark.top_m); y < pixels(kMargin_m + dark.top_m + dark.height_m); ++y)
        for (int x = pixels(kMargin_m + dark.left_m); x < pixels(kMargin_m + dark.left_m + dark.width_m); ++x)
          dark_[static_cast<size_t>(y) * static_cast<size_t>(columns_) + static_cast<size_t>(x)] = true;
  }

  // Nothing: beside the paper. In the board's coordinates.
  std::optional<int> shade_at(double x_m, double y_m) const {
    constexpr int kDark = 30, kLight = 225;
    const auto x = static_cast<int>(std::floor((x_m + drawing_.first_x_m + kMargin_m) * kPixels_per_m));
    const auto y = static_cast<int>(std::floor((drawing_.first_y_m - y_m + kMargin_m) * kPixels_per_m));
    if (x < 0 || y < 0 || x >= columns_ || y >= rows_) return {};
    return dark_[static_cast<size_t>(y) * static_cast<size_t>(columns_) + static_cast<size_t>(x)] ? kDark
                                                                                                  : kLight;
  }

 private:
  static constexpr double kPixels_per_m = 4000, kMargin_m = 0.03;
  static int pixels(double length_m) { return static_cast<int>(std::lround(length_m * kPixels_per_m)); }

  BoardDrawing drawing_;
  int columns_ = 0, rows_ = 0;
  std::vector<bool> dark_;
};

// One pose before the camera for each; the nearest board hides what is behind it, and backs are grey.
inline std::vector<uint8_t> paint_boards(const BoardPainter& painter, const std::vector<PrintedBoard>& boards,
                                         const std::vector<Eigen::Isometry3d>& camera_from_board) {
  constexpr int kElse = 110, kBack = 140;
  std::vector<Eigen::Isometry3d> board_from_camera;
  for (const Eigen::Isometry3d& pose : camera_from_board) board_from_camera.push_back(pose.inverse());
  return painter.paint_by([&](const Eigen::Vector3d& ray) {
    int shade = kElse;
    double nearest = INFINITY;
    for (size_t b = 0; b < boards.size(); ++b) {
      const Eigen::Vector3d from = board_from_camera[b].translation(),
                            along = board_from_camera[b].linear() * ray;
      const double distance = -from.z() / along.z();
      if (!(distance > 0) || distance >= nearest) continue;
      const Eigen::Vector3d at = from + distance * along;
      const auto seen = boards[b].shade_at(at.x(), at.y());
      if (seen) nearest = distance, shade = from.z() > 0 ? *seen : kBack;
    }
    return shade;
  });
}

}  // namespace vantage::test
