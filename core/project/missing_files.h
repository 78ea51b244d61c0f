// Files that are not where the project says: which, and where they are now. Videos and clips are told by size
// and checksum where the project remembers them (VideoIdentity), so also under another name; all else by its
// name and as many folders above it as agree.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/base/threads.h"
#include "core/project/project.h"

namespace vantage {

// The empty-scene clip, a camera's detections (a file or a folder), the model that detects for all cameras.
enum class FileRole : uint8_t { video, background, detections, model };

struct MissingFile {
  size_t camera = 0;  // of a model 0: it is every camera's
  FileRole role = FileRole::video;
  std::string path;        // where the project says it is
  VideoIdentity identity;  // unknown: the project does not remember it
  bool operator==(const MissingFile&) const = default;
};

// What has a scheme is an address (RTSP, none://), not a file.
bool is_address(const std::string& video);

// Missing files by camera, each its video, its clip, its detections; the model last. Streams are never
// missing.
std::vector<MissingFile> missing_files(const Project& project);
// ErrorKind::not_found naming, camera by camera, every file that is missing, and what to do.
Status check_project_files(const Project& project);
// "cam2's video", "the detections' model"
std::string missing_file_name(const Project& project, const MissingFile& missing);
// "cam2's video FILE; cam3's empty-scene clip FILE"
std::string missing_text(const Project& project, const std::vector<MissingFile>& missing);

enum class ByName : uint8_t {
  when_unknown,   // only where the project remembers nothing else
  also_if_other,  // a video of that name is taken although its content is another
};

struct FoundFile {
  MissingFile missing;
  std::string path;  // where it is now; empty: it was not found
  std::string why;   // "same name, size and checksum"; or why nothing was taken
};

// Looks through the folder and all below it, for all missing files at once. Errors: not_found where there is
// no such folder, cancelled.
Result<std::vector<FoundFile>> find_missing_files(const Project& project, const std::filesystem::path& folder,
                                                  ByName by_name, const StopSource& stop);
// The project with what was found in place of what is missing; all else stays. Returns how many were found.
size_t relink(const std::vector<FoundFile>& found, Project* project);
// "cam2: /new/cam2.mp4 (same name, size and checksum)"
std::string found_text(const Project& project, const FoundFile& found);

// Remembers what videos and clips are told by, of those that are there and not remembered yet or have another
// size by now. What cannot be read is left out: nothing is worse than before.
void remember_videos(Project* project);

}  // namespace vantage
