// The files behind what open_video() takes: to copy a video.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace vantage {

// A video file itself; the pictures of a sequence; a recording of segments with all files of its folder. Not
// of lists (file_list.h), which state their own. Addresses have none. Errors: not_found where there is none;
// io.
Result<std::vector<std::filesystem::path>> files_of_video(const std::string& video);

bool is_picture_file(const std::filesystem::path& file);  // of such a suffix: "png", "JPG"

}  // namespace vantage
