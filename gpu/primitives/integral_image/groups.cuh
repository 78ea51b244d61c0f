// The position of a tile among the tiles of its group, and of its numbers in the scratch (exchange.cuh).
#pragma once

#include "gpu/primitives/integral_image/plan.cuh"

namespace vantage::gpu::integral {

__device__ inline unsigned long long* words(unsigned char* scratch, size_t at) {
  return reinterpret_cast<unsigned long long*>(scratch + at);
}
// Wraps round before the first group; no one reads that slot.
__device__ inline uint32_t slot(int tile, int each, int i) {
  return static_cast<uint32_t>(tile) * static_cast<uint32_t>(each) + static_cast<uint32_t>(i);
}

// True: a picture may have several groups. False: it is one and hands nothing on.
template <typename Shape>
inline constexpr bool kGrouped = Shape::kGroup > 0;
// Tiles of a group before the last, in a row or column.
template <typename Shape>
inline constexpr int kMaxBefore =
    (Shape::kMaxUngrouped > Shape::kGroup ? Shape::kMaxUngrouped : Shape::kGroup) - 1;

// The sum that the group before has handed on.
template <typename Shape, typename N>
__device__ auto polled_carry(const PublishedNumbers<N>& carries, uint32_t at, bool needed) {
  if constexpr (kGrouped<Shape>)
    return carries.polled(at, needed);
  else
    return NoNumber<N>{};
}

// The tile of a thread block, found by one thread and kept in shared memory.
struct GroupedTile {
  TilePlace place;
  uint32_t launch;
  int tiles_x;
  int first, number;            // of its picture, and this tile
  int first_above, first_left;  // the first row and column of tiles of this group
  // The slot where the group on the left, if any, has handed on this row of tiles; this one uses the next.
  int row_group;
  // Likewise of the group above for this column of tiles, and the slot of this group.
  int group_above, group_below;
  // The tile is in the last row, or column, of a group.
  bool ends_rows, ends_columns;
};

__device__ inline GroupedTile grouped_tile(const Plan& plan, const TilePlace& at, uint32_t launch) {
  const int group_y = at.y / plan.group, group_x = at.x / plan.group;
  const int first = at.image * plan.tiles_x * plan.tiles_y;
  const int group_above = (at.image * plan.groups_y + group_y - 1) * plan.tiles_x + at.x;
  return {at,
          launch,
          plan.tiles_x,
          first,
          first + at.y * plan.tiles_x + at.x,
          group_y * plan.group,
          group_x * plan.group,
          (at.image * plan.tiles_y + at.y) * plan.groups_x + group_x - 1,
          group_above,
          group_above + plan.tiles_x,
          at.y - group_y * plan.group == plan.group - 1,
          at.x - group_x * plan.group == plan.group - 1};
}

}  // namespace vantage::gpu::integral
