// What the renderer draws, against an independent slow ray cast and against the truth.
#include "core/synth/renderer.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/base/hash.h"

namespace vantage::synth {
namespace {

Result<Scene> small_scene(uint64_t seed) {
  SynthOptions options;
  options.seed = seed;
  options.seconds = 4;
  options.width_px = 320;
  options.height_px = 240;
  return make_scene(options);
}

uint64_t checksum(const Picture& picture) {
  Hasher hasher;
  for (int p = 0; p < picture.plane_count(); ++p)
    for (int y = 0; y < picture.plane(p).height; ++y)
      hasher.bytes(picture.plane(p).row(y), picture.plane(p).width);
  return hasher.value();
}

// Does the ray meet the ellipsoid? In double, in the ellipsoid's own coordinates where it is the unit sphere.
bool meets(const Ray& ray, const Ellipsoid& part) {
  const Eigen::Vector3d scale = part.radii_m.cwiseInverse();
  const Eigen::Vector3d from =
      scale.asDiagonal() * (part.axes.transpose() * (ray.origin_in_world_m - part.center_in_world_m));
  const Eigen::Vector3d along = scale.asDiagonal() * (part.axes.transpose() * ray.direction_in_world);
  const Eigen::Vector3d nearest = from - along * (from.dot(along) / along.squaredNorm());
  return nearest.squaredNorm() < 1;
}

TEST(Mask, EqualsASlowRayCast) {
  const auto scene = small_scene(11);
  ASSERT_TRUE(scene);
  for (const int index : {0, 2}) {
    const auto renderer = Renderer::make(*scene, index);
    ASSERT_TRUE(renderer) << renderer.error().message();
    const std::vector<Body> bodies = pose_people(*scene, 1.3);
    const auto mask = renderer->mask(bodies);
    ASSERT_TRUE(mask);
    int different = 0, covered = 0;
    for (int y = 0; y < mask->height(); ++y)
      for (int x = 0; x < mask->width(); ++x) {
        const auto ray = scene->cameras[static_cast<size_t>(index)].ray({x, y});
        ASSERT_TRUE(ray);
        bool expected = false;
        for (const Body& body : bodies)
          for (const Ellipsoid& part : body.parts) expected = expected || meets(*ray, part);
        covered += expected;
        different += expected != (mask->view<uint8_t>().at(x, y) == 255);
      }
    // Rays that graze an outline within a thousandth of a pixel may differ: float against double.
    EXPECT_LE(different, 3) << "camera " << index;
    EXPECT_GT(covered, 500) << "camera " << index;
  }
}

TEST(Mask, HeadsLieOnItAndItsShareIsPlausible) {
  const auto scene = small_scene(12);
  ASSERT_TRUE(scene);
  int heads = 0;
  for (int index = 0; index < 4; ++index) {
    const auto renderer = Renderer::make(*scene, index);
    ASSERT_TRUE(renderer);
    for (const double time_s : {0.0, 1.7, 3.9}) {
      const std::vector<Body> bodies = pose_people(*scene, time_s);
      const auto mask = renderer->mask(bodies);
      ASSERT_TRUE(mask);
      const auto view = mask->view<uint8_t>();
      int64_t covered = 0;
      for (int y = 0; y < view.height; ++y)
        for (int x = 0; x < view.width; ++x) covered += view.at(x, y) != 0;
      const double share = static_cast<double>(covered) / (view.width * view.height);
      EXPECT_GT(share, 0.01);
      EXPECT_LT(share, 0.35);
      for (const Body& body : bodies) {
        const Camera& camera = scene->cameras[static_cast<size_t>(index)];
        if (!camera.sees(body.head_center_in_world_m)) continue;
        ++heads;
        const Eigen::Vector2d pixel = *camera.project(body.head_center_in_world_m);
        EXPECT_EQ(view.at(static_cast<int>(std::lround(pixel.x())), static_cast<int>(std::lround(pixel.y()))),
                  255);
      }
    }
  }
  EXPECT_GT(heads, 50);
}

TEST(Frames, AreTheSameWhateverWasRenderedBefore) {
  const auto scene = small_scene(13);
  ASSERT_TRUE(scene);
  auto played = Renderer::make(*scene, 1), fresh = Renderer::make(*scene, 1);
  ASSERT_TRUE(played && fresh);
  uint64_t last = 0;
  for (int frame = 0; frame <= 30; frame += 3)
    last = checksum(*played->render(pose_people(*scene, scene->time_s(frame)), frame));
  EXPECT_EQ(last, checksum(*fresh->render(pose_people(*scene, scene->time_s(30)), 30)));
  const auto other = small_scene(14);
  auto different = Renderer::make(*other, 1);
  ASSERT_TRUE(different);
  EXPECT_NE(last, checksum(*different->render(pose_people(*other, other->time_s(30)), 30)));
}

// Off the people and their shadows a frame differs from the empty room by noise alone; on them it differs
// clearly.
TEST(Frames, DifferFromTheEmptyRoomWherePeopleAre) {
  const auto scene = small_scene(15);
  ASSERT_TRUE(scene);
  auto renderer = Renderer::make(*scene, 0);
  ASSERT_TRUE(renderer);
  const std::vector<Body> bodies = pose_people(*scene, 2.0);
  const auto frame = renderer->render(bodies, 50), empty = renderer->render_empty(0),
             later = renderer->render_empty(1);
  const auto mask = renderer->mask(bodies);
  ASSERT_TRUE(frame && empty && later && mask);
  EXPECT_EQ(frame->format().matrix, ColorMatrix::bt709);
  double on = 0, noise = 0;
  int64_t on_count = 0, count = 0, quiet = 0, off_count = 0;
  for (int y = 0; y < frame->height(); ++y)
    for (int x = 0; x < frame->width(); ++x) {
      const double change = std::abs(frame->plane(0).at(x, y) - empty->plane(0).at(x, y));
      const double own = later->plane(0).at(x, y) - empty->plane(0).at(x, y);
      noise += own * own, ++count;
      if (mask->view<uint8_t>().at(x, y))
        on += change, ++on_count;
      else
        quiet += change <= 8, ++off_count;
    }
  EXPECT_NEAR(std::sqrt(noise / static_cast<double>(count)), 1.3 * std::sqrt(2.0), 0.25);
  EXPECT_GT(on / static_cast<double>(on_count), 20);
  EXPECT_GT(static_cast<double>(quiet) / static_cast<double>(off_count),
            0.85);  // the rest is shadows and soft edges
  EXPECT_LT(static_cast<double>(quiet) / static_cast<double>(off_count), 0.9999);  // there are shadows
}

TEST(Shadows, FallAwayFromTheLampAndFade) {
  const Light light = [] {
    Light l;
    l.towards.normalize();
    return l;
  }();
  PersonLook look;
  const std::vector<Body> bodies = {pose_body(look, {0, 0, 0, 0})};
  ShadowMap map(6, light);
  const auto rectangles = map.cast(bodies);
  ASSERT_EQ(rectangles.size(), 1u);
  // The head's shadow lies where the lamp's ray through the head meets the floor.
  const Eigen::Vector3d head = bodies[0].head_center_in_world_m, towards = light.towards.cast<double>();
  const Eigen::Vector3d foot = head - towards * (head.z() / towards.z());
  EXPECT_GT(map.at(static_cast<float>(foot.x()), static_cast<float>(foot.y())).key, 0.5f);
  EXPECT_EQ(map.at(static_cast<float>(-foot.x()), static_cast<float>(-foot.y())).key, 0.f);
  EXPECT_GT(map.at(0, 0).ambient, 0.2f);
  map.cast({});
  EXPECT_EQ(map.at(static_cast<float>(foot.x()), static_cast<float>(foot.y())).key, 0.f);
}

}  // namespace
}  // namespace vantage::synth
