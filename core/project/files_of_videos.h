// Assigns files to videos where as many are given as there are videos: by names, and by order only where no
// name contradicts it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"

namespace vantage {

// Possible names of a file, the most specific first ("cam2" inside the file, its stem, its folder).
struct NamedFile {
  std::string file;
  std::vector<std::string> names;
};

struct FilesOfVideos {
  std::vector<size_t> file_of;  // one per video
  std::string note;             // a sentence where the order decided; empty: names did
};

// Assigns files as match_by_name() does, by the first of their names under which every video has one file,
// else by the only number that differs among the videos' names and among the files'. Otherwise the order
// decides, unless a name contradicts it. `mapped`: VIDEO=CAMERA pairs, which take precedence; a camera there
// is any of a file's names, or the file. invalid_argument where names contradict each other or the order: it
// states which.
Result<FilesOfVideos> match_files(const std::vector<std::string>& videos, const std::vector<NamedFile>& files,
                                  const std::vector<std::pair<std::string, std::string>>& mapped);

// Checks files in the order of the videos, "-" for none. invalid_argument where all of them have names of
// other videos.
Status check_order(const std::vector<std::string>& videos, const std::vector<std::string>& files,
                   const std::string& option);

// Names of cameras as names of files and folders.

// One per camera, all different: letters, digits, '-' and '_'; other characters become '_'.
std::vector<std::string> camera_file_names(const std::vector<std::string>& cameras);

}  // namespace vantage
