#include "core/run/calibrations_by_people.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "core/base/assignment.h"
#include "core/base/clock.h"
#include "core/base/quantile.h"
#include "core/fusion/body_box.h"
#include "core/results/compare_results.h"
#include "core/video/no_video.h"

namespace vantage {
namespace {

constexpr std::array<std::string_view, 3> kTruthFigures = {"moda", "hota", "floor_error_m"};

// The same person in one frame, under both calibrations.
struct SamePerson {
  int64_t frame = 0;
  std::array<FloorPerson, 2> people;
};

// Mean over the cameras that show one of them.
double overlap_in_pictures(const PeopleUnder& first, const FloorPerson& a, const PeopleUnder& second,
                           const FloorPerson& b) {
  double sum = 0, shown = 0;
  for (size_t c = 0; c < first.cameras.size(); ++c) {
    const BodyBox of_a = body_box(first.cameras[c].model(), a.x_m, a.y_m, a.height_m),
                  of_b = body_box(second.cameras[c].model(), b.x_m, b.y_m, b.height_m);
    if (!of_a.seen && !of_b.seen) continue;
    ++shown;
    if (of_a.seen && of_b.seen) sum += overlap(of_a.cut, of_b.cut);
  }
  return shown > 0 ? sum / shown : 0;
}

std::vector<SamePerson> same_people(const PeopleUnder& first, const PeopleUnder& second, int64_t frame) {
  const std::vector<FloorPerson> a = *first.people.at(frame), b = *second.people.at(frame);
  std::vector<SamePerson> same;
  if (a.empty() || b.empty()) return same;
  ScoreMatrix scores(static_cast<int>(a.size()), static_cast<int>(b.size()));
  for (size_t i = 0; i < a.size(); ++i)
    for (size_t j = 0; j < b.size(); ++j) {
      const double overlap = overlap_in_pictures(first, a[i], second, b[j]);
      if (overlap >= kSamePersonOverlap) scores.at(static_cast<int>(i), static_cast<int>(j)) = overlap;
    }
  const std::vector<int> assigned = assign_maximum(scores);
  for (size_t i = 0; i < a.size(); ++i)
    if (assigned[i] >= 0 && scores.at(static_cast<int>(i), assigned[i]) > 0)
      same.push_back({frame, {a[i], b[assigned[i]]}});
  return same;
}

// Deviations of the same person's heights from their own mean, relative to it, under each calibration.
struct HeightScatter {
  std::vector<std::optional<std::array<double, 2>>> off;  // one per person
  std::array<double, 2> mean_m = {}, mean_off = {};
};

// Means are those of the same stretches under both, where neither track breaks: a calibration with short
// tracks would fit its own means better. Short stretches are ignored.
HeightScatter scatter_of(const std::vector<SamePerson>& same) {
  constexpr double kMinTogether = 10;  // person-frames
  HeightScatter scatter;
  scatter.off.resize(same.size());
  const auto ids = [](const SamePerson& one) { return std::pair(one.people[0].id, one.people[1].id); };
  std::map<std::pair<int32_t, int32_t>, std::array<double, 3>> together;  // sums of heights, counts
  for (const SamePerson& one : same) {
    auto& sums = together[ids(one)];
    sums[0] += one.people[0].height_m, sums[1] += one.people[1].height_m, ++sums[2];
  }
  double count = 0;
  for (size_t i = 0; i < same.size(); ++i) {
    const auto& sums = together[ids(same[i])];
    for (const size_t under : {0, 1})
      scatter.mean_m[under] += same[i].people[under].height_m / static_cast<double>(same.size());
    if (sums[2] < kMinTogether || !(sums[0] > 0) || !(sums[1] > 0)) continue;
    auto& off = scatter.off[i].emplace();
    for (const size_t under : {0, 1}) {
      off[under] = std::abs(same[i].people[under].height_m * sums[2] / sums[under] - 1);
      scatter.mean_off[under] += off[under];
    }
    ++count;
  }
  for (double& mean : scatter.mean_off) mean = count > 0 ? mean / count : 0;
  return scatter;
}

int64_t tracks_of(const SweptPeople& people) {
  std::set<int32_t> ids;
  for (const SweptPeople::Person& one : people.people) ids.insert(one.id);
  return static_cast<int64_t>(ids.size());
}

int64_t same_tracks_of(const SweptPeople& first, const std::vector<SamePerson>& same) {
  std::map<int64_t, int64_t> frames;
  for (const SweptPeople::Person& one : first.people) ++frames[one.id];
  std::map<int64_t, std::map<int64_t, int64_t>> together;
  for (const SamePerson& one : same) ++together[one.people[0].id][one.people[1].id];
  return std::ranges::count_if(frames, [&](const auto& track) {
    return std::ranges::any_of(together[track.first],
                               [&](const auto& other) { return 2 * other.second >= track.second; });
  });
}

// The first frame of each stretch.
std::vector<int64_t> stretches_of(const std::vector<int64_t>& frames) {
  std::vector<int64_t> begins;
  for (size_t s = 0; s < kJudgingStretches && frames.size() >= kJudgingStretches; ++s)
    begins.push_back(frames[s * frames.size() / kJudgingStretches]);
  return begins;
}

std::vector<double> height_gains(const std::vector<SamePerson>& same, const HeightScatter& scatter,
                                 const std::vector<int64_t>& begins) {
  std::vector<double> gains;
  for (size_t s = 0; s < begins.size(); ++s) {
    double sum = 0, count = 0;
    for (size_t i = 0; i < same.size(); ++i)
      if (scatter.off[i] && same[i].frame >= begins[s] &&
          (s + 1 == begins.size() || same[i].frame < begins[s + 1]))
        sum += (*scatter.off[i])[0] - (*scatter.off[i])[1], ++count;
    if (count > 0) gains.push_back(sum / count);
  }
  return gains;
}

// The common verdict of all clear ones; unclear where they contradict each other.
GainVerdict together(const std::vector<GainVerdict>& told) {
  const bool better = std::ranges::find(told, GainVerdict::better) != told.end(),
             worse = std::ranges::find(told, GainVerdict::worse) != told.end();
  return better == worse ? GainVerdict::unclear : better ? GainVerdict::better : GainVerdict::worse;
}

}  // namespace

CalibrationsByPeople compare_by_people(const PeopleUnder& first, const PeopleUnder& second,
                                       std::span<const OutlineMiss> misses) {
  CalibrationsByPeople all;
  std::vector<int64_t> frames;
  std::vector<SamePerson> same;
  std::array<int64_t, 2> found = {};  // in those frames
  for (const int64_t frame : first.people.frames) {
    const auto others = second.people.at(frame);
    if (!others) continue;
    frames.push_back(frame);
    found[0] += static_cast<int64_t>(first.people.at(frame)->size());
    found[1] += static_cast<int64_t>(others->size());
    std::ranges::move(same_people(first, second, frame), std::back_inserter(same));
  }
  all.frames = static_cast<int64_t>(frames.size()), all.same = static_cast<int64_t>(same.size());
  all.same_tracks = same_tracks_of(first.people, same);
  std::vector<double> apart;
  for (const SamePerson& one : same)
    apart.push_back(std::hypot(one.people[0].x_m - one.people[1].x_m, one.people[0].y_m - one.people[1].y_m));
  all.apart_median_m = quantile(apart, 0.5), all.apart_p95_m = quantile(apart, 0.95);
  const HeightScatter heights = scatter_of(same);
  for (const size_t under : {0, 1}) {
    const PeopleUnder& its = under == 0 ? first : second;
    FoundUnder& one = all.found[under];
    one.tracks = tracks_of(its.people), one.person_frames = static_cast<int64_t>(its.people.people.size());
    all.alone[under] = found[under] - all.same;
    one.height_m = heights.mean_m[under], one.height_scatter = heights.mean_off[under];
    one.outlines_px = outline_scatter_px(misses, under, std::nullopt);
    for (size_t c = 0; c < its.cameras.size(); ++c)
      one.outlines_of_px.push_back(outline_scatter_px(misses, under, c));
  }
  const std::vector<int64_t> begins = stretches_of(frames);
  all.figures = {{"outlines_px",
                  "outlines miss, px",
                  {all.found[0].outlines_px, all.found[1].outlines_px},
                  verdict_of(outline_gains(misses, begins))},
                 {"height_scatter",
                  "heights scatter",
                  {all.found[0].height_scatter, all.found[1].height_scatter},
                  verdict_of(height_gains(same, heights, begins))}};
  return all;
}

Result<std::vector<ComparedFigure>> judge_by_truth(const std::filesystem::path& first,
                                                   const std::filesystem::path& second,
                                                   const GroundTruth& truth) {
  BootstrapOptions options;
  options.confidence = 0.99;
  VANTAGE_ASSIGN(std::vector<ComparedFigure> figures, compare_by_truth(first, second, truth, options));
  std::erase_if(figures, [](const ComparedFigure& figure) {
    return std::ranges::find(kTruthFigures, figure.figure->name) == kTruthFigures.end();
  });
  return figures;
}

GainVerdict better_calibration(const CalibrationsByPeople& compared, std::span<const ComparedFigure> truth) {
  std::vector<GainVerdict> told;
  for (const JudgedFigure& figure : compared.figures) told.push_back(figure.verdict);
  for (const ComparedFigure& figure : truth)
    if (figure.verdict == FigureVerdict::better || figure.verdict == FigureVerdict::worse)
      told.push_back(figure.verdict == FigureVerdict::better ? GainVerdict::better : GainVerdict::worse);
  return together(told);
}

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

// All cameras are calibrated, with one calibration throughout the range.
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

// Outlines need pictures; boxes alone can place all cameras together, but not one among others.
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

Result<FootageSolution> solve_project_from_footage(const Project& project, Analysis& analysis,
                                                   FrameRange range, double max_offset_s,
                                                   std::optional<double> mean_height_m,
                                                   const std::function<void(int64_t, int64_t)>& progress,
                                                   const StopSource& stop,
                                                   const FootageProgressCallback& found) {
  if (!project.has_detections())
    return fail(
        ErrorKind::invalid_argument, "the project has no detections of people", project.path.string(),
        "Make it with detection files (vantage-cli new --detections) or a model (--detection-model).");
  FootageInput input{{}, max_offset_s, mean_height_m};
  for (size_t c = 0; c < project.cameras.size(); ++c) {
    const VideoInfo info = analysis.source().info(static_cast<int>(c));
    input.cameras.push_back({project.cameras[c].name,
                             info.width_px,
                             info.height_px,
                             effective_frame_rate(project.cameras[c].frame_rate, info.frame_rate),
                             {}});
  }
  for (int64_t frame = range.begin; frame < range.end; ++frame) {
    FrameEffort effort;
    effort.last_stage = kDetectionsStage;
    const Result<FrameResultRef> result = analysis.pipeline().frame(frame, effort, stop);
    if (!result && result.error().kind == ErrorKind::end_of_stream) break;
    if (!result) return fail(result.error());
    const DetectionsArtifact* detections = (*result)->detections();
    if (!detections || !detections->present)
      return fail(ErrorKind::invalid_argument, "detections are switched off", project.path.string(),
                  "Set detections.enabled.");
    for (size_t c = 0; c < input.cameras.size(); ++c) {
      const int64_t own = (*result)->frames()->cameras[c].camera_frame;
      if (own < 0) continue;
      std::vector<CameraDetections>& frames = input.cameras[c].frames;
      if (frames.size() <= static_cast<size_t>(own)) frames.resize(static_cast<size_t>(own) + 1);
      if (detections->cameras[c].known) frames[static_cast<size_t>(own)] = detections->cameras[c];
    }
    progress(frame - range.begin + 1, range.end - range.begin);
  }
  return solve_from_footage(input, stop, found);
}

Status apply_footage_solution(const FootageSolution& solution, Project* project) {
  const auto same_name = [](const FootageSolvedCamera& one, const ProjectCamera& camera) {
    return one.name == camera.name;
  };
  if (!std::ranges::equal(solution.cameras, project->cameras, same_name))
    return fail(ErrorKind::invalid_argument, "the project has other cameras than those that were solved",
                project->path.string());
  for (size_t c = 0; c < project->cameras.size(); ++c) {
    ProjectCamera& camera = project->cameras[c];
    camera.calibration.reset(), camera.later_calibrations.clear();
    if (!solution.cameras[c].placed()) continue;
    camera.calibration = solution.cameras[c].camera;
    camera.offset_frames = solution.cameras[c].offset_frames, camera.offset_confirmed = true;
    camera.offset_changes.clear();
  }
  project->grid.reset();
  return {};
}

}  // namespace vantage
