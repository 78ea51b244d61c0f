// Users' marks on events: seen or false alarm, with a note. Kept beside the results in
// event_marks.json.
#pragma once

#include <compare>
#include <filesystem>
#include <map>
#include <string>

#include "core/base/result.h"
#include "core/counting/rules.h"

namespace vantage {

enum class EventStanding : uint8_t { fresh, seen, false_alarm };

struct EventKey {
  std::string rule;
  int64_t person = 0, raised_frame = 0;
  auto operator<=>(const EventKey&) const = default;
};
EventKey key_of(const FloorEvent& event);

struct EventMark {
  EventStanding standing = EventStanding::fresh;
  std::string note;
};
using EventMarks = std::map<EventKey, EventMark>;

// No file: no marks. Errors: io, bad_data.
Result<EventMarks> read_event_marks(const std::filesystem::path& results_folder);
Status write_event_marks(const std::filesystem::path& results_folder, const EventMarks& marks);

}  // namespace vantage
