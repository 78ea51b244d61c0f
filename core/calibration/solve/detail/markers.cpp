#include "core/calibration/solve/detail/markers.h"

#include <algorithm>
#include <opencv2/imgproc.hpp>

#include "core/calibration/solve/board.h"
#include "core/calibration/solve/detail/opencv_markers.h"

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

}  // namespace vantage
