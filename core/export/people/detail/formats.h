// The texts of the formats; private to core/export/people.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/base/result.h"
#include "core/project/project.h"
#include "core/results/floor_counts.h"

namespace vantage::people_export_detail {

// A person's path in runs of points between which no gap is longer than kLongestGap_s.
std::vector<std::pair<size_t, size_t>> runs_of(const PersonPath& path, double frame_rate);  // end excluded

// A camera and how its frames follow the base's.
struct CvatCamera {
  const ProjectCamera* camera = nullptr;  // calibrated
  double rate_ratio = 1;                  // its frames per frame of the base
  std::optional<int64_t> frames = {};     // of its video; nothing: not known
};
std::string cvat_text(const std::string& task, const CvatCamera& camera, const RecordedPeople& people);

// Errors: invalid_argument for more than a file of 4 GiB can hold.
Result<std::string> gltf_bytes(const Project& project, const RecordedPeople& people, bool binary);

}  // namespace vantage::people_export_detail
