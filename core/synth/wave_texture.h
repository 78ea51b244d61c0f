// A smooth random texture, to be sampled anywhere: pictures of it that are moved by any field are what
// optical flow can follow.
#pragma once

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

namespace vantage {

// Grey levels around 128, most of them from 0 to 255: a sum of 40 waves in all directions.
class WaveTexture {
 public:
  explicit WaveTexture(uint64_t seed, double shortest_wave_px = 6, double longest_wave_px = 60) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> unit(0, 1);
    for (int i = 0; i < 40; ++i) {
      const double length = shortest_wave_px * std::pow(longest_wave_px / shortest_wave_px, unit(random));
      const double angle = 6.2831853 * unit(random), wave = 6.2831853 / length;
      waves_.push_back({wave * std::cos(angle), wave * std::sin(angle), 6.2831853 * unit(random)});
    }
  }
  double operator()(double x, double y) const {
    double sum = 0;
    for (const Wave& wave : waves_) sum += std::sin(wave.x * x + wave.y * y + wave.phase);
    return 128 + 100 * sum / std::sqrt(static_cast<double>(waves_.size()) * 4);
  }

 private:
  struct Wave {
    double x, y, phase;
  };
  std::vector<Wave> waves_;
};

}  // namespace vantage
