#include "core/fusion/detector_watch.h"

#include <fmt/core.h>
#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "core/base/quantile.h"
#include "core/fusion/detail/box_evidence.h"

namespace vantage {
namespace {

using fusion_detail::Box;

constexpr double kPlainlyVisible =
    0.75;                            // share of a person's box from which a detector is expected to see it
constexpr double kSurePerson = 0.9;  // confidence from which a person counts
constexpr double kDoubledOverlap = 0.55;  // intersection over union from which two boxes are of one person
constexpr double kMotion_s = 0.6;         // over which a person's motion is measured at most
constexpr double kErrors = 4;             // standard errors beyond which a figure is real
constexpr double kLoose_m = 1;            // standard deviation of a position about that by all cameras

// Centre, top and bottom of the visible part.
Eigen::Vector3d edges(const Box& box) {
  return {(box.left + box.right) / 2.0, box.top, box.bottom};
}

double median(std::vector<double> values) {
  return quantile(std::move(values), 0.5);
}

// Shift (x, y) and delay of r = shift - delay v, with Huber's weights.
struct Fit {
  Eigen::Vector3d value = Eigen::Vector3d::Zero();
  Eigen::Vector3d error = Eigen::Vector3d::Zero();
};

struct Sample {
  Eigen::Vector2d residual_px, motion_px;
};

Fit fit_shift_and_delay(const std::vector<Sample>& samples) {
  constexpr int kRounds = 6;
  constexpr double kHuber = 1.5;
  Fit fit;
  double scale = 0;
  for (int round = 0; round < kRounds; ++round) {
    Eigen::Matrix3d normal = Eigen::Matrix3d::Zero();
    Eigen::Vector3d right = Eigen::Vector3d::Zero();
    std::vector<double> sizes;
    for (const auto& [residual, motion] : samples) {
      const Eigen::Vector2d left = residual - fit.value.head<2>() + fit.value[2] * motion;
      sizes.push_back(left.norm());
      const double weight = round == 0 || left.norm() <= kHuber * scale ? 1 : kHuber * scale / left.norm();
      Eigen::Matrix<double, 2, 3> row = Eigen::Matrix<double, 2, 3>::Zero();
      row(0, 0) = row(1, 1) = 1;
      row.col(2) = -motion;
      normal += weight * row.transpose() * row;
      right += weight * row.transpose() * residual;
    }
    // The delay stays 0 where no one moves.
    const bool known = normal(2, 2) > 1e-6 * static_cast<double>(samples.size());
    if (!known) normal(2, 2) = 1;
    fit.value = normal.ldlt().solve(right);
    // 1.18: of a Rayleigh distribution's median.
    scale = median(sizes) / 1.18;
    fit.error = (normal.inverse().diagonal().array() * scale * scale).sqrt();
    if (!known) fit.value[2] = fit.error[2] = 0;
  }
  return fit;
}

}  // namespace

// Errors of one camera.
struct DetectorWatch::Comparison {
  int64_t compared = 0;
  Fit fit;
  double height_px = 0;  // of people, the median

  double shift_px() const { return fit.value.head<2>().norm(); }
  // In units of the minimum that is reported; 0: within its own error, or too little was seen.
  double shifted() const {
    constexpr double kMinShift = 0.025;  // of a person's height in the picture
    const double error_px = std::max(fit.error[0], fit.error[1]);
    return compared >= kMinCompared && shift_px() > kErrors * error_px ? shift_px() / (kMinShift * height_px)
                                                                       : 0;
  }
  double late() const {
    // Offsets and lenses of real recordings are not better than this.
    constexpr double kMinDelay_frames = 1.5;
    const double frames = std::abs(fit.value[2]);
    const bool known = compared >= kMinCompared && fit.error[2] > 0;
    return known && frames > kErrors * fit.error[2] ? frames / kMinDelay_frames : 0;
  }
};

DetectorWatch::DetectorWatch(std::vector<PinholeCamera<double>> cameras, double frame_rate)
    : geometry_(std::move(cameras)),
      motion_frames_(std::max<int64_t>(std::llround(kMotion_s * frame_rate), 1)) {}

void DetectorWatch::add(int64_t frame, std::span<const CameraDetections> detections,
                        std::span<const FusedPerson> people, std::span<const int64_t> ids) {
  Look& look = looks_.emplace_back();
  look.cameras.resize(geometry_.size());
  for (size_t i = 0; i < people.size(); ++i) {
    const FusedPerson& person = people[i];
    if (person.confidence < kSurePerson) continue;
    const Place* before = i < ids.size() && ids[i] > 0 ? earlier(frame, ids[i]) : nullptr;
    SeenPerson seen;
    seen.height_m = person.height_m, seen.moves = before != nullptr;
    for (const CameraEvidence& evidence : person.evidence) {
      if (evidence.detection < 0) continue;
      const auto camera = static_cast<size_t>(evidence.camera);
      const PersonDetection& box = detections[camera].people[evidence.detection];
      if (auto equation = equation_of(camera, person, box, before, frame))
        seen.equations.push_back(*equation);
    }
    count(person, seen, &look);
    if (seen.equations.size() >= 3) look.people.push_back(std::move(seen));
  }
  for (size_t camera = 0; camera < geometry_.size(); ++camera)
    count_doubled(camera, detections[camera], people, &look);
  people_ += look.people.size();
  while (people_ > kKept || looks_.size() > kKept) {
    people_ -= looks_.front().people.size();
    looks_.pop_front();
  }
  remember(frame, people, ids);
}

std::optional<DetectorWatch::Equation> DetectorWatch::equation_of(size_t index, const FusedPerson& person,
                                                                  const PersonDetection& detection,
                                                                  const Place* before, int64_t frame) const {
  constexpr double kStep_m = 0.02;
  const PinholeCamera<double>& camera = geometry_[index];
  const auto body = [&](double dx_m, double dy_m, double dz_m) {
    return body_box(camera, person.x_m + dx_m, person.y_m + dy_m, person.height_m + dz_m);
  };
  const BodyBox at = body(0, 0, 0);
  const std::array<BodyBox, 3> beside = {body(kStep_m, 0, 0), body(0, kStep_m, 0), body(0, 0, kStep_m)};
  Equation equation{.camera = index};
  const Eigen::Vector3d predicted = edges(at.cut);
  for (size_t i = 0; i < beside.size(); ++i) {
    if (!at.seen || !beside[i].seen) return std::nullopt;
    equation.slope_px_per_m.col(static_cast<int>(i)) = (edges(beside[i].cut) - predicted) / kStep_m;
  }
  equation.height_px = at.whole.bottom - at.whole.top;
  equation.residual_px = edges(box_of(detection, camera)) - predicted;
  const Eigen::Vector3d deviation = Eigen::Vector3d(fusion_detail::kSharesOfX, fusion_detail::kSharesOfTop,
                                                    fusion_detail::kSharesOfBottom) *
                                    equation.height_px;
  equation.weight = deviation.array().square().inverse();
  // Hidden feet do not count.
  if (std::abs(equation.residual_px[2]) > 3 * deviation[2]) equation.weight[2] = 0;
  if (before) {
    const BodyBox was = body_box(camera, before->x_m, before->y_m, person.height_m);
    if (!was.seen) return std::nullopt;
    equation.motion_px = (predicted - edges(was.cut)).head<2>() / static_cast<double>(frame - before->frame);
  }
  return equation;
}

// Residual with the person placed by all other cameras not left out.
Eigen::Vector3d DetectorWatch::residual_without(const Equation& own, const SeenPerson& person,
                                                const std::vector<bool>& left_out) {
  const Eigen::Vector3d prior =
      Eigen::Vector3d(kLoose_m, kLoose_m, fusion_detail::kHeightSpread_m).array().square().inverse();
  Eigen::Matrix3d normal = prior.asDiagonal();
  Eigen::Vector3d right(0, 0, (fusion_detail::kUsualHeight_m - person.height_m) * prior[2]);
  for (const Equation& other : person.equations) {
    if (other.camera == own.camera || left_out[other.camera]) continue;
    const Eigen::Matrix3d weighted = other.slope_px_per_m.transpose() * other.weight.asDiagonal();
    normal += weighted * other.slope_px_per_m;
    right += weighted * other.residual_px;
  }
  return own.residual_px - own.slope_px_per_m * normal.ldlt().solve(right);
}

DetectorWatch::Comparison DetectorWatch::compare(size_t camera, const std::vector<bool>& left_out) const {
  Comparison comparison;
  std::vector<Sample> moving, all;
  std::vector<double> heights;
  const auto needed = static_cast<size_t>(std::count(left_out.begin(), left_out.end(), true)) == 0 ? 2U : 1U;
  const auto add = [&](const SeenPerson& person) {
    const Equation* own = nullptr;
    size_t others = 0;
    for (const Equation& equation : person.equations) {
      if (equation.camera == camera)
        own = &equation;
      else
        others += !left_out[equation.camera];
    }
    if (!own || others < needed) return;
    all.push_back({residual_without(*own, person, left_out).head<2>(), own->motion_px});
    heights.push_back(own->height_px);
    if (person.moves) moving.push_back(all.back());
  };
  for (const Look& look : looks_)
    for (const SeenPerson& person : look.people) add(person);
  comparison.compared = static_cast<int64_t>(all.size());
  if (comparison.compared < kMinCompared) return comparison;
  comparison.fit = fit_shift_and_delay(static_cast<int64_t>(moving.size()) >= kMinCompared ? moving : all);
  comparison.height_px = median(std::move(heights));
  return comparison;
}

std::vector<DetectorWatch::Comparison> DetectorWatch::compare_all(const std::vector<bool>& left_out) const {
  std::vector<Comparison> all(geometry_.size());
  for (size_t camera = 0; camera < all.size(); ++camera)
    if (!left_out[camera]) all[camera] = compare(camera, left_out);
  return all;
}

void DetectorWatch::count(const FusedPerson& person, const SeenPerson& seen, Look* look) {
  for (const CameraEvidence& evidence : person.evidence) {
    const auto index = static_cast<size_t>(evidence.camera);
    const auto others = std::count_if(seen.equations.begin(), seen.equations.end(),
                                      [&](const Equation& equation) { return equation.camera != index; });
    if (others < 2 || evidence.visible < kPlainlyVisible) continue;
    ++look->cameras[index].expected;
    look->cameras[index].seen += evidence.detection >= 0;
  }
}

void DetectorWatch::count_doubled(size_t camera, const CameraDetections& detections,
                                  std::span<const FusedPerson> people, Look* look) const {
  std::vector<bool> carries(detections.people.size(), false);
  for (const FusedPerson& person : people)
    for (const CameraEvidence& evidence : person.evidence)
      if (evidence.camera == static_cast<int32_t>(camera) && evidence.detection >= 0)
        carries[evidence.detection] = true;
  for (size_t i = 0; i < carries.size(); ++i) {
    if (!carries[i]) continue;
    ++look->cameras[camera].boxes;
    const Box own = box_of(detections.people[i], geometry_[camera]);
    for (size_t j = 0; j < carries.size(); ++j)
      if (!carries[j] && overlap(own, box_of(detections.people[j], geometry_[camera])) >= kDoubledOverlap) {
        ++look->cameras[camera].doubled;
        break;
      }
  }
}

const DetectorWatch::Place* DetectorWatch::earlier(int64_t frame, int64_t id) const {
  const auto path = paths_.find(id);
  if (path == paths_.end()) return nullptr;
  for (const Place& place : path->second)
    if (frame - place.frame <= motion_frames_ && place.frame < frame) return &place;
  return nullptr;
}

void DetectorWatch::remember(int64_t frame, std::span<const FusedPerson> people,
                             std::span<const int64_t> ids) {
  for (size_t i = 0; i < people.size() && i < ids.size(); ++i)
    if (ids[i] > 0) paths_[ids[i]].push_back({frame, people[i].x_m, people[i].y_m});
  for (auto& [id, places] : paths_)
    while (!places.empty() && frame - places.front().frame > motion_frames_) places.pop_front();
  std::erase_if(paths_, [](const auto& path) { return path.second.empty(); });
}

std::vector<DetectorState> DetectorWatch::states() const {
  std::vector<DetectorState> states(geometry_.size());
  for (const Look& look : looks_)
    for (size_t i = 0; i < states.size(); ++i) {
      states[i].expected += look.cameras[i].expected, states[i].seen += look.cameras[i].seen;
      states[i].boxes += look.cameras[i].boxes, states[i].doubled += look.cameras[i].doubled;
    }
  std::vector<double> rates;
  for (const DetectorState& state : states)
    rates.push_back(static_cast<double>(state.seen) /
                    static_cast<double>(std::max<int64_t>(state.expected, 1)));
  if (states.size() >= 3) name_displaced(&states);
  for (size_t i = 0; i < states.size(); ++i) {
    DetectorState& state = states[i];
    std::vector<double> others = rates;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    const double usual = median(std::move(others));
    if (state.expected >= kMinCompared && usual >= 0.6 && rates[i] < 0.5 * usual)
      state.fault = DetectorFault::blind;
    else if (state.boxes >= kMinCompared &&
             static_cast<double>(state.doubled) > 0.3 * static_cast<double>(state.boxes))
      state.fault = DetectorFault::doubled;
  }
  return states;
}

void DetectorWatch::name_displaced(std::vector<DetectorState>* states) const {
  const std::vector<Comparison> present = compare_all(std::vector<bool>(states->size(), false));
  std::vector<Comparison> shown = present;
  const auto late = worst(present, &Comparison::late, &shown);
  const auto displaced = late ? late : worst(present, &Comparison::shifted, &shown);
  for (size_t i = 0; i < shown.size(); ++i) {
    DetectorState& state = (*states)[i];
    const Fit& fit = shown[i].fit;
    state.compared = shown[i].compared;
    state.shift_x_px = fit.value[0], state.shift_y_px = fit.value[1];
    state.shift_error_px = std::max(fit.error[0], fit.error[1]);
    state.delay_frames = fit.value[2], state.delay_error_frames = fit.error[2];
  }
  if (displaced) (*states)[*displaced].fault = late ? DetectorFault::late : DetectorFault::shifted;
}

// The faulty camera without which all others agree within half of its error; `shown` then gets their figures
// without it.
std::optional<size_t> DetectorWatch::worst(const std::vector<Comparison>& present,
                                           double (Comparison::*off)() const,
                                           std::vector<Comparison>* shown) const {
  std::vector<bool> left_out(present.size(), false);
  std::optional<size_t> found;
  double least = 0;
  for (size_t i = 0; i < present.size(); ++i) {
    const double own = (present[i].*off)();
    if (own < 1) continue;
    left_out[i] = true;
    std::vector<Comparison> others = compare_all(left_out);
    left_out[i] = false;
    double rest = 0;
    for (const Comparison& other : others) rest = std::max(rest, (other.*off)());
    if (rest > 0.5 * own || (found && rest >= least)) continue;
    found = i, least = rest;
    others[i] = present[i];
    *shown = std::move(others);
  }
  return found;
}

std::string describe(const DetectorState& state, const std::string& camera) {
  const auto count = [](int64_t n) { return static_cast<long long>(n); };
  switch (state.fault) {
    case DetectorFault::none:
      return {};
    case DetectorFault::blind:
      return fmt::format(
          "{}: its detector sees {} of {} people whom other cameras see in its picture. Is the detector, "
          "or "
          "the file of its boxes, the right one?",
          camera, count(state.seen), count(state.expected));
    case DetectorFault::doubled:
      return fmt::format("{}: its detector reports people twice, {} of {}. Suppress overlapping boxes.",
                         camera, count(state.doubled), count(state.boxes));
    case DetectorFault::shifted:
      return fmt::format(
          "{}: its boxes lie {:.0f} px to the {} and {:.0f} px {} of where the other cameras expect them. "
          "Check "
          "its "
          "calibration, and that its boxes belong to pictures of this size.",
          camera, std::abs(state.shift_x_px), state.shift_x_px < 0 ? "left" : "right",
          std::abs(state.shift_y_px), state.shift_y_px < 0 ? "above" : "below");
    case DetectorFault::late:
      return fmt::format("{}: its boxes are {:.1f} frames {}. Check its offset, and the detections' offset.",
                         camera, std::abs(state.delay_frames), state.delay_frames > 0 ? "late" : "early");
  }
  return {};
}

}  // namespace vantage
