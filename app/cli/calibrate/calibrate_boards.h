// The subcommand boards of vantage-cli calibrate.
#pragma once

#include "app/cli/common/command.h"

namespace vantage::cli {

void add_boards(CLI::App& calibrate);

}  // namespace vantage::cli
