// Shell points as a PLY file (binary little-endian, x y z as float in world metres), for MeshLab,
// CloudCompare and the like.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "core/base/result.h"
#include "core/geometry/voxel_grid.h"

namespace vantage {

// The centres of the voxels with these linear IDs. `comment` is one line in the header.
std::string encode_shell_ply(const VoxelGrid& grid, std::span<const uint32_t> ids,
                             const std::string& comment);
Status write_shell_ply(const std::filesystem::path& path, const VoxelGrid& grid,
                       std::span<const uint32_t> ids, const std::string& comment);

}  // namespace vantage
