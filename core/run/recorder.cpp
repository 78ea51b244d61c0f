#include "core/run/recorder.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <ctime>
#include <random>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "core/base/file.h"
#include "core/base/hash.h"
#include "core/base/process_owner.h"
#include "core/live/live_frame_source.h"
#include "core/live/recording_writer.h"
#include "core/project/files_of_videos.h"
#include "core/project/project_store.h"

namespace vantage {
namespace {

std::vector<std::string> names_of(const Project& project) {
  std::vector<std::string> names;
  for (const ProjectCamera& camera : project.cameras) names.push_back(camera.name);
  return names;
}

Status check_free(const std::filesystem::path& path, const std::filesystem::path& folder) {
  if (path.extension() != ".vantage")
    return fail(ErrorKind::invalid_argument, "a recording is a project, and its name ends in .vantage",
                path.string());
  std::error_code ignored;
  for (const std::filesystem::path& there : {path, folder})
    if (std::filesystem::exists(there, ignored))
      return fail(ErrorKind::invalid_argument, "exists already, and a recording overwrites nothing",
                  there.string(), "Choose another name.");
  return {};
}

class ProjectRecorder final : public Recorder {
 public:
  explicit ProjectRecorder(LiveFrameSource& cameras) : cameras_(cameras) {}
  ~ProjectRecorder() override { static_cast<void>(finish()); }

  Status start(const Project& project, const std::filesystem::path& path, const RecorderOptions& options);
  const Project& project() const override { return project_; }
  RecordingState state() const override { return writer_->state(); }
  int64_t begun_with() const override { return begun_with_; }
  void set_limits(double keep_h, double keep_gb) override { writer_->set_limits(keep_h, keep_gb); }
  Status finish() override;

 private:
  LiveFrameSource& cameras_;
  Project project_;
  std::shared_ptr<RecordingWriter> writer_;
  int64_t begun_with_ = -1;
  bool finished_ = true;
};

Status ProjectRecorder::start(const Project& project, const std::filesystem::path& given,
                              const RecorderOptions& options) {
  std::error_code code;
  const std::filesystem::path path = std::filesystem::absolute(given, code).lexically_normal();
  std::filesystem::path folder = path;
  folder.replace_extension(".recording");
  VANTAGE_TRY(check_free(path, folder));
  project_ = project;
  project_.path = path;
  writer_ = RecordingWriter::make(project.parameters.get<RecordingParameters>(), folder,
                                  cameras_.frame_rate(), options.what);
  const std::vector<std::string> names = camera_file_names(names_of(project));
  std::random_device random;
  for (size_t i = 0; i < names.size(); ++i) {
    const VideoInfo info = cameras_.info(static_cast<int>(i));
    SegmentsHeader header;
    header.frame_rate = cameras_.frame_rate();
    header.width_px = info.width_px, header.height_px = info.height_px;
    header.codec = info.codec;
    header.checksum = uint64_t{random()} << 32 | random();
    VANTAGE_TRY(writer_->add_camera(names[i], header));
    ProjectCamera& camera = project_.cameras[i];
    camera.video = (folder / (names[i] + std::string(kSegmentsSuffix))).string();
    camera.offset_frames = camera.frame_rate = camera.live_delay_s = 0;
    camera.offset_changes.clear();
    camera.offset_confirmed = true;
  }
  VANTAGE_TRY(save_project(project_, path));
  finished_ = false;
  begun_with_ = cameras_.add_tap(writer_, options.first_set);
  writer_->begin();
  return {};
}

Status ProjectRecorder::finish() {
  if (!std::exchange(finished_, true)) {
    cameras_.remove_tap(*writer_);
    writer_->finish();
  }
  const std::string problem = writer_ ? writer_->state().problem : std::string();
  return problem.empty() ? Status() : Status(fail(ErrorKind::io, problem));
}

}  // namespace

std::filesystem::path recording_path(const std::filesystem::path& project) {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  std::array<char, 32> time{};
  std::strftime(time.data(), time.size(), "-%Y%m%d-%H%M%S", &local);
  const std::string stem = project.stem().string() + time.data();
  std::filesystem::path path = project;
  path.replace_filename(stem + ".vantage");
  std::error_code none;
  for (int i = 2; std::filesystem::exists(path, none); ++i)
    path.replace_filename(stem + "-" + std::to_string(i) + ".vantage");
  return path;
}

Result<std::unique_ptr<Recorder>> Recorder::start(const Project& project, const std::filesystem::path& path,
                                                  LiveFrameSource& cameras, const RecorderOptions& options) {
  auto recorder = std::make_unique<ProjectRecorder>(cameras);
  VANTAGE_TRY(recorder->start(project, path, options));
  return recorder;
}

void KeptPictures::set(const Past* past, const Recorder* recorder) {
  const std::lock_guard lock(mutex_);
  past_ = past, recorder_ = recorder;
}

Result<Project> KeptPictures::recording(FrameRange span) const {
  const std::lock_guard lock(mutex_);
  if (!past_ && !recorder_)
    return fail(ErrorKind::not_found, "the live cameras' pictures are not kept", {},
                "In the window the last minutes are kept; `run --record` keeps all.");
  std::string kept;
  const auto has = [&](const RecordingState& state) {
    if (state.first_frame < 0) return false;
    kept += (kept.empty() ? "" : " and ") + std::to_string(state.first_frame) + " to " +
            std::to_string(state.last_frame);
    return span.begin >= state.first_frame && span.end <= state.last_frame + 1;
  };
  if (past_ && has(past_->state())) return past_->project();
  if (recorder_ && has(recorder_->state())) return recorder_->project();
  return fail(ErrorKind::not_found, "the live cameras' pictures of these frames are not kept", {},
              kept.empty() ? "None are kept yet: ask again." : "Kept are the frames " + kept + ".");
}

namespace {

constexpr double kSegment_s = 5;  // dropped at once
constexpr const char* kOwnerSuffix = ".owner";

std::filesystem::path owner_file(const std::filesystem::path& folder) {
  return folder.string() + kOwnerSuffix;
}

void remove_past(const std::filesystem::path& folder) {
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
  std::filesystem::remove(owner_file(folder), ignored);
}

void remove_left_behind(const std::filesystem::path& folder) {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    if (entry.path().extension() != kOwnerSuffix) continue;
    const Result<std::string> text = read_file(entry.path());
    const auto owner = text ? owner_from_json(*text) : std::nullopt;
    if (owner && state_of(*owner) == OwnerState::gone)
      remove_past(entry.path().parent_path() / entry.path().stem());
  }
}

}  // namespace

std::filesystem::path past_folder() {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  if (cache && *cache) return std::filesystem::path(cache) / "vantage" / "past";
  const char* home = std::getenv("HOME");
  return std::filesystem::path(home ? home : ".") / ".cache" / "vantage" / "past";
}

Result<std::unique_ptr<Past>> Past::start(const Project& project, LiveFrameSource& cameras,
                                          const std::filesystem::path& folder) {
  VANTAGE_TRY(make_folder(folder));
  remove_left_behind(folder);
  std::random_device random;
  std::unique_ptr<Past> past(new Past(folder / hex64(uint64_t{random()} << 32 | random())));
  VANTAGE_TRY(write_file_atomically(owner_file(past->folder_), owner_to_json(this_process())));
  VANTAGE_TRY(make_folder(past->folder_));
  std::error_code ignored;
  std::filesystem::permissions(past->folder_, std::filesystem::perms::owner_all, ignored);
  Project kept = project;
  VANTAGE_TRY(kept.parameters.set("recording", "segment_s", kSegment_s));
  VANTAGE_ASSIGN(past->recorder_, Recorder::start(kept, past->folder_ / "past.vantage", cameras,
                                                  {.what = "Keeping the past of the cameras"}));
  past->set_limits(project.parameters.get<RecordingParameters>());
  return past;
}

bool Past::has_space(const Project& project, const std::filesystem::path& folder) {
  constexpr double kGigabyte = 1e9;
  std::error_code code;
  const std::filesystem::space_info space = std::filesystem::space(folder, code);
  const double reserve_gb = project.parameters.get<RecordingParameters>().reserve_gb;
  return code || static_cast<double>(space.available) >= reserve_gb * kGigabyte;
}

void Past::set_limits(const RecordingParameters& limits) {
  recorder_->set_limits(limits.past_min / 60, limits.past_gb);
}

Past::~Past() {
  recorder_.reset();
  remove_past(folder_);
}

void EventTrigger::add(std::span<const FloorEvent> events) {
  bool first = true;
  for (const FloorEvent& event : events) {
    const Key key{event.rule, event.id, event.first_frame};
    if (open_.erase(key) == 0 && std::exchange(first, false)) raised_frame_ = event.raised_frame;
    if (event.last_frame)
      until_ = std::max(until_, *event.last_frame + after_);
    else
      open_.insert(key);
  }
}

}  // namespace vantage
