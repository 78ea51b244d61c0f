#include "core/calibration/people/outline_misses.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "core/calibration/people/detail/people_footage.h"
#include "core/calibration/people/detail/tangents.h"
#include "core/metrics/spread.h"

namespace vantage {
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
  return scatter_where_seen(std::move(its));
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
