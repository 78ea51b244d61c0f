// What the renderer draws, against an independent slow ray cast and against the truth.
#include "core/synth/detail/renderer.h"
#include "core/image/time_code.h"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>

#include "core/base/hash.h"
#include "core/synth/detail/truth.h"

namespace vantage::synth {
namespace {

SynthOptions small_options(uint64_t seed) {
  SynthOptions options;
  options.seed = seed;
  options.seconds = 4;
  options.width_px = 320;
  options.height_px = 240;
  return options;
}

Result<Scene> small_scene(uint64_t seed) {
  return make_scene(small_options(seed));
}

uint64_t checksum(const Picture& picture) {
  Hasher hasher;
  for (int p = 0; p < picture.plane_count(); ++p)
    for (int y = 0; y < picture.plane(p).height; ++y)
      hasher.bytes(picture.plane(p).row(y), picture.plane(p).width);
  return hasher.value();
}

// Where the ray meets the ellipsoid, as a multiple of its direction. In double, in the ellipsoid's own
// coordinates where it is the unit sphere.
std::optional<double> meets(const Ray& ray, const Ellipsoid& part) {
  const Eigen::Vector3d scale = part.radii_m.cwiseInverse();
  const Eigen::Vector3d from =
      scale.asDiagonal() * (part.axes.transpose() * (ray.origin_in_world_m - part.center_in_world_m));
  const Eigen::Vector3d along = scale.asDiagonal() * (part.axes.transpose() * ray.direction_in_world);
  const double middle = -from.dot(along) / along.squaredNorm();
  const double rest = 1 - (from + middle * along).squaredNorm();
  if (!(rest > 0)) return {};
  return middle - std::sqrt(rest) / along.norm();
}

PixelTruth draw(const Renderer& renderer, const std::vector<Body>& bodies) {
  PixelTruth truth(renderer.view());
  truth.draw(bodies);
  return truth;
}

// The surface that each pixel's ray meets first, and how high, by a slow ray cast; with every outline's
// count.
struct SlowTruth {
  struct Pixel {
    int person = -1;
    bool head = false;
    double height_m = 0;
  };
  std::vector<Pixel> pixels;
  std::vector<int> person_pixels, head_pixels, visible, head_visible;
};

SlowTruth cast_slowly(const Camera& camera, const std::vector<Body>& bodies) {
  SlowTruth truth;
  for (auto* counts : {&truth.person_pixels, &truth.head_pixels, &truth.visible, &truth.head_visible})
    counts->assign(bodies.size(), 0);
  for (int y = 0; y < camera.height_px(); ++y)
    for (int x = 0; x < camera.width_px(); ++x) {
      const Ray ray = *camera.ray(Eigen::Vector2d(x, y));
      SlowTruth::Pixel pixel;
      double nearest = 1e9;
      std::vector<bool> meets_head(bodies.size());
      for (size_t i = 0; i < bodies.size(); ++i) {
        bool person = false, head = false;
        for (const Ellipsoid& part : bodies[i].parts) {
          const auto depth = meets(ray, part);
          if (!depth) continue;
          person = true;
          head = head || part.of_head;
          if (*depth >= nearest) continue;
          nearest = *depth;
          pixel = {static_cast<int>(i), part.of_head,
                   (ray.origin_in_world_m + nearest * ray.direction_in_world).z()};
        }
        truth.person_pixels[i] += person;
        truth.head_pixels[i] += head;
        meets_head[i] = head;
      }
      if (pixel.person >= 0) ++truth.visible[pixel.person];
      // The own hair or arm hides no head.
      if (pixel.person >= 0 && meets_head[pixel.person]) ++truth.head_visible[pixel.person];
      truth.pixels.push_back(pixel);
    }
  return truth;
}

// Rays that graze an outline within a thousandth of a pixel may differ: float against double.
TEST(PixelTruth, EqualsASlowRayCast) {
  for (const CameraLayout layout : {CameraLayout::ring, CameraLayout::overhead}) {
    SynthOptions options = small_options(11);
    options.layout = layout;
    const auto scene = make_scene(options);
    ASSERT_TRUE(scene);
    const auto renderer = Renderer::make(*scene, 2);
    ASSERT_TRUE(renderer) << renderer.error().message();
    PixelTruth truth(renderer->view());
    truth.draw(pose_people(*scene, 0.4));  // must be forgotten
    const std::vector<Body> bodies = pose_people(*scene, 1.3);
    truth.draw(bodies);
    const SlowTruth slow = cast_slowly(scene->cameras[2], bodies);
    const auto mask = truth.mask(), heights = truth.head_heights();
    ASSERT_TRUE(mask && heights);
    int covered = 0, different = 0, heads = 0, wrong_heads = 0;
    double worst_m = 0;
    for (int y = 0; y < mask->height(); ++y)
      for (int x = 0; x < mask->width(); ++x) {
        const SlowTruth::Pixel& expected = slow.pixels[static_cast<size_t>(y) * mask->width() + x];
        covered += expected.person >= 0;
        different += (expected.person >= 0) != (mask->view<uint8_t>().at(x, y) == 255);
        const float height_m = heights->view<float>().at(x, y);
        heads += expected.head;
        wrong_heads += expected.head != (height_m > 0);
        // At an outline the surface falls off steeply.
        if (!expected.head || !(height_m > 0)) continue;
        if (std::abs(height_m - expected.height_m) > 0.001) ++wrong_heads;
        worst_m = std::max(worst_m, std::abs(height_m - expected.height_m));
      }
    EXPECT_LE(different, 3);
    EXPECT_LE(wrong_heads, 3);
    EXPECT_LT(worst_m, 0.02);
    EXPECT_GT(covered, 500);
    EXPECT_GT(heads, 50);
    for (size_t i = 0; i < bodies.size(); ++i) {
      const Appearance& found = truth.appearances()[i];
      EXPECT_NEAR(static_cast<double>(found.person.pixels), slow.person_pixels[i], 3) << i;
      EXPECT_NEAR(static_cast<double>(found.person.visible), slow.visible[i], 3) << i;
      EXPECT_NEAR(static_cast<double>(found.head.pixels), slow.head_pixels[i], 3) << i;
      EXPECT_NEAR(static_cast<double>(found.head.visible), slow.head_visible[i], 3) << i;
      // The box is as wide as it must be: a column of it at each side holds a pixel of the person.
      EXPECT_EQ(found.person.box.empty(), found.person.pixels == 0);
      EXPECT_LE(found.head.pixels,
                (found.head.box.x1 - found.head.box.x0) * (found.head.box.y1 - found.head.box.y0));
    }
  }
}

TEST(PixelTruth, OwnHairHidesNoHead) {
  SynthOptions options = small_options(5);
  options.people = 1;
  auto scene = make_scene(options);
  ASSERT_TRUE(scene);
  scene->looks[0].long_hair = true;
  for (int camera = 0; camera < options.cameras; ++camera) {
    const auto renderer = Renderer::make(*scene, camera);
    ASSERT_TRUE(renderer);
    const PixelTruth truth = draw(*renderer, pose_people(*scene, 1));
    const Outline& head = truth.appearances()[0].head;
    ASSERT_GT(head.pixels, 0);
    EXPECT_EQ(head.visible, head.pixels) << camera;
  }
}

TEST(Layout, OverheadSeesEverybodysHeadFromAllCameras) {
  SynthOptions options = small_options(3);
  options.layout = CameraLayout::overhead;
  options.cameras = 3;
  options.people = 20;
  const auto scene = make_scene(options);
  ASSERT_TRUE(scene) << scene.error().message();
  for (const Camera& camera : scene->cameras) {
    EXPECT_LT(camera.center_in_world_m().z(), scene->room.height_m);
    for (double time_s = 0; time_s < 4; time_s += 0.5)
      for (const Body& body : pose_people(*scene, time_s))
        EXPECT_TRUE(camera.sees(body.head_center_in_world_m));
  }
  const auto renderer = Renderer::make(*scene, 1);
  ASSERT_TRUE(renderer);
  const PixelTruth truth = draw(*renderer, pose_people(*scene, 2));
  double visibility = 0;
  for (const Appearance& appearance : truth.appearances()) visibility += appearance.head.visibility() / 20;
  EXPECT_GT(visibility, 0.8);  // from so high heads hide each other hardly
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
      const auto mask = draw(*renderer, bodies).mask();
      ASSERT_TRUE(mask);
      const auto view = mask->view<uint8_t>();
      int64_t covered = 0;
      for (int y = 0; y < view.height; ++y)
        for (int x = 0; x < view.width; ++x) covered += view.at(x, y) != 0;
      const double share = static_cast<double>(covered) / (view.width * view.height);
      EXPECT_GT(share, 0.01);
      EXPECT_LT(share, 0.35);
      for (const Body& body : bodies) {
        const Camera& camera = scene->cameras[index];
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
  const auto mask = draw(*renderer, bodies).mask();
  ASSERT_TRUE(frame && empty && later && mask);
  EXPECT_EQ(frame->format().matrix, ColorMatrix::bt601) << "240 rows";
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

TEST(Sensor, ExposureNoiseAndTimeCode) {
  SynthOptions options = small_options(16);
  const auto luma_mean = [](const Picture& picture) {
    double sum = 0;
    for (int y = 120; y < 240; ++y)
      for (int x = 0; x < 320; ++x) sum += picture.plane(0).at(x, y) - 16;
    return sum / (120 * 320);
  };
  const auto picture_of = [](const SynthOptions& o, int64_t frame) {
    const auto scene = make_scene(o);
    return *Renderer::make(*scene, 0)->render({}, frame);
  };
  const Picture plain = picture_of(options, 90);
  options.exposure_steps = 1;
  options.exposure_drift_stops = 0.2;
  const auto scene = make_scene(options);
  ASSERT_TRUE(scene);
  const Sensor sensor(*scene, 0);
  EXPECT_EQ(sensor.exposure_stops(0), 0);
  const double stops = sensor.exposure_stops(90 / 25.0);
  EXPECT_TRUE(std::abs(stops) > 0.04 && std::abs(stops) < 0.71) << stops;
  // Coded values go with the 2.2nd root.
  EXPECT_NEAR(luma_mean(picture_of(options, 90)) / luma_mean(plain), std::exp2(stops / 2.2), 0.01);
  // Only the corner with the time code differs, and the code differs from frame to frame.
  options = small_options(16);
  options.time_code = true;
  const Picture coded = picture_of(options, 90), next = picture_of(options, 91);
  int corner = 0, elsewhere = 0, changed = 0;
  for (int y = 0; y < 240; ++y)
    for (int x = 0; x < 320; ++x) {
      const bool in_corner = x < 80 && y < 12;
      const bool different = coded.plane(0).at(x, y) != plain.plane(0).at(x, y);
      (in_corner ? corner : elsewhere) += different;
      changed += in_corner && coded.plane(0).at(x, y) != next.plane(0).at(x, y);
    }
  EXPECT_EQ(read_time_code(coded), 36'000'000 + 90 * 40);
  EXPECT_EQ(read_time_code(plain), std::nullopt);
  EXPECT_GT(corner, 200);
  EXPECT_EQ(elsewhere, 0);
  EXPECT_GT(changed, 5);
  options.noise = 0;
  EXPECT_EQ(checksum(picture_of(options, 90)), checksum(picture_of(options, 90)));
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
