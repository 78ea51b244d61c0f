// vantage-cli calibrate refine: a calibration made better where held-out data say so.
#pragma once

#include <CLI/CLI.hpp>

namespace vantage::cli {

void add_refine(CLI::App& calibrate);

}  // namespace vantage::cli
