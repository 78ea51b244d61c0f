// The kernels of head detection; contract and arithmetic: core/heads/heads.h, core/heads/head_window.h.
// On the submission thread; `work` knows of the buffers.
//
// Windows are asked in batches of weak classifiers, and those left are listed again after each, so that no
// thread waits for another's long way (P. Viola's cascade in batches, BOXER report, section 3.3.5).
//
// Bound: about 3.1 bytes of levels a pixel of the picture, four codes each: 12 bytes written and, for the
// first classifiers, read through the L2 cache; shared memory is what write_codes waits for.
#pragma once

#include <cstdint>

#include "core/heads/head_turn.h"
#include "core/heads/head_window.h"
#include "gpu/runtime/work.h"

namespace vantage::gpu::heads {

struct DeviceLevel {
  const uint8_t* octave;  // null: the picture
  int64_t octave_stride;
  int octave_width, octave_height;
  int32_t step;
  int width, height, window_step;
  uint32_t stride, offset;
  float scale;
};

struct DeviceTile {
  int32_t level, x, y;
};

struct DeviceWeak {
  uint8_t block, x, y;
  int16_t reject_below;
};

struct WindowEntry {
  uint32_t key;
  int32_t score;
};

struct WindowList {
  WindowEntry* entries;
  uint32_t* count;
};

// The part that stays the same from picture to picture.
struct DevicePlan {
  const DeviceLevel* levels;
  const DeviceTile* code_tiles;
  const DeviceTile* window_tiles;
  const DeviceWeak* weak;
  const int8_t* tables;
  uint8_t* codes;
  uint32_t plane_bytes;
};

struct Source {
  const uint8_t* data;
  int64_t stride;
};

inline constexpr int kCodeTileWidth = 64, kCodeTileHeight = 32;
inline constexpr int kFirstBatch = 6, kMaxTablesInShared = 48;

// turn_upright: the picture of a camera that hangs askew.
Status enqueue_turn(Work& work, Source from, const HeadTurn& turn, uint8_t* to, int64_t to_stride);
// halve: an octave from the one before.
Status enqueue_halve(Work& work, Source from, uint8_t* to, int64_t to_stride, int width, int height);
// write_codes: a tile of a level is sampled into shared memory, its block sums next to it, and the codes of
// all block sizes are written, a byte each: a level itself never reaches the memory.
Status enqueue_codes(Work& work, const DevicePlan& plan, Source picture, int tiles);
// first_batch: every window is asked the first few weak classifiers; those left are listed.
Status enqueue_first_batch(Work& work, const DevicePlan& plan, int tiles, int weak_count, WindowList out);
// next_batch: each window of a list is asked classifiers first to end, excluded; those left are listed again.
Status enqueue_next_batch(Work& work, const DevicePlan& plan, int first, int end, WindowList in,
                          WindowList out);
// accept_windows: of a list the windows whose score is at least accept_from, at most `room` in any order;
// their number, also beyond the room, to *kept.count.
Status enqueue_accept(Work& work, WindowList in, int32_t accept_from, int room, WindowList kept);
struct BoxRule {
  int32_t accept_from;
  float score_unit;
};
// accept_windows, order_windows (by their keys) and list_boxes: the accepted windows as boxes, at most
// `room`, a multiple of 256; what is left of the room is not a detection (NaN). Their number, also beyond the
// room, to *kept.count. `kept` and `ordered` take them in between.
Status enqueue_boxes(Work& work, const DevicePlan& plan, WindowList in, const BoxRule& rule, Detection* boxes,
                     int room, WindowList kept, WindowEntry* ordered);

}  // namespace vantage::gpu::heads
