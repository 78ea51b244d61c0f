// How far a plan's tasks are, by their files alone.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/batch/plan.h"
#include "core/batch/task_files.h"

namespace vantage {

// stopped: it began and neither ended nor said why, as when its machine fails.
enum class TaskState : uint8_t { waiting, running, stopped, failed, gaps, done };
std::string_view task_state_name(TaskState state);  // "waiting", ..., "done with gaps", "done"

struct TaskStatus {
  TaskState state = TaskState::waiting;
  double share = 0;           // of its frames that are analysed
  std::string sentence = {};  // why it failed; its first gap
  bool again = false;         // failed: it is worth trying again
};

struct BatchStatus {
  std::vector<TaskStatus> tasks;
  int64_t count(TaskState state) const;
  // Until all that is not failed is done, where the tasks that run now go on side by side, at the speed of
  // those that are complete (else as planned).
  double left_s = 0;
};

// A task on another machine counts as running while it reports, at least every kSilence_s.
inline constexpr double kSilence_s = 120;
BatchStatus batch_status(const BatchPlan& plan, const std::filesystem::path& folder);

}  // namespace vantage
