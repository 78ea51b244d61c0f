#include "core/fusion/fusion.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/base/assignment.h"
#include "core/fusion/detail/candidates.h"

namespace vantage {
namespace {

using fusion_detail::Box;
using fusion_detail::Candidate;
using fusion_detail::Candidates;
using fusion_detail::distance_m;
using fusion_detail::Looks;
using fusion_detail::Match;
using fusion_detail::Pair;

constexpr int kMaxRefusedBirths = 40;
// Around a refused birth nothing is tried again until somebody else was taken.
constexpr double kRefused_m = 0.12;
constexpr int kMaxRounds = 3;
constexpr size_t kGrain = 2048;  // candidates that are worth a task
constexpr size_t kNobody = std::numeric_limits<size_t>::max();

}  // namespace

class PeopleFusion::Impl {
 public:
  Impl(const FloorRectangle& floor, std::vector<PinholeCamera<double>> cameras)
      : cameras_(std::move(cameras)), candidates_(floor, cameras_) {}

  void set_parameters(const FusionParameters& parameters) { parameters_ = parameters; }

  std::vector<FusedPerson> find(const FusionInput& input) {
    take(input);
    candidates_.find(looks_, parameters_, input.expected);
    scores_.resize(candidates_.births());
    stale_.resize(candidates_.births());
    people_.clear();
    explained_ = 0;
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
    for (size_t c = 0; c < cameras(); ++c) {
      looks_.seen[c].clear();
      if (c >= input.cameras.size() || !input.cameras[c].known) continue;
      looks_.known[c] = 1;
      const std::vector<PersonDetection>& people = input.cameras[c].people;
      for (size_t i = 0; i < people.size(); ++i) {
        const PersonDetection& one = people[i];
        if (one.score < parameters_.min_score || !(one.width_px > 0) || !(one.height_px > 0)) continue;
        const Box box = box_of(one, cameras_[c]);
        if (!is_empty(box)) looks_.seen[c].push_back({static_cast<int32_t>(i), box, one.score});
      }
    }
  }

  // As if nobody but `people` stood there, itself left out.
  void update_cover(size_t candidate, const std::vector<size_t>& people, size_t except) {
    candidates_.uncover(candidate);
    for (const size_t other : people)
      if (other != candidate && other != except) candidates_.cover(candidate, other);
  }

  double repulsion(size_t candidate, size_t except) const {
    double sum = 0;
    for (const size_t other : people_) {
      if (other == except) continue;
      const double away_m = distance_m(candidates_[candidate], candidates_[other]);
      if (away_m < fusion_detail::kNearest_m) return std::numeric_limits<double>::infinity();
      sum += fusion_detail::repulsion(away_m);
    }
    return sum;
  }

  bool is_taken(size_t candidate, size_t except) const {
    return candidate != except && std::find(people_.begin(), people_.end(), candidate) != people_.end();
  }

  // With the detections that nobody else has.
  double score(size_t candidate, size_t except) const {
    double sum = candidates_[candidate].base - repulsion(candidate, except);
    for (size_t c = 0; c < cameras(); ++c) {
      double best = candidates_.view(candidate, c).nothing;
      for (const Pair& pair : candidates_.pairs(candidate, c)) {
        const int32_t owner = owner_[c][static_cast<size_t>(pair.seen)];
        if (pair.nats > best && (owner < 0 || static_cast<size_t>(owner) == except)) best = pair.nats;
      }
      sum += best;
    }
    return sum;
  }

  // The best assignment of all people in all cameras: what it explains. Fills in owner_.
  double explain() {
    double sum = 0;
    for (size_t i = 0; i < people_.size(); ++i) {
      sum += candidates_[people_[i]].base;
      for (size_t k = 0; k < i; ++k)
        sum -= fusion_detail::repulsion(distance_m(candidates_[people_[i]], candidates_[people_[k]]));
    }
    for (size_t c = 0; c < cameras(); ++c) sum += assign(c);
    return sum;
  }

  double assign(size_t c) {
    std::vector<int32_t>& owner = owner_[c];
    owner.assign(looks_.seen[c].size(), -1);
    double sum = 0;
    bool conflict = false;
    for (const size_t person : people_) {
      const double nothing = candidates_.view(person, c).nothing;
      const Pair* best = nullptr;
      for (const Pair& pair : candidates_.pairs(person, c))
        if (pair.nats > (best ? best->nats : nothing)) best = &pair;
      sum += best ? best->nats : nothing;
      if (!best) continue;
      int32_t& has = owner[static_cast<size_t>(best->seen)];
      conflict |= has >= 0;
      has = static_cast<int32_t>(person);
    }
    if (!conflict) return sum;
    ScoreMatrix gains(static_cast<int>(people_.size()), static_cast<int>(looks_.seen[c].size()));
    sum = 0;
    for (size_t i = 0; i < people_.size(); ++i) {
      const double nothing = candidates_.view(people_[i], c).nothing;
      sum += nothing;
      for (const Pair& pair : candidates_.pairs(people_[i], c))
        gains.at(static_cast<int>(i), pair.seen) = std::max(0.0, pair.nats - nothing);
    }
    owner.assign(looks_.seen[c].size(), -1);
    const std::vector<int> chosen = assign_maximum(gains);
    for (size_t i = 0; i < people_.size(); ++i) {
      if (chosen[i] < 0 || gains.at(static_cast<int>(i), chosen[i]) <= 0) continue;
      sum += gains.at(static_cast<int>(i), chosen[i]);
      owner[static_cast<size_t>(chosen[i])] = static_cast<int32_t>(people_[i]);
    }
    return sum;
  }

  // Adds people while that explains more; whether there was any.
  bool add_people() {
    owner_.resize(cameras());
    for_each_birth([&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) candidates_.uncover(i);
      for (const size_t person : people_) candidates_.cover_births(begin, end, person, stale_.data());
    });
    std::fill(stale_.begin(), stale_.end(), 1);
    explained_ = explain();
    bool added = false;
    refused_.assign(candidates_.births(), 0);
    for (int refused = 0; refused < kMaxRefusedBirths;) {
      const std::optional<size_t> best = best_candidate();
      if (!best) break;
      if (add(*best)) {
        added = true;
        refused = 0;
        refused_.assign(candidates_.births(), 0);
      } else {
        ++refused;
        for (size_t i = 0; i < candidates_.births(); ++i)
          if (distance_m(candidates_[i], candidates_[*best]) < kRefused_m) refused_[i] = 1;
      }
    }
    return added;
  }

  // Calls `work` with ranges of the candidates that may be born, on several threads.
  template <typename Work>
  void for_each_birth(const Work& work) const {
    tbb::parallel_for(tbb::blocked_range<size_t>(0, candidates_.births(), kGrain),
                      [&](const tbb::blocked_range<size_t>& range) { work(range.begin(), range.end()); });
  }

  // Scores of candidates whose detections were taken or given back since.
  void note_owners() {
    owned_.resize(cameras());
    for (size_t c = 0; c < cameras(); ++c) {
      owned_[c].resize(looks_.seen[c].size());
      for (size_t s = 0; s < owned_[c].size(); ++s) {
        const char owned = owner_[c][s] >= 0;
        if (owned == owned_[c][s]) continue;
        owned_[c][s] = owned;
        for (const Match& one : candidates_.matches(c, s))
          if (const auto i = static_cast<size_t>(one.candidate); i < stale_.size()) stale_[i] = 1;
      }
    }
  }

  // The first of those with the largest score, if that is above 0. Scores are brought up to date only where
  // they might be it.
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
        scores_[i] = score(i, kNobody);
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

  bool add(size_t candidate) {
    people_.push_back(candidate);
    for (const size_t person : people_)
      if (person != candidate) candidates_.cover(person, candidate);
    const double with = explain();
    if (with > explained_) {
      explained_ = with;
      for_each_birth([&](size_t begin, size_t end) {
        candidates_.cover_births(begin, end, candidate, stale_.data());
        for (size_t i = begin; i < end; ++i)
          if (distance_m(candidates_[i], candidates_[candidate]) < fusion_detail::kRepulsionReach_m)
            stale_[i] = 1;
      });
      return true;
    }
    people_.pop_back();
    for (const size_t person : people_) update_cover(person, people_, person);
    explain();
    return false;
  }

  // Nats explained without one person; the views of the others stay as they are without them.
  double explained_without(size_t place) {
    const size_t person = people_[place];
    people_.erase(people_.begin() + static_cast<ptrdiff_t>(place));
    for (const size_t other : people_) update_cover(other, people_, other);
    const double without = explain();
    people_.insert(people_.begin() + static_cast<ptrdiff_t>(place), person);
    return without;
  }

  void explain_all() {
    for (const size_t person : people_) update_cover(person, people_, person);
    explained_ = explain();
  }

  // Whether somebody gave way. Fills in gains_.
  bool remove_superfluous() {
    bool removed = false;
    for (;;) {
      gains_.clear();
      explain_all();
      for (size_t i = 0; i < people_.size(); ++i) gains_.push_back(explained_ - explained_without(i));
      const auto least = std::min_element(gains_.begin(), gains_.end());
      if (least == gains_.end() || *least > 0) break;
      people_.erase(people_.begin() + (least - gains_.begin()));
      removed = true;
    }
    explain_all();
    return removed;
  }

  std::vector<FusedPerson> report() {
    std::vector<FusedPerson> found;
    for (size_t i = 0; i < people_.size(); ++i) {
      FusedPerson person = posterior(people_[i]);
      person.gain_nats = gains_[i];
      person.confidence = 1 / (1 + std::exp(-gains_[i]));
      for (size_t c = 0; c < cameras(); ++c)
        if (looks_.known[c] && candidates_.box(people_[i], c).seen)
          person.evidence.push_back(evidence(people_[i], c));
      found.push_back(std::move(person));
    }
    std::sort(found.begin(), found.end(), [](const FusedPerson& a, const FusedPerson& b) {
      return a.x_m != b.x_m ? a.x_m < b.x_m : a.y_m < b.y_m;
    });
    return found;
  }

  CameraEvidence evidence(size_t person, size_t c) const {
    CameraEvidence evidence{static_cast<int32_t>(c), -1, candidates_.view(person, c).nothing,
                            candidates_.visible(person, c)};
    for (const Pair& pair : candidates_.pairs(person, c)) {
      if (owner_[c][static_cast<size_t>(pair.seen)] != static_cast<int32_t>(person)) continue;
      evidence.detection = looks_.seen[c][static_cast<size_t>(pair.seen)].detection;
      evidence.nats = pair.nats;
    }
    return evidence;
  }

  // Mean and covariance over the hypotheses near the person, the others standing where they do.
  FusedPerson posterior(size_t person) {
    const Candidate& at = candidates_[person];
    around_.clear();
    double largest = -std::numeric_limits<double>::infinity();
    for (size_t i = 0; i < candidates_.size(); ++i) {
      if (distance_m(candidates_[i], at) > fusion_detail::kPosteriorReach_m || is_taken(i, person)) continue;
      if (i != person) update_cover(i, people_, person);
      around_.push_back({i, score(i, person)});
      largest = std::max(largest, around_.back().second);
    }
    double all = 0, x = 0, y = 0, h = 0, xx = 0, xy = 0, yy = 0, hh = 0;
    for (const auto& [i, nats] : around_) {
      const double weight = std::exp(nats - largest);
      const double dx = candidates_[i].x_m - at.x_m, dy = candidates_[i].y_m - at.y_m,
                   dh = candidates_[i].height_m - at.height_m;
      all += weight, x += weight * dx, y += weight * dy, h += weight * dh;
      xx += weight * dx * dx, xy += weight * dx * dy, yy += weight * dy * dy, hh += weight * dh * dh;
    }
    x /= all, y /= all, h /= all;
    // A cell's own extent is part of what is not known.
    const double cell = candidates_.cell_m() * candidates_.cell_m() / 12;
    FusedPerson found;
    found.x_m = at.x_m + x, found.y_m = at.y_m + y, found.height_m = at.height_m + h;
    found.variance_x_m2 = xx / all - x * x + cell, found.variance_y_m2 = yy / all - y * y + cell;
    found.covariance_xy_m2 = xy / all - x * y;
    found.height_deviation_m = std::sqrt(std::max(0.0, hh / all - h * h));
    return found;
  }

  const std::vector<PinholeCamera<double>> cameras_;
  FusionParameters parameters_;
  // The current frame.
  Looks looks_;
  Candidates candidates_;
  // Of each candidate that may be born with the people who are there, and whether it has changed since.
  std::vector<double> scores_;
  std::vector<char> stale_;
  std::vector<std::vector<char>> owned_;     // by camera and used detection: it had an owner then
  std::vector<std::vector<int32_t>> owner_;  // by camera and used detection: the candidate; -1: nobody
  std::vector<size_t> people_;               // candidates that are taken
  std::vector<double> gains_;                // of people_
  double explained_ = 0;
  std::vector<char> refused_;  // by candidate that may be born: tried, or beside one that was
  std::vector<std::pair<size_t, double>> around_;
};

PeopleFusion::PeopleFusion(const FloorRectangle& floor, std::vector<PinholeCamera<double>> cameras)
    : impl_(std::make_unique<Impl>(floor, std::move(cameras))) {}
PeopleFusion::~PeopleFusion() = default;
PeopleFusion::PeopleFusion(PeopleFusion&&) noexcept = default;

void PeopleFusion::set_parameters(const FusionParameters& parameters) {
  impl_->set_parameters(parameters);
}

std::vector<FusedPerson> PeopleFusion::find(const FusionInput& input) {
  return impl_->find(input);
}

}  // namespace vantage
