// The pictures that calibrate boards looks at, and the boards found in them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/calibrate/board.h"

namespace vantage::cli {

struct PictureOptions {
  int64_t begin = 0, end = INT64_MAX;  // frames; end excluded
  int64_t every = 0;                   // 0: as many as give about 40 pictures
  bool still = false;                  // board and cameras rest: one view, of the pictures' mean
};

struct FoundBoards {
  int width_px = 0, height_px = 0;
  int pictures = 0;  // looked at
  std::vector<BoardView> views;
};

// Ends the command on a video that cannot be read, and on pictures of several sizes. `path`: a video, a
// folder of pictures or a pattern.
FoundBoards find_boards(const std::string& path, int camera, const Board& board,
                        const PictureOptions& options);

}  // namespace vantage::cli
