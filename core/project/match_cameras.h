// Assigns calibrated cameras to videos: by name, never by order.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"

namespace vantage {

// Possible names of a video: its file's stem and its folder's name.
std::vector<std::string> names_of_video(const std::string& video);

// For every video the only camera with one of its names; nothing where none has one, or another video matches
// it too. Names match if they are equal, else if they differ only in case, punctuation and leading zeros,
// else if exactly one name contains the video's ("int_cam01_img" and "cam01"), else if the video's contains
// exactly one ("hall_cam01_det").
std::vector<std::optional<size_t>> match_by_name(const std::vector<std::string>& videos,
                                                 const std::vector<std::string>& cameras);

// For every video the index of its camera, or an error that lists both sides. `mapped`: VIDEO=CAMERA pairs,
// which take precedence; a video there is given by path, stem or folder.
Result<std::vector<size_t>> match_cameras(const std::vector<std::string>& videos,
                                          const std::vector<std::string>& cameras,
                                          const std::vector<std::pair<std::string, std::string>>& mapped);

// The index of the camera of that name. invalid_argument, with the existing names, where there is none.
Result<size_t> camera_named(const std::vector<std::string>& cameras, std::string_view name);

}  // namespace vantage
