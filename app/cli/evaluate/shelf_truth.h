// The ground truth of `shelf-detections`: 14 joints of people, and how many of their parts are found.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <vector>

#include "core/results/results_skeletons.h"

namespace vantage::cli {

// Ankle, knee, hip of the right, hip, knee, ankle of the left side, wrist, elbow, shoulder of the right,
// shoulder, elbow, wrist of the left, lower and upper end of the head.
inline constexpr size_t kShelfJoints = 14, kShelfNeck = 12;

struct ShelfPerson {
  int64_t frame = 0, id = 0;  // both from 0
  std::array<Eigen::Vector3d, kShelfJoints> joints_m;
};

// Errors: not_found, io; bad_data where it is something else.
Result<std::vector<ShelfPerson>> read_shelf_truth(const std::filesystem::path& path);

// The percentage of correct parts by person, as usual on this footage (V. Belagiannis et al., "3D Pictorial
// Structures for Multiple Human Pose Estimation", CVPR 2014): a part is found where its two ends are off by
// half its length on average at most. Ten parts: arms and legs of two each, trunk and head. A person is
// compared with the person of that frame who is nearest joint by joint; joints that are not known are not
// found.
// The head, whose ends detectors do not have, reaches from halfway between neck and ears as far above the
// ears (their middle; without them, the nose).
std::map<int64_t, double> shelf_parts_found(const std::vector<ShelfPerson>& truth,
                                            const RecordedSkeletons& found);

}  // namespace vantage::cli
