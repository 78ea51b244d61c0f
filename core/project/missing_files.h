// Finds files that are no longer at the project's paths. Videos and clips are identified by size and checksum
// where the project stores them (VideoIdentity), also under another name; other files by name and as many
// parent folders as agree. A list of files (file_list.h) is missing where one of its files is.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/base/threads.h"
#include "core/project/project.h"
#include "core/video/file_list.h"

namespace vantage {

// The empty-scene clip, a camera's detections (a file or a folder), the models that detect people and find
// their joints for all cameras.
enum class FileRole : uint8_t { video, background, detections, model, joints_model };
constexpr bool serves_all_cameras(FileRole role) {
  return role == FileRole::model || role == FileRole::joints_model;
}

struct MissingFile {
  size_t camera = 0;  // 0 for a model
  FileRole role = FileRole::video;
  std::string path;        // path in the project
  VideoIdentity identity;  // unknown: the project does not store it
  bool operator==(const MissingFile&) const = default;
};

// Anything with a scheme is an address (RTSP, none://), not a file.
bool is_address(const std::string& video);

// Missing files by camera: its video, its clip, its detections; the model last. Streams are never missing.
std::vector<MissingFile> missing_files(const Project& project);
// ErrorKind::not_found listing every missing file, camera by camera, and what to do.
Status check_project_files(const Project& project);
// "cam2's video", "the detections' model"
std::string missing_file_name(const Project& project, const MissingFile& missing);
// "cam2's video FILE; cam3's empty-scene clip FILE"
std::string missing_text(const Project& project, const std::vector<MissingFile>& missing);

enum class ByName : uint8_t {
  when_unknown,   // only where the project stores no identity
  also_if_other,  // a video of that name is accepted although its content differs
};

struct FoundFile {
  MissingFile missing;
  std::string path;  // the new path; empty: it was not found
  std::string why;   // "same name, size and checksum"; or why nothing was accepted
  std::optional<FileList> list =
      {};  // of a list whose files moved: what write_found_lists() writes to `path`
};

// Searches the folder and its subfolders for all missing files. Errors: not_found where the folder does not
// exist; cancelled.
Result<std::vector<FoundFile>> find_missing_files(const Project& project, const std::filesystem::path& folder,
                                                  ByName by_name, const StopSource& stop);
// Before relink(): writes lists whose files moved, each next to the old one, which stays.
Status write_found_lists(const std::vector<FoundFile>& found);
// Replaces missing files by the found ones. Returns their number.
size_t relink(const std::vector<FoundFile>& found, Project* project);
// "cam2: /new/cam2.mp4 (same name, size and checksum)"
std::string found_text(const Project& project, const FoundFile& found);

// Stores the identities of existing videos and clips that have none or another size. Unreadable files are
// skipped.
void remember_videos(Project* project);

}  // namespace vantage
