#include "core/calibrate/board_detector.h"

#include <algorithm>
#include <cmath>
#include <opencv2/calib3d.hpp>
#include <opencv2/imgproc.hpp>

#include "core/calibrate/detail/saddle_grid.h"

namespace vantage {
namespace {

using Corners = std::vector<GridCorner>;

constexpr int kMinReach_px = 2, kMaxReach_px = 11;
// Corners of smaller squares stay where they were found: too little is there of each of their edges.
constexpr double kEdges_px = 12;

std::optional<Corners> found_by_opencv(const cv::Mat& gray, const Board& board) {
  std::vector<cv::Point2f> points;
  const int flags = cv::CALIB_CB_ADAPTIVE_THRESH | cv::CALIB_CB_NORMALIZE_IMAGE | cv::CALIB_CB_FAST_CHECK;
  if (!cv::findChessboardCorners(gray, {board.columns, board.rows}, points, flags)) return {};
  Corners corners;
  for (int i = 0; i < board.corner_count(); ++i) {
    const cv::Point2f point = points[static_cast<size_t>(i)];
    corners.push_back({i % board.columns, i / board.columns, point.x, point.y});
  }
  return corners;
}

std::optional<Corners> found_as_grid(ImageView<const uint8_t> gray, const Board& board) {
  Corners best;
  for (const double sigma_px : {1.5, 1.0, 2.5}) {
    Corners corners = find_saddle_grid(gray, board.columns, board.rows, sigma_px);
    if (corners.size() > best.size()) best = std::move(corners);
    if (static_cast<int>(best.size()) == board.corner_count()) break;
  }
  if (best.empty()) return {};
  return best;
}

// The mean step from a corner to the next in its row (or column), and the shortest of all steps.
struct Steps {
  double column_x = 0, column_y = 0, row_x = 0, row_y = 0;
  double shortest_px = 1e30;
};

Steps steps_of(const Corners& corners) {
  Steps steps;
  for (const GridCorner& a : corners)
    for (const GridCorner& b : corners) {
      const int columns = b.column - a.column, rows = b.row - a.row;
      const double x = b.x_px - a.x_px, y = b.y_px - a.y_px;
      if (rows == 0 && columns > 0) steps.column_x += x, steps.column_y += y;
      if (columns == 0 && rows > 0) steps.row_x += x, steps.row_y += y;
      if (std::abs(columns) + std::abs(rows) == 1)
        steps.shortest_px = std::min(steps.shortest_px, std::hypot(x, y));
    }
  return steps;
}

// Whether the squares whose column and row add up to an even number are the dark ones.
bool first_square_is_dark(const cv::Mat& gray, const Corners& corners) {
  double sums[2] = {}, counts[2] = {};
  for (const GridCorner& a : corners)
    for (const GridCorner& b : corners) {
      if (b.column != a.column + 1 || b.row != a.row + 1) continue;
      const int x = static_cast<int>(std::lround((a.x_px + b.x_px) / 2));
      const int y = static_cast<int>(std::lround((a.y_px + b.y_px) / 2));
      if (x < 0 || y < 0 || x >= gray.cols || y >= gray.rows) continue;
      const int odd = (a.column + a.row) % 2;
      sums[odd] += gray.at<uint8_t>(y, x), ++counts[odd];
    }
  return sums[0] * counts[1] < sums[1] * counts[0];
}

// Makes the order the board's own: seen from the printed side, and from the end that the colours tell.
void put_in_order(const cv::Mat& gray, const Board& board, Corners* corners) {
  Steps steps = steps_of(*corners);
  // Picture rows go down: seen from above, a right-handed pair of axes turns the other way.
  if (steps.column_x * steps.row_y - steps.column_y * steps.row_x > 0)
    for (GridCorner& corner : *corners) corner.row = board.rows - 1 - corner.row;
  const bool turn = board.has_half_turn() ? steps.column_x < 0 : !first_square_is_dark(gray, *corners);
  if (!turn) return;
  for (GridCorner& corner : *corners) {
    corner.column = board.columns - 1 - corner.column;
    corner.row = board.rows - 1 - corner.row;
  }
}

// The window reaches a quarter of the way to the next corner, where only this corner's edges are.
void refine(const cv::Mat& gray, bool keep_all, Corners* corners) {
  const int reach =
      std::clamp(static_cast<int>(steps_of(*corners).shortest_px / 4), kMinReach_px, kMaxReach_px);
  std::vector<cv::Point2f> points;
  for (const GridCorner& corner : *corners)
    points.emplace_back(static_cast<float>(corner.x_px), static_cast<float>(corner.y_px));
  const cv::TermCriteria until(cv::TermCriteria::EPS + cv::TermCriteria::COUNT, 50, 1e-3);
  cv::cornerSubPix(gray, points, {reach, reach}, {-1, -1}, until);
  // A corner that went off to another edge was none: something covers it, or the picture ends there.
  Corners kept;
  for (size_t i = 0; i < points.size(); ++i) {
    GridCorner corner = (*corners)[i];
    if (std::hypot(points[i].x - corner.x_px, points[i].y - corner.y_px) > (keep_all ? reach : reach / 2.0)) {
      if (keep_all) kept.push_back(corner);
      continue;
    }
    corner.x_px = points[i].x, corner.y_px = points[i].y;
    kept.push_back(corner);
  }
  *corners = std::move(kept);
}

}  // namespace

Status check_board(const Board& board) {
  if (board.columns < 3 || board.rows < 3 || board.columns > 100 || board.rows > 100)
    return fail(ErrorKind::invalid_argument, "the board needs 3 to 100 inner corners in each direction",
                "board", "Count the corners where four squares meet: a board of 9 x 7 squares has 8 x 6.");
  if (!(board.square_m > 0) || !std::isfinite(board.square_m))
    return fail(ErrorKind::invalid_argument, "the side of a square must be a positive number of metres",
                "board", "Measure the printed board: 0.115 for squares of 115 mm.");
  return {};
}

std::optional<std::vector<BoardCorner>> find_board(ImageView<const uint8_t> gray, const Board& board) {
  if (gray.width < 32 || gray.height < 32) return {};
  const cv::Mat picture(gray.height, gray.width, CV_8U, const_cast<uint8_t*>(gray.data), gray.stride_bytes);
  std::optional<Corners> corners = found_by_opencv(picture, board);
  const bool whole = corners.has_value();
  if (!whole) corners = found_as_grid(gray, board);
  if (!corners) return {};
  if (steps_of(*corners).shortest_px >= kEdges_px) refine(picture, whole, &*corners);
  if (static_cast<int>(corners->size()) * 4 < board.corner_count() * 3) return {};
  put_in_order(picture, board, &*corners);
  std::vector<BoardCorner> found;
  for (const GridCorner& corner : *corners)
    found.push_back({corner.row * board.columns + corner.column, corner.x_px, corner.y_px});
  std::sort(found.begin(), found.end(),
            [](const BoardCorner& a, const BoardCorner& b) { return a.index < b.index; });
  return found;
}

}  // namespace vantage
