// Renames cameras, zones and lines of a project, with everything in it that states the name: clicked points,
// measures, rules. Calibrations, offsets, repairs and results go by the order of the cameras and stay.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/project/project.h"

namespace vantage {

enum class NamedPart : uint8_t { camera, zone, line };

// Errors: not_found, with the names that exist; invalid_argument for a name that is empty or taken, or, since
// files are named by cameras, for a camera's with / or \, a dot at its beginning, or more than 100 bytes.
Status rename_part(Project* project, NamedPart part, const std::string& from, const std::string& to);

struct CameraRename {
  std::string from, to;
};
// The cameras that have the same place and video in both, and another name.
std::vector<CameraRename> renamed_cameras(const Project& before, const Project& after);

}  // namespace vantage
