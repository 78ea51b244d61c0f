// --backend of every program and subcommand.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace vantage {

// A text that parse_backend() does not read is wrong usage. The default is what `choice` holds.
CLI::Option* add_backend_option(CLI::App& command, std::string& choice, const std::string& what);

}  // namespace vantage
