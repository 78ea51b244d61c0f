// When a calibration is changed, and when it is left alone.
#include "core/calibration/people/refine.h"

#include <gtest/gtest.h>

#include <random>
#include <utility>

#include "core/calibration/people/person_outlines.h"
#include "tests/unit/people_calibration/walked_room.h"

namespace vantage {
namespace {

using namespace walked_room;

// Every camera clicks marks that nobody measured.
std::vector<ClickedPoint> clicks(double noise_px, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> noise(0, noise_px);
  std::uniform_real_distribution<double> unit(-1, 1);
  std::vector<ClickedPoint> points;
  for (int i = 0; i < 10; ++i) {
    const Eigen::Vector3d at(1.6 * unit(random), 1.6 * unit(random),
                             i % 3 == 0 ? 0 : 0.9 + 0.8 * unit(random));
    ClickedPoint& point = points.emplace_back();
    point.name = "P" + std::to_string(i);
    for (const Camera& camera : room()) {
      const Eigen::Vector2d off(noise(random), noise(random));
      point.clicks.push_back({camera.name(), *camera.project(at) + off});
    }
  }
  return points;
}

enum class Has { people, points, both };

// Camera kMoved is said to stand otherwise by `wrong`.
RefineInput room_of(const CameraChange& wrong, Has has, unsigned seed, double noise_px = 0.5) {
  const PeopleSolveInput people =
      input_of({.people = 2, .walk = true, .noise_px = noise_px, .hidden = 0.2, .seed = seed}, wrong);
  RefineInput input{.cameras = people.cameras, .free = std::vector<bool>(kCameras, true), .grid = region()};
  if (has != Has::points) input.frames = people.frames;
  if (has != Has::people) input.points = clicks(0.7, seed);
  return input;
}

double off_deg(const Camera& solved, size_t camera) {
  return change_between(room()[camera], solved).head<3>().norm() * 180 / M_PI;
}

TEST(Refine, ARightCalibrationStaysAsItIs) {
  for (const auto& [has, seed] : std::vector<std::pair<Has, unsigned>>{
           {Has::people, 1}, {Has::points, 1}, {Has::points, 2}, {Has::points, 3}}) {
    const RefineInput input = room_of(CameraChange::Zero(), has, seed);
    const auto refined = refine_cameras(input, {});
    ASSERT_TRUE(refined) << refined.error().message();
    EXPECT_FALSE(refined->accepted) << static_cast<int>(has) << " " << seed;
    for (size_t c = 0; c < kCameras; ++c) {
      EXPECT_FALSE(refined->cameras[c].changed);
      EXPECT_EQ(refined->cameras[c].camera.cam_from_world().matrix(),
                input.cameras[c].cam_from_world().matrix());
    }
    ASSERT_FALSE(refined->steps.empty());
    for (const RefineStep& step : refined->steps) EXPECT_FALSE(step.why_not.empty());
  }
}

TEST(Refine, OneCameraHalfADegreeOffIsMended) {
  for (const auto& [has, axis] : std::vector<std::pair<Has, int>>{
           {Has::people, 0}, {Has::both, 1}, {Has::points, 0}, {Has::points, 1}}) {
    const RefineInput input = room_of(change_of(0.5, axis, 0.02), has, 4);
    const auto refined = refine_cameras(input, {});
    ASSERT_TRUE(refined) << refined.error().message();
    EXPECT_TRUE(refined->accepted);
    const RefinedCamera& camera = refined->cameras[kMoved];
    EXPECT_TRUE(camera.changed);
    EXPECT_NEAR(camera.turned_deg, 0.5, 0.2);
    EXPECT_GT(camera.floor_m, 0.01);
    for (size_t c = 0; c < kCameras; ++c)
      EXPECT_LT(off_deg(refined->cameras[c].camera, c), 0.15) << static_cast<int>(has) << " " << c;
    ASSERT_EQ(camera.people.has_value(), has != Has::points);
    ASSERT_EQ(camera.points.has_value(), has != Has::people);
    if (camera.people) EXPECT_LT(camera.people->after, camera.people->before);
    if (camera.points) EXPECT_LT(camera.points->after, camera.points->before);
    ASSERT_FALSE(refined->steps.empty());
    EXPECT_TRUE(refined->steps.front().taken);
    EXPECT_EQ(refined->steps.front().cameras, std::vector<size_t>{kMoved}) << "the one that is wrong";
  }
}

// Each of two wrong cameras misleads those that are placed by it: the two are placed at once, and the others,
// which stand to each other as they are given, stay as they are.
TEST(Refine, OfTwoWrongCamerasNoRightOneIsMoved) {
  RefineInput input = room_of(change_of(0.5, 1, 0.03), Has::people, 4);
  input.cameras[0] = *changed_camera(input.cameras[0], change_of(-0.5, 0, 0.03));
  const auto refined = refine_cameras(input, {});
  ASSERT_TRUE(refined) << refined.error().message();
  EXPECT_TRUE(refined->accepted);
  for (size_t c = 0; c < kCameras; ++c) {
    const RefinedCamera& camera = refined->cameras[c];
    const bool wrong = c == 0 || c == kMoved;
    EXPECT_EQ(camera.changed, wrong) << c;
    ASSERT_TRUE(camera.people);
    EXPECT_LT(2 * camera.people->after, camera.people->before)
        << c << ": what it shows is shown by wrong ones, too";
    if (wrong) {
      EXPECT_LT(off_deg(camera.camera, c), 0.15) << c;
      EXPECT_LT(change_between(room()[c], camera.camera).segment<3>(3).norm(), 0.02) << c;
    } else {
      EXPECT_EQ(camera.camera.cam_from_world().matrix(), room()[c].cam_from_world().matrix()) << c;
    }
  }
  EXPECT_TRUE(std::ranges::any_of(refined->steps, [](const RefineStep& step) {
    return step.taken && !step.world_by_centers && step.cameras == std::vector<size_t>{0, kMoved};
  }));
}

TEST(Refine, OnlyCamerasThatMayBeChangedAre) {
  RefineInput input = room_of(change_of(0.5, 1, 0), Has::people, 5);
  input.free.assign(kCameras, false), input.free[0] = true;
  const auto refined = refine_cameras(input, {});
  ASSERT_TRUE(refined) << refined.error().message();
  EXPECT_EQ(refined->cameras[kMoved].camera.center_in_world_m(), input.cameras[kMoved].center_in_world_m());
  EXPECT_FALSE(refined->cameras[kMoved].changed);
}

// Clicks of another room say that the camera stands otherwise, people that it does not.
TEST(Refine, PointsThatPeopleContradictChangeNothing) {
  RefineInput input = room_of(CameraChange::Zero(), Has::both, 6, 0.2);
  const Camera elsewhere = *changed_camera(room()[kMoved], change_of(1, 1, 0));
  for (ClickedPoint& point : input.points)
    for (PointClick& click : point.clicks)
      if (click.camera == elsewhere.name()) {
        const auto ray = elsewhere.ray(click.at_px);
        ASSERT_TRUE(ray);
        click.at_px = *room()[kMoved].project(ray->origin_in_world_m + 5 * ray->direction_in_world);
      }
  const auto refined = refine_cameras(input, {});
  ASSERT_TRUE(refined) << refined.error().message();
  EXPECT_FALSE(refined->accepted);
  EXPECT_TRUE(std::ranges::any_of(refined->steps, [](const RefineStep& step) {
    return step.by == RefineBy::points && step.why_not.find("people contradict") != std::string::npos;
  }));
}

TEST(Refine, NoiseAloneAndTooLittleAreRefused) {
  std::mt19937 random(9);
  std::uniform_real_distribution<double> unit(0, 1);
  RefineInput noise = room_of(CameraChange::Zero(), Has::points, 7);
  for (ClickedPoint& point : noise.points)
    for (PointClick& click : point.clicks) click.at_px = {1280 * unit(random), 960 * unit(random)};
  const auto by_noise = refine_cameras(noise, {});
  ASSERT_TRUE(by_noise) << by_noise.error().message();
  EXPECT_FALSE(by_noise->accepted);

  RefineInput few = room_of(change_of(0.5, 1, 0), Has::both, 8);
  few.frames.resize(5), few.points.resize(5);
  const auto by_few = refine_cameras(few, {});
  ASSERT_TRUE(by_few) << by_few.error().message();
  EXPECT_FALSE(by_few->accepted);
}

TEST(Refine, SaysWhatIsMissing) {
  RefineInput input = room_of(CameraChange::Zero(), Has::points, 1);
  input.points.clear();
  EXPECT_EQ(refine_cameras(input, {}).error().kind, ErrorKind::invalid_argument);
  input = room_of(CameraChange::Zero(), Has::people, 1);
  StopSource stop;
  stop.request_stop();
  EXPECT_EQ(refine_cameras(input, stop).error().kind, ErrorKind::cancelled);
  input.free.assign(kCameras, false);
  EXPECT_EQ(refine_cameras(input, {}).error().kind, ErrorKind::invalid_argument);
}

TEST(OutlineMisses, TheRightOneOfTwoMissesLess) {
  const PeopleSolveInput input =
      input_of({.people = 2, .walk = true, .noise_px = 0.3, .hidden = 0.2}, change_of(0.5, 1, 0));
  const auto misses = outline_misses(input.cameras, room(), input.frames, input.floor, {});
  ASSERT_TRUE(misses) << misses.error().message();
  EXPECT_GT(outline_scatter_px(*misses, 0, kMoved), 3 * outline_scatter_px(*misses, 1, kMoved));
  const std::vector<int64_t> begins = {0, 18, 36, 54, 1000};
  const std::vector<double> gains = outline_gains(*misses, begins);
  ASSERT_EQ(gains.size(), 4u) << "nobody is seen in the last stretch";
  for (const double gain : gains) EXPECT_GT(gain, 0.05);
  std::vector<Camera> fewer = room();
  fewer.pop_back();
  EXPECT_EQ(outline_misses(fewer, room(), input.frames, input.floor, {}).error().kind,
            ErrorKind::invalid_argument);
}

}  // namespace
}  // namespace vantage
