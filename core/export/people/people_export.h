// Writes the people of a run, with the project's repairs and names, for other programs:
//
//   .glb, .gltf  glTF 2.0: cameras, floor, zones, lines, and people as capsules that move in time
//   .usda        USD, likewise
//   .mcap        MCAP with Foxglove's messages: these, and the cameras' pictures
//   .fiftyone    a folder: FiftyOne's dataset of the cameras' videos with boxes of people
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
};
inline constexpr std::array<PeopleFormat, 6> kPeopleFormats = {{
    {".glb", "glTF 2.0, one file"},
    {".gltf", "glTF 2.0, text"},
    {".usda", "USD, text"},
    {".mcap", "MCAP with pictures, for Foxglove and Rerun"},
    {".fiftyone", "FiftyOne, a folder"},
    {".xml", "CVAT for video 1.1"},
}};
// Null: no format ends so.
const PeopleFormat* people_format(const std::filesystem::path& file);
std::string people_endings();  // ".glb, .gltf, … or .xml"

struct PeopleExportOptions {
  std::filesystem::path out;           // its ending is the format
  std::filesystem::path results = {};  // empty: the project's own
  // Cameras of CVAT, FiftyOne and MCAP; empty: all calibrated ones.
  std::vector<size_t> cameras = {};
  int picture_width_px = 1280;  // MCAP: wider pictures are reduced; 0: without pictures
  StopSource stop = {};
};

struct ExportedPeople {
  std::vector<std::filesystem::path> files;  // of several cameras: walk_cam1.xml, walk_cam2.xml
  int64_t people = 0;
  std::vector<std::string> notes;  // sentences
};

// Each file is written atomically; those of earlier cameras stay where a later one fails. Errors:
// invalid_argument for an unknown ending, a project without calibration, and a camera without one; not_found
// without results or people; those of reading (of videos, too) and writing; cancelled.
Result<ExportedPeople> export_people(const Project& project, const PeopleExportOptions& options);

}  // namespace vantage
