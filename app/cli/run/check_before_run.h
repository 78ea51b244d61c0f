// The checks that a run performs first.
#pragma once

#include <string>

#include "core/project/project.h"

namespace vantage::cli {

// A few frame sets, some seconds at most. Prints what is doubtful or failed; a failure ends the command
// unless forced. `backend`: as asked for on the command line; `out`: where the results will go.
// `without_missing`: cameras whose videos are missing are no failure.
void check_before_run(const Project& project, const std::string& backend, const std::string& out, bool force,
                      bool without_missing);

}  // namespace vantage::cli
