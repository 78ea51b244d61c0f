#include "core/setup/boards/recorded_instants.h"

#include <fmt/core.h>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>
#include <string_view>
#include <system_error>

#include "core/base/clock.h"
#include "core/base/file.h"
#include "core/base/text.h"
#include "core/project/project.h"
#include "core/video/video_source.h"

namespace vantage {
namespace {

constexpr const char* kFiles[] = {"timestamps.csv", "frame_time_history.csv", "frametimes.csv",
                                  "frame_timestamps.csv"};

std::optional<int64_t> whole(std::string_view text) {
  int64_t value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

// N of cam_N and port_N.
std::optional<int64_t> number_of(const std::string& clip) {
  const std::string stem = std::filesystem::path(clip).stem().string();
  for (const std::string_view prefix : {"cam_", "port_"})
    if (stem.starts_with(prefix)) return whole(std::string_view(stem).substr(prefix.size()));
  return {};
}

std::string_view next_line(std::string_view* text) {
  const size_t end = std::min(text->find('\n'), text->size());
  const std::string_view line = text->substr(0, end);
  text->remove_prefix(std::min(end + 1, text->size()));
  return line;
}

bool is_header(std::string_view line) {
  const auto fields = csv_fields(line);
  return fields.size() >= 3 && fields[0] == "sync_index" && (fields[1] == "cam_id" || fields[1] == "port") &&
         fields[2] == "frame_time";
}

using InstantsByNumber = std::map<int64_t, std::vector<int64_t>>;

Result<InstantsByNumber> instants_in(std::string_view text, const std::filesystem::path& file) {
  InstantsByNumber instants;
  next_line(&text);
  for (int64_t line = 2; !text.empty(); ++line) {
    const std::string_view one = next_line(&text);
    if (trimmed(one).empty()) continue;
    const auto fields = csv_fields(one);
    const auto instant = whole(fields[0]);
    const auto number = fields.size() > 1 ? whole(fields[1]) : std::nullopt;
    if (!instant || !number)
      return fail(ErrorKind::bad_data, fmt::format("line {} is not a picture", line), file.string(),
                  "It states sync_index, cam_id and frame_time.");
    std::vector<int64_t>& of_clip = instants[*number];
    if (!of_clip.empty() && *instant <= of_clip.back())
      return fail(ErrorKind::bad_data, fmt::format("line {} goes back in time", line), file.string(),
                  "The pictures of a clip stand in its order.");
    of_clip.push_back(*instant);
  }
  return instants;
}

Status check_count(const std::string& clip, size_t noted, const std::filesystem::path& file,
                   const StopSource& stop) {
  VANTAGE_ASSIGN(const auto source, open_video(clip, {}));
  VANTAGE_ASSIGN(const int64_t count, source->wait_for_frame_count(stop));
  if (count == static_cast<int64_t>(noted)) return {};
  return fail(ErrorKind::bad_data,
              fmt::format("the clip has {} pictures, {} states {}", count, file.filename().string(), noted),
              clip, "Give the clips as they were recorded, or move that file away.");
}

}  // namespace

std::vector<std::filesystem::path> files_of_instants(const std::string& clip) {
  std::vector<std::filesystem::path> files;
  std::error_code none;
  for (const char* name : kFiles)
    if (std::filesystem::path file = std::filesystem::path(clip).parent_path() / name;
        std::filesystem::is_regular_file(file, none))
      files.push_back(std::move(file));
  return files;
}

Result<RecordedInstants> recorded_instants(const std::vector<std::string>& clips, const StopSource& stop) {
  if (clips.size() < 2) return RecordedInstants();
  const std::filesystem::path folder = std::filesystem::path(clips[0]).parent_path();
  for (const std::string& clip : clips)
    if (std::filesystem::path(clip).parent_path() != folder || !number_of(clip)) return RecordedInstants();
  for (const char* name : kFiles) {
    RecordedInstants recorded{.file = folder / name, .of_clip = {}};
    std::error_code code;
    if (!std::filesystem::is_regular_file(recorded.file, code)) continue;
    VANTAGE_ASSIGN(const std::string text, read_file(recorded.file));
    if (!is_header(std::string_view(text).substr(0, text.find('\n')))) continue;
    VANTAGE_ASSIGN(const InstantsByNumber noted, instants_in(text, recorded.file));
    for (const std::string& clip : clips) {
      const auto found = noted.find(*number_of(clip));
      if (found == noted.end())
        return fail(ErrorKind::bad_data, "does not name this clip's pictures",
                    recorded.file.string() + ", " + clip,
                    "Give the clips as they were recorded, or move that file away.");
      recorded.of_clip.push_back(found->second);
    }
    if (std::all_of(recorded.of_clip.begin(), recorded.of_clip.end(),
                    [&](const auto& one) { return one == recorded.of_clip[0]; })) {
      recorded.of_clip.clear();
      return recorded;
    }
    for (size_t c = 0; c < clips.size(); ++c)
      VANTAGE_TRY(check_count(clips[c], recorded.of_clip[c].size(), recorded.file, stop));
    return recorded;
  }
  return RecordedInstants();
}

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
    return middle + timings[&clip - clips.data()].offset_frames;
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
