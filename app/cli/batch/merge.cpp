// vantage-cli merge: the results of a plan's tasks as ordinary results folders.
#include "core/batch/merge.h"

#include <cstdio>

#include "app/cli/common/value_or_fail.h"
#include "core/base/json.h"
#include "core/base/log.h"
#include "core/batch/task_files.h"

namespace vantage::cli {
namespace {

struct MergeCommand {
  std::string folder, out;
  std::optional<double> window_s;
  bool json = false;
};

void print_text(const std::vector<MergedScene>& scenes) {
  for (const MergedScene& scene : scenes) {
    int64_t joined = 0, before = 0;
    for (const Seam& seam : scene.seams) joined += seam.joined, before += seam.before;
    std::printf("%s: %lld frames of %lld tasks, %lld bytes a frame", scene.name.c_str(),
                static_cast<long long>(scene.frames), static_cast<long long>(scene.tasks),
                static_cast<long long>(scene.frames > 0 ? scene.bytes / scene.frames : 0));
    if (!scene.seams.empty())
      std::printf("; at %zu seams %lld of %lld tracks joined", scene.seams.size(),
                  static_cast<long long>(joined), static_cast<long long>(before));
    std::printf("\n%s\n", scene.folder.c_str());
    for (const std::string& note : scene.notes) std::printf("  %s\n", redact_credentials(note).c_str());
    for (const Gap& gap : scene.gaps) std::printf("  %s\n", redact_credentials(gap_text(gap)).c_str());
  }
}

nlohmann::ordered_json json_of(const std::vector<MergedScene>& scenes) {
  nlohmann::ordered_json out = nlohmann::ordered_json::array();
  for (const MergedScene& scene : scenes) {
    nlohmann::ordered_json seams = nlohmann::ordered_json::array(), gaps = nlohmann::ordered_json::array();
    for (const Seam& seam : scene.seams)
      seams.push_back(
          {{"frame", seam.frame}, {"before", seam.before}, {"after", seam.after}, {"joined", seam.joined}});
    for (const Gap& gap : scene.gaps) gaps.push_back(gap_text(gap));
    out.push_back({{"scene", scene.name},
                   {"results", scene.folder.string()},
                   {"frames", scene.frames},
                   {"bytes", scene.bytes},
                   {"seams", seams},
                   {"gaps", gaps},
                   {"notes", scene.notes}});
  }
  return out;
}

void merge(const MergeCommand& command) {
  const std::filesystem::path folder = command.folder;
  const BatchPlan plan = value_or_fail(read_plan(folder / kPlanFile));
  MergeOptions options;
  options.out = command.out;
  options.window_s = command.window_s;
  options.stop = interrupted();
  Progress progress("merge");
  options.progress = [&progress](int64_t done, int64_t total) { progress.update(done, total); };
  const std::vector<MergedScene> scenes = value_or_fail(merge_tasks(plan, folder, options));
  command.json ? print_json(json_of(scenes)) : print_text(scenes);
  for (const MergedScene& scene : scenes)
    if (!scene.gaps.empty()) throw CLI::RuntimeError(static_cast<int>(TaskExit::gaps));
}

}  // namespace

void add_merge(CLI::App& app) {
  auto options = std::make_shared<MergeCommand>();
  CLI::App* command =
      app.add_subcommand("merge", "Merge the results of a plan's tasks into ordinary results folders.");
  command->footer(
      "Refuses tasks that are not complete or do not belong together. A plan of one recording gives one "
      "results folder, a plan of several a folder for each. Exit codes: 0 done, 3 done, and tasks had gaps, "
      "1 "
      "failed.\n"
      "Example: vantage-cli merge work --out week");
  command->add_option("folder", options->folder, "the plan's folder")
      ->required()
      ->type_name("DIR")
      ->check(CLI::ExistingDirectory);
  command
      ->add_option(
          "--out", options->out,
          "folder for the results; if absent NAME.results next to each project, where the window finds them")
      ->type_name("RESULTS");
  command
      ->add_option("--window", options->window_s,
                   "length in seconds of the windows for paths, in place of the project's; 0: all frames at "
                   "once, which needs memory for all of them")
      ->check(CLI::NonNegativeNumber)
      ->type_name("SECONDS");
  command->add_flag("--json", options->json, "print the summary as JSON");
  command->callback([options] { merge(*options); });
}

}  // namespace vantage::cli
