#include "core/calibration/solve/detail/tag_board.h"

#include <opencv2/imgproc.hpp>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/calibration/solve/board.h"
#include "core/calibration/solve/detail/marker_board.h"
#include "core/calibration/solve/detail/saddle_grid.h"
#include "core/image/image_view.h"

namespace vantage {
namespace {

// Corners of tags to a fraction of a pixel.

struct FoundTag {
  int id = 0;
  std::array<GridCorner, 4> corners;  // from the tag's top left, clockwise; to about two pixels
};

using Eigen::Vector2d;

constexpr int kRounds = 4;  // of lines along the sides, each from the one before
constexpr double kMinTagReach_px = 1.5, kMaxTagReach_px = 5;  // across a side
constexpr double kFirstReach_px = 3, kMaxFirstReach_px = 10;  // corners of large tags are found roughly
// Lenses bend long sides: no more than so much of a side determines its corner.
constexpr double kMaxAlong_px = 40;
// RMS of a side's edge about its line, while corners are rough and at last; more where something hides a
// part.
constexpr double kFirstBend_px = 5, kMaxBend_px = 0.3;
// A corner that moves farther than this, or than the border's width, is not valid.
constexpr double kMaxShift_px = 4;
// Minimum brightness outside a side, relative to where it is lightest.
constexpr double kMinRise = 0.6;
// Maximum error of a border's end, in bits; where bits are smaller, blur hides it.
constexpr double kOffBorder = 0.25, kMinCell_px = 3;
constexpr int kMinSaddle_px = 2, kMaxSaddle_px = 11;

class Refiner {
 public:
  Refiner(ImageView<const uint8_t> gray, const BoardTags& tags, int border_bits)
      : gray_(gray),
        dictionary_(tags.dictionary),
        border_bits_(border_bits),
        cells_(static_cast<int>(std::lround(std::sqrt(
            static_cast<double>(marker_cells(tags.dictionary, tags.first_id, border_bits).size()))))),
        border_of_side_(static_cast<double>(border_bits) / cells_),
        gap_of_side_(tags.gap_m / tags.side_m) {}

  // Corners where the sides' lines meet.
  std::optional<Quad> by_sides(const Quad& found) const {
    Quad quad = found;
    const double clear_px = narrowest(found) * std::min(border_of_side_, gap_of_side_);
    const double reach = std::clamp(0.5 * clear_px, kMinTagReach_px, kMaxTagReach_px);
    const double first_reach = std::max(kFirstReach_px, std::min(0.5 * clear_px, kMaxFirstReach_px));
    const double max_shift = std::max(kMaxShift_px, clear_px);
    for (int round = 0; round < kRounds; ++round) {
      Quad next;
      for (size_t k = 0; k < 4; ++k) {
        const Reach now = round == 0 ? Reach{first_reach, kFirstBend_px}
                                     : Reach{reach, round == 1 ? kFirstBend_px : kMaxBend_px};
        const auto one = line_from(quad[k], quad[(k + 1) % 4], middle(quad), now);
        const auto other = line_from(quad[k], quad[(k + 3) % 4], middle(quad), now);
        if (!one || !other) return {};
        const auto at = meeting(*one, *other);
        if (!at || (*at - found[k]).norm() > max_shift) return {};
        next[k] = *at;
      }
      quad = next;
    }
    return quad;
  }

  // True if nothing hides a part: all sides are light outside, and the black border is as wide as it should
  // be wherever a light bit ends it.
  bool is_all_there(const Quad& quad, int id) const {
    return has_light_around(quad) && has_whole_border(quad, id);
  }

  // Votes, of four, that the area diagonally outside a corner is as dark as the tag's border.
  int squares_at(const Quad& quad) const {
    int votes = 0;
    for (size_t k = 0; k < 4; ++k) {
      const Vector2d u = quad[k] - quad[(k + 1) % 4], v = quad[k] - quad[(k + 3) % 4];  // outwards
      const double out = 0.4 * gap_of_side_, in = 0.4 * border_of_side_;
      const double border = at(quad[k] - in * u - in * v);
      const double beside = (at(quad[k] + out * u - out * v) + at(quad[k] - out * u + out * v)) / 2;
      const double diagonal = at(quad[k] + out * u + out * v);
      votes += std::abs(diagonal - border) < std::abs(diagonal - beside);
    }
    return votes;
  }

  int saddle_reach_px(const Quad& quad) const {
    return static_cast<int>(0.8 * narrowest(quad) * std::min(border_of_side_, gap_of_side_));
  }

 private:
  struct Line {
    Vector2d through, along;
  };
  struct Reach {
    double across_px = 0, bend_px = 0;  // across a side; RMS of its edge about its line
  };

  // Brightness at a position of the tag as the unit square.
  double at_unit(const Eigen::Matrix3d& picture_from_unit, const Vector2d& place) const {
    return at((picture_from_unit * place.homogeneous()).hnormalized());
  }

  // A position by its shares of a side, along it and inside of it.
  static Vector2d at_side(size_t side, double along, double in) {
    const Vector2d places[] = {{along, in}, {1 - in, along}, {1 - along, 1 - in}, {in, 1 - along}};
    return places[side];
  }

  bool has_light_around(const Quad& quad) const {
    const Eigen::Matrix3d picture_from_unit = picture_from_square(quad);
    std::vector<double> rises;  // from the border to outside
    for (size_t side = 0; side < 4; ++side)
      for (const double along : {0.08, 0.2, 0.35, 0.5, 0.65, 0.8, 0.92})
        rises.push_back(at_unit(picture_from_unit, at_side(side, along, -0.4 * gap_of_side_)) -
                        at_unit(picture_from_unit, at_side(side, along, 0.4 * border_of_side_)));
    std::sort(rises.begin(), rises.end());
    const bool exchanged = rises[rises.size() / 2] < 0;
    const double most = exchanged ? -rises.front() : rises.back();
    const double least = exchanged ? -rises.back() : rises.front();
    return least >= kMinRise * most;
  }

  bool has_whole_border(const Quad& quad, int id) const {
    const Eigen::Matrix3d picture_from_unit = picture_from_square(quad);
    const double cell = 1.0 / cells_;
    if (cell * narrowest(quad) < kMinCell_px) return true;
    const std::vector<bool> dark = marker_cells(dictionary_, id, border_bits_);
    for (size_t side = 0; side < 4; ++side) {
      int asked = 0, wrong = 0;
      for (int k = border_bits_; k < cells_ - border_bits_; ++k) {
        const double along = (k + 0.5) * cell;
        const Vector2d bit = at_side(side, along, (border_bits_ + 0.5) * cell) * cells_;
        if (dark[static_cast<int>(bit.y()) * cells_ + static_cast<int>(bit.x())]) continue;
        const double light = at_unit(picture_from_unit, at_side(side, along, (border_bits_ + 0.5) * cell));
        const double black = at_unit(picture_from_unit, at_side(side, along, (border_bits_ - 0.5) * cell));
        const auto is_light = [&](double in) {
          const double value = at_unit(picture_from_unit, at_side(side, along, in * cell));
          return std::abs(value - light) < std::abs(value - black);
        };
        ++asked, wrong += is_light(border_bits_ - kOffBorder) || !is_light(border_bits_ + kOffBorder);
      }
      if (2 * wrong > asked) return false;
    }
    return true;
  }

  static Vector2d middle(const Quad& quad) { return (quad[0] + quad[1] + quad[2] + quad[3]) / 4; }
  // Across, as slanted tags are: the area over the longest side.
  static double narrowest(const Quad& quad) {
    const Vector2d one = quad[2] - quad[0], other = quad[3] - quad[1];
    double longest = 0;
    for (size_t k = 0; k < 4; ++k) longest = std::max(longest, (quad[k] - quad[(k + 1) % 4]).norm());
    return std::abs(one.x() * other.y() - one.y() * other.x()) / 2 / std::max(longest, 1e-9);
  }

  // Brightness between pixels; the nearest pixel's outside the picture.
  double at(const Vector2d& place) const {
    if (!place.allFinite()) return 0;
    const double x = std::clamp(place.x(), 0.0, gray_.width - 1.001);
    const double y = std::clamp(place.y(), 0.0, gray_.height - 1.001);
    const int column = static_cast<int>(x), row = static_cast<int>(y);
    const double dx = x - column, dy = y - row;
    return (1 - dy) * ((1 - dx) * gray_.at(column, row) + dx * gray_.at(column + 1, row)) +
           dy * ((1 - dx) * gray_.at(column, row + 1) + dx * gray_.at(column + 1, row + 1));
  }

  // Offset of the edge from `place` along `out`, as the middle of the brightness' rise.
  std::optional<double> edge_near(const Vector2d& place, const Vector2d& out, double reach) const {
    constexpr double kStep_px = 0.5;
    const double sign = at(place + reach * out) > at(place - reach * out) ? 1 : -1;
    double sum = 0, weights = 0;
    for (double offset = -reach; offset < reach; offset += kStep_px) {
      const double rise = sign * (at(place + (offset + kStep_px) * out) - at(place + offset * out));
      if (rise <= 0) continue;
      sum += rise * (offset + kStep_px / 2), weights += rise;
    }
    constexpr double kMinContrast = 8;
    if (weights < kMinContrast) return {};
    return sum / weights;
  }

  // The side's edge near the corner `from`.
  std::optional<Line> line_from(const Vector2d& from, const Vector2d& to, const Vector2d& inside,
                                const Reach& reach) const {
    const Vector2d along = (to - from).normalized();
    Vector2d out(-along.y(), along.x());
    if (out.dot(inside - from) > 0) out = -out;
    const double length = (to - from).norm();
    const double begin = std::min(1.5 + 0.04 * length, 0.25 * length);
    const double end = std::min(std::max(0.5 * length, 12.0), std::min(0.9 * length, kMaxAlong_px));
    std::vector<Vector2d> points;
    for (double step = begin; step <= end; step += 1) {
      const Vector2d place = from + step * along;
      if (const auto off = edge_near(place, out, reach.across_px)) points.push_back(place + *off * out);
    }
    if (points.size() < 4) return {};
    Vector2d mean = Vector2d::Zero();
    for (const Vector2d& point : points) mean += point / static_cast<double>(points.size());
    double s = 0, t = 0;  // offset across = slope * offset along
    for (const Vector2d& point : points) {
      const double a = (point - mean).dot(along);
      s += a * a, t += a * (point - mean).dot(out);
    }
    double off2 = 0;
    for (const Vector2d& point : points) {
      const double off = (point - mean).dot(out) - t / s * (point - mean).dot(along);
      off2 += off * off;
    }
    if (off2 > reach.bend_px * reach.bend_px * static_cast<double>(points.size())) return {};
    return Line{mean, (along + t / s * out).normalized()};
  }

  static std::optional<Vector2d> meeting(const Line& a, const Line& b) {
    const double cross = a.along.x() * b.along.y() - a.along.y() * b.along.x();
    if (std::abs(cross) < 0.1) return {};
    const Vector2d between = b.through - a.through;
    return a.through + (between.x() * b.along.y() - between.y() * b.along.x()) / cross * a.along;
  }

  ImageView<const uint8_t> gray_;
  std::string dictionary_;
  int border_bits_, cells_;  // cells: of a side, with the border
  double border_of_side_, gap_of_side_;
};

// Saddle points do not move with the light parts' glare over the dark ones.
void refine_as_saddle(const cv::Mat& gray, int reach_px, GridCorner* corner) {
  std::vector<cv::Point2f> point = {{static_cast<float>(corner->x_px), static_cast<float>(corner->y_px)}};
  const cv::TermCriteria until(cv::TermCriteria::EPS + cv::TermCriteria::COUNT, 50, 1e-3);
  cv::cornerSubPix(gray, point, {reach_px, reach_px}, {-1, -1}, until);
  if (std::hypot(point[0].x - corner->x_px, point[0].y - corner->y_px) > reach_px / 2.0) return;
  corner->x_px = point[0].x, corner->y_px = point[0].y;
}

// Partly hidden tags, and corners that cannot be refined, are left out. `border_bits`: the width of the tags'
// black border, in bits.
std::vector<GridCorner> refined_tag_corners(ImageView<const uint8_t> gray, const BoardTags& tags,
                                            int border_bits, const std::vector<FoundTag>& found) {
  if (found.empty()) return {};
  const Refiner refiner(gray, tags, border_bits);
  std::vector<FoundTag> refined;
  std::vector<int> reaches_px;
  int votes = 0;
  for (FoundTag tag : found) {
    Quad quad;
    for (size_t k = 0; k < 4; ++k) quad[k] = {tag.corners[k].x_px, tag.corners[k].y_px};
    const auto better = refiner.by_sides(quad);
    if (!better || !refiner.is_all_there(*better, tag.id)) continue;
    for (size_t k = 0; k < 4; ++k)
      tag.corners[k].x_px = (*better)[k].x(), tag.corners[k].y_px = (*better)[k].y();
    votes += refiner.squares_at(*better);
    reaches_px.push_back(refiner.saddle_reach_px(*better));
    refined.push_back(tag);
  }
  const bool squares = 2 * votes > 4 * static_cast<int>(refined.size());
  const cv::Mat picture(gray.height, gray.width, CV_8U, const_cast<uint8_t*>(gray.data), gray.stride_bytes);
  std::vector<GridCorner> all;
  for (size_t i = 0; i < refined.size(); ++i)
    for (GridCorner& corner : refined[i].corners) {
      if (squares && reaches_px[i] >= kMinSaddle_px)
        refine_as_saddle(picture, std::min(reaches_px[i], kMaxSaddle_px), &corner);
      all.push_back(corner);
    }
  return all;
}

using Eigen::Vector2d;

constexpr int kTurns = 4;
constexpr size_t kMinTags = 4;
// The board's rows and columns on a tag whose picture is a unit square with y down.
struct Layout {
  int turn = 0;          // quarter turns of the board's columns
  bool upwards = false;  // identities of the next row lie above (Kalibr), not below (OpenCV)

  Vector2d column() const {
    constexpr int kX[] = {1, 0, -1, 0}, kY[] = {0, 1, 0, -1};
    return {kX[turn], kY[turn]};
  }
  Vector2d row() const {
    const Vector2d down(-column().y(), column().x());
    return upwards ? -down : down;
  }
};

class Assembly {
 public:
  Assembly(const Board& board, const std::vector<SeenMarker>& seen)
      : board_(board), steps_of_side_(1 + board.tags->gap_m / board.tags->side_m) {
    const int count = board.corner_count() / 4;
    for (const SeenMarker& marker : seen)
      if (const int slot = marker.id - board.tags->first_id; slot >= 0 && slot < count)
        tags_.push_back(placed_marker(marker, slot % (board.columns / 2), slot / (board.columns / 2)));
  }

  std::vector<FoundTag> tags() const {
    const auto layout = best_layout();
    if (!layout) return {};
    std::map<std::pair<int, int>, std::pair<int, const PlacedMarker*>> kept;  // by position; with its votes
    for (const PlacedMarker& tag : tags_) {
      const auto [votes, asked] = votes_for(tag, *layout);
      if (votes == 0 || 2 * votes < asked) continue;
      auto& best = kept[{tag.row, tag.column}];
      if (votes > best.first) best = {votes, &tag};
    }
    std::vector<FoundTag> found;
    bool rows_differ = false, columns_differ = false;
    for (const auto& [place, best] : kept) {
      found.push_back(placed(*best.second, *layout));
      rows_differ = rows_differ || place.first != kept.begin()->first.first;
      columns_differ = columns_differ || place.second != kept.begin()->first.second;
    }
    if (found.size() < kMinTags || !rows_differ || !columns_differ) return {};
    return found;
  }

 private:
  MarkerVotes votes_for(const PlacedMarker& tag, const Layout& layout) const {
    return votes_about(tag, tags_, [&](const PlacedMarker& from, const PlacedMarker& to) -> Vector2d {
      return steps_of_side_ *
             ((to.column - from.column) * layout.column() + (to.row - from.row) * layout.row());
    });
  }

  // The one that most tags agree on. Tags of one row leave it open, and tie.
  std::optional<Layout> best_layout() const {
    std::optional<Layout> best;
    int most = 0, pairs = 0;
    bool tie = false;
    for (int turn = 0; turn < kTurns; ++turn)
      for (const bool upwards : {false, true}) {
        const Layout layout{turn, upwards};
        int votes = 0;
        pairs = 0;
        for (const PlacedMarker& tag : tags_) {
          const auto [agreed, asked] = votes_for(tag, layout);
          votes += agreed, pairs += asked;
        }
        tie = votes == most || (votes < most && tie);
        if (votes > most) most = votes, best = layout;
      }
    if (tie || 2 * most <= pairs) return {};
    return best;
  }

  FoundTag placed(const PlacedMarker& tag, const Layout& layout) const {
    FoundTag found{tag.id, {}};
    const Vector2d unit[] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    for (size_t k = 0; k < 4; ++k) {
      const Vector2d offset = unit[k] - Vector2d(0.5, 0.5);
      const int column = 2 * tag.column + (offset.dot(layout.column()) > 0);
      const int row = 2 * tag.row + (offset.dot(layout.row()) > 0);
      found.corners[k] = {column, layout.upwards ? board_.rows - 1 - row : row, tag.corners[k].x(),
                          tag.corners[k].y()};
    }
    return found;
  }

  const Board& board_;
  const double steps_of_side_;  // from a tag to the next, in sides
  std::vector<PlacedMarker> tags_;
};

double contrast_of(const cv::Mat& gray) {
  cv::Mat mean, deviation;
  cv::meanStdDev(gray, mean, deviation);
  return 2 * deviation.at<double>(0);
}

// Squares that touch the tags' corners join their outlines to one where the light is blurred. Attempts that
// require more contrast, a share of the picture's, do not reach across. Tags found in any attempt count.
std::vector<FoundTag> found_in_attempts(ImageView<const uint8_t> gray, const Board& board, int border_bits,
                                        double contrast, const StopSource& stop) {
  std::vector<SeenMarker> seen;
  std::vector<FoundTag> tags;
  for (const double darker_by : {7.0, 0.15 * contrast, 0.3 * contrast, 0.5 * contrast}) {
    if (stop.stop_requested()) return {};
    for (const SeenMarker& marker : find_markers(gray, board.tags->dictionary, border_bits, darker_by))
      seen.push_back(marker);
    tags = Assembly(board, seen).tags();
    if (seen.empty() || tags.size() == static_cast<size_t>(board.corner_count() / 4)) break;
  }
  return tags;
}

}  // namespace

std::vector<GridCorner> find_tag_board(ImageView<const uint8_t> gray, const Board& board,
                                       const StopSource& stop) {
  const double contrast =
      contrast_of({gray.height, gray.width, CV_8U, const_cast<uint8_t*>(gray.data), gray.stride_bytes});
  std::vector<GridCorner> best;
  // Wide borders have outlines inside that look like those of tags with narrow ones: only corners that pass
  // refinement count.
  for (const int border_bits : {1, 2}) {
    const auto tags = found_in_attempts(gray, board, border_bits, contrast, stop);
    std::vector<GridCorner> corners = refined_tag_corners(gray, *board.tags, border_bits, tags);
    if (corners.size() > best.size()) best = std::move(corners);
    if (2 * static_cast<int>(best.size()) >= board.corner_count()) break;
  }
  return best.size() >= 4 * kMinTags ? best : std::vector<GridCorner>();
}

}  // namespace vantage
