// Agreement of a mask with one that was drawn by hand.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/image/image_view.h"
#include "core/image/picture.h"

namespace vantage {

struct MaskOverlap {
  int64_t both = 0, either = 0;  // pixels
  // Intersection over union; 1 where no one is in either.
  double iou() const { return either == 0 ? 1 : static_cast<double>(both) / static_cast<double>(either); }
  bool operator==(const MaskOverlap&) const = default;
};

// `found` is inside where it is not 0, `drawn` above kMaskThreshold (mask_painting.h). Both of one size.
MaskOverlap overlap_of(const ImageView<const uint8_t>& found, const ImageView<const uint8_t>& drawn);

// Masks of one picture by two painters: where they differ, and one made of both.

enum class MaskMerge : uint8_t { ours, theirs, either, both };
inline constexpr std::array<std::string_view, 4> kMaskMergeNames = {"ours", "theirs", "union",
                                                                    "intersection"};

struct MaskDifference {
  MaskOverlap overlap;
  int64_t only_ours = 0, only_theirs = 0;  // pixels
  bool any() const { return only_ours + only_theirs > 0; }
};

// Inside is above kMaskThreshold. Both of one size.
MaskDifference difference_of(const ImageView<const uint8_t>& ours, const ImageView<const uint8_t>& theirs);
// 255 and 0; host memory.
Result<Image> merged_mask(const ImageView<const uint8_t>& ours, const ImageView<const uint8_t>& theirs,
                          MaskMerge how, BufferPool& pool);

// Changes of painted masks, for undo and redo.

struct MaskChange {
  std::string camera;
  int64_t frame = 0;
  Image before, after;  // empty: there was, or is, no mask
};
// Changes by one command: a stroke changes one mask, carrying those of all cameras.
using MaskStep = std::vector<MaskChange>;

// A mask carried along by optical flow.

// The mask of the earlier picture as it lies in the later one. `back`: dx, dy pairs, 2 * width elements a
// row, of every pixel of the later picture to its position in the earlier one (core/optical_flow, the later
// picture given first); an unknown vector (beyond 1e9) counts as no motion. A pixel is inside if the mask at
// its position is at least half, bilinearly; outside if its position is not in the picture. u8, host memory.
Result<Image> carried_mask(const ImageView<const uint8_t>& earlier, const ImageView<const float>& back,
                           BufferPool& pool);

}  // namespace vantage
