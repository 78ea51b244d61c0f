// How a target of messages is doing.
#pragma once

#include <cstdint>
#include <string>

namespace vantage {

struct PushState {
  std::string target;
  std::string destination;
  int64_t delivered = 0;    // since the program has it open
  int64_t waiting = 0;      // on the disk, other programs' among them
  int64_t failures = 0;     // attempts since the last delivery
  bool allowed = true;      // on this machine (push_consent.h); otherwise nothing is queued for it
  std::string problem;      // why nothing is sent; empty: all is well
  std::string last_answer;  // of the last delivery
  bool operator==(const PushState&) const = default;
};

}  // namespace vantage
