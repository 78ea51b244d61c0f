// The subcommand convert of vantage-cli calibrate.
#pragma once

#include "app/cli/common/command.h"

namespace vantage::cli {

void add_convert(CLI::App& calibrate);

}  // namespace vantage::cli
