// One text of each of a project's cameras: what tells that they are still those that something was made of.
#pragma once

#include <string>
#include <vector>

#include "core/project/project.h"

namespace vantage::ui {

// `text`: &ProjectCamera::name, or another text of a camera.
inline std::vector<std::string> of_cameras(const Project& project, std::string ProjectCamera::* text) {
  std::vector<std::string> texts;
  for (const ProjectCamera& camera : project.cameras) texts.push_back(camera.*text);
  return texts;
}

}  // namespace vantage::ui
