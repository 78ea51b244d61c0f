#include "core/run/recorder.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "core/live/live_frame_source.h"
#include "core/live/recording_parameters.h"
#include "core/project/camera_file_names.h"
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

}  // namespace vantage
