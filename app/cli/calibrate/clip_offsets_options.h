// `calibrate boards --out-of-step`: offsets that are known, and a project to which those that are solved are
// applied.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/setup/boards/recording_offsets.h"

namespace vantage::cli {

struct ClipOffsetsOptions {
  std::vector<std::string> held, starts;  // NAME=FRAMES
  std::string project;
  bool same_run = false;
};

// All of them need `out_of_step`.
void add_clip_offsets_options(CLI::App& command, CLI::Option* out_of_step, ClipOffsetsOptions* options);
// Offsets by camera, whose names are `cameras`. Wrong usage throws.
std::vector<std::optional<GivenOffset>> given_offsets(const ClipOffsetsOptions& options,
                                                      const std::vector<std::string>& cameras);
// Fails where the project cannot take the clips' offsets over; before any picture is examined.
void check_project_of_offsets(const ClipOffsetsOptions& options, const std::vector<BoardClip>& clips);
// Writes them into the project, and says so on stderr.
void write_offsets_or_fail(const ClipOffsetsOptions& options, const std::vector<BoardClip>& clips,
                           const std::vector<ClipTiming>& timings, const std::vector<int64_t>& instants);

}  // namespace vantage::cli
