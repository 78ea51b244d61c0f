// The subcommands level and scale of vantage-cli calibrate.
#pragma once

#include "app/cli/common/command.h"

namespace vantage::cli {

void add_level(CLI::App& calibrate);
void add_scale(CLI::App& calibrate);

}  // namespace vantage::cli
