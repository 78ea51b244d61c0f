#include "core/tracking/people.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/tracking/body_view.h"
#include "core/tracking/floor_peaks.h"

namespace vantage {
namespace {

using people_detail::Cover;
using people_detail::Outline;
using people_detail::ReducedMask;

// Means over the cameras that see the body.
struct Support {
  int cameras = 0;
  double fill = 0;  // share of the body that is foreground
  double own = 0;   // share of the body that is foreground nobody else explains
};

class Chooser {
 public:
  Chooser(const PeopleInput& input, const PeopleParameters& parameters)
      : input_(input), parameters_(parameters) {
    for (const ImageView<const uint8_t>& mask : input.masks)
      masks_.push_back(people_detail::reduce_mask(mask));
  }

  PeopleFound choose(const std::vector<Person>& peaks) {
    PeopleFound found;
    found.peaks = static_cast<int64_t>(peaks.size());
    std::vector<Person> open;
    for (const Person& peak : peaks) {
      found.largest_peak_l = std::max(found.largest_peak_l, peak.volume_l);
      if (const std::optional<RejectReason> reason = wrong_size(peak))
        found.rejected.push_back({peak, *reason});
      else
        open.push_back(peak);
    }
    while (!open.empty()) take_best(open, found);
    std::sort(found.people.begin(), found.people.end(), [](const Person& a, const Person& b) {
      return a.x_m != b.x_m ? a.x_m < b.x_m : a.y_m < b.y_m;
    });
    return found;
  }

 private:
  std::optional<RejectReason> wrong_size(const Person& peak) const {
    if (peak.volume_l < parameters_.min_volume_l) return RejectReason::too_small;
    if (peak.height_m < parameters_.min_height_m) return RejectReason::too_low;
    if (peak.height_m > parameters_.max_height_m) return RejectReason::too_high;
    return {};
  }

  Support support(const Person& person) const {
    Support support;
    for (size_t c = 0; c < masks_.size(); ++c) {
      const Outline outline = outline_in(c, person);
      if (!outline.seen()) continue;
      const Cover cover = people_detail::cover(masks_[c], outline);
      const auto inside = static_cast<double>(outline.inside);
      support.fill += static_cast<double>(cover.foreground) / inside;
      support.own += static_cast<double>(cover.own) / inside;
      ++support.cameras;
    }
    if (support.cameras > 0) support.fill /= support.cameras, support.own /= support.cameras;
    return support;
  }

  Outline outline_in(size_t camera, const Person& person) const {
    return people_detail::outline_of(input_.cameras[camera], masks_[camera], person.x_m, person.y_m,
                                     person.height_m);
  }

  // Decides about the open candidate with the largest own share.
  void take_best(std::vector<Person>& open, PeopleFound& found) {
    size_t best = 0;
    Support best_support = support(open[0]);
    for (size_t i = 1; i < open.size(); ++i)
      if (const Support s = support(open[i]); s.own > best_support.own) best = i, best_support = s;
    Person person = open[best];
    open.erase(open.begin() + static_cast<std::ptrdiff_t>(best));
    person.cameras = best_support.cameras;
    person.confidence = best_support.fill;
    if (const std::optional<RejectReason> reason = unconvincing(person, best_support, found.people)) {
      found.rejected.push_back({person, *reason});
      return;
    }
    found.people.push_back(person);
    for (size_t c = 0; c < masks_.size(); ++c)
      people_detail::mark_explained(masks_[c], outline_in(c, person));
  }

  std::optional<RejectReason> unconvincing(const Person& person, const Support& support,
                                           const std::vector<Person>& chosen) const {
    for (const Person& other : chosen)
      if (std::hypot(person.x_m - other.x_m, person.y_m - other.y_m) < parameters_.separation_m)
        return RejectReason::same_person;
    if (support.fill < parameters_.min_fill) return RejectReason::not_in_masks;
    if (support.own < parameters_.min_own) return RejectReason::ghost;
    return {};
  }

  const PeopleInput& input_;
  const PeopleParameters& parameters_;
  std::vector<ReducedMask> masks_;
};

}  // namespace

std::string_view reject_reason_name(RejectReason reason) {
  constexpr std::string_view kNames[] = {"too_small",    "too_low", "too_high",
                                         "not_in_masks", "ghost",   "same_person"};
  return kNames[static_cast<size_t>(reason)];
}

std::string_view reject_reason_text(RejectReason reason) {
  constexpr std::string_view kTexts[] = {"too small",        "too low", "too high",
                                         "not in the masks", "ghosts",  "the same person again"};
  return kTexts[static_cast<size_t>(reason)];
}

PeopleFound find_people(const PeopleInput& input, const PeopleParameters& parameters) {
  return Chooser(input, parameters).choose(people_detail::find_peaks(input, parameters));
}

}  // namespace vantage
