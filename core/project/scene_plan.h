// Poses of a calibration's cameras before it becomes a project: heights and distances that show a wrong unit
// or up axis at once, and each camera's view of the floor.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "core/fusion/fusion.h"
#include "core/geometry/camera.h"
#include "core/geometry/voxel_grid.h"
#include "core/project/project.h"

namespace vantage {

struct ScenePlan {
  struct Standing {
    std::string name;
    Eigen::Vector3d at_m;
    // Corners of the visible area of the floor, up to kSeenFar times the largest distance of two cameras (at
    // least 5 m); empty: none.
    std::vector<Eigen::Vector2d> floor_m;
    bool upside_down = false, looks_up = false;  // its picture is upside down; it looks at the sky
  };
  std::vector<Standing> cameras;
  double min_height_m = 0, max_height_m = 0;  // above the floor, z = 0
  double apart_m = 0;                         // largest distance of two cameras
  std::optional<VoxelGrid> common;  // around the common view of all, at most 4; nothing: there is none
};

inline constexpr double kSeenFar = 1.2;
// Heights of cameras beyond these are unusual in rooms and streets.
inline constexpr double kMaxUsualHeight_m = 8, kMinUsualHeight_m = 0.2;

// Needs at least one camera. Takes up to a second.
ScenePlan plan_scene(const std::vector<Camera>& cameras);

// "Cameras stand 2.50 to 2.86 m above the floor, up to 12.63 m apart; together they see 5.2 x 4.9 m."
std::string plan_text(const ScenePlan& layout);
// Unusual values, and what to check; empty: none.
std::string plan_doubt(const ScenePlan& layout);

// The part of the floor on which a project's detections are fused.

// A project's own grid states where people are searched for; without one, every position that two cameras see
// counts. `common`: the grid of the chain.
FloorRectangle fusion_floor(const Project& project, const VoxelGrid& common);

}  // namespace vantage
