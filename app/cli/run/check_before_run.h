// The checks that a run performs first.
#pragma once

#include <string>

#include "core/check/check.h"
#include "core/project/project.h"

namespace vantage::cli {

// All checks of a project, for the device that `backend` names on the command line.
CheckReport check_for(const std::string& backend, const Project& project, CheckOptions options);

// A few frame sets, some seconds at most. Prints what is doubtful or failed; a failure ends the command
// unless forced. `backend`: as asked for on the command line; `out`: where the results will go.
// `without_missing`: cameras whose videos are missing are no failure.
void check_before_run(const Project& project, const std::string& backend, const std::string& out, bool force,
                      bool without_missing);

}  // namespace vantage::cli
