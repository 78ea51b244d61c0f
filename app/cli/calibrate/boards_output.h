// What calibrate boards prints, as text and as JSON.
#pragma once

#include <vector>

#include "core/base/json.h"
#include "core/calibration/solve/clip_offsets.h"

namespace vantage::cli {

struct SolvedBoards {
  BoardsSolution solution;
  std::vector<ClipTiming> clips;  // by camera; empty where they were taken as in step
  double frame_rate = 0;          // of the clips, frames/s; 0: not known
};

nlohmann::ordered_json boards_json(const std::vector<Board>& boards, const SolvedBoards& solved);
void print_boards(const SolvedBoards& solved);

}  // namespace vantage::cli
