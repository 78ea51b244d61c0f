// The subcommand measure of vantage-cli calibrate.
#pragma once

#include "app/cli/common/command.h"

namespace vantage::cli {

void add_measure(CLI::App& calibrate);

}  // namespace vantage::cli
