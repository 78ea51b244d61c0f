// The part of the floor on which a project's detections are fused.
#pragma once

#include "core/fusion/fusion.h"
#include "core/geometry/voxel_grid.h"
#include "core/project/project.h"

namespace vantage {

// A project's own grid says where people are searched for; else every position that two cameras see counts.
// `common`: the grid of the chain.
FloorRectangle fusion_floor(const Project& project, const VoxelGrid& common);

}  // namespace vantage
