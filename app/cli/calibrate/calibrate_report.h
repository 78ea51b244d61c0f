// The subcommand report of vantage-cli calibrate.
#pragma once

#include "app/cli/common/command.h"

namespace vantage::cli {

void add_report(CLI::App& calibrate);

}  // namespace vantage::cli
