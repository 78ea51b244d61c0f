#include "core/results/event_marks.h"

#include "core/base/file.h"
#include "core/base/folder_lock.h"
#include "core/base/json.h"

namespace vantage {
namespace {

constexpr char kSchema[] = "vantage-event-marks-1";

}  // namespace

std::string_view standing_name(EventStanding standing) {
  return kEventStandingNames[static_cast<size_t>(standing)];
}

std::string_view standing_text(EventStanding standing) {
  return standing == EventStanding::false_alarm ? "false alarm" : standing_name(standing);
}

std::optional<EventStanding> standing_named(std::string_view name) {
  for (size_t i = 0; i < kEventStandingNames.size(); ++i)
    if (kEventStandingNames[i] == name) return static_cast<EventStanding>(i);
  return std::nullopt;
}

EventKey key_of(const FloorEvent& event) {
  return {event.rule, event.id, event.raised_frame};
}

Result<EventMarks> read_event_marks(const std::filesystem::path& results_folder) {
  const std::filesystem::path path = results_folder / kEventMarksFile;
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
    mark.standing = standing_named(entry["standing"].get<std::string>()).value_or(EventStanding::fresh);
    mark.note = entry["note"];
    marks[{entry["rule"], entry["person"], entry["raised_frame"]}] = mark;
  }
  return marks;
}

std::string event_marks_json(const EventMarks& marks) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const auto& [key, mark] : marks)
    list.push_back({{"rule", key.rule},
                    {"person", key.person},
                    {"raised_frame", key.raised_frame},
                    {"standing", standing_name(mark.standing)},
                    {"note", mark.note}});
  return json_text(nlohmann::ordered_json{{"schema", kSchema}, {"marks", list}}, 1);
}

Status write_event_marks(const std::filesystem::path& results_folder, const EventMarks& marks) {
  VANTAGE_TRY(make_folder(results_folder));
  return write_file_atomically(results_folder / kEventMarksFile, event_marks_json(marks) + "\n");
}

Result<EventMarks> change_event_marks(const std::filesystem::path& results_folder,
                                      const EventMarks& changed) {
  VANTAGE_TRY(make_folder(results_folder));
  const FolderLock lock(results_folder / kEventMarksFile);
  VANTAGE_ASSIGN(EventMarks marks, read_event_marks(results_folder));
  for (const auto& [key, mark] : changed) marks[key] = mark;
  VANTAGE_TRY(write_event_marks(results_folder, marks));
  return marks;
}

}  // namespace vantage
