// The job script of a plan: resources/cluster/vantage.sbatch with the plan's needs, compiled into the
// program.
#pragma once

#include <filesystem>
#include <string>

#include "core/base/result.h"
#include "core/batch/plan.h"

namespace vantage::cli {

inline constexpr const char* kClusterScript = "vantage.sbatch";

// Path of this program, for other processes.
std::filesystem::path own_program();
// Writes vantage.sbatch into the plan's folder, and creates the folder for the jobs' output.
Status write_cluster_script(const BatchPlan& plan, const std::filesystem::path& folder);

}  // namespace vantage::cli
