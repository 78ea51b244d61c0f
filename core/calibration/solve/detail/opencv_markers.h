// OpenCV's markers, ArUco's and AprilTag's, which are a module of their own up to OpenCV 4.6 and part of
// objdetect since, with other names: the one place that knows which. For .cpp files of core/calibration/solve
// and their tests.
#pragma once

#include <opencv2/core/version.hpp>
#if CV_VERSION_MAJOR > 4 || (CV_VERSION_MAJOR == 4 && CV_VERSION_MINOR >= 7)
#define VANTAGE_ARUCO_IN_OBJDETECT
#include <opencv2/objdetect/charuco_detector.hpp>
#else
#include <opencv2/aruco/charuco.hpp>
#endif
#include <vector>

namespace vantage::opencv_markers {

// A chessboard of so many squares with markers of these identities, row by row.
struct CharucoSquares {
  cv::Size squares;
  float square = 0, marker = 0;  // sides, of one unit
  std::vector<int> ids;
};

// Settings of the search for markers: the width of their black border in bits of the code, and by how much a
// pixel is darker than its neighbourhood.
struct MarkerSearch {
  int border_bits = 0;
  double darker_by = 0;
};

using Quads = std::vector<std::vector<cv::Point2f>>;

#ifdef VANTAGE_ARUCO_IN_OBJDETECT

using Dictionary = cv::aruco::Dictionary;

// `id`: OpenCV's number of it.
inline Dictionary dictionary_of(int id) {
  return cv::aruco::getPredefinedDictionary(static_cast<cv::aruco::PredefinedDictionaryType>(id));
}
inline int count_of(const Dictionary& dictionary) {
  return dictionary.bytesList.rows;
}

inline void find(const cv::Mat& gray, const Dictionary& dictionary, const MarkerSearch& search, Quads* quads,
                 std::vector<int>* ids) {
  cv::aruco::DetectorParameters parameters;
  parameters.markerBorderBits = search.border_bits, parameters.detectInvertedMarker = true;
  parameters.adaptiveThreshConstant = search.darker_by;
  cv::aruco::ArucoDetector(dictionary, parameters).detectMarkers(gray, *quads, *ids);
}

// A pixel a bit.
inline cv::Mat drawn(const Dictionary& dictionary, int id, int border_bits) {
  cv::Mat picture;
  dictionary.generateImageMarker(id, dictionary.markerSize + 2 * border_bits, picture, border_bits);
  return picture;
}

// Corners next to at least two markers that were found; row by row.
inline void find_corners(const cv::Mat& gray, const Dictionary& dictionary, const CharucoSquares& board,
                         std::vector<cv::Point2f>* corners, std::vector<int>* ids) {
  const cv::aruco::CharucoBoard charuco(board.squares, board.square, board.marker, dictionary, board.ids);
  cv::aruco::CharucoDetector(charuco).detectBoard(gray, *corners, *ids);
}

inline cv::Mat drawn(const Dictionary& dictionary, const CharucoSquares& board, const cv::Size& size) {
  cv::Mat picture;
  cv::aruco::CharucoBoard(board.squares, board.square, board.marker, dictionary, board.ids)
      .generateImage(size, picture);
  return picture;
}

#else

using Dictionary = cv::Ptr<cv::aruco::Dictionary>;

// `id`: OpenCV's number of it.
inline Dictionary dictionary_of(int id) {
  return cv::aruco::getPredefinedDictionary(static_cast<cv::aruco::PREDEFINED_DICTIONARY_NAME>(id));
}
inline int count_of(const Dictionary& dictionary) {
  return dictionary->bytesList.rows;
}

inline void find(const cv::Mat& gray, const Dictionary& dictionary, const MarkerSearch& search, Quads* quads,
                 std::vector<int>* ids) {
  const cv::Ptr<cv::aruco::DetectorParameters> parameters = cv::aruco::DetectorParameters::create();
  parameters->markerBorderBits = search.border_bits, parameters->detectInvertedMarker = true;
  parameters->adaptiveThreshConstant = search.darker_by;
  cv::aruco::detectMarkers(gray, dictionary, *quads, *ids, parameters);
}

// A pixel a bit.
inline cv::Mat drawn(const Dictionary& dictionary, int id, int border_bits) {
  cv::Mat picture;
  dictionary->drawMarker(id, dictionary->markerSize + 2 * border_bits, picture, border_bits);
  return picture;
}

inline cv::Ptr<cv::aruco::CharucoBoard> charuco_of(const Dictionary& dictionary,
                                                   const CharucoSquares& board) {
  const cv::Ptr<cv::aruco::CharucoBoard> charuco = cv::aruco::CharucoBoard::create(
      board.squares.width, board.squares.height, board.square, board.marker, dictionary);
  charuco->ids = board.ids;
  return charuco;
}

// Corners next to at least two markers that were found; row by row.
inline void find_corners(const cv::Mat& gray, const Dictionary& dictionary, const CharucoSquares& board,
                         std::vector<cv::Point2f>* corners, std::vector<int>* ids) {
  Quads markers;
  std::vector<int> marker_ids;
  cv::aruco::detectMarkers(gray, dictionary, markers, marker_ids);
  if (!marker_ids.empty())
    cv::aruco::interpolateCornersCharuco(markers, marker_ids, gray, charuco_of(dictionary, board), *corners,
                                         *ids);
}

inline cv::Mat drawn(const Dictionary& dictionary, const CharucoSquares& board, const cv::Size& size) {
  cv::Mat picture;
  charuco_of(dictionary, board)->draw(size, picture);
  return picture;
}

#endif

}  // namespace vantage::opencv_markers
