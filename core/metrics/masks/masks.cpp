#include "core/metrics/masks/masks.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/metrics/masks/mask_painting.h"

namespace vantage {

MaskOverlap overlap_of(const ImageView<const uint8_t>& found, const ImageView<const uint8_t>& drawn) {
  MaskOverlap overlap;
  for (int y = 0; y < drawn.height; ++y)
    for (int x = 0; x < drawn.width; ++x) {
      const bool in_found = found.row(y)[x] != 0, in_drawn = drawn.row(y)[x] > kMaskThreshold;
      overlap.both += in_found && in_drawn;
      overlap.either += in_found || in_drawn;
    }
  return overlap;
}

MaskDifference difference_of(const ImageView<const uint8_t>& ours, const ImageView<const uint8_t>& theirs) {
  MaskDifference difference;
  for (int y = 0; y < ours.height; ++y)
    for (int x = 0; x < ours.width; ++x) {
      const bool our = ours.row(y)[x] > kMaskThreshold, their = theirs.row(y)[x] > kMaskThreshold;
      difference.overlap.both += our && their;
      difference.overlap.either += our || their;
      difference.only_ours += our && !their;
      difference.only_theirs += their && !our;
    }
  return difference;
}

Result<Image> merged_mask(const ImageView<const uint8_t>& ours, const ImageView<const uint8_t>& theirs,
                          MaskMerge how, BufferPool& pool) {
  VANTAGE_ASSIGN(Image merged, Image::make(ImageType::u8, ours.width, ours.height, pool));
  const ImageView<uint8_t> out = merged.writable_view<uint8_t>();
  const auto inside = [how](bool our, bool their) {
    switch (how) {
      case MaskMerge::ours:
        return our;
      case MaskMerge::theirs:
        return their;
      case MaskMerge::either:
        return our || their;
      case MaskMerge::both:
        break;
    }
    return our && their;
  };
  for (int y = 0; y < out.height; ++y)
    for (int x = 0; x < out.width; ++x)
      out.row(y)[x] =
          inside(ours.row(y)[x] > kMaskThreshold, theirs.row(y)[x] > kMaskThreshold) ? kInMask : 0;
  return merged;
}

namespace {

constexpr float kKnownBelow = 1e9f;

uint8_t sampled(const ImageView<const uint8_t>& mask, float x, float y) {
  if (!(x >= -0.5f && y >= -0.5f && x <= static_cast<float>(mask.width) - 0.5f &&
        y <= static_cast<float>(mask.height) - 0.5f))
    return 0;
  const int x0 = static_cast<int>(std::floor(x)), y0 = static_cast<int>(std::floor(y));
  const float u = x - static_cast<float>(x0), v = y - static_cast<float>(y0);
  const auto inside = [&](int column, int row) {
    return mask.row(std::clamp(row, 0, mask.height - 1))[std::clamp(column, 0, mask.width - 1)] >
                   kMaskThreshold
               ? 1.0f
               : 0.0f;
  };
  const float share = (1 - v) * ((1 - u) * inside(x0, y0) + u * inside(x0 + 1, y0)) +
                      v * ((1 - u) * inside(x0, y0 + 1) + u * inside(x0 + 1, y0 + 1));
  return share >= 0.5f ? kInMask : uint8_t{0};
}

}  // namespace

Result<Image> carried_mask(const ImageView<const uint8_t>& earlier, const ImageView<const float>& back,
                           BufferPool& pool) {
  if (back.width != 2 * earlier.width || back.height != earlier.height)
    return fail(ErrorKind::invalid_argument, "the mask and the flow have different sizes", "carry",
                "Give the flow of the mask's own picture.");
  VANTAGE_ASSIGN(Image later, Image::make(ImageType::u8, earlier.width, earlier.height, pool));
  const ImageView<uint8_t> to = later.writable_view<uint8_t>();
  tbb::parallel_for(0, earlier.height, [&](int y) {
    for (int x = 0; x < earlier.width; ++x) {
      float dx = back.row(y)[2 * x], dy = back.row(y)[2 * x + 1];
      if (!(std::abs(dx) < kKnownBelow && std::abs(dy) < kKnownBelow)) dx = dy = 0;
      to.row(y)[x] = sampled(earlier, static_cast<float>(x) + dx, static_cast<float>(y) + dy);
    }
  });
  return later;
}

}  // namespace vantage
