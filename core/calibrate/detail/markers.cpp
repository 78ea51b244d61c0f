#include "core/calibrate/detail/markers.h"

#include <algorithm>
#include <opencv2/core/version.hpp>
#include <opencv2/imgproc.hpp>
#if CV_VERSION_MAJOR > 4 || (CV_VERSION_MAJOR == 4 && CV_VERSION_MINOR >= 7)
#define VANTAGE_ARUCO_IN_OBJDETECT
#include <opencv2/objdetect/aruco_detector.hpp>
#else
#include <opencv2/aruco.hpp>
#endif

#include "core/calibrate/board.h"

namespace vantage {
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

using Quads = std::vector<std::vector<cv::Point2f>>;

#ifdef VANTAGE_ARUCO_IN_OBJDETECT
cv::aruco::Dictionary dictionary_named(std::string_view name) {
  return cv::aruco::getPredefinedDictionary(
      static_cast<cv::aruco::PredefinedDictionaryType>(opencv_dictionary(name)));
}

void detect_markers(const cv::Mat& gray, std::string_view name, int border_bits, double darker_by,
                    Quads* quads, std::vector<int>* ids) {
  cv::aruco::DetectorParameters parameters;
  parameters.markerBorderBits = border_bits, parameters.detectInvertedMarker = true;
  parameters.adaptiveThreshConstant = darker_by;
  cv::aruco::ArucoDetector(dictionary_named(name), parameters).detectMarkers(gray, *quads, *ids);
}

cv::Mat drawn_marker(std::string_view name, int id, int border_bits) {
  const cv::aruco::Dictionary dictionary = dictionary_named(name);
  cv::Mat picture;
  dictionary.generateImageMarker(id, dictionary.markerSize + 2 * border_bits, picture, border_bits);
  return picture;
}

int count_of(const cv::aruco::Dictionary& dictionary) {
  return dictionary.bytesList.rows;
}
#else
cv::Ptr<cv::aruco::Dictionary> dictionary_named(std::string_view name) {
  return cv::aruco::getPredefinedDictionary(
      static_cast<cv::aruco::PREDEFINED_DICTIONARY_NAME>(opencv_dictionary(name)));
}

void detect_markers(const cv::Mat& gray, std::string_view name, int border_bits, double darker_by,
                    Quads* quads, std::vector<int>* ids) {
  const cv::Ptr<cv::aruco::DetectorParameters> parameters = cv::aruco::DetectorParameters::create();
  parameters->markerBorderBits = border_bits, parameters->detectInvertedMarker = true;
  parameters->adaptiveThreshConstant = darker_by;
  cv::aruco::detectMarkers(gray, dictionary_named(name), *quads, *ids, parameters);
}

cv::Mat drawn_marker(std::string_view name, int id, int border_bits) {
  const cv::Ptr<cv::aruco::Dictionary> dictionary = dictionary_named(name);
  cv::Mat picture;
  dictionary->drawMarker(id, dictionary->markerSize + 2 * border_bits, picture, border_bits);
  return picture;
}

int count_of(const cv::Ptr<cv::aruco::Dictionary>& dictionary) {
  return dictionary->bytesList.rows;
}
#endif

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
  return count_of(dictionary_named(dictionary));
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
  Quads quads;
  std::vector<int> ids;
  detect_markers(picture, dictionary, border_bits, darker_by, &quads, &ids);
  std::vector<SeenMarker> seen;
  for (size_t i = 0; i < ids.size(); ++i) {
    SeenMarker marker{ids[i], {}};
    for (size_t k = 0; k < 4; ++k) marker.corners[k] = {quads[i][k].x, quads[i][k].y};
    seen.push_back(marker);
  }
  return seen;
}

std::vector<bool> marker_cells(std::string_view dictionary, int id, int border_bits) {
  const cv::Mat picture = drawn_marker(dictionary, id, border_bits);
  std::vector<bool> dark;
  for (int y = 0; y < picture.rows; ++y)
    for (int x = 0; x < picture.cols; ++x) dark.push_back(picture.at<uint8_t>(y, x) < 128);
  return dark;
}

}  // namespace vantage
