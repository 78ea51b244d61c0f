#include "core/project/camera_file_names.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace vantage {

std::vector<std::string> camera_file_names(const std::vector<std::string>& cameras) {
  std::vector<std::string> names;
  for (std::string name : cameras) {
    for (char& c : name)
      if (!std::isalnum(static_cast<unsigned char>(c)) && c != '-' && c != '_') c = '_';
    if (name.empty() || std::find(names.begin(), names.end(), name) != names.end())
      name += "-" + std::to_string(names.size() + 1);
    names.push_back(std::move(name));
  }
  return names;
}

}  // namespace vantage
