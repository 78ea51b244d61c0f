#include "app/server/folder_source.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "app/server/feed.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/export/case/case_people.h"
#include "core/results/frame_lines.h"
#include "core/results/results_events.h"
#include "core/results/results_pictures.h"
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
    return fail(ErrorKind::not_found, "the results have no frame", {}, "Analyse the recording first.");
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

// Events of a recording come from the project's present rules and repairs, as in the window.
Result<FileBody> FolderSource::table(StoredTable table) const {
  if (table == StoredTable::tracks) return stored_table(folder_, table);
  Result<std::string> found = found_events();
  if (found) return text_as_file(*found);
  if (found.error().kind == ErrorKind::not_found) return stored_table(folder_, table);
  return fail(std::move(found).error());
}

// not_found: the results are of live cameras, which had their own events, or their project does not exist.
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
                "Clips need a recording: record the cameras, and serve the recording's results.");
  return project;
}

Result<std::string> FolderSource::timings() const {
  Result<std::string> timings = read_file(folder_ / "timings.json");
  if (!timings && timings.error().kind == ErrorKind::not_found)
    return fail(ErrorKind::not_found, "there are no timings", {}, "An interrupted run leaves none.");
  if (!timings) return timings;
  return facts_.without_places(std::move(*timings));
}

Result<FileBody> stored_table(const std::filesystem::path& folder, StoredTable table) {
  const bool tracks = table == StoredTable::tracks;
  const std::string whole = tracks ? "tracks.csv" : "events.jsonl";
  for (const std::string& name : {whole + ".part", whole}) {
    std::FILE* file = std::fopen((folder / name).c_str(), "rbe");
    if (!file) continue;
    FileBody body;
    body.file.reset(file, [](std::FILE* open) { std::fclose(open); });
    VANTAGE_ASSIGN(body.bytes, whole_lines_bytes(::fileno(file), name.c_str()));
    return body;
  }
  return tracks
             ? fail(ErrorKind::not_found, "there are no tracks", {},
                    "People are tracked in projects with a calibration.")
             : fail(ErrorKind::not_found, "there are no events", {},
                    "Rules of a project make them of live cameras, and `vantage-cli count` of recordings.");
}

Result<std::string> stored_picture(const std::filesystem::path& folder, int64_t frame, PictureKind kind,
                                   const std::string& camera) {
  const auto file = [&](const std::filesystem::path& place, const char* extension) {
    return folder / place / frame_file_name(frame, extension);
  };
  const auto missing = [&](const std::string& what, const std::string& remedy) {
    return fail(ErrorKind::not_found, "the results have no " + what + " of frame " + std::to_string(frame),
                {}, remedy);
  };
  const auto stored = [&](const std::filesystem::path& place, const char* extension, const char* what,
                          const char* option) -> Result<std::string> {
    Result<std::string> bytes = read_file(file(place, extension));
    if (bytes || bytes.error().kind != ErrorKind::not_found) return bytes;
    return missing(what, std::string("`vantage-cli run ") + option + " N` writes that of every Nth frame.");
  };
  switch (kind) {
    case PictureKind::mask:
      return stored(std::filesystem::path("masks") / camera, "png", "mask", "--masks");
    case PictureKind::flow:
      return stored(std::filesystem::path("flow") / camera, "flo", "flow", "--flow");
    case PictureKind::floor:
      return stored("floor", "png", "floor map", "--floor-maps");
    case PictureKind::shell:
      return stored("shells", "ply", "shell", "--shells");
    case PictureKind::height:
      return missing("height map",
                     "The latest frame of a run in progress has one where heightmap.enabled is on.");
    case PictureKind::confidence:
      break;
  }
  return missing("flow's confidence", "The latest frame of a run in progress has it.");
}

Result<FileBody> text_as_file(const std::string& text) {
  const auto failed = [] {
    return fail(ErrorKind::io, std::string("no file for an answer (") + std::strerror(errno) + ")");
  };
  const int descriptor = ::memfd_create("vantage answer", MFD_CLOEXEC);
  std::FILE* file = descriptor >= 0 ? ::fdopen(descriptor, "w+b") : nullptr;
  if (!file) {
    if (descriptor >= 0) ::close(descriptor);
    return failed();
  }
  FileBody body;
  body.file.reset(file, [](std::FILE* open) { std::fclose(open); });
  body.bytes = static_cast<int64_t>(text.size());
  if (std::fwrite(text.data(), 1, text.size(), file) != text.size() || std::fflush(file) != 0)
    return failed();
  return body;
}

Result<std::string> text_of(const FileBody& body) {
  std::string text(static_cast<size_t>(body.bytes), '\0');
  size_t read = 0;
  while (read < text.size()) {
    const ssize_t more =
        ::pread(::fileno(body.file.get()), text.data() + read, text.size() - read, static_cast<off_t>(read));
    if (more <= 0)
      return fail(ErrorKind::io,
                  std::string("a file of the results cannot be read (") + std::strerror(errno) + ")");
    read += static_cast<size_t>(more);
  }
  return text;
}

Result<std::filesystem::path> project_of_results(const std::filesystem::path& folder,
                                                 const std::string& named) {
  std::filesystem::path beside = std::filesystem::absolute(folder);
  if (beside.filename().empty()) beside = beside.parent_path();  // a name with a trailing slash
  beside.replace_extension(".vantage");
  std::error_code none;
  for (const std::filesystem::path& file : {beside, std::filesystem::path(named)})
    if (!file.empty() && std::filesystem::is_regular_file(file, none)) return file;
  return fail(ErrorKind::not_found, "the project of these results does not exist", {},
              "Put NAME.vantage next to NAME.results.");
}

tl::unexpected<Error> pictures_not_served() {
  return fail(
      ErrorKind::not_found, "the cameras' pictures are not served", {},
      "The person who runs the program decides this: --serve-pictures, or Serve Results in the window.");
}

}  // namespace vantage::server
