// Where people walk, how they stand and where the cameras are.
#include "core/synth/detail/scene.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "core/synth/detail/truth.h"

namespace vantage::synth {
namespace {

SynthOptions options_with_seed(uint64_t seed) {
  SynthOptions options;
  options.seed = seed;
  return options;
}

TEST(Walk, PeopleStayInTheAreaAndApart) {
  for (const uint64_t seed : {1, 2, 3, 17, 12345}) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    for (const auto& [people, area_m] : {std::pair{6, 6.0}, {2, 2.0}, {15, 5.0}}) {
      const WalkPlan walk = WalkPlan::make(people, area_m, 20, seed);
      for (double time_s = 0; time_s < 20; time_s += 0.04)
        for (int i = 0; i < people; ++i) {
          const WalkState state = walk.at(i, time_s);
          ASSERT_LE(std::abs(state.x_m), area_m / 2 - area_margin_m + 1e-9)
              << people << " people at " << time_s;
          ASSERT_LE(std::abs(state.y_m), area_m / 2 - area_margin_m + 1e-9)
              << people << " people at " << time_s;
          for (int k = 0; k < i; ++k) {
            const WalkState other = walk.at(k, time_s);
            ASSERT_GE(std::hypot(state.x_m - other.x_m, state.y_m - other.y_m), min_distance_m)
                << people << " people at " << time_s;
          }
        }
    }
  }
}

TEST(Walk, PathsAreSmooth) {
  const WalkPlan walk = WalkPlan::make(6, 6, 20, 4);
  for (int i = 0; i < 6; ++i) {
    EXPECT_GT(walk.at(i, 20).distance_m, 5) << "person " << i << " hardly walks";
    for (double time_s = 0.04; time_s < 20; time_s += 0.04) {
      const WalkState before = walk.at(i, time_s - 0.04), now = walk.at(i, time_s);
      EXPECT_LT(std::hypot(now.x_m - before.x_m, now.y_m - before.y_m), 2.5 * 0.04) << "person " << i;
      const double turn = std::remainder(now.heading_rad - before.heading_rad, 2 * std::numbers::pi);
      EXPECT_LT(std::abs(turn), 3.01 * 0.04) << "person " << i << " at " << time_s;
    }
  }
}

TEST(Body, StandsOnTheFloorAndIsAsTallAsStated) {
  const auto scene = make_scene(options_with_seed(5));
  ASSERT_TRUE(scene) << scene.error().message();
  for (double time_s = 0; time_s < 4; time_s += 0.1) {
    const auto bodies = pose_people(*scene, time_s);
    for (size_t i = 0; i < bodies.size(); ++i) {
      double lowest = 1e9, highest = -1e9;
      for (const Ellipsoid& part : bodies[i].parts) {
        EXPECT_NEAR((part.axes.transpose() * part.axes - Eigen::Matrix3d::Identity()).norm(), 0, 1e-9);
        EXPECT_NEAR(part.axes.determinant(), 1, 1e-9);
        const double reach = part.radii_m.cwiseProduct(part.axes.row(2).transpose()).norm();
        lowest = std::min(lowest, part.center_in_world_m.z() - reach);
        highest = std::max(highest, part.center_in_world_m.z() + reach);
      }
      EXPECT_NEAR(lowest, 0, 1e-9);
      const double height_m = scene->looks[i].height_m;
      EXPECT_GE(height_m, 1.5);
      EXPECT_LE(height_m, 1.95);
      EXPECT_LT(highest, height_m * 1.02);  // a stride lowers the head by up to a tenth
      EXPECT_GT(highest, height_m * 0.90);
    }
  }
}

TEST(Cameras, StandOnARingAndSeeTheWholeArea) {
  for (const int cameras : {1, 3, 4, 8}) {
    SynthOptions options = options_with_seed(6);
    options.cameras = cameras;
    const auto scene = make_scene(options);
    ASSERT_TRUE(scene) << scene.error().message();
    ASSERT_EQ(scene->cameras.size(), static_cast<size_t>(cameras));
    for (const Camera& camera : scene->cameras) {
      const double z = camera.center_in_world_m().z();
      EXPECT_TRUE(z >= 2.5 && z <= 3.0) << z;
      EXPECT_NEAR(camera.model().k1, -0.1, 0.011);
      EXPECT_LT(camera.center_in_world_m().head<2>().cwiseAbs().maxCoeff(), scene->room.half_side_m);
      EXPECT_TRUE(camera.sees({0, 0, 0}));
      EXPECT_TRUE(camera.sees({0, 0, 1.9}));
    }
  }
}

// Every person's head is seen by at least three of four cameras all the time: enough to carve.
TEST(Cameras, HeadsAreSeenByMost) {
  const auto scene = make_scene(options_with_seed(1));
  ASSERT_TRUE(scene);
  for (double time_s = 0; time_s < 20; time_s += 0.2)
    for (const Body& body : pose_people(*scene, time_s)) {
      int seen = 0;
      for (const Camera& camera : scene->cameras) seen += camera.sees(body.head_center_in_world_m);
      EXPECT_GE(seen, 3) << "at " << time_s;
    }
}

TEST(Scene, OptionsOutOfRangeAreNamed) {
  const auto message = [](auto change) {
    SynthOptions options;
    change(options);
    const auto scene = make_scene(options);
    return scene ? std::string("no error") : scene.error().message();
  };
  EXPECT_NE(message([](SynthOptions& o) { o.cameras = 0; }).find("cameras"), std::string::npos);
  EXPECT_NE(message([](SynthOptions& o) { o.people = -1; }).find("people"), std::string::npos);
  EXPECT_NE(message([](SynthOptions& o) { o.seconds = std::nan(""); }).find("seconds"), std::string::npos);
  EXPECT_NE(message([](SynthOptions& o) { o.width_px = 641; }).find("even"), std::string::npos);
  EXPECT_NE(message([](SynthOptions& o) { o.offsets_frames = {0, 1}; }).find("2 offsets for 4 cameras"),
            std::string::npos);
  EXPECT_NE(message([](SynthOptions& o) { o.offsets_frames = {1, 0, 0, 0}; }).find("base"),
            std::string::npos);
  EXPECT_NE(message([](SynthOptions& o) { o.dropped_bursts = {0, 0, 4, 0}; }).find("bursts"),
            std::string::npos);
  EXPECT_NE(message([](SynthOptions& o) { o.bumps = {{4, 1, 1}}; }).find("bumped camera"), std::string::npos);
  EXPECT_NE(message([](SynthOptions& o) { o.bumps = {{1, 99, 1}}; }).find("second"), std::string::npos);
  EXPECT_NE(message([](SynthOptions& o) { o.bumps = {{1, 1, 1}, {1, 2, 1}}; }).find("more than once"),
            std::string::npos);
  EXPECT_NE(message([](SynthOptions& o) { o.people = 60; }).find("too small"), std::string::npos);
}

TEST(Clocks, FrameOffsetIsSimultaneousWithTheBasesFirst) {
  SynthOptions options = options_with_seed(7);
  options.offsets_frames = {0, 12, -7.25, 30};
  options.drifts_ppm = {0, 0, 0, 2000};
  const auto scene = make_scene(options);
  ASSERT_TRUE(scene) << scene.error().message();
  const auto& clocks = scene->clocks;
  EXPECT_EQ(clocks[0].time_s(50), 2);
  EXPECT_EQ(clocks[1].time_s(12), 0);
  EXPECT_DOUBLE_EQ(clocks[2].time_s(0), 7.25 / 25);
  EXPECT_DOUBLE_EQ(clocks[3].time_s(30), 0);
  // Frame offset + N (1 + drift) is taken with frame N of the base.
  EXPECT_NEAR(clocks[3].time_s(30 + 501), 500 / 25.0, 1e-12);
  // The walk begins with the first frame of any camera and goes on to the last.
  EXPECT_DOUBLE_EQ(scene->start_s, clocks[3].time_s(0));
  const double end_s = clocks[2].time_s(clocks[2].frame_count() - 1);
  EXPECT_GT(end_s, 20);
  EXPECT_NE(scene->walk_state(0, end_s).distance_m, scene->walk_state(0, end_s - 0.1).distance_m);
}

TEST(Clocks, DroppedFramesLeaveGapsInTime) {
  for (const uint64_t seed : {1, 2, 3, 4, 5}) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    SynthOptions options = options_with_seed(seed);
    options.dropped_bursts = {0, 1, 2, 3};
    const auto scene = make_scene(options);
    ASSERT_TRUE(scene) << scene.error().message();
    for (size_t camera = 0; camera < 4; ++camera) {
      const CameraClock& clock = scene->clocks[camera];
      ASSERT_EQ(clock.drops().size(), camera);
      int64_t missing = 0;
      double last_gap_s = 0;
      for (int64_t frame = 1; frame < clock.frame_count(); ++frame) {
        const auto steps = std::llround((clock.time_s(frame) - clock.time_s(frame - 1)) * 25);
        if (steps == 1) continue;
        EXPECT_GE(clock.time_s(frame - 1) - last_gap_s, drop_distance_s - 0.041);
        EXPECT_LE(clock.time_s(frame - 1), 20 - drop_distance_s + 0.04);
        EXPECT_TRUE(steps >= 3 && steps <= 13) << steps;
        last_gap_s = clock.time_s(frame - 1);
        missing += steps - 1;
      }
      EXPECT_EQ(clock.frame_count() + missing, 500);
      EXPECT_NEAR(clock.time_s(clock.frame_count() - 1), 499 / 25.0, 1e-12);
    }
  }
}

TEST(Truth, HasARowPerPersonAndFrame) {
  SynthOptions options = options_with_seed(9);
  options.seconds = 0.2;
  const auto scene = make_scene(options);
  ASSERT_TRUE(scene);
  const TruthTables truth = make_truth(*scene);
  EXPECT_EQ(std::count(truth.tracks.begin(), truth.tracks.end(), '\n'), 5 * 6);
  EXPECT_EQ(truth.tracks.substr(0, 18), "1,1,-1,-1,-1,-1,1,");
  // z is the floor's, then comes the height of the person's body.
  const std::string last = truth.tracks.substr(truth.tracks.rfind('\n', truth.tracks.size() - 2) + 1);
  EXPECT_EQ(std::count(last.begin(), last.end(), ','), 10) << last;
  const size_t height = last.rfind(',');
  EXPECT_EQ(last.substr(height - 7, 7), ",0.0000") << last;
  EXPECT_GT(std::stod(last.substr(height + 1)), 1.4) << last;
  EXPECT_LT(std::stod(last.substr(height + 1)), 2.1) << last;
  EXPECT_EQ(std::count(truth.heads.begin(), truth.heads.end(), '\n'), 5 * 6);
}

}  // namespace
}  // namespace vantage::synth
