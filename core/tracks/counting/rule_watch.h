// Rules over people as they come, frame after frame: the events of find_events() as soon as they are raised.
//
// Keeps the ways of the last kMemory_s, or of kMemoryOfLongest times what the slowest rule takes, and goes
// through them every kEvery_s; an event is told at most that much after it was raised. What has lasted longer
// than that stays one event; entering and leaving then end with the person.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "core/tracks/counting/rules.h"

namespace vantage {

class RuleWatch {
 public:
  static constexpr double kMemory_s = 600, kMemoryOfLongest = 3, kEvery_s = 0.5;

  // Errors (invalid_argument): a rule names a zone or line that is not there.
  static Result<RuleWatch> make(std::vector<FloorRule> rules, std::vector<FloorZone> zones,
                                std::vector<FloorLine> lines, double frame_rate);

  // The people of a frame with known people; frames rise. Gives the events that were raised or have ended
  // since: an event comes once when it is raised, and once more with its last frame.
  std::vector<FloorEvent> add(int64_t frame, std::span<const FloorPerson> people);
  int64_t raised() const { return raised_; }  // so far

 private:
  using Key = std::tuple<std::string, int64_t, int64_t>;  // rule, person, since when
  using Who = std::pair<std::string, int64_t>;            // rule and person
  RuleWatch() = default;
  std::vector<FloorEvent> look(int64_t frame);
  std::vector<FloorEvent> follow_open(const std::vector<FloorEvent>& found, int64_t frame);
  bool still_here(int64_t id) const;
  int64_t memory_frames() const;
  void forget_before(int64_t frame);

  std::vector<FloorRule> rules_;
  std::vector<FloorZone> zones_;
  std::vector<FloorLine> lines_;
  double frame_rate_ = 0, memory_s_ = kMemory_s;
  std::map<int64_t, PersonPath> paths_;
  std::vector<int64_t> frames_;
  int64_t next_look_ = INT64_MIN, last_look_ = INT64_MIN, raised_ = 0;
  std::set<Key> told_;
  std::map<Who, FloorEvent> open_;  // as they were told
};

}  // namespace vantage
