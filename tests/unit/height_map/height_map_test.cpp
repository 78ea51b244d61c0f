// What surrounds belief propagation: expected slopes from the calibration, heads from a map, files.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "core/geometry/height_field.h"
#include "core/height_map/head_shape.h"
#include "core/height_map/heads.h"
#include "core/height_map/height_map_io.h"
#include "tests/support/camera_ring.h"

namespace vantage {
namespace {

Camera overhead_camera() {
  test::RingOptions ring;
  ring.cameras = 1, ring.width_px = 320, ring.height_px = 240, ring.radius_m = 3, ring.height_m = 6;
  return test::camera_ring(ring).front();
}

// Two pixels on the image of one vertical line: the higher point less the lower one is what the shifts
// between them add up to, but for the lens and the height for which they were made.
TEST(HeightField, AVerticalLineRisesAsExpected) {
  const Camera camera = overhead_camera();
  const HeightRays rays = make_height_rays(camera).value();
  const HeightDifferences d = make_height_differences(camera, rays, 1.7, HeightSurface::vertical).value();
  const Eigen::Vector3d foot(0.4, -0.3, 1.6), top(0.4, -0.3, 1.8);
  const Eigen::Vector2d a = *camera.project(foot), b = *camera.project(top);
  ASSERT_GT((b - a).norm(), 2);
  int x = static_cast<int>(std::lround(a.x())), y = static_cast<int>(std::lround(a.y()));
  const int to_x = static_cast<int>(std::lround(b.x())), to_y = static_cast<int>(std::lround(b.y()));
  double rise = 0;
  for (; x != to_x; x += to_x > x ? 1 : -1)
    rise += to_x > x ? -d.right_m.view<float>().at(x, y) : d.right_m.view<float>().at(x - 1, y);
  for (; y != to_y; y += to_y > y ? 1 : -1)
    rise += to_y > y ? -d.down_m.view<float>().at(x, y) : d.down_m.view<float>().at(x, y - 1);
  EXPECT_NEAR(rise, 0.2, 0.04);
}

TEST(HeightField, ARoundSurfaceIsFlatterAndTheRayMeetsThePixel) {
  const Camera camera = overhead_camera();
  const HeightRays rays = make_height_rays(camera).value();
  const auto wall = make_height_differences(camera, rays, 1.7, HeightSurface::vertical).value();
  const auto round = make_height_differences(camera, rays, 1.7, HeightSurface::round).value();
  const ImageView<const float> slopes = rays.slopes.view<float>();
  for (const auto& [x, y] : {std::pair(10, 12), {160, 120}, {300, 230}}) {
    EXPECT_LT(std::abs(round.down_m.view<float>().at(x, y)), std::abs(wall.down_m.view<float>().at(x, y)));
    const double down = 1.7 - rays.center_in_world_m[2];
    const auto pixel = camera.project({rays.center_in_world_m[0] + down * slopes.at(2 * x, y),
                                       rays.center_in_world_m[1] + down * slopes.at(2 * x + 1, y), 1.7});
    ASSERT_TRUE(pixel);
    EXPECT_NEAR(pixel->x(), x, 1e-2);
    EXPECT_NEAR(pixel->y(), y, 1e-2);
  }
}

TEST(HeightField, TheCameraThatSeesMostSharedFloorIsTheReference) {
  test::RingOptions ring;
  ring.cameras = 3, ring.height_m = 5, ring.radius_m = 2;
  std::vector<Camera> cameras = test::camera_ring(ring);
  PinholeCamera<double> wide = cameras[2].model();
  wide.fx_px *= 0.5, wide.fy_px *= 0.5;
  wide.k1 = wide.k2 = wide.k3 = wide.p1 = wide.p2 = 0;
  cameras[2] = Camera::make("wide", wide).value();
  EXPECT_EQ(camera_that_sees_most_floor(cameras), 2u);
}

// A map in which spheres stand at known places.
struct Scene {
  HeightMap map;
  HeightRays rays;
};

Scene scene_with_heads(const std::vector<Eigen::Vector3d>& tops, const HeightMapParameters& parameters) {
  const Camera camera = overhead_camera();
  Scene scene;
  scene.rays = make_height_rays(camera).value();
  const HeightLabels scale = parameters.labels();
  scene.map = {camera.width_px(), camera.height_px(), 0, scale, {}, {}, {}, false};
  scene.map.labels =
      Image::make(ImageType::u8, camera.width_px(), camera.height_px(), HostPool::shared()).value();
  const ImageView<uint8_t> labels = scene.map.labels.writable_view<uint8_t>();
  constexpr double kRadius_m = 0.11;
  for (int y = 0; y < labels.height; ++y)
    for (int x = 0; x < labels.width; ++x) {
      labels.at(x, y) = static_cast<uint8_t>(scale.no_head());
      const Ray ray = *camera.ray({x, y});
      for (const Eigen::Vector3d& top : tops) {
        const Eigen::Vector3d center = top - Eigen::Vector3d(0, 0, kRadius_m);
        const Eigen::Vector3d to = center - ray.origin_in_world_m;
        const double along = to.dot(ray.direction_in_world);
        const double squared = kRadius_m * kRadius_m - (to.squaredNorm() - along * along);
        if (squared < 0) continue;
        const double z = (ray.origin_in_world_m + (along - std::sqrt(squared)) * ray.direction_in_world).z();
        const int label = static_cast<int>(std::lround((z - scale.lowest_m) / scale.step_m));
        if (label >= 0 && label < scale.count) labels.at(x, y) = static_cast<uint8_t>(label);
      }
    }
  return scene;
}

TEST(Heads, AreFoundWhereTheyStand) {
  HeightMapParameters p;
  const std::vector<Eigen::Vector3d> tops = {
      {0, 0, 1.75}, {0.5, 0.1, 1.6}, {-0.6, 0.4, 1.9}, {0.1, -0.7, 1.68}};
  const Scene scene = scene_with_heads(tops, p);
  const std::vector<HeightMapHead> heads =
      find_heads(scene.map, scene.map.labels.view<uint8_t>(), scene.rays.slopes.view<float>(),
                 scene.rays.center_in_world_m, p);
  ASSERT_EQ(heads.size(), tops.size());
  for (const Eigen::Vector3d& top : tops) {
    const HeightMapHead* nearest = &heads.front();
    for (const HeightMapHead& head : heads)
      if (std::hypot(head.x_m - top.x(), head.y_m - top.y()) <
          std::hypot(nearest->x_m - top.x(), nearest->y_m - top.y()))
        nearest = &head;
    EXPECT_LT(std::hypot(nearest->x_m - top.x(), nearest->y_m - top.y()), 0.08);
    EXPECT_NEAR(nearest->height_m, top.z(), 0.04);
    EXPECT_GT(nearest->area_m2, 0.02);
  }
  p.head_area_m2 = 0.2;
  EXPECT_TRUE(find_heads(scene.map, scene.map.labels.view<uint8_t>(), scene.rays.slopes.view<float>(),
                         scene.rays.center_in_world_m, p)
                  .empty());
}

// An upright head as head_shape.h takes it, but as long as wide.
struct RoundHead {
  Eigen::Vector3d center;
  double radius_m;

  // Where the ray enters it.
  std::optional<Eigen::Vector3d> entry(const Ray& ray) const {
    const Eigen::Vector3d scale(1 / radius_m, 1 / radius_m, 1 / (1.25 * radius_m));
    const Eigen::Vector3d from = (ray.origin_in_world_m - center).cwiseProduct(scale);
    const Eigen::Vector3d along = ray.direction_in_world.cwiseProduct(scale);
    const double a = along.squaredNorm(), b = from.dot(along), c = from.squaredNorm() - 1;
    if (b * b < a * c) return std::nullopt;
    return ray.origin_in_world_m + (-b - std::sqrt(b * b - a * c)) / a * ray.direction_in_world;
  }
};

std::vector<Camera> three_overhead_cameras() {
  test::RingOptions ring;
  ring.cameras = 3, ring.width_px = 480, ring.height_px = 360, ring.radius_m = 2.5, ring.height_m = 6;
  return test::camera_ring(ring);
}

// Dark heads before a bright floor.
Image picture_of(const Camera& camera, const std::vector<RoundHead>& heads) {
  Image image = Image::make(ImageType::u8, camera.width_px(), camera.height_px(), HostPool::shared()).value();
  const ImageView<uint8_t> out = image.writable_view<uint8_t>();
  for (int y = 0; y < out.height; ++y)
    for (int x = 0; x < out.width; ++x) {
      const Ray ray = *camera.ray({x, y});
      const bool meets = std::any_of(heads.begin(), heads.end(),
                                     [&](const RoundHead& head) { return head.entry(ray).has_value(); });
      out.at(x, y) = meets ? 60 : 150;
    }
  return image;
}

struct OutlineScene {
  std::vector<Camera> cameras = three_overhead_cameras();
  std::vector<RoundHead> heads = {{{0.1, -0.2, 1.63}, 0.095}, {{-0.7, 0.5, 1.5}, 0.1}};
  std::vector<Image> pictures;

  // `hair` has the heads' colour and belongs to none.
  explicit OutlineScene(const std::vector<RoundHead>& hair = {}) {
    std::vector<RoundHead> dark = heads;
    dark.insert(dark.end(), hair.begin(), hair.end());
    for (const Camera& camera : cameras) pictures.push_back(picture_of(camera, dark));
  }
  HeadOutlines outlines() const {
    std::vector<OutlineView> views;
    for (size_t c = 0; c < cameras.size(); ++c)
      views.push_back({cameras[c].model(), pictures[c].view<uint8_t>(), {}});
    return HeadOutlines::make(views).value();
  }
};

HeightMapHead seed_at(double x_m, double y_m, double height_m) {
  HeightMapHead head;
  head.x_m = x_m, head.y_m = y_m, head.height_m = height_m;
  return head;
}

// One seed is some centimetres off, one lies on a shoulder, two are of the same head and one of nobody.
TEST(HeadOutlines, MeasureHeadsWhateverTheMapIsOff) {
  const OutlineScene scene;
  const std::vector<HeightMapHead> seeds = {seed_at(0.15, -0.24, 1.69), seed_at(-0.6, 0.55, 1.45),
                                            seed_at(-0.72, 0.48, 1.65), seed_at(1.2, 1.1, 1.6)};
  const std::vector<HeightMapHead> found = scene.outlines().fit(seeds, {});
  ASSERT_EQ(found.size(), scene.heads.size());
  for (const RoundHead& truth : scene.heads) {
    const auto head = std::find_if(found.begin(), found.end(), [&](const HeightMapHead& h) {
      return std::hypot(h.x_m - truth.center.x(), h.y_m - truth.center.y()) < 0.1;
    });
    ASSERT_NE(head, found.end());
    EXPECT_NEAR(head->x_m, truth.center.x(), 0.012);
    EXPECT_NEAR(head->y_m, truth.center.y(), 0.012);
    EXPECT_NEAR(head->z_m, truth.center.z(), 0.02);
    EXPECT_NEAR(head->height_m, truth.center.z() + 1.25 * truth.radius_m, 0.02);
    EXPECT_NEAR(head->radius_m, truth.radius_m, 0.008);
    EXPECT_GT(head->outline, 0.6);
  }
}

TEST(HeadOutlines, HairThatFallsOnTheShouldersDoesNotPullThemDown) {
  const OutlineScene scene({{{0.06, -0.2, 1.55}, 0.09}, {{-0.7, 0.54, 1.42}, 0.09}});
  for (const RoundHead& truth : scene.heads) {
    const std::vector<HeightMapHead> found =
        scene.outlines().fit({seed_at(truth.center.x(), truth.center.y(), truth.center.z() + 0.12)}, {});
    ASSERT_EQ(found.size(), 1u);
    EXPECT_NEAR(found[0].x_m, truth.center.x(), 0.01);
    EXPECT_NEAR(found[0].y_m, truth.center.y(), 0.01);
    EXPECT_NEAR(found[0].height_m, truth.center.z() + 1.25 * truth.radius_m, 0.01);
  }
}

TEST(HeadOutlines, OneViewIsNotEnough) {
  const OutlineScene scene;
  const std::vector<OutlineView> views = {{scene.cameras[0].model(), scene.pictures[0].view<uint8_t>(), {}},
                                          {scene.cameras[1].model(), {}, {}}};
  const HeadOutlines outlines = HeadOutlines::make(views).value();
  EXPECT_TRUE(outlines.fit({seed_at(0.1, -0.2, 1.74)}, {}).empty());
  const std::vector<OutlineView> wrong = {{scene.cameras[0].reduced(2).model(), views[0].luma, {}}};
  EXPECT_FALSE(HeadOutlines::make(wrong));
  Image small = Image::make(ImageType::u8, 4, 4, HostPool::shared()).value();
  const std::vector<OutlineView> wrong_mask = {{views[0].camera, views[0].luma, small.view<uint8_t>()}};
  EXPECT_FALSE(HeadOutlines::make(wrong_mask));
}

// Something round beside a head, as sharp and nearer to the seed, that is no foreground.
TEST(HeadOutlines, ARoundThingOnBackgroundIsNoHead) {
  const OutlineScene scene({{{0.26, -0.2, 1.5}, 0.095}});
  const RoundHead& head = scene.heads[0];
  const std::vector<HeightMapHead> seeds = {seed_at(0.25, -0.2, 1.6)};
  const std::vector<HeightMapHead> without = scene.outlines().fit(seeds, {});
  ASSERT_EQ(without.size(), 1u);
  EXPECT_GT(without[0].x_m, 0.2);

  std::vector<Image> masks;
  std::vector<OutlineView> views;
  for (size_t c = 0; c < scene.cameras.size(); ++c) {
    Image& mask = masks.emplace_back(picture_of(scene.cameras[c], {head}));
    const ImageView<uint8_t> pixels = mask.writable_view<uint8_t>();
    for (int y = 0; y < pixels.height; ++y)
      for (int x = 0; x < pixels.width; ++x) pixels.at(x, y) = pixels.at(x, y) < 100 ? 255 : 0;
    views.push_back({scene.cameras[c].model(), scene.pictures[c].view<uint8_t>(), mask.view<uint8_t>()});
  }
  const std::vector<HeightMapHead> found = HeadOutlines::make(views).value().fit(seeds, {});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NEAR(found[0].x_m, head.center.x(), 0.015);
  EXPECT_NEAR(found[0].height_m, head.center.z() + 1.25 * head.radius_m, 0.03);
}

// Against counting; the foreground counts one pixel larger.
TEST(ForegroundShare, IsThatOfTheRectangle) {
  constexpr int kWidth = 23, kHeight = 17;
  Image mask = Image::make(ImageType::u8, kWidth, kHeight, HostPool::shared()).value();
  const auto is_set = [](int x, int y) { return (x * 7 + y * 13) % 11 == 0; };
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x) mask.writable_view<uint8_t>().at(x, y) = is_set(x, y) ? 1 : 0;
  const auto near_set = [&](int x, int y) {
    for (int v = std::max(0, y - 1); v <= std::min(kHeight - 1, y + 1); ++v)
      for (int u = std::max(0, x - 1); u <= std::min(kWidth - 1, x + 1); ++u)
        if (is_set(u, v)) return true;
    return false;
  };
  const auto share = height_map::ForegroundShare::make(mask.view<uint8_t>()).value();
  for (const auto& [x, y, rx, ry] :
       {std::array{11.2f, 8.4f, 3.1f, 4.6f}, {1.3f, 2.f, 4.5f, 2.2f}, {22.1f, 16.7f, 2.4f, 6.f}}) {
    int inside = 0, count = 0;
    for (int v = 0; v < kHeight; ++v)
      for (int u = 0; u < kWidth; ++u) {
        const auto column = static_cast<float>(u), row = static_cast<float>(v);
        if (column < x - rx || column >= x + rx || row < y - ry || row >= y + ry) continue;
        ++count, inside += near_set(u, v);
      }
    EXPECT_NEAR(share.around(x, y, rx, ry), static_cast<float>(inside) / static_cast<float>(count), 1e-6);
  }
  EXPECT_EQ(share.around(-9, 4, 3, 3), 1);  // outside
  std::array<float, 9> side_by_side;
  share.around_pixels(6, 9, 3.4f, 2.6f, side_by_side);
  for (size_t i = 0; i < side_by_side.size(); ++i)
    EXPECT_NEAR(side_by_side[i], share.around(static_cast<float>(6 + i), 9, 3.4f, 2.6f), 1e-6) << i;
  EXPECT_EQ(height_map::ForegroundShare().around(5, 5, 3, 3), 1);
}

// A pixel gets the height of the point of the head that it sees; beside heads the map stands.
TEST(HeadOutlines, GiveTheHeightOfTheSurfaceThatIsSeen) {
  const OutlineScene scene;
  const Camera& camera = scene.cameras[0];
  HeightMap map{camera.width_px(), camera.height_px(), 0, HeightMapParameters{}.labels(), {}, {}, {}, false};
  map.labels = Image::make(ImageType::u8, map.width, map.height, HostPool::shared()).value();
  for (int y = 0; y < map.height; ++y)
    std::fill_n(map.labels.writable_view<uint8_t>().row(y), map.width, uint8_t{3});
  std::vector<HeightMapHead> heads;
  for (const RoundHead& truth : scene.heads) {
    HeightMapHead head =
        seed_at(truth.center.x(), truth.center.y(), truth.center.z() + 1.25 * truth.radius_m);
    head.z_m = truth.center.z(), head.radius_m = truth.radius_m;
    heads.push_back(head);
  }
  const HeightRays rays = make_height_rays(camera).value();
  Image image = heights_in_metres(map, HostPool::shared()).value();
  draw_shapes(heads, camera.model(), rays.slopes.view<float>(), image.writable_view<float>());
  for (const RoundHead& truth : scene.heads) {
    const Eigen::Vector2d middle = *camera.project(truth.center);
    for (const int away : {-4, 0, 4}) {
      const int x = static_cast<int>(middle.x()) + away, y = static_cast<int>(middle.y());
      const auto entry = truth.entry(*camera.ray({x, y}));
      ASSERT_TRUE(entry);
      EXPECT_NEAR(image.view<float>().at(x, y), entry->z(), 0.01);  // heads are a little longer than wide
    }
  }
  EXPECT_NEAR(image.view<float>().at(0, 0), map.scale.height_m(3), 1e-6);
}

TEST(HeightFiles, CostsSurviveAndDamageIsSaid) {
  const std::filesystem::path path = std::filesystem::temp_directory_path() / "vantage_height_map_test.cost";
  CostVolume costs{5, 3, {1.5, 0.05, 4}, Image::make(ImageType::f32, 5, 15, HostPool::shared()).value()};
  for (int y = 0; y < 15; ++y)
    for (int x = 0; x < 5; ++x)
      costs.costs.writable_view<float>().at(x, y) = 0.01f * static_cast<float>(5 * y + x);
  ASSERT_TRUE(write_cost(path, costs));
  const CostVolume read = read_cost(path, HostPool::shared()).value();
  EXPECT_EQ(read.labels, costs.labels);
  ASSERT_EQ(read.width, 5);
  for (int y = 0; y < 15; ++y)
    for (int x = 0; x < 5; ++x)
      EXPECT_EQ(read.costs.view<float>().at(x, y), costs.costs.view<float>().at(x, y));
  std::filesystem::resize_file(path, 100);
  EXPECT_FALSE(read_cost(path, HostPool::shared()));
  std::ofstream(path) << "something else";
  EXPECT_FALSE(read_cost(path, HostPool::shared()));
  std::filesystem::remove(path);
}

TEST(HeightFiles, MetresAndColours) {
  HeightMap map{2,  1,  0,    {1.4, 0.1, 3}, Image::make(ImageType::u8, 2, 1, HostPool::shared()).value(),
                {}, {}, false};
  map.labels.writable_view<uint8_t>().at(0, 0) = 2;
  map.labels.writable_view<uint8_t>().at(1, 0) = 3;
  const Image metres = heights_in_metres(map, HostPool::shared()).value();
  EXPECT_NEAR(metres.view<float>().at(0, 0), 1.6, 1e-6);
  EXPECT_TRUE(std::isnan(metres.view<float>().at(1, 0)));
  const Image levels = height_levels(metres.view<float>(), map.scale, HostPool::shared()).value();
  EXPECT_EQ(levels.view<uint8_t>().at(0, 0), kHeightLevels - 1);  // the highest
  EXPECT_EQ(levels.view<uint8_t>().at(1, 0), kHeightLevels);      // no head
  const Image colors = colored_heights(metres.view<float>(), map.scale, {}, HostPool::shared()).value();
  EXPECT_EQ(colors.width(), 3 * (2 + kScaleWidth_px));
  EXPECT_GT(colors.view<uint8_t>().at(0, 0), 200);   // the end of viridis
  EXPECT_EQ(colors.view<uint8_t>().at(3, 0), 0x1e);  // no head
}

}  // namespace
}  // namespace vantage
