// --backend of every program and subcommand.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>

namespace vantage {

// Besides what parse_backend() reads: all GPUs at once, for commands that share work out.
inline constexpr const char* kAllGpus = "cuda:all";
enum class MoreBackends : uint8_t { none, all_gpus };

// A text that parse_backend() does not read is wrong usage. The default is what `choice` holds.
CLI::Option* add_backend_option(CLI::App& command, std::string& choice, const std::string& what,
                                MoreBackends more = MoreBackends::none);

}  // namespace vantage
