#include "core/run/place_by_people.h"

#include <algorithm>
#include <utility>

#include "core/video/no_video.h"

namespace vantage {
namespace {

// Boxes of the project's detector or detection files; nothing where there are none.
Result<std::optional<PeopleFrame>> boxes_of(Pipeline& pipeline, int64_t frame, const StopSource& stop) {
  FrameEffort effort;
  effort.last_stage = kDetectionsStage;
  VANTAGE_ASSIGN(const FrameResultRef result, pipeline.frame(frame, effort, stop));
  const DetectionsArtifact* found = result->detections();
  if (!found || !found->present) return std::optional<PeopleFrame>();
  PeopleFrame people{frame, {}};
  for (const CameraDetections& camera : found->cameras) people.cameras.push_back(person_boxes(camera));
  return std::optional(std::move(people));
}

Result<PeopleFrame> outlines_of(Pipeline& pipeline, int64_t frame, const StopSource& stop) {
  FrameEffort effort;
  effort.last_stage = kForegroundStage;
  VANTAGE_ASSIGN(const FrameResultRef result, pipeline.frame(frame, effort, stop));
  VANTAGE_ASSIGN(const auto masks, result->foreground()->host_masks.get());
  return people_frame(frame, masks);
}

Result<PeopleFrame> people_of(Pipeline& pipeline, int64_t frame, bool boxes, const StopSource& stop) {
  if (boxes) {
    VANTAGE_ASSIGN(std::optional<PeopleFrame> found, boxes_of(pipeline, frame, stop));
    if (found) return std::move(*found);
  }
  return outlines_of(pipeline, frame, stop);
}

Result<std::vector<PeopleFrame>> frames_of(Pipeline& pipeline, FrameRange range, bool boxes,
                                           const std::function<void(int64_t, int64_t)>& progress,
                                           const StopSource& stop) {
  std::vector<PeopleFrame> frames;
  for (int64_t frame = range.begin; frame < range.end; ++frame) {
    Result<PeopleFrame> people = people_of(pipeline, frame, boxes, stop);
    if (!people && people.error().kind == ErrorKind::end_of_stream) break;
    if (!people) return fail(people.error());
    frames.push_back(std::move(*people));
    progress(frame - range.begin + 1, range.end - range.begin);
  }
  return frames;
}

// Calibrated, and with one calibration in all of the range.
Status check_calibrated(const Project& project, const Analysis& analysis, FrameRange range) {
  if (!project.calibrated() || !analysis.grid())
    return fail(ErrorKind::invalid_argument, "the project has no calibration to start from",
                project.path.string(), "Solve one from a board first: vantage-cli calibrate boards.");
  for (const int64_t change : project.calibration_changes())
    if (change > range.begin && change < range.end)
      return fail(ErrorKind::invalid_argument,
                  "a camera has another pose from frame " + std::to_string(change) + " on", "",
                  "Choose frames before it or from there on.");
  return {};
}

// Outlines are read in pictures; boxes alone show where all cameras stand, not where one stands among others.
Status check_pictures(const Project& project) {
  for (const ProjectCamera& camera : project.cameras)
    if (!names_no_video(camera.video)) return {};
  return fail(
      ErrorKind::invalid_argument, "people's outlines are needed, and this project has their boxes alone",
      project.path.string(),
      "Make a project with the cameras' videos; with boxes alone all cameras are placed at once: vantage-cli "
      "calibrate people --camera all.");
}

}  // namespace

Result<std::vector<PeopleFrame>> read_outlines(const Project& project, Analysis& analysis, FrameRange range,
                                               const std::function<void(int64_t, int64_t)>& progress,
                                               const StopSource& stop) {
  VANTAGE_TRY(check_calibrated(project, analysis, range));
  VANTAGE_TRY(check_pictures(project));
  return frames_of(analysis.pipeline(), range, false, progress, stop);
}

Result<PeopleSolution> place_by_people(const Project& project, Analysis& analysis,
                                       const std::vector<bool>& free, FrameRange range,
                                       const std::function<void(int64_t, int64_t)>& progress,
                                       const StopSource& stop, std::optional<double> mean_height_m,
                                       bool solve_lenses) {
  VANTAGE_TRY(check_calibrated(project, analysis, range));
  const bool all_free = std::find(free.begin(), free.end(), false) == free.end();
  // Outlines of masks with clips are more exact than boxes.
  const bool clips = std::all_of(project.cameras.begin(), project.cameras.end(),
                                 [](const ProjectCamera& camera) { return !camera.background.empty(); });
  if (!all_free || clips) VANTAGE_TRY(check_pictures(project));
  VANTAGE_TRY(check_free_cameras(free, solve_lenses));
  PeopleSolveInput input{project.named_calibrations(range.begin), free,          {},
                         floor_around(*analysis.grid()),          mean_height_m, solve_lenses};
  VANTAGE_ASSIGN(input.frames, frames_of(analysis.pipeline(), range, all_free && !clips, progress, stop));
  return solve_from_people(input, stop);
}

}  // namespace vantage
