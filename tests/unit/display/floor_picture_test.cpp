#include "core/display/floor_picture.h"

#include <gtest/gtest.h>

#include <iostream>
#include <random>

#include "core/image/color_map.h"
#include "tests/support/camera_ring.h"

namespace vantage {
namespace {

TEST(ColorMap, EndsAndMiddles) {
  EXPECT_EQ(mapped_color(kCividis, 0), (std::array<uint8_t, 3>{0, 34, 78}));
  EXPECT_EQ(mapped_color(kCividis, 1), (std::array<uint8_t, 3>{254, 232, 56}));
  EXPECT_EQ(mapped_color(kCividis, -3), mapped_color(kCividis, 0));
  EXPECT_EQ(mapped_color(kCividis, 7), mapped_color(kCividis, 1));
  double before = -1;
  for (int i = 0; i <= 100; ++i) {  // both grow brighter all the way, which is what makes them readable
    const auto c = mapped_color(kCividis, i / 100.0);
    const double light = 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
    EXPECT_GE(light, before);
    before = light;
  }
}

TEST(FloorPicture, IsClearBelowAndCividisAbove) {
  const VoxelGrid grid{{-1, 2, 0}, 0.1, 3, 2, 20};
  const FloorPicture picture = cividis_picture(grid, 0.5, {0, 0.049f, 0.051f, 0.5f, 1, 3});
  ASSERT_EQ(picture.rgba.size(), 24u);
  const uint8_t alphas[] = {0, 0, kFloorAlpha, kFloorAlpha, kFloorAlpha, kFloorAlpha};
  for (size_t i = 0; i < 6; ++i) EXPECT_EQ(picture.rgba[4 * i + 3], alphas[i]) << i;
  EXPECT_EQ(picture.rgba[4 * 3 + 1], mapped_color(kCividis, 0.5)[1]);
  EXPECT_EQ(picture.rgba[4 * 5 + 0], picture.rgba[4 * 4 + 0]);
  EXPECT_EQ(picture.corner_in_world_m, Eigen::Vector3d(-1, 2, 0.5));
  EXPECT_LT((picture.size_m() - Eigen::Vector2d(0.3, 0.2)).norm(), 1e-12);
}

TEST(FloorPicture, AFullColumnIsAStandingPerson) {
  FloorMap map;
  map.grid = {{0, 0, 0}, 0.05, 2, 1, 44};
  map.columns = Image::make(ImageType::u16, 2, 1, HostPool::shared()).value();
  map.columns.writable_view<uint16_t>().at(0, 0) = 35;  // 1.75 m
  map.columns.writable_view<uint16_t>().at(1, 0) = 1;   // 0.05 m of 1.75 m: clear
  const FloorPicture picture = floor_map_picture(map);
  EXPECT_EQ(picture.rgba[0], mapped_color(kCividis, 1)[0]);
  EXPECT_EQ(picture.rgba[7], 0);
}

TEST(FloorPicture, ACutLiesInItsLayer) {
  const std::vector<Camera> cameras = test::camera_ring({});
  const VoxelGrid grid{{-0.5, -0.4, 0}, 0.1, 10, 8, 20};
  std::vector<Image> indicators;
  for (const Camera& camera : cameras) {
    indicators.push_back(
        Image::make(ImageType::u8, camera.width_px(), camera.height_px(), HostPool::shared()).value());
    const ImageView<uint8_t> view = indicators.back().writable_view<uint8_t>();
    for (int y = 0; y < view.height; ++y) std::fill(view.row(y), view.row(y) + view.width, uint8_t{255});
  }
  const VolumeCut cut = cut_volume({models_of(cameras), grid}, {}, indicators, {2, 0.75}).value();
  const FloorPicture picture = cut_picture(cut);
  EXPECT_EQ(picture.nx, 10);
  EXPECT_EQ(picture.ny, 8);
  EXPECT_LT((picture.corner_in_world_m - Eigen::Vector3d(-0.5, -0.4, 0.75)).norm(), 1e-12)
      << "the middle of the layer that the plane goes through";
  EXPECT_LT((picture.size_m() - Eigen::Vector2d(1, 0.8)).norm(), 1e-12);
  EXPECT_EQ(picture.rgba[4 * 45 + 3], kFloorAlpha);
  EXPECT_EQ(picture.rgba[4 * 45], mapped_color(kCividis, 1)[0]) << "all see foreground everywhere";
  const FloorPicture across_x =
      cut_picture(cut_volume({models_of(cameras), grid}, {}, indicators, {0, 0.05}).value());
  EXPECT_EQ(across_x.nx, 8);
  EXPECT_EQ(across_x.ny, 20);
  EXPECT_LT((across_x.corner_in_world_m - Eigen::Vector3d(0.05, -0.4, 0)).norm(), 1e-12);
  EXPECT_LT((across_x.u_edge_m() - Eigen::Vector3d(0, 0.8, 0)).norm(), 1e-12);
  EXPECT_LT((across_x.v_edge_m() - Eigen::Vector3d(0, 0, 2)).norm(), 1e-12) << "it stands";
  const FloorPicture across_y =
      cut_picture(cut_volume({models_of(cameras), grid}, {}, indicators, {1, 0.05}).value());
  EXPECT_LT((across_y.u_edge_m() - Eigen::Vector3d(1, 0, 0)).norm(), 1e-12);
}

// Between its corners the mesh is interpolated with perspective as OpenGL does it: within half a pixel of the
// truth.
TEST(PlaneMesh, FollowsTheLens) {
  test::RingOptions options;
  options.width_px = 640, options.height_px = 480;
  const Camera camera = test::ring_camera(options, 0.3);
  const Eigen::Vector3d corner(-1.5, -1.5, 0);
  const Eigen::Vector2d size(3, 3);
  const PlaneMesh mesh = project_plane(camera, corner, {size.x(), 0, 0}, {0, size.y(), 0});
  ASSERT_GT(mesh.triangles.size(), 0u);
  constexpr unsigned kSeed = 5;
  std::cout << "seed " << kSeed << '\n';
  std::mt19937 random(kSeed);
  std::uniform_real_distribution<double> share(0, 1);
  std::uniform_int_distribution<size_t> any(0, mesh.triangles.size() / 3 - 1);
  for (int i = 0; i < 500; ++i) {
    const size_t triangle = 3 * any(random);
    double a = share(random), b = share(random);
    if (a + b > 1) a = 1 - a, b = 1 - b;
    const double weights[3] = {1 - a - b, a, b};
    double u = 0, v = 0;
    for (size_t k = 0; k < 3; ++k) {
      const PlaneVertex& corner_of = mesh.vertices[mesh.triangles[triangle + k]];
      u += weights[k] * static_cast<double>(corner_of.u), v += weights[k] * static_cast<double>(corner_of.v);
    }
    // The point with these texture coordinates is drawn where the perspective weights put it.
    Eigen::Vector3d drawn = Eigen::Vector3d::Zero();
    for (size_t k = 0; k < 3; ++k) {
      const PlaneVertex& p = mesh.vertices[mesh.triangles[triangle + k]];
      const double w = weights[k] * static_cast<double>(p.depth);
      drawn += w * Eigen::Vector3d(static_cast<double>(p.x_px), static_cast<double>(p.y_px), 1);
    }
    const auto pixel = camera.project(corner + Eigen::Vector3d(u * size.x(), v * size.y(), 0));
    ASSERT_TRUE(pixel);
    EXPECT_LT((drawn.hnormalized() - *pixel).norm(), 0.5);
  }
}

TEST(PlaneMesh, LeavesOutWhatIsBehindTheCamera) {
  const Camera camera = test::ring_camera({}, 0);
  const PlaneMesh mesh = project_plane(camera, {-10, -10, 0}, {20, 0, 0}, {0, 20, 0});
  ASSERT_GT(mesh.triangles.size(), 0u);
  for (const uint32_t index : mesh.triangles) EXPECT_GT(mesh.vertices[index].depth, 0);
  EXPECT_TRUE(project_plane(camera, {5, -1, 0}, {2, 0, 0}, {0, 2, 0}).triangles.empty());
}

}  // namespace
}  // namespace vantage
