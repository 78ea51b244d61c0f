#include "core/results/event_marks.h"

#include "core/base/file.h"
#include "core/base/json.h"

namespace vantage {
namespace {

constexpr char kSchema[] = "vantage-event-marks-1";
constexpr char kFile[] = "event_marks.json";

const char* name_of(EventStanding standing) {
  return standing == EventStanding::seen          ? "seen"
         : standing == EventStanding::false_alarm ? "false_alarm"
                                                  : "new";
}

}  // namespace

EventKey key_of(const FloorEvent& event) {
  return {event.rule, event.id, event.raised_frame};
}

Result<EventMarks> read_event_marks(const std::filesystem::path& results_folder) {
  const std::filesystem::path path = results_folder / kFile;
  std::error_code none;
  if (!std::filesystem::exists(path, none)) return EventMarks();
  VANTAGE_ASSIGN(const std::string text, read_file(path));
  const nlohmann::json document = parse_json(text);
  const auto damaged = [&] {
    return fail(ErrorKind::bad_data, "is not a list of events' marks", path.string(), "Remove it.");
  };
  if (!document.is_object() || document.value("schema", nlohmann::json()) != kSchema ||
      !document.contains("marks") || !document["marks"].is_array())
    return damaged();
  EventMarks marks;
  for (const nlohmann::json& entry : document["marks"]) {
    const auto text_in = [&](const char* name) {
      return entry.is_object() && entry.contains(name) && entry[name].is_string();
    };
    const auto number_in = [&](const char* name) {
      return entry.is_object() && entry.contains(name) && entry[name].is_number_integer();
    };
    if (!text_in("rule") || !text_in("standing") || !text_in("note") || !number_in("person") ||
        !number_in("raised_frame"))
      return damaged();
    EventMark mark;
    for (const EventStanding standing : {EventStanding::seen, EventStanding::false_alarm})
      if (entry["standing"] == name_of(standing)) mark.standing = standing;
    mark.note = entry["note"];
    marks[{entry["rule"], entry["person"], entry["raised_frame"]}] = mark;
  }
  return marks;
}

Status write_event_marks(const std::filesystem::path& results_folder, const EventMarks& marks) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const auto& [key, mark] : marks)
    list.push_back({{"rule", key.rule},
                    {"person", key.person},
                    {"raised_frame", key.raised_frame},
                    {"standing", name_of(mark.standing)},
                    {"note", mark.note}});
  const nlohmann::ordered_json document = {{"schema", kSchema}, {"marks", list}};
  VANTAGE_TRY(make_folder(results_folder));
  return write_file_atomically(results_folder / kFile, json_text(document, 1) + "\n");
}

}  // namespace vantage
