#include "core/results/results_events.h"

#include <cerrno>
#include <cstring>

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/pipeline/frame_people.h"

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

}  // namespace vantage
