#include "core/calibrate/detail/marker_board.h"

#include <numeric>

#include "core/calibrate/detail/markers.h"
#include "core/calibrate/detail/opencv_markers.h"

namespace vantage {
namespace {

std::vector<int> ids_of(const Board& board) {
  std::vector<int> ids(static_cast<size_t>(board.marker_count()));
  std::iota(ids.begin(), ids.end(), board.markers->first_id);
  return ids;
}

struct FoundCorners {
  std::vector<cv::Point2f> points;
  std::vector<int> ids;  // row by row
};

FoundCorners detect(const cv::Mat& gray, const Board& board) {
  FoundCorners found;
  opencv_markers::find_corners(gray,
                               opencv_markers::dictionary_of(opencv_dictionary(board.markers->dictionary)),
                               {{board.columns + 1, board.rows + 1},
                                static_cast<float>(board.square_m),
                                static_cast<float>(board.markers->side_m),
                                ids_of(board)},
                               &found.points, &found.ids);
  return found;
}

}  // namespace

std::vector<GridCorner> find_marker_board(ImageView<const uint8_t> gray, const Board& board) {
  const cv::Mat picture(gray.height, gray.width, CV_8U, const_cast<uint8_t*>(gray.data), gray.stride_bytes);
  FoundCorners found = detect(picture, board);
  FoundCorners exchanged = detect(255 - picture, board);
  if (exchanged.ids.size() > found.ids.size()) found = std::move(exchanged);
  std::vector<GridCorner> corners;
  for (size_t i = 0; i < found.ids.size(); ++i)
    corners.push_back(
        {found.ids[i] % board.columns, found.ids[i] / board.columns, found.points[i].x, found.points[i].y});
  return corners;
}

}  // namespace vantage
