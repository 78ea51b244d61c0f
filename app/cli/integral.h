// vantage-cli integral.
#pragma once

#include "app/cli/command.h"

namespace vantage::cli {

void add_integral(CLI::App& app);

}  // namespace vantage::cli
