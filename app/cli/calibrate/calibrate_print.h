// vantage-cli calibrate print: a board on paper.
#pragma once

#include <CLI/CLI.hpp>

namespace vantage::cli {

void add_print(CLI::App& calibrate);

}  // namespace vantage::cli
