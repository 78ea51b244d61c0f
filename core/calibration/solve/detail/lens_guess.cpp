#include "core/calibration/solve/detail/lens_guess.h"

#include <algorithm>
#include <cmath>

#include "core/calibration/solve/detail/board_poses.h"

namespace vantage {
namespace {

// Views that the search takes, spread over all; focal lengths in parts of the picture's width a radian, from
// a circle of 180 degrees that fills half of the picture's height to 50 degrees over its width.
constexpr size_t kSearchViews = 16;
constexpr double kFirstFocal = 0.08, kLastFocal = 1.15, kFocalStep = 1.08;

BundleCamera lens_of(LensModel model, const LensValues& values) {
  BundleCamera lens{.lens = values, .lens_free = {}};
  lens.fixed.lens = model;
  lens.pose_free = false;
  return lens;
}

// What the corners miss by, a corner by no more than a tenth of the picture.
double missed_px(const std::vector<Board>& boards, const std::vector<BoardView>& views,
                 const BundleCamera& lens, double width_px) {
  const double max_px = 0.1 * width_px;
  double sum = 0;
  for (const BoardView& view : views) {
    const Board& board = boards[static_cast<size_t>(view.board)];
    const auto pose = guess_pose(board, view, lens);
    for (const BoardCorner& corner : view.corners) {
      double off = max_px;
      if (pose) {
        const Eigen::Vector2d at = project_corner(lens, {pose_values(*pose), true}, board.x_m(corner.index),
                                                  board.y_m(corner.index));
        off = (at - Eigen::Vector2d(corner.x_px, corner.y_px)).norm();
      }
      sum += off < max_px ? off : max_px;
    }
  }
  return sum;
}

std::vector<BoardView> spread_views(const std::vector<BoardView>& views) {
  if (views.size() <= kSearchViews) return views;
  std::vector<BoardView> some;
  for (size_t i = 0; i < kSearchViews; ++i) some.push_back(views[i * views.size() / kSearchViews]);
  return some;
}

// A lens that shows equal angles at equal distances from the middle of the picture.
LensValues equidistant_lens(const std::vector<Board>& boards, const std::vector<BoardView>& views,
                            int width_px, int height_px) {
  const std::vector<BoardView> some = spread_views(views);
  LensValues best = {};
  double best_px = INFINITY;
  for (double focal_px = kFirstFocal * width_px; focal_px < kLastFocal * width_px; focal_px *= kFocalStep) {
    const LensValues lens = {focal_px, focal_px, (width_px - 1) / 2.0, (height_px - 1) / 2.0};
    const double missed = missed_px(boards, some, lens_of(LensModel::fisheye, lens), width_px);
    if (missed < best_px) best = lens, best_px = missed;
  }
  return best;
}

// The fraction that is nearest to atan(r) / r: the same lens as a rational one.
LensValues as_rational(LensValues equidistant) {
  equidistant[kK1] = 735.0 / 945, equidistant[kK2] = 64.0 / 945;
  equidistant[kK4] = 1050.0 / 945, equidistant[kK5] = 225.0 / 945;
  return equidistant;
}

}  // namespace

std::vector<BundleCamera> guess_lenses(LensModel model, const std::vector<Board>& boards,
                                       const std::vector<BoardView>& views, int width_px, int height_px) {
  std::vector<BundleCamera> guesses;
  if (views.empty()) return guesses;
  if (model != LensModel::fisheye)
    if (const auto pinhole = guess_lens(boards, views, width_px, height_px))
      guesses.push_back(lens_of(model, *pinhole));
  if (model == LensModel::polynomial) return guesses;
  const LensValues equidistant = equidistant_lens(boards, views, width_px, height_px);
  guesses.push_back(lens_of(model, model == LensModel::fisheye ? equidistant : as_rational(equidistant)));
  return guesses;
}

}  // namespace vantage
