#include "core/calibration/solve/detail/tag_board.h"

#include <algorithm>
#include <map>
#include <opencv2/imgproc.hpp>

#include "core/calibration/solve/detail/markers.h"
#include "core/calibration/solve/detail/placed_marker.h"
#include "core/calibration/solve/detail/tag_corners.h"

namespace vantage {
namespace {

using Eigen::Vector2d;

constexpr int kTurns = 4;
constexpr size_t kMinTags = 4;
// How the board's rows and columns lie on a tag whose picture is a unit square with y down.
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
    std::map<std::pair<int, int>, std::pair<int, const PlacedMarker*>> kept;  // by place; with its votes
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

// Squares that touch the tags' corners join their outlines to one where the light is blurred; what must be
// darker than its neighbourhood by a share of the picture's contrast does not reach across. Tags found in
// any of the attempts count.
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
  // Wide borders have outlines inside that look like those of tags with narrow ones: what counts are corners
  // that stand the test of refinement.
  for (const int border_bits : {1, 2}) {
    const auto tags = found_in_attempts(gray, board, border_bits, contrast, stop);
    std::vector<GridCorner> corners = refined_tag_corners(gray, *board.tags, border_bits, tags);
    if (corners.size() > best.size()) best = std::move(corners);
    if (2 * static_cast<int>(best.size()) >= board.corner_count()) break;
  }
  return best.size() >= 4 * kMinTags ? best : std::vector<GridCorner>();
}

}  // namespace vantage
