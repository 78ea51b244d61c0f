// The subcommand people of vantage-cli calibrate.
#pragma once

#include "app/cli/command.h"

namespace vantage::cli {

void add_people(CLI::App& calibrate);

}  // namespace vantage::cli
