// The tiles of an integral image, where their published sums lie in the scratch, and the order in which tiles
// are drawn. Drawn by diagonals, the tiles that a tile waits for have been drawn a whole diagonal before and
// are mostly done; drawn by rows, the one on the left would have begun with it.
#pragma once

#include "gpu/primitives/integral_image/published_number.cuh"
#include "gpu/primitives/integral_image/tile.cuh"

namespace vantage::gpu::integral {

struct Plan {
  int tiles_x, tiles_y, images;
  int group;     // rows, and columns, of tiles
  int groups_y;  // complete groups of a picture
  int groups_x;  // of a row, also one that is not complete
  size_t rows_at, columns_at, totals_at, row_carries_at, carries_at, corners_at, size_bytes;
  int tiles() const { return tiles_x * tiles_y * images; }
};

// A picture of up to max_ungrouped rows and columns of tiles is one group.
template <typename T>
Plan plan_tiles(int width, int height, int images, int max_ungrouped, int group, size_t begin) {
  Plan plan{};
  plan.tiles_x = (width + T::kColumns - 1) / T::kColumns;
  plan.tiles_y = (height + T::kRows - 1) / T::kRows;
  plan.images = images;
  const bool grouped = plan.tiles_x > max_ungrouped || plan.tiles_y > max_ungrouped;
  plan.group = grouped ? group : max_ungrouped + 1;
  plan.groups_y = plan.tiles_y / plan.group;
  plan.groups_x = (plan.tiles_x + plan.group - 1) / plan.group;
  const auto tiles = static_cast<size_t>(plan.tiles());
  const size_t carries = static_cast<size_t>(images * plan.groups_y) * static_cast<size_t>(plan.tiles_x);
  const size_t row_carries = static_cast<size_t>(images * plan.tiles_y) * static_cast<size_t>(plan.groups_x);
  constexpr size_t kLocal = PublishedNumbers<typename T::Local>::kBytesEach;
  plan.rows_at = begin;
  plan.columns_at = plan.rows_at + rounded(tiles * T::kRows * kPackBytes / T::kPackSums);
  plan.totals_at = plan.columns_at + rounded(tiles * T::kColumns * kPackBytes / T::kPackSums);
  plan.row_carries_at = plan.totals_at + rounded(tiles * kLocal);
  plan.carries_at = plan.row_carries_at + rounded(row_carries * T::kRows * kLocal);
  plan.corners_at = plan.carries_at + rounded(carries * T::kColumns * kLocal);
  plan.size_bytes = plan.corners_at + rounded(carries * PublishedNumbers<typename T::Global>::kBytesEach);
  return plan;
}

// The n-th tile of all pictures: by rows.
__device__ inline TilePlace by_rows(const Plan& plan, int n) {
  const int all = plan.tiles_x * plan.tiles_y, image = n / all, i = n - image * all, y = i / plan.tiles_x;
  return {image, i - y * plan.tiles_x, y};
}
// Order by rising x + y, then by y.
__device__ inline TilePlace by_diagonals(const Plan& plan, int n) {
  const int all = plan.tiles_x * plan.tiles_y, image = n / all, i = n - image * all;
  const int side = min(plan.tiles_x, plan.tiles_y);
  // The corner before the diagonals of full length has 1 + 2 + ... + (side - 1) tiles, as has the one behind.
  const int corner = side * (side - 1) / 2;
  const auto triangle_row = [](int k) {
    int row = static_cast<int>((sqrtf(8.0f * static_cast<float>(k) + 1.0f) - 1.0f) * 0.5f);
    while ((row + 1) * (row + 2) / 2 <= k) ++row;
    while (row * (row + 1) / 2 > k) --row;
    return row;
  };
  int diagonal, along;
  if (i < corner) {
    diagonal = triangle_row(i);
    along = i - diagonal * (diagonal + 1) / 2;
  } else if (i < all - corner) {
    diagonal = side - 1 + (i - corner) / side;
    along = (i - corner) % side;
  } else {
    const int k = all - 1 - i, row = triangle_row(k);
    diagonal = plan.tiles_x + plan.tiles_y - 2 - row;
    along = row - (k - row * (row + 1) / 2);
  }
  const int y = max(0, diagonal - plan.tiles_x + 1) + along;
  return {image, diagonal - y, y};
}

}  // namespace vantage::gpu::integral
