// Slurm by its own commands: jobs given to it, and what it says of them.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/batch/plan.h"

namespace vantage::cli {

struct SlurmJob {
  std::string id;    // its number
  std::string what;  // "tasks", "merge"
};

struct SubmitOptions {
  bool merge = true;
  std::filesystem::path out;      // of the merge; empty: as `merge` has it
  int at_most = 0;                // tasks at a time; 0: no limit
  bool gpu = false;               // one for each task
  std::vector<std::string> more;  // options of sbatch for every job
};

// An array for all tasks, or, where they hand their state over, one for each span, whose elements are the
// scenes and wait for those of the span before; and the merge behind them. Notes the jobs in jobs.json of the
// folder. Errors: not_found where there is no sbatch; what sbatch says.
Result<std::vector<SlurmJob>> submit_plan(const BatchPlan& plan, const std::filesystem::path& folder,
                                          const SubmitOptions& options);

// The jobs of jobs.json; none where nothing was submitted.
std::vector<SlurmJob> submitted_jobs(const std::filesystem::path& folder);
// Slurm's states of those jobs with how many elements are in each ("RUNNING 4"), by job, from sacct, else
// squeue. Empty where neither answers.
std::map<std::string, std::string> slurm_states(const std::vector<SlurmJob>& jobs);

}  // namespace vantage::cli
