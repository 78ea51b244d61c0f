// A board as one camera sees it picture by picture, and where its corners are between pictures.
#pragma once

#include <Eigen/Geometry>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>

#include "core/base/threads.h"
#include "core/calibration/solve/board.h"

namespace vantage {

class BoardTrack {
 public:
  void add(const BoardView& view);
  const std::map<int64_t, BoardView>& views() const { return views_; }
  // Pictures that show the board, and so do both their neighbours: at() takes corners from around these.
  int pictures_between_others() const;

  // Corners with their velocities at a time, of parabolas through three pictures each; those that these do
  // not have are left out. `readout_frames`: by how much the last row of `height_px` is exposed later than
  // the first one; `frame` is the time of the middle one. Nothing where fewer than four corners are left.
  std::optional<BoardView> at(double frame, double readout_frames, double height_px) const;

 private:
  std::optional<BoardCorner> between(int index, int64_t picture, double u) const;

  std::map<int64_t, BoardView> views_;
};

// Poses of the board before a camera, by its own frames.
using BoardPoses = std::map<int64_t, Eigen::Isometry3d>;

struct WholeOffset {
  int64_t frames = 0;  // the second camera's frame less the first one's
  // Ratio of the fit to that of offsets in the middle, and to the best other one that is better than its
  // neighbours. 1: as good.
  double contrast = 1, ahead = 1;
};

// Nothing where the two have too few frames in common at any offset, or after a stop. `progress`: the share
// of offsets that were tried.
std::optional<WholeOffset> whole_offset(const Board& board, const BoardPoses& first, const BoardPoses& second,
                                        const std::function<void(double share)>& progress,
                                        const StopSource& stop);

}  // namespace vantage
