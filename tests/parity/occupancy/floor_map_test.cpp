// Floor map: reference against every device, bit by bit; and the carver's occupancy against its own shell.
#include "core/people/occupancy/floor_map.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstdlib>
#include <iostream>
#include <random>

#include "core/carving/carving.h"
#include "tests/reference/floor_map.h"
#include "tests/support/backends.h"
#include "tests/support/camera_ring.h"

namespace vantage {
namespace {

Image pack(const VoxelGrid& grid, const std::vector<bool>& occupied) {
  Image image =
      Image::make(ImageType::u32, (grid.nx + 31) / 32, grid.ny * grid.nz, HostPool::shared()).value();
  const ImageView<uint32_t> view = image.writable_view<uint32_t>();
  for (int row = 0; row < view.height; ++row) {
    for (int w = 0; w < view.width; ++w) view.at(w, row) = 0;
    for (int x = 0; x < grid.nx; ++x)
      if (occupied[grid.linear_id(x, row % grid.ny, row / grid.ny)])
        view.at(x / 32, row) |= uint32_t{1} << (x % 32);
  }
  return image;
}

class FloorMapParity : public ::testing::TestWithParam<Device> {
 protected:
  void SetUp() override {
    if (!device_.has<FloorMapper>()) GTEST_SKIP() << device_.why_missing();
  }

  void check(const VoxelGrid& grid, const std::vector<bool>& occupied, double lowest_m) {
    const auto mapper = device_.create<FloorMapper>({grid});
    mapper->set_parameters({lowest_m});
    const FloorMap map = mapper->map(device_.to_device(pack(grid, occupied)), 5).value();
    EXPECT_EQ(map.frame, 5);
    const Image columns = device_.to_host(map.columns), tops = device_.to_host(map.tops);
    const reference::FloorMap expected = reference::floor_map(grid, occupied, lowest_m);
    for (int y = 0; y < grid.ny; ++y)
      for (int x = 0; x < grid.nx; ++x) {
        const size_t cell = static_cast<size_t>(x) + static_cast<size_t>(grid.nx) * static_cast<size_t>(y);
        ASSERT_EQ(columns.view<uint16_t>().at(x, y), expected.columns[cell]) << x << ", " << y;
        ASSERT_EQ(tops.view<uint16_t>().at(x, y), expected.tops[cell]) << x << ", " << y;
      }
  }

  test::DeviceUnderTest device_{GetParam()};
};

TEST_P(FloorMapParity, RandomVolumesOfOddSizes) {
  const unsigned seed = std::random_device{}();
  std::cout << "seed " << seed << "\n";
  std::mt19937 random(seed);
  for (const auto& [nx, ny, nz] : {std::array{1, 1, 1}, {31, 5, 9}, {32, 3, 7}, {33, 70, 4}, {161, 17, 23}}) {
    const VoxelGrid grid{{-1, 2, -0.13}, 0.05, nx, ny, nz};
    for (const double share : {0.0, 0.1, 0.9, 1.0}) {
      std::bernoulli_distribution coin(share);
      std::vector<bool> occupied(static_cast<size_t>(grid.count()));
      for (size_t i = 0; i < occupied.size(); ++i) occupied[i] = coin(random);
      for (const double lowest_m : {0.0, 0.15, 9.0}) check(grid, occupied, lowest_m);
    }
  }
}

TEST_P(FloorMapParity, WrongOccupanciesAreRefused) {
  const VoxelGrid grid{{0, 0, 0}, 0.1, 40, 10, 5};
  const auto mapper = device_.create<FloorMapper>({grid});
  EXPECT_FALSE(mapper->map({}, 0));
  const VoxelGrid other{{0, 0, 0}, 0.1, 20, 10, 5};
  const std::vector<bool> nothing(static_cast<size_t>(other.count()));
  EXPECT_FALSE(mapper->map(device_.to_device(pack(other, nothing)), 0));
}

// What the carver hands on is what it counted: the bits' number, and every shell voxel among them.
TEST_P(FloorMapParity, TheCarverKeepsItsOccupancy) {
  const test::RingOptions ring;
  Carver::Arguments scene{models_of(test::camera_ring(ring)), {{-0.9, -0.9, 0}, 0.04, 45, 44, 30}, true};
  std::vector<Image> indicators;
  for (size_t c = 0; c < scene.cameras.size(); ++c) {
    Image image = Image::make(ImageType::u8, ring.width_px, ring.height_px, HostPool::shared()).value();
    const ImageView<uint8_t> view = image.writable_view<uint8_t>();
    for (int y = 0; y < view.height; ++y)
      for (int x = 0; x < view.width; ++x) view.at(x, y) = std::abs(x - view.width / 2) < 30 ? 255 : 0;
    indicators.push_back(device_.to_device(image));
  }
  const CarvedVolume volume = device_.create<Carver>(scene)->carve(indicators, false, 0).value();
  const VolumeCounts counts = volume.counts.get().value();
  ASSERT_GT(counts.shell, 0);
  const Image occupancy = device_.to_host(volume.occupancy);
  const ImageView<const uint32_t> words = occupancy.view<uint32_t>();
  ASSERT_EQ(words.width, 2);
  ASSERT_EQ(words.height, scene.grid.ny * scene.grid.nz);
  int64_t occupied = 0;
  for (int row = 0; row < words.height; ++row)
    for (int w = 0; w < words.width; ++w) occupied += std::popcount(words.at(w, row));
  EXPECT_EQ(occupied, counts.occupied);
  const Image ids = device_.to_host(volume.shell_ids.get().value());
  for (int i = 0; i < static_cast<int>(counts.shell); ++i) {
    const uint32_t id = ids.view<uint32_t>().at(i, 0);
    const int x = static_cast<int>(id) % scene.grid.nx, row = static_cast<int>(id) / scene.grid.nx;
    ASSERT_TRUE(words.at(x / 32, row) >> (x % 32) & 1u) << "voxel " << id;
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, FloorMapParity, ::testing::Values(Device::cpu, Device::cuda),
                         test::device_test_name);

}  // namespace
}  // namespace vantage
