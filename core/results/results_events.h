// Writes events of a project's rules as lines of events.jsonl.
#pragma once

#include <array>
#include <compare>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/pipeline/frame_result.h"
#include "core/tracks/counting/rules.h"

namespace vantage {

// One line without the newline. start_utc_s: the time of frame 0, seconds since 1970; 0: unknown.
std::string event_line(const FloorEvent& event, double frame_rate, double start_utc_s);

// New events of this frame; frames whose people are unknown change nothing.
std::vector<FloorEvent> new_events(RuleWatch& rules, const FrameResult& result);

// Writes events of live cameras as they come: one line when an event is raised, and one with its last frame
// when it is over. A later line replaces an earlier one of the same rule, person and first frame.
class EventWriter {
 public:
  // Creates the folder's events.jsonl, replacing an existing one. Errors: io.
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

// Users' marks on events: seen, false alarm or exported, with a note. Stored next to the results in
// event_marks.json, which window, command line and server may change at the same time.

// exported: its pictures were exported as a case.
enum class EventStanding : uint8_t { fresh, seen, false_alarm, exported };
// Names in files, command line and server, by value.
inline constexpr std::array<std::string_view, 4> kEventStandingNames = {"new", "seen", "false_alarm",
                                                                        "exported"};
std::string_view standing_name(EventStanding standing);
std::optional<EventStanding> standing_named(std::string_view name);
std::string_view standing_text(EventStanding standing);  // for people: "false alarm"

struct EventKey {
  std::string rule;
  int64_t person = 0, raised_frame = 0;
  auto operator<=>(const EventKey&) const = default;
};
EventKey key_of(const FloorEvent& event);

struct EventMark {
  EventStanding standing = EventStanding::fresh;
  std::string note;
  bool operator==(const EventMark&) const = default;
};
using EventMarks = std::map<EventKey, EventMark>;

inline constexpr const char* kEventMarksFile = "event_marks.json";

// No file: no marks. Errors: io, bad_data.
Result<EventMarks> read_event_marks(const std::filesystem::path& results_folder);
Status write_event_marks(const std::filesystem::path& results_folder, const EventMarks& marks);
// Replaces the marks of the same events; marks that others have written meanwhile are kept. Returns all.
// Errors: io, bad_data.
Result<EventMarks> change_event_marks(const std::filesystem::path& results_folder, const EventMarks& changed);
// The document of event_marks.json.
std::string event_marks_json(const EventMarks& marks);

}  // namespace vantage
