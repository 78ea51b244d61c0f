// The subcommand bumped of vantage-cli calibrate.
#pragma once

#include "app/cli/common/command.h"

namespace vantage::cli {

void add_bumped(CLI::App& calibrate);

}  // namespace vantage::cli
