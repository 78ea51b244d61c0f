// Why a pixel is in the mask: what is said agrees with the frame's own images, volume, flow and map.
#include "core/why/why_pixel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/base/json.h"
#include "core/foreground/methods.h"
#include "core/geometry/voxel_ray.h"
#include "core/people/mask_samples.h"
#include "core/pipeline/height_mapper.h"
#include "core/why/answer.h"
#include "tests/support/dense_carving.h"
#include "tests/unit/why/rendered_hall.h"

namespace vantage {
namespace {

class WhyPixelTest : public test::RenderedHall {
 protected:
  static WhyPixel ask(const Project& project, Analysis& analysis, const FrameResult& result, size_t camera,
                      int x, int y) {
    const auto pixel = why_pixel(project, analysis, result, camera, x, y, {});
    EXPECT_TRUE(pixel) << pixel.error().message();
    return pixel ? *pixel : WhyPixel();
  }
};

// Whatever was shown before: the model is that before the frame.
TEST_F(WhyPixelTest, TheMaskIsTheOneThatTheFrameHolds) {
  const auto analysis = open(project_);
  ASSERT_TRUE(analysis);
  int inside = 0, outside = 0, cleaned_away = 0;
  for (const int64_t at : {20, 3, 0, 31}) {
    SCOPED_TRACE(at);
    const FrameResultRef result = frame(*analysis, at);
    for (const size_t camera : {size_t{0}, size_t{2}}) {
      const Image& indicator = result->foreground()->cameras[camera].indicator;
      const Picture& picture = result->frames()->cameras[camera].picture;
      for (int y = 5; y < 240; y += 37)
        for (int x = 3; x < 320; x += 41) {
          const WhyPixel pixel = ask(project_, *analysis, *result, camera, x, y);
          ASSERT_TRUE(pixel.evidence && pixel.evidence->gaussian) << pixel.no_evidence;
          const int level = indicator.view<uint8_t>().at(x, y);
          EXPECT_EQ(pixel.indicator, level);
          EXPECT_EQ(pixel.evidence->gaussian->cleaned, level) << x << ", " << y;
          EXPECT_EQ(pixel.evidence->components[0].value, picture.plane(0).at(x, y));
          (level >= 128 ? inside : outside) += 1;
          cleaned_away += (pixel.evidence->gaussian->before_cleaning >= 128) != (level >= 128);
          const Report answer = describe(pixel, project_);
          EXPECT_NE(answer.text("verdict").find(level >= 128 ? ": in the mask" : ": not in the mask"),
                    std::string::npos)
              << answer.text("verdict");
          EXPECT_EQ(json_of(answer)["foreground"]["in_mask"], level >= 128);
          EXPECT_NE(text_of(answer).find("4.00 sigma, halfway between foreground.distance_low 2.5 and "
                                         "distance_high 5.5"),
                    std::string::npos)
              << "which is how the thresholds of the parameters make it";
        }
    }
    EXPECT_EQ(frame(*analysis, at)->artifacts.foreground, result->artifacts.foreground)
        << "asking leaves what is kept as it is";
  }
  EXPECT_GT(inside, 20);
  EXPECT_GT(outside, 20);
  EXPECT_GT(cleaned_away, 0) << "one pixel at least that the cleaning changed";
}

TEST_F(WhyPixelTest, APixelOfAnIgnoredRegionSaysSo) {
  Project project = project_;
  project.cameras[2].ignored = {{{{0, 0}, {99, 0}, {99, 49}, {0, 49}}}};
  const auto analysis = open(project);
  ASSERT_TRUE(analysis);
  const FrameResultRef result = frame(*analysis, 20);
  for (const auto& [x, ignored] : {std::pair{40, true}, {140, false}}) {
    const WhyPixel pixel = ask(project, *analysis, *result, 2, x, 20);
    EXPECT_EQ(pixel.ignored, ignored);
    const std::string verdict = describe(pixel, project).text("verdict");
    EXPECT_EQ(verdict.find("in an ignored region: undecided") != std::string::npos, ignored) << verdict;
  }
}

// Each voxel of the grid is tested against the ray as a box.
TEST_F(WhyPixelTest, VoxelsOnTheLineOfSightAreThoseItPassesThrough) {
  const auto analysis = open(project_);
  ASSERT_TRUE(analysis);
  const FrameResultRef result = frame(*analysis, 20);
  const VoxelGrid& grid = result->volume()->grid;
  std::vector<Image> indicators;
  for (const ForegroundImages& camera : result->foreground()->cameras) indicators.push_back(camera.indicator);
  const auto carving = project_.parameters.get<CarvingParameters>();
  const test::DenseVolume volume =
      test::carve_densely({analysis->cameras(20), grid, false}, carving, indicators);
  int64_t occupied_anywhere = 0;
  // Through people's chests, and past everybody.
  std::vector<std::tuple<size_t, int, int>> asked = {{3, 10, 230}, {1, 160, 2}};
  for (const FoundPerson& person : result->people()->found.people)
    for (size_t c = 0; c < 4; ++c)
      if (const auto at = project_.cameras[c].calibration->project({person.x_m, person.y_m, 1.2});
          at && at->x() > 0 && at->y() > 0 && at->x() < 319 && at->y() < 239 && asked.size() < 6)
        asked.emplace_back(c, static_cast<int>(at->x()), static_cast<int>(at->y()));
  for (const auto& [camera, x, y] : asked) {
    SCOPED_TRACE(testing::Message() << camera << ": " << x << ", " << y);
    const WhyPixel pixel = ask(project_, *analysis, *result, camera, x, y);
    const Ray ray = *project_.cameras[camera].calibration->ray(Eigen::Vector2d(x, y));
    int64_t through = 0, occupied = 0;
    double nearest_m = 1e9;
    for (int vz = 0; vz < grid.nz; ++vz)
      for (int vy = 0; vy < grid.ny; ++vy)
        for (int vx = 0; vx < grid.nx; ++vx) {
          const int at[3] = {vx, vy, vz};
          double enter = 0, leave = 1e9;
          for (int axis = 0; axis < 3; ++axis) {
            const double low = grid.origin_in_world_m[axis] + at[axis] * grid.voxel_size_m;
            const double a = (low - ray.origin_in_world_m[axis]) / ray.direction_in_world[axis];
            const double b =
                (low + grid.voxel_size_m - ray.origin_in_world_m[axis]) / ray.direction_in_world[axis];
            enter = std::max(enter, std::min(a, b)), leave = std::min(leave, std::max(a, b));
          }
          if (leave - enter < 1e-9) continue;
          ++through;
          const float confidence = volume.confidence[grid.linear_id(vx, vy, vz)];
          if (!(confidence >= carving.threshold)) continue;
          ++occupied;
          nearest_m = std::min(nearest_m,
                               (Eigen::Vector3d(grid.center(0, vx), grid.center(1, vy), grid.center(2, vz)) -
                                ray.origin_in_world_m)
                                   .norm());
        }
    ASSERT_TRUE(pixel.voxels);
    EXPECT_EQ(pixel.voxels->count, through);
    EXPECT_EQ(pixel.voxels->occupied, occupied);
    occupied_anywhere += occupied;
    if (occupied == 0) continue;
    ASSERT_TRUE(pixel.voxels->voxel && pixel.voxels->voxel->occupied);
    EXPECT_NEAR(pixel.voxels->voxel->distance_m, nearest_m, 2 * grid.voxel_size_m);
    double votes = 0;
    for (const std::optional<double>& vote : pixel.voxels->voxel->votes) votes += vote.value_or(0);
    EXPECT_NEAR(votes / pixel.voxels->voxel->seeing, pixel.voxels->voxel->confidence, 1e-5);
  }
  EXPECT_GT(occupied_anywhere, 10);
}

// A ray from within the grid, along an axis, and past it.
TEST(VoxelRay, RaysOfAllKinds) {
  const VoxelGrid grid{{0, 0, 0}, 0.5, 4, 3, 2};
  using Voxels = std::vector<std::array<int, 3>>;
  EXPECT_EQ(voxels_on_ray(grid, {{-1, 0.7, 0.2}, {1, 0, 0}}),
            (Voxels{{0, 1, 0}, {1, 1, 0}, {2, 1, 0}, {3, 1, 0}}));
  EXPECT_EQ(voxels_on_ray(grid, {{1.2, 0.7, 0.2}, {0, -1, 0}}), (Voxels{{2, 1, 0}, {2, 0, 0}}));
  EXPECT_EQ(voxels_on_ray(grid, {{-1, 1.7, 0.2}, {1, 0, 0}}), Voxels());
  EXPECT_EQ(voxels_on_ray(grid, {{3, 0.7, 0.2}, {1, 0, 0}}), Voxels()) << "the grid lies behind it";
}

TEST_F(WhyPixelTest, FlowAndHeightsAreThoseOfTheirStages) {
  Project project = project_;
  ASSERT_TRUE(project.parameters.set("flow", "enabled", 1));
  ASSERT_TRUE(project.parameters.set("heightmap", "enabled", 1));
  ASSERT_TRUE(project.parameters.set("heightmap", "heights", 6));
  ASSERT_TRUE(project.parameters.set("heightmap", "step_m", 0.1));
  ASSERT_TRUE(project.parameters.set("heightmap", "iterations", 10));
  ASSERT_TRUE(project.parameters.set("heightmap", "no_head_cost", 1));
  ASSERT_TRUE(project.parameters.set("heightmap", "reference", 2));
  const auto analysis = open(project);
  ASSERT_TRUE(analysis);
  static_cast<void>(frame(*analysis, 19));
  const FrameResultRef result = frame(*analysis, 20);
  ASSERT_TRUE(result->flow() && result->height_map());
  HeightMapperOptions options;
  options.backends = analysis->backends();
  options.cameras = project.calibrations();
  options.region = project.grid;
  HeightMapper mapper(options);
  const auto map = project.parameters.get<HeightMapParameters>();
  ASSERT_TRUE(mapper.configure(map, project.parameters.get<DaisyParameters>()));
  const CostVolume costs =
      mapper
          .measure(luma_of(*result->frames()),
                   map.use_foreground ? result->foreground()->host_masks.get().value() : std::vector<Image>(),
                   {}, 20)
          .value();
  const FlowField& field = result->flow()->cameras[1].field;
  const ImageView<const uint8_t> labels = result->height_map()->map.labels.view<uint8_t>();
  std::vector<std::pair<int, int>> heads, others;
  for (int y = 3; y < 240; y += 7)
    for (int x = 5; x < 320; x += 11) (labels.at(x, y) < 6 ? heads : others).emplace_back(x, y);
  ASSERT_GE(heads.size(), 3U);
  ASSERT_GE(others.size(), 3U);
  heads.resize(3);
  heads.insert(heads.end(), others.begin(), others.begin() + 3);
  for (const auto& [x, y] : heads) {
    SCOPED_TRACE(testing::Message() << x << ", " << y);
    const WhyPixel pixel = ask(project, *analysis, *result, 1, x, y);
    ASSERT_TRUE(pixel.flow && pixel.height);
    EXPECT_EQ(pixel.flow->dx_px, field.vectors.view<float>().row(y)[2 * x]);
    EXPECT_EQ(pixel.flow->dy_px, field.vectors.view<float>().row(y)[2 * x + 1]);
    EXPECT_EQ(pixel.height->head, labels.at(x, y) < 6);
    EXPECT_DOUBLE_EQ(pixel.height->height_m, labels.at(x, y) < 6 ? map.lowest_m + 0.1 * labels.at(x, y) : 0);
    ASSERT_EQ(pixel.height->costs.size(), 7U);
    for (int l = 0; l <= 6; ++l)
      EXPECT_EQ(pixel.height->costs[l], costs.costs.view<float>().at(x, l * costs.height + y));
  }
  EXPECT_FALSE(ask(project, *analysis, *result, 0, 10, 10).height) << "it is camera 2's map";
}

TEST_F(WhyPixelTest, WhatCannotBeToldIsSaid) {
  const auto analysis = open(project_);
  ASSERT_TRUE(analysis);
  const FrameResultRef result = frame(*analysis, 6);
  for (const auto& [camera, x, y] : {std::tuple{size_t{4}, 0, 0}, {size_t{0}, 320, 0}, {size_t{0}, 0, -1}}) {
    const auto wrong = why_pixel(project_, *analysis, *result, camera, x, y, {});
    ASSERT_FALSE(wrong);
    EXPECT_EQ(wrong.error().kind, ErrorKind::invalid_argument);
  }
  auto preview = std::make_shared<FrameResult>(*result);
  preview->preview = true;
  const WhyPixel pixel = ask(project_, *analysis, *preview, 0, 10, 10);
  EXPECT_FALSE(pixel.evidence);
  EXPECT_NE(pixel.no_evidence.find("preview"), std::string::npos);
  EXPECT_TRUE(pixel.indicator);
}

// OpenCV's samples cannot be read: what is known of them is told, and what is not.
TEST_F(WhyPixelTest, AnotherMethodTellsWhatItKnows) {
  constexpr int kKnn = 1;
  if (!foreground_methods()[kKnn].register_cpu) GTEST_SKIP() << "built without the method knn";
  Project project = project_;
  ASSERT_TRUE(project.parameters.set("foreground", "method", kKnn));
  const auto analysis = open(project);
  ASSERT_TRUE(analysis);
  const FrameResultRef result = frame(*analysis, 5);
  int checked = 0;
  for (int x = 10; x < 320; x += 50) {
    const WhyPixel pixel = ask(project, *analysis, *result, 0, x, 150);
    ASSERT_TRUE(pixel.evidence) << pixel.no_evidence;
    EXPECT_FALSE(pixel.evidence->vote);
    ASSERT_EQ(pixel.evidence->components.size(), 3U);
    double squares = 0;
    for (const ComponentEvidence& one : pixel.evidence->components)
      squares += std::pow(one.value - one.mean, 2);
    EXPECT_NEAR(pixel.evidence->distance, std::sqrt(squares), 1e-9);
    checked += *pixel.indicator < 128 && pixel.evidence->distance < pixel.evidence->mask_begins;
  }
  EXPECT_GT(checked, 2) << "the empty floor is near its scene";
}

}  // namespace
}  // namespace vantage
