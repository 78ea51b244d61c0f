#include "core/fusion/detail/crowd.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "core/base/assignment.h"

namespace vantage::fusion_detail {
namespace {

constexpr double kRounding = 1e-9;  // nats; sums of the same terms in another order

}  // namespace

Candidates::Candidates(const FloorRectangle& floor, const std::vector<PinholeCamera<double>>& cameras,
                       std::span<const IgnoredPixels> ignored)
    : grid_(floor), candidate_of_(static_cast<size_t>(grid_.count()), -1) {
  std::vector<std::optional<BoxIndex>> made(cameras.size());
  tbb::parallel_for(size_t{0}, cameras.size(), [&](size_t c) {
    made[c].emplace(grid_, cameras[c], c < ignored.size() ? ignored[c] : IgnoredPixels());
  });
  for (auto& index : made) indexes_.push_back(std::move(*index));
  pairs_.resize(cameras.size());
  found_.resize(cameras.size());
  found_begin_.resize(cameras.size());
  outlines_.resize(cameras.size());
}

void Candidates::find(const Looks& looks, const FusionParameters& parameters,
                      const std::optional<std::span<const ExpectedPerson>>& expected) {
  known_ = looks.known;
  masks_ = looks.masks, mask_places_ = looks.mask_places;
  for (int i = 0; i <= kPoints; ++i)
    nothing_[i] = fusion_detail::nats_of_nothing(i / double{kPoints}, parameters.detection_rate);
  for (const Candidate& old : candidates_) candidate_of_[old.hypothesis] = -1;
  // Matches worth less than no detection belong to no one.
  tbb::parallel_for(size_t{0}, cameras(), [&](size_t c) { find_matches(c, looks.seen[c], nothing_.back()); });
  number_candidates(parameters.person_cost);
  if (expected) expect(*expected, parameters.track_prior);
  put_births_first();
  views_.assign(candidates_.size() * cameras(), {});
  tbb::parallel_for(size_t{0}, cameras(), [&](size_t c) { find_pairs(c); });
}

void Candidates::find_matches(size_t c, std::span<const SeenBox> seen, double min_nats) {
  std::vector<Match>& found = found_[c];
  found.clear();
  found_begin_[c].assign(1, 0);
  for (size_t s = 0; s < seen.size(); ++s) {
    const SeenBox& from = seen[s];
    const auto take = [&](int32_t hypothesis, const BoxMatch& its) {
      if (!its.possible) return;
      Match one{hypothesis, static_cast<int32_t>(s), its};
      one.nats = nats(one.match, 0);
      // The mixture is linear in p, so one of its ends is the largest.
      one.max_nats =
          one.match.unseen > one.match.feet ? std::max(one.nats, nats(one.match, kLowerHalf)) : one.nats;
      if (one.max_nats > min_nats) found.push_back(one);
    };
    if (from.head)
      indexes_[c].for_candidates_of_head(from.box, 2 * (kMaxForHead - min_nats),
                                         [&](int32_t hypothesis, const BoxShape& shape) {
                                           take(hypothesis, match_head(shape, from.box, min_nats));
                                         });
    else
      indexes_[c].for_candidates(from.box, from.feet, 2 * (nats_of_score(from.score) - min_nats),
                                 [&](int32_t hypothesis, const BoxShape& shape) {
                                   take(hypothesis, match(shape, from.box, from.score, from.feet, min_nats));
                                 });
    found_begin_[c].push_back(found.size());
  }
}

// Numbers the supported hypotheses in their own order, which is that of their boxes, too.
void Candidates::number_candidates(double person_cost) {
  constexpr size_t kBits = 64;
  spoken_for_.assign(candidate_of_.size() / kBits + 1, 0);
  for (const std::vector<Match>& found : found_)
    for (const Match& one : found)
      if (one.nats > 0)
        spoken_for_[static_cast<size_t>(one.hypothesis) / kBits] |= uint64_t{1} << one.hypothesis % kBits;
  candidates_.clear();
  for (size_t word = 0; word < spoken_for_.size(); ++word)
    for (uint64_t left = spoken_for_[word]; left != 0; left &= left - 1) {
      const auto hypothesis =
          static_cast<int32_t>(word * kBits + static_cast<size_t>(std::countr_zero(left)));
      candidate_of_[hypothesis] = static_cast<int32_t>(candidates_.size());
      const double height_m = grid_.height_m(hypothesis);
      candidates_.push_back({hypothesis, grid_.x_m(hypothesis), grid_.y_m(hypothesis), height_m,
                             nats_of_height(height_m) - person_cost});
    }
  tbb::parallel_for(size_t{0}, cameras(), [&](size_t c) { drop_matches_of_none(c); });
}

// Removes matches without a candidate.
void Candidates::drop_matches_of_none(size_t c) {
  std::vector<Match>& found = found_[c];
  std::vector<size_t>& begins = found_begin_[c];
  size_t kept = 0, at = 0;
  for (size_t s = 0; s + 1 < begins.size(); ++s) {
    begins[s] = kept;
    for (; at < begins[s + 1]; ++at) {
      if (candidate_of_[found[at].hypothesis] < 0) continue;
      if (kept != at) found[kept] = found[at];
      ++kept;
    }
  }
  begins.back() = kept;
  found.resize(kept);
}

void Candidates::expect(std::span<const ExpectedPerson> expected, double track_prior) {
  for (Candidate& one : candidates_) {
    double nearest_m = std::numeric_limits<double>::infinity();
    for (const ExpectedPerson& person : expected)
      nearest_m = std::min(nearest_m, std::hypot(person.x_m - one.x_m, person.y_m - one.y_m));
    one.base += nats_of_expected(nearest_m, track_prior);
  }
}

void Candidates::put_births_first() {
  for (Candidate& one : candidates_) one.max_nats = one.base;
  for (size_t c = 0; c < cameras(); ++c) {
    best_.assign(candidates_.size(), 0);
    for (const Match& one : found_[c]) {
      double& best = best_[candidate_of_[one.hypothesis]];
      best = std::max(best, one.max_nats);
    }
    for (size_t i = 0; i < candidates_.size(); ++i) candidates_[i].max_nats += best_[i];
  }
  const auto rest = std::stable_partition(candidates_.begin(), candidates_.end(),
                                          [](const Candidate& one) { return one.max_nats > -kRounding; });
  births_ = static_cast<size_t>(rest - candidates_.begin());
  for (size_t i = 0; i < candidates_.size(); ++i) {
    candidates_[i].max_nats += kRounding;
    candidate_of_[candidates_[i].hypothesis] = static_cast<int32_t>(i);
  }
}

void Candidates::find_pairs(size_t c) {
  const auto at = [&](size_t candidate) -> View& { return views_[candidate * cameras() + c]; };
  for (Match& one : found_[c]) {
    one.candidate = candidate_of_[one.hypothesis];
    ++at(static_cast<size_t>(one.candidate)).pairs_end;
  }
  int32_t begin = 0;
  for (size_t i = 0; i < candidates_.size(); ++i) {
    const int32_t count = at(i).pairs_end;
    at(i).pairs_begin = at(i).pairs_end = begin;
    begin += count;
  }
  pairs_[c].resize(found_[c].size());
  for (const Match& one : found_[c])
    pairs_[c][at(static_cast<size_t>(one.candidate)).pairs_end++] = {one.seen, one.match, one.nats};
  Outlines& outlines = outlines_[c];
  for (std::vector<float>* each :
       {&outlines.left, &outlines.top, &outlines.right, &outlines.bottom, &outlines.distance_m})
    each->resize(births_);
  for (size_t i = 0; i < candidates_.size(); ++i) {
    const BodyBox& body = box(i, c);
    const bool looked = known_[c] && body.seen;
    if (looked) at(i).inside = indexes_[c].inside(candidates_[i].hypothesis);
    if (looked) look_at_mask(i, c);
    at(i).nothing = nats_of_nothing(at(i), at(i).inside);
    if (i >= births_) continue;
    outlines.left[i] = body.whole.left, outlines.top[i] = body.whole.top;
    outlines.right[i] = body.whole.right, outlines.bottom[i] = body.whole.bottom;
    outlines.distance_m[i] = looked ? body.distance_m : 0;  // no one is nearer
  }
}

void Candidates::look_at_mask(size_t candidate, size_t c) {
  View& at = views_[candidate * cameras() + c];
  if (c < masks_.size()) at.lit = points_in_mask(box(candidate, c).whole, masks_[c]);
  const Candidate& one = candidates_[candidate];
  double nearest_m = kPosteriorReach_m;
  for (const MaskAtPlace& place : mask_places_) {
    const double away_m = std::hypot(place.x_m - one.x_m, place.y_m - one.y_m);
    if (static_cast<size_t>(place.camera) != c || away_m > nearest_m) continue;
    nearest_m = away_m;
    at.told = static_cast<float>(place.in_mask);
  }
}

// The camera's evidence with these points covered.
void Candidates::look(size_t candidate, size_t c, uint32_t covered) {
  View& at = views_[candidate * cameras() + c];
  at.covered = covered;
  at.nothing = nats_of_nothing(at, at.inside & ~covered);
  for (int32_t k = at.pairs_begin; k < at.pairs_end; ++k) {
    Pair& pair = pairs_[c][k];
    pair.nats = nats(pair.match, covered);
  }
}

void Candidates::find_near(size_t candidate, double reach_m, std::vector<size_t>* near) const {
  const Candidate& at = candidates_[candidate];
  const auto heights = static_cast<int32_t>(PeopleFusion::kHeights_m.size());
  const int cell = at.hypothesis / heights, x = cell % grid_.nx, y = cell / grid_.nx;
  const int reach = static_cast<int>(std::ceil(reach_m / grid_.cell_m));
  near->clear();
  for (int ny = std::max(0, y - reach); ny <= std::min(grid_.ny - 1, y + reach); ++ny)
    for (int nx = std::max(0, x - reach); nx <= std::min(grid_.nx - 1, x + reach); ++nx)
      for (int32_t h = 0; h < heights; ++h) {
        const int32_t number = candidate_of_[h + heights * (nx + grid_.nx * ny)];
        if (number >= 0 && distance_m(candidates_[number], at) <= reach_m)
          near->push_back(static_cast<size_t>(number));
      }
  std::sort(near->begin(), near->end());
}

uint32_t Candidates::hidden_by(size_t candidate, size_t c, size_t by) const {
  const BodyBox &body = box(candidate, c), &nearer = box(by, c);
  if (!known_[c] || !body.seen || !nearer.seen || nearer.distance_m >= body.distance_m) return 0;
  return covered_points(body.whole, nearer.whole);
}

void Candidates::cover_births(size_t begin, size_t end, size_t by, char* changed) {
  constexpr size_t kAtOnce = 64;
  std::array<char, kAtOnce> behind{};
  for (size_t c = 0; c < cameras(); ++c) {
    const BodyBox& nearer = box(by, c);
    if (!known_[c] || !nearer.seen) continue;
    const Outlines& of = outlines_[c];
    const Box& cover = nearer.whole;
    for (size_t from = begin; from < end; from += kAtOnce) {
      const size_t count = std::min(kAtOnce, end - from);
      char any = 0;
      for (size_t i = 0; i < count; ++i) {
        behind[i] = static_cast<char>((of.distance_m[from + i] > nearer.distance_m) &
                                      (of.left[from + i] < cover.right) & (of.right[from + i] > cover.left) &
                                      (of.top[from + i] < cover.bottom) & (of.bottom[from + i] > cover.top));
        any = static_cast<char>(any | behind[i]);
      }
      if (!any) continue;
      for (size_t i = from; i < from + count; ++i) {
        if (!behind[i - from] || i == by) continue;
        const uint32_t before = view(i, c).covered, covered = before | hidden_by(i, c, by);
        if (covered == before) continue;
        look(i, c, covered);
        changed[i] = 1;
      }
    }
  }
}

void Crowd::clear() {
  people_.clear();
  hidden_.clear();
  owner_.resize(candidates_.cameras());
  for (size_t c = 0; c < owner_.size(); ++c) owner_[c].assign(looks_.seen[c].size(), -1);
  explained_ = 0;
}

double Crowd::repulsion(size_t candidate, size_t except) const {
  double sum = 0;
  for (const size_t other : people_) {
    if (other == except) continue;
    const double away_m = distance_m(candidates_[candidate], candidates_[other]);
    if (away_m < kNearest_m) return std::numeric_limits<double>::infinity();
    sum += fusion_detail::repulsion(away_m);
  }
  return sum;
}

bool Crowd::add(size_t candidate) {
  kept_owner_ = owner_;
  push(candidate);
  const double with = explain();
  if (with > explained_) {
    explained_ = with;
    return true;
  }
  erase(people_.size() - 1);
  update_views(kNobody);
  owner_.swap(kept_owner_);
  return false;
}

void Crowd::remove(size_t place) {
  erase(place);
  explained_ = explain();
}

std::vector<double> Crowd::gains() {
  std::vector<double> gains;
  for (size_t i = 0; i < people_.size(); ++i) gains.push_back(explained_ - explain(i));
  explain();
  return gains;
}

void Crowd::push(size_t candidate) {
  people_.push_back(candidate);
  hidden_.emplace_back();
  for (size_t i = 0; i < people_.size(); ++i)
    for (size_t c = 0; c < candidates_.cameras(); ++c) {
      hidden_.back().push_back(candidates_.hidden_by(candidate, c, people_[i]));
      if (people_[i] != candidate) hidden_[i].push_back(candidates_.hidden_by(people_[i], c, candidate));
    }
}

void Crowd::erase(size_t place) {
  const auto at = static_cast<ptrdiff_t>(place), cameras = static_cast<ptrdiff_t>(candidates_.cameras());
  people_.erase(people_.begin() + at);
  hidden_.erase(hidden_.begin() + at);
  for (std::vector<uint32_t>& one : hidden_)
    one.erase(one.begin() + at * cameras, one.begin() + (at + 1) * cameras);
}

void Crowd::update_views(size_t except) {
  const size_t cameras = candidates_.cameras();
  for (size_t i = 0; i < people_.size(); ++i) {
    if (i == except) continue;
    for (size_t c = 0; c < cameras; ++c) {
      uint32_t covered = 0;
      for (size_t k = 0; k < people_.size(); ++k)
        if (k != except) covered |= hidden_[i][k * cameras + c];
      candidates_.set_covered(people_[i], c, covered);
    }
  }
}

// Assigns all people in all cameras best: returns the evidence explained. Fills in owner_.
double Crowd::explain(size_t except) {
  update_views(except);
  standing_.clear();
  double sum = 0;
  for (size_t i = 0; i < people_.size(); ++i) {
    if (i == except) continue;
    sum += candidates_[people_[i]].base;
    for (const size_t other : standing_)
      sum -= fusion_detail::repulsion(distance_m(candidates_[people_[i]], candidates_[other]));
    standing_.push_back(people_[i]);
  }
  for (size_t c = 0; c < candidates_.cameras(); ++c) sum += assign(c);
  return sum;
}

// Each person's best match, as long as no two share one.
double Crowd::assign(size_t c) {
  std::vector<int32_t>& owner = owner_[c];
  owner.assign(looks_.seen[c].size(), -1);
  double sum = 0;
  for (const size_t person : standing_) {
    const double nothing = candidates_.view(person, c).nothing;
    const Pair* best = nullptr;
    for (const Pair& pair : candidates_.pairs(person, c))
      if (pair.nats > (best ? best->nats : nothing)) best = &pair;
    sum += best ? best->nats : nothing;
    if (!best) continue;
    int32_t& has = owner[static_cast<size_t>(best->seen)];
    if (has >= 0) return assign_best(c);
    has = static_cast<int32_t>(person);
  }
  return sum;
}

double Crowd::assign_best(size_t c) {
  ScoreMatrix gains(static_cast<int>(standing_.size()), static_cast<int>(looks_.seen[c].size()));
  double sum = 0;
  for (size_t i = 0; i < standing_.size(); ++i) {
    const double nothing = candidates_.view(standing_[i], c).nothing;
    sum += nothing;
    for (const Pair& pair : candidates_.pairs(standing_[i], c))
      gains.at(static_cast<int>(i), pair.seen) = std::max(0.0, pair.nats - nothing);
  }
  std::vector<int32_t>& owner = owner_[c];
  owner.assign(looks_.seen[c].size(), -1);
  const std::vector<int> chosen = assign_maximum(gains);
  for (size_t i = 0; i < standing_.size(); ++i) {
    if (chosen[i] < 0 || gains.at(static_cast<int>(i), chosen[i]) <= 0) continue;
    sum += gains.at(static_cast<int>(i), chosen[i]);
    owner[chosen[i]] = static_cast<int32_t>(standing_[i]);
  }
  return sum;
}

}  // namespace vantage::fusion_detail
