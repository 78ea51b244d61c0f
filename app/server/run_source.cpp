#include "app/server/run_source.h"

#include <algorithm>
#include <utility>

#include "app/server/feed.h"
#include "app/server/folder_source.h"
#include "core/base/json.h"
#include "core/base/trace.h"
#include "core/results/results_live.h"
#include "core/results/results_pictures.h"

namespace vantage::server {

Result<std::string> PublishedResult::picture(PictureKind kind, size_t camera) const {
  const size_t view = of_camera(kind) ? camera : 0;
  std::unique_lock lock(mutex_);
  const auto encode = [this, kind, view] { return encoded(kind, view); };
  const Deferred<std::string>& picture = pictures_.try_emplace(std::pair(kind, view), encode).first->second;
  lock.unlock();
  return picture.get();
}

Result<Still> PublishedResult::still(size_t camera, const RunCamera& described,
                                     const StillMarks& marks) const {
  std::unique_lock lock(mutex_);
  const auto make = [this, camera, described, marks] {
    return still_of(*result_, camera, described, people_, marks, *transfer_);
  };
  const Deferred<Still>& still = stills_.try_emplace(std::pair(camera, marks), make).first->second;
  lock.unlock();
  return still.get();
}

Result<std::string> PublishedResult::encoded(PictureKind kind, size_t camera) const {
  if (kind == PictureKind::mask) {
    const ForegroundArtifact* foreground = result_->foreground();
    if (!foreground)
      return fail(ErrorKind::not_found, "this frame has no foreground", {}, "Ask for a later one.");
    return encode_mask(*foreground, camera);
  }
  if (kind == PictureKind::flow || kind == PictureKind::confidence) {
    const FlowArtifact* flow = result_->flow();
    if (!flow)
      return fail(ErrorKind::not_found, "this frame has no flow", {}, "Run with --set flow.enabled=true.");
    return kind == PictureKind::flow ? encode_camera_flow(*flow, camera)
                                     : encode_flow_confidence(*flow, camera);
  }
  if (kind == PictureKind::height) {
    const HeightEstimate* heights = result_->height_map();
    if (!heights)
      return fail(ErrorKind::not_found, "this frame has no height map", {},
                  "Run with --set heightmap.enabled=true; its camera needs a picture of the frame.");
    return encode_heights(*heights);
  }
  const CarvedVolume* volume = result_->volume();
  const FloorMap* floor = result_->floor_map();
  if (!volume || !floor)
    return fail(ErrorKind::not_found, "there is no volume", {}, "It needs a project with a calibration.");
  return kind == PictureKind::floor ? encode_floor_map(*floor) : encode_shell(*volume, *transfer_);
}

void KeptSpans::add(std::vector<TraceSpan> spans) {
  if (spans.empty()) return;
  auto block = std::make_shared<const std::vector<TraceSpan>>(std::move(spans));
  std::vector<Block> over;  // freed after unlocking
  const std::lock_guard lock(mutex_);
  spans_ += block->size();
  blocks_.push_back(std::move(block));
  while (blocks_.size() > 1 && spans_ > kMaxSpans) {
    spans_ -= blocks_.front()->size();
    dropped_ += blocks_.front()->size();
    over.push_back(std::move(blocks_.front()));
    blocks_.pop_front();
  }
}

bool KeptSpans::empty() const {
  const std::lock_guard lock(mutex_);
  return blocks_.empty();
}

std::string KeptSpans::json() const {
  std::unique_lock lock(mutex_);
  const std::deque<Block> blocks = blocks_;
  const uint64_t dropped = dropped_;
  lock.unlock();
  std::vector<TraceSpan> spans;
  for (const Block& block : blocks) spans.insert(spans.end(), block->begin(), block->end());
  return timings_json(spans, dropped);
}

namespace {

using nlohmann::ordered_json;

constexpr size_t kRateLines = 64;
constexpr std::chrono::milliseconds kHealthAge{500}, kTimingsAge{1000};  // maximum ages

// Presence and problem of each camera's picture.
ordered_json cameras_of_line(const FrameLineRef& line, const std::vector<std::string>& names) {
  const ordered_json frame = line ? parse_ordered_json(line->text) : ordered_json();
  ordered_json cameras = ordered_json::array();
  for (size_t i = 0; i < names.size(); ++i) {
    ordered_json camera = {{"name", names[i]}, {"here", nullptr}, {"problem", nullptr}};
    if (frame.is_object() && i < frame["cameras"].size()) {
      const ordered_json& written = frame["cameras"][i];
      camera["here"] = written.value("frame", line->frame) >= 0;
      camera["problem"] = written.value("problem", ordered_json());
    }
    cameras.push_back(std::move(camera));
  }
  return cameras;
}

ordered_json cameras_of_health(const ordered_json& health) {
  ordered_json cameras = ordered_json::array();
  for (const ordered_json& camera : health["cameras"]) {
    const bool here = camera["here"].get<bool>();
    cameras.push_back(
        {{"name", camera["name"]}, {"here", here}, {"problem", here ? camera["picture"] : camera["state"]}});
  }
  return cameras;
}

tl::unexpected<Error> nothing_yet() {
  return fail(ErrorKind::not_found, "no frame is analysed yet", {}, "Ask again, or follow /v1/stream.");
}

// The answer for live cameras that are only watched.
tl::unexpected<Error> not_kept() {
  return fail(ErrorKind::not_found, "no results are written, only the last frames are kept", {},
              "Ask for the latest frame, or write the results.");
}

}  // namespace

Result<std::unique_ptr<RunSource>> RunSource::open(RunSourceOptions options) {
  std::shared_ptr<const FrameLines> file;
  if (!options.folder.empty()) {
    // The file stays readable here after it is renamed.
    VANTAGE_ASSIGN(FrameLines opened, FrameLines::open(options.folder / "results.jsonl.part"));
    file = std::make_shared<const FrameLines>(std::move(opened));
  }
  return std::unique_ptr<RunSource>(new RunSource(std::move(options), std::move(file)));
}

RunSource::RunSource(RunSourceOptions options, std::shared_ptr<const FrameLines> file)
    : options_(std::move(options)),
      file_(std::move(file)),
      facts_(file_ ? file_->header() : options_.header),
      lines_(std::make_shared<KeptLines>(options_.kept_lines, kMaxKept_bytes)),
      health_(kHealthAge, [this] { return ask_health(); }),
      timings_(kTimingsAge, [this] { return make_timings(); }),
      start_ns_(trace_now_ns()),
      place_(options_.spans ? options_.spans->end() : 0),
      people_(facts_.frame_rate()) {}

void RunSource::add_line(const std::string& line) {
  const std::optional<int64_t> frame = frame_of_line(line);
  if (!frame) return;
  if (line.find(kUnknownPeople) != std::string::npos) ++people_unknown_;
  lines_->add({*frame, line});
  const std::lock_guard lock(mutex_);
  line_times_ns_.push_back(trace_now_ns());
  if (line_times_ns_.size() > kRateLines) line_times_ns_.pop_front();
}

void RunSource::publish(FrameResultRef result) {
  if (options_.spans) spans_.add(options_.spans->take_new(&place_));
  auto people = people_.add(*result);
  auto published =
      std::make_shared<const PublishedResult>(std::move(result), options_.transfer, std::move(people));
  const std::lock_guard lock(mutex_);
  std::swap(newest_, published);
}

// Frames per second over the last lines, up to now.
double RunSource::recent_rate() const {
  const std::lock_guard lock(mutex_);
  if (line_times_ns_.size() < 2) return 0;
  const double seconds = static_cast<double>(trace_now_ns() - line_times_ns_.front()) * 1e-9;
  return seconds > 0 ? static_cast<double>(line_times_ns_.size() - 1) / seconds : 0;
}

// The cameras' states explain missing data, without paths on the disk.
LiveHealth RunSource::ask_health() const {
  LiveHealth health = options_.health();
  for (CameraHealth& camera : health.cameras) camera.state = facts_.without_places(std::move(camera.state));
  return health;
}

ordered_json RunSource::status() const {
  ordered_json status = facts_.status();
  const FrameLineRef latest = lines_->newest();
  const int64_t done = lines_->added();
  const double seconds = static_cast<double>(trace_now_ns() - start_ns_) * 1e-9;
  status["kind"] = options_.health ? "live" : "recording";
  status["running"] = true;
  status["pictures"] = options_.pictures;
  status["clips"] = options_.pictures;
  status["frames"] = {{"done", done},
                      {"total", options_.total ? ordered_json(*options_.total) : ordered_json()},
                      {"latest", latest ? ordered_json(latest->frame) : ordered_json()},
                      {"people_unknown", people_unknown_.load()}};
  status["frames_per_second"] = {{"recent", recent_rate()},
                                 {"mean", seconds > 0 ? static_cast<double>(done) / seconds : 0}};
  status["latency_ms"] = nullptr;
  status["cameras"] = cameras_of_line(latest, facts_.cameras());
  status["live"] = nullptr;
  if (!options_.health) return status;
  const LiveHealth health = health_.get();
  status["latency_ms"] = health.latency_ms;
  status["live"] = parse_ordered_json(live_health_json(health));
  status["cameras"] = cameras_of_health(status["live"]);
  return status;
}

Result<std::string> RunSource::line(std::optional<int64_t> frame) const {
  const FrameLineRef kept = frame ? lines_->find(*frame) : lines_->newest();
  if (kept) return kept->text;
  if (!frame) return nothing_yet();
  return file_ ? file_->line(*frame) : Result<std::string>(not_kept());
}

Result<FrameLines::Range> RunSource::lines(int64_t from, int64_t to) const {
  if (file_) return file_->range(from, to, kMaxLines, kMaxBytes);
  return lines_->range(from, to, kMaxLines, kMaxBytes);
}

std::unique_ptr<Feed> RunSource::feed(std::optional<int64_t> after) const {
  if (!after || !file_) return lines_->feed(after);
  return std::make_unique<ResumedFeed>(FileFeed(file_, closed_, after), lines_, *after);
}

void RunSource::close() {
  *closed_ = true;
  lines_->close();
}

std::shared_ptr<const PublishedResult> RunSource::newest() const {
  const std::lock_guard lock(mutex_);
  return newest_;
}

Result<FrameStill> RunSource::still(std::optional<int64_t> frame, size_t camera,
                                    const StillMarks& marks) const {
  if (!options_.pictures) return pictures_not_served();
  const std::shared_ptr<const PublishedResult> newest = this->newest();
  if (!newest && !frame) return nothing_yet();
  if (!newest || newest->frame() != frame.value_or(newest->frame())) return not_kept();
  RunCamera described = facts_.described(camera);
  if (options_.health) described.start_utc_s = health_.get().start_utc_s;
  VANTAGE_ASSIGN(Still still, newest->still(camera, described, marks));
  return FrameStill{newest->frame(), std::move(still)};
}

Result<FramePicture> RunSource::picture(std::optional<int64_t> frame, PictureKind kind, size_t camera) const {
  const std::shared_ptr<const PublishedResult> newest = this->newest();
  if (!newest && !frame) return nothing_yet();
  FramePicture picture;
  picture.frame = frame.value_or(newest ? newest->frame() : 0);
  if (newest && newest->frame() == picture.frame) {
    VANTAGE_ASSIGN(picture.bytes, newest->picture(kind, camera));
  } else if (!file_) {
    return not_kept();
  } else {
    const std::string name = of_camera(kind) ? facts_.cameras().at(camera) : std::string();
    VANTAGE_ASSIGN(picture.bytes, stored_picture(options_.folder, picture.frame, kind, name));
  }
  return picture;
}

Result<FileBody> RunSource::table(StoredTable table) const {
  if (table == StoredTable::tracks && !facts_.calibrated())
    return fail(ErrorKind::not_found, "there are no tracks", {},
                "People are tracked in projects with a calibration.");
  if (!file_) return not_kept();
  return stored_table(options_.folder, table);
}

Result<Project> RunSource::recording(FrameRange span) const {
  if (!options_.pictures) return pictures_not_served();
  if (options_.kept) return options_.kept(span);
  if (options_.health)
    return fail(ErrorKind::not_found, "the live cameras' pictures are not kept", {},
                "In the window the last minutes are kept; `run --record` keeps all.");
  VANTAGE_ASSIGN(const std::filesystem::path file, project_of_results(options_.folder, facts_.project()));
  return load_project(file);
}

// As in the window: frame numbers of live cameras restart each time, and a recording's events are found when
// its results are complete.
Result<EventMarks> RunSource::marks() const {
  if (options_.health)
    return fail(ErrorKind::not_found, "events of live cameras are not marked", {},
                "Their frame numbers restart each time: mark events of a recording.");
  return fail(ErrorKind::not_found, "events are not found yet", {},
              "Ask again when the recording has been analysed.");
}

std::string RunSource::make_timings() const {
  std::string timings = spans_.json();
  return options_.health ? with_live_health(std::move(timings), health_.get()) : timings;
}

Result<std::string> RunSource::timings() const {
  if (spans_.empty()) return nothing_yet();
  return timings_.get();
}

}  // namespace vantage::server
