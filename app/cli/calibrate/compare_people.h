// Two calibrations compared by the people of a project's footage: what `calibrate compare --people` does.
#pragma once

#include <string>
#include <vector>

#include "app/cli/common/chain.h"
#include "core/base/json.h"
#include "core/results/ground_truth.h"
#include "core/run/run_under_both.h"

namespace vantage::cli {

struct ComparePeopleOptions {
  bool used = false;
  std::string truth;  // a file of ground truth; empty: what was drawn in the project
};
// --people, --gt and --frames; those that the chain has and --people needs need it.
void add_compare_people_options(CLI::App& command, ComparePeopleOptions* options, ChainOptions* chain);

// Runs the chain under both calibrations, the second's world being that of the first, over the region `grid`.
ComparedByPeople compare_by_people_or_fail(const ComparePeopleOptions& options, const ChainOptions& chain,
                                           const Project& project, const std::vector<Camera>& first,
                                           const std::vector<Camera>& second, const VoxelGrid& grid);

nlohmann::ordered_json people_json(const ComparedByPeople& compared, const std::vector<std::string>& cameras);
void print_people(const ComparedByPeople& compared);

}  // namespace vantage::cli
