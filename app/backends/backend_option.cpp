#include "app/backends/backend_option.h"

#include "app/backends/backends.h"

namespace vantage {

CLI::Option* add_backend_option(CLI::App& command, std::string& choice, const std::string& what,
                                MoreBackends more) {
  const bool all = more == MoreBackends::all_gpus;
  const auto problem = [all](const std::string& text) {
    if (all && text == kAllGpus) return std::string();
    const Result<BackendChoice> read = parse_backend(text);
    return read ? std::string() : read.error().message();
  };
  return command.add_option("--backend", choice, what)
      ->check(CLI::Validator(problem, all ? "{auto,cpu,cuda,cuda:N,cuda:all}" : "{auto,cpu,cuda,cuda:N}"))
      ->capture_default_str();
}

}  // namespace vantage
