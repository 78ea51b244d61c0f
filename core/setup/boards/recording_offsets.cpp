#include "core/setup/boards/recording_offsets.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "core/base/frame_rate.h"
#include "core/project/project_times.h"
#include "core/video/video_source.h"

namespace vantage {
namespace {

constexpr double kOffsetSteps = 1000;  // a frame: offsets are kept in thousandths

bool same_clip(const std::string& a, const std::string& b) {
  std::error_code failed;
  if (std::filesystem::equivalent(a, b, failed) && !failed) return true;
  const auto plain = [](const std::string& path) {
    return std::filesystem::absolute(path).lexically_normal();
  };
  return plain(a) == plain(b);
}

const BoardClip* clip_of(const ProjectCamera& camera, const std::vector<BoardClip>& clips) {
  const auto found = std::find_if(clips.begin(), clips.end(),
                                  [&](const BoardClip& clip) { return clip.camera == camera.name; });
  return found == clips.end() ? nullptr : &*found;
}

Result<double> rate_of(const ProjectCamera& camera) {
  VANTAGE_ASSIGN(const auto video, open_video(camera.video, {}));
  return effective_frame_rate(camera.frame_rate, video->info().frame_rate);
}

}  // namespace

std::vector<std::string> cameras_with_other_clips(const Project& project,
                                                  const std::vector<BoardClip>& clips) {
  std::vector<std::string> others;
  for (const ProjectCamera& camera : project.cameras)
    if (const BoardClip* clip = clip_of(camera, clips);
        clip && !clip->path.empty() && !same_clip(clip->path, camera.video))
      others.push_back(camera.name);
  return others;
}

Result<std::vector<RecordingOffset>> recording_offsets(const Project& project,
                                                       const std::vector<BoardClip>& clips,
                                                       const std::vector<ClipTiming>& timings,
                                                       const std::vector<int64_t>& instants) {
  if (project.live())
    return fail(ErrorKind::invalid_argument, "live cameras are not out of step by frames",
                project.path.string(), "Their clocks are compared while they run.");
  for (const BoardClip& clip : clips)
    if (std::none_of(project.cameras.begin(), project.cameras.end(),
                     [&](const ProjectCamera& camera) { return camera.name == clip.camera; }))
      return fail(ErrorKind::not_found, "the project has no camera of this name", clip.camera,
                  "Name the clip as its camera: NAME=PATH.");
  const BoardClip* base = project.cameras.empty() ? nullptr : clip_of(project.cameras[0], clips);
  if (!base || instants.empty())
    return fail(ErrorKind::invalid_argument,
                "offsets count from the project's first camera, of which there is no clip",
                project.cameras.empty() ? project.path.string() : project.cameras[0].name,
                "Give its clip, too.");
  const auto middle = static_cast<double>(instants[instants.size() / 2]);
  const auto own_frame = [&](const BoardClip& clip) {
    return middle + timings[static_cast<size_t>(&clip - clips.data())].offset_frames;
  };
  VANTAGE_ASSIGN(const double base_rate, rate_of(project.cameras[0]));
  std::vector<RecordingOffset> offsets;
  for (size_t c = 1; c < project.cameras.size(); ++c) {
    const ProjectCamera& camera = project.cameras[c];
    const BoardClip* clip = clip_of(camera, clips);
    if (!clip) continue;
    VANTAGE_ASSIGN(const double rate, rate_of(camera));
    const double off = own_frame(*clip) - camera_frame_at(camera, own_frame(*base), rate / base_rate);
    offsets.push_back({camera.name, camera.offset_frames,
                       std::round((camera.offset_frames + off) * kOffsetSteps) / kOffsetSteps});
  }
  return offsets;
}

void take_offsets(const std::vector<RecordingOffset>& offsets, Project* project) {
  for (const RecordingOffset& offset : offsets)
    for (ProjectCamera& camera : project->cameras)
      if (camera.name == offset.camera)
        camera.offset_frames = offset.now_frames, camera.offset_confirmed = true;
}

}  // namespace vantage
