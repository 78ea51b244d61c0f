// The subcommand boards of vantage-cli calibrate.
#pragma once

#include <CLI/CLI.hpp>

#include "app/cli/common/command.h"

namespace vantage::cli {

void add_boards(CLI::App& calibrate);

// The subcommand compare of vantage-cli calibrate.

void add_compare(CLI::App& calibrate);

// The subcommand people of vantage-cli calibrate.

void add_people(CLI::App& calibrate);

// The subcommand footage of vantage-cli calibrate: cameras from nothing.

void add_footage(CLI::App& calibrate);

// vantage-cli calibrate refine: improves a calibration where hold-out data confirm it.

void add_refine(CLI::App& calibrate);

// The subcommand points of vantage-cli calibrate.

void add_points(CLI::App& calibrate);

// The subcommands level and scale of vantage-cli calibrate.

void add_level(CLI::App& calibrate);
void add_scale(CLI::App& calibrate);

// The subcommand report of vantage-cli calibrate.

void add_report(CLI::App& calibrate);

}  // namespace vantage::cli
