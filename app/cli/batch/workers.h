// A plan's tasks by several processes of this machine, one a task, as many at a time as there are workers.
// With several GPUs each worker has one (CUDA_VISIBLE_DEVICES). One that dies costs its task alone, which is
// tried again.
#pragma once

#include <filesystem>
#include <string>

#include "core/batch/plan.h"
#include "core/batch/task_files.h"

namespace vantage::cli {

struct WorkersOptions {
  std::string backend = "auto";  // as --backend of `run`; cuda:all: all GPUs
  int workers = 0;               // 0: one for each GPU, or as many as the plan's threads fit on the CPU
};

// Prints a line for each task that ends. done, gaps, or what the worst task ended with.
TaskExit run_by_workers(const BatchPlan& plan, const std::filesystem::path& folder,
                        const WorkersOptions& options);

}  // namespace vantage::cli
