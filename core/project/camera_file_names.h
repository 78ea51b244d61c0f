// Names of cameras as names of files and folders.
#pragma once

#include <string>
#include <vector>

namespace vantage {

// One a camera, all different: letters, digits, '-' and '_'; everything else becomes '_'.
std::vector<std::string> camera_file_names(const std::vector<std::string>& cameras);

}  // namespace vantage
