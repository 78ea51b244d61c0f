// Masks drawn by hand, as PNG files: grey, above 127 a person is there. A project's own are next to it in
// NAME.truth/masks, in the form that `vantage-cli synth` and `segment` write; those of other programs are
// also read in the flat form:
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
#include "core/project/rename.h"

namespace vantage {

using DrawnMasks =
    std::map<int64_t, std::map<std::string, std::filesystem::path>>;  // keyed by frame and camera

// NAME.truth/masks next to the project; empty for a project that was never saved.
std::filesystem::path drawn_masks_folder(const std::filesystem::path& project);
std::filesystem::path mask_file(const std::filesystem::path& folder, const std::string& camera,
                                int64_t frame);

// Finds the masks of a folder in either form. A folder without masks is searched in masks, gt_masks and
// truth/masks; a project (NAME.vantage) in its own folder. None in a folder that does not exist. Errors: io;
// bad_data for a mask in both forms.
Result<DrawnMasks> find_masks(const std::filesystem::path& folder);
// Nothing: there is no such mask.
std::optional<std::filesystem::path> find_mask(const std::filesystem::path& folder, const std::string& camera,
                                               int64_t frame);
// 255 where a person is, 0 elsewhere; u8, host memory. Errors: those of reading a PNG.
Result<Image> read_mask(const std::filesystem::path& file, BufferPool& pool);

// Writes atomically in the first form, and removes a mask in the other form.
Status write_mask(const std::filesystem::path& folder, const std::string& camera, int64_t frame,
                  const Image& mask);
// Removing a mask that does not exist is not an error.
Status remove_mask(const std::filesystem::path& folder, const std::string& camera, int64_t frame);

// Renames cameras in a project file, with everything of theirs next to it that has their names: masks drawn
// by hand. All or nothing; returns the project as written. Errors: those of rename_part() and of reading and
// writing; invalid_argument where there are masks of a new name.
Result<Project> rename_cameras_on_disk(const std::filesystem::path& project,
                                       const std::vector<CameraRename>& renamed);

// As drawn_masks_folder() and find_masks(), with an error where there are none: invalid_argument, not_found.
Result<std::filesystem::path> own_masks_folder(const Project& project);
Result<DrawnMasks> find_masks_or_fail(const std::filesystem::path& folder);
bool has_camera(const Project& project, const std::string& name);

struct CopiedMasks {
  int64_t copied = 0;
  int64_t kept = 0;     // existed already and were kept
  int64_t unknown = 0;  // masks of cameras that the project does not have
};
// Copies masks of another folder into the project's own. Errors: not_found where it has none;
// invalid_argument for a project that was never saved; those of reading, which name the file. After an error
// nothing was copied.
Result<CopiedMasks> import_masks(const Project& project, const std::filesystem::path& from, bool replace);
// Copies the project's own masks into a folder, in the first form. Errors: not_found where there are none;
// io.
Result<int64_t> export_masks(const Project& project, const std::filesystem::path& to);

// Copies a project's masks for Save As under another name. They replace those of that name all at once, in
// put().
class MasksOfNewName {
 public:
  // Does nothing where the project has no masks, or both are the same file.
  static Result<MasksOfNewName> copy(const std::filesystem::path& project,
                                     const std::filesystem::path& new_project);
  // Masks that a project of this name had before are kept next to the new ones: returns where; empty: there
  // were none.
  Result<std::filesystem::path> put();

 private:
  std::unique_ptr<OutputFolder> folder_;  // null: there is nothing to do
};

// Compares masks that another person painted with those of a project: masks missing here, masks that differ,
// and how differences are resolved.

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
  std::vector<TheirMask> missing;               // not among ours; by frame
  std::vector<MaskDisagreement> disagreements;  // lowest IoU first
  int64_t same = 0;                             // equal in every pixel
  int64_t unknown = 0;                          // masks of cameras that the project does not have
};
// `theirs`: a folder of masks or a project, as for find_masks(). Errors: those of import_masks(); bad_data
// for a mask whose size differs from ours.
Result<MaskComparison> compare_masks(const Project& project, const std::filesystem::path& theirs);

// The changes that add the missing masks. Nothing is written.
Result<MaskStep> add_missing_masks(std::span<const TheirMask> missing);
// The changes that resolve these differences in that way; unchanged masks are left out.
Result<MaskStep> settle_masks(const Project& project, std::span<const MaskDisagreement> disagreements,
                              MaskMerge how);

}  // namespace vantage
