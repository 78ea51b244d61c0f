// The kernels of head detection; contract and arithmetic: core/heads/heads.h, core/heads/head_window.h.
//
//   turn_picture   a picture of a camera that hangs askew
//   halve          each octave from the one before
//   write_codes    a tile of a level is sampled into shared memory, its block sums beside it, and the codes
//   of
//                  all block sizes written, a byte each: a level itself never reaches the memory
//   first_batch    every window is asked the first few weak classifiers; those left are listed
//   next_batch     each window of a list is asked some more, those left are listed again: the survivors stay
//                  packed, so that no thread waits for another's long way (P. Viola's cascade in batches,
//                  BOXER report, section 3.3.5)
//   list_windows   those of the last list that count only where other views speak for them
//   list_boxes     the windows of the last list, by the order of their keys, as boxes; what is left of the
//   room
//                  is no detection (NaN)
//
// Bound: about 3.1 bytes of levels a pixel of the picture, four codes each: 12 bytes written and, for the
// first classifiers, read through the L2 cache; shared memory is what write_codes waits for.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "core/heads/head_turn.h"
#include "core/heads/head_window.h"

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

// What stays the same from picture to picture.
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
inline constexpr int kFirstBatch = 6, kMostTablesInShared = 48;

cudaError_t turn_picture(cudaStream_t stream, Source from, const HeadTurn& turn, uint8_t* to,
                         int64_t to_stride);
cudaError_t halve(cudaStream_t stream, Source from, uint8_t* to, int64_t to_stride, int width, int height);
cudaError_t write_codes(cudaStream_t stream, const DevicePlan& plan, Source picture, int tiles);
cudaError_t first_batch(cudaStream_t stream, const DevicePlan& plan, int tiles, int weak_count,
                        WindowList out);
// Classifiers first to end, excluded.
cudaError_t next_batch(cudaStream_t stream, const DevicePlan& plan, int first, int end, WindowList in,
                       WindowList out, int blocks);
// Of a list the windows whose score is at least accept_from, at most `room` in any order; their number, also
// beyond the room, to *kept.count.
cudaError_t list_windows(cudaStream_t stream, WindowList in, int32_t accept_from, int room, WindowList kept);
struct BoxRule {
  int32_t accept_from;
  float score_unit;
};
// Windows whose score is at least accept_from, at most `room`, a multiple of 256; their number, also beyond
// the room, to *kept.count. `kept` and `ordered` take them in between.
cudaError_t list_boxes(cudaStream_t stream, const DevicePlan& plan, WindowList in, const BoxRule& rule,
                       Detection* boxes, int room, WindowList kept, WindowEntry* ordered);

}  // namespace vantage::gpu::heads
