// How a calibration's cameras stand, before a project is made of it: the heights and distances by which
// people see at once that a unit or the up axis is wrong, and what each camera sees of the floor.
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
    // What it sees of the floor: corners of an area, as far as kSeenFar times the largest distance of two
    // cameras at most (and 5 m at least); empty: nothing.
    std::vector<Eigen::Vector2d> floor_m;
    bool upside_down = false, looks_up = false;  // its picture stands on its head; it looks at the sky
  };
  std::vector<Standing> cameras;
  double min_height_m = 0, max_height_m = 0;  // above the floor, z = 0
  double apart_m = 0;                         // the largest distance of two cameras
  std::optional<VoxelGrid> common;  // around what all of them see, at most 4; nothing: there is no such place
};

inline constexpr double kSeenFar = 1.2;
// Cameras stand higher than people in rooms and streets put them, or lie on the floor.
inline constexpr double kMaxUsualHeight_m = 8, kMinUsualHeight_m = 0.2;

// At least one camera. Takes up to a second.
ScenePlan plan_scene(const std::vector<Camera>& cameras);

// "Cameras stand 2.50 to 2.86 m above the floor, up to 12.63 m apart; together they see 5.2 x 4.9 m."
std::string plan_text(const ScenePlan& layout);
// What looks wrong about it, and what to look at; empty: nothing.
std::string plan_doubt(const ScenePlan& layout);

// The part of the floor on which a project's detections are fused.

// A project's own grid says where people are searched for; else every position that two cameras see counts.
// `common`: the grid of the chain.
FloorRectangle fusion_floor(const Project& project, const VoxelGrid& common);

}  // namespace vantage
