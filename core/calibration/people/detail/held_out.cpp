#include "core/calibration/people/detail/held_out.h"

#include <algorithm>
#include <cmath>

#include "core/calibration/people/detail/people_footage.h"
#include "core/calibration/people/people_solve.h"
#include "core/calibration/solve/points_solve.h"

namespace vantage::people_calibration_detail {
namespace {

bool any_of(const OutlineMiss& miss, const std::vector<size_t>& cameras) {
  return std::ranges::any_of(cameras, [&](size_t camera) { return miss.of(camera); });
}

// Root mean square of those that there are; nothing: none.
std::optional<double> rms_px(const std::vector<std::optional<double>>& misses) {
  double sum = 0, count = 0;
  for (const auto& miss : misses)
    if (miss) sum += *miss * *miss, ++count;
  return count > 0 ? std::optional(std::sqrt(sum / count)) : std::nullopt;
}

std::vector<PeopleFrame> copies_of(const std::vector<const PeopleFrame*>& frames) {
  std::vector<PeopleFrame> copies;
  for (const PeopleFrame* frame : frames) copies.push_back(*frame);
  return copies;
}

}  // namespace

void HeldOutCameras::put_back(size_t camera, const HeldOutCameras& from) {
  by_all[camera] = from.by_all[camera];
  for (size_t i = 0; i < by_stretches.size(); ++i) by_stretches[i][camera] = from.by_stretches[i][camera];
  for (size_t i = 0; i < by_points.size(); ++i) by_points[i][camera] = from.by_points[i][camera];
}

HeldOut::HeldOut(const RefineInput& input, const StopSource& stop) : input_(input), stop_(stop) {
  const size_t count = input_.frames.size();
  std::vector<const PeopleFrame*> all;
  std::array<std::vector<const PeopleFrame*>, 2> parts;
  for (const PeopleFrame& frame : input_.frames) all.push_back(&frame);
  for (size_t s = 0; s < kStretches && count >= kStretches; ++s) {
    const size_t begin = s * count / kStretches, end = (s + 1) * count / kStretches;
    begins_.push_back(input_.frames[begin].frame);
    parts[s % 2].insert(parts[s % 2].end(), all.begin() + static_cast<long>(begin),
                        all.begin() + static_cast<long>(end));
  }
  all_frames_ = copies_of(frames_that_count(all));
  for (const size_t parity : {0, 1}) frames_[parity] = copies_of(frames_that_count(parts[parity]));
  turns_ = std::min(input_.points.size(), kMaxPointTurns);
}

HeldOutCameras HeldOut::given() const {
  return {input_.cameras,
          {input_.cameras, input_.cameras},
          std::vector<std::vector<Camera>>(turns_, input_.cameras)};
}

std::vector<ClickedPoint> HeldOut::points_without(size_t turn) const {
  std::vector<ClickedPoint> rest;
  for (size_t p = 0; p < input_.points.size(); ++p)
    if (p % turns_ != turn) rest.push_back(input_.points[p]);
  return rest;
}

Result<std::vector<OutlineMiss>> HeldOut::misses(const HeldOutCameras& from, const HeldOutCameras& to) const {
  std::vector<OutlineMiss> all;
  for (const size_t solved : {0, 1}) {
    VANTAGE_ASSIGN(const std::vector<OutlineMiss> judged,
                   outline_misses(from.by_stretches[solved], to.by_stretches[solved], frames_[1 - solved],
                                  floor_around(input_.grid), stop_));
    all.insert(all.end(), judged.begin(), judged.end());
  }
  return all;
}

Result<HeldOutGains> HeldOut::gains(RefineBy by, const HeldOutCameras& from, const HeldOutCameras& to,
                                    const std::vector<size_t>& cameras) const {
  if (by == RefineBy::people) return people_gains(from, to, cameras);
  return point_gains(from, to, cameras);
}

Result<HeldOutGains> HeldOut::people_gains(const HeldOutCameras& from, const HeldOutCameras& to,
                                           const std::vector<size_t>& cameras) const {
  VANTAGE_ASSIGN(std::vector<OutlineMiss> all, misses(from, to));
  std::erase_if(all, [&](const OutlineMiss& miss) { return !any_of(miss, cameras); });
  return HeldOutGains{outline_gains(all, begins_),
                      {outline_scatter_px(all, 0, std::nullopt), outline_scatter_px(all, 1, std::nullopt)}};
}

std::vector<std::optional<double>> HeldOut::click_misses_px(const std::vector<Camera>& cameras,
                                                            size_t point) const {
  std::vector<std::optional<double>> misses(cameras.size());
  ClickedPoint asked = input_.points[point];
  if (asked.known_m) {
    for (const PointClick& click : asked.clicks)
      for (size_t c = 0; c < cameras.size(); ++c)
        if (cameras[c].name() == click.camera)
          if (const auto at = cameras[c].project(*asked.known_m)) misses[c] = (*at - click.at_px).norm();
    return misses;
  }
  const Result<PointsSolution> placed = triangulate_points(cameras, {asked});
  if (!placed) return misses;
  for (const SolvedPoint& solved : placed->points)
    if (solved.at_m)
      for (const SolvedClick& click : solved.clicks) misses[click.camera] = click.off_px.norm();
  return misses;
}

HeldOutGains HeldOut::point_gains(const HeldOutCameras& from, const HeldOutCameras& to,
                                  const std::vector<size_t>& cameras) const {
  HeldOutGains gains;
  std::vector<std::optional<double>> all_before, all_after;
  for (size_t p = 0; p < input_.points.size(); ++p) {
    const auto before = click_misses_px(from.by_points[p % turns_], p),
               after = click_misses_px(to.by_points[p % turns_], p);
    const bool shown = std::ranges::any_of(cameras, [&](size_t c) { return before[c] && after[c]; });
    if (!shown) continue;
    all_before.push_back(rms_px(before)), all_after.push_back(rms_px(after));
    gains.each.push_back(weight_of_miss(*all_before.back()) - weight_of_miss(*all_after.back()));
  }
  gains.miss = {rms_px(all_before).value_or(0), rms_px(all_after).value_or(0)};
  return gains;
}

Result<std::vector<std::optional<HeldOutMiss>>> HeldOut::people_misses(const HeldOutCameras& from,
                                                                       const HeldOutCameras& to) const {
  VANTAGE_ASSIGN(const std::vector<OutlineMiss> all, misses(from, to));
  std::vector<std::optional<HeldOutMiss>> by_camera(input_.cameras.size());
  for (size_t c = 0; c < by_camera.size(); ++c)
    if (std::ranges::any_of(all, [c](const OutlineMiss& miss) { return miss.of(c); }))
      by_camera[c] = {outline_scatter_px(all, 0, c), outline_scatter_px(all, 1, c)};
  return by_camera;
}

std::vector<std::optional<HeldOutMiss>> HeldOut::point_misses(const HeldOutCameras& from,
                                                              const HeldOutCameras& to) const {
  std::vector<std::optional<HeldOutMiss>> by_camera(input_.cameras.size());
  std::vector<std::vector<std::optional<double>>> before(by_camera.size()), after(by_camera.size());
  for (size_t p = 0; p < input_.points.size(); ++p) {
    const auto by_from = click_misses_px(from.by_points[p % turns_], p),
               by_to = click_misses_px(to.by_points[p % turns_], p);
    for (size_t c = 0; c < by_camera.size(); ++c)
      if (by_from[c] && by_to[c]) before[c].push_back(by_from[c]), after[c].push_back(by_to[c]);
  }
  for (size_t c = 0; c < by_camera.size(); ++c)
    if (const auto by_from = rms_px(before[c])) by_camera[c] = {*by_from, *rms_px(after[c])};
  return by_camera;
}

}  // namespace vantage::people_calibration_detail
