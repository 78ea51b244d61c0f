#include <cstdio>
#include <exception>
#include <new>
#include <sstream>

#include "app/cli/common/command.h"
#include "core/base/address_credentials.h"
#include "core/base/allocator.h"
#include "core/base/crash_report.h"
#include "core/base/instruction_sets.h"

int main(int argc, char** argv) {
  using namespace vantage::cli;
  vantage::end_where_memory_runs_out("vantage-cli");
  vantage::give_back_large_blocks();
  if (const vantage::Status chosen = vantage::use_instruction_set_of_environment(); !chosen) {
    std::fprintf(stderr, "vantage-cli: %s\n", chosen.error().message().c_str());
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
  add_new(app);
  add_check(app);
  add_relink(app);
  add_clock(app);
  add_bookmark(app);
  add_run(app);
  add_plan(app);
  add_submit(app);
  add_status(app);
  add_merge(app);
  add_serve(app);
  add_push(app);
  add_scene(app);
  add_segment(app);
  add_calibrate(app);
  add_carve(app);
  add_decode(app);
  add_camera(app);
  add_stream(app);
  add_sync(app);
  add_synth(app);
  add_track(app);
  add_skeletons(app);
  add_count(app);
  add_find(app);
  add_handover(app);
  add_doubts(app);
  add_events(app);
  add_floor(app);
  add_repair(app);
  add_truth(app);
  add_case(app);
  add_figure(app);
  add_plot(app);
  add_evaluate(app);
  add_sweep(app);
  add_dataset(app);
  add_flow(app);
  add_heightmap(app);
  add_detections(app);
  add_evidence(app);
  add_why(app);
  add_heads(app);
  add_train_heads(app);
  add_integral(app);
  add_nms(app);
  add_occupancy(app);
  add_parameters(app);
  add_variants(app);
  add_bench(app);
  add_doctor(app);
  // CLI11 would only say that a subcommand is missing.
  const auto is_named = [&](const CLI::App* command) { return command->check_name(argv[1]); };
  if (argc > 1 && argv[1][0] != '-' && app.get_subcommands(is_named).empty()) {
    std::fprintf(stderr, "vantage-cli: there is no subcommand '%s'. `vantage-cli --help` lists them.\n",
                 vantage::redact_credentials(argv[1]).c_str());
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
    std::fprintf(stderr, "vantage-cli: %s\n", vantage::kMemoryRanOut);
    return 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "vantage-cli: %s\n", vantage::redact_credentials(error.what()).c_str());
    return 1;
  }
}
