// `run` on live cameras: options, the loop, and what is printed about the cameras.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <optional>

#include "core/project/project.h"
#include "core/session/analysis.h"

namespace vantage::cli {

struct LiveRunOptions {
  bool live = false;
  double seconds = 0, bound_ms = 200;
  LiveOptions options;
};
void add_live_options(CLI::App& command, LiveRunOptions& options);

// Nothing: the project is a recording and is to be analysed as one.
std::optional<LiveOptions> chosen_live_options(const LiveRunOptions& options, const Project& project);

// Set by set until the time is over, a stop request, or false from the sink.
Status run_live(Analysis& analysis, double seconds, const std::function<bool(FrameResultRef)>& sink,
                const StopSource& stop);
void print_health(const LiveHealth& health);

}  // namespace vantage::cli
