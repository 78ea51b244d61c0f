// The subcommands of vantage-cli. Each add_*() declares its options; its callback throws CLI::RuntimeError
// with the exit code: 0 done, 1 failed, those of TaskExit for tasks of plans. CLI11 reports wrong usage,
// which becomes 2.
#pragma once

#include <CLI/CLI.hpp>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "core/base/parameters.h"
#include "core/base/report.h"
#include "core/base/result.h"
#include "core/base/threads.h"
#include "core/carving/cut.h"
#include "core/project/project.h"

namespace vantage::cli {

// Every subcommand in the order of --help. A new one is a file and its name here.
// clang-format off
#define VANTAGE_COMMANDS(row) \
  row(add_new) row(add_check) row(add_relink) row(add_collect) row(add_rename) row(add_clock) row(add_bookmark) \
  row(add_ignore) row(add_run) row(add_plan) row(add_submit) row(add_status) row(add_merge) row(add_serve) row(add_push) \
  row(add_scene) row(add_segment) row(add_calibrate) row(add_carve) row(add_decode) row(add_camera) \
  row(add_stream) row(add_sync) row(add_synth) row(add_track) row(add_skeletons) row(add_count) \
  row(add_find) row(add_summary) row(add_handover) row(add_doubts) row(add_events) row(add_floor) row(add_repair) \
  row(add_truth) row(add_seal) row(add_verify) row(add_case) row(add_export) row(add_figure) row(add_plot) \
  row(add_evaluate) row(add_sweep) \
  row(add_flow) row(add_heightmap) row(add_detections) row(add_evidence) row(add_why) \
  row(add_heads) row(add_integral) row(add_nms) row(add_occupancy) row(add_parameters) row(add_variants) \
  row(add_doctor)
// Subcommands of tools/ measure the program and train its model; without VANTAGE_TOOLS they are absent.
#ifdef VANTAGE_TOOLS
#define VANTAGE_TOOL_COMMANDS(row) row(add_recordings) row(add_dataset) row(add_train_heads) row(add_bench)
#else
#define VANTAGE_TOOL_COMMANDS(row)
#endif
// clang-format on
#define VANTAGE_DECLARE(add) void add(CLI::App& app);
VANTAGE_COMMANDS(VANTAGE_DECLARE)
VANTAGE_TOOL_COMMANDS(VANTAGE_DECLARE)
#undef VANTAGE_DECLARE

// Prints the error to stderr (credentials removed) and throws CLI::RuntimeError(1).
[[noreturn]] void fail_command(const Error& error);

// Set by Ctrl-C; a second Ctrl-C ends the program at once.
const StopSource& interrupted();

// --json, the same in every subcommand that has it.
CLI::Option* add_json_flag(CLI::App& command, bool* json);

// Prints a document to stdout, two spaces a level (credentials removed).
void print_json(const nlohmann::json& document);
void print_json(const nlohmann::ordered_json& document);
// Prints a report as JSON or as text.
void print_report(const Report& report, bool json);

// One progress line on stderr ("run  120/426  18.3 frames/s  0:17 left"), at most 5 times a second; without a
// terminal every 10 s. total < 0: unknown.
class Progress {
 public:
  explicit Progress(std::string label);
  ~Progress();
  void update(int64_t done, int64_t total);
  // "check  outlines 3/16": work in parts, each counted from 0.
  void update(const std::string& part, int64_t done, int64_t total);

 private:
  bool due(bool last);
  void print(const std::string& text) const;

  std::string label_;
  int64_t start_ns_ = 0, last_ns_ = 0;
  bool terminal_ = false, printed_ = false;
};

// --set STAGE.PARAMETER=VALUE, the same in every subcommand with it. Wrong assignments are wrong usage.

struct SetOption {
  std::vector<std::string> assignments = {};

  // `stages`: the stages that can be set, "heads or triangulation"; empty: all stages of a project.
  void add_to(CLI::App& command, const std::string& stages = {});
  void apply_to(Project* project) const;
  ParameterStore apply_to(std::vector<const ParameterTable*> tables) const;
};

// For subcommands that end at their first error: a result's value, or the command's failure.

template <typename T>
T value_or_fail(Result<T> result) {
  if (!result) fail_command(result.error());
  return std::move(*result);
}

inline void check_or_fail(const Status& status) {
  if (!status) fail_command(status.error());
}

// --slice: a plane through the volume.

// "z=1.0": the axis perpendicular to the plane and the position in metres. Anything else is wrong usage.
CutPlane parse_slice(const std::string& text);

}  // namespace vantage::cli
