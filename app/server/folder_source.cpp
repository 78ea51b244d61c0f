#include "app/server/folder_source.h"

#include "app/server/file_feed.h"
#include "app/server/stored_files.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/export/case/case_people.h"
#include "core/results/results_events.h"
#include "core/results/results_reader.h"

namespace vantage::server {
namespace {

using nlohmann::ordered_json;

}  // namespace

Result<std::unique_ptr<FolderSource>> FolderSource::open(const std::filesystem::path& folder, bool clips) {
  const std::filesystem::path path = results_file(folder);
  VANTAGE_ASSIGN(FrameLines file, FrameLines::open(path));
  VANTAGE_TRY(parse_header_line(file.header(), path));
  std::unique_ptr<FolderSource> source(new FolderSource(folder, std::move(file), clips));
  VANTAGE_ASSIGN(source->count_, source->file_->count());
  return source;
}

FolderSource::FolderSource(std::filesystem::path folder, FrameLines file, bool clips)
    : folder_(std::move(folder)),
      file_(std::make_shared<const FrameLines>(std::move(file))),
      facts_(file_->header()),
      clips_(clips) {}

Result<int64_t> FolderSource::latest() const {
  VANTAGE_ASSIGN(const std::string last, line(std::nullopt));
  return frame_of_line(last).value_or(0);
}

ordered_json FolderSource::status() const {
  ordered_json status = facts_.status();
  const Result<int64_t> last = latest();
  status["kind"] = "results";
  status["running"] = false;
  status["clips"] = clips_;
  status["frames"] = {{"done", count_.lines},
                      {"total", count_.lines},
                      {"latest", last ? ordered_json(*last) : ordered_json()},
                      {"people_unknown", count_.unknown}};
  for (const char* unknown : {"frames_per_second", "latency_ms"}) status[unknown] = nullptr;
  status["cameras"] = ordered_json::array();
  for (const std::string& name : facts_.cameras())
    status["cameras"].push_back({{"name", name}, {"here", nullptr}, {"problem", nullptr}});
  status["live"] = nullptr;
  return status;
}

Result<std::string> FolderSource::line(std::optional<int64_t> frame) const {
  if (frame) return file_->line(*frame);
  VANTAGE_ASSIGN(std::optional<std::string> last, file_->last());
  if (!last)
    return fail(ErrorKind::not_found, "the results hold no frame", {}, "Analyse the recording first.");
  return std::move(*last);
}

Result<FrameLines::Range> FolderSource::lines(int64_t from, int64_t to) const {
  return file_->range(from, to, kMaxLines, kMaxBytes);
}

std::unique_ptr<Feed> FolderSource::feed(std::optional<int64_t> after) const {
  return std::make_unique<FileFeed>(file_, closed_, after);
}

Result<FramePicture> FolderSource::picture(std::optional<int64_t> frame, PictureKind kind,
                                           size_t camera) const {
  FramePicture picture;
  if (frame) {
    picture.frame = *frame;
  } else {
    VANTAGE_ASSIGN(picture.frame, latest());
  }
  const std::string name = of_camera(kind) ? facts_.cameras().at(camera) : std::string();
  VANTAGE_ASSIGN(picture.bytes, stored_picture(folder_, picture.frame, kind, name));
  return picture;
}

Result<FrameStill> FolderSource::still(std::optional<int64_t>, size_t, const StillMarks&) const {
  return fail(ErrorKind::not_found, "no run is in progress");
}

// Events of a recording are those that the project's rules find now, with its repairs, as the window shows
// them.
Result<FileBody> FolderSource::table(StoredTable table) const {
  if (table == StoredTable::tracks) return stored_table(folder_, table);
  Result<std::string> found = found_events();
  if (found) return text_as_file(*found);
  if (found.error().kind == ErrorKind::not_found) return stored_table(folder_, table);
  return fail(std::move(found).error());
}

// not_found: the results are of live cameras, which had events of their own, or their project is not there.
Result<std::string> FolderSource::found_events() const {
  VANTAGE_ASSIGN(const std::filesystem::path file, project_of_results(folder_, facts_.project()));
  std::error_code none;
  const auto changed = std::filesystem::last_write_time(file, none);
  const std::lock_guard lock(mutex_);
  if (events_of_ == changed) return events_;
  VANTAGE_ASSIGN(const Project project, load_project(file));
  if (project.live() || std::filesystem::exists(folder_ / "events.jsonl", none))
    return fail(ErrorKind::not_found, "events were written");
  VANTAGE_ASSIGN(const CasePeople people, CasePeople::read(project, folder_));
  const RecordedPeople& recorded = people.recorded();
  VANTAGE_ASSIGN(const std::vector<FloorEvent> events,
                 find_events(recorded.range(), project.rules, project.zones, project.lines));
  const std::optional<RecordingClock> clock = find_clock(project);
  events_.clear();
  for (const FloorEvent& event : events)
    events_ += event_line(event, recorded.frame_rate, clock ? clock->start_utc_s : 0) + "\n";
  events_of_ = changed;
  return events_;
}

Result<Project> FolderSource::recording(FrameRange) const {
  if (!clips_) return pictures_not_served();
  VANTAGE_ASSIGN(const std::filesystem::path file, project_of_results(folder_, facts_.project()));
  VANTAGE_ASSIGN(Project project, load_project(file));
  if (project.live())
    return fail(ErrorKind::not_found, "the live cameras' pictures were not kept", {},
                "Clips are of recordings: record the cameras, and serve the recording's results.");
  return project;
}

Result<std::string> FolderSource::timings() const {
  Result<std::string> timings = read_file(folder_ / "timings.json");
  if (!timings && timings.error().kind == ErrorKind::not_found)
    return fail(ErrorKind::not_found, "there are no timings", {}, "An interrupted run leaves none.");
  if (!timings) return timings;
  return facts_.without_places(std::move(*timings));
}

}  // namespace vantage::server
