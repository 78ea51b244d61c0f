// Parts shared by the subcommands that run the chain: project, backend, parameters and frames from the
// command line.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/backends/backend_option.h"
#include "app/backends/backends.h"
#include "app/cli/common/command.h"
#include "core/project/recording_clock.h"
#include "core/run/analysis.h"

namespace vantage::cli {

struct ChainOptions {
  std::string project, backend = "auto", frames;
  SetOption set;
  bool keep_confidence = false;     // the volume's; a subcommand sets it
  std::optional<LiveOptions> live;  // likewise
  int64_t kept_mib = 0;  // size of stages' artifacts, next to the project; 0: nothing is kept or used again
  std::shared_ptr<KeptFrames> kept = nullptr;  // their location, if not next to the project
  bool without_missing = false;                // cameras whose videos are missing are left out
};

void add_chain_options(CLI::App& command, ChainOptions& options, MoreBackends more = MoreBackends::none);
void add_frames_option(CLI::App& command, ChainOptions& options);

// "A:B" (B excluded), "A:" and ":B"; throws CLI11's error for wrong usage.
FrameRange parse_frames(const std::string& text);

// The project with the values of --set.
Project load_project_or_fail(const ChainOptions& options);
// Prints its notes.
Backends open_backends_or_fail(const ChainOptions& options, TraceRecorder* trace);

// An opened project with the objects it needs.
struct OpenedChain {
  std::unique_ptr<TraceRecorder> trace;  // must outlive the rest
  Backends backends;
  Project project;
  std::unique_ptr<Analysis> analysis;
};
OpenedChain open_chain_or_fail(const ChainOptions& options, Project project);

// The range limited to the recording; fails when nothing is left.
FrameRange cut_to_recording_or_fail(FrameRange range, FrameSource& source);

// Frames per second of the base camera; opens the videos.
double base_rate_or_fail(const Project& project);
// The frame of an option's text, as in parse_time(); wrong text is wrong usage.
int64_t frame_of_moment_or_fail(const char* option, const std::string& text, double frame_rate,
                                const std::optional<RecordingClock>& clock);
// The index of the camera that an option names, from 0; an unknown name is wrong usage, with a list of the
// existing names.
int camera_named(const Project& project, const std::string& name, const char* option);

}  // namespace vantage::cli
