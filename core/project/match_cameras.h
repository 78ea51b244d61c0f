// Which calibrated camera a video belongs to: by name, never by order.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"

namespace vantage {

// The names a video may have: its file's stem and its folder's name.
std::vector<std::string> names_of_video(const std::string& video);

// For every video the only camera that has one of its names; nothing where none has, or where another video
// has it too. Names match when they are equal, else when they are equal but for case, punctuation and leading
// zeros, else when one name alone contains the video's ("int_cam01_img" and "cam01"), else when the video's
// contains one name alone ("hall_cam01_det").
std::vector<std::optional<size_t>> match_by_name(const std::vector<std::string>& videos,
                                                 const std::vector<std::string>& cameras);

// For every video the index of its camera, all or an error that lists both sides. `mapped` are VIDEO=CAMERA
// pairs and win; a video there is named by its path, stem or folder.
Result<std::vector<size_t>> match_cameras(const std::vector<std::string>& videos,
                                          const std::vector<std::string>& cameras,
                                          const std::vector<std::pair<std::string, std::string>>& mapped);

// The index of the camera of that name. invalid_argument, telling those there are, where there is none.
Result<size_t> camera_named(const std::vector<std::string>& cameras, std::string_view name);

}  // namespace vantage
