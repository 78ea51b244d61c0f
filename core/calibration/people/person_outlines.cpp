#include "core/calibration/people/person_outlines.h"

#include <opencv2/imgproc.hpp>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "core/calibration/adjust/uncertainty.h"
#include "core/calibration/people/detail/people_footage.h"
#include "core/calibration/people/detail/tangents.h"
#include "core/metrics/block_bootstrap.h"

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

namespace {

using namespace people_calibration_detail;

// Two outlines of one frame: camera and number of each.
struct Shown {
  size_t camera, number;
  auto operator<=>(const Shown&) const = default;
};
using ShownTwice = std::set<std::pair<Shown, Shown>>;

// One calibration with what it makes of the footage.
struct Judge {
  Judge(const std::vector<Camera>& cameras, const std::vector<PeopleFrame>& frames,
        const FloorRectangle& floor)
      : input{cameras, std::vector<bool>(cameras.size(), false), frames, floor}, footage(input) {
    for (const Camera& camera : cameras) poses.push_back(pose_of(camera, {}));
  }

  Status find(const StopSource& stop) {
    VANTAGE_ASSIGN(people,
                   footage.find_people(input.cameras, std::vector<bool>(input.cameras.size(), true), stop));
    return {};
  }

  void add_pairs(size_t frame, ShownTwice* pairs) const {
    std::vector<std::vector<Shown>> of_person(people[frame].size());
    for (size_t c = 0; c < input.cameras.size(); ++c) {
      const std::vector<int> assigned = footage.assign(frame, c, input.cameras[c], people[frame], kReach);
      for (size_t p = 0; p < assigned.size(); ++p)
        if (assigned[p] >= 0) of_person[p].push_back({c, static_cast<size_t>(assigned[p])});
    }
    for (const std::vector<Shown>& shown : of_person)
      for (size_t b = 0; b < shown.size(); ++b)
        for (size_t a = 0; a < b; ++a) pairs->emplace(shown[a], shown[b]);
  }

  std::optional<TangentMiss> miss(size_t frame, const Shown& a, const Shown& b) const {
    const auto &first = footage.body(frame, a.camera, a.number),
               &second = footage.body(frame, b.camera, b.number);
    if (!first || !second) return {};
    return tangent_miss(poses[a.camera], *first, poses[b.camera], *second);
  }

  const PeopleSolveInput input;
  const PeopleFootage footage;
  std::vector<Pose> poses;
  FoundPeople people;
};

}  // namespace

Result<std::vector<OutlineMiss>> outline_misses(const std::vector<Camera>& first,
                                                const std::vector<Camera>& second,
                                                const std::vector<PeopleFrame>& frames,
                                                const FloorRectangle& floor, const StopSource& stop) {
  if (first.size() != second.size())
    return fail(ErrorKind::invalid_argument, "the two calibrations have different numbers of cameras",
                "calibration", "Compare calibrations of the same cameras.");
  Judge a(first, frames, floor), b(second, frames, floor);
  VANTAGE_TRY(a.find(stop));
  VANTAGE_TRY(b.find(stop));
  std::vector<OutlineMiss> misses;
  for (size_t f = 0; f < a.footage.frames().size(); ++f) {
    ShownTwice pairs;
    a.add_pairs(f, &pairs), b.add_pairs(f, &pairs);
    for (const auto& [one, other] : pairs) {
      const auto by_a = a.miss(f, one, other), by_b = b.miss(f, one, other);
      if (!by_a || !by_b) continue;
      for (const Touch touch : {kBelow, kAbove})
        if (by_a->counts[touch] && by_b->counts[touch])
          misses.push_back({a.footage.frames()[f]->frame,
                            {one.camera, other.camera},
                            {std::abs(by_a->px[touch]), std::abs(by_b->px[touch])}});
    }
  }
  return misses;
}

double outline_scatter_px(std::span<const OutlineMiss> misses, size_t calibration,
                          std::optional<size_t> camera) {
  std::vector<double> its;
  for (const OutlineMiss& miss : misses)
    if (!camera || miss.of(*camera)) its.push_back(miss.px[calibration]);
  return robust_scatter(std::move(its), kWhereSeen);
}

std::vector<double> outline_gains(std::span<const OutlineMiss> misses, std::span<const int64_t> begins) {
  std::vector<double> sums(begins.size()), counts(begins.size()), gains;
  for (const OutlineMiss& miss : misses) {
    const auto behind = std::upper_bound(begins.begin(), begins.end(), miss.frame);
    if (behind == begins.begin()) continue;
    const auto stretch = static_cast<size_t>(behind - begins.begin() - 1);
    sums[stretch] += weight_of_miss(miss.px[0]) - weight_of_miss(miss.px[1]);
    ++counts[stretch];
  }
  for (size_t s = 0; s < sums.size(); ++s)
    if (counts[s] > 0) gains.push_back(sums[s] / counts[s]);
  return gains;
}

GainVerdict verdict_of(const std::vector<double>& gains) {
  if (gains.size() < kMinGains) return GainVerdict::too_few;
  const Middle middle = middle_of(gains);
  return middle.from > 0 ? GainVerdict::better : middle.to < 0 ? GainVerdict::worse : GainVerdict::unclear;
}

std::string_view verdict_text(GainVerdict verdict) {
  constexpr std::array<std::string_view, 4> kTexts = {"better", "worse", "cannot tell", "too few to tell"};
  return kTexts[static_cast<size_t>(verdict)];
}

}  // namespace vantage
