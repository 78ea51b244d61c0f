#include "core/fusion/fusion.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "core/base/assignment.h"
#include "core/fusion/detail/box_evidence.h"
#include "core/fusion/detail/candidates.h"

namespace vantage {
namespace {

using fusion_detail::Box;
using fusion_detail::BoxIndex;
using fusion_detail::BoxMatch;
using fusion_detail::Candidate;
using fusion_detail::distance_m;
using fusion_detail::HypothesisGrid;
using fusion_detail::Match;
using fusion_detail::Pair;
using fusion_detail::SeenBox;
using fusion_detail::View;

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
      : grid_(floor), cameras_(std::move(cameras)), candidate_of_(static_cast<size_t>(grid_.count()), -1) {
    std::vector<std::optional<BoxIndex>> made(cameras_.size());
    tbb::parallel_for(size_t{0}, cameras_.size(), [&](size_t c) { made[c].emplace(grid_, cameras_[c]); });
    for (auto& index : made) indexes_.push_back(std::move(*index));
  }

  void set_parameters(const FusionParameters& parameters) { parameters_ = parameters; }

  std::vector<FusedPerson> find(const FusionInput& input) {
    take(input);
    find_candidates();
    add_expected(input);
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
  View& view(size_t candidate, size_t camera) { return views_[candidate * cameras() + camera]; }
  const View& view(size_t candidate, size_t camera) const { return views_[candidate * cameras() + camera]; }
  const BodyBox& box(size_t candidate, size_t camera) const {
    return bodies_[candidate * cameras() + camera];
  }

  void take(const FusionInput& input) {
    known_.assign(cameras(), 0);
    weights_.assign(cameras(), 1);
    seen_.resize(cameras());
    for (size_t c = 0; c < cameras(); ++c) {
      seen_[c].clear();
      if (c < input.weights.size()) weights_[c] = input.weights[c];
      if (c >= input.cameras.size() || !input.cameras[c].known) continue;
      known_[c] = 1;
      const std::vector<PersonDetection>& people = input.cameras[c].people;
      for (size_t i = 0; i < people.size(); ++i) {
        const PersonDetection& one = people[i];
        if (one.score < parameters_.min_score || !(one.width_px > 0) || !(one.height_px > 0)) continue;
        const Box box = box_of(one, cameras_[c]);
        if (!is_empty(box)) seen_[c].push_back({static_cast<int32_t>(i), box, one.score});
      }
    }
  }

  void find_candidates() {
    for (const Candidate& old : candidates_) candidate_of_[static_cast<size_t>(old.hypothesis)] = -1;
    candidates_.clear();
    found_.resize(cameras());
    tbb::parallel_for(size_t{0}, cameras(), [&](size_t c) { find_matches(c); });
    for (const std::vector<Match>& found : found_)
      for (const Match& one : found) {
        int32_t& number = candidate_of_[static_cast<size_t>(one.hypothesis)];
        if (number >= 0 || fusion_detail::nats(one.match, 0) <= 0) continue;
        number = static_cast<int32_t>(candidates_.size());
        const double height_m = grid_.height_m(one.hypothesis);
        candidates_.push_back({one.hypothesis, grid_.x_m(one.hypothesis), grid_.y_m(one.hypothesis), height_m,
                               fusion_detail::nats_of_height(height_m) - parameters_.person_cost});
      }
    views_.assign(candidates_.size() * cameras(), {});
    bodies_.resize(views_.size());
    scores_.resize(candidates_.size());
    stale_.assign(candidates_.size(), 1);
    pairs_.resize(cameras());
    tbb::parallel_for(size_t{0}, cameras(), [&](size_t c) { find_pairs(c); });
  }

  // Detection after detection.
  void find_matches(size_t c) {
    found_[c].clear();
    for (size_t s = 0; s < seen_[c].size(); ++s)
      indexes_[c].for_candidates(seen_[c][s].box, [&](int32_t hypothesis) {
        const BoxMatch match =
            fusion_detail::match(indexes_[c].box(hypothesis), seen_[c][s].box, seen_[c][s].score);
        if (match.possible) found_[c].push_back({hypothesis, static_cast<int32_t>(s), match});
      });
  }

  void find_pairs(size_t c) {
    // Hypotheses that are no candidate match nothing.
    std::erase_if(found_[c],
                  [&](const Match& one) { return candidate_of_[static_cast<size_t>(one.hypothesis)] < 0; });
    for (Match& one : found_[c]) {
      one.candidate = candidate_of_[static_cast<size_t>(one.hypothesis)];
      ++view(static_cast<size_t>(one.candidate), c).pairs_end;
    }
    int32_t begin = 0;
    for (size_t i = 0; i < candidates_.size(); ++i) {
      View& at = view(i, c);
      const int32_t count = at.pairs_end;
      at.pairs_begin = at.pairs_end = begin;
      begin += count;
    }
    pairs_[c].resize(found_[c].size());
    for (const Match& one : found_[c])
      pairs_[c][static_cast<size_t>(view(static_cast<size_t>(one.candidate), c).pairs_end++)] = {
          one.seen, one.match, 0};
    for (size_t i = 0; i < candidates_.size(); ++i) {
      BodyBox& body = bodies_[i * cameras() + c];
      body = indexes_[c].box(candidates_[i].hypothesis);
      if (known_[c] && body.seen) view(i, c).inside = fusion_detail::covered_points(body.whole, body.cut);
      weigh(i, c);
    }
  }

  // The camera's evidence once the points that people cover are known.
  void look(size_t candidate, size_t c) {
    stale_[candidate] = 1;
    weigh(candidate, c);
  }

  void weigh(size_t candidate, size_t c) {
    View& at = view(candidate, c);
    const double visible = std::popcount(at.inside & ~at.covered) / 32.0;
    at.nothing = weights_[c] * fusion_detail::nats_of_nothing(visible, parameters_.detection_rate);
    for (int32_t k = at.pairs_begin; k < at.pairs_end; ++k) {
      Pair& pair = pairs_[c][static_cast<size_t>(k)];
      pair.nats = weights_[c] * fusion_detail::nats(pair.match, at.covered);
    }
  }

  void cover(size_t candidate, size_t by) {
    for (size_t c = 0; c < cameras(); ++c) {
      const BodyBox &body = box(candidate, c), &nearer = box(by, c);
      if (!known_[c] || !body.seen || !nearer.seen || nearer.distance_m >= body.distance_m) continue;
      View& at = view(candidate, c);
      const uint32_t covered = at.covered | fusion_detail::covered_points(body.whole, nearer.whole);
      if (covered == at.covered) continue;
      at.covered = covered;
      look(candidate, c);
    }
  }

  // As if nobody but `people` stood there, itself left out.
  void update_cover(size_t candidate, const std::vector<size_t>& people, size_t except) {
    for (size_t c = 0; c < cameras(); ++c) {
      View& at = view(candidate, c);
      if (at.covered == 0) continue;
      at.covered = 0;
      look(candidate, c);
    }
    for (const size_t other : people)
      if (other != candidate && other != except) cover(candidate, other);
  }

  void add_expected(const FusionInput& input) {
    if (!input.expected) return;
    for (Candidate& one : candidates_) {
      double nearest_m = std::numeric_limits<double>::infinity();
      for (const ExpectedPerson& person : *input.expected)
        nearest_m = std::min(nearest_m, std::hypot(person.x_m - one.x_m, person.y_m - one.y_m));
      one.base += fusion_detail::nats_of_expected(nearest_m, parameters_.track_prior);
    }
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
      const View& at = view(candidate, c);
      double best = at.nothing;
      for (int32_t k = at.pairs_begin; k < at.pairs_end; ++k) {
        const Pair& pair = pairs_[c][static_cast<size_t>(k)];
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
    owner.assign(seen_[c].size(), -1);
    double sum = 0;
    bool conflict = false;
    for (const size_t person : people_) {
      const View& at = view(person, c);
      const Pair* best = nullptr;
      for (int32_t k = at.pairs_begin; k < at.pairs_end; ++k) {
        const Pair& pair = pairs_[c][static_cast<size_t>(k)];
        if (pair.nats > (best ? best->nats : at.nothing)) best = &pair;
      }
      sum += best ? best->nats : at.nothing;
      if (!best) continue;
      int32_t& has = owner[static_cast<size_t>(best->seen)];
      conflict |= has >= 0;
      has = static_cast<int32_t>(person);
    }
    if (!conflict) return sum;
    ScoreMatrix gains(static_cast<int>(people_.size()), static_cast<int>(seen_[c].size()));
    sum = 0;
    for (size_t i = 0; i < people_.size(); ++i) {
      const View& at = view(people_[i], c);
      sum += at.nothing;
      for (int32_t k = at.pairs_begin; k < at.pairs_end; ++k) {
        const Pair& pair = pairs_[c][static_cast<size_t>(k)];
        gains.at(static_cast<int>(i), pair.seen) = std::max(0.0, pair.nats - at.nothing);
      }
    }
    owner.assign(seen_[c].size(), -1);
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
    for_each_candidate([&](size_t i) {
      update_cover(i, people_, i);
      stale_[i] = 1;
    });
    explained_ = explain();
    bool added = false;
    refused_.assign(candidates_.size(), 0);
    for (int refused = 0; refused < kMaxRefusedBirths;) {
      const std::optional<size_t> best = best_candidate();
      if (!best) break;
      if (add(*best)) {
        added = true;
        refused = 0;
        refused_.assign(candidates_.size(), 0);
      } else {
        ++refused;
        for (size_t i = 0; i < candidates_.size(); ++i)
          if (distance_m(candidates_[i], candidates_[*best]) < kRefused_m) refused_[i] = 1;
      }
    }
    return added;
  }

  // Calls `work` with every candidate, on several threads.
  template <typename Work>
  void for_each_candidate(const Work& work) const {
    tbb::parallel_for(tbb::blocked_range<size_t>(0, candidates_.size(), kGrain),
                      [&](const tbb::blocked_range<size_t>& range) {
                        for (size_t i = range.begin(); i < range.end(); ++i) work(i);
                      });
  }

  // Scores of candidates whose detections were taken or given back since.
  void note_owners() {
    owned_.resize(cameras());
    for (size_t c = 0; c < cameras(); ++c) {
      changed_.assign(seen_[c].size(), 0);
      owned_[c].resize(seen_[c].size());
      for (size_t s = 0; s < seen_[c].size(); ++s) {
        const char owned = owner_[c][s] >= 0;
        changed_[s] = owned != owned_[c][s];
        owned_[c][s] = owned;
      }
      if (std::find(changed_.begin(), changed_.end(), 1) == changed_.end()) continue;
      for (const Match& one : found_[c])
        if (changed_[static_cast<size_t>(one.seen)]) stale_[static_cast<size_t>(one.candidate)] = 1;
    }
  }

  std::optional<size_t> best_candidate() {
    note_owners();
    for_each_candidate([&](size_t i) {
      if (!stale_[i] || refused_[i]) return;
      scores_[i] = score(i, kNobody);
      stale_[i] = 0;
    });
    std::optional<size_t> best;
    double largest = 0;
    for (size_t i = 0; i < candidates_.size(); ++i)
      if (!refused_[i] && scores_[i] > largest) best = i, largest = scores_[i];
    return best;
  }

  bool add(size_t candidate) {
    people_.push_back(candidate);
    for (const size_t person : people_)
      if (person != candidate) cover(person, candidate);
    const double with = explain();
    if (with > explained_) {
      explained_ = with;
      for_each_candidate([&](size_t i) {
        if (i != candidate) cover(i, candidate);
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
        if (known_[c] && box(people_[i], c).seen) person.evidence.push_back(evidence(people_[i], c));
      found.push_back(std::move(person));
    }
    std::sort(found.begin(), found.end(), [](const FusedPerson& a, const FusedPerson& b) {
      return a.x_m != b.x_m ? a.x_m < b.x_m : a.y_m < b.y_m;
    });
    return found;
  }

  CameraEvidence evidence(size_t person, size_t c) const {
    const View& at = view(person, c);
    CameraEvidence evidence{static_cast<int32_t>(c), -1, at.nothing,
                            std::popcount(at.inside & ~at.covered) / 32.0};
    for (int32_t k = at.pairs_begin; k < at.pairs_end; ++k) {
      const Pair& pair = pairs_[c][static_cast<size_t>(k)];
      if (owner_[c][static_cast<size_t>(pair.seen)] != static_cast<int32_t>(person)) continue;
      evidence.detection = seen_[c][static_cast<size_t>(pair.seen)].detection;
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
    const double cell = grid_.cell_m * grid_.cell_m / 12;
    FusedPerson found;
    found.x_m = at.x_m + x, found.y_m = at.y_m + y, found.height_m = at.height_m + h;
    found.variance_x_m2 = xx / all - x * x + cell, found.variance_y_m2 = yy / all - y * y + cell;
    found.covariance_xy_m2 = xy / all - x * y;
    found.height_deviation_m = std::sqrt(std::max(0.0, hh / all - h * h));
    return found;
  }

  const HypothesisGrid grid_;
  const std::vector<PinholeCamera<double>> cameras_;
  std::vector<BoxIndex> indexes_;
  FusionParameters parameters_;
  // The current frame.
  std::vector<char> known_;
  std::vector<double> weights_;
  std::vector<std::vector<SeenBox>> seen_;  // by camera: the detections that are used
  std::vector<int32_t> candidate_of_;       // by hypothesis; -1: none
  std::vector<Candidate> candidates_;
  std::vector<View> views_;                // camera by camera of each candidate
  std::vector<std::vector<Pair>> pairs_;   // by camera, candidate after candidate
  std::vector<std::vector<Match>> found_;  // by camera, detection after detection
  std::vector<BodyBox> bodies_;            // as views_
  // Of each candidate with the people who are there, and whether it has changed since.
  std::vector<double> scores_;
  std::vector<char> stale_;
  std::vector<std::vector<char>> owned_;  // by camera and used detection: it had an owner then
  std::vector<char> changed_;
  std::vector<std::vector<int32_t>> owner_;  // by camera and used detection: the candidate; -1: nobody
  std::vector<size_t> people_;               // candidates that are taken
  std::vector<double> gains_;                // of people_
  double explained_ = 0;
  std::vector<char> refused_;  // by candidate: tried, or beside one that was
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
