#include "core/fusion/detail/crowd.h"

#include "core/base/assignment.h"

namespace vantage::fusion_detail {

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

// The best assignment of all people in all cameras: what it explains. Fills in owner_.
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

// Everybody's favourite, as long as no two have the same.
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
    owner[static_cast<size_t>(chosen[i])] = static_cast<int32_t>(standing_[i]);
  }
  return sum;
}

}  // namespace vantage::fusion_detail
