// How often a long loop runs: as the environment variable says, otherwise as often as finds the faults that
// it was written for in the time that the suite has. `installer/check loops` names the full sizes.
#pragma once

#include <cstdlib>

namespace vantage::test {

inline int loop_size(const char* variable, int usual) {
  const char* set = std::getenv(variable);
  return set ? std::atoi(set) : usual;
}

}  // namespace vantage::test
