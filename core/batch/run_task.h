// Runs one task of a plan to its end, unless it is complete. Idempotent: after any interruption a restart
// gives the same results.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "core/base/memory.h"
#include "core/base/threads.h"
#include "core/batch/plan.h"
#include "core/batch/task_files.h"
#include "core/image/backend/registry.h"
#include "core/pipeline/pipeline.h"
#include "core/video/video_source.h"

namespace vantage {

struct TaskOptions {
  DeviceBackends backends;
  std::shared_ptr<HardwareDecode> hardware;  // null: software decoding
  std::string device_description;            // "CPU, 2 threads"
  MemoryAvailable memory;                    // granted; asked of the system where nothing is stated
  ExecutionMode mode = ExecutionMode::threaded;
  StopSource stop;
  std::function<void(int64_t done, int64_t total)> progress;  // after each frame; empty: not reported
};

struct EndedTask {
  TaskRecord record;
  bool was_complete = false;  // nothing was done
};

// `folder` is the plan's. What videos lack is in the record (TaskRecord::gaps), not an error. Errors, after
// which exit_after() tells whether to try again: another version of the program, a project or parameters
// other than planned, a memory that does not fit (invalid_argument); with Seams::hand_over a task before that
// is not complete (cancelled); those of the analysis and of writing.
Result<EndedTask> run_task(const BatchPlan& plan, const std::filesystem::path& folder, size_t task,
                           const TaskOptions& options);

}  // namespace vantage
