// Which calibrated camera a video belongs to: by name, never by order.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"

namespace vantage::cli {

// The names a video may have: its file's stem and its folder's name.
std::vector<std::string> names_of_video(const std::string& video);

// For every video the index of its camera. `mapped` are VIDEO=CAMERA pairs and win; a video there is named by
// its path, stem or folder. Names match when they are equal, else when they are equal but for case and
// punctuation, else when one calibrated name alone contains the video's ("int_cam01_img" and "cam01"). An
// error lists both sides.
Result<std::vector<size_t>> match_cameras(const std::vector<std::string>& videos,
                                          const std::vector<std::string>& cameras,
                                          const std::vector<std::pair<std::string, std::string>>& mapped);

}  // namespace vantage::cli
