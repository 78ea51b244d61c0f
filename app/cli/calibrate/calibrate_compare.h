// The subcommand compare of vantage-cli calibrate.
#pragma once

#include "app/cli/common/command.h"

namespace vantage::cli {

void add_compare(CLI::App& calibrate);

}  // namespace vantage::cli
