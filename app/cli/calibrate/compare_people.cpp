#include "app/cli/calibrate/compare_people.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "app/cli/common/value_or_fail.h"
#include "core/base/file.h"
#include "core/base/formatted.h"
#include "core/base/temporary_folder.h"
#include "core/pipeline/kept_frames.h"
#include "core/project/camera_in_time.h"
#include "core/run/place_by_people.h"

namespace vantage::cli {
namespace {

using nlohmann::ordered_json;
namespace fs = std::filesystem;

constexpr int64_t kKeptBytes = int64_t{2} << 30;  // masks for the second run; what does not fit is made again

// In the order of the project.
std::vector<Camera> cameras_of(const Project& project, const std::vector<Camera>& calibration) {
  std::vector<Camera> cameras;
  for (const ProjectCamera& camera : project.cameras) {
    const auto found = std::ranges::find(calibration, camera.name, &Camera::name);
    if (found == calibration.end())
      fail_command({ErrorKind::not_found, "one of the calibrations does not have this camera", camera.name,
                    "Compare calibrations of all cameras of the project."});
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

void check_range_or_fail(const Project& project, const FrameRange& range) {
  for (const int64_t change : project.calibration_changes())
    if (change > range.begin && change < range.end)
      fail_command({ErrorKind::invalid_argument,
                    "a camera stands otherwise from frame " + std::to_string(change) + " on",
                    project.path.string(), "Choose frames before it or from there on: --frames."});
}

GroundTruth truth_of(const ComparePeopleOptions& options, const Project& project) {
  if (!options.truth.empty()) return value_or_fail(read_ground_truth(options.truth));
  return ground_truth_of(project.truth);
}

ordered_json number(double value) {
  return std::isnan(value) ? ordered_json() : ordered_json(value);
}

ordered_json found_json(const FoundUnder& found, int64_t alone, const std::vector<std::string>& cameras) {
  ordered_json json = {{"tracks", found.tracks},
                       {"person_frames", found.person_frames},
                       {"alone", alone},
                       {"height_m", found.height_m},
                       {"height_scatter", found.height_scatter},
                       {"outlines_px", found.outlines_px}};
  for (size_t c = 0; c < cameras.size(); ++c) json["outlines_of_px"][cameras[c]] = found.outlines_of_px[c];
  return json;
}

void print_found(const char* name, const FoundUnder& found, int64_t alone) {
  std::printf(
      "%-3s %lld tracks, %lld person-frames, %lld of them alone; heights %.3f m, scatter %.2f %%; "
      "outlines miss by %.2f px\n",
      name, static_cast<long long>(found.tracks), static_cast<long long>(found.person_frames),
      static_cast<long long>(alone), found.height_m, 100 * found.height_scatter, found.outlines_px);
}

std::string conclusion(GainVerdict verdict) {
  if (verdict == GainVerdict::better) return "B is better";
  if (verdict == GainVerdict::worse) return "A is better";
  return "which is better: cannot tell";
}

}  // namespace

void add_compare_people_options(CLI::App& command, ComparePeopleOptions* options, ChainOptions* chain) {
  CLI::Option* const people = command.add_flag(
      "--people", options->used,
      "Run the chain under both, and compare whom they find: places, heights, outlines, ground truth");
  add_frames_option(command, *chain);
  command.add_option("--gt", options->truth,
                     "With --people: ground truth as of evaluate; else what was drawn in the project");
  for (const char* name : {"--frames", "--gt", "--set"}) command.get_option(name)->needs(people);
}

ComparedByPeople compare_by_people_or_fail(const ComparePeopleOptions& options, const ChainOptions& asked,
                                           const Project& project, const std::vector<Camera>& first,
                                           const std::vector<Camera>& second, const VoxelGrid& grid) {
  const TemporaryFolder work = value_or_fail(TemporaryFolder::make("vantage-compare"));
  const GroundTruth truth = truth_of(options, project);
  ChainOptions chain_options = asked;
  chain_options.kept = std::make_shared<KeptFrames>(work.path() / "kept", kKeptBytes);
  SweepMeasurement how{.metrics = {find_sweep_metric("count")}, .blocks = 1, .truth = {}};
  how.keep_people = true;
  std::array<std::vector<Camera>, 2> cameras = {cameras_of(project, first), cameras_of(project, second)};
  std::array<SweptPeople, 2> people;
  const std::array<fs::path, 2> folders = {work.path() / "a", work.path() / "b"};
  std::vector<PeopleFrame> outlines;
  FrameRange range = parse_frames(asked.frames);
  for (const size_t under : {0, 1}) {
    std::fprintf(stderr, "people under calibration %s\n", under == 0 ? "A" : "B");
    OpenedChain chain =
        open_chain_or_fail(chain_options, project_with(project, cameras[under], range.begin, grid));
    range = cut_to_recording_or_fail(range, chain.analysis->source());
    check_range_or_fail(project, range);
    SweepRun run(*chain.analysis, chain.backends.on_device(chain.trace.get()), chain.backends.description);
    people[under] =
        value_or_fail(run.measure(chain.project, {range, {}}, how, folders[under], interrupted())).people;
    if (under == 1) continue;
    Progress progress("outlines");
    outlines = value_or_fail(read_outlines(
        chain.project, *chain.analysis, range,
        [&](int64_t done, int64_t total) { progress.update(done, total); }, interrupted()));
  }
  const std::vector<OutlineMiss> misses =
      value_or_fail(outline_misses(cameras[0], cameras[1], outlines, floor_around(grid), interrupted()));
  ComparedByPeople compared{
      compare_by_people({cameras[0], people[0]}, {cameras[1], people[1]}, misses), {}, {}};
  if (!truth.empty()) compared.truth = value_or_fail(judge_by_truth(folders[0], folders[1], truth));
  for (const Camera& camera : cameras[0]) compared.cameras.push_back(camera.name());
  return compared;
}

ordered_json people_json(const ComparedByPeople& compared) {
  const CalibrationsByPeople& people = compared.people;
  ordered_json json = {{"frames", people.frames},
                       {"a", found_json(people.found[0], people.alone[0], compared.cameras)},
                       {"b", found_json(people.found[1], people.alone[1], compared.cameras)},
                       {"same", people.same},
                       {"same_tracks", people.same_tracks},
                       {"apart_median_m", people.apart_median_m},
                       {"apart_p95_m", people.apart_p95_m}};
  for (const JudgedFigure& figure : people.figures)
    json["figures"].push_back({{"name", figure.name},
                               {"a", figure.values[0]},
                               {"b", figure.values[1]},
                               {"b_is", verdict_text(figure.verdict)}});
  json["truth"] = ordered_json::array();
  for (const ComparedFigure& figure : compared.truth)
    json["truth"].push_back({{"name", figure.figure->name},
                             {"a", number(figure.first)},
                             {"b", number(figure.second)},
                             {"difference", number(figure.difference.value)},
                             {"from", number(figure.difference.from)},
                             {"to", number(figure.difference.to)},
                             {"b_is", verdict_text(figure.verdict)}});
  json["b_is"] = verdict_text(better_calibration(people, compared.truth));
  return json;
}

void print_people(const ComparedByPeople& compared) {
  const CalibrationsByPeople& people = compared.people;
  std::printf("people in %lld frames\n", static_cast<long long>(people.frames));
  print_found("A", people.found[0], people.alone[0]);
  print_found("B", people.found[1], people.alone[1]);
  std::printf(
      "the same people in both: %lld person-frames, %lld tracks of A; apart on the floor by %.1f cm in "
      "the median, %.1f cm in 95 %%\n",
      static_cast<long long>(people.same), static_cast<long long>(people.same_tracks),
      100 * people.apart_median_m, 100 * people.apart_p95_m);
  for (const JudgedFigure& figure : people.figures) {
    const bool share = figure.name == "height_scatter";
    const double factor = share ? 100 : 1;
    std::printf("%-24s A %8.3f%s  B %8.3f%s  B is: %s\n", std::string(figure.title).c_str(),
                factor * figure.values[0], share ? " %" : "", factor * figure.values[1], share ? " %" : "",
                std::string(verdict_text(figure.verdict)).c_str());
  }
  for (const ComparedFigure& figure : compared.truth)
    std::printf("%-24s A %8.3f  B %8.3f  B is: %s\n", std::string(figure.figure->title).c_str(), figure.first,
                figure.second, std::string(verdict_text(figure.verdict)).c_str());
  std::printf("%s\n", conclusion(better_calibration(people, compared.truth)).c_str());
}

}  // namespace vantage::cli
