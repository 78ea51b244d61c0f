// Compares two calibrations of the same cameras, by the people in a project's footage under each.
//
// A person is the same under both if the boxes that the two calibrations predict in the cameras' pictures
// overlap: pictures do not change with a calibration, positions do.
#pragma once

#include <array>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/calibration/people/footage_solve.h"
#include "core/calibration/people/people_solve.h"
#include "core/calibration/people/person_outlines.h"
#include "core/run/analysis.h"
#include "core/run/sweep.h"

namespace vantage {

// One calibration, and the people that a run under it found.
struct PeopleUnder {
  const std::vector<Camera>& cameras;
  const SweptPeople& people;
};

struct FoundUnder {
  int64_t tracks = 0, person_frames = 0;
  // Mean height of the people found under both, and mean deviation of a person's heights from their own mean,
  // relative to it, while neither track breaks. A correct calibration gives one person the same height
  // everywhere.
  double height_m = 0, height_scatter = 0;
  double outlines_px = 0;                   // residual of outlines (outline_scatter_px)
  std::vector<double> outlines_of_px = {};  // one per camera
};

// A figure that needs no ground truth, with the verdict of stretches of the footage on it.
struct JudgedFigure {
  std::string_view name;  // "outlines_px", as in JSON
  std::string_view title;
  std::array<double, 2> values = {};           // under each
  GainVerdict verdict = GainVerdict::too_few;  // the second calibration against the first
};

struct CalibrationsByPeople {
  int64_t frames = 0;  // whose people are known under both
  std::array<FoundUnder, 2> found;
  int64_t same = 0;  // person-frames found under both
  int64_t same_tracks =
      0;  // tracks of the first with at least half of their frames in one track of the second
  std::array<int64_t, 2> alone = {};           // person-frames found under one only
  double apart_median_m = 0, apart_p95_m = 0;  // distances of the same people on the floor
  std::vector<JudgedFigure> figures;
};

// Minimum overlap of the same person's boxes, averaged over the cameras that show them.
inline constexpr double kSamePersonOverlap = 0.3;
// Stretches of the footage, each with its own verdict.
inline constexpr size_t kJudgingStretches = 8;

// `misses`: outline_misses() of the two; empty where there are none. Both have the same cameras in the same
// order.
CalibrationsByPeople compare_by_people(const PeopleUnder& first, const PeopleUnder& second,
                                       std::span<const OutlineMiss> misses);

// The figures by which ground truth judges the two: MODA, HOTA and the error on the floor, each with a
// confidence of 99 %, because they are several. Folders of results; errors: those of compare_by_truth().
Result<std::vector<ComparedFigure>> judge_by_truth(const std::filesystem::path& first,
                                                   const std::filesystem::path& second,
                                                   const GroundTruth& truth);

// Verdict on the second calibration: that of the clear figures, if none of them contradicts. `truth`: from
// judge_by_truth(); empty: there is none.
GainVerdict better_calibration(const CalibrationsByPeople& compared, std::span<const ComparedFigure> truth);

// Places cameras of a project by the people in its footage: from the outlines of an analysis's foreground
// masks or, where every camera is free and the project has a detector, from its boxes
// (core/calibration/people).

// The outlines of the range's masks. `analysis`: of the project, which is calibrated and whose cameras do not
// move in the range. `progress` is called after each frame. Errors: invalid_argument, and those of the
// pipeline.
Result<std::vector<PeopleFrame>> read_outlines(
    const Project& project, Analysis& analysis, FrameRange range,
    const std::function<void(int64_t done, int64_t total)>& progress, const StopSource& stop);

// `analysis`: of the project, which is calibrated. `free`, `mean_height_m`, `solve_lenses`: as
// PeopleSolveInput has them. `range`: of the recording. `progress` is called after each frame. Errors: those
// of solve_from_people() and of the pipeline.
Result<PeopleSolution> place_by_people(const Project& project, Analysis& analysis,
                                       const std::vector<bool>& free, FrameRange range,
                                       const std::function<void(int64_t done, int64_t total)>& progress,
                                       const StopSource& stop,
                                       std::optional<double> mean_height_m = std::nullopt,
                                       bool solve_lenses = false);

// Cameras from nothing, by the boxes of the project's detection files or model: calibrations and offsets that
// the project has do not count. `max_offset_s`, `mean_height_m`: as FootageInput has them. Errors:
// invalid_argument where the project has no detections, those of solve_from_footage() and of the pipeline.
Result<FootageSolution> solve_project_from_footage(
    const Project& project, Analysis& analysis, FrameRange range, double max_offset_s,
    std::optional<double> mean_height_m, const std::function<void(int64_t done, int64_t total)>& progress,
    const StopSource& stop, const FootageProgressCallback& found = {});

// Gives every placed camera its solved calibration, instead of all it had, and its offset, which counts as
// confirmed. Open ones lose a calibration, which would be of another world. Errors: invalid_argument where
// the cameras are not the project's.
Status apply_footage_solution(const FootageSolution& solution, Project* project);

}  // namespace vantage
