#include "core/results/drawn_masks.h"

#include <fmt/core.h>
#include <algorithm>
#include <charconv>
#include <tuple>
#include <utility>
#include <vector>

#include "core/base/file.h"
#include "core/base/log.h"
#include "core/image/image_files.h"
#include "core/metrics/masks/mask_painting.h"
#include "core/project/project_store.h"
#include "core/results/results_pictures.h"

namespace vantage {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFramePart = "frame_", kExtension = ".png";

std::optional<int64_t> frame_of_name(std::string_view name) {
  if (!name.starts_with(kFramePart) || !name.ends_with(kExtension)) return std::nullopt;
  name.remove_prefix(kFramePart.size());
  name.remove_suffix(kExtension.size());
  int64_t frame = -1;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), frame);
  return error == std::errc() && end == name.data() + name.size() && frame >= 0 ? std::optional(frame)
                                                                                : std::nullopt;
}

fs::path flat_file(const fs::path& folder, const std::string& camera, int64_t frame) {
  return folder / (camera + fmt::format("_frame_{:04}.png", frame));
}

// Removing a file that does not exist is not an error.
Status remove_file(const fs::path& file) {
  std::error_code error;
  fs::remove(file, error);
  if (!error) return {};
  return fail(ErrorKind::io, "cannot be removed: " + error.message(), file.string(),
              "Check its permissions.");
}

Status add_mask(DrawnMasks* masks, const std::string& camera, int64_t frame, const fs::path& file) {
  const auto [known, added] = (*masks)[frame].emplace(camera, file);
  if (added) return {};
  return fail(ErrorKind::bad_data, "a mask exists twice", file.string(),
              "Remove it, or " + known->second.string() + ".");
}

// Entries of the folder; none where it does not exist.
Result<std::vector<fs::directory_entry>> entries_of(const fs::path& folder) {
  std::vector<fs::directory_entry> entries;
  std::error_code error;
  if (!fs::is_directory(folder, error)) return entries;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
    entries.push_back(*entry);
  if (error)
    return fail(ErrorKind::io, "cannot be read: " + error.message(), folder.string(),
                "Check its permissions.");
  return entries;
}

Result<DrawnMasks> masks_in(const fs::path& folder) {
  DrawnMasks masks;
  std::error_code ignored;
  VANTAGE_ASSIGN(const auto entries, entries_of(folder));
  for (const fs::directory_entry& entry : entries) {
    const std::string name = entry.path().filename().string();
    if (entry.is_directory(ignored)) {
      VANTAGE_ASSIGN(const auto files, entries_of(entry.path()));
      for (const fs::directory_entry& file : files)
        if (const auto frame = frame_of_name(file.path().filename().string()))
          VANTAGE_TRY(add_mask(&masks, name, *frame, file.path()));
      continue;
    }
    const size_t at = name.rfind("_frame_");
    if (at == std::string::npos || at == 0) continue;
    if (const auto frame = frame_of_name(std::string_view(name).substr(at + 1)))
      VANTAGE_TRY(add_mask(&masks, name.substr(0, at), *frame, entry.path()));
  }
  return masks;
}

int64_t count_of(const DrawnMasks& masks) {
  int64_t count = 0;
  for (const auto& [frame, cameras] : masks) count += static_cast<int64_t>(cameras.size());
  return count;
}

}  // namespace

fs::path drawn_masks_folder(const fs::path& project) {
  if (project.empty()) return {};
  return fs::path(project).replace_extension(".truth") / "masks";
}

fs::path mask_file(const fs::path& folder, const std::string& camera, int64_t frame) {
  return folder / camera / frame_file_name(frame, "png");
}

Result<DrawnMasks> find_masks(const fs::path& folder) {
  if (folder.empty()) return DrawnMasks();
  if (folder.extension() == ".vantage") return masks_in(drawn_masks_folder(folder));
  for (const fs::path& place : {folder, folder / "masks", folder / "gt_masks", folder / "truth" / "masks"}) {
    VANTAGE_ASSIGN(DrawnMasks masks, masks_in(place));
    if (!masks.empty()) return masks;
  }
  return DrawnMasks();
}

std::optional<fs::path> find_mask(const fs::path& folder, const std::string& camera, int64_t frame) {
  std::error_code ignored;
  for (const fs::path& file : {mask_file(folder, camera, frame), flat_file(folder, camera, frame)})
    if (fs::exists(file, ignored)) return file;
  return std::nullopt;
}

Result<Image> read_mask(const fs::path& file, BufferPool& pool) {
  VANTAGE_ASSIGN(const Image gray, read_png_gray(file, pool));
  return mask_of(gray.view<uint8_t>(), pool);
}

Status write_mask(const fs::path& folder, const std::string& camera, int64_t frame, const Image& mask) {
  const fs::path file = mask_file(folder, camera, frame);
  VANTAGE_TRY(make_folder(file.parent_path()));
  VANTAGE_TRY(write_png_gray(file, mask));
  return remove_file(flat_file(folder, camera, frame));
}

Status remove_mask(const fs::path& folder, const std::string& camera, int64_t frame) {
  VANTAGE_TRY(remove_file(mask_file(folder, camera, frame)));
  return remove_file(flat_file(folder, camera, frame));
}

Result<fs::path> own_masks_folder(const Project& project) {
  if (!project.path.empty()) return drawn_masks_folder(project.path);
  return fail(ErrorKind::invalid_argument, "was never saved", "the project",
              "Save it: masks are stored next to it.");
}

Result<DrawnMasks> find_masks_or_fail(const fs::path& folder) {
  VANTAGE_ASSIGN(DrawnMasks masks, find_masks(folder));
  if (!masks.empty()) return masks;
  return fail(ErrorKind::not_found, "holds no masks", folder.string(),
              "They are named CAMERA/frame_000012.png or CAMERA_frame_0012.png.");
}

bool has_camera(const Project& project, const std::string& name) {
  return std::ranges::any_of(project.cameras, [&](const ProjectCamera& one) { return one.name == name; });
}

namespace {

Status rename_masks(const fs::path& project, const std::string& from, const std::string& to) {
  const fs::path masks = drawn_masks_folder(project);
  std::error_code error;
  if (!fs::exists(masks / from, error)) return {};
  if (fs::exists(masks / to, error))
    return fail(ErrorKind::invalid_argument, "there are masks of this name", (masks / to).string(),
                "Choose another name, or move that folder away.");
  if (error = rename_durably(masks / from, masks / to); error)
    return fail(ErrorKind::io, "cannot be renamed: " + error.message(), (masks / from).string(),
                "Check the permissions of the folder.");
  return {};
}

}  // namespace

Result<Project> rename_cameras_on_disk(const fs::path& project, const std::vector<CameraRename>& renamed) {
  std::vector<CameraRename> moved;
  Result<Project> written = change_project_file(project, [&](Project& stored) -> Status {
    for (const auto& [from, to] : renamed) VANTAGE_TRY(rename_part(&stored, NamedPart::camera, from, to));
    for (const CameraRename& one : renamed) {
      VANTAGE_TRY(rename_masks(project, one.from, one.to));
      moved.push_back(one);
    }
    return {};
  });
  for (auto one = moved.rbegin(); !written && one != moved.rend(); ++one)
    if (const Status back = rename_masks(project, one->to, one->from); !back)
      log_warning(back.error().message());
  return written;
}

Result<CopiedMasks> import_masks(const Project& project, const fs::path& from, bool replace) {
  VANTAGE_ASSIGN(const fs::path own, own_masks_folder(project));
  VANTAGE_ASSIGN(const DrawnMasks masks, find_masks_or_fail(from));
  CopiedMasks copied;
  std::vector<std::tuple<std::string, int64_t, Image>> read;
  for (const auto& [frame, cameras] : masks)
    for (const auto& [camera, file] : cameras) {
      if (!has_camera(project, camera)) {
        ++copied.unknown;
      } else if (!replace && find_mask(own, camera, frame)) {
        ++copied.kept;
      } else {
        VANTAGE_ASSIGN(Image mask, read_mask(file, HostPool::shared()));
        read.emplace_back(camera, frame, std::move(mask));
      }
    }
  for (const auto& [camera, frame, mask] : read) {
    VANTAGE_TRY(write_mask(own, camera, frame, mask));
    ++copied.copied;
  }
  return copied;
}

Result<int64_t> export_masks(const Project& project, const fs::path& to) {
  VANTAGE_ASSIGN(const DrawnMasks masks, find_masks(drawn_masks_folder(project.path)));
  if (masks.empty())
    return fail(ErrorKind::not_found, "has no masks drawn by hand", project.path.string(),
                "Paint them in the window, or import them with `vantage-cli truth --import-masks`.");
  for (const auto& [frame, cameras] : masks)
    for (const auto& [camera, file] : cameras) {
      VANTAGE_ASSIGN(const Image mask, read_mask(file, HostPool::shared()));
      VANTAGE_TRY(write_mask(to, camera, frame, mask));
    }
  return count_of(masks);
}

Result<MasksOfNewName> MasksOfNewName::copy(const fs::path& project, const fs::path& new_project) {
  MasksOfNewName copied;
  const fs::path from = drawn_masks_folder(project), to = drawn_masks_folder(new_project);
  if (from.empty() || from == to) return copied;
  VANTAGE_ASSIGN(const DrawnMasks masks, find_masks(from));
  if (masks.empty()) return copied;
  VANTAGE_ASSIGN(OutputFolder folder, OutputFolder::make(to));
  for (const auto& [frame, cameras] : masks)
    for (const auto& [camera, file] : cameras) {
      const fs::path copy = mask_file(folder.staging(), camera, frame);
      VANTAGE_ASSIGN(const std::string bytes, read_file(file));
      VANTAGE_TRY(make_folder(copy.parent_path()));
      VANTAGE_TRY(write_file_atomically(copy, bytes));
    }
  copied.folder_ = std::make_unique<OutputFolder>(std::move(folder));
  return copied;
}

Result<fs::path> MasksOfNewName::put() {
  if (!folder_) return fs::path();
  const fs::path& target = folder_->target();
  fs::path aside;
  VANTAGE_ASSIGN(const DrawnMasks there, find_masks(target));
  if (!there.empty()) {
    std::error_code error;
    for (int i = 1; aside.empty() || fs::exists(aside, error); ++i)
      aside = fs::path(target.string() + fmt::format(".before{}", i));
    error = rename_durably(target, aside);
    if (error)
      return fail(ErrorKind::io, "cannot be renamed: " + error.message(), target.string(),
                  "Check the permissions of the folder.");
  }
  VANTAGE_TRY(folder_->publish());
  folder_.reset();
  return aside;
}

namespace {

// Both masks of a picture, as read_mask() returns them.
struct BothMasks {
  Image ours, theirs;
};

Result<BothMasks> read_both(const std::filesystem::path& ours, const std::filesystem::path& theirs) {
  BothMasks both;
  VANTAGE_ASSIGN(both.ours, read_mask(ours, HostPool::shared()));
  VANTAGE_ASSIGN(both.theirs, read_mask(theirs, HostPool::shared()));
  if (both.ours.width() != both.theirs.width() || both.ours.height() != both.theirs.height())
    return fail(ErrorKind::bad_data,
                fmt::format("has {} x {} px, ours {} x {}", both.theirs.width(), both.theirs.height(),
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
    if (!ours || how == MaskMerge::ours) continue;  // ours was removed meanwhile: there is nothing to decide
    VANTAGE_ASSIGN(const BothMasks both, read_both(*ours, one.theirs.file));
    const ImageView<const uint8_t> a = both.ours.view<uint8_t>(), b = both.theirs.view<uint8_t>();
    VANTAGE_ASSIGN(Image merged, merged_mask(a, b, how, HostPool::shared()));
    if (!difference_of(a, merged.view<uint8_t>()).any()) continue;
    step.push_back({one.theirs.camera, one.theirs.frame, both.ours, std::move(merged)});
  }
  return step;
}

}  // namespace vantage
