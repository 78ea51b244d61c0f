#include "core/carving/block_table.h"

#include <tbb/parallel_for.h>

#include <algorithm>

#include "core/carving/detail/carving_kernel.h"
#include "core/carving/sample.h"

namespace vantage {
namespace {

std::vector<float> padded_centers(const VoxelGrid& grid, int axis, int count) {
  std::vector<float> centers;
  const int padded = (count + kBlockSide - 1) / kBlockSide * kBlockSide;
  for (int i = 0; i < padded; ++i) centers.push_back(voxel_center_f32(grid, axis, std::min(i, count - 1)));
  return centers;
}

// The hull of the group's blocks, for one camera.
BlockView group_view(const BlockTable& table, int gx, int gy, int gz, int camera) {
  const BlockGrid& blocks = table.blocks;
  BlockView hull;
  bool first = true;
  for (int z = gz * kGroupSide; z < std::min(blocks.nz, (gz + 1) * kGroupSide); ++z)
    for (int y = gy * kGroupSide; y < std::min(blocks.ny, (gy + 1) * kGroupSide); ++y)
      for (int x = gx * kGroupSide; x < std::min(blocks.nx, (gx + 1) * kGroupSide); ++x) {
        const BlockView& view = table.of_block(blocks.index(x, y, z))[camera];
        hull = joined(first ? view : hull, view);
        first = false;
      }
  return hull;
}

}  // namespace

VoxelCenters::VoxelCenters(const VoxelGrid& grid)
    : x(padded_centers(grid, 0, grid.nx)),
      y(padded_centers(grid, 1, grid.ny)),
      z(padded_centers(grid, 2, grid.nz)) {}

size_t block_table_bytes(const VoxelGrid& grid, size_t cameras) {
  const auto blocks = static_cast<size_t>(blocks_of(grid.nx, grid.ny, grid.nz, kBlockSide).count());
  return blocks * cameras *
         (sizeof(BlockView) + (has_polynomials(grid, cameras) ? sizeof(BlockPositions) : 0));
}

BlockTable make_block_table(std::span<const PinholeCamera<double>> cameras, const VoxelGrid& grid,
                            const VoxelCenters& centers) {
  BlockTable table;
  table.blocks = blocks_of(grid.nx, grid.ny, grid.nz, kBlockSide);
  table.groups = blocks_of(table.blocks.nx, table.blocks.ny, table.blocks.nz, kGroupSide);
  table.cameras = static_cast<int>(cameras.size());
  table.block_views.resize(static_cast<size_t>(table.blocks.count()) * cameras.size());
  table.group_views.resize(static_cast<size_t>(table.groups.count()) * cameras.size());
  std::vector<PinholeCamera<float>> narrow;
  for (const PinholeCamera<double>& camera : cameras) narrow.push_back(cast_camera<float>(camera));
  if (has_polynomials(grid, cameras.size())) table.block_positions.resize(table.block_views.size());
  tbb::parallel_for(0, table.blocks.count(), [&](int block) {
    const carving::VoxelBlock voxels = carving::voxels_of(block, table.blocks, centers);
    const BlockGrid& blocks = table.blocks;
    for (size_t c = 0; c < cameras.size(); ++c) {
      const size_t entry = static_cast<size_t>(block) * cameras.size() + c;
      BlockPositions* positions = nullptr;
      if (!table.block_positions.empty()) {
        const auto fitted = fit_positions(cameras[c], grid, block % blocks.nx, block / blocks.nx % blocks.ny,
                                          block / (blocks.nx * blocks.ny));
        if (fitted) *(positions = &table.block_positions[entry]) = *fitted;
      }
      table.block_views[entry] = carving::see_block({narrow[c], positions}, voxels);
    }
  });
  tbb::parallel_for(0, table.groups.count(), [&](int group) {
    const int gx = group % table.groups.nx, gy = group / table.groups.nx % table.groups.ny,
              gz = group / (table.groups.nx * table.groups.ny);
    for (int c = 0; c < table.cameras; ++c)
      table.group_views[static_cast<size_t>(group) * cameras.size() + static_cast<size_t>(c)] =
          group_view(table, gx, gy, gz, c);
  });
  return table;
}

}  // namespace vantage
