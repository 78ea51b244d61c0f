// Cameras solved by a board that moves, from clips that are not in step, and from cameras whose rows are
// exposed one after the other.
//
// First the whole frames: at the right offset the relative pose of the cameras is the same at every instant,
// so the board's positions before one camera are those before the other, moved rigidly. Then fractions of a
// frame and the rows' times, in the adjustment itself: a corner's velocity in the picture times its picture's
// delay is one more shift (bundle.h). Corners are then taken from between the pictures, and it is solved
// again until nothing moves.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "core/base/threads.h"
#include "core/calibration/solve/board_solve.h"

namespace vantage {

struct ClipTiming {
  double offset_frames = 0;      // a picture at frame f of the first camera is at f + offset of this one
  double offset_std_frames = 0;  // 0: the base, or fixed
  // Readout: time from the exposure of the first row to that of the last; negative: the first is exposed
  // later. 0 unless `rolling`.
  double readout_frames = 0, readout_std_frames = 0;
  bool rolling = false;        // beyond three standard deviations
  bool readout_known = false;  // the board moves enough to show a rolling shutter
  bool held = false;           // the offset was given, and is not solved

  // The picture of this camera that is nearest to that frame of the first one.
  int64_t own_frame(int64_t instant) const;
};

// A clip's offset as known before it is solved.
struct GivenOffset {
  double frames = 0;
  bool held = true;  // otherwise it is solved from there, and lies within about a frame of it
};

struct OutOfStepOptions {
  std::vector<std::optional<GivenOffset>> offsets = {};            // by camera; nothing, or fewer: not known
  std::function<void(int64_t done, int64_t total)> progress = {};  // of the solving, in parts of no unit
  StopSource stop = {};
};

struct OutOfStepSolution {
  BoardsSolution solution;        // instants: frames of the first camera
  std::vector<ClipTiming> clips;  // by camera
};

// `input.views`: instants are each camera's own frames, every one in which the board was found; all clips
// have the same rate. Always cross-validated. Same input, same bytes. Errors: solve_boards()'s; unsupported
// for a board that looks the same after half a turn; bad_data if the board rests, moves periodically, is seen
// by too few cameras at once to determine offsets, or never in three pictures that follow each other;
// invalid_argument if the first camera's offset is given, and is not 0; cancelled. The first of
// `input.cameras` is the base.
Result<OutOfStepSolution> solve_out_of_step(const BoardsInput& input, const BoardsOptions& options,
                                            const OutOfStepOptions& known = {});

}  // namespace vantage
