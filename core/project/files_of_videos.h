// Which of several files belongs to which video, where as many were given as there are videos: by their
// names; by their order only where no name says otherwise.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"

namespace vantage {

// The names that a file may have, the most telling first ("cam2" inside the file, its stem, its folder).
struct NamedFile {
  std::string file;
  std::vector<std::string> names;
};

struct FilesOfVideos {
  std::vector<size_t> file_of;  // by video
  std::string note;             // a sentence where the order decided; empty: names did
};

// Files are matched as match_by_name() does by the first of their names under which every video has one file,
// else by the only number that differs among the videos' names and among the files'. Where neither decides,
// by order, unless a name says otherwise. `mapped` are VIDEO=CAMERA pairs and win; a camera there is any of a
// file's names, or the file. invalid_argument where names contradict each other or the order: it says which.
Result<FilesOfVideos> match_files(const std::vector<std::string>& videos, const std::vector<NamedFile>& files,
                                  const std::vector<std::pair<std::string, std::string>>& mapped);

// Files that are given in the order of the videos, "-" where a video has none. invalid_argument where all of
// them have names of other videos than the ones at their places.
Status check_order(const std::vector<std::string>& videos, const std::vector<std::string>& files,
                   const std::string& option);

// Names of cameras as names of files and folders.

// One a camera, all different: letters, digits, '-' and '_'; everything else becomes '_'.
std::vector<std::string> camera_file_names(const std::vector<std::string>& cameras);

}  // namespace vantage
