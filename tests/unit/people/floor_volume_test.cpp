// The volume over footprints and its peaks against the obvious sums, from frame to frame.
#include "core/people/detail/floor_volume.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <random>
#include <vector>

namespace vantage::people_detail {
namespace {

constexpr double kFootprint_m = 0.5;

struct Map {
  VoxelGrid grid;
  std::vector<uint16_t> columns, tops;

  FloorViews views() const {
    const auto view = [&](const std::vector<uint16_t>& cells) {
      return ImageView<const uint16_t>{cells.data(), grid.nx, grid.ny,
                                       static_cast<size_t>(grid.nx) * sizeof(uint16_t)};
    };
    return {view(columns), view(tops)};
  }
  int64_t column(int x, int y) const {
    const bool inside = x >= 0 && x < grid.nx && y >= 0 && y < grid.ny;
    return inside ? columns[x + grid.nx * y] : 0;
  }
  int64_t sum(int x, int y) const {
    const int radius = static_cast<int>(std::lround(kFootprint_m / 2 / grid.voxel_size_m));
    int64_t sum = 0;
    for (int v = y - radius; v <= y + radius; ++v)
      for (int u = x - radius; u <= x + radius; ++u) sum += column(u, v);
    return sum;
  }
};

Map some_map(int nx, int ny, int things, std::mt19937& random) {
  const auto below = [&](int n) { return std::uniform_int_distribution<int>(0, n - 1)(random); };
  Map map{{{-1.3, 0.7, 0}, 0.05, nx, ny, 44}, {}, {}};
  map.columns.assign(static_cast<size_t>(nx) * static_cast<size_t>(ny), 0);
  for (int i = 0; i < things; ++i) {
    const int x0 = below(nx), y0 = below(ny), wide = 1 + below(8), deep = 1 + below(8);
    for (int y = y0; y < std::min(ny, y0 + deep); ++y)
      for (int x = x0; x < std::min(nx, x0 + wide); ++x)
        map.columns[x + nx * y] = static_cast<uint16_t>(below(40));
  }
  map.tops = map.columns;
  return map;
}

void expect_obvious(const Map& map, const FloorVolume& volume) {
  const VoxelGrid& grid = map.grid;
  int64_t largest = 0;
  for (int y = 0; y < grid.ny; ++y)
    for (int x = 0; x < grid.nx; ++x) {
      const int64_t sum = map.sum(x, y);
      ASSERT_EQ(volume.litres_at(grid.center(0, x), grid.center(1, y)), grid.liters(sum)) << x << " " << y;
      largest = std::max(largest, sum);
    }
  const std::vector<FoundPerson> peaks = volume.peaks(1e9);
  ASSERT_EQ(peaks.size(), largest > 0 ? 1u : 0u);
  if (largest > 0) ASSERT_EQ(peaks[0].volume_l, grid.liters(largest));
  for (const FoundPerson& peak : volume.peaks(grid.liters(1))) ASSERT_LE(peak.volume_l, grid.liters(largest));
}

TEST(FloorVolume, IsTheSumOverTheFootprint) {
  const unsigned seed = std::random_device{}();
  std::cout << "seed " << seed << "\n";
  std::mt19937 random(seed);
  for (const auto& [nx, ny] : {std::pair{1, 1}, {5, 90}, {16, 16}, {33, 7}, {80, 61}, {130, 97}}) {
    SCOPED_TRACE(std::to_string(nx) + "x" + std::to_string(ny));
    FloorVolume volume(VoxelGrid{{-1.3, 0.7, 0}, 0.05, nx, ny, 44});
    for (const int things : {3, 0, 1, 12, 2}) {
      const Map map = some_map(nx, ny, things, random);
      volume.take(map.views(), kFootprint_m);
      ASSERT_NO_FATAL_FAILURE(expect_obvious(map, volume));
    }
  }
}

// Where two columns of voxels stand, each peak is moved to the middle of what is under it.
TEST(FloorVolume, PeaksLieInTheMiddleOfWhatStands) {
  std::mt19937 none;
  Map map = some_map(60, 60, 0, none);
  for (int y = 0; y < 3; ++y)
    for (int x = 0; x < 3; ++x) {
      map.columns[10 + x + 60 * (20 + y)] = 36;
      map.columns[40 + x + 60 * (30 + y)] = 30;
    }
  map.tops = map.columns;
  FloorVolume volume(map.grid);
  volume.take(map.views(), kFootprint_m);
  const std::vector<FoundPerson> peaks = volume.peaks(1);
  ASSERT_EQ(peaks.size(), 2u);
  EXPECT_NEAR(peaks[0].x_m, map.grid.center(0, 11), 1e-12);
  EXPECT_NEAR(peaks[0].y_m, map.grid.center(1, 21), 1e-12);
  EXPECT_NEAR(peaks[1].x_m, map.grid.center(0, 41), 1e-12);
  EXPECT_NEAR(peaks[1].y_m, map.grid.center(1, 31), 1e-12);
  EXPECT_EQ(peaks[0].volume_l, map.grid.liters(9 * 36));
}

}  // namespace
}  // namespace vantage::people_detail
