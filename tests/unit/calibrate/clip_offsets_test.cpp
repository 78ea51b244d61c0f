// A board carried about before cameras whose clips are out of step, and whose rows are exposed one after the
// other.
#include "core/calibration/solve/clip_offsets.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "core/calibration/solve/detail/board_poses.h"
#include "tests/unit/calibrate/looking.h"

namespace vantage {
namespace {

using test::looking;

constexpr int kClipWidth = 1280, kClipHeight = 720;
const Board kClipBoard{9, 6, 0.08};

// How it is carried: by waves whose periods have nothing in common, or by one.
struct CarriedClips {
  double speed = 1;
  bool periodic = false;

  Eigen::Isometry3d at(double frame) const {
    const auto wave = [&](double period, double phase) {
      return std::sin(2 * M_PI * speed * frame / (periodic ? 40 : period) + phase);
    };
    Eigen::Isometry3d board;
    board.linear() =
        (Eigen::AngleAxisd(0.5 + 0.3 * wave(47, 0) + 0.2 * wave(97, 1), Eigen::Vector3d::UnitX()) *
         Eigen::AngleAxisd(0.4 * wave(61, 2), Eigen::Vector3d::UnitY()) *
         Eigen::AngleAxisd(0.5 * wave(73, 3), Eigen::Vector3d::UnitZ()))
            .toRotationMatrix();
    board.translation() = Eigen::Vector3d(0.25 * wave(53, 4) + 0.15 * wave(83, 5), 0.3 * wave(67, 6),
                                          0.4 + 0.2 * wave(89, 0.5)) -
                          board.linear() * Eigen::Vector3d(0.32, 0.2, 0);
    return board;
  }
};

struct Clips {
  std::vector<double> offsets = {0, 3.37, -12.8};
  std::vector<double> readouts = {0, 0, 0};
  CarriedClips carried;
  int frames = 220;
  double noise_px = 0.25;
  double together_px = 0;  // of a picture's corners: a shift, and slopes along the board
};

BoardsInput filmed(const Clips& clips, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> noise(0, clips.noise_px);
  BoardsInput input{.boards = {kClipBoard}, .cameras = {}, .views = {}, .lens_views = {}};
  for (size_t c = 0; c < clips.offsets.size(); ++c) {
    const double angle = -0.6 + 0.6 * static_cast<double>(c);
    BundleCamera camera;
    camera.lens = {900, 905, 640, 350, -0.1, 0.02};
    camera.cam_from_world =
        pose_values(looking({2.2 * std::sin(angle), -2.2 * std::cos(angle), 1.6}, {0, 0, 0.4}));
    PinholeCamera<double> m;
    m.width_px = kClipWidth, m.height_px = kClipHeight;
    static_cast<Lens<double>&>(m) = lens_with(camera.lens, camera.fixed);
    m.fx_px = 900, m.fy_px = 905, m.cx_px = 640, m.cy_px = 350;
    const std::string name = "cam" + std::to_string(c + 1);
    input.cameras.push_back({.name = name,
                             .width_px = kClipWidth,
                             .height_px = kClipHeight,
                             .given = Camera::make(name, m).value()});
    for (int frame = 0; frame < clips.frames; ++frame) {
      BoardView view{static_cast<int>(c), frame, {}};
      Eigen::Matrix<double, 2, 3> together = Eigen::Matrix<double, 2, 3>::Zero();
      if (clips.together_px > 0)
        for (double& value : together.reshaped()) value = clips.together_px * noise(random) / clips.noise_px;
      for (int k = 0; k < kClipBoard.corner_count(); ++k) {
        Eigen::Vector2d pixel(0, kClipHeight / 2.0);
        for (int round = 0; round < 4; ++round) {
          const double time = frame - clips.offsets[c] + clips.readouts[c] * (pixel.y() / kClipHeight - 0.5);
          pixel = project_corner(camera, {pose_values(clips.carried.at(time)), true}, kClipBoard.x_m(k),
                                 kClipBoard.y_m(k));
        }
        pixel += together * Eigen::Vector3d(1, kClipBoard.x_m(k) / 0.32 - 1, kClipBoard.y_m(k) / 0.2 - 1);
        view.corners.push_back({k, pixel.x() + noise(random), pixel.y() + noise(random)});
      }
      input.views.push_back(std::move(view));
    }
  }
  return input;
}

TEST(ClipOffsets, FractionsOfFramesAreSolvedWithTheBoard) {
  double square = 0;
  constexpr unsigned kSets = 3;
  for (unsigned seed = 1; seed <= kSets; ++seed) {
    const Clips clips;
    const auto found = solve_out_of_step(filmed(clips, seed), {.half_turned = {}});
    ASSERT_TRUE(found) << found.error().message();
    for (size_t c = 0; c < 3; ++c) {
      const ClipTiming& clip = found->clips[c];
      EXPECT_FALSE(clip.rolling);
      EXPECT_EQ(clip.readout_frames, 0);
      if (c == 0) continue;
      EXPECT_NEAR(clip.offset_frames, clips.offsets[c], 0.01);
      EXPECT_LT(clip.offset_std_frames, 0.01);
      square += std::pow((clip.offset_frames - clips.offsets[c]) / clip.offset_std_frames, 2) / (2 * kSets);
      EXPECT_LT(found->solution.cameras[c].rms_px, 0.4);
    }
  }
  fmt::print("errors over standard deviations: {:.2f}\n", std::sqrt(square));
  EXPECT_NEAR(std::sqrt(square), 1, 0.5);
}

TEST(ClipOffsets, AFrameThatOneCameraAloneSeesCanBeTheWorld) {
  BoardsInput input = filmed({}, 4);
  constexpr int64_t kWorld = 60;
  std::erase_if(input.views, [](const BoardView& view) {
    return view.camera > 0 && std::abs(view.instant - (view.camera == 1 ? 63 : 47)) < 12;
  });
  const auto found = solve_out_of_step(input, {.world_instant = kWorld, .half_turned = {}});
  ASSERT_TRUE(found) << found.error().message();
  EXPECT_EQ(found->solution.world_instant, kWorld);
  const auto at = std::count_if(found->solution.residuals.begin(), found->solution.residuals.end(),
                                [](const CornerResidual& one) { return one.instant == kWorld; });
  EXPECT_EQ(at, kClipBoard.corner_count());
}

TEST(ClipOffsets, ARollingShutterIsMeasuredAndTakenBack) {
  Clips clips;
  clips.readouts = {0.5, 0, -0.3};
  const auto found = solve_out_of_step(filmed(clips, 7), {.half_turned = {}, .cross_validate = true});
  ASSERT_TRUE(found) << found.error().message();
  for (size_t c = 0; c < 3; ++c) {
    const ClipTiming& clip = found->clips[c];
    fmt::print("readout {:.3f} +- {:.3f} frames, offset {:.3f} +- {:.3f}\n", clip.readout_frames,
               clip.readout_std_frames, clip.offset_frames, clip.offset_std_frames);
    EXPECT_TRUE(clip.readout_known);
    EXPECT_EQ(clip.rolling, clips.readouts[c] != 0);
    EXPECT_NEAR(clip.readout_frames, clips.readouts[c], 0.03);
    EXPECT_LT(found->solution.cameras[c].rms_px, 0.4);
  }
  ASSERT_TRUE(found->solution.cross_validation);
}

TEST(ClipOffsets, AbstainsWhereTheBoardTellsNothing) {
  Clips resting;
  resting.carried.speed = 0;
  const auto rests = solve_out_of_step(filmed(resting, 1), {.half_turned = {}});
  ASSERT_FALSE(rests);
  EXPECT_NE(rests.error().message().find("do not determine"), std::string::npos) << rests.error().message();
  Clips swinging;
  swinging.carried.periodic = true;
  EXPECT_FALSE(solve_out_of_step(filmed(swinging, 1), {.half_turned = {}}));
  Clips apart;
  apart.offsets = {0, 400, 0};
  const auto never = solve_out_of_step(filmed(apart, 1), {.half_turned = {}});
  ASSERT_FALSE(never);
  EXPECT_NE(never.error().message().find("cam2"), std::string::npos) << never.error().message();
  BoardsInput turning = filmed({}, 1);
  turning.boards = {{8, 6, 0.08}};
  const auto half = solve_out_of_step(turning, {.half_turned = {}});
  ASSERT_FALSE(half);
  EXPECT_NE(half.error().message().find("half a turn"), std::string::npos);
}

// A board that swings with one period tells the offset but for whole periods: a start nearby says which.
TEST(ClipOffsets, KnownOffsetsAreHeldOrAStart) {
  Clips swinging;
  swinging.carried.periodic = true;
  const BoardsInput input = filmed(swinging, 1);
  const auto started = solve_out_of_step(input, {.half_turned = {}},
                                         {.offsets = {{}, GivenOffset{3, false}, GivenOffset{-13, false}}});
  ASSERT_TRUE(started) << started.error().message();
  for (size_t c = 1; c < 3; ++c) {
    EXPECT_NEAR(started->clips[c].offset_frames, swinging.offsets[c], 0.02);
    EXPECT_GT(started->clips[c].offset_std_frames, 0);
    EXPECT_FALSE(started->clips[c].held);
  }
  const auto held = solve_out_of_step(input, {.half_turned = {}},
                                      {.offsets = {{}, GivenOffset{3.37}, GivenOffset{-13, false}}});
  ASSERT_TRUE(held) << held.error().message();
  EXPECT_TRUE(held->clips[1].held);
  EXPECT_EQ(held->clips[1].offset_frames, 3.37);
  EXPECT_EQ(held->clips[1].offset_std_frames, 0);
  EXPECT_NEAR(held->clips[2].offset_frames, -12.8, 0.02);
  const auto base = solve_out_of_step(input, {.half_turned = {}}, {.offsets = {GivenOffset{1}}});
  ASSERT_FALSE(base);
  EXPECT_EQ(base.error().kind, ErrorKind::invalid_argument);
}

TEST(ClipOffsets, SolvingTellsHowFarItIsAndStops) {
  const BoardsInput input = filmed({.frames = 120}, 1);
  std::vector<int64_t> told;
  int64_t all = 0;
  OutOfStepOptions known;
  known.progress = [&](int64_t done, int64_t total) { told.push_back(done), all = total; };
  ASSERT_TRUE(solve_out_of_step(input, {.half_turned = {}}, known));
  ASSERT_GT(told.size(), 100u);
  EXPECT_TRUE(std::is_sorted(told.begin(), told.end()));
  EXPECT_LT(told.back(), all);
  EXPECT_GT(told.back(), all / 2);
  // In the middle of the search for whole frames.
  const int64_t middle = told[told.size() / 3];
  told.clear();
  known.progress = [&](int64_t done, int64_t) {
    told.push_back(done);
    if (done >= middle) known.stop.request_stop();
  };
  const auto stopped = solve_out_of_step(input, {.half_turned = {}}, known);
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().kind, ErrorKind::cancelled);
  EXPECT_EQ(told.back(), middle);
}

TEST(ClipOffsets, ABoardFoundInEveryOtherPictureIsSaid) {
  BoardsInput input = filmed({.frames = 120}, 1);
  std::erase_if(input.views, [](const BoardView& view) { return view.camera == 1 && view.instant % 2 == 1; });
  const auto found = solve_out_of_step(input, {.half_turned = {}});
  ASSERT_FALSE(found);
  EXPECT_NE(found.error().message().find("60 pictures, but never in three consecutive ones"),
            std::string::npos)
      << found.error().message();
  EXPECT_NE(found.error().message().find("cam2"), std::string::npos);
}

TEST(ClipOffsets, PicturesOfTheOtherClipsAreCountedByTheirOwnFrames) {
  EXPECT_EQ((ClipTiming{.offset_frames = 3.37}).own_frame(40), 43);
  EXPECT_EQ((ClipTiming{.offset_frames = -12.8}).own_frame(40), 27);
  EXPECT_EQ(ClipTiming{}.own_frame(40), 40);
}

// A covariance that takes corners as independent would say a third of it.
TEST(ClipOffsets, DeviationsHoldWhereCornersErrTogether) {
  Clips clips{.offsets = {0, 3.37}, .readouts = {0, 0}, .carried = {}, .frames = 150};
  clips.noise_px = 0.15, clips.together_px = 0.15;
  double square = 0;
  constexpr unsigned kSets = 20;
  for (unsigned seed = 1; seed <= kSets; ++seed) {
    const auto found = solve_out_of_step(filmed(clips, seed), {.half_turned = {}});
    ASSERT_TRUE(found) << found.error().message();
    square += std::pow((found->clips[1].offset_frames - 3.37) / found->clips[1].offset_std_frames, 2) / kSets;
  }
  fmt::print("errors over standard deviations, seeds 1 to {}: {:.2f}\n", kSets, std::sqrt(square));
  EXPECT_LT(std::sqrt(square), 1.4);
  EXPECT_GT(std::sqrt(square), 0.7);
}

TEST(ClipOffsets, ClipsInStepStayInStep) {
  Clips clips;
  clips.offsets = {0, 0, 0};
  const BoardsInput input = filmed(clips, 3);
  const auto found = solve_out_of_step(input, {.half_turned = {}});
  const auto again = solve_out_of_step(input, {.half_turned = {}});
  ASSERT_TRUE(found && again);
  for (size_t c = 1; c < 3; ++c) {
    EXPECT_NEAR(found->clips[c].offset_frames, 0, 4 * found->clips[c].offset_std_frames);
    EXPECT_EQ(found->clips[c].offset_frames, again->clips[c].offset_frames);
  }
}

}  // namespace
}  // namespace vantage
