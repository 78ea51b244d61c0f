// The files of a plan's tasks, in DIR/tasks: NNNN/ holds the results of a task that is complete, with
// task.json, its record, which names every file with size and checksum. While a task runs it writes to
// NNNN.part-HOST-PROCESS, which is renamed when it is complete, and reports its progress in
// NNNN.progress.json; one that failed leaves NNNN.failed.json with the sentence.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/process_owner.h"
#include "core/base/result.h"
#include "core/batch/merge.h"
#include "core/batch/plan.h"

namespace vantage {

// Exit codes of `vantage-cli run --plan`; 1 and 2 as everywhere.
enum class TaskExit : int { done = 0, failed = 1, gaps = 3, again = 4, never = 5 };
// Exit code of an error. Errors of memory, disk, device and interruptions can pass; those of files remain.
TaskExit exit_after(const Error& error);

struct SealedFile {
  std::string name;  // relative to the task's folder
  int64_t bytes = 0;
  uint64_t hash = 0;
};

// Record of a complete task.
struct TaskRecord {
  size_t task = 0;
  uint64_t scene_hash = 0;  // PlannedScene::hash()
  std::string version;      // the program's
  uint64_t parameters_hash = 0, project_hash = 0;
  std::vector<PlannedInput> inputs;  // as they were read; a checksum of 0: the camera was left out
  std::string device, host;
  int64_t begin = 0, end = 0, frames = 0;  // `frames`: with results
  double seconds = 0;
  std::vector<Gap> gaps;
  std::vector<std::string> notes;
  std::vector<SealedFile> files;
  TaskExit exit() const { return gaps.empty() ? TaskExit::done : TaskExit::gaps; }
};

struct TaskProgress {
  ProcessOwner owner;
  int64_t done = 0, total = 0;  // frames, those of the warm-up and the overlap among them
};

struct TaskFailure {
  TaskExit exit = TaskExit::failed;
  std::string sentence;
  int64_t at_utc_s = 0;  // Unix time
};

// Paths of a task's files; `folder` is the plan's.
class TaskFiles {
 public:
  TaskFiles(std::filesystem::path folder, size_t task);
  const std::filesystem::path& complete() const { return complete_; }
  std::filesystem::path part() const;  // this process's own
  std::filesystem::path beside(const char* suffix) const;

  // The record of a complete task; nothing where it is absent or torn: a file that is missing or has another
  // size or, `by_content`, another checksum.
  std::optional<TaskRecord> record(bool by_content) const;
  // Seals all files of part() by a record among them and gives the folder its name. A complete task of the
  // same plan that another process wrote meanwhile is kept; anything else there is replaced.
  Status commit(TaskRecord record) const;
  // Removes parts that ended processes left behind.
  void remove_stale_parts() const;

  void write_progress(const TaskProgress& progress) const;  // errors are ignored
  std::optional<TaskProgress> progress() const;
  void write_failure(const TaskFailure& failure) const;
  std::optional<TaskFailure> failure() const;
  void remove_reports(bool failure_too) const;

 private:
  std::filesystem::path complete_;
};

inline constexpr const char* kMemoryFile = "memory.bin";    // for the next task, with Seams::hand_over
inline constexpr const char* kOverlapFile = "overlap.csv";  // rows as tracks.csv, of the overlap

// Progress of a plan's tasks, from their files alone.

// stopped: began, but neither ended nor reported an error, as when its machine fails.
enum class TaskState : uint8_t { waiting, running, stopped, failed, gaps, done };
std::string_view task_state_name(TaskState state);  // "waiting", ..., "done with gaps", "done"

struct TaskStatus {
  TaskState state = TaskState::waiting;
  double share = 0;           // share of its frames that are analysed
  std::string sentence = {};  // why it failed; its first gap
  bool again = false;         // failed: it is worth trying again
};

struct BatchStatus {
  std::vector<TaskStatus> tasks;
  int64_t count(TaskState state) const;
  // Time until all but failed tasks are done, if those that run now continue in parallel at the speed of the
  // complete ones (else as planned).
  double left_s = 0;
};

// A task on another machine counts as running while it reports, at least every kSilence_s.
inline constexpr double kSilence_s = 120;
BatchStatus batch_status(const BatchPlan& plan, const std::filesystem::path& folder);

}  // namespace vantage
