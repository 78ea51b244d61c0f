// Masks drawn by hand, as PNG files: grey, above 127 a person is there. A project's own lie next to it in
// NAME.truth/masks, as `vantage-cli synth` and `segment` lay theirs; those of other programs are read in the
// flat form, too:
//
//   FOLDER/CAMERA/frame_000425.png
//   FOLDER/CAMERA_frame_0425.png
//
// Frames are the base camera's, from 0.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/output_folder.h"
#include "core/image/picture.h"
#include "core/metrics/masks/masks.h"
#include "core/project/project.h"

namespace vantage {

using DrawnMasks = std::map<int64_t, std::map<std::string, std::filesystem::path>>;  // by frame and camera

// NAME.truth/masks next to the project; empty for one that was never saved.
std::filesystem::path drawn_masks_folder(const std::filesystem::path& project);
std::filesystem::path mask_file(const std::filesystem::path& folder, const std::string& camera,
                                int64_t frame);

// Masks of a folder, of either form; where it holds none, of masks, gt_masks or truth/masks in it, and of a
// project (NAME.vantage) its own. A folder that is not there has none. Errors: io; bad_data where a mask is
// there in both forms.
Result<DrawnMasks> find_masks(const std::filesystem::path& folder);
// Nothing: there is none.
std::optional<std::filesystem::path> find_mask(const std::filesystem::path& folder, const std::string& camera,
                                               int64_t frame);
// 255 where a person is, 0 elsewhere; u8, host memory. Errors: those of reading a PNG.
Result<Image> read_mask(const std::filesystem::path& file, BufferPool& pool);

// Atomically, in the first form; one of the other form goes.
Status write_mask(const std::filesystem::path& folder, const std::string& camera, int64_t frame,
                  const Image& mask);
// One that is not there is gone already.
Status remove_mask(const std::filesystem::path& folder, const std::string& camera, int64_t frame);

// As drawn_masks_folder(), find_masks(); where there is none an error: invalid_argument, not_found.
Result<std::filesystem::path> own_masks_folder(const Project& project);
Result<DrawnMasks> find_masks_or_fail(const std::filesystem::path& folder);
bool has_camera(const Project& project, const std::string& name);

struct CopiedMasks {
  int64_t copied = 0;
  int64_t kept = 0;     // were there already, and stay
  int64_t unknown = 0;  // of cameras that the project has not
};
// Masks of another folder among the project's own. Errors: not_found where that holds none; invalid_argument
// for a project that was never saved; those of reading, which name the file: none is copied then.
Result<CopiedMasks> import_masks(const Project& project, const std::filesystem::path& from, bool replace);
// The project's own, into a folder, in the first form. Errors: not_found where there are none; io.
Result<int64_t> export_masks(const Project& project, const std::filesystem::path& to);

// The masks of a project for one that takes its place under another name (Save As): copied next to that name,
// and there all at once, in put().
class MasksOfNewName {
 public:
  // Does nothing where the project has no masks, or both are the same file.
  static Result<MasksOfNewName> copy(const std::filesystem::path& project,
                                     const std::filesystem::path& new_project);
  // Masks that are there already, of a project that had this name, are kept next to them: returns where;
  // empty: there were none.
  Result<std::filesystem::path> put();

 private:
  std::unique_ptr<OutputFolder> folder_;  // null: there is nothing to do
};

// Masks that another person painted, next to those of a project: whose pictures no one has here, where the
// two disagree, and what becomes of that.

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
