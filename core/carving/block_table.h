// Which part of each camera's picture the blocks of a grid read, and where their voxels lie in it. Cameras
// and grid stand still, so this is computed once, from the place of every voxel, and holds for every frame.
//
// Blocks are cubes of kBlockSide voxels; kGroupSide blocks a side make a group, the level above. Those at the
// grid's far faces may be cut off.
#pragma once

#include <span>
#include <vector>

#include "core/carving/block_positions.h"
#include "core/carving/voxel_votes.h"
#include "core/geometry/voxel_grid.h"

namespace vantage {

inline constexpr int kGroupSide = 4;

// A number of blocks, or groups, along each axis. Index x + nx * (y + ny * z).
struct BlockGrid {
  int nx = 0, ny = 0, nz = 0;
  VANTAGE_HD int count() const { return nx * ny * nz; }
  VANTAGE_HD int index(int x, int y, int z) const { return x + nx * (y + ny * z); }
};
VANTAGE_HD BlockGrid blocks_of(int nx, int ny, int nz, int side) {
  return {(nx + side - 1) / side, (ny + side - 1) / side, (nz + side - 1) / side};
}

// Their hull, seen whole when both are; a hull has no polynomials.
VANTAGE_HD BlockView joined(const BlockView& a, const BlockView& b) {
  if (!a.sees_any() && !b.sees_any()) return {};
  const uint16_t whole = a.sees_all() && b.sees_all() ? BlockView::kWhole : uint16_t{0};
  if (!a.sees_any()) return {b.x0, b.y0, static_cast<uint16_t>(b.right()), static_cast<uint16_t>(b.bottom())};
  if (!b.sees_any()) return {a.x0, a.y0, static_cast<uint16_t>(a.right()), static_cast<uint16_t>(a.bottom())};
  const int right = a.right() > b.right() ? a.right() : b.right(),
            bottom = a.bottom() > b.bottom() ? a.bottom() : b.bottom();
  return {a.x0 < b.x0 ? a.x0 : b.x0, a.y0 < b.y0 ? a.y0 : b.y0, static_cast<uint16_t>(right | whole),
          static_cast<uint16_t>(bottom)};
}

struct BlockTable {
  BlockGrid blocks, groups;
  int cameras = 0;
  // Views by block (group) and camera: entry block * cameras + camera.
  std::vector<BlockView> block_views, group_views;
  // Positions by block and camera, of those whose view is smooth. Empty where has_polynomials() says no.
  std::vector<BlockPositions> block_positions;

  const BlockView* of_block(int block) const { return block_views.data() + size_t(block) * size_t(cameras); }
  // Null where the voxels are to be projected one by one.
  const BlockPositions* positions(int block, size_t camera) const {
    const size_t entry = size_t(block) * size_t(cameras) + camera;
    return block_views[entry].is_smooth() ? &block_positions[entry] : nullptr;
  }
  const BlockView* of_group(int group) const { return group_views.data() + size_t(group) * size_t(cameras); }
};

// Centres of a grid's voxels along each axis, padded to whole blocks by repeating the last one.
struct VoxelCenters {
  std::vector<float> x, y, z;
  explicit VoxelCenters(const VoxelGrid& grid);
};

// Memory of a table.
size_t block_table_bytes(const VoxelGrid& grid, size_t cameras);

BlockTable make_block_table(std::span<const PinholeCamera<double>> cameras, const VoxelGrid& grid,
                            const VoxelCenters& centers);

}  // namespace vantage
