// People's boxes in one camera's pictures; private to core/export/people.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/project/project.h"
#include "core/results/floor_counts.h"

namespace vantage::people_export_detail {

// A camera and how its frames follow the base's.
struct ExportCamera {
  const ProjectCamera* camera = nullptr;  // calibrated
  double rate_ratio = 1;                  // its frames per frame of the base
  std::optional<int64_t> frames = {};     // of its video; nothing: not known
};

struct CameraBox {
  int64_t frame = 0;                                  // the camera's
  Eigen::Vector4d corners = Eigen::Vector4d::Zero();  // left, top, right, bottom, within the picture
  bool seen = true;                                   // false: between two frames in which the person was
  bool outside = false;  // gone from there on: no longer in the picture, or no longer tracked
};

// An upright person's rectangles at the positions of a path; frames ascend.
std::vector<CameraBox> boxes_of(const ExportCamera& camera, const RecordedPeople& people,
                                const PersonPath& path);

}  // namespace vantage::people_export_detail
