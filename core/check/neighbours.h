// With which other cameras a camera is compared: comparing all pairs takes far too long where there are many,
// and cameras in different corners of a hall have nothing to say of each other.
//
// Each camera is compared with the kMaxNeighbours that share most of its floor and look at it from elsewhere:
// a second camera next to the first shows nothing that the first does not. Where there are no more cameras
// than that, all are compared with all.
#pragma once

#include <cstddef>
#include <vector>

#include "core/geometry/camera.h"
#include "core/geometry/voxel_grid.h"

namespace vantage {

inline constexpr size_t kMaxNeighbours = 5;

// Neighbours by camera, ascending. Only cameras that share some of the floor, unless all are compared with
// all.
using Neighbours = std::vector<std::vector<size_t>>;
Neighbours neighbours_of(const std::vector<Camera>& cameras, const VoxelGrid& grid);

}  // namespace vantage
