// Events of a project's rules as lines of events.jsonl.
#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/counting/rule_watch.h"
#include "core/pipeline/frame_result.h"
#include "core/project/project.h"

namespace vantage {

// One line without the newline. start_utc_s: the moment of frame 0, seconds since 1970; 0: not known.
std::string event_line(const FloorEvent& event, double frame_rate, double start_utc_s);

// Watches the rules while frames are analysed. An event is a line when it is raised, and one more with its
// last frame when it is over; a later line stands for an earlier one of the same rule, person and first
// frame.
class EventWriter {
 public:
  // Makes the folder's events.jsonl anew. Errors: io; invalid_argument: a rule names what is not there.
  static Result<std::unique_ptr<EventWriter>> open(const std::filesystem::path& folder,
                                                   const Project& project, double frame_rate);
  ~EventWriter();
  EventWriter(const EventWriter&) = delete;
  EventWriter& operator=(const EventWriter&) = delete;

  // The events that are news with this frame; they have been written.
  Result<std::vector<FloorEvent>> add(const FrameResult& result, double start_utc_s);
  int64_t raised() const { return raised_; }

 private:
  EventWriter(RuleWatch watch, double frame_rate) : watch_(std::move(watch)), frame_rate_(frame_rate) {}

  RuleWatch watch_;
  const double frame_rate_;
  std::filesystem::path path_;
  std::FILE* file_ = nullptr;
  int64_t raised_ = 0;
};

}  // namespace vantage
