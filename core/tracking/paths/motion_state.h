// The state that a path keeps of how its person moves and how tall they are.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/people/floor_person.h"
#include "core/tracking/paths/path_tracker.h"

namespace vantage::path_detail {

// The share of a full look that one so long after another counts as.
inline double look_weight(double seconds) {
  return std::min(seconds / kIndependent_s, 1.0);
}

// The power of a look's weight where people come from masks. They are weak evidence: at 1, by time alone, a
// man whom they show in part at 10 frames/s is lost. Chosen on ufes-lab-4cam; detections count by time.
inline constexpr double kMaskLooks = 0.85;

// A frame that was examined, or counts as such.
struct Look {
  int64_t frame = 0;
  double before_s = 0;  // what all looks before it count as, together
  double since_s = 0;   // from the look before it
  double weight = 1;    // share of a full look that it counts as
  bool examined = true;
  bool apart = false;  // longer after the examined one before it than any path is lost
  double counts_s() const { return kIndependent_s * weight; }
};

// Place and velocity by a Kalman filter; both axes have the same covariance.
struct MotionState {
  double x_m = 0, y_m = 0, speed_x = 0, speed_y = 0;
  double place_variance = 0, covariance = 0, speed_variance = 0;
  int64_t frame = 0;
  bool started = false;
};

// Sums over the heights that were seen, each weighted as its look.
struct HeightSums {
  double count = 0, sum = 0, squares = 0;
  void add(double height_m, double weight) {
    count += weight, sum += weight * height_m, squares += weight * height_m * height_m;
  }
  // In nats, for one unknown true height; nothing for the first.
  double cost(double deviation_m) const {
    if (count <= 0) return 0;
    return (squares - sum * sum / count) / (2 * deviation_m * deviation_m) +
           std::log(std::max(count, 1.0)) / 2;
  }
};
inline HeightSums operator+(HeightSums a, const HeightSums& b) {
  a.count += b.count, a.sum += b.sum, a.squares += b.squares;
  return a;
}
inline HeightSums operator-(HeightSums a, const HeightSums& b) {
  a.count -= b.count, a.sum -= b.sum, a.squares -= b.squares;
  return a;
}

// How fast a person who appears may already be.
inline constexpr double kFirstSpeed_m_per_s = 1;
// The time in which a velocity fades, as people turn and stop. Chosen on the ground truth of cmc-detections.
inline constexpr double kKeepsVelocity_s = 2;
// The most that a position far from where it is expected costs: detections have outliers.
inline constexpr double kFarthest_nats = 12;

inline MotionState motion_start(const FloorPerson& person, int64_t frame, const PathParameters& p) {
  return {person.x_m,
          person.y_m,
          0,
          0,
          p.place_jitter_m * p.place_jitter_m,
          0,
          kFirstSpeed_m_per_s * kFirstSpeed_m_per_s,
          frame,
          true};
}

// A time between two sightings: how far a velocity of 1 m/s leads, how much of it is left, and what
// accelerations add to the variances that last kIndependent_s and are independent of those before (an
// integrated Ornstein-Uhlenbeck process; R. A. Singer, "Estimating optimal tracking filter performance for
// manned maneuvering targets", IEEE AES 1970).
struct Lapse {
  double seconds = 0, leads_s = 0, kept = 1;
  double place_variance = 0, covariance = 0, speed_variance = 0;
};
inline Lapse lapse_of(double seconds, const PathParameters& p) {
  const double t = kKeepsVelocity_s, lost = -std::expm1(-seconds / t), kept = 1 - lost;
  const double changes = p.acceleration_m_per_s2 * p.acceleration_m_per_s2 * kIndependent_s;  // m^2/s^3
  return {seconds,
          t * lost,
          kept,
          changes * t * t * (seconds - 2 * t * lost + t * lost * (1 + kept) / 2),
          changes * t * t / 2 * lost * lost,
          changes * t / 2 * lost * (1 + kept)};
}

// What is expected after the lapse, before anyone is seen.
inline MotionState expected_after(MotionState state, const Lapse& lapse) {
  const double leads = lapse.leads_s, kept = lapse.kept;
  state.x_m += leads * state.speed_x, state.y_m += leads * state.speed_y;
  state.speed_x *= kept, state.speed_y *= kept;
  state.place_variance +=
      2 * leads * state.covariance + leads * leads * state.speed_variance + lapse.place_variance;
  state.covariance = kept * (state.covariance + leads * state.speed_variance) + lapse.covariance;
  state.speed_variance = kept * kept * state.speed_variance + lapse.speed_variance;
  return state;
}

// Goes on to where the person is seen; how much that surprises, in nats: 0 at a certain position. Errors of
// looks shortly one after the other are the same: such a position weighs less, and teaches less.
inline double motion_step(MotionState& state, const FloorPerson& person, int64_t frame, const Lapse& lapse,
                          const PathParameters& p) {
  state = expected_after(state, lapse);
  const double usual = p.place_jitter_m * p.place_jitter_m, weight = look_weight(lapse.seconds);
  const double dx = person.x_m - state.x_m, dy = person.y_m - state.y_m;
  const double spread = state.place_variance + usual, taught = state.place_variance + usual / weight;
  const double gain = state.place_variance / taught, speed_gain = state.covariance / taught;
  state.x_m += gain * dx, state.y_m += gain * dy;
  state.speed_x += speed_gain * dx, state.speed_y += speed_gain * dy;
  state.speed_variance -= speed_gain * state.covariance;
  state.place_variance *= 1 - gain, state.covariance *= 1 - gain;
  state.frame = frame;
  return weight * (std::min((dx * dx + dy * dy) / (2 * spread), kFarthest_nats) + std::log(spread / usual));
}
inline double motion_step(MotionState& state, const FloorPerson& person, int64_t frame, double frame_rate,
                          const PathParameters& p) {
  return motion_step(state, person, frame, lapse_of(static_cast<double>(frame - state.frame) / frame_rate, p),
                     p);
}

}  // namespace vantage::path_detail
