// The subcommands of vantage-cli, one file each. Each add_*() declares its options; its callback throws
// CLI::RuntimeError with the exit code: 0 done, 1 failed, those of TaskExit for tasks of plans. Wrong usage
// is CLI11's to report and becomes 2.
#pragma once

#include <CLI/CLI.hpp>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/base/result.h"
#include "core/base/stop_token.h"

namespace vantage::cli {

void add_bench(CLI::App& app);
void add_merge(CLI::App& app);
void add_new(CLI::App& app);
void add_plan(CLI::App& app);
void add_check(CLI::App& app);
void add_run(CLI::App& app);
void add_scene(CLI::App& app);
void add_segment(CLI::App& app);
void add_calibrate(CLI::App& app);
void add_case(CLI::App& app);
void add_carve(CLI::App& app);
void add_count(CLI::App& app);
void add_doubts(CLI::App& app);
void add_events(CLI::App& app);
void add_figure(CLI::App& app);
void add_plot(CLI::App& app);
void add_find(CLI::App& app);
void add_handover(CLI::App& app);
void add_floor(CLI::App& app);
void add_dataset(CLI::App& app);
void add_decode(CLI::App& app);
void add_evaluate(CLI::App& app);
void add_flow(CLI::App& app);
void add_detections(CLI::App& app);
void add_evidence(CLI::App& app);
void add_heads(CLI::App& app);
void add_heightmap(CLI::App& app);
void add_nms(CLI::App& app);
void add_integral(CLI::App& app);
void add_occupancy(CLI::App& app);
void add_parameters(CLI::App& app);
void add_push(CLI::App& app);
void add_doctor(CLI::App& app);
void add_camera(CLI::App& app);
void add_bookmark(CLI::App& app);
void add_clock(CLI::App& app);
void add_serve(CLI::App& app);
void add_skeletons(CLI::App& app);
void add_status(CLI::App& app);
void add_stream(CLI::App& app);
void add_submit(CLI::App& app);
void add_sweep(CLI::App& app);
void add_relink(CLI::App& app);
void add_repair(CLI::App& app);
void add_truth(CLI::App& app);
void add_sync(CLI::App& app);
void add_synth(CLI::App& app);
void add_track(CLI::App& app);
void add_why(CLI::App& app);
void add_train_heads(CLI::App& app);
void add_variants(CLI::App& app);

// Prints the error to stderr (credentials removed) and throws CLI::RuntimeError(1).
[[noreturn]] void fail_command(const Error& error);

// Set by Ctrl-C; a second Ctrl-C ends the program at once.
const StopSource& interrupted();

// Prints a document to stdout, two spaces a level (credentials removed).
void print_json(const nlohmann::json& document);
void print_json(const nlohmann::ordered_json& document);

// One progress line on stderr ("run  120/426  18.3 frames/s  0:17 left"), at most 5 times a second; only on a
// terminal, or every 10 s elsewhere. total < 0: unknown.
class Progress {
 public:
  explicit Progress(std::string label);
  ~Progress();
  void update(int64_t done, int64_t total);
  // "check  outlines 3/16": work of parts, each of which counts from 0 again.
  void update(const std::string& part, int64_t done, int64_t total);

 private:
  bool due(bool last);
  void print(const std::string& text) const;

  std::string label_;
  int64_t start_ns_ = 0, last_ns_ = 0;
  bool terminal_ = false, printed_ = false;
};

}  // namespace vantage::cli
