// The texts of the formats; private to core/export/people.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/base/threads.h"
#include "core/export/people/detail/camera_boxes.h"
#include "core/project/project.h"
#include "core/results/floor_counts.h"

namespace vantage::people_export_detail {

std::string cvat_text(const std::string& task, const ExportCamera& camera, const RecordedPeople& people);
// ETA's VideoLabels of the camera's video, which FiftyOne reads.
std::string video_labels(const ExportCamera& camera, const RecordedPeople& people);

// USD (openusd.org) as text.
std::string usd_text(const Project& project, const RecordedPeople& people);

// Errors: invalid_argument for more than a file of 4 GiB can hold.
Result<std::string> gltf_bytes(const Project& project, const RecordedPeople& people, bool binary);

// Parts of an MCAP file.
struct McapContent {
  const Project& project;
  const RecordedPeople& people;           // at least one frame
  std::map<int64_t, double> heights_m;    // by ID
  std::vector<size_t> cameras;            // whose pictures and calibrations are written
  std::vector<std::string> camera_names;  // of the project's cameras, for topics
  std::vector<double> rate_ratios;        // of the project's cameras: their frames per frame of the base
  double start_utc_s = 0;                 // of frame 0; 0: not known
  int picture_width_px = 0;               // wider pictures are reduced; 0: without pictures
  StopSource stop = {};
};
// Errors: those of opening and reading the videos, invalid_argument where a picture has another size than its
// calibration, io, cancelled; then there is no file.
Status write_mcap(const std::filesystem::path& out, const McapContent& content);

}  // namespace vantage::people_export_detail
