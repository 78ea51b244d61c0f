#include "core/fusion/fusion.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/detections/skeletons.h"
#include "core/fusion/detail/crowd.h"

namespace vantage::fusion_detail {
namespace {

// Position of a person: mean and spread over the hypotheses nearby, with the others fixed.

// The hypotheses around one person, each in the person's place.
class Around {
 public:
  Around(const Candidates& candidates, const Crowd& crowd, size_t person)
      : candidates_(candidates), crowd_(crowd), person_(person) {
    candidates.find_near(person, kPosteriorReach_m, &near_);
    std::erase_if(near_, [&](size_t i) { return i != person && crowd.holds(i); });
    for (size_t c = 0; c < candidates.cameras(); ++c) nearer_.push_back(who_may_hide(c));
  }

  const std::vector<size_t>& near() const { return near_; }

  // Counts only detections that no one else has.
  double nats(size_t candidate) const {
    double sum = candidates_[candidate].base - crowd_.repulsion(candidate, person_);
    for (size_t c = 0; c < candidates_.cameras(); ++c) sum += nats_in(candidate, c);
    return sum;
  }

 private:
  double nats_in(size_t candidate, size_t c) const {
    uint32_t covered = 0;
    for (const size_t other : nearer_[c]) covered |= candidates_.hidden_by(candidate, c, other);
    double best = candidates_.nothing(candidate, c, covered);
    const bool as_kept = covered == candidates_.view(candidate, c).covered;
    for (const Pair& pair : candidates_.pairs(candidate, c)) {
      const int32_t owner = crowd_.owner(c, static_cast<size_t>(pair.seen));
      if (owner >= 0 && static_cast<size_t>(owner) != person_) continue;
      best = std::max(best, as_kept ? pair.nats : fusion_detail::nats(pair.match, covered));
    }
    return best;
  }

  // The others who may cover any of the hypotheses in a camera.
  std::vector<size_t> who_may_hide(size_t c) const {
    Box all = candidates_.box(person_, c).whole;
    float farthest_m = 0;
    for (const size_t i : near_) {
      const BodyBox& body = candidates_.box(i, c);
      if (!body.seen) continue;
      all.left = std::min(all.left, body.whole.left), all.right = std::max(all.right, body.whole.right);
      all.top = std::min(all.top, body.whole.top), all.bottom = std::max(all.bottom, body.whole.bottom);
      farthest_m = std::max(farthest_m, body.distance_m);
    }
    std::vector<size_t> others;
    for (const size_t other : crowd_.people()) {
      const BodyBox& body = candidates_.box(other, c);
      const Box& box = body.whole;
      if (other != person_ && body.seen && body.distance_m < farthest_m && box.left < all.right &&
          box.right > all.left && box.top < all.bottom && box.bottom > all.top)
        others.push_back(other);
    }
    return others;
  }

  const Candidates& candidates_;
  const Crowd& crowd_;
  const size_t person_;
  std::vector<size_t> near_;
  std::vector<std::vector<size_t>> nearer_;  // by camera
};

// Position, height and their uncertainty; the rest of the result has its defaults. Thread-safe.
FusedPerson posterior(const Candidates& candidates, const Crowd& crowd, size_t person) {
  const Around around(candidates, crowd, person);
  const Candidate& at = candidates[person];
  std::vector<double> nats;
  for (const size_t i : around.near()) nats.push_back(around.nats(i));
  const double largest = *std::max_element(nats.begin(), nats.end());
  double all = 0, x = 0, y = 0, h = 0, xx = 0, xy = 0, yy = 0, hh = 0;
  for (size_t k = 0; k < nats.size(); ++k) {
    const Candidate& one = candidates[around.near()[k]];
    const double weight = std::exp(nats[k] - largest);
    const double dx = one.x_m - at.x_m, dy = one.y_m - at.y_m, dh = one.height_m - at.height_m;
    all += weight, x += weight * dx, y += weight * dy, h += weight * dh;
    xx += weight * dx * dx, xy += weight * dx * dy, yy += weight * dy * dy, hh += weight * dh * dh;
  }
  x /= all, y /= all, h /= all;
  // A cell's own extent is part of the uncertainty.
  const double cell = candidates.cell_m() * candidates.cell_m() / 12;
  FusedPerson found;
  found.x_m = at.x_m + x, found.y_m = at.y_m + y, found.height_m = at.height_m + h;
  found.variance_x_m2 = xx / all - x * x + cell, found.variance_y_m2 = yy / all - y * y + cell;
  found.covariance_xy_m2 = xy / all - x * y;
  found.height_deviation_m = std::sqrt(std::max(0.0, hh / all - h * h));
  return found;
}

}  // namespace

}  // namespace vantage::fusion_detail

namespace vantage {
namespace {

using fusion_detail::Box;
using fusion_detail::Candidates;
using fusion_detail::Crowd;
using fusion_detail::Looks;
using fusion_detail::Match;
using fusion_detail::Pair;

constexpr int kMaxRefusedBirths = 40;
// Around a refused birth nothing is tried again until another person is added.
constexpr double kRefused_m = 0.12;
constexpr int kMaxRounds = 3;
constexpr size_t kGrain = 2048;  // candidates that are worth a task

}  // namespace

class PeopleFusion::Impl {
 public:
  Impl(const FloorRectangle& floor, std::vector<PinholeCamera<double>> cameras,
       std::span<const IgnoredPixels> ignored)
      : cameras_(std::move(cameras)), candidates_(floor, cameras_, ignored) {}

  void set_parameters(const FusionParameters& parameters) { parameters_ = parameters; }

  std::vector<FusedPerson> find(const FusionInput& input) {
    take(input);
    candidates_.find(looks_, parameters_, input.expected);
    scores_.resize(candidates_.births());
    stale_.resize(candidates_.births());
    crowd_.clear();
    for (int round = 0; round < kMaxRounds; ++round) {
      const bool born = add_people();
      const bool gone = remove_superfluous();
      if (!born || !gone) break;
    }
    return report();
  }

 private:
  size_t cameras() const { return cameras_.size(); }

  void take(const FusionInput& input) {
    looks_.known.assign(cameras(), 0);
    looks_.seen.resize(cameras());
    looks_.masks = input.masks;
    looks_.mask_places = input.mask_places;
    for (size_t c = 0; c < cameras(); ++c) {
      looks_.seen[c].clear();
      if (c >= input.cameras.size() || !input.cameras[c].known) continue;
      looks_.known[c] = 1;
      const std::vector<PersonDetection>& people = input.cameras[c].people;
      for (size_t i = 0; i < people.size(); ++i) {
        const PersonDetection& one = people[i];
        if (one.score < parameters_.min_score || !(one.width_px > 0) || !(one.height_px > 0)) continue;
        const Box box = box_of(one, cameras_[c]);
        if (!is_empty(box))
          looks_.seen[c].push_back({static_cast<int32_t>(i), box, one.score, false, feet_seen(one)});
      }
      if (c < input.heads.size()) take_heads(input.heads[c], &looks_.seen[c]);
    }
  }

  // Adds the heads that no box has.
  static void take_heads(const std::vector<HeadBox>& heads, std::vector<fusion_detail::SeenBox>* seen) {
    const size_t boxes = seen->size();
    for (size_t i = 0; i < heads.size(); ++i) {
      const HeadBox& one = heads[i];
      if (!(one.width_px > 0) || !(one.height_px > 0)) continue;
      const Box box{one.left_px, one.top_px, one.left_px + one.width_px, one.top_px + one.height_px};
      const auto end = seen->begin() + static_cast<ptrdiff_t>(boxes);
      if (std::none_of(seen->begin(), end, [&](const fusion_detail::SeenBox& of) {
            return fusion_detail::is_head_of(box, of.box);
          }))
        seen->push_back({static_cast<int32_t>(i), box, 0, true});
    }
  }

  // Counts only detections that no one has.
  double score(size_t candidate) const {
    double sum = candidates_[candidate].base - crowd_.repulsion(candidate, Crowd::kNobody);
    for (size_t c = 0; c < cameras(); ++c) {
      double best = candidates_.view(candidate, c).nothing;
      for (const Pair& pair : candidates_.pairs(candidate, c))
        if (pair.nats > best && crowd_.owner(c, static_cast<size_t>(pair.seen)) < 0) best = pair.nats;
      sum += best;
    }
    return sum;
  }

  // Adds people while that explains more; true if any was added.
  bool add_people() {
    for_each_birth([&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i)
        for (size_t c = 0; c < cameras(); ++c) candidates_.set_covered(i, c, 0);
      for (const size_t person : crowd_.people()) candidates_.cover_births(begin, end, person, stale_.data());
    });
    std::fill(stale_.begin(), stale_.end(), 1);
    bool added = false;
    refused_.assign(candidates_.births(), 0);
    for (int refused = 0; refused < kMaxRefusedBirths;) {
      const std::optional<size_t> best = best_candidate();
      if (!best) break;
      if (crowd_.add(*best)) {
        note_born(*best);
        added = true;
        refused = 0;
        refused_.assign(candidates_.births(), 0);
      } else {
        ++refused;
        for_births_near(*best, kRefused_m, [&](size_t i) { refused_[i] = 1; });
      }
    }
    return added;
  }

  // A new person hides others and repels them.
  void note_born(size_t person) {
    for_each_birth(
        [&](size_t begin, size_t end) { candidates_.cover_births(begin, end, person, stale_.data()); });
    for_births_near(person, fusion_detail::kRepulsionReach_m, [&](size_t i) { stale_[i] = 1; });
  }

  template <typename Work>
  void for_births_near(size_t candidate, double reach_m, const Work& work) {
    candidates_.find_near(candidate, reach_m, &near_);
    for (const size_t i : near_)
      if (i < candidates_.births()) work(i);
  }

  // Calls `work` with ranges of the candidates that may be born, on several threads.
  template <typename Work>
  void for_each_birth(const Work& work) const {
    tbb::parallel_for(tbb::blocked_range<size_t>(0, candidates_.births(), kGrain),
                      [&](const tbb::blocked_range<size_t>& range) { work(range.begin(), range.end()); });
  }

  // Marks candidates whose detections were taken or released since.
  void note_owners() {
    owned_.resize(cameras());
    for (size_t c = 0; c < cameras(); ++c) {
      owned_[c].resize(looks_.seen[c].size());
      for (size_t s = 0; s < owned_[c].size(); ++s) {
        const char owned = crowd_.owner(c, s) >= 0;
        if (owned == owned_[c][s]) continue;
        owned_[c][s] = owned;
        for (const Match& one : candidates_.matches(c, s))
          if (const auto i = static_cast<size_t>(one.candidate); i < stale_.size()) stale_[i] = 1;
      }
    }
  }

  // The first candidate with the largest score, if that is above 0. Scores are updated only where they might
  // be the largest.
  std::optional<size_t> best_candidate() {
    note_owners();
    const size_t births = candidates_.births();
    std::optional<size_t> best;
    double largest = 0;
    for (size_t i = 0; i < births; ++i)
      if (!stale_[i] && !refused_[i] && scores_[i] > largest) best = i, largest = scores_[i];
    const double known = largest;
    for_each_birth([&](size_t begin, size_t end) {
      double least = known;
      for (size_t i = begin; i < end; ++i) {
        if (!stale_[i] || refused_[i] || candidates_[i].max_nats < least) continue;
        scores_[i] = score(i);
        stale_[i] = 0;
        least = std::max(least, scores_[i]);
      }
    });
    for (size_t i = 0; i < births; ++i)
      if (!stale_[i] && !refused_[i] &&
          (scores_[i] > largest || (best && scores_[i] == largest && i < *best)))
        best = i, largest = scores_[i];
    return best;
  }

  // True: a person gave way. Fills in gains_.
  bool remove_superfluous() {
    bool removed = false;
    for (;;) {
      gains_ = crowd_.gains();
      const auto least = std::min_element(gains_.begin(), gains_.end());
      if (least == gains_.end() || *least > 0) return removed;
      crowd_.remove(static_cast<size_t>(least - gains_.begin()));
      removed = true;
    }
  }

  std::vector<FusedPerson> report() const {
    const std::vector<size_t>& people = crowd_.people();
    std::vector<FusedPerson> found(people.size());
    tbb::parallel_for(size_t{0}, people.size(), [&](size_t i) {
      found[i] = fusion_detail::posterior(candidates_, crowd_, people[i]);
      found[i].gain_nats = gains_[i];
      found[i].confidence = 1 / (1 + std::exp(-gains_[i]));
      for (size_t c = 0; c < cameras(); ++c)
        if (looks_.known[c] && candidates_.box(people[i], c).seen)
          found[i].evidence.push_back(evidence(people[i], c));
    });
    std::sort(found.begin(), found.end(), [](const FusedPerson& a, const FusedPerson& b) {
      return a.x_m != b.x_m ? a.x_m < b.x_m : a.y_m < b.y_m;
    });
    return found;
  }

  CameraEvidence evidence(size_t person, size_t c) const {
    CameraEvidence evidence{.camera = static_cast<int32_t>(c),
                            .nats = candidates_.view(person, c).nothing,
                            .visible = candidates_.visible(person, c),
                            .in_mask = candidates_.in_mask(person, c)};
    for (const Pair& pair : candidates_.pairs(person, c)) {
      if (crowd_.owner(c, static_cast<size_t>(pair.seen)) != static_cast<int32_t>(person)) continue;
      const fusion_detail::SeenBox& its = looks_.seen[c][static_cast<size_t>(pair.seen)];
      (its.head ? evidence.head : evidence.detection) = its.index;
      evidence.nats = pair.nats;
    }
    return evidence;
  }

  const std::vector<PinholeCamera<double>> cameras_;
  FusionParameters parameters_;
  // The current frame.
  Looks looks_;
  Candidates candidates_;
  Crowd crowd_{candidates_, looks_};
  // Score of each candidate that may be born, with the present people, and whether it has changed since.
  std::vector<double> scores_;
  std::vector<char> stale_;
  std::vector<std::vector<char>> owned_;  // by camera and used detection: it had an owner then
  std::vector<double> gains_;             // of the people
  std::vector<char> refused_;             // by candidate that may be born: tried, or next to one that was
  std::vector<size_t> near_;
};

PeopleFusion::PeopleFusion(const FloorRectangle& floor, std::vector<PinholeCamera<double>> cameras,
                           std::span<const IgnoredPixels> ignored)
    : impl_(std::make_unique<Impl>(floor, std::move(cameras), ignored)) {}
PeopleFusion::~PeopleFusion() = default;
PeopleFusion::PeopleFusion(PeopleFusion&&) noexcept = default;

void PeopleFusion::set_parameters(const FusionParameters& parameters) {
  impl_->set_parameters(parameters);
}

std::vector<FusedPerson> PeopleFusion::find(const FusionInput& input) {
  return impl_->find(input);
}

template <>
const ParameterTable& parameter_table<FusionParameters>() {
  using P = FusionParameters;
  using enum ParameterOption;
  static const ParameterTable table = ParameterTable::make<P>(
      "fusion", "Fusion",
      {
          real<&P::min_score>("Minimum score", "", 0, 1, "Detections with a lower score are ignored."),
          real<&P::person_cost>("Cost of a person", "nats", 0, 50,
                                "How much better all cameras must be explained with a person than without."),
          real<&P::detection_rate>("Detection rate", "", 0, 0.999,
                                   "Probability that a camera's detector finds a person whom nothing hides.",
                                   expert),
          real<&P::track_prior>(
              "Weight of tracks", "nats", 0, 20,
              "How much likelier people are where a track expects them, and less likely elsewhere.", expert),
      });
  return table;
}

}  // namespace vantage
