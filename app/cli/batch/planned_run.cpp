#include "app/cli/batch/planned_run.h"

#include <fmt/core.h>
#include <sys/wait.h>
#include <tbb/global_control.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "app/backends/backend_option.h"
#include "app/backends/backends.h"
#include "app/cli/batch/submit.h"
#include "app/cli/common/command.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/log.h"
#include "core/batch/plan.h"
#include "core/batch/run_task.h"
#include "core/batch/task_files.h"

namespace vantage::cli {
namespace {

// Runs a plan's tasks as processes of this machine, one per task, limited by the number of workers. With
// several GPUs each worker has one (CUDA_VISIBLE_DEVICES). A process that crashes affects only its task,
// which is retried.

struct WorkersOptions {
  std::string backend = "auto";  // as --backend of `run`; cuda:all: all GPUs
  int workers = 0;               // 0: one for each GPU, or as many as the plan's threads allow on the CPU
};

constexpr int kAttempts = 3;

// The GPUs visible to this process, in the form of CUDA_VISIBLE_DEVICES.
std::vector<std::string> visible_gpus() {
  if (const char* const text = std::getenv("CUDA_VISIBLE_DEVICES"); text && *text)
    return CLI::detail::split(text, ',');
  std::vector<std::string> gpus;
  for (size_t i = 0; i < gpu_names().size(); ++i) gpus.push_back(std::to_string(i));
  return gpus;
}

struct Worker {
  pid_t process = 0;  // 0: idle
  size_t task = 0;
  std::optional<std::string> gpu;  // assigned; nothing: chosen by the task
};

class WorkerPool {
 public:
  WorkerPool(const BatchPlan& plan, std::filesystem::path folder, const WorkersOptions& options)
      : plan_(plan), folder_(std::move(folder)), backend_(options.backend), states_(plan.tasks.size()) {
    const std::vector<std::string> gpus = backend_ == kAllGpus ? visible_gpus() : std::vector<std::string>();
    if (backend_ == kAllGpus && gpus.empty())
      fail_command({ErrorKind::not_found, "there is no GPU", backend_, "Use --backend cpu --workers N."});
    const auto fitting =
        std::max(1u, std::thread::hardware_concurrency() / static_cast<unsigned>(plan.threads));
    const size_t count = options.workers > 0 ? static_cast<size_t>(options.workers)
                         : gpus.empty()      ? fitting
                                             : gpus.size();
    workers_.resize(std::min(count, plan.tasks.size()));
    for (size_t i = 0; i < workers_.size() && !gpus.empty(); ++i) workers_[i].gpu = gpus[i % gpus.size()];
    if (!gpus.empty()) backend_ = "cuda";
  }

  TaskExit run() {
    for (;;) {
      start_runnable();
      if (std::none_of(workers_.begin(), workers_.end(), [](const Worker& w) { return w.process != 0; }))
        break;
      wait_for_one();
    }
    return worst();
  }

 private:
  struct State {
    bool running = false, ended = false;
    int attempts = 0;
    TaskExit exit = TaskExit::failed;
    bool good() const { return ended && (exit == TaskExit::done || exit == TaskExit::gaps); }
  };

  bool runnable(size_t task) const {
    const State& state = states_[task];
    if (state.running || state.ended || interrupted().stop_requested()) return false;
    return plan_.seams == Seams::warm_up || plan_.first_of_scene(task) || states_[task - 1].good();
  }

  void start_runnable() {
    for (Worker& worker : workers_) {
      if (worker.process != 0) continue;
      for (size_t task = 0; task < states_.size(); ++task) {
        if (!runnable(task)) continue;
        start(worker, task);
        break;
      }
    }
  }

  void start(Worker& worker, size_t task) {
    const std::string program = own_program().string(), plan = (folder_ / kPlanFile).string();
    const std::string number = std::to_string(task);
    std::fflush(stdout);
    const pid_t child = ::fork();
    if (child == 0) {
      if (worker.gpu) ::setenv("CUDA_VISIBLE_DEVICES", worker.gpu->c_str(), 1);
      ::execl(program.c_str(), program.c_str(), "run", "--plan", plan.c_str(), "--task", number.c_str(),
              "--backend", backend_.c_str(), static_cast<char*>(nullptr));
      ::_exit(127);
    }
    if (child < 0) fail_command({ErrorKind::out_of_memory, "no process can be started", program, ""});
    worker.process = child, worker.task = task;
    states_[task].running = true;
    ++states_[task].attempts;
  }

  // A terminal passes Ctrl-C to the children; a signal to this process alone does not reach them.
  void wait_for_one() {
    int status = 0;
    pid_t ended = ::waitpid(-1, &status, 0);
    while (ended < 0 && errno == EINTR) {
      for (const Worker& worker : workers_)
        if (worker.process != 0) ::kill(worker.process, SIGTERM);
      ended = ::waitpid(-1, &status, 0);
    }
    for (Worker& worker : workers_) {
      if (worker.process != ended) continue;
      worker.process = 0;
      note_end(worker.task, status);
    }
  }

  void note_end(size_t task, int status) {
    State& state = states_[task];
    state.running = false;
    state.exit = WIFEXITED(status) ? static_cast<TaskExit>(WEXITSTATUS(status)) : TaskExit::again;
    if (WIFSIGNALED(status))
      fmt::print("task {}: its process was ended by signal {}\n", task, WTERMSIG(status));
    const bool again = state.exit == TaskExit::again && state.attempts < kAttempts;
    state.ended = !again;
  }

  TaskExit worst() const {
    TaskExit worst = TaskExit::done;
    for (const State& state : states_) {
      const TaskExit exit = state.ended ? state.exit : TaskExit::again;  // could not be started
      const auto gravity = [](TaskExit code) {
        return code == TaskExit::done ? 0 : code == TaskExit::gaps ? 1 : code == TaskExit::again ? 2 : 3;
      };
      if (gravity(exit) > gravity(worst)) worst = exit;
    }
    return worst;
  }

  const BatchPlan& plan_;
  const std::filesystem::path folder_;
  std::string backend_;
  std::vector<Worker> workers_;
  std::vector<State> states_;  // one per task
};

// Prints a line for each completed task. Returns done, gaps, or the result of the worst task.
TaskExit run_by_workers(const BatchPlan& plan, const std::filesystem::path& folder,
                        const WorkersOptions& options) {
  interrupted();  // signals request a stop from here on
  return WorkerPool(plan, folder, options).run();
}

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

// Under Slurm a GPU is used only if one was granted, and then always: on the CPU the task would exceed its
// time.
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
  fmt::print("task {}, {}, frames {} to {}: {}\n", record.task, plan.scene_of(record.task).name, record.begin,
             record.end - 1,
             ended.was_complete    ? "was complete"
             : record.gaps.empty() ? "done"
                                   : "done with gaps");
  for (const std::string& note : record.notes) fmt::print("  {}\n", redact_credentials(note));
  for (const Gap& gap : record.gaps) fmt::print("  {}\n", redact_credentials(gap_text(gap)));
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
    fmt::print(stderr, "vantage-cli: task {}: {}\n", number, redact_credentials(error.message()));
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
                  "as many as the CPU allows")
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
