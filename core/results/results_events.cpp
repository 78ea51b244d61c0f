#include "core/results/results_events.h"

#include <fmt/core.h>

#include <cerrno>
#include <cstring>

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/process_owner.h"
#include "core/pipeline/frame_people.h"
#include "core/seal/custody.h"

namespace vantage {
namespace {

std::vector<FloorPerson> numbered_people(const FrameResult& result) {
  std::vector<FloorPerson> people;
  for (const FramePerson& person : people_of(result))
    if (person.id() > 0)
      people.push_back({person.id(), person.track->x_m, person.track->y_m, person.track->height_m,
                        person.found.confidence});
  return people;
}

}  // namespace

std::vector<FloorEvent> new_events(RuleWatch& rules, const FrameResult& result) {
  if (!people_count(result)) return {};
  return rules.add(result.frame, numbered_people(result));
}

std::string event_line(const FloorEvent& event, double frame_rate, double start_utc_s) {
  const double raised_s = static_cast<double>(event.raised_frame) / frame_rate;
  nlohmann::ordered_json line = {{"rule", event.rule}};
  line["person"] = event.id > 0 ? nlohmann::ordered_json(event.id) : nlohmann::ordered_json();
  line["first_frame"] = event.first_frame, line["raised_frame"] = event.raised_frame;
  line["last_frame"] =
      event.last_frame ? nlohmann::ordered_json(*event.last_frame) : nlohmann::ordered_json();
  line["raised_s"] = raised_s;
  if (start_utc_s > 0) line["raised_utc_s"] = start_utc_s + raised_s;
  line["x_m"] = event.x_m, line["y_m"] = event.y_m, line["value"] = event.value;
  return json_text(line);
}

Result<std::unique_ptr<EventWriter>> EventWriter::open(const std::filesystem::path& folder,
                                                       double frame_rate) {
  VANTAGE_TRY(make_folder(folder));
  std::unique_ptr<EventWriter> writer(new EventWriter(frame_rate));
  writer->path_ = folder / "events.jsonl";
  writer->file_ = std::fopen(writer->path_.c_str(), "wb");
  if (!writer->file_)
    return fail(ErrorKind::io, std::string("cannot be written: ") + std::strerror(errno),
                writer->path_.string(), "Choose a folder you can write to.");
  return writer;
}

EventWriter::~EventWriter() {
  if (file_) std::fclose(file_);
}

Status EventWriter::write(std::span<const FloorEvent> events, double start_utc_s) {
  std::string lines;
  for (const FloorEvent& event : events) lines += event_line(event, frame_rate_, start_utc_s) + "\n";
  if (std::fwrite(lines.data(), 1, lines.size(), file_) == lines.size() && std::fflush(file_) == 0) return {};
  return fail(ErrorKind::io, std::string("cannot be written: ") + std::strerror(errno), path_.string(),
              "Free some space.");
}

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
  CustodyDetails judged;
  for (const auto& [key, mark] : changed) {
    std::string& standings = judged[std::string(standing_name(mark.standing))];
    standings += fmt::format("{}{}, person {}, frame {}", standings.empty() ? "" : "; ", key.rule, key.person,
                             key.raised_frame);
  }
  std::filesystem::path project = results_folder;
  note_custody(project.replace_extension(".vantage"), "events judged", judged);
  return marks;
}

}  // namespace vantage
