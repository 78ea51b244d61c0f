#include "core/results/merge_masks.h"

#include <algorithm>
#include <utility>

#include "core/base/formatted.h"
#include "core/results/drawn_masks.h"

namespace vantage {
namespace {

// Both masks of a picture, as read_mask() gives them.
struct BothMasks {
  Image ours, theirs;
};

Result<BothMasks> read_both(const std::filesystem::path& ours, const std::filesystem::path& theirs) {
  BothMasks both;
  VANTAGE_ASSIGN(both.ours, read_mask(ours, HostPool::shared()));
  VANTAGE_ASSIGN(both.theirs, read_mask(theirs, HostPool::shared()));
  if (both.ours.width() != both.theirs.width() || both.ours.height() != both.theirs.height())
    return fail(ErrorKind::bad_data,
                formatted("has %d x %d px, ours %d x %d", both.theirs.width(), both.theirs.height(),
                          both.ours.width(), both.ours.height()),
                theirs.string(), "Take masks that were painted over the same pictures.");
  return both;
}

}  // namespace

Result<MaskComparison> compare_masks(const Project& project, const std::filesystem::path& theirs) {
  VANTAGE_ASSIGN(const std::filesystem::path own, own_masks_folder(project));
  VANTAGE_ASSIGN(const DrawnMasks masks, find_masks_or_fail(theirs));
  MaskComparison compared;
  for (const auto& [frame, cameras] : masks)
    for (const auto& [camera, file] : cameras) {
      if (!has_camera(project, camera)) {
        ++compared.unknown;
        continue;
      }
      const auto ours = find_mask(own, camera, frame);
      if (!ours) {
        compared.missing.push_back({frame, camera, file});
        continue;
      }
      VANTAGE_ASSIGN(const BothMasks both, read_both(*ours, file));
      const MaskDifference difference = difference_of(both.ours.view<uint8_t>(), both.theirs.view<uint8_t>());
      if (difference.any())
        compared.disagreements.push_back({{frame, camera, file}, difference});
      else
        ++compared.same;
    }
  std::ranges::stable_sort(compared.disagreements, {},
                           [](const MaskDisagreement& one) { return one.difference.overlap.iou(); });
  return compared;
}

Result<MaskStep> add_missing_masks(std::span<const TheirMask> missing) {
  MaskStep step;
  for (const TheirMask& one : missing) {
    VANTAGE_ASSIGN(Image mask, read_mask(one.file, HostPool::shared()));
    step.push_back({one.camera, one.frame, {}, std::move(mask)});
  }
  return step;
}

Result<MaskStep> settle_masks(const Project& project, std::span<const MaskDisagreement> disagreements,
                              MaskMerge how) {
  VANTAGE_ASSIGN(const std::filesystem::path own, own_masks_folder(project));
  MaskStep step;
  for (const MaskDisagreement& one : disagreements) {
    const auto ours = find_mask(own, one.theirs.camera, one.theirs.frame);
    if (!ours || how == MaskMerge::ours) continue;  // ours was removed meanwhile: there is nothing to settle
    VANTAGE_ASSIGN(const BothMasks both, read_both(*ours, one.theirs.file));
    const ImageView<const uint8_t> a = both.ours.view<uint8_t>(), b = both.theirs.view<uint8_t>();
    VANTAGE_ASSIGN(Image merged, merged_mask(a, b, how, HostPool::shared()));
    if (!difference_of(a, merged.view<uint8_t>()).any()) continue;
    step.push_back({one.theirs.camera, one.theirs.frame, both.ours, std::move(merged)});
  }
  return step;
}

}  // namespace vantage
