#include "core/carving/cut.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace vantage::carving {
namespace {

class Voxels {
 public:
  Voxels(const VoxelGrid& grid, double share, unsigned seed) : grid_(grid) {
    std::mt19937 random(seed);
    std::bernoulli_distribution occupied(share);
    for (int64_t i = 0; i < grid.count(); ++i) set_.push_back(occupied(random));
  }
  bool at(int x, int y, int z) const {
    if (x < 0 || y < 0 || z < 0 || x >= grid_.nx || y >= grid_.ny || z >= grid_.nz) return false;
    return set_[grid_.linear_id(x, y, z)];
  }
  bool shell(int x, int y, int z) const {
    return at(x, y, z) && !(at(x - 1, y, z) && at(x + 1, y, z) && at(x, y - 1, z) && at(x, y + 1, z) &&
                            at(x, y, z - 1) && at(x, y, z + 1));
  }

 private:
  VoxelGrid grid_;
  std::vector<bool> set_;
};

TEST(Shell, WordsGiveWhatSixNeighboursGive) {
  unsigned seed = 90;
  for (const int nx : {1, 2, 63, 64, 65, 127, 128, 129, 200})
    for (const double share : {0.0, 0.5, 0.95, 1.0}) {
      SCOPED_TRACE(::testing::Message() << "nx " << nx << ", share " << share << ", seed " << ++seed);
      const VoxelGrid grid{{0, 0, 0}, 0.1, nx, 5, 4};
      const Voxels voxels(grid, share, seed);
      OccupancyBits bits(grid);
      for (int z = 0; z < grid.nz; ++z)
        for (int y = 0; y < grid.ny; ++y)
          for (int x = 0; x < nx; ++x)
            if (voxels.at(x, y, z)) bits.row(y + grid.ny * z)[x / 64] |= uint64_t{1} << x % 64;
      for (int z = 0; z < grid.nz; ++z)
        for (int y = 0; y < grid.ny; ++y) {
          std::vector<uint64_t> row(static_cast<size_t>(bits.words_per_row()));
          std::vector<uint32_t> expected;
          for (int x = 0; x < nx; ++x)
            if (voxels.shell(x, y, z)) expected.push_back(1000 + static_cast<uint32_t>(x));
          const int64_t count = shell_row(bits, y, z, row.data());
          ASSERT_EQ(count, static_cast<int64_t>(expected.size()));
          // Guards on both sides of the IDs.
          std::vector<uint32_t> ids(expected.size() + 2, 7);
          write_ids(row.data(), bits.words_per_row(), 1000, ids.data() + 1);
          EXPECT_EQ(ids.front(), 7u);
          EXPECT_EQ(ids.back(), 7u);
          EXPECT_TRUE(std::equal(expected.begin(), expected.end(), ids.begin() + 1));
        }
    }
}

TEST(Shell, TheTailOfARowHoldsNoVoxels) {
  for (const int nx : {1, 63, 64, 65, 128}) {
    const OccupancyBits bits({{0, 0, 0}, 0.1, nx, 1, 1});
    EXPECT_EQ(bits.words_per_row(), (nx + 63) / 64);
    EXPECT_EQ(bits.tail_mask(), nx % 64 == 0 ? ~uint64_t{0} : (uint64_t{1} << nx % 64) - 1);
  }
}

}  // namespace
}  // namespace vantage::carving
