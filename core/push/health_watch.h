// Changes in the health of live cameras, for messages: a camera that stops or shows something wrong is told
// once, and once more when all is well again.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/live/health.h"

namespace vantage {

struct HealthChange {
  CameraHealth camera;
  std::string problem;  // empty: all is well
  bool first = false;   // nothing was known of the camera before
};

class HealthWatch {
 public:
  // A state is told once it has lasted: cameras connect one after another, and a lost packet is no news.
  static constexpr int64_t kLasting_ns = 3'000'000'000;

  // `now_ns`: of trace_now_ns(); it rises.
  std::vector<HealthChange> add(const LiveHealth& health, int64_t now_ns);

 private:
  struct Known {
    std::string name;
    int told = -1, seen = -1;  // states; -1: none
    int64_t since_ns = 0;      // of `seen`
  };
  std::vector<Known> cameras_;
};

}  // namespace vantage
