// vantage-cli submit and status: a plan given to Slurm, and how far its tasks are.
#include <cstdio>

#include "app/cli/batch/slurm.h"
#include "app/cli/common/value_or_fail.h"
#include "core/base/json.h"
#include "core/base/log.h"
#include "core/batch/status.h"

namespace vantage::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

struct FolderCommand {
  std::string folder;
  bool json = false;
};

struct SubmitCommand : FolderCommand {
  SubmitOptions options;
  std::string out;
  bool no_merge = false;
};

fs::path plan_folder(const std::string& folder) {
  std::error_code code;
  return fs::weakly_canonical(folder, code);
}

void submit(const SubmitCommand& command) {
  const fs::path folder = plan_folder(command.folder);
  const BatchPlan plan = value_or_fail(read_plan(folder / kPlanFile));
  SubmitOptions options = command.options;
  options.out = command.out, options.merge = !command.no_merge;
  const std::vector<SlurmJob> jobs = value_or_fail(submit_plan(plan, folder, options));
  ordered_json list = ordered_json::array();
  for (const SlurmJob& job : jobs) {
    list.push_back({{"id", job.id}, {"what", job.what}});
    if (!command.json) std::printf("job %s: %s\n", job.id.c_str(), job.what.c_str());
  }
  if (command.json) print_json(list);
}

void print_status(const BatchPlan& plan, const BatchStatus& status, const std::vector<SlurmJob>& jobs,
                  const std::map<std::string, std::string>& states) {
  for (size_t i = 0; i < status.tasks.size(); ++i) {
    const TaskStatus& task = status.tasks[i];
    std::string more = redact_credentials(task.sentence);
    if (task.state == TaskState::running) more = std::to_string(static_cast<int>(100 * task.share)) + " %";
    if (task.state == TaskState::failed && task.again) more += " (worth trying again)";
    std::printf("%4zu  %-16s %-14s %s\n", i, plan.scene_of(i).name.c_str(),
                std::string(task_state_name(task.state)).c_str(), more.c_str());
  }
  for (const SlurmJob& job : jobs) {
    const auto known = states.find(job.id);
    std::printf("job %s (%s): %s\n", job.id.c_str(), job.what.c_str(),
                known == states.end() ? "no longer known to Slurm" : known->second.c_str());
  }
  std::printf("%lld of %zu done, %lld of them with gaps; %lld running, %lld failed",
              static_cast<long long>(status.count(TaskState::done) + status.count(TaskState::gaps)),
              status.tasks.size(), static_cast<long long>(status.count(TaskState::gaps)),
              static_cast<long long>(status.count(TaskState::running)),
              static_cast<long long>(status.count(TaskState::failed) + status.count(TaskState::stopped)));
  if (status.left_s > 0) std::printf("; about %.0f min left", status.left_s / 60 + 0.5);
  std::printf("\n");
}

void print_status_json(const BatchPlan& plan, const BatchStatus& status, const std::vector<SlurmJob>& jobs,
                       const std::map<std::string, std::string>& states) {
  ordered_json tasks = ordered_json::array(), slurm = ordered_json::array();
  for (size_t i = 0; i < status.tasks.size(); ++i)
    tasks.push_back({{"task", i},
                     {"scene", plan.scene_of(i).name},
                     {"state", task_state_name(status.tasks[i].state)},
                     {"share", status.tasks[i].share},
                     {"sentence", status.tasks[i].sentence},
                     {"again", status.tasks[i].again}});
  for (const SlurmJob& job : jobs) {
    const auto known = states.find(job.id);
    slurm.push_back({{"id", job.id},
                     {"what", job.what},
                     {"states", known == states.end() ? ordered_json() : ordered_json(known->second)}});
  }
  const ordered_json out = {{"tasks", tasks}, {"jobs", slurm}, {"left_s", status.left_s}};
  print_json(out);
}

void status(const FolderCommand& command) {
  const fs::path folder = plan_folder(command.folder);
  const BatchPlan plan = value_or_fail(read_plan(folder / kPlanFile));
  const std::vector<SlurmJob> jobs = submitted_jobs(folder);
  (command.json ? print_status_json : print_status)(plan, batch_status(plan, folder), jobs,
                                                    slurm_states(jobs));
}

void add_folder(CLI::App& command, FolderCommand& options) {
  command.add_option("folder", options.folder, "the plan's folder")
      ->required()
      ->type_name("DIR")
      ->check(CLI::ExistingDirectory);
  command.add_flag("--json", options.json, "print it as JSON");
}

}  // namespace

void add_submit(CLI::App& app) {
  auto options = std::make_shared<SubmitCommand>();
  CLI::App* command = app.add_subcommand("submit", "Submit a plan's tasks to Slurm, followed by the merge.");
  command->footer(
      "Calls sbatch with DIR/vantage.sbatch and prints the jobs' numbers. Tasks that are complete end at "
      "once, so that the same command continues after a failure.\n"
      "Example: vantage-cli submit work --out week --at-most 20");
  add_folder(*command, *options);
  command
      ->add_option("--out", options->out,
                   "folder for the merged results; if absent NAME.results next to each project")
      ->type_name("RESULTS");
  command->add_flag("--no-merge", options->no_merge, "submit no merge");
  command
      ->add_option("--at-most", options->options.at_most, "tasks at a time; 0: as many as the cluster runs")
      ->check(CLI::Range(0, 100000))
      ->capture_default_str();
  command->add_flag("--gpu", options->options.gpu, "one GPU for each task (--gres=gpu:1)");
  command
      ->add_option("--sbatch", options->options.more,
                   "an option for sbatch, repeatable: --sbatch=--partition=gpu")
      ->type_name("OPTION");
  command->callback([options] { submit(*options); });
}

void add_status(CLI::App& app) {
  auto options = std::make_shared<FolderCommand>();
  CLI::App* command =
      app.add_subcommand("status", "Progress of a plan's tasks: done, running, failed and why, time left.");
  command->footer("Example: vantage-cli status work");
  add_folder(*command, *options);
  command->callback([options] { status(*options); });
}

}  // namespace vantage::cli
