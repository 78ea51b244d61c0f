// Where a tile of an integral image stands among the tiles of its group, and where its numbers lie: see
// integral_exchange.cuh.
#pragma once

#include "gpu/primitives/integral_plan.cuh"

namespace vantage::gpu::integral {

__device__ inline unsigned long long* words(unsigned char* scratch, size_t at) {
  return reinterpret_cast<unsigned long long*>(scratch + at);
}
// Wraps round where there is nothing before the first group, which nobody then reads.
__device__ inline uint32_t slot(int tile, int each, int i) {
  return static_cast<uint32_t>(tile) * static_cast<uint32_t>(each) + static_cast<uint32_t>(i);
}

struct GroupedTile {
  const Plan& plan;
  const TilePlace place;
  const int first, number;            // of its picture, and this one
  const int first_above, first_left;  // the first row and column of tiles of this group

  __device__ GroupedTile(const Plan& of, const TilePlace& at)
      : plan(of),
        place(at),
        first(at.image * of.tiles_x * of.tiles_y),
        number(first + at.y * of.tiles_x + at.x),
        first_above(at.y / of.group * of.group),
        first_left(at.x / of.group * of.group) {}

  __device__ int tiles_x() const { return plan.tiles_x; }
  // Where the group on the left, if any, has handed on this row of tiles; this one hands on to the next
  // place.
  __device__ int row_group() const {
    return (place.image * plan.tiles_y + place.y) * plan.groups_x + place.x / plan.group - 1;
  }
  // The same for the group above and this column of tiles, and where this one hands on.
  __device__ int group_above() const {
    return (place.image * plan.groups_y + place.y / plan.group - 1) * plan.tiles_x + place.x;
  }
  __device__ int group_below() const { return group_above() + plan.tiles_x; }
  // Whether the tile is in the last row, or column, of a group.
  __device__ bool ends_rows() const { return place.y % plan.group == plan.group - 1; }
  __device__ bool ends_columns() const { return place.x % plan.group == plan.group - 1; }
};

}  // namespace vantage::gpu::integral
