// The subcommand people of vantage-cli calibrate.
#pragma once

#include "app/cli/common/command.h"

namespace vantage::cli {

void add_people(CLI::App& calibrate);

}  // namespace vantage::cli
