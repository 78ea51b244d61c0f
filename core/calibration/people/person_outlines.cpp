#include "core/calibration/people/person_outlines.h"

#include <opencv2/imgproc.hpp>

namespace vantage {
namespace {

constexpr double kMinHeight = 0.06;                   // of the picture's
constexpr double kMinSlender = 1.2, kMaxSlender = 6;  // height over width
constexpr double kMinFilled = 0.3;                    // of the box
constexpr float kMinScore = 0.4F;                     // of a detector's box
constexpr float kScore = 0.6F;                        // counts in full (core/fusion/fusion.h)

// The hull of a contour's pixels with their area, not of their centres.
std::vector<Eigen::Vector2d> hull_of(const std::vector<cv::Point>& contour) {
  std::vector<cv::Point2f> corners;
  for (const cv::Point& pixel : contour)
    for (const float v : {-0.5F, 0.5F})
      for (const float u : {-0.5F, 0.5F})
        corners.emplace_back(static_cast<float>(pixel.x) + u, static_cast<float>(pixel.y) + v);
  std::vector<cv::Point2f> hull;
  cv::convexHull(corners, hull);
  std::vector<Eigen::Vector2d> found;
  for (const cv::Point2f& point : hull) found.emplace_back(point.x, point.y);
  return found;
}

}  // namespace

std::vector<PersonOutline> person_outlines(ImageView<const uint8_t> mask) {
  const cv::Mat picture(mask.height, mask.width, CV_8U, const_cast<uint8_t*>(mask.data), mask.stride_bytes);
  std::vector<std::vector<cv::Point>> contours;
  cv::findContours(picture, contours, cv::RETR_EXTERNAL, cv::CHAIN_APPROX_SIMPLE);
  std::vector<PersonOutline> found;
  for (const std::vector<cv::Point>& contour : contours) {
    const cv::Rect box = cv::boundingRect(contour);
    const double slender = static_cast<double>(box.height) / box.width;
    const double filled = cv::contourArea(contour) / (static_cast<double>(box.width) * box.height);
    if (box.height < kMinHeight * mask.height || slender < kMinSlender || slender > kMaxSlender ||
        filled < kMinFilled)
      continue;
    PersonOutline one;
    one.box.left_px = static_cast<float>(box.x) - 0.5F, one.box.top_px = static_cast<float>(box.y) - 0.5F;
    one.box.width_px = static_cast<float>(box.width), one.box.height_px = static_cast<float>(box.height);
    one.box.score = kScore;
    one.hull_px = hull_of(contour);
    found.push_back(std::move(one));
  }
  return found;
}

std::vector<PersonOutline> person_boxes(const CameraDetections& detections) {
  std::vector<PersonOutline> found;
  for (const PersonDetection& person : detections.people)
    if (person.score >= kMinScore) found.push_back({person, {}});
  return found;
}

PeopleFrame people_frame(int64_t frame, std::span<const Image> masks) {
  PeopleFrame found{frame, {}};
  for (const Image& mask : masks)
    found.cameras.push_back(mask ? person_outlines(mask.view<uint8_t>()) : std::vector<PersonOutline>{});
  return found;
}

}  // namespace vantage
