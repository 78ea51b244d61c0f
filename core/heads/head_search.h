// The search space for heads: the levels of a picture's level-of-detail pyramid and the tiles of windows on
// them. Explanation: resources/docs/algorithms/heads.md.
//
// Level l shows the picture reduced by 2^(l / 4), so a window of 24 pixels there covers 24 * 2^(l / 4) pixels
// of the picture. It is sampled (bilinear) from the octave below it, octaves are means of 2 x 2 pixels; all
// in integers. With a calibration a tile is searched only where a head of 0.19 to 0.29 m of a person between
// the two heights, standing on the floor z = 0, can be as large as the level's windows show.
//
// A picture that hangs askew by more than four degrees (mean over the picture of the direction up where
// people's heads may be) is turned before it is searched; the rest is about the turned picture, what is found
// lies in the camera's again.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/result.h"
#include "core/geometry/camera.h"
#include "core/heads/head_turn.h"
#include "core/heads/heads_parameters.h"
#include "core/primitives/nms_rule.h"

namespace vantage {

inline constexpr int kMaxHeadPictureSide = 8191;  // of a picture, so that a window's key has 32 bits
inline constexpr int kHeadLevelsPerOctave = 4;

struct HeadOctave {
  int width = 0, height = 0;
  size_t stride = 0, offset = 0;  // bytes, in the memory of all octaves; octave 0 is the picture itself
};

struct HeadLevel {
  double scale = 1;
  int octave = 0;
  int32_t step = 65536;  // pixels of the octave per pixel, 1 is 65536
  int width = 0, height = 0;
  int window_step = 1;             // from one window to the next
  size_t stride = 0, offset = 0;   // bytes, in the memory of all levels; the same in each plane of codes
  int first_row = 0, end_row = 0;  // rows of pixels that its tiles need; none when no tile lies on it
  bool searched() const { return end_row > first_row; }
};

struct HeadTile {
  int32_t level = 0, x = 0, y = 0;  // first window
};

struct HeadSearch {
  int width = 0, height = 0;  // of the picture that is searched
  HeadTurn turn;
  std::optional<Camera> camera;
  std::vector<HeadOctave> octaves;
  std::vector<HeadLevel> levels;
  size_t octave_bytes = 0, level_bytes = 0;  // of all octaves but the first; of all levels
  std::vector<HeadTile> tiles;               // by level, then row, then column
  int64_t windows = 0;                       // in these tiles
};

// Everywhere, or where the camera (of the picture's size) says. A picture too small for any window has no
// tiles. Errors (invalid_argument): a side above kMaxHeadPictureSide, a camera of another size.
Result<HeadSearch> plan_head_search(int width, int height, const HeadParameters& parameters,
                                    const Camera* camera = nullptr);

// How likely a head is as large as the box at its position, between 0 and 1; 1 where nothing is known.
// Heights of people are taken to lie about the middle of those searched for, their range being 4.5 standard
// deviations, heads to be 0.24 m high. The logarithm of the box's height differs from what that says by that
// of a window, 0.18, and that of the people seen from there; 1 where the camera's height is among those of
// the heads.
double likelihood_of_size(const HeadSearch& search, const HeadParameters& parameters, const Detection& box);

// A box of the turned picture in the camera's: its middle is turned, its sides stay upright. Nothing when the
// middle lies outside.
std::optional<Detection> box_in_picture(const HeadSearch& search, Detection box);

}  // namespace vantage
