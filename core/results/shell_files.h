// Writes shell points as a PLY file (binary little-endian, x y z as float in world metres), for MeshLab,
// CloudCompare and similar programs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "core/base/result.h"
#include "core/geometry/voxel_grid.h"
#include "core/image/picture.h"

namespace vantage {

// Centres of the voxels with these linear IDs. `comment`: one line in the header.
std::string encode_shell_ply(const VoxelGrid& grid, std::span<const uint32_t> ids,
                             const std::string& comment);
Status write_shell_ply(const std::filesystem::path& path, const VoxelGrid& grid,
                       std::span<const uint32_t> ids, const std::string& comment);

// Writes a confidence volume as a VTK image file (*.vti, XML with the values appended raw), for ParaView, VTK
// and 3D Slicer. Point data "confidence", float in [0,1], at the voxel centres: Origin is the centre of the
// first voxel and Spacing the voxel size, in world metres, so that isosurfaces at the threshold lie on the
// shell.

// `confidence`: as in CarvedVolume, in host memory. Errors: invalid_argument for another size, type or
// memory; io.
Status write_volume_vti(const std::filesystem::path& path, const VoxelGrid& grid, const Image& confidence);

}  // namespace vantage
