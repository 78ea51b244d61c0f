#include "core/run/place_by_people.h"

namespace vantage {
namespace {

Result<std::vector<PeopleFrame>> frames_of(Pipeline& pipeline, FrameRange range,
                                           const std::function<void(int64_t, int64_t)>& progress,
                                           const StopSource& stop) {
  std::vector<PeopleFrame> frames;
  FrameEffort effort;
  effort.last_stage = kForegroundStage;
  for (int64_t frame = range.begin; frame < range.end; ++frame) {
    const Result<FrameResultRef> result = pipeline.frame(frame, effort, stop);
    if (!result && result.error().kind == ErrorKind::end_of_stream) break;
    if (!result) return fail(result.error());
    VANTAGE_ASSIGN(const auto masks, (*result)->foreground()->host_masks.get());
    frames.push_back(people_frame(frame, masks));
    progress(frame - range.begin + 1, range.end - range.begin);
  }
  return frames;
}

}  // namespace

Result<PeopleSolution> place_by_people(const Project& project, Analysis& analysis,
                                       const std::vector<bool>& free, FrameRange range,
                                       const std::function<void(int64_t, int64_t)>& progress,
                                       const StopSource& stop) {
  if (!project.calibrated() || !analysis.grid())
    return fail(ErrorKind::invalid_argument, "the project has no calibration to start from",
                project.path.string(), "Solve one from a board first: vantage-cli calibrate boards.");
  VANTAGE_TRY(check_free_cameras(free));
  for (const int64_t change : project.calibration_changes())
    if (change > range.begin && change < range.end)
      return fail(ErrorKind::invalid_argument,
                  "a camera stands otherwise from frame " + std::to_string(change) + " on", "",
                  "Choose frames before it or from there on.");
  PeopleSolveInput input{project.named_calibrations(range.begin), free, {}, floor_around(*analysis.grid())};
  VANTAGE_ASSIGN(input.frames, frames_of(analysis.pipeline(), range, progress, stop));
  return solve_from_people(input, stop);
}

}  // namespace vantage
