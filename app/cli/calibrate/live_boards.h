// `calibrate boards --live`: a board picked up while it is shown to a project's live cameras.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "core/project/project.h"
#include "core/setup/boards/board_collector.h"

namespace vantage::cli {

struct LiveBoardsOptions {
  std::string project, keep;
  double seconds = 0, bound_ms = 200;
};

// The options; --live is needed for the others, and returned.
CLI::Option* add_live_boards_options(CLI::App& command, LiveBoardsOptions& options);

// Until Ctrl-C or the seconds have passed; tells on stderr what was picked up and what to show next. Views by
// camera, as solve_found_boards() takes them. Fails where a camera has none.
std::vector<FoundBoards> pick_up_boards_or_fail(const LiveBoardsOptions& options, const Project& project,
                                                const Board& board,
                                                const std::vector<CollectingCamera>& cameras);

}  // namespace vantage::cli
