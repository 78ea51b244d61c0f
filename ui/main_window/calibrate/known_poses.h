// How sure the cameras are that were solved in this window: for as long as they stand as they were solved.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/calibrate/measure.h"

namespace vantage::ui {

struct SolvedPose {
  Camera camera;  // under the project's name
  ChangeCovariance covariance;
};

class KnownPoses {
 public:
  void forget() { poses_.clear(); }
  // In place of what was known of these cameras.
  void take(const std::vector<SolvedPose>& solved) {
    for (const SolvedPose& pose : solved) {
      std::erase_if(poses_, [&](const SolvedPose& one) { return one.camera.name() == pose.camera.name(); });
      poses_.push_back(pose);
    }
  }
  // Nothing: it was not solved, or stands otherwise by now.
  std::optional<ChangeCovariance> covariance_of(const Camera& camera) const {
    constexpr double kSame = 1e-9;
    for (const SolvedPose& pose : poses_)
      if (pose.camera.name() == camera.name() && change_between(pose.camera, camera).norm() < kSame)
        return pose.covariance;
    return std::nullopt;
  }

 private:
  std::vector<SolvedPose> poses_;
};

}  // namespace vantage::ui
