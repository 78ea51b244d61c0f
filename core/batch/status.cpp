#include "core/batch/status.h"

#include <algorithm>
#include <chrono>

namespace vantage {
namespace {

namespace fs = std::filesystem;

bool reports(const TaskFiles& files, const TaskProgress& progress) {
  switch (state_of(progress.owner)) {
    case OwnerState::self:
    case OwnerState::running:
      return true;
    case OwnerState::gone:
      return false;
    case OwnerState::unknown:
      break;
  }
  std::error_code code;
  const auto written = fs::last_write_time(files.beside(".progress.json"), code);
  return !code && fs::file_time_type::clock::now() - written < std::chrono::duration<double>(kSilence_s);
}

TaskStatus status_of(const TaskFiles& files, const TaskRecord* record) {
  if (record) {
    const bool whole = record->gaps.empty();
    return {whole ? TaskState::done : TaskState::gaps, 1, whole ? "" : gap_text(record->gaps.front())};
  }
  if (const auto progress = files.progress()) {
    const double share =
        progress->total > 0 ? static_cast<double>(progress->done) / static_cast<double>(progress->total) : 0;
    if (reports(files, *progress)) return {TaskState::running, share};
    return {TaskState::stopped, 0, "it began, by " + owner_text(progress->owner) + ", and did not end", true};
  }
  if (const auto failure = files.failure())
    return {TaskState::failed, 0, failure->sentence, failure->exit == TaskExit::again};
  return {};
}

}  // namespace

std::string_view task_state_name(TaskState state) {
  switch (state) {
    case TaskState::waiting:
      return "waiting";
    case TaskState::running:
      return "running";
    case TaskState::stopped:
      return "stopped";
    case TaskState::failed:
      return "failed";
    case TaskState::gaps:
      return "done with gaps";
    case TaskState::done:
      break;
  }
  return "done";
}

int64_t BatchStatus::count(TaskState state) const {
  return std::count_if(tasks.begin(), tasks.end(), [&](const TaskStatus& one) { return one.state == state; });
}

BatchStatus batch_status(const BatchPlan& plan, const fs::path& folder) {
  BatchStatus status;
  double predicted_s = 0, took_s = 0, ahead_s = 0, longest_s = 0;
  for (size_t i = 0; i < plan.tasks.size(); ++i) {
    const TaskFiles files(folder, i);
    const auto record = files.record(false);
    const TaskStatus& one = status.tasks.emplace_back(status_of(files, record ? &*record : nullptr));
    const double all_s = plan.tasks[i].predicted_s, left_s = all_s * (1 - one.share);
    if (record) predicted_s += all_s, took_s += record->seconds;
    if (one.state == TaskState::failed && !one.again) continue;
    ahead_s += left_s, longest_s = std::max(longest_s, left_s);
  }
  const double pace = predicted_s > 0 && took_s > 0 ? took_s / predicted_s : 1;
  const auto side_by_side = static_cast<double>(std::max<int64_t>(1, status.count(TaskState::running)));
  status.left_s = pace * std::max(longest_s, ahead_s / side_by_side);
  return status;
}

}  // namespace vantage
