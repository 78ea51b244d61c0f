#include "core/calibrate/board_detector.h"

#include <algorithm>
#include <cmath>
#include <opencv2/calib3d.hpp>
#include <opencv2/imgproc.hpp>

#include "core/calibrate/detail/marker_board.h"
#include "core/calibrate/detail/saddle_grid.h"
#include "core/calibrate/detail/tag_board.h"

namespace vantage {
namespace {

using Corners = std::vector<GridCorner>;

constexpr int kMinReach_px = 2, kMaxReach_px = 11;
// Corners of smaller squares stay where they were found: too little is there of each of their edges.
constexpr double kEdges_px = 12;
constexpr size_t kMinOfMarkers = 6;  // corners; fewer leave the board's pose open

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

std::optional<Corners> found_as_grid(ImageView<const uint8_t> gray, const Board& board,
                                     const StopSource& stop) {
  Corners best;
  for (const double sigma_px : {1.5, 1.0, 2.5}) {
    if (stop.stop_requested()) return {};
    Corners corners = find_saddle_grid(gray, board.columns, board.rows, sigma_px, stop);
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

// Makes the order that of the printed side. Picture rows go down: seen from above, a right-handed pair of
// axes turns the other way.
void put_upright(const Board& board, const Steps& steps, Corners* corners) {
  if (steps.column_x * steps.row_y - steps.column_y * steps.row_x > 0)
    for (GridCorner& corner : *corners) corner.row = board.rows - 1 - corner.row;
}

// Makes the order the board's own, from the end that the colours tell.
void put_in_order(const cv::Mat& gray, const Board& board, Corners* corners) {
  const Steps steps = steps_of(*corners);
  put_upright(board, steps, corners);
  const bool turn = board.has_half_turn() ? steps.column_x < 0 : !first_square_is_dark(gray, *corners);
  if (!turn) return;
  for (GridCorner& corner : *corners) {
    corner.column = board.columns - 1 - corner.column;
    corner.row = board.rows - 1 - corner.row;
  }
}

// How far the window about a corner reaches: a quarter of the way to the next one, where only this corner's
// edges are; of a board with markers not as far as the nearest of these.
int reach_px(const Board& board, const Corners& corners) {
  constexpr double kOfGap = 0.8;
  const double share = board.markers ? kOfGap * (1 - board.markers->side_m / board.square_m) / 2 : 1.0 / 4;
  return std::clamp(static_cast<int>(share * steps_of(corners).shortest_px), kMinReach_px, kMaxReach_px);
}

void refine(const cv::Mat& gray, const Board& board, bool keep_all, Corners* corners) {
  const int reach = reach_px(board, *corners);
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

// Corners in one row or column do not tell a pose.
bool spans_a_plane(const Corners& corners) {
  const auto differs = [&](auto member) {
    return std::any_of(corners.begin(), corners.end(),
                       [&](const GridCorner& corner) { return corner.*member != corners.front().*member; });
  };
  return differs(&GridCorner::column) && differs(&GridCorner::row);
}

std::vector<BoardCorner> indexed(const Board& board, const Corners& corners) {
  std::vector<BoardCorner> found;
  for (const GridCorner& corner : corners)
    found.push_back({corner.row * board.columns + corner.column, corner.x_px, corner.y_px});
  std::sort(found.begin(), found.end(),
            [](const BoardCorner& a, const BoardCorner& b) { return a.index < b.index; });
  return found;
}

}  // namespace

std::optional<std::vector<BoardCorner>> find_board(ImageView<const uint8_t> gray, const Board& board,
                                                   const StopSource& stop) {
  if (gray.width < 32 || gray.height < 32) return {};
  const cv::Mat picture(gray.height, gray.width, CV_8U, const_cast<uint8_t*>(gray.data), gray.stride_bytes);
  if (board.tags) {
    Corners tagged = find_tag_board(gray, board, stop);
    put_upright(board, steps_of(tagged), &tagged);
    if (tagged.empty()) return {};
    return indexed(board, tagged);
  }
  if (board.markers) {
    Corners marked = find_marker_board(gray, board);
    if (marked.size() < kMinOfMarkers || !spans_a_plane(marked)) return {};
    // The module leaves them half a pixel off.
    refine(picture, board, true, &marked);
    put_upright(board, steps_of(marked), &marked);
    return indexed(board, marked);
  }
  if (stop.stop_requested()) return {};
  std::optional<Corners> corners = found_by_opencv(picture, board);
  const bool whole = corners.has_value();
  if (!whole) corners = found_as_grid(gray, board, stop);
  if (!corners) return {};
  if (steps_of(*corners).shortest_px >= kEdges_px) refine(picture, board, whole, &*corners);
  if (static_cast<int>(corners->size()) * 4 < board.corner_count() * 3) return {};
  put_in_order(picture, board, &*corners);
  return indexed(board, *corners);
}

}  // namespace vantage
