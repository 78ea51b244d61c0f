// Writes the people of a run, with the project's repairs and names, for other programs:
//
//   .glb, .gltf  glTF 2.0: cameras, floor, zones, lines, and people as capsules that move in time
//   .xml         CVAT for video 1.1: boxes of people in one camera's pictures
//
// Formats: resources/docs/formats/exports.md.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/base/threads.h"
#include "core/project/project.h"

namespace vantage {

struct PeopleFormat {
  std::string_view ending, name;
  bool per_camera = false;  // a file for each
};
inline constexpr std::array<PeopleFormat, 3> kPeopleFormats = {{
    {".glb", "glTF 2.0, one file"},
    {".gltf", "glTF 2.0, text"},
    {".xml", "CVAT for video 1.1", true},
}};
// Null: no format ends so.
const PeopleFormat* people_format(const std::filesystem::path& file);

struct PeopleExportOptions {
  std::filesystem::path out;           // its ending is the format
  std::filesystem::path results = {};  // empty: the project's own
  std::vector<size_t> cameras = {};    // of formats with a file for each; empty: all calibrated ones
  StopSource stop = {};
};

struct ExportedPeople {
  std::vector<std::filesystem::path> files;  // of several cameras: walk_cam1.xml, walk_cam2.xml
  int64_t people = 0;
  std::vector<std::string> notes;  // sentences
};

// Each file is written atomically; those of earlier cameras stay where a later one fails. Errors:
// invalid_argument for an unknown ending, a project without calibration, and a camera without one; not_found
// without results or people; those of reading and writing; cancelled.
Result<ExportedPeople> export_people(const Project& project, const PeopleExportOptions& options);

}  // namespace vantage
