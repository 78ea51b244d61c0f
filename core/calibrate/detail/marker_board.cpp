#include "core/calibrate/detail/marker_board.h"

#include <map>
#include <optional>
#include <utility>

#include "core/calibrate/detail/markers.h"
#include "core/calibrate/detail/opencv_markers.h"
#include "core/calibrate/detail/placed_marker.h"

namespace vantage {
namespace {

// A board as OpenCV is asked for it. The older pattern of an even number of rows is that of a row more whose
// first row is not there: all versions of OpenCV agree on odd numbers.
struct Pattern {
  int across = 0, down = 0;  // squares
  std::vector<int> ids;      // of its markers, row by row
  int rows_above = 0;        // that are not there
};

Pattern pattern_of(const Board& board, bool older) {
  constexpr int kNone = -1;
  Pattern pattern{board.columns + 1, board.rows + 1, {}, older ? 1 : 0};
  pattern.down += pattern.rows_above;
  if (older) pattern.ids.assign(static_cast<size_t>(pattern.across / 2), kNone);
  for (int n = 0; n < board.marker_count(); ++n) pattern.ids.push_back(board.markers->first_id + n);
  return pattern;
}

// How many times a marker is where one near it expects it, if they stand in this pattern.
int votes_for(const Pattern& pattern, const Board& board, const std::vector<SeenMarker>& seen) {
  std::map<int, std::pair<int, int>> places;  // column and row of the square, by identity
  for (int row = 0, n = 0; row < pattern.down; ++row)
    for (int column = row % 2 == 0 ? 1 : 0; column < pattern.across; column += 2)
      places[pattern.ids[static_cast<size_t>(n++)]] = {column, row};
  std::vector<PlacedMarker> markers;
  for (const SeenMarker& marker : seen)
    if (const auto place = places.find(marker.id); place != places.end())
      markers.push_back(placed_marker(marker, place->second.first, place->second.second));
  const double sides_of_square = board.square_m / board.markers->side_m;
  const auto sides = [&](const PlacedMarker& from, const PlacedMarker& to) -> Eigen::Vector2d {
    return sides_of_square * Eigen::Vector2d(to.column - from.column, to.row - from.row);
  };
  int votes = 0;
  for (const PlacedMarker& marker : markers) votes += votes_about(marker, markers, sides).votes;
  return votes;
}

// Nothing where the markers that are seen fit both, as those of one row do.
std::optional<Pattern> seen_pattern(ImageView<const uint8_t> gray, const Board& board) {
  const Pattern usual = pattern_of(board, false);
  if (usual.down % 2 == 1) return usual;
  const auto seen = find_markers(gray, board.markers->dictionary);
  const Pattern older = pattern_of(board, true);
  const int votes = votes_for(usual, board, seen), older_votes = votes_for(older, board, seen);
  if (votes == older_votes) return {};
  return votes > older_votes ? usual : older;
}

struct FoundCorners {
  std::vector<cv::Point2f> points;
  std::vector<int> ids;  // row by row
};

FoundCorners detect(const cv::Mat& gray, const Board& board, const Pattern& pattern) {
  FoundCorners found;
  opencv_markers::find_corners(gray,
                               opencv_markers::dictionary_of(opencv_dictionary(board.markers->dictionary)),
                               {{pattern.across, pattern.down},
                                static_cast<float>(board.square_m),
                                static_cast<float>(board.markers->side_m),
                                pattern.ids},
                               &found.points, &found.ids);
  return found;
}

}  // namespace

std::vector<GridCorner> find_marker_board(ImageView<const uint8_t> gray, const Board& board) {
  const cv::Mat picture(gray.height, gray.width, CV_8U, const_cast<uint8_t*>(gray.data), gray.stride_bytes);
  const std::optional<Pattern> pattern = seen_pattern(gray, board);
  if (!pattern) return {};
  FoundCorners found = detect(picture, board, *pattern);
  FoundCorners exchanged = detect(255 - picture, board, *pattern);
  if (exchanged.ids.size() > found.ids.size()) found = std::move(exchanged);
  std::vector<GridCorner> corners;
  for (size_t i = 0; i < found.ids.size(); ++i)
    corners.push_back({found.ids[i] % board.columns, found.ids[i] / board.columns - pattern->rows_above,
                       found.points[i].x, found.points[i].y});
  return corners;
}

}  // namespace vantage
