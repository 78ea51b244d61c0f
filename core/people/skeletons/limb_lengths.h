// A person's limbs keep their lengths: these come from all frames of a person, and every frame's joints are
// then moved to where both what the cameras saw and the lengths are most likely.
//
// The length of a limb is the median over the frames in which both its joints are known, of left and right
// together. A limb's length is off by
//
//   r = (|a - b| - length) / sqrt(kLength_m^2 + u' C_a u + u' C_b u)
//
// with u the direction from a to b and C the joints' covariances. While any |r| exceeds kBroken, the joint
// that most such limbs share is dropped, of as many the least confident one: no joint rather than a wrong
// one. The rest is the minimum of
//
//   sum (x - p)' C^-1 (x - p) + sum ((|x_a - x_b| - length) / kLength_m)^2
//
// over the joints x about the triangulated places p, by Gauss-Newton steps.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "core/people/skeletons/skeletons.h"

namespace vantage {

inline constexpr double kLength_m = 0.02;  // standard deviation of a limb's length: joints are no points
inline constexpr double kBroken = 4;
inline constexpr int64_t kMinLengths = 10;  // fewer say nothing about a limb

// The lengths of one person's rigid limbs (Limb::rigid).
class LimbLengths {
 public:
  // A frame's skeleton, in any order.
  void add(const PersonSkeleton& skeleton);
  // The median, by the limb's name; limbs seen in fewer than kMinLengths are not there.
  std::map<std::string_view, double> lengths_m() const;

 private:
  std::map<std::string_view, std::vector<double>> seen_m_;
};

// The skeleton with limbs of these lengths. Covariances and confidences stay.
PersonSkeleton with_limb_lengths(PersonSkeleton skeleton,
                                 const std::map<std::string_view, double>& lengths_m);

}  // namespace vantage
