// vantage-cli bench: speed of each stage here, compared with the device's limits.
#include <fmt/core.h>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <optional>

#include "app/backends/backend_option.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "tools/bench/experiments.h"
#include "tools/bench/stages.h"

namespace vantage::cli {
namespace {

struct BenchCommand {
  std::vector<std::string> stages, experiments;
  std::string project, footage, backend = "auto", json, plots;
  int64_t frames = INT64_MAX;
  ExperimentOptions options;
};

std::vector<std::string> stage_names() {
  std::vector<std::string> names;
  for (const StageBench& bench : stage_benches()) names.push_back(bench.name);
  return names;
}

std::vector<std::string> experiment_names() {
  std::vector<std::string> names = {"all"};
  for (const ExperimentBench& bench : experiment_benches()) names.push_back(bench.name);
  return names;
}

bool names(const std::vector<std::string>& asked, const std::string& name) {
  return std::find(asked.begin(), asked.end(), name) != asked.end();
}

// Without names: every stage, no experiment.
bool wants(const BenchCommand& command, const StageBench& bench) {
  return names(command.stages, bench.name) || (command.stages.empty() && command.experiments.empty());
}
bool wants(const BenchCommand& command, const ExperimentBench& bench) {
  return names(command.experiments, bench.name) || names(command.experiments, "all");
}

bool needs_footage(const BenchCommand& command) {
  const auto& stages = stage_benches();
  const auto& experiments = experiment_benches();
  return std::any_of(stages.begin(), stages.end(),
                     [&](const StageBench& bench) { return bench.needs_footage && wants(command, bench); }) ||
         std::any_of(experiments.begin(), experiments.end(),
                     [&](const ExperimentBench& bench) { return wants(command, bench); });
}

BenchFootage footage_for(const BenchCommand& command) {
  if (!needs_footage(command)) return {};
  if (!command.project.empty()) return open_footage(command.project, command.frames);
  SynthOptions synth;
  synth.width_px = 640, synth.height_px = 480;
  synth.seconds = 2;
  synth.seed = kBenchSeed;
  const std::filesystem::path folder = command.footage.empty()
                                           ? std::filesystem::temp_directory_path() / "vantage-bench"
                                           : std::filesystem::path(command.footage);
  return render_footage(folder, synth, command.frames);
}

void write_outputs(const BenchCommand& command, const BenchDevice& device, const BenchFootage& footage,
                   const BenchReport& report) {
  nlohmann::ordered_json json = {{"schema", "vantage-bench-1"},
                                 {"device", device.backends().description},
                                 {"copy_bytes_per_s", device.rates().copy_bytes_per_s},
                                 {"texture_samples_per_s", device.rates().texture_samples_per_s},
                                 {"footage", footage.description},
                                 {"seed", kBenchSeed}};
  json.update(report.json());
  if (!command.json.empty()) check_or_fail(write_file_atomically(command.json, json_text(json, 1) + "\n"));
  if (!command.plots.empty()) check_or_fail(report.write_plots(command.plots));
}

void bench(const BenchCommand& command) {
  BenchDevice device(command.backend);
  for (const std::string& note : device.backends().notes) fmt::print(stderr, "{}\n", note);
  fmt::print("{}, copies {:.1f} GB/s (read and written)\n", device.backends().description,
             device.rates().copy_bytes_per_s * 1e-9);
  std::fflush(stdout);
  const BenchFootage footage = footage_for(command);
  BenchReport report;
  const auto go_on = [] {
    if (interrupted().stop_requested())
      fail_command({ErrorKind::cancelled, "stopped; what was printed is complete", "bench", ""});
  };
  for (const StageBench& stage : stage_benches()) {
    if (!wants(command, stage)) continue;
    stage.run(device, footage, report);
    go_on();
  }
  for (const ExperimentBench& experiment : experiment_benches()) {
    if (!wants(command, experiment)) continue;
    experiment.run(device, footage, command.options, report);
    go_on();
  }
  write_outputs(command, device, footage, report);
}

void add_numbers(CLI::App& command, const char* name, std::vector<int>& numbers, const char* what) {
  command.add_option(name, numbers, what)->delimiter(',')->check(CLI::Range(1, 4096))->type_name("N,N,...");
}

}  // namespace

void add_bench(CLI::App& app) {
  auto options = std::make_shared<BenchCommand>();
  CLI::App* command = app.add_subcommand(
      "bench", "Time stages and the whole chain on this machine, compared with the device's limits.");
  std::string experiments;
  for (const ExperimentBench& experiment : experiment_benches())
    experiments += std::string("\n  ") + experiment.name + ": " + experiment.what;
  command->footer(
      "Without names: every stage. Experiments:" + experiments +
      "\n"
      "A limit is the bytes or samples counted for one call, divided by the rate measured here at the "
      "start.\n"
      "Example: vantage-cli bench carving floor --json bench.json\n"
      "         vantage-cli bench --experiment cameras,latency --project hall.vantage --plots plots");
  command->add_option("stages", options->stages, "which stages")->check(CLI::IsMember(stage_names()));
  command->add_option("--experiment", options->experiments, "curves, or all")
      ->delimiter(',')
      ->check(CLI::IsMember(experiment_names()));
  command->add_option("--project", options->project,
                      "recording for decoding and the chain; rendered if absent");
  command
      ->add_option("--footage", options->footage,
                   "folder for the rendered recording, reused if it exists; a temporary one if absent")
      ->type_name("DIR")
      ->excludes("--project");
  command->add_option("--frames", options->frames, "frames of the recording to use")
      ->check(CLI::Range(2, 1 << 30));
  add_numbers(*command, "--cameras", options->options.cameras, "numbers of cameras for the experiment");
  add_numbers(*command, "--grids", options->options.grids, "sides of the grid for the experiment");
  add_numbers(*command, "--streams", options->options.streams, "numbers of streams for the experiment");
  add_numbers(*command, "--gpus", options->options.gpus, "numbers of GPUs for the experiment");
  command->add_option("--seconds", options->options.seconds, "duration of the experiment timings")
      ->check(CLI::Range(1.0, 3600.0))
      ->capture_default_str();
  add_backend_option(*command, options->backend, "auto takes a GPU when there is one");
  command->add_option("--json", options->json, "also write the figures to this file")->type_name("FILE");
  command->add_option("--plots", options->plots, "folder for an SVG of each experiment")->type_name("DIR");
  command->callback([options] { bench(*options); });
}

}  // namespace vantage::cli
