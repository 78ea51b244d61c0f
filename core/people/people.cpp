#include "core/people/people.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "core/people/detail/body.h"
#include "core/people/detail/floor_volume.h"
#include "core/people/detail/support.h"

namespace vantage {
namespace {

using people_detail::Body;
using people_detail::FloorVolume;
using people_detail::kHeadRounding_m;
using people_detail::kMinDecided;
using people_detail::MaskBits;
using people_detail::Outline;
using people_detail::Support;

// Grid of first positions, and the step by which bodies then move.
constexpr double kLattice_m = 0.2;
constexpr double kStep_m = 0.08;
constexpr std::array<std::array<int, 2>, 4> kDirections = {{{1, 0}, {-1, 0}, {0, 1}, {0, -1}}};
constexpr size_t kPlacesPerTask = 16;
constexpr int kMaxMoves = 12;
constexpr int kMaxRounds = 3;
// Foreground share of a peak's outline from which on a person may be hidden by a body between people, and how
// much more than that body others must explain.
constexpr double kRivalFill = 0.6;
constexpr double kMinMore = 0.02;

struct Place {
  double x_m = 0, y_m = 0;
  double height_m = 0, volume_l = 0;
};

struct Candidate {
  Body body;
  Support support;
  int asked = 0;  // how many bodies had been added when its support was last examined
};

// A candidate of open_ with the own share last known.
struct Offer {
  double own = 0;
  size_t index = 0;
};

// Own shares one step away in kDirections; nothing where no person can stand.
using Around = std::array<std::optional<double>, 4>;

bool nearer_than(double distance_m, const Body& body, double x_m, double y_m) {
  const double dx = body.x_m - x_m, dy = body.y_m - y_m;
  return dx * dx + dy * dy < distance_m * distance_m;
}

}  // namespace

class PeopleFinder::Impl {
 public:
  Impl(const VoxelGrid& grid, std::vector<PinholeCamera<double>> cameras, MayStand may_stand)
      : cameras_(std::move(cameras)),
        may_stand_(std::move(may_stand)),
        masks_(cameras_.size()),
        volume_(grid) {}
  void set_parameters(const PeopleParameters& parameters) { parameters_ = parameters; }

  void take(const FloorViews& map) {
    volume_.take(map, parameters_.footprint_m);
    peaks_ = volume_.peaks(min_peak_volume_l());
    std::erase_if(peaks_, [&](const FoundPerson& peak) { return !may_stand(peak.x_m, peak.y_m); });
    find_places();
  }

  PeopleFound find(std::span<const MaskSamples> masks) {
    for (size_t c = 0; c < masks_.size(); ++c) masks_[c].take(masks[c]);
    needed_cameras_ = people_detail::needed_cameras(masks_);
    chosen_.clear();
    bodies_added_ = 0;
    find_candidates();
    for (int round = 0; round < kMaxRounds; ++round) {
      const bool added = add_bodies();
      settle();
      const bool dropped = drop_bodies();
      if (!added || !dropped) break;
      ask_again();
    }
    find_rivals();
    for (int round = 0; round < kMaxRounds && exchange_body(); ++round) {
      settle();
      drop_bodies();
    }
    return report();
  }

  void measure(const FloorViews& map, std::span<FoundPerson> people) {
    volume_.take(map, parameters_.footprint_m);
    for (FoundPerson& person : people) {
      person.volume_l = volume_.litres_at(person.x_m, person.y_m);
      const double height_m = volume_.height_at(person.x_m, person.y_m);
      if (right_height(height_m)) person.height_m = height_m + kHeadRounding_m;
    }
  }

 private:
  bool may_stand(double x_m, double y_m) const { return !may_stand_ || may_stand_(x_m, y_m); }
  bool right_height(double height_m) const {
    return height_m >= parameters_.min_height_m && height_m <= parameters_.max_height_m;
  }

  Support support(const Body& body) const {
    return people_detail::support_of(body, std::span<const MaskBits>(masks_), &MaskBits::count);
  }
  // See MaskBits.
  Support support_alone(const Body& body) const {
    return people_detail::support_of(body, std::span<const MaskBits>(masks_), &MaskBits::count_alone);
  }

  // The threshold falls with the decided share, since less is carved where cameras cannot decide.
  bool enough_volume(double volume_l, const Support& support) const {
    return volume_l >= parameters_.min_volume_l * support.decided;
  }
  double min_peak_volume_l() const { return parameters_.min_volume_l * kMinDecided; }

  void place(Body& body, double x_m, double y_m, double height_m) const {
    body.x_m = x_m, body.y_m = y_m, body.height_m = height_m;
    people_detail::draw(body, cameras_, masks_);
  }

  // Finds possible positions.
  void find_places() {
    places_.clear();
    const auto consider = [&](double x_m, double y_m) {
      const double volume_l = volume_.litres_at(x_m, y_m);
      if (volume_l < min_peak_volume_l() || !may_stand(x_m, y_m)) return;
      const double height_m = volume_.height_at(x_m, y_m);
      if (right_height(height_m)) places_.push_back({x_m, y_m, height_m, volume_l});
    };
    for (const FoundPerson& peak : peaks_) consider(peak.x_m, peak.y_m);
    volume_.for_lattice(kLattice_m, consider);
  }

  // Candidates at these positions, each with its support alone.
  void find_candidates() {
    if (candidates_.size() < places_.size()) candidates_.resize(places_.size());
    tbb::parallel_for(tbb::blocked_range<size_t>(0, places_.size(), kPlacesPerTask),
                      [&](const tbb::blocked_range<size_t>& range) {
                        for (size_t i = range.begin(); i < range.end(); ++i)
                          try_place(places_[i], candidates_[i]);
                      });
    open_.clear();
    for (size_t i = 0; i < places_.size(); ++i)
      if (enough_volume(places_[i].volume_l, candidates_[i].support) && convincing(candidates_[i].support) &&
          beyond_asked(candidates_[i].support) >= 0)
        open_.push_back(&candidates_[i]);
  }

  void try_place(const Place& at, Candidate& candidate) const {
    candidate.asked = 0;
    place(candidate.body, at.x_m, at.y_m, at.height_m);
    candidate.support = support(candidate.body);
  }

  bool convincing(const Support& support) const {
    return support.cameras >= needed_cameras_ && support.fill >= parameters_.min_fill * support.decided;
  }
  // Own share beyond the threshold.
  double beyond_asked(const Support& support) const {
    return support.own - parameters_.min_own * support.decided;
  }

  bool is_free(double x_m, double y_m, const Body* self) const {
    return may_stand(x_m, y_m) && std::none_of(chosen_.begin(), chosen_.end(), [&](const Candidate& other) {
             return &other.body != self && nearer_than(parameters_.separation_m, other.body, x_m, y_m);
           });
  }

  // Adds bodies, largest own share first; true if any.
  bool add_bodies() {
    offers_.clear();
    for (size_t i = 0; i < open_.size(); ++i) offer(i);
    bool added = false;
    while (const Candidate* best = next_candidate()) {
      Candidate body = *best;
      Around around;
      climb(body, nullptr, around);
      cover(body.body, true);
      chosen_.push_back(std::move(body));
      ++bodies_added_;
      added = true;
    }
    return added;
  }

  // Equal shares keep the order of open_.
  static bool comes_later(const Offer& a, const Offer& b) {
    return a.own != b.own ? a.own < b.own : a.index > b.index;
  }
  void offer(size_t index) {
    if (beyond_asked(open_[index]->support) <= 0) return;
    offers_.push_back({open_[index]->support.own, index});
    std::push_heap(offers_.begin(), offers_.end(), comes_later);
  }

  // The candidate with the largest own share, or null when it is too small. Shares are updated only where the
  // last known one would be the largest: they hardly ever grow while bodies are added. A position that is not
  // free remains so until a body is dropped.
  Candidate* next_candidate() {
    while (!offers_.empty()) {
      const size_t index = offers_.front().index;
      std::pop_heap(offers_.begin(), offers_.end(), comes_later);
      offers_.pop_back();
      Candidate* const best = open_[index];
      if (!is_free(best->body.x_m, best->body.y_m, nullptr)) continue;
      const bool known = best->asked == bodies_added_;
      if (!known) best->support = support(best->body);
      best->asked = bodies_added_;
      offer(index);
      if (known) return best;
    }
    return nullptr;
  }

  void ask_again() {
    tbb::parallel_for(tbb::blocked_range<size_t>(0, open_.size(), kPlacesPerTask),
                      [&](const tbb::blocked_range<size_t>& range) {
                        for (size_t i = range.begin(); i < range.end(); ++i) {
                          open_[i]->support = support(open_[i]->body);
                          open_[i]->asked = bodies_added_;
                        }
                      });
  }

  // Moves the body, which covers nothing now, in steps to where its own share is largest nearby. `around`
  // then holds the shares one step away from there.
  void climb(Candidate& candidate, const Body* self, Around& around) {
    candidate.support = support(candidate.body);
    int looked = 0;  // directions in a row that were no better
    for (int next = 0, moves = 0; looked < 4 && moves <= kMaxMoves; next = (next + 1) % 4) {
      const auto& direction = kDirections[next];
      const double x_m = candidate.body.x_m + kStep_m * direction[0];
      const double y_m = candidate.body.y_m + kStep_m * direction[1];
      const double height_m = volume_.height_at(x_m, y_m);
      around[next].reset();
      ++looked;
      if (!right_height(height_m) || !is_free(x_m, y_m, self)) continue;
      place(trial_.body, x_m, y_m, height_m);
      trial_.support = support(trial_.body);
      around[next] = trial_.support.own;
      if (!convincing(trial_.support) || trial_.support.own <= candidate.support.own) continue;
      std::swap(candidate, trial_);
      // Its former position is one step behind.
      around = {};
      around[next ^ 1] = trial_.support.own;
      looked = 0, ++moves;
    }
  }

  // Moves the body to the top of the parabolas through its own share here and one step away.
  void refine(Candidate& candidate, const Body* self, const Around& around) {
    const auto offset = [&](size_t plus, size_t minus) {
      if (!around[plus] || !around[minus]) return 0.0;
      const double bend = 2 * candidate.support.own - *around[plus] - *around[minus];
      if (bend < 1e-6) return 0.0;
      return std::clamp((*around[plus] - *around[minus]) / (2 * bend), -0.5, 0.5) * kStep_m;
    };
    const double x_m = candidate.body.x_m + offset(0, 1), y_m = candidate.body.y_m + offset(2, 3);
    const double height_m = volume_.height_at(x_m, y_m);
    if (!right_height(height_m) || !is_free(x_m, y_m, self)) return;
    place(candidate.body, x_m, y_m, height_m);
  }

  void cover(const Body& body, bool add) {
    for (size_t c = 0; c < masks_.size(); ++c) {
      const Outline& outline = body.outlines[c];
      if (!outline.seen()) continue;
      if (add)
        masks_[c].add(outline, body.runs_of(outline));
      else
        masks_[c].remove(outline, body.runs_of(outline));
    }
  }

  // Moves every body once more, now that all the others are there.
  void settle() {
    for (Candidate& one : chosen_) {
      cover(one.body, false);
      Around around;
      climb(one, &one.body, around);
      refine(one, &one.body, around);
      cover(one.body, true);
    }
  }

  // Drops bodies with too small an own share given all the others, weakest first; true if any.
  bool drop_bodies() {
    bool dropped = false;
    for (;;) {
      auto weakest = chosen_.end();
      double min = 0;
      for (auto one = chosen_.begin(); one != chosen_.end(); ++one) {
        one->support = support_alone(one->body);
        if (const double beyond = beyond_asked(one->support); beyond < min) weakest = one, min = beyond;
      }
      if (weakest == chosen_.end()) return dropped;
      cover(weakest->body, false);
      chosen_.erase(weakest);
      dropped = true;
    }
  }

  // Bodies at peaks where no one is, though the masks show a person, who may be there instead of one of the
  // others.
  void find_rivals() {
    rivals_.clear();
    for (const FoundPerson& peak : peaks_) {
      if (peak.volume_l < min_peak_volume_l() || !right_height(peak.height_m) ||
          !is_free(peak.x_m, peak.y_m, nullptr))
        continue;
      place(trial_.body, peak.x_m, peak.y_m, peak.height_m);
      trial_.support = support_alone(trial_.body);
      if (enough_volume(peak.volume_l, trial_.support) && convincing(trial_.support) &&
          trial_.support.fill >= kRivalFill * trial_.support.decided && beyond_asked(trial_.support) > 0)
        rivals_.push_back(trial_);
    }
  }

  // The rival with the largest own share in a free position, or null when it is too small.
  const Candidate* next_rival() {
    Candidate* best = nullptr;
    for (Candidate& rival : rivals_) {
      if (!is_free(rival.body.x_m, rival.body.y_m, nullptr)) continue;
      rival.support = support(rival.body);
      if (beyond_asked(rival.support) > 0 && (!best || rival.support.own > best->support.own)) best = &rival;
    }
    return best;
  }

  // Adds rivals, largest own share first; returns the sum beyond min_own each.
  double add_rivals() {
    double more = 0;
    while (const Candidate* rival = next_rival()) {
      Candidate body = *rival;
      Around around;
      climb(body, nullptr, around);
      cover(body.body, true);
      more += beyond_asked(body.support);
      chosen_.push_back(std::move(body));
    }
    return more;
  }

  // A body between several people may explain so much of each that they are not added. So it gives way to
  // rivals at peaks that explain more, each counted beyond min_own; true if one did.
  bool exchange_body() {
    for (size_t i = 0; !rivals_.empty() && i < chosen_.size(); ++i) {
      const auto at = chosen_.begin() + static_cast<ptrdiff_t>(i);
      Candidate tried = std::move(*at);
      chosen_.erase(at);
      const size_t kept = chosen_.size();
      cover(tried.body, false);
      if (add_rivals() > beyond_asked(tried.support) + kMinMore) return true;
      for (; chosen_.size() > kept; chosen_.pop_back()) cover(chosen_.back().body, false);
      cover(tried.body, true);
      chosen_.insert(chosen_.begin() + static_cast<ptrdiff_t>(i), std::move(tried));
    }
    return false;
  }

  FoundPerson person_of(const Candidate& one) const {
    FoundPerson person;
    person.x_m = one.body.x_m, person.y_m = one.body.y_m;
    person.height_m = one.body.height_m + kHeadRounding_m;
    person.volume_l = volume_.litres_at(person.x_m, person.y_m);
    person.confidence = one.support.fill / one.support.decided;
    person.cameras = one.support.cameras;
    return person;
  }

  PeopleFound report() {
    PeopleFound found;
    for (const Candidate& one : chosen_) found.people.push_back(person_of(one));
    std::sort(found.people.begin(), found.people.end(), [](const FoundPerson& a, const FoundPerson& b) {
      return a.x_m != b.x_m ? a.x_m < b.x_m : a.y_m < b.y_m;
    });
    std::vector<bool> has_peak(found.people.size());
    for (const FoundPerson& peak : peaks_) {
      found.largest_peak_l = std::max(found.largest_peak_l, peak.volume_l);
      reject_or_assign(peak, has_peak, found);
    }
    found.peaks = static_cast<int64_t>(found.people.size() + found.rejected.size());
    return found;
  }

  void reject_or_assign(FoundPerson peak, std::vector<bool>& has_peak, PeopleFound& found) {
    size_t nearest = found.people.size();
    double nearest_m = parameters_.separation_m;
    for (size_t i = 0; i < found.people.size(); ++i) {
      const double d = std::hypot(found.people[i].x_m - peak.x_m, found.people[i].y_m - peak.y_m);
      if (d < nearest_m) nearest = i, nearest_m = d;
    }
    if (nearest < found.people.size() && !has_peak[nearest]) {
      has_peak[nearest] = true;
      return;
    }
    // Small volumes are reported only without larger ones.
    if (peak.volume_l < parameters_.min_volume_l && peak.volume_l < found.largest_peak_l) return;
    const RejectReason reason = nearest < found.people.size() ? RejectReason::same_person : why_nobody(peak);
    found.rejected.push_back({peak, reason});
  }

  // Fills in the masks' evidence about the peak.
  RejectReason why_nobody(FoundPerson& peak) {
    if (peak.volume_l < min_peak_volume_l()) return RejectReason::too_small;
    if (peak.height_m < parameters_.min_height_m) return RejectReason::too_low;
    if (peak.height_m > parameters_.max_height_m) return RejectReason::too_high;
    place(trial_.body, peak.x_m, peak.y_m, peak.height_m);
    const Support s = support(trial_.body);
    peak.confidence = s.fill / s.decided, peak.cameras = s.cameras;
    if (!enough_volume(peak.volume_l, s)) return RejectReason::too_small;
    return convincing(s) ? RejectReason::ghost : RejectReason::not_in_masks;
  }

  const std::vector<PinholeCamera<double>> cameras_;
  const MayStand may_stand_;
  PeopleParameters parameters_;
  // The current frame.
  std::vector<MaskBits> masks_;
  FloorVolume volume_;
  int needed_cameras_ = 1;
  std::vector<FoundPerson> peaks_;
  std::vector<Place> places_;
  std::vector<Candidate> candidates_;  // one for each position; more are kept for their memory
  std::vector<Candidate*> open_;       // those that may be a person
  std::vector<Offer> offers_;          // a heap, the largest share first
  std::vector<Candidate> chosen_;
  int bodies_added_ = 0;
  std::vector<Candidate> rivals_;
  Candidate trial_;
};

std::string_view people_source_name(PeopleSource source) {
  constexpr std::string_view kNames[] = {"volume", "occupancy", "fused", "automatic"};
  return kNames[static_cast<size_t>(source)];
}

std::string_view reject_reason_name(RejectReason reason) {
  constexpr std::string_view kNames[] = {"too_small",    "too_low", "too_high",
                                         "not_in_masks", "ghost",   "same_person"};
  return kNames[static_cast<size_t>(reason)];
}

std::string_view reject_reason_text(RejectReason reason) {
  constexpr std::string_view kTexts[] = {
      "too small", "too low", "too high", "not in the masks", "explained by others", "the same person again"};
  return kTexts[static_cast<size_t>(reason)];
}

PeopleFinder::PeopleFinder(const VoxelGrid& grid, std::vector<PinholeCamera<double>> cameras,
                           MayStand may_stand)
    : impl_(std::make_unique<Impl>(grid, std::move(cameras), std::move(may_stand))) {}
PeopleFinder::~PeopleFinder() = default;

void PeopleFinder::set_parameters(const PeopleParameters& parameters) {
  impl_->set_parameters(parameters);
}

void PeopleFinder::measure(const FloorViews& map, std::span<FoundPerson> people) {
  impl_->measure(map, people);
}

void PeopleFinder::take(const FloorViews& map) {
  impl_->take(map);
}

PeopleFound PeopleFinder::find(std::span<const MaskSamples> masks) {
  return impl_->find(masks);
}

template <>
const ParameterTable& parameter_table<PeopleParameters>() {
  using P = PeopleParameters;
  using enum ParameterOption;
  static const ParameterTable table = ParameterTable::make<P>(
      "people", "People",
      {
          choice<&P::source>(
              "Source", {"volume", "occupancy", "fused", "automatic"},
              "volume: bodies that explain the masks where volume stands; occupancy: cells of the "
              "probabilistic occupancy map, from the masks alone; fused: the cameras' detections together, "
              "unknown in frames in which fewer than two cameras have any, and tracks continue over those; "
              "automatic: fused where the project has detections, else volume."),
          real<&P::min_volume_l>("Minimum volume", "l", 0.5, 100,
                                 "Occupied volume over a footprint from which on a person may stand there."),
          real<&P::min_height_m>("Minimum height", "m", 0.2, 2, "Lower peaks are not people."),
          real<&P::min_own>("Minimum own outline", "", 0, 1,
                            "Share of a body's outline that only this person explains, mean over the "
                            "cameras, less 0.4 of what is background there; bodies below are ghosts.",
                            expert),
          real<&P::min_fill>("Minimum foreground", "", 0, 1,
                             "Share of a body's outline that must be foreground, mean over the cameras.",
                             expert),
          real<&P::max_height_m>("Maximum height", "m", 1, 4, "Higher peaks are not people.", expert),
          real<&P::footprint_m>("Footprint", "m", 0.2, 1, "Side of the square that a standing person fills.",
                                expert),
          real<&P::separation_m>("Minimum separation", "m", 0.1, 1,
                                 "Smallest distance between the axes of two people.", expert),
      });
  return table;
}

}  // namespace vantage
