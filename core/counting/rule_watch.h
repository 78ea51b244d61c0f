// Rules over people as they come, frame after frame: the events of find_events() as soon as they are raised.
//
// Keeps the ways of the last kMemory_s and goes through them every kEvery_s; an event is told at most that
// much after it was raised. What began longer ago counts from then on.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "core/counting/rules.h"

namespace vantage {

class RuleWatch {
 public:
  static constexpr double kMemory_s = 600, kEvery_s = 0.5;

  // Errors (invalid_argument): a rule names a zone or line that is not there.
  static Result<RuleWatch> make(std::vector<FloorRule> rules, std::vector<FloorZone> zones,
                                std::vector<FloorLine> lines, double frame_rate);

  // The people of a frame with known people; frames rise. Gives the events that were raised or have ended
  // since: an event comes once when it is raised, and once more with its last frame.
  std::vector<FloorEvent> add(int64_t frame, std::span<const FloorPerson> people);
  int64_t raised() const { return raised_; }  // so far

 private:
  using Key = std::tuple<std::string, int64_t, int64_t>;  // rule, person, since when
  RuleWatch() = default;
  std::vector<FloorEvent> look(int64_t frame);
  void forget_before(int64_t frame);

  std::vector<FloorRule> rules_;
  std::vector<FloorZone> zones_;
  std::vector<FloorLine> lines_;
  double frame_rate_ = 0;
  std::map<int64_t, PersonPath> paths_;
  std::vector<int64_t> frames_;
  int64_t next_look_ = INT64_MIN, raised_ = 0;
  std::set<Key> told_;
  std::map<std::pair<std::string, int64_t>, FloorEvent> open_;  // by rule and person
};

}  // namespace vantage
