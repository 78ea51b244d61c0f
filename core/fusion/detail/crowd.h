// The people who are taken: who hides how much of whom, the best assignment of detections to them in each
// camera, and what all of them explain.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/fusion/detail/candidates.h"

namespace vantage::fusion_detail {

// Views of candidates who are people are kept up to date in `candidates`, those of others are not.
class Crowd {
 public:
  static constexpr size_t kNobody = std::numeric_limits<size_t>::max();

  Crowd(Candidates& candidates, const Looks& looks) : candidates_(candidates), looks_(looks) {}

  // No one is taken any more; the frame may be another one.
  void clear();
  // Takes a candidate if all explain more with it than without; whether they do.
  bool add(size_t candidate);
  void remove(size_t place);
  // Gain of each person: nats that all explain more with than without.
  std::vector<double> gains();

  const std::vector<size_t>& people() const { return people_; }  // candidates, in the order of their births
  bool holds(size_t candidate) const {
    return std::find(people_.begin(), people_.end(), candidate) != people_.end();
  }
  // The candidate to whom a used detection belongs; -1: to no one.
  int32_t owner(size_t camera, size_t seen) const { return owner_[camera][seen]; }
  // What a candidate close to people loses, `except` left out: infinite where no one stands so close.
  double repulsion(size_t candidate, size_t except) const;

 private:
  void push(size_t candidate);
  void erase(size_t place);
  void update_views(size_t except);
  double explain(size_t except = kNobody);
  double assign(size_t camera);
  double assign_best(size_t camera);

  Candidates& candidates_;
  const Looks& looks_;
  std::vector<size_t> people_;
  // Points of each person's box which each of the people covers, camera by camera of each.
  std::vector<std::vector<uint32_t>> hidden_;
  std::vector<std::vector<int32_t>> owner_, kept_owner_;  // by camera and used detection
  std::vector<size_t> standing_;                          // people who are explained: all, or all but one
  double explained_ = 0;
};

}  // namespace vantage::fusion_detail
