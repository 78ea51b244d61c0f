#include "app/cli/calibrate/compare_people.h"

#include <cmath>
#include <cstdio>
#include <memory>

#include "app/cli/common/value_or_fail.h"
#include "core/base/file.h"
#include "core/base/formatted.h"

namespace vantage::cli {
namespace {

using nlohmann::ordered_json;

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
      "Run the chain under both, and compare the people found: positions, heights, outlines, ground truth");
  add_frames_option(command, *chain);
  command.add_option("--gt", options->truth,
                     "With --people: ground truth as of evaluate; else what was drawn in the project");
  for (const char* name : {"--frames", "--gt", "--set", "--backend"}) command.get_option(name)->needs(people);
}

ComparedByPeople compare_by_people_or_fail(const ComparePeopleOptions& options, const ChainOptions& asked,
                                           const Project& project, const std::vector<Camera>& first,
                                           const std::vector<Camera>& second, const VoxelGrid& grid) {
  const BothCalibrations both{{first, second}, grid, parse_frames(asked.frames), truth_of(options, project)};
  std::unique_ptr<OpenedChain> chain;
  int under = 0;
  const ProjectOpener open = [&](const Project& changed,
                                 const std::shared_ptr<KeptFrames>& kept) -> Result<OpenedProject> {
    std::fprintf(stderr, "people under calibration %c\n", 'A' + under++);
    ChainOptions chain_options = asked;
    chain_options.kept = kept;
    chain.reset();
    chain = std::make_unique<OpenedChain>(open_chain_or_fail(chain_options, changed));
    return OpenedProject{*chain->analysis, chain->backends.on_device(chain->trace.get()),
                         chain->backends.description};
  };
  Progress progress("people");
  return value_or_fail(run_under_both(
      project, both, open, [&](int64_t done, int64_t total) { progress.update(done, total); },
      interrupted()));
}

ordered_json people_json(const ComparedByPeople& compared, const std::vector<std::string>& cameras) {
  const CalibrationsByPeople& people = compared.people;
  ordered_json json = {{"frames", people.frames},
                       {"a", found_json(people.found[0], people.alone[0], cameras)},
                       {"b", found_json(people.found[1], people.alone[1], cameras)},
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
  json["b_is"] = verdict_text(compared.second_is());
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
  std::printf("%s\n", conclusion(compared.second_is()).c_str());
}

}  // namespace vantage::cli
