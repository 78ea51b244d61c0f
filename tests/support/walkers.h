// People who walk about on a floor, found in most frames: what trackers are given, without footage.
#pragma once

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "core/tracking/paths/path_tracker.h"

namespace vantage::test {

struct WalkerOptions {
  int people = 12, frames = 400;
  double area_m = 6, rate = 25, found_share = 0.9, jitter_m = 0.04;
  bool velocities = false;
};

// Everybody turns slowly and keeps to the floor; one comes and goes. Detections have no order; rejected peaks
// stand anywhere. A frame in fifty is missing.
inline std::vector<SeenFrame> walkers(const WalkerOptions& options, std::mt19937& random) {
  struct Walker {
    double x = 0, y = 0, angle = 0, speed = 1, height = 1.7;
  };
  std::uniform_real_distribution<double> place(0, options.area_m), share(0, 1);
  std::normal_distribution<double> jitter(0, 1);
  std::vector<Walker> all;
  for (int i = 0; i < options.people; ++i)
    all.push_back(
        {place(random), place(random), 6.3 * share(random), 0.5 + share(random), 1.6 + 0.3 * share(random)});
  std::vector<SeenFrame> seen;
  for (int f = 0; f < options.frames; ++f) {
    SeenFrame frame{f, {}, {}};
    for (size_t i = 0; i < all.size(); ++i) {
      Walker& walker = all[i];
      walker.angle += 0.05 * jitter(random);
      const double middle = options.area_m / 2;
      if (std::hypot(walker.x - middle, walker.y - middle) > middle)
        walker.angle = std::atan2(middle - walker.y, middle - walker.x);
      const double vx = walker.speed * std::cos(walker.angle), vy = walker.speed * std::sin(walker.angle);
      walker.x += vx / options.rate, walker.y += vy / options.rate;
      const bool away = i == 0 && f / 60 % 2 == 1;
      if (away || share(random) > options.found_share) continue;
      FloorPerson person{0, walker.x + options.jitter_m * jitter(random),
                         walker.y + options.jitter_m * jitter(random), walker.height,
                         0.6 + 0.35 * share(random)};
      if (options.velocities)
        person.velocity_m_per_s = {vx + 0.1 * jitter(random), vy + 0.1 * jitter(random)};
      frame.people.push_back(person);
    }
    std::shuffle(frame.people.begin(), frame.people.end(), random);
    if (share(random) < 0.3) frame.rejected.push_back({0, place(random), place(random), 1.7, share(random)});
    if (share(random) > 0.02) seen.push_back(std::move(frame));
  }
  return seen;
}

}  // namespace vantage::test
