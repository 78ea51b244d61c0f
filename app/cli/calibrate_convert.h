// The subcommand convert of vantage-cli calibrate.
#pragma once

#include "app/cli/command.h"

namespace vantage::cli {

void add_convert(CLI::App& calibrate);

}  // namespace vantage::cli
