// The job script of a plan: resources/cluster/vantage.sbatch with the plan's needs, compiled into the
// program.
#pragma once

#include <filesystem>
#include <string>

#include "core/base/result.h"
#include "core/batch/plan.h"

namespace vantage::cli {

inline constexpr const char* kClusterScript = "vantage.sbatch";

// The program that runs, as other processes call it.
std::filesystem::path own_program();
// vantage.sbatch in the plan's folder, and the folder for what its jobs print.
Status write_cluster_script(const BatchPlan& plan, const std::filesystem::path& folder);

}  // namespace vantage::cli
