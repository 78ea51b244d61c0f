// When events are recorded (recording.events): from the first one on, until none has lasted for after_s.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <tuple>

#include "core/tracks/counting/rules.h"

namespace vantage {

class EventTrigger {
 public:
  // `after`: frames.
  explicit EventTrigger(int64_t after) : after_(after) {}

  void set_after(int64_t after) { after_ = after; }
  // Events as RuleWatch tells them, raised or over.
  void add(std::span<const FloorEvent> events);
  // Whether events are to be recorded at that frame.
  bool wanted(int64_t frame) const { return !open_.empty() || frame <= until_; }
  int64_t raised_frame() const {
    return raised_frame_;
  }  // of the first event of the last add() that raised one

 private:
  using Key = std::tuple<std::string, int64_t, int64_t>;  // rule, person, since when

  int64_t after_;
  std::set<Key> open_;
  int64_t until_ = -1, raised_frame_ = -1;
};

}  // namespace vantage
