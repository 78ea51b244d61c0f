#include "app/cli/batch/planned_run.h"

#include <tbb/global_control.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>

#include "app/backends/backends.h"
#include "app/cli/batch/workers.h"
#include "app/cli/common/value_or_fail.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/log.h"
#include "core/batch/granted.h"
#include "core/batch/run_task.h"
#include "core/batch/task_files.h"

namespace vantage::cli {
namespace {

namespace fs = std::filesystem;

bool read_number(std::string_view text, size_t* value) {
  const auto read = std::from_chars(text.data(), text.data() + text.size(), *value);
  return !text.empty() && read.ec == std::errc() && read.ptr == text.data() + text.size();
}

// "7", or "2:5": the sixth span of the third scene.
size_t task_number(const std::string& text, const BatchPlan& plan) {
  size_t scene = 0, number = 0;
  const size_t colon = text.find(':');
  if (colon == std::string::npos) {
    if (read_number(text, &number) && number < plan.tasks.size()) return number;
  } else if (read_number(std::string_view(text).substr(0, colon), &scene) &&
             read_number(std::string_view(text).substr(colon + 1), &number)) {
    for (size_t i = 0; i < plan.tasks.size(); ++i)
      if (plan.tasks[i].scene == scene && static_cast<size_t>(plan.tasks[i].span) == number) return i;
  }
  throw CLI::ValidationError("--task", "'" + text + "' is not a task of the plan: its tasks are 0 to " +
                                           std::to_string(plan.tasks.size() - 1));
}

// Under Slurm a GPU counts only where one was granted, and then it is used: on the CPU the task would not end
// in its time.
std::string backend_of(const PlannedRunOptions& options, const BatchPlan& plan, const Granted& granted) {
  const std::string& asked = options.backend == "auto" ? plan.backend : options.backend;
  if (asked != "auto" || !granted.by_slurm) return asked;
  return granted.gpu ? "cuda" : "cpu";
}

void print_task(const BatchPlan& plan, const EndedTask& ended, bool json) {
  const TaskRecord& record = ended.record;
  if (json) {
    nlohmann::ordered_json gaps = nlohmann::ordered_json::array();
    for (const Gap& gap : record.gaps) gaps.push_back(gap_text(gap));
    const nlohmann::ordered_json out = {{"task", record.task},
                                        {"result", record.gaps.empty() ? "done" : "done with gaps"},
                                        {"was_complete", ended.was_complete},
                                        {"frames", record.frames},
                                        {"seconds", record.seconds},
                                        {"gaps", gaps},
                                        {"notes", record.notes}};
    print_json(out);
    return;
  }
  std::printf("task %zu, %s, frames %lld to %lld: %s\n", record.task, plan.scene_of(record.task).name.c_str(),
              static_cast<long long>(record.begin), static_cast<long long>(record.end - 1),
              ended.was_complete    ? "was complete"
              : record.gaps.empty() ? "done"
                                    : "done with gaps");
  for (const std::string& note : record.notes) std::printf("  %s\n", redact_credentials(note).c_str());
  for (const Gap& gap : record.gaps) std::printf("  %s\n", redact_credentials(gap_text(gap)).c_str());
}

[[noreturn]] void end_with(TaskExit code) {
  throw CLI::RuntimeError(static_cast<int>(code));
}

void run_one(const PlannedRunOptions& options, const BatchPlan& plan, const fs::path& folder) {
  const size_t number = task_number(options.task, plan);
  const Granted granted = granted_by([](const char* name) { return std::getenv(name); });
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                  static_cast<size_t>(granted.threads.value_or(plan.threads)));
  const auto failed = [&](const Error& error, TaskExit exit) {
    std::fprintf(stderr, "vantage-cli: task %zu: %s\n", number, redact_credentials(error.message()).c_str());
    end_with(exit);
  };
  const Result<Backends> backends = open_backends(backend_of(options, plan, granted), nullptr);
  if (!backends) {  // of this machine; another one may have the device
    TaskFiles(folder, number).write_failure({TaskExit::again, backends.error().message()});
    failed(backends.error(), TaskExit::again);
  }
  TaskOptions task;
  task.backends = backends->on_device();
  task.hardware = backends->hardware;
  task.device_description = backends->description;
  task.memory.host_bytes = free_host_bytes();
  if (granted.host_bytes)
    task.memory.host_bytes =
        std::min(*granted.host_bytes, task.memory.host_bytes.value_or(*granted.host_bytes));
  task.mode = options.sequential ? ExecutionMode::sequential : ExecutionMode::threaded;
  task.stop = interrupted();
  Progress progress("task " + std::to_string(number));
  task.progress = [&progress](int64_t done, int64_t total) { progress.update(done, total); };
  const Result<EndedTask> ended = run_task(plan, folder, number, task);
  if (!ended) failed(ended.error(), exit_after(ended.error()));
  print_task(plan, *ended, options.json);
  if (ended->record.exit() != TaskExit::done) end_with(ended->record.exit());
}

}  // namespace

void add_plan_options(CLI::App& command, PlannedRunOptions& options) {
  CLI::Option* plan =
      command
          .add_option(
              "--plan", options.plan,
              "run tasks of a plan (vantage-cli plan) instead of a project; exit codes: 0 done, 3 done "
              "with gaps, 4 try again, 5 never, 1 failed")
          ->type_name("DIR/plan.json")
          ->excludes("project");
  command
      .add_option("--task", options.task,
                  "task of the plan: its number, or SCENE:SPAN; all of them if absent")
      ->type_name("I")
      ->needs(plan);
  command
      .add_option("--workers", options.workers,
                  "processes that share the plan's tasks; 0: one for each GPU with --backend cuda:all, else "
                  "as the CPU has room for")
      ->check(CLI::Range(0, 1024))
      ->needs(plan)
      ->capture_default_str();
}

void refuse_options_of_projects(const CLI::App& command) {
  for (const CLI::Option* option : command.get_options()) {
    const std::string name = option->get_name();
    const bool of_plans = name == "--plan" || name == "--task" || name == "--workers" ||
                          name == "--backend" || name == "--sequential" || name == "--json";
    if (!of_plans && option->count() > 0)
      throw CLI::ValidationError(name, "it cannot be combined with --plan: the plan states what is run");
  }
}

void run_planned(const PlannedRunOptions& options) {
  const fs::path file =
      fs::is_directory(options.plan) ? fs::path(options.plan) / kPlanFile : fs::path(options.plan);
  const BatchPlan plan = value_or_fail(read_plan(file));
  std::error_code code;
  const fs::path folder = fs::weakly_canonical(file, code).parent_path();
  check_or_fail(make_folder(folder / "tasks"));
  if (!options.task.empty()) return run_one(options, plan, folder);
  WorkersOptions workers;
  workers.backend = options.backend;
  workers.workers = options.workers;
  const TaskExit exit = run_by_workers(plan, folder, workers);
  if (exit != TaskExit::done) end_with(exit);
}

}  // namespace vantage::cli
