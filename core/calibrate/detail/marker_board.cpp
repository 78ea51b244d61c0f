#include "core/calibrate/detail/marker_board.h"

#include <numeric>
#include <opencv2/core/version.hpp>
#if CV_VERSION_MAJOR > 4 || (CV_VERSION_MAJOR == 4 && CV_VERSION_MINOR >= 7)
#define VANTAGE_ARUCO_IN_OBJDETECT
#include <opencv2/objdetect/charuco_detector.hpp>
#else
#include <opencv2/aruco/charuco.hpp>
#endif

#include "core/calibrate/detail/markers.h"

namespace vantage {
namespace {

#ifdef VANTAGE_ARUCO_IN_OBJDETECT
using DictionaryId = cv::aruco::PredefinedDictionaryType;
#else
using DictionaryId = cv::aruco::PREDEFINED_DICTIONARY_NAME;
#endif

DictionaryId dictionary_of(const Board& board) {
  return static_cast<DictionaryId>(opencv_dictionary(board.markers->dictionary));
}

std::vector<int> ids_of(const Board& board) {
  std::vector<int> ids(static_cast<size_t>(board.marker_count()));
  std::iota(ids.begin(), ids.end(), board.markers->first_id);
  return ids;
}

struct FoundCorners {
  std::vector<cv::Point2f> points;
  std::vector<int> ids;  // row by row
};

// Corners beside at least two markers that were found.
#ifdef VANTAGE_ARUCO_IN_OBJDETECT
FoundCorners detect(const cv::Mat& gray, const Board& board) {
  const cv::aruco::CharucoBoard charuco(
      {board.columns + 1, board.rows + 1}, static_cast<float>(board.square_m),
      static_cast<float>(board.markers->side_m), cv::aruco::getPredefinedDictionary(dictionary_of(board)),
      ids_of(board));
  FoundCorners found;
  cv::aruco::CharucoDetector(charuco).detectBoard(gray, found.points, found.ids);
  return found;
}
#else
FoundCorners detect(const cv::Mat& gray, const Board& board) {
  const cv::Ptr<cv::aruco::Dictionary> dictionary = cv::aruco::getPredefinedDictionary(dictionary_of(board));
  const cv::Ptr<cv::aruco::CharucoBoard> charuco =
      cv::aruco::CharucoBoard::create(board.columns + 1, board.rows + 1, static_cast<float>(board.square_m),
                                      static_cast<float>(board.markers->side_m), dictionary);
  charuco->ids = ids_of(board);
  std::vector<std::vector<cv::Point2f> > markers;
  std::vector<int> ids;
  cv::aruco::detectMarkers(gray, dictionary, markers, ids);
  FoundCorners found;
  if (!ids.empty())
    cv::aruco::interpolateCornersCharuco(markers, ids, gray, charuco, found.points, found.ids);
  return found;
}
#endif

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
