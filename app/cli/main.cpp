#include <fmt/core.h>
#include <cstdio>
#include <exception>
#include <new>
#include <sstream>

#include "app/cli/common/command.h"
#include "core/base/address_credentials.h"
#include "core/base/crash_report.h"
#include "core/base/instruction_sets.h"
#include "core/base/memory.h"

int main(int argc, char** argv) {
  using namespace vantage::cli;
  vantage::end_where_memory_runs_out("vantage-cli");
  vantage::give_back_large_blocks();
  if (const vantage::Status chosen = vantage::use_instruction_set_of_environment(); !chosen) {
    fmt::print(stderr, "vantage-cli: {}\n", chosen.error().message());
    return 2;
  }
  vantage::report_crashes("vantage-cli", VANTAGE_VERSION);
  CLI::App app(
      "Vantage: analysis of footage of one scene seen by several calibrated cameras.\n"
      "Exit codes: 0 done, 1 failed, 2 wrong usage; of a plan's tasks also 3 done with gaps, 4 try again, 5 "
      "never.",
      "vantage-cli");
  app.set_version_flag("--version", "vantage-cli " VANTAGE_VERSION);
  app.require_subcommand(1);
#define VANTAGE_ADD(add) add(app);
  VANTAGE_COMMANDS(VANTAGE_ADD)
  VANTAGE_TOOL_COMMANDS(VANTAGE_ADD)
#undef VANTAGE_ADD
  // CLI11 would only report that a subcommand is missing.
  const auto is_named = [&](const CLI::App* command) { return command->check_name(argv[1]); };
  if (argc > 1 && argv[1][0] != '-' && app.get_subcommands(is_named).empty()) {
    fmt::print(stderr, "vantage-cli: there is no subcommand '{}'. `vantage-cli --help` lists them.\n",
               vantage::redact_credentials(argv[1]));
    return 2;
  }
  try {
    app.parse(argc, argv);
    return 0;
  } catch (const CLI::RuntimeError& error) {
    return error.get_exit_code();
  } catch (const CLI::ParseError& error) {
    std::ostringstream out, err;
    const int code = app.exit(error, out, err);
    std::fputs(out.str().c_str(), stdout);
    std::fputs(vantage::redact_credentials(err.str()).c_str(), stderr);
    return code == 0 ? 0 : 2;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "vantage-cli: {}\n", vantage::kMemoryRanOut);
    return 1;
  } catch (const std::exception& error) {
    fmt::print(stderr, "vantage-cli: {}\n", vantage::redact_credentials(error.what()));
    return 1;
  }
}
