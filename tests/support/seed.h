// The seed of this run's random cases: VANTAGE_TEST_SEED, or a new one each time. Printed once, so that a
// failure can be repeated.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <random>

namespace vantage::test {

inline uint32_t test_seed() {
  static const uint32_t seed = [] {
    const char* set = std::getenv("VANTAGE_TEST_SEED");
    const uint32_t value =
        set ? static_cast<uint32_t>(std::strtoul(set, nullptr, 10)) : std::random_device{}();
    std::cout << "VANTAGE_TEST_SEED=" << value << std::endl;
    return value;
  }();
  return seed;
}

}  // namespace vantage::test
