#include "app/cli/batch/workers.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <thread>
#include <vector>

#include "app/backends/backend_option.h"
#include "app/backends/backends.h"
#include "app/cli/batch/cluster_script.h"
#include "app/cli/common/command.h"

namespace vantage::cli {
namespace {

constexpr int kAttempts = 3;

// The GPUs that this process sees, as CUDA_VISIBLE_DEVICES names them.
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
  std::optional<std::string> gpu;  // its own; nothing: whatever the task takes
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

  // Ctrl-C reaches the children by itself where there is a terminal; a signal to this process alone does not.
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
      std::printf("task %zu: its process was ended by signal %d\n", task, WTERMSIG(status));
    const bool again = state.exit == TaskExit::again && state.attempts < kAttempts;
    state.ended = !again;
  }

  TaskExit worst() const {
    TaskExit worst = TaskExit::done;
    for (const State& state : states_) {
      const TaskExit exit = state.ended ? state.exit : TaskExit::again;  // never started
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
  std::vector<State> states_;  // by task
};

}  // namespace

TaskExit run_by_workers(const BatchPlan& plan, const std::filesystem::path& folder,
                        const WorkersOptions& options) {
  interrupted();  // from here on signals ask to stop
  return WorkerPool(plan, folder, options).run();
}

}  // namespace vantage::cli
