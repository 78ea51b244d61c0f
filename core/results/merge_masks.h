// Masks that another person painted, next to those of a project: whose pictures no one has here, where the
// two disagree, and what becomes of that.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "core/metrics/masks/mask_history.h"
#include "core/metrics/masks/mask_merge.h"
#include "core/project/project.h"

namespace vantage {

struct TheirMask {
  int64_t frame = 0;
  std::string camera;
  std::filesystem::path file;
};
struct MaskDisagreement {
  TheirMask theirs;
  MaskDifference difference;
};
struct MaskComparison {
  std::vector<TheirMask> missing;               // here; by frame
  std::vector<MaskDisagreement> disagreements;  // the lowest IoU first
  int64_t same = 0;                             // pixel by pixel
  int64_t unknown = 0;                          // of cameras that the project has not
};
// `theirs`: a folder of masks, or a project, as find_masks() takes. Errors: those of import_masks(); bad_data
// where a mask has another size than ours.
Result<MaskComparison> compare_masks(const Project& project, const std::filesystem::path& theirs);

// What changes where the missing ones come in. Nothing is written.
Result<MaskStep> add_missing_masks(std::span<const TheirMask> missing);
// What changes where these disagreements are settled so; masks that stay as they are, are left out.
Result<MaskStep> settle_masks(const Project& project, std::span<const MaskDisagreement> disagreements,
                              MaskMerge how);

}  // namespace vantage
