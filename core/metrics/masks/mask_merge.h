// Masks of one picture by two painters: where they differ, and one made of both.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "core/image/picture.h"
#include "core/metrics/masks/mask_overlap.h"

namespace vantage {

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

}  // namespace vantage
