// `run` on live cameras: its options and output.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/project/project.h"
#include "core/run/run.h"

namespace vantage::cli {

struct LiveRunOptions {
  bool live = false;
  double seconds = 0, bound_ms = 200;
  std::string record;                    // project to be written; empty: no recording
  std::vector<std::string> right_views;  // cameras whose present view is correct
  LiveOptions options;
};
void add_live_options(CLI::App& command, LiveRunOptions& options);

// Nothing if the project is a recording to be analysed as one. Options that do not fit the project are wrong
// usage.
std::optional<LiveOptions> chosen_live_options(const LiveRunOptions& options, const Project& project);

// Learns and stores those views at once.
void accept_views_or_fail(const LiveRunOptions& options, const Project& project, Analysis& analysis);

// A line on stderr, every few seconds.
class LiveProgress {
 public:
  void update(const LiveFrameSource& cameras);

 private:
  int64_t printed_ns_ = trace_now_ns();
};
void print_recording(const EndedRecording& recording);
void print_health(const LiveHealth& health);

}  // namespace vantage::cli
