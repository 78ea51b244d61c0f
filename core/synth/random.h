// Random numbers that are the same on every machine: the standard library's distributions are not.
#pragma once

#include <cstdint>

namespace vantage::synth {

// SplitMix64's finisher (G. L. Steele et al., "Fast splittable pseudorandom number generators", 2014).
constexpr uint64_t mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15ull;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

class Random {
 public:
  // `purpose` separates streams of one seed.
  Random(uint64_t seed, uint64_t purpose) : state_(mix(seed ^ mix(purpose))) {}
  uint64_t bits() { return mix(state_++); }
  double uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }  // [0, 1)
  double uniform(double low, double high) { return low + (high - low) * uniform(); }
  int below(int count) { return static_cast<int>(bits() % static_cast<uint64_t>(count)); }

 private:
  uint64_t state_;
};

// A number in [0, 1) for a lattice point: textures are made of these.
inline float lattice(int x, int y, uint32_t salt) {
  uint32_t h =
      static_cast<uint32_t>(x) * 0x8da6b343u ^ static_cast<uint32_t>(y) * 0xd8163841u ^ salt * 0xcb1ab31fu;
  h = (h ^ (h >> 16)) * 0x7feb352du;
  h = (h ^ (h >> 15)) * 0x846ca68bu;
  return static_cast<float>((h ^ (h >> 16)) >> 8) * 0x1p-24f;
}

}  // namespace vantage::synth
