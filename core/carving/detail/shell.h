// Occupancy as bits and the shell found in it by whole words.
#pragma once

#include <cstdint>
#include <vector>

#include "core/geometry/voxel_grid.h"

namespace vantage::carving {

// One bit per voxel; every row along x starts on a new word, bits beyond nx are 0. Row y + ny * z.
class OccupancyBits {
 public:
  explicit OccupancyBits(const VoxelGrid& grid);
  int words_per_row() const { return words_per_row_; }
  int64_t rows() const { return static_cast<int64_t>(ny_) * nz_; }
  uint64_t* row(int64_t index) { return words_.data() + index * words_per_row_; }
  const uint64_t* row(int64_t index) const { return words_.data() + index * words_per_row_; }
  // The row, or a row of zeros where y or z is outside the grid.
  const uint64_t* row_or_empty(int y, int z) const;
  // The bits of a row's last word that are voxels.
  uint64_t tail_mask() const { return tail_mask_; }

 private:
  int ny_, nz_, words_per_row_;
  uint64_t tail_mask_;
  std::vector<uint64_t> words_, empty_row_;
};

// Occupied voxels of row (y, z) that have at least one of six neighbours not occupied, into words_per_row()
// words. Returns their number.
int64_t shell_row(const OccupancyBits& occupied, int y, int z, uint64_t* shell);

// Writes first_id + i for each set bit i, ascending. Returns where the next one goes.
uint32_t* write_ids(const uint64_t* words, int count, uint32_t first_id, uint32_t* ids);

}  // namespace vantage::carving
