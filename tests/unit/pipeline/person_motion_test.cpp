// How fast people move, from flows made by projecting moving cylinders; and the flow stage on real pictures.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iostream>
#include <random>

#include "core/algorithms.h"
#include "core/pipeline/detail/person_motion.h"
#include "core/run/analysis.h"
#include "tests/support/data.h"
#include "tests/unit/pipeline/footage.h"

namespace vantage {
namespace {

constexpr double kRate = 25, kRadius_m = 0.17;

struct Walker {
  FoundPerson person;  // where the later picture sees it
  Eigen::Vector3d velocity_m_per_s;
};

Camera ring_camera(int index, int count) {
  const double angle = 2 * M_PI * index / count + 0.3;
  const Eigen::Vector3d center(5 * std::cos(angle), 5 * std::sin(angle), 2.6);
  const Eigen::Vector3d forward = (Eigen::Vector3d(0, 0, 0.8) - center).normalized();
  const Eigen::Vector3d right = forward.cross(Eigen::Vector3d::UnitZ()).normalized();
  Eigen::Matrix3d rotation;
  rotation << right.transpose(), forward.cross(right).transpose(), forward.transpose();
  const Eigen::Vector3d translation = -rotation * center;
  PinholeCamera<double> model;
  model.width_px = 320, model.height_px = 240, model.fx_px = model.fy_px = 300;
  model.cx_px = 159.5, model.cy_px = 119.5, model.k1 = -0.1;
  for (int r = 0; r < 3; ++r) {
    model.translation_cam_from_world_m[r] = translation[r];
    for (int c = 0; c < 3; ++c) model.rotation_cam_from_world[3 * r + c] = rotation(r, c);
  }
  return Camera::make("cam" + std::to_string(index + 1), model).value();
}

// Where a ray first meets the upright cylinder that stands at a place; nothing: it misses.
std::optional<Eigen::Vector3d> hit(const Ray& ray, const Eigen::Vector3d& foot, double height_m) {
  const Eigen::Vector2d o = (ray.origin_in_world_m - foot).head<2>(), d = ray.direction_in_world.head<2>();
  const double a = d.squaredNorm(), b = o.dot(d), c = o.squaredNorm() - kRadius_m * kRadius_m;
  if (b * b - a * c < 0) return std::nullopt;
  const double t = (-b - std::sqrt(b * b - a * c)) / a;
  const Eigen::Vector3d x = ray.origin_in_world_m + t * ray.direction_in_world;
  if (t <= 0 || x.z() < foot.z() || x.z() > foot.z() + height_m) return std::nullopt;
  return x;
}

struct Rendered {
  CameraFlow flow;
  Image mask;
};

Rendered render(const Camera& camera, const std::vector<Walker>& walkers, double noise_px,
                std::mt19937& random) {
  Rendered out;
  const int w = camera.width_px(), h = camera.height_px();
  out.flow.field = {w, h, 1, Image::make(ImageType::f32, 2 * w, h, HostPool::shared()).value(), {}};
  out.mask = Image::make(ImageType::u8, w, h, HostPool::shared()).value();
  const ImageView<float> vectors = out.flow.field.vectors.writable_view<float>();
  const ImageView<uint8_t> mask = out.mask.writable_view<uint8_t>();
  std::normal_distribution<float> noise(0.0f, 1.0f);  // a deviation of 0 is not allowed
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) {
      Eigen::Vector2d vector(0, 0);
      double nearest_m = 1e9;
      bool covered = false;
      const Ray ray = camera.ray({x, y}).value();
      for (const Walker& walker : walkers) {
        const Eigen::Vector3d now(walker.person.x_m, walker.person.y_m, 0),
            step = walker.velocity_m_per_s / kRate;
        covered = covered || hit(ray, now, walker.person.height_m);
        const auto point = hit(ray, now - step, walker.person.height_m);
        if (!point || (*point - ray.origin_in_world_m).norm() > nearest_m) continue;
        nearest_m = (*point - ray.origin_in_world_m).norm();
        vector = *camera.project(*point + step) - *camera.project(*point);
      }
      mask.at(x, y) = covered ? 255 : 0;
      vectors.at(2 * x, y) = static_cast<float>(vector.x()) + static_cast<float>(noise_px) * noise(random);
      vectors.at(2 * x + 1, y) =
          static_cast<float>(vector.y()) + static_cast<float>(noise_px) * noise(random);
    }
  return out;
}

std::vector<std::optional<PersonMotion>> measure(const std::vector<Walker>& walkers, int cameras,
                                                 double noise_px, std::mt19937& random) {
  std::vector<Rendered> pictures;
  std::vector<FoundPerson> people;
  for (int c = 0; c < cameras; ++c) pictures.push_back(render(ring_camera(c, 4), walkers, noise_px, random));
  std::vector<MotionView> views;
  for (int c = 0; c < cameras; ++c) {
    const auto i = static_cast<size_t>(c);
    views.push_back({ring_camera(c, 4), kRate, &pictures[i].flow, pictures[i].mask.view<uint8_t>()});
  }
  for (const Walker& walker : walkers) people.push_back(walker.person);
  return measure_motion(views, people);
}

double error_m_per_s(const PersonMotion& motion, const Eigen::Vector3d& truth) {
  return (Eigen::Map<const Eigen::Vector3d>(motion.velocity_m_per_s.data()) - truth).norm();
}

TEST(PersonMotion, FollowsCylindersThatMove) {
  const unsigned seed = std::random_device{}();
  std::cout << "seed " << seed << "\n";
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> place(-0.9, 0.9), speed(-1.5, 1.5);
  for (int trial = 0; trial < 6; ++trial) {
    std::vector<Walker> walkers;
    for (const double side : {-1.0, 1.0})
      walkers.push_back({{side + 0.4 * place(random), place(random), 1.7},
                         {speed(random), speed(random), 0.3 * speed(random)}});
    const auto motions = measure(walkers, 4, 0.2, random);
    ASSERT_EQ(motions.size(), 2u);
    for (size_t i = 0; i < 2; ++i) {
      ASSERT_TRUE(motions[i]);
      EXPECT_GE(motions[i]->cameras, 2);
      // A pixel is 17 mm there: 0.2 px of noise at 25 frames/s are 0.085 m/s a point, of hundreds; the rest
      // is the disc that stands for the cylinder.
      EXPECT_LT(error_m_per_s(*motions[i], walkers[i].velocity_m_per_s),
                0.03 + 0.06 * walkers[i].velocity_m_per_s.norm())
          << "trial " << trial << ", person " << i;
    }
  }
}

TEST(PersonMotion, SaysNothingFromOneSide) {
  std::mt19937 random(1);
  const std::vector<Walker> walkers = {{{0, 0, 1.7}, {1, 0.5, 0}}};
  EXPECT_FALSE(measure(walkers, 1, 0, random)[0]) << "one camera does not see the motion in depth";
  EXPECT_TRUE(measure(walkers, 2, 0, random)[0]);
  EXPECT_TRUE(measure_motion({}, std::vector<FoundPerson>{walkers[0].person})[0] == std::nullopt);
}

TEST(PersonMotion, CountsTheCamerasOwnFrames) {
  std::mt19937 random(1);
  const std::vector<Walker> walkers = {{{0, 0, 1.7}, {1, 0.5, 0}}};
  Rendered pictures[2] = {render(ring_camera(0, 4), walkers, 0, random),
                          render(ring_camera(1, 4), walkers, 0, random)};
  // The second camera runs at twice the rate: the same motion takes two of its frames.
  pictures[1].flow.camera_frames = 2;
  const MotionView views[2] = {
      {ring_camera(0, 4), kRate, &pictures[0].flow, pictures[0].mask.view<uint8_t>()},
      {ring_camera(1, 4), 2 * kRate, &pictures[1].flow, pictures[1].mask.view<uint8_t>()}};
  const auto motion = measure_motion(views, std::vector<FoundPerson>{walkers[0].person});
  ASSERT_TRUE(motion[0]);
  EXPECT_LT(error_m_per_s(*motion[0], walkers[0].velocity_m_per_s), 0.08);
}

TEST(FlowChain, GivesTheFlowOfEveryCameraAndOnRequestOfTheForegroundAlone) {
  const test::TemporaryFolder folder;
  Project project = test::make_footage(folder.path(), 2, 14, false);
  BackendRegistry registry;
  register_cpu_backends(registry);
  AnalysisOptions options;
  options.backends = &registry;
  const auto analysis = Analysis::open(project, options).value();
  EXPECT_EQ(analysis->pipeline().frame(12, {}, {}).value()->flow(), nullptr) << "off by default";
  for (const auto& [name, value] : {std::pair{"enabled", 1.0}, std::pair{"window_px", 9.0}})
    ASSERT_TRUE(project.parameters.set("flow", name, value));
  ASSERT_TRUE(analysis->pipeline().configure(project.parameters));
  const FrameResultRef first = analysis->pipeline().frame(0, {}, {}).value();
  ASSERT_TRUE(first->flow());
  EXPECT_FALSE(first->flow()->cameras[0].field) << "nothing comes before the first picture";
  const FrameResultRef result = analysis->pipeline().frame(12, {}, {}).value();
  const CameraFlow& flow = result->flow()->cameras.at(0);
  ASSERT_TRUE(flow.field && flow.field.confidence);
  EXPECT_EQ(flow.camera_frames, 1);
  // The box's left edge, which covers and uncovers the background.
  const int from = 24 + static_cast<int>(12 * std::sin(0.2 * 11)),
            to = 24 + static_cast<int>(12 * std::sin(0.2 * 12));
  EXPECT_NEAR(flow.field.vectors.view<float>().at(2 * from, 32), static_cast<float>(to - from), 0.6f);

  ASSERT_TRUE(project.parameters.set("flow", "foreground_only", 1));
  ASSERT_TRUE(analysis->pipeline().configure(project.parameters));
  const FrameResultRef before = analysis->pipeline().frame(11, {}, {}).value();
  const FrameResultRef masked = analysis->pipeline().frame(12, {}, {}).value();
  const ImageView<const uint8_t> mask = before->foreground()->cameras[0].mask.view<uint8_t>();
  const ImageView<const float> vectors = masked->flow()->cameras[0].field.vectors.view<float>();
  int known = 0;
  for (int y = 0; y < mask.height; ++y)
    for (int x = 0; x < mask.width; ++x) {
      EXPECT_EQ(is_known_flow(vectors.at(2 * x, y)), mask.at(x, y) != 0);
      known += mask.at(x, y) != 0;
    }
  EXPECT_GT(known, 100);
}

}  // namespace
}  // namespace vantage
