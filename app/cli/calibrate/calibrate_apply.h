// The subcommand apply of vantage-cli calibrate.
#pragma once

#include "app/cli/common/command.h"

namespace vantage::cli {

void add_apply(CLI::App& calibrate);

}  // namespace vantage::cli
