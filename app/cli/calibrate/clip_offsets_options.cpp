#include "app/cli/calibrate/clip_offsets_options.h"

#include <charconv>
#include <cmath>
#include <cstdio>

#include "app/cli/common/project_change.h"
#include "app/cli/common/value_or_fail.h"
#include "core/project/match_cameras.h"
#include "core/project/project_store.h"

namespace vantage::cli {
namespace {

double frames_in(const std::string& text, const char* option) {
  const size_t equal = text.rfind('=');
  double frames = 0;
  if (equal != std::string::npos && equal > 0) {
    const char* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data() + equal + 1, end, frames);
    if (read.ec == std::errc() && read.ptr == end && std::isfinite(frames)) return frames;
  }
  throw CLI::ValidationError(option, "'" + text + "' is not of the form NAME=FRAMES");
}

void take(const std::vector<std::string>& texts, bool held, const std::vector<std::string>& cameras,
          std::vector<std::optional<GivenOffset>>* offsets) {
  const char* const option = held ? "--offset" : "--offset-start";
  for (const std::string& text : texts) {
    const double frames = frames_in(text, option);
    const Result<size_t> camera = vantage::camera_named(cameras, text.substr(0, text.rfind('=')));
    if (!camera) throw CLI::ValidationError(option, camera.error().what);
    if (*camera == 0 && frames != 0)
      throw CLI::ValidationError(option, "offsets count from the first clip, " + cameras[0]);
    if ((*offsets)[*camera])
      throw CLI::ValidationError(option, "the offset of " + cameras[*camera] + " is given twice");
    (*offsets)[*camera] = GivenOffset{frames, held};
  }
}

}  // namespace

void add_clip_offsets_options(CLI::App& command, CLI::Option* out_of_step, ClipOffsetsOptions* options) {
  CLI::Option* held = command
                          .add_option("--offset", options->held,
                                      "Known offset of this clip, which stays fixed: its frame at frame 0 of "
                                      "the first clip; may be a fraction (repeatable)")
                          ->type_name("NAME=FRAMES")
                          ->expected(1);
  CLI::Option* start = command
                           .add_option("--offset-start", options->starts,
                                       "Rough offset of this clip, right to about a frame, from which it is "
                                       "solved; for boards that swing with one period (repeatable)")
                           ->type_name("NAME=FRAMES")
                           ->expected(1);
  CLI::Option* project =
      command
          .add_option(
              "--apply-offsets", options->project,
              "Write the offsets to this project, whose videos are the clips; cameras are matched by name")
          ->type_name("P.vantage");
  CLI::Option* same_run = command.add_flag(
      "--same-run", options->same_run,
      "The clips are not the project's videos, but begin together with them: their offsets are the same");
  for (CLI::Option* option : {held, start, project}) option->needs(out_of_step);
  for (CLI::Option* option : {held, start}) option->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  same_run->needs(project);
}

std::vector<std::optional<GivenOffset>> given_offsets(const ClipOffsetsOptions& options,
                                                      const std::vector<std::string>& cameras) {
  std::vector<std::optional<GivenOffset>> offsets(cameras.size());
  take(options.held, true, cameras, &offsets);
  take(options.starts, false, cameras, &offsets);
  return offsets;
}

void check_project_of_offsets(const ClipOffsetsOptions& options, const std::vector<BoardClip>& clips) {
  if (options.project.empty()) return;
  const Project project = value_or_fail(load_project(options.project));
  // The same refusals as later, of offsets of 0.
  value_or_fail(recording_offsets(project, clips, std::vector<ClipTiming>(clips.size()), {0}));
  std::string others;
  for (const std::string& name : cameras_with_other_clips(project, clips))
    others += (others.empty() ? "" : ", ") + name;
  if (!others.empty() && !options.same_run)
    fail_command({ErrorKind::invalid_argument,
                  "the clip is not the project's video: its offset can differ from the recording's", others,
                  "Give the project's videos, or --same-run where the clips begin together with them."});
}

void write_offsets_or_fail(const ClipOffsetsOptions& options, const std::vector<BoardClip>& clips,
                           const std::vector<ClipTiming>& timings, const std::vector<int64_t>& instants) {
  if (options.project.empty()) return;
  std::vector<RecordingOffset> offsets;
  // As it is on the disk by now.
  const Project written = value_or_fail(change_project_file(options.project, [&](Project& stored) -> Status {
    VANTAGE_ASSIGN(offsets, recording_offsets(stored, clips, timings, instants));
    take_offsets(offsets, &stored);
    return {};
  }));
  for (const RecordingOffset& one : offsets)
    std::fprintf(stderr, "%s: offset %g -> %g frames in %s\n", one.camera.c_str(), one.before_frames,
                 one.now_frames, options.project.c_str());
  tell_who_has_it(written.path);
}

}  // namespace vantage::cli
