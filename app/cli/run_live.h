// `run` on live cameras: options, the loop, and what is printed about the cameras.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/project/project.h"
#include "core/recording/recorder.h"
#include "core/run/analysis.h"

namespace vantage::cli {

struct LiveRunOptions {
  bool live = false;
  double seconds = 0, bound_ms = 200;
  std::string record;                    // the project to be written; empty: nothing is recorded
  std::vector<std::string> right_views;  // cameras whose present view is the right one
  LiveOptions options;
};
void add_live_options(CLI::App& command, LiveRunOptions& options);

// Nothing: the project is a recording and is to be analysed as one. Options that do not fit the project are
// wrong usage.
std::optional<LiveOptions> chosen_live_options(const LiveRunOptions& options, const Project& project);

// Set by set until the time is over, a stop request, or false from the sink.
Status run_live(Analysis& analysis, double seconds, const std::function<bool(FrameResultRef)>& sink,
                const StopSource& stop);

// What the options ask for; null: nothing.
std::unique_ptr<Recorder> start_recording_or_fail(const LiveRunOptions& options, const Project& project,
                                                  Analysis& analysis);
// Those views are learnt at once and kept.
void accept_views_or_fail(const LiveRunOptions& options, const Project& project, Analysis& analysis);
void print_recording(const Recorder& recorder);
void print_health(const LiveHealth& health);

}  // namespace vantage::cli
