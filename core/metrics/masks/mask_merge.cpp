#include "core/metrics/masks/mask_merge.h"

#include "core/metrics/masks/mask_painting.h"

namespace vantage {

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

}  // namespace vantage
