#include "core/fusion/detail/posterior.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace vantage::fusion_detail {
namespace {

// The hypotheses around one person, each as if it stood there in the person's place.
class Around {
 public:
  Around(const Candidates& candidates, const Crowd& crowd, size_t person)
      : candidates_(candidates), crowd_(crowd), person_(person) {
    candidates.find_near(person, kPosteriorReach_m, &near_);
    std::erase_if(near_, [&](size_t i) { return i != person && crowd.holds(i); });
    for (size_t c = 0; c < candidates.cameras(); ++c) nearer_.push_back(who_may_hide(c));
  }

  const std::vector<size_t>& near() const { return near_; }

  // With the detections that no one else has.
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

}  // namespace

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
  // A cell's own extent is part of what is not known.
  const double cell = candidates.cell_m() * candidates.cell_m() / 12;
  FusedPerson found;
  found.x_m = at.x_m + x, found.y_m = at.y_m + y, found.height_m = at.height_m + h;
  found.variance_x_m2 = xx / all - x * x + cell, found.variance_y_m2 = yy / all - y * y + cell;
  found.covariance_xy_m2 = xy / all - x * y;
  found.height_deviation_m = std::sqrt(std::max(0.0, hh / all - h * h));
  return found;
}

}  // namespace vantage::fusion_detail
