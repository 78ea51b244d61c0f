#include "core/people/occupancy/coverage.h"

#include <gtest/gtest.h>

#include "tests/support/camera_ring.h"

namespace vantage {
namespace {

// As carving sees: the 2x2 pixels of a bilinear sample lie in the picture.
bool can_sample(const Camera& camera, double x_m, double y_m, double z_m) {
  const PinholeCamera<double> model = camera.model();
  const Pixel<double> p = project(model, x_m, y_m, z_m);
  return p.in_front && p.x >= 0 && p.y >= 0 && p.x < model.width_px - 1 && p.y < model.height_px - 1;
}

TEST(FloorCoverage, IsWhatTheCamerasThemselvesSay) {
  const std::vector<Camera> cameras = test::camera_ring({});
  const VoxelGrid grid{{-16, -16, 0}, 1, 32, 32, 4};
  const FloorCoverage coverage = make_floor_coverage(models_of(cameras), grid).value();
  int64_t none = 0, all = 0;
  for (int y = 0; y < grid.ny; ++y)
    for (int x = 0; x < grid.nx; ++x) {
      int expected = 0;
      for (const Camera& camera : cameras)
        expected += can_sample(camera, grid.center(0, x), grid.center(1, y), 0) &&
                    can_sample(camera, grid.center(0, x), grid.center(1, y), FloorCoverage::kChest_m);
      ASSERT_EQ(coverage.seeing(x, y), expected) << x << ", " << y;
      none += expected == 0, all += expected == 4;
    }
  EXPECT_GT(none, 0) << "a useful scene has both";
  EXPECT_GT(all, 0);
  EXPECT_EQ(coverage.cells_by_cameras().front(), none);
  EXPECT_EQ(coverage.cells_by_cameras().back(), all);
  EXPECT_DOUBLE_EQ(coverage.covered_share(4), static_cast<double>(all) / 1024);
  EXPECT_EQ(coverage.covered_share(4, 0b0111), 0) << "a camera without a picture sees nothing";
  EXPECT_GT(coverage.covered_share(3, 0b0111), 0);
  EXPECT_EQ(coverage.seeing(-1, 0), 0);
  EXPECT_EQ(coverage.seeing(0, 32), 0);
}

TEST(FloorCoverage, NeedsOneToSixtyFourCameras) {
  const VoxelGrid grid{{0, 0, 0}, 1, 2, 2, 2};
  EXPECT_FALSE(make_floor_coverage({}, grid));
  const std::vector<PinholeCamera<double>> many(65);
  EXPECT_FALSE(make_floor_coverage(many, grid));
}

}  // namespace
}  // namespace vantage
