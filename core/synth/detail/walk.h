// The walks of people: smooth paths from one chosen point to the next inside a square around the origin.
// No one comes closer to another than `min_distance_m`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace vantage::synth {

inline constexpr double min_distance_m = 0.6;  // between two people's axes, guaranteed
inline constexpr double area_margin_m = 0.4;   // kept between an axis and the border of the area

struct WalkState {
  double x_m = 0, y_m = 0;
  double heading_rad = 0;  // the body's, from +x counter-clockwise
  double distance_m = 0;   // walked since the start: drives the gait
};

class WalkPlan {
 public:
  // Simulated in steps of 20 ms from the seed. The caller checks that the area holds so many people.
  static WalkPlan make(int people, double area_m, double seconds, uint64_t seed);

  int people() const { return people_; }
  WalkState at(int person, double time_s) const;

 private:
  const WalkState& step(int person, size_t index) const { return steps_[index * people_ + person]; }
  void simulate_positions(double area_m, size_t count, uint64_t seed);
  void smooth_positions();
  void derive_headings();

  int people_ = 0;
  std::vector<WalkState> steps_;  // [step][person]
};

}  // namespace vantage::synth
