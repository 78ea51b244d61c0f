#include "core/calibration/solve/detail/marker_board.h"

#include <fmt/core.h>
#include <opencv2/imgproc.hpp>

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "core/calibration/solve/board.h"
#include "core/calibration/solve/detail/opencv_markers.h"

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

// Number of markers that are where one near them expects them, if they are in this pattern.
int votes_for(const Pattern& pattern, const Board& board, const std::vector<SeenMarker>& seen) {
  std::map<int, std::pair<int, int>> places;  // column and row of the square, by identity
  for (int row = 0, n = 0; row < pattern.down; ++row)
    for (int column = row % 2 == 0 ? 1 : 0; column < pattern.across; column += 2)
      places[pattern.ids[n++]] = {column, row};
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

namespace {

constexpr int kManyMarkers = 6;     // in one picture
constexpr int kSureVotes = 30;      // of markers for their neighbours, over all pictures
constexpr double kTimesMore = 1.5;  // than the stated board has, whose rows are partly the same
constexpr int kEnoughPictures = 4;  // with many markers
constexpr int kTriedPictures = 4;   // for other dictionaries

// As many rows as hold a marker of that number, counted from the first.
int rows_that_hold(int across, int number) {
  int down = 3;
  while (across * down / 2 <= number) ++down;
  return down;
}

// The smallest dictionary of these bits that has the marker.
std::string smallest_with(const std::string& largest, int id) {
  const std::string bits = largest.substr(0, largest.rfind('_') + 1);
  for (const std::string_view name : marker_dictionaries())
    if (name.starts_with(bits) && marker_count(name) > id) return std::string(name);
  return largest;
}

constexpr const char* kOtherDictionaries[] = {
    "DICT_4X4_1000",       "DICT_5X5_1000",       "DICT_6X6_1000",     "DICT_7X7_1000",
    "DICT_ARUCO_ORIGINAL", "DICT_APRILTAG_36h11", "DICT_APRILTAG_25h9"};

}  // namespace

void BoardGuess::look(ImageView<const uint8_t> gray) {
  ++pictures_;
  const std::vector<SeenMarker> seen = find_markers(gray, stated_.markers->dictionary);
  if (static_cast<int>(seen.size()) < kManyMarkers) {
    if (with_markers_ > 0 || pictures_ > kTriedPictures) return;
    for (const char* name : kOtherDictionaries)
      if (static_cast<int>(find_markers(gray, name).size()) >= kManyMarkers) ++other_dictionaries_[name];
    return;
  }
  ++with_markers_;
  for (const SeenMarker& marker : seen) largest_id_ = std::max(largest_id_, marker.id);
  stated_votes_ += std::max(votes_for(pattern_of(stated_, false), stated_, seen),
                            votes_for(pattern_of(stated_, true), stated_, seen));
  for (int across = 3; across <= kLargest; ++across) {
    Board board = stated_;
    board.columns = across - 1;
    board.rows = rows_that_hold(across, largest_id_ - stated_.markers->first_id) - 1;
    votes_[across] += votes_for(pattern_of(board, false), board, seen);
  }
}

bool BoardGuess::enough() const {
  return with_markers_ >= kEnoughPictures;
}

std::optional<Board> BoardGuess::shown() const {
  Board shown = stated_;
  if (with_markers_ == 0) {
    const auto most = std::max_element(other_dictionaries_.begin(), other_dictionaries_.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    if (most == other_dictionaries_.end()) return std::nullopt;
    shown.markers->dictionary = smallest_with(most->first, stated_.first_id() + stated_.marker_count() - 1);
    return shown.markers->dictionary == stated_.markers->dictionary ? std::nullopt : std::optional(shown);
  }
  const auto most = std::max_element(votes_.begin(), votes_.end());
  if (*most < kSureVotes || *most < kTimesMore * std::max(1, stated_votes_)) return std::nullopt;
  const int across = static_cast<int>(most - votes_.begin());
  shown.columns = across - 1;
  shown.rows = rows_that_hold(across, largest_id_ - stated_.first_id()) - 1;
  return check_board(shown) ? std::optional(shown) : std::nullopt;
}

std::string shown_text(const Board& shown, const Board& stated) {
  return fmt::format("the markers show a board of {} x {} inner corners ({}), not of {} x {} ({})",
                     shown.columns, shown.rows, shown.markers->dictionary, stated.columns, stated.rows,
                     stated.markers->dictionary);
}

namespace {

struct MarkerDictionary {
  std::string_view name;
  int id;
};
#define VANTAGE_DICTIONARY(name) \
  MarkerDictionary {             \
    #name, cv::aruco::name       \
  }
constexpr std::array kDictionaries = {
    VANTAGE_DICTIONARY(DICT_4X4_50),         VANTAGE_DICTIONARY(DICT_4X4_100),
    VANTAGE_DICTIONARY(DICT_4X4_250),        VANTAGE_DICTIONARY(DICT_4X4_1000),
    VANTAGE_DICTIONARY(DICT_5X5_50),         VANTAGE_DICTIONARY(DICT_5X5_100),
    VANTAGE_DICTIONARY(DICT_5X5_250),        VANTAGE_DICTIONARY(DICT_5X5_1000),
    VANTAGE_DICTIONARY(DICT_6X6_50),         VANTAGE_DICTIONARY(DICT_6X6_100),
    VANTAGE_DICTIONARY(DICT_6X6_250),        VANTAGE_DICTIONARY(DICT_6X6_1000),
    VANTAGE_DICTIONARY(DICT_7X7_50),         VANTAGE_DICTIONARY(DICT_7X7_100),
    VANTAGE_DICTIONARY(DICT_7X7_250),        VANTAGE_DICTIONARY(DICT_7X7_1000),
    VANTAGE_DICTIONARY(DICT_ARUCO_ORIGINAL), VANTAGE_DICTIONARY(DICT_APRILTAG_16h5),
    VANTAGE_DICTIONARY(DICT_APRILTAG_25h9),  VANTAGE_DICTIONARY(DICT_APRILTAG_36h10),
    VANTAGE_DICTIONARY(DICT_APRILTAG_36h11)};
#undef VANTAGE_DICTIONARY

opencv_markers::Dictionary dictionary_named(std::string_view name) {
  return opencv_markers::dictionary_of(opencv_dictionary(name));
}

}  // namespace

std::vector<std::string_view> marker_dictionaries() {
  std::vector<std::string_view> names;
  for (const MarkerDictionary& dictionary : kDictionaries) names.push_back(dictionary.name);
  return names;
}

int opencv_dictionary(std::string_view name) {
  return std::find_if(kDictionaries.begin(), kDictionaries.end(),
                      [&](const MarkerDictionary& one) { return one.name == name; })
      ->id;
}

int marker_count(std::string_view dictionary) {
  return opencv_markers::count_of(dictionary_named(dictionary));
}

Eigen::Matrix3d picture_from_square(const Quad& quad) {
  const cv::Point2f square[] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  cv::Point2f picture[4];
  for (size_t k = 0; k < 4; ++k)
    picture[k] = {static_cast<float>(quad[k].x()), static_cast<float>(quad[k].y())};
  const cv::Matx33d matrix(cv::getPerspectiveTransform(square, picture));
  return Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(matrix.val);
}

std::vector<SeenMarker> find_markers(ImageView<const uint8_t> gray, std::string_view dictionary,
                                     int border_bits, double darker_by) {
  const cv::Mat picture(gray.height, gray.width, CV_8U, const_cast<uint8_t*>(gray.data), gray.stride_bytes);
  opencv_markers::Quads quads;
  std::vector<int> ids;
  opencv_markers::find(picture, dictionary_named(dictionary), {border_bits, darker_by}, &quads, &ids);
  std::vector<SeenMarker> seen;
  for (size_t i = 0; i < ids.size(); ++i) {
    SeenMarker marker{ids[i], {}};
    for (size_t k = 0; k < 4; ++k) marker.corners[k] = {quads[i][k].x, quads[i][k].y};
    seen.push_back(marker);
  }
  return seen;
}

std::vector<bool> marker_cells(std::string_view dictionary, int id, int border_bits) {
  const cv::Mat picture = opencv_markers::drawn(dictionary_named(dictionary), id, border_bits);
  std::vector<bool> dark;
  for (int y = 0; y < picture.rows; ++y)
    for (int x = 0; x < picture.cols; ++x) dark.push_back(picture.at<uint8_t>(y, x) < 128);
  return dark;
}

PlacedMarker placed_marker(const SeenMarker& seen, int column, int row) {
  const Eigen::Matrix3d picture_from_unit = picture_from_square(seen.corners);
  return {seen.id,
          column,
          row,
          seen.corners,
          picture_from_unit,
          picture_from_unit.inverse(),
          through(picture_from_unit, {0.5, 0.5})};
}

bool expects(const PlacedMarker& marker, const PlacedMarker& other, const Eigen::Vector2d& sides) {
  constexpr double kOffPerStep = 0.35;
  const int steps = std::max(std::abs(other.column - marker.column), std::abs(other.row - marker.row));
  const Eigen::Vector2d expected = Eigen::Vector2d(0.5, 0.5) + sides;
  return (through(marker.unit_from_picture, other.middle) - expected).norm() < kOffPerStep * steps;
}

}  // namespace vantage
