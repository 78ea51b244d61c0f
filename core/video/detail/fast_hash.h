// A quick 64-bit hash for telling packets and pictures apart in memory; its values are never stored.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace vantage {

inline uint64_t fast_hash(const void* data, size_t size_bytes, uint64_t seed) {
  constexpr uint64_t kMultiplier = 0x9e3779b97f4a7c15ull;  // 2^64 / golden ratio
  const auto* p = static_cast<const unsigned char*>(data);
  uint64_t lanes[4] = {seed ^ size_bytes, seed + kMultiplier, seed ^ ~kMultiplier, seed - size_bytes};
  const auto mix = [](uint64_t h, uint64_t word) {
    h = (h ^ word) * kMultiplier;
    return h ^ (h >> 29);
  };
  size_t i = 0;
  for (; i + 32 <= size_bytes; i += 32) {
    uint64_t words[4];
    std::memcpy(words, p + i, 32);
    for (int lane = 0; lane < 4; ++lane) lanes[lane] = mix(lanes[lane], words[lane]);
  }
  for (; i < size_bytes; ++i) lanes[0] = mix(lanes[0], p[i]);
  uint64_t hash = seed;
  for (const uint64_t lane : lanes) hash = mix(hash, lane);
  return hash;
}

}  // namespace vantage
