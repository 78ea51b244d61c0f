#include "core/calibration/solve/board_detector.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <opencv2/calib3d.hpp>
#include <opencv2/imgproc.hpp>

#include "core/calibration/solve/detail/marker_board.h"
#include "core/calibration/solve/detail/saddle_grid.h"
#include "core/calibration/solve/detail/tag_board.h"

namespace vantage {
namespace {

using Corners = std::vector<GridCorner>;

constexpr int kMinReach_px = 2, kMaxReach_px = 11;
// Corners of smaller squares are not refined: too little is there of each of their edges.
constexpr double kEdges_px = 12;
constexpr size_t kMinOfMarkers = 6;  // corners; fewer leave the board's pose open

Corners whole_board(const Board& board, const std::vector<cv::Point2f>& points) {
  Corners corners;
  for (int i = 0; i < board.corner_count(); ++i) {
    const cv::Point2f point = points[i];
    corners.push_back({i % board.columns, i / board.columns, point.x, point.y});
  }
  return corners;
}

std::optional<Corners> found_by_quadrangles(const cv::Mat& gray, const Board& board) {
  std::vector<cv::Point2f> points;
  const int flags = cv::CALIB_CB_ADAPTIVE_THRESH | cv::CALIB_CB_NORMALIZE_IMAGE | cv::CALIB_CB_FAST_CHECK;
  if (!cv::findChessboardCorners(gray, {board.columns, board.rows}, points, flags)) return {};
  return whole_board(board, points);
}

// A. Duda, U. Frese: "Accurate detection and localization of checkerboard corners for calibration", BMVC
// 2018, which finds boards that a fisheye bends.
std::optional<Corners> found_by_lines(const cv::Mat& gray, const Board& board) {
  constexpr size_t kSmall = 1'500'000;  // pixels; a larger picture at twice its size takes a second
  std::vector<cv::Point2f> points;
  for (const int flags : {cv::CALIB_CB_NORMALIZE_IMAGE, cv::CALIB_CB_ACCURACY}) {
    if (flags == cv::CALIB_CB_ACCURACY && gray.total() > kSmall) break;
    if (cv::findChessboardCornersSB(gray, {board.columns, board.rows}, points, flags))
      return whole_board(board, points);
  }
  return {};
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

// True if the squares whose column and row add up to an even number are dark.
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

// Makes the order the board's own, from the end that the colours show.
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

// Reach of the window about a corner: a quarter of the distance to the next one, where only this corner's
// edges are; of a board with markers less than the distance to the nearest of these.
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
  // A corner that moved to another edge is not valid: something covers it, or the picture ends there.
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

std::optional<Corners> refined(const cv::Mat& gray, const Board& board, bool keep_all,
                               std::optional<Corners> corners) {
  if (corners && steps_of(*corners).shortest_px >= kEdges_px) refine(gray, board, keep_all, &*corners);
  return corners;
}

std::optional<Corners> found_plain(const cv::Mat& picture, ImageView<const uint8_t> gray, const Board& board,
                                   const StopSource& stop) {
  std::optional<Corners> whole = refined(picture, board, true, found_by_quadrangles(picture, board));
  if (whole) return whole;
  std::optional<Corners> part = refined(picture, board, false, found_as_grid(gray, board, stop));
  if (part && static_cast<int>(part->size()) == board.corner_count()) return part;
  if (stop.stop_requested()) return {};
  whole = refined(picture, board, true, found_by_lines(picture, board));
  return whole ? whole : part;
}

struct Astray {
  double px = 0, steps = 0;
};

// Deviation of a corner from the quadratic through its neighbours, two steps about it; nothing if too few.
std::optional<Astray> astray(const Corners& corners, const GridCorner& corner) {
  constexpr int kReach = 2, kTerms = 6;
  using Row = Eigen::Matrix<double, 1, kTerms>;
  Eigen::Matrix<double, kTerms, kTerms> squares = Eigen::Matrix<double, kTerms, kTerms>::Zero();
  Eigen::Matrix<double, kTerms, 2> right = Eigen::Matrix<double, kTerms, 2>::Zero();
  int count = 0;
  for (const GridCorner& other : corners) {
    const double u = other.column - corner.column, v = other.row - corner.row;
    if ((u == 0 && v == 0) || std::abs(u) > kReach || std::abs(v) > kReach) continue;
    Row row;
    row << 1, u, v, u * u, u * v, v * v;
    squares += row.transpose() * row;
    right += row.transpose() * Eigen::RowVector2d(other.x_px, other.y_px);
    ++count;
  }
  const Eigen::FullPivLU<Eigen::Matrix<double, kTerms, kTerms>> solver(squares);
  if (count <= kTerms || !solver.isInvertible()) return {};
  const Eigen::Matrix<double, kTerms, 2> terms = solver.solve(right);
  const double step_px = std::sqrt(std::abs(terms(1, 0) * terms(2, 1) - terms(1, 1) * terms(2, 0)));
  const double away_px = std::hypot(terms(0, 0) - corner.x_px, terms(0, 1) - corner.y_px);
  return Astray{away_px, away_px / step_px};
}

// No lens bends a board at one corner alone: such a corner is another edge's. The worst is left out, and the
// rest is examined again.
void leave_out_strays(const Board& board, Corners* corners) {
  constexpr double kStray_px = 1, kStray = 0.05, kTimesMedian = 5;
  while (static_cast<int>(corners->size()) * 4 >= board.corner_count() * 3) {
    std::vector<double> steps;
    size_t worst = 0;
    double most = 0;
    for (size_t i = 0; i < corners->size(); ++i) {
      const auto away = astray(*corners, (*corners)[i]);
      if (!away) continue;
      steps.push_back(away->steps);
      if (away->px > kStray_px && away->steps > most) most = away->steps, worst = i;
    }
    if (steps.empty()) return;
    const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
    std::nth_element(steps.begin(), middle, steps.end());
    if (most <= std::max(kStray, kTimesMedian * *middle)) return;
    corners->erase(corners->begin() + static_cast<std::ptrdiff_t>(worst));
  }
}

// A found board as a table of its corners.
class CornerTable {
 public:
  CornerTable(const Board& board, const Corners& corners)
      : columns_(board.columns), rows_(board.rows), found_(static_cast<size_t>(board.corner_count())) {
    for (const GridCorner& corner : corners)
      found_[corner.row * columns_ + corner.column] = {corner.x_px, corner.y_px};
  }
  // Corner `along` a side, `inward` steps from it; the sides are top, bottom, left, right.
  std::optional<Eigen::Vector2d> at(int side, int along, int inward) const {
    const bool flat = side < 2;
    const int across = side % 2 == 0 ? inward : (flat ? rows_ : columns_) - 1 - inward;
    const int column = flat ? along : across, row = flat ? across : along;
    if (inward >= (flat ? rows_ : columns_)) return {};
    return found_[row * columns_ + column];
  }
  int length(int side) const { return side < 2 ? columns_ : rows_; }

 private:
  int columns_, rows_;
  std::vector<std::optional<Eigen::Vector2d>> found_;
};

// The middle of the square between two neighbours along a side, 1.5 steps (outside) or half a step (the
// board's own last square) beyond them.
std::optional<Eigen::Vector2d> square_beyond(const CornerTable& table, int side, int along, bool outside) {
  Eigen::Vector2d middles[3];
  for (int inward = 0; inward < 3; ++inward) {
    const auto a = table.at(side, along, inward), b = table.at(side, along + 1, inward);
    if (!a || !b) return {};
    middles[inward] = (*a + *b) / 2;
  }
  const double t = outside ? -1.5 : -0.5;
  return (t - 1) * (t - 2) / 2 * middles[0] - t * (t - 2) * middles[1] + t * (t - 1) / 2 * middles[2];
}

// Contrast of the squares along a side: the mean difference of one from the next in the board's order.
std::optional<double> contrast_beyond(const cv::Mat& gray, const CornerTable& table, int side, bool outside) {
  double sums[2] = {};
  int counts[2] = {};
  for (int along = 0; along + 1 < table.length(side); ++along) {
    const auto place = square_beyond(table, side, along, outside);
    if (!place ||
        !(place->x() >= 0 && place->y() >= 0 && place->x() <= gray.cols - 1 && place->y() <= gray.rows - 1))
      continue;
    sums[along % 2] += gray.at<uint8_t>(static_cast<int>(std::lround(place->y())),
                                        static_cast<int>(std::lround(place->x())));
    ++counts[along % 2];
  }
  if (counts[0] + counts[1] < 3 || counts[0] == 0 || counts[1] == 0) return {};
  return sums[0] / counts[0] - sums[1] / counts[1];
}

// True if the squares continue beyond a side: a larger board, on which the stated one has many positions.
bool goes_on(const cv::Mat& gray, const Board& board, const Corners& corners) {
  constexpr double kAsMuch = 0.6,
                   kSeen = 12;  // grey levels; fewer show nothing (overexposed paper)
  const CornerTable table(board, corners);
  for (int side = 0; side < 4; ++side) {
    const auto own = contrast_beyond(gray, table, side, false),
               next = contrast_beyond(gray, table, side, true);
    if (own && next && std::abs(*own) > kSeen && -*next * (*own > 0 ? 1 : -1) > kAsMuch * std::abs(*own))
      return true;
  }
  return false;
}

// Corners in one row or column determine no pose.
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
  std::optional<Corners> corners = found_plain(picture, gray, board, stop);
  if (!corners) return {};
  leave_out_strays(board, &*corners);
  if (static_cast<int>(corners->size()) * 4 < board.corner_count() * 3) return {};
  if (goes_on(picture, board, *corners)) return {};
  put_in_order(picture, board, &*corners);
  return indexed(board, *corners);
}

}  // namespace vantage
