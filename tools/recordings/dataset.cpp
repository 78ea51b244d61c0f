// vantage-cli dataset: public footage of crowds as a project, evaluated as publications do.
#include <fmt/core.h>
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "app/backends/backend_option.h"
#include "app/cli/common/command.h"
#include "app/cli/common/project_arguments.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/project/crowd_dataset.h"

namespace vantage::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr double kMatch_m = 0.5;  // maximum distance between people and their ground truth

struct DatasetCommand {
  std::string layout, folder, out, model, backend = "auto";
  std::vector<std::string> detections;
  SetOption set;
  bool evaluate = false, json = false;
};

std::vector<std::string> layout_names() {
  std::vector<std::string> names;
  for (const CrowdLayout& layout : crowd_layouts()) names.emplace_back(layout.name);
  return names;
}

const CrowdLayout& layout_of(const std::string& name) {
  return *std::find_if(crowd_layouts().begin(), crowd_layouts().end(),
                       [&](const CrowdLayout& layout) { return layout.name == name; });
}

std::string absolute_path(const std::string& path) {
  return path.empty() ? path : fs::absolute(path).lexically_normal().string();
}

// P.truth.csv next to P.vantage.
fs::path truth_path(const fs::path& project) {
  return fs::path(project).replace_extension(".truth.csv");
}

CrowdDataset make_project(const DatasetCommand& command) {
  CrowdDataset dataset =
      value_or_fail(read_crowd_dataset(command.folder, layout_of(command.layout), command.detections));
  Project& project = dataset.project;
  project.path = absolute_path(command.out), project.detection_model = absolute_path(command.model);
  command.set.apply_to(&project);
  check_or_fail(make_folder(project.path.parent_path()));
  check_or_fail(save_project(project, project.path));
  std::string rows;
  for (const TrackRow& row : dataset.truth) rows += mot_csv_row(row);
  check_or_fail(write_file_atomically(truth_path(project.path), rows));
  return dataset;
}

// Evaluates the recording from a frame on, with people inside the grid's rectangle only.
TrackingMetrics evaluated_from(const CrowdDataset& dataset, const std::vector<TrackRow>& all, int64_t frame) {
  std::vector<TrackRow> truth, given;
  for (const TrackRow& row : dataset.truth)
    if (row.frame > frame) truth.push_back(row);
  const FloorRectangle& region = dataset.region;
  for (const TrackRow& row : all)
    if (row.frame > frame && row.x_m >= region.min_x_m && row.x_m <= region.max_x_m &&
        row.y_m >= region.min_y_m && row.y_m <= region.max_y_m)
      given.push_back(row);
  return value_or_fail(evaluate_tracks(truth, given, {TrackSpace::world, kMatch_m}));
}

// MODP over all matches, as in these publications, not as a mean over frames.
ordered_json figures_json(const std::string& part, int64_t frames, const TrackingMetrics& metrics) {
  return {{"part", part},
          {"frames", frames},
          {"people", metrics.true_rows},
          {"MODA", metrics.clear.moda},
          {"MODP", 1 - metrics.places.floor_error_m / kMatch_m},
          {"precision", metrics.clear.precision},
          {"recall", metrics.clear.recall},
          {"IDF1", metrics.identity.idf1},
          {"MOTA", metrics.clear.mota},
          {"HOTA", metrics.hota.hota}};
}

ordered_json evaluation_of(const CrowdDataset& dataset, const fs::path& results) {
  const fs::path tracks = results / "tracks.csv";
  const std::vector<TrackRow> rows =
      value_or_fail(read_mot_csv(value_or_fail(read_file(tracks)), tracks.string()));
  const int64_t tested = dataset.frames - dataset.first_test_frame;
  return {figures_json("last tenth", tested, evaluated_from(dataset, rows, dataset.first_test_frame)),
          figures_json("all", dataset.frames, evaluated_from(dataset, rows, 0))};
}

void print_evaluation(const ordered_json& parts) {
  fmt::print(
      "| Frames | MODA | MODP | Precision | Recall | IDF1 | MOTA | HOTA "
      "|\n|---|---|---|---|---|---|---|---|\n");
  for (const ordered_json& part : parts) {
    fmt::print("| {} ({})", part["part"].get<std::string>(), part["frames"].get<long long>());
    for (const char* figure : {"MODA", "MODP", "precision", "recall", "IDF1", "MOTA", "HOTA"})
      fmt::print(" | {:.3f}", part[figure].get<double>());
    fmt::print(" |\n");
  }
}

void dataset(const DatasetCommand& command) {
  const CrowdDataset made = make_project(command);
  const std::string truth = truth_path(made.project.path).string();
  ordered_json json = {{"project", made.project.path.string()},
                       {"truth", truth},
                       {"cameras", made.project.cameras.size()},
                       {"frames", made.frames},
                       {"people", made.truth.size()}};
  if (!command.json)
    fmt::print("{} cameras, {} frames, {} annotated positions\n{}\n{}\n", made.project.cameras.size(),
               made.frames, made.truth.size(), made.project.path.string(), truth);
  if (command.evaluate) {
    json["evaluation"] = evaluation_of(made, analysed_or_fail(made.project, command.backend));
    if (!command.json) print_evaluation(json["evaluation"]);
  }
  if (command.json) print_json(json);
}

}  // namespace

void add_dataset(CLI::App& app) {
  auto options = std::make_shared<DatasetCommand>();
  CLI::App* command =
      app.add_subcommand("dataset", "Make a project of public footage of a crowd, and evaluate it.");
  std::string layouts;
  for (const CrowdLayout& layout : crowd_layouts())
    layouts += "\n  " + std::string(layout.name) + ": " + std::string(layout.help);
  command->footer(
      "Layouts:" + layouts +
      "\nThe folder holds Image_subsets/C1, C2, …, calibrations and annotations_positions. The ground truth "
      "goes to\n"
      "P.truth.csv. --evaluate runs the project and evaluates it as publications do: people inside the grid, "
      "a "
      "match within\n"
      "0.5 m, the last tenth of the frames and all of them.\n"
      "Example: vantage-cli dataset wildtrack Wildtrack_dataset --out crowd.vantage --model M.onnx "
      "--evaluate");
  command->add_option("layout", options->layout, "layout of the footage")
      ->required()
      ->check(CLI::IsMember(layout_names()));
  command->add_option("folder", options->folder, "the folder of the data set")
      ->required()
      ->check(CLI::ExistingDirectory);
  command->add_option("--out", options->out, "the project file")->required()->type_name("P.vantage");
  command->add_option("--model", options->model, "a learned detector, ONNX")->check(CLI::ExistingFile);
  command
      ->add_option("--detections", options->detections,
                   "files of another detector, one per camera in the order C1, C2, …")
      ->check(CLI::ExistingPath);
  options->set.add_to(*command);
  command->add_flag("--evaluate", options->evaluate, "also run it, and evaluate the results");
  add_backend_option(*command, options->backend, "auto takes a GPU when there is one");
  add_json_flag(*command, &options->json);
  command->callback([options] { dataset(*options); });
}

}  // namespace vantage::cli
