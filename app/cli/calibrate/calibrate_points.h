// The subcommand points of vantage-cli calibrate.
#pragma once

#include "app/cli/common/command.h"

namespace vantage::cli {

void add_points(CLI::App& calibrate);

}  // namespace vantage::cli
