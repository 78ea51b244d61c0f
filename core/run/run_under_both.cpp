#include "core/run/run_under_both.h"

#include <algorithm>
#include <filesystem>

#include "core/base/file.h"
#include "core/calibration/people/person_outlines.h"
#include "core/project/camera_in_time.h"
#include "core/run/calibrations_by_people.h"

namespace vantage {
namespace {

constexpr int64_t kKeptBytes = int64_t{2} << 30;  // masks for the second run; the rest is computed again

// Sorts the cameras into the project's order.
Result<std::vector<Camera>> in_order(const Project& project, const std::vector<Camera>& calibration) {
  std::vector<Camera> cameras;
  for (const ProjectCamera& camera : project.cameras) {
    const auto found = std::ranges::find(calibration, camera.name, &Camera::name);
    if (found == calibration.end())
      return fail(ErrorKind::not_found, "one of the calibrations does not have this camera", camera.name,
                  "Compare calibrations of all cameras of the project.");
    cameras.push_back(*found);
  }
  return cameras;
}

Project project_with(const Project& project, const std::vector<Camera>& cameras, int64_t frame,
                     const VoxelGrid& grid) {
  Project changed = project_at(project, frame);
  for (size_t c = 0; c < cameras.size(); ++c) changed.cameras[c].calibration = cameras[c];
  changed.grid = grid;
  return changed;
}

Result<FrameRange> cut_to_recording(const Project& project, FrameRange range, FrameSource& source,
                                    const StopSource& stop) {
  VANTAGE_ASSIGN(const int64_t count, source.wait_for_frame_count(stop));
  if (range.begin >= count)
    return fail(ErrorKind::invalid_argument, "the recording has only " + std::to_string(count) + " frames",
                "frame " + std::to_string(range.begin),
                "Choose frames before " + std::to_string(count) + ".");
  range.end = std::min(range.end, count);
  for (const int64_t change : project.calibration_changes())
    if (change > range.begin && change < range.end)
      return fail(ErrorKind::invalid_argument,
                  "a camera has another pose from frame " + std::to_string(change) + " on",
                  project.path.string(), "Choose frames before it or from there on.");
  return range;
}

}  // namespace

Result<ComparedByPeople> run_under_both(const Project& project, const BothCalibrations& both,
                                        const ProjectOpener& open,
                                        const std::function<void(int64_t, int64_t)>& progress,
                                        const StopSource& stop) {
  std::array<std::vector<Camera>, 2> cameras;
  for (const size_t under : {0, 1}) {
    VANTAGE_ASSIGN(cameras[under], in_order(project, both.cameras[under]));
  }
  VANTAGE_ASSIGN(const TemporaryFolder work, TemporaryFolder::make("vantage-compare"));
  const auto kept = std::make_shared<KeptFrames>(work.path() / "kept", kKeptBytes);
  SweepMeasurement how{.metrics = {find_sweep_metric("count")}, .blocks = 1, .truth = {}};
  how.keep_people = true;
  std::array<SweptPeople, 2> people;
  const std::array<std::filesystem::path, 2> folders = {work.path() / "a", work.path() / "b"};
  std::vector<PeopleFrame> outlines;
  FrameRange range = both.frames;
  for (const size_t under : {0, 1}) {
    const Project changed = project_with(project, cameras[under], range.begin, both.grid);
    VANTAGE_ASSIGN(const OpenedProject opened, open(changed, kept));
    VANTAGE_ASSIGN(range, cut_to_recording(project, range, opened.analysis.source(), stop));
    // The first run, outlines, the second run.
    const int64_t frames = range.end - range.begin, before = under == 0 ? 0 : 2 * frames;
    how.analysed = [&](int64_t done) { progress(before + done, 3 * frames); };
    SweepRun run(opened.analysis, opened.backends, opened.device_description);
    VANTAGE_ASSIGN(SweepPoint point, run.measure(changed, {range, {}}, how, folders[under], stop));
    people[under] = std::move(point.people);
    if (under == 1) continue;
    VANTAGE_ASSIGN(outlines, read_outlines(
                                 changed, opened.analysis, range,
                                 [&](int64_t done, int64_t) { progress(frames + done, 3 * frames); }, stop));
  }
  VANTAGE_ASSIGN(const std::vector<OutlineMiss> misses,
                 outline_misses(cameras[0], cameras[1], outlines, floor_around(both.grid), stop));
  ComparedByPeople compared{compare_by_people({cameras[0], people[0]}, {cameras[1], people[1]}, misses), {}};
  if (!both.truth.empty()) {
    VANTAGE_ASSIGN(compared.truth, judge_by_truth(folders[0], folders[1], both.truth));
  }
  return compared;
}

}  // namespace vantage
