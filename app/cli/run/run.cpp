#include <fmt/core.h>
#include <cstdio>

#include "app/cli/batch/planned_run.h"
#include "app/cli/common/command.h"
#include "app/cli/run/reported_run.h"
#include "core/pipeline/kept_frames.h"
#include "core/project/missing_files.h"
#include "core/project/variants.h"

namespace vantage::cli {
namespace {

void print_memory(const MemoryPlan& plan) {
  const bool on_device = plan.need.device_bytes() > 0;
  fmt::print(stderr, "memory: at most {}; {}\n", memory_text(plan.need, plan.available),
             shares_text(plan.need, on_device));
}

// The requested range, or exits with an error.
FrameRange range_or_fail(const FrameRange& asked, const OpenedChain& chain) {
  if (!chain.analysis->live()) return cut_to_recording_or_fail(asked, chain.analysis->source());
  return asked;  // refused before: live cameras have no frames to choose from
}

// Replaces results stored under its name only if requested.
void use_variant_or_fail(RunArguments* options, Project* project) {
  project->parameters =
      value_or_fail(read_variant(project->path, options->variant, default_parameters())).parameters;
  if (!options->out.empty()) return;
  const std::filesystem::path folder = variant_results(project->path, options->variant);
  std::error_code none;
  if (!options->replace && std::filesystem::exists(folder / "results.jsonl", none))
    fail_command({ErrorKind::invalid_argument, "there are results of this variant", folder.string(),
                  "Replace them with --replace, or choose another folder with --out."});
  options->out = folder.string();
}

Project load_or_fail(RunArguments* options) {
  Project project = load_project_or_fail(options->chain);
  if (!options->variant.empty()) use_variant_or_fail(options, &project);
  if (!options->chain.without_missing) check_or_fail(check_project_files(project));
  options->chain.live = chosen_live_options(options->live, project);
  if (options->chain.live && !options->chain.frames.empty())
    throw CLI::ValidationError("--frames", "live cameras have no frames to choose from; use --seconds");
  return project;
}

// The same videos, calibration and foreground went through the chain before, so a check would repeat its
// findings.
bool was_analysed(const OpenedChain& chain, int64_t frame) {
  const std::string_view stage = chain.project.calibrated() ? kCarvingStage : kForegroundStage;
  KeptFrames kept(kept_folder(chain.project.path), 0);
  return kept.contains(stage, chain.analysis->pipeline().version(stage), frame);
}

OpenedChain open_checked_or_fail(const RunArguments& options, Project project, int64_t first_frame) {
  const auto check = [&](const Project& checked) {
    if (options.no_check) return;
    check_before_run(checked, options.chain.backend, options.out, options.force,
                     options.chain.without_missing);
  };
  std::error_code none;
  const bool kept = options.chain.kept_mib > 0 && std::filesystem::exists(kept_folder(project.path), none);
  if (options.chain.live || !kept) {
    if (!options.chain.live) check(project);
    return open_chain_or_fail(options.chain, std::move(project));
  }
  OpenedChain chain = open_chain_or_fail(options.chain, std::move(project));
  if (!was_analysed(chain, first_frame)) check(chain.project);
  return chain;
}

void run(RunArguments options) {
  std::unique_ptr<server::ResultServer> server = open_server_or_fail(options.serve);
  const FrameRange asked = parse_frames(options.chain.frames);
  Project project = load_or_fail(&options);
  OpenedChain chain = open_checked_or_fail(options, std::move(project), asked.begin);
  print_memory(chain.analysis->memory());
  accept_views_or_fail(options.live, chain.project, *chain.analysis);
  const FrameRange range = range_or_fail(asked, chain);
  ReportedRun reported(options, chain, range, std::move(server));
  const int64_t start = trace_now_ns();
  const Status analysed = reported.analyse();
  const double seconds = static_cast<double>(trace_now_ns() - start) * 1e-9;
  std::vector<Error> errors = reported.finish();
  reported.print(seconds);
  if (!analysed) errors.insert(errors.begin(), analysed.error());
  if (errors.empty()) return;
  Error& first = errors.front();
  if (first.kind == ErrorKind::cancelled) first.what = "stopped; the results so far are complete";
  fail_command(first);
}

}  // namespace

void add_run(CLI::App& app) {
  auto options = std::make_shared<RunArguments>();
  auto planned = std::make_shared<PlannedRunOptions>();
  CLI::App* command =
      app.add_subcommand("run", "Run the chain over a project's recording and write the results.");
  command->footer(
      "Writes results.jsonl, tracks.csv, coverage.png, shells/, floor/, timings.json and trace.json. Ctrl-C "
      "stops and keeps the results so far. --serve serves the results as they come and ends with the run; "
      "`vantage-cli serve` then serves them from the folder.\n"
      "Example: vantage-cli run hall.vantage --out results --frames 0:250 --set carving.threshold=0.6");
  add_chain_options(*command, options->chain, MoreBackends::all_gpus);
  CLI::Option* const project = command->get_option("project")->required(false);
  add_plan_options(*command, *planned);
  add_frames_option(*command, options->chain);
  command
      ->add_option("--out", options->out,
                   "folder for the results; NAME.results next to the project if absent")
      ->type_name("DIR");
  command
      ->add_option("--variant", options->variant,
                   "with the parameters of that variant; results are kept under its name, in NAME.variants")
      ->type_name("NAME")
      ->excludes("--set");
  command->add_flag("--replace", options->replace, "with --variant: in place of results kept under its name")
      ->needs("--variant");
  const auto add_every = [&](const char* name, int64_t& every, const std::string& what) {
    command->add_option(name, every, what + " of every Nth frame; 0: none")
        ->type_name("N")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
  };
  add_every("--shells", options->pictures.shells, "PLY files with the volume's shell");
  add_every("--floor-maps", options->pictures.floor_maps, "16-bit PNG files with the floor map");
  add_every("--masks", options->pictures.masks, "PNG files with each camera's foreground mask");
  add_every("--flows", options->pictures.flows,
            ".flo files with each camera's optical flow (with --set flow.enabled=true)");
  add_every("--volumes", options->pictures.volumes,
            "VTI files with the confidence of every voxel, 4 bytes each,");
  add_live_options(*command, options->live);
  add_serve_options(*command, options->serve);
  add_keep_option(*command, options->serve);
  command
      ->add_option("--offsets", options->offsets,
                   "watch whether the cameras stay in step: propose reports what it finds, apply corrects a "
                   "camera when the finding is certain")
      ->check(CLI::IsMember({"keep", "propose", "apply"}))
      ->capture_default_str();
  command
      ->add_option(
          "--push", options->push,
          "events and health to the project's push targets (`vantage-cli push`): of live cameras, also of "
          "recordings (always), or not at all")
      ->check(CLI::IsMember({"live", "always", "never"}))
      ->capture_default_str();
  command->add_flag("--write-offsets", options->write_offsets,
                    "with --offsets apply: also write what was applied to the project");
  options->chain.kept_mib = KeptFrames::kDefaultMaxBytes >> 20;
  command
      ->add_option(
          "--kept-limit", options->chain.kept_mib,
          "what stages make of frames is kept in NAME.kept next to the project, at most so much: the next "
          "run computes only what a changed parameter concerns; 0: nothing is kept or reused")
      ->type_name("MIB")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  command->add_flag("--sequential", options->sequential,
                    "one thread for the stages; the results are the same");
  command->add_flag("--without-missing", options->chain.without_missing,
                    "continue without the cameras whose videos are missing");
  command->add_flag("--force", options->force, "run even when the check before it fails");
  command->add_flag("--no-check", options->no_check, "run without the check before it");
  add_json_flag(*command, &options->json);
  command->callback([options, planned, project, command] {
    planned->backend = options->chain.backend;
    planned->sequential = options->sequential, planned->json = options->json;
    if (!planned->plan.empty()) {
      refuse_options_of_projects(*command);
      return run_planned(*planned);
    }
    if (project->empty()) throw CLI::RequiredError("project, or --plan,");
    if (options->chain.backend == kAllGpus)
      throw CLI::ValidationError("--backend", "cuda:all shares the tasks of a plan; use cuda:N");
    options->chain.keep_confidence = options->pictures.volumes > 0;
    run(*options);
  });
}

}  // namespace vantage::cli
