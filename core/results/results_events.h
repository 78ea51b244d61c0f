// Events of a project's rules as lines of events.jsonl.
#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/pipeline/frame_result.h"
#include "core/tracks/counting/rule_watch.h"

namespace vantage {

// One line without the newline. start_utc_s: the instant of frame 0, seconds since 1970; 0: not known.
std::string event_line(const FloorEvent& event, double frame_rate, double start_utc_s);

// Events that are new by the rules with this frame; frames whose people are unknown change nothing.
std::vector<FloorEvent> new_events(RuleWatch& rules, const FrameResult& result);

// Events of live cameras as they come. One is a line when it is raised, and one more with its last frame when
// it is over; a later line stands for an earlier one of the same rule, person and first frame.
class EventWriter {
 public:
  // Makes the folder's events.jsonl again. Errors: io.
  static Result<std::unique_ptr<EventWriter>> open(const std::filesystem::path& folder, double frame_rate);
  ~EventWriter();
  EventWriter(const EventWriter&) = delete;
  EventWriter& operator=(const EventWriter&) = delete;

  Status write(std::span<const FloorEvent> events, double start_utc_s);

 private:
  explicit EventWriter(double frame_rate) : frame_rate_(frame_rate) {}

  const double frame_rate_;
  std::filesystem::path path_;
  std::FILE* file_ = nullptr;
};

}  // namespace vantage
