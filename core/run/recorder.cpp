#include "core/run/recorder.h"

#include <algorithm>
#include <cctype>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "core/live/live_frame_source.h"
#include "core/live/recording_parameters.h"
#include "core/project/project_store.h"

namespace vantage {
namespace {

// Camera names as names of files, all different.
std::vector<std::string> file_names(const Project& project) {
  std::vector<std::string> names;
  for (const ProjectCamera& camera : project.cameras) {
    std::string name = camera.name;
    for (char& c : name)
      if (!std::isalnum(static_cast<unsigned char>(c)) && c != '-' && c != '_') c = '_';
    if (name.empty() || std::find(names.begin(), names.end(), name) != names.end())
      name += "-" + std::to_string(names.size() + 1);
    names.push_back(std::move(name));
  }
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

  Status start(const Project& project, const std::filesystem::path& path);
  const Project& project() const override { return project_; }
  RecordingState state() const override { return writer_->state(); }
  Status finish() override;

 private:
  LiveFrameSource& cameras_;
  Project project_;
  std::shared_ptr<RecordingWriter> writer_;
  bool finished_ = true;
};

Status ProjectRecorder::start(const Project& project, const std::filesystem::path& given) {
  std::error_code code;
  const std::filesystem::path path = std::filesystem::absolute(given, code).lexically_normal();
  std::filesystem::path folder = path;
  folder.replace_extension(".recording");
  VANTAGE_TRY(check_free(path, folder));
  project_ = project;
  project_.path = path;
  writer_ =
      RecordingWriter::make(project.parameters.get<RecordingParameters>(), folder, cameras_.frame_rate());
  const std::vector<std::string> names = file_names(project);
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
  writer_->begin();
  cameras_.set_tap(writer_);
  return {};
}

Status ProjectRecorder::finish() {
  if (!std::exchange(finished_, true)) {
    cameras_.set_tap(nullptr);
    writer_->finish();
  }
  const std::string problem = writer_ ? writer_->state().problem : std::string();
  return problem.empty() ? Status() : Status(fail(ErrorKind::io, problem));
}

}  // namespace

Result<std::unique_ptr<Recorder>> Recorder::start(const Project& project, const std::filesystem::path& path,
                                                  LiveFrameSource& cameras) {
  auto recorder = std::make_unique<ProjectRecorder>(cameras);
  VANTAGE_TRY(recorder->start(project, path));
  return recorder;
}

}  // namespace vantage
