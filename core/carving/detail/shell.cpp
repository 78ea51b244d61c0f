#include "core/carving/detail/shell.h"

#include <bit>
#include <cstddef>

namespace vantage::carving {

OccupancyBits::OccupancyBits(const VoxelGrid& grid)
    : ny_(grid.ny),
      nz_(grid.nz),
      words_per_row_((grid.nx + 63) / 64),
      tail_mask_(~uint64_t{0} >> (words_per_row_ * 64 - grid.nx)),
      words_(static_cast<size_t>(words_per_row_) * static_cast<size_t>(grid.ny) *
             static_cast<size_t>(grid.nz)),
      empty_row_(static_cast<size_t>(words_per_row_)) {}

const uint64_t* OccupancyBits::row_or_empty(int y, int z) const {
  if (y < 0 || y >= ny_ || z < 0 || z >= nz_) return empty_row_.data();
  return row(y + static_cast<int64_t>(ny_) * z);
}

int64_t shell_row(const OccupancyBits& occupied, int y, int z, uint64_t* shell) {
  const uint64_t* here = occupied.row_or_empty(y, z);
  const uint64_t* neighbours[4] = {occupied.row_or_empty(y - 1, z), occupied.row_or_empty(y + 1, z),
                                   occupied.row_or_empty(y, z - 1), occupied.row_or_empty(y, z + 1)};
  const int words = occupied.words_per_row();
  int64_t count = 0;
  for (int w = 0; w < words; ++w) {
    const uint64_t before = here[w] << 1 | (w > 0 ? here[w - 1] >> 63 : 0);
    const uint64_t after = here[w] >> 1 | (w + 1 < words ? here[w + 1] << 63 : 0);
    const uint64_t surrounded =
        before & after & neighbours[0][w] & neighbours[1][w] & neighbours[2][w] & neighbours[3][w];
    shell[w] = here[w] & ~surrounded;
    count += std::popcount(shell[w]);
  }
  return count;
}

uint32_t* write_ids(const uint64_t* words, int count, uint32_t first_id, uint32_t* ids) {
  for (int w = 0; w < count; ++w)
    for (uint64_t rest = words[w]; rest != 0; rest &= rest - 1)
      *ids++ = first_id + static_cast<uint32_t>(w * 64 + std::countr_zero(rest));
  return ids;
}

}  // namespace vantage::carving
