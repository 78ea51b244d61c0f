// Videos that are not where the project says: which, and where they are now. They are told by size and
// checksum where the project remembers them (VideoIdentity), so also under another name; else by their name
// and as many folders above it as agree.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/base/stop_token.h"
#include "core/project/project.h"

namespace vantage {

struct MissingVideo {
  size_t camera = 0;
  bool background = false;  // the empty-scene clip, not the video
  std::string path;         // where the project says it is
  VideoIdentity identity;   // unknown: the project does not remember it
  bool operator==(const MissingVideo&) const = default;
};

// By camera, each its video before its clip. Streams are never missing.
std::vector<MissingVideo> missing_videos(const Project& project);
// ErrorKind::not_found naming, camera by camera, every file that is missing, detections too, and what to do.
Status check_project_files(const Project& project);
// Of detections and their model alone.
Status check_detection_files(const Project& project);
// "cam2's video FILE; cam3's empty-scene clip FILE"
std::string missing_words(const Project& project, const std::vector<MissingVideo>& missing);

enum class ByName : uint8_t {
  when_unknown,   // only where the project remembers nothing else
  also_if_other,  // a video of that name is taken although its content is another
};

struct FoundVideo {
  MissingVideo missing;
  std::string path;  // where it is now; empty: it was not found
  std::string why;   // "same name, size and checksum"; or why nothing was taken
};

// Looks through the folder and all below it, for all missing videos at once. Errors: not_found where there is
// no such folder, cancelled.
Result<std::vector<FoundVideo>> find_videos(const Project& project, const std::filesystem::path& folder,
                                            ByName by_name, const StopSource& stop);
// The project with what was found in place of what is missing; all else stays. Returns how many were found.
size_t relink(const std::vector<FoundVideo>& found, Project* project);
// "cam2: /new/cam2.mp4 (same name, size and checksum)"
std::string found_words(const Project& project, const FoundVideo& found);

// Remembers what videos and clips are told by, of those that are there and not remembered yet or have another
// size by now. What cannot be read is left out: nothing is worse than before.
void remember_videos(Project* project);

}  // namespace vantage
