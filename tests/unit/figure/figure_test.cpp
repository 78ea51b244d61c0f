// A figure shows what the chain found, at the size that was asked for, and is there whole or not at all.
#include "core/export/figure/figure.h"

#include <gtest/gtest.h>

#include <cstdio>

#include "core/algorithms.h"
#include "core/base/file.h"
#include "core/geometry/camera.h"
#include "core/run/analysis.h"
#include "tests/unit/figure/figure_fixture.h"

namespace vantage {
namespace {

namespace fs = std::filesystem;

using test::footage;
constexpr int kWidth_px = test::kPicture_px, kHeight_px = test::kPictureHeight_px;
constexpr int64_t kFrame = test::kFigureFrame;

class FigureTest : public test::FigureFixture {
 protected:
  FigureOptions plan(const std::string& file) const {
    FigureOptions plan = options(file, default_figure_overlays(FigureKind::plan));
    plan.view.kind = FigureKind::plan;
    plan.view.width_px = 640;
    return plan;
  }
};

TEST_F(FigureTest, TheMaskIsWhatTheChainFound) {
  const Image bare = luma(options("bare.png", {})), masked = luma(options("mask.png", {FigureOverlay::mask}));
  AnalysisOptions analysis;
  analysis.backends = {&registry_, Device::cpu, {}};
  const auto chain = Analysis::open(load_project(footage()).value(), analysis).value();
  const FrameResultRef result = chain->pipeline().frame(kFrame, {}, {}).value();
  const Image mask = result->foreground()->host_masks.get().value()[0];
  const ImageView<const uint8_t> pixels = mask.view<uint8_t>(), a = bare.view<uint8_t>(),
                                 b = masked.view<uint8_t>();
  ASSERT_EQ(a.width, kWidth_px);
  const auto all_near = [&](int x, int y, bool wanted) {
    for (int j = -3; j <= 3; ++j)
      for (int i = -3; i <= 3; ++i)
        if ((pixels.at(x + i, y + j) != 0) != wanted) return false;
    return true;
  };
  constexpr double kTintLuma = 0.299 * 0x56 + 0.587 * 0xb4 + 0.114 * 0xe9;
  int inside = 0, outside = 0;
  for (int y = 3; y < kHeight_px - 3; ++y)
    for (int x = 3; x < kWidth_px - 3; ++x) {
      if (all_near(x, y, true)) {
        ++inside;
        EXPECT_NEAR(b.at(x, y), 0.65 * a.at(x, y) + 0.35 * kTintLuma, 2) << x << ' ' << y;
      } else if (all_near(x, y, false)) {
        ++outside;
        EXPECT_EQ(b.at(x, y), a.at(x, y)) << x << ' ' << y;
      }
    }
  EXPECT_GT(inside, 50);
  EXPECT_GT(outside, 1000);
}

TEST_F(FigureTest, TwiceTheSameBytes) {
  const FigureOptions first = plan("a.png"), second = plan("b.png");
  ASSERT_TRUE(export_figure(first));
  ASSERT_TRUE(export_figure(second));
  const std::string bytes = read_file(first.out).value();
  EXPECT_GT(bytes.size(), 1000U);
  EXPECT_EQ(bytes, read_file(second.out).value());
}

// Cameras are drawn as they stand at the frame.
TEST_F(FigureTest, ABumpedCameraIsDrawnWhereItStandsThen) {
  for (const FigureKind kind : {FigureKind::plan, FigureKind::scene}) {
    FigureOptions before = options("before.png", {}), bumped = options("bumped.png", {}),
                  moved = options("moved.png", {});
    for (FigureOptions* figure : {&before, &bumped, &moved})
      figure->view.kind = kind, figure->view.width_px = 640;
    CameraChange change = CameraChange::Zero();
    change[1] = 0.4;
    const Camera& first = *before.project.cameras[0].calibration;
    if (kind == FigureKind::plan)  // into what the plan shows; a scene is fitted to where cameras stand first
      change.segment<3>(3) = -first.center_in_world_m();
    const Camera now = *changed_camera(first, change);
    before.project.cameras[0].later_calibrations = {{test::kFigureFrame + 1, now}};
    bumped.project.cameras[0].later_calibrations = {{test::kFigureFrame, now}};
    moved.project.cameras[0].calibration = now;
    for (const FigureOptions* figure : {&before, &bumped, &moved}) ASSERT_TRUE(export_figure(*figure));
    EXPECT_EQ(read_file(bumped.out).value(), read_file(moved.out).value());
    EXPECT_NE(read_file(bumped.out).value(), read_file(before.out).value());
    for (const FigureOptions* figure : {&before, &bumped, &moved}) std::filesystem::remove(figure->out);
  }
}

TEST_F(FigureTest, OverlaysOfThePlanAreDrawnOnlyWhereAskedFor) {
  FigureOptions wanted = plan("all.png");
  const Image all = luma(wanted);
  EXPECT_EQ(all.width(), 640);
  wanted.out = folder_.path() / "without.png";
  wanted.view.overlays.erase(FigureOverlay::people);
  const Image without = luma(wanted);
  int different = 0;
  for (int y = 0; y < std::min(all.height(), without.height()); ++y)
    for (int x = 0; x < all.width(); ++x)
      different += all.view<uint8_t>().at(x, y) != without.view<uint8_t>().at(x, y);
  EXPECT_GT(different, 100);
}

TEST_F(FigureTest, TheCaptionSaysWhatDiffersFromTheDefaults) {
  FigureOptions wanted = options("F.png", {FigureOverlay::mask});
  wanted.project.parameters = default_parameters();
  const auto caption_of = [&] {
    const auto made = export_figure(wanted);
    EXPECT_TRUE(made) << made.error().message();
    std::string text;
    if (made)
      for (const std::string& line : made->caption) text += line + ' ';
    return text;
  };
  std::string caption = caption_of();
  EXPECT_NE(caption.find("All parameters are at their defaults."), std::string::npos) << caption;
  EXPECT_NE(caption.find("hall, cam1, frame 12 (1.20 s)"), std::string::npos) << caption;
  ASSERT_TRUE(set_from_text(&wanted.project, "carving.threshold=0.61"));
  wanted.variant = "strict";
  caption = caption_of();
  EXPECT_NE(caption.find("carving.threshold\u00a0=\u00a00.61"), std::string::npos) << caption;
  EXPECT_NE(caption.find("Variant strict."), std::string::npos) << caption;
}

TEST_F(FigureTest, AFilmHasTheFramesOfItsSpan) {
  FigureOptions film = plan("F.mp4");
  film.frames = {5, 11};
  const auto made = export_figure(film);
  ASSERT_TRUE(made) << made.error().message();
  EXPECT_EQ(made->frames, 6);
  const auto video = open_video(film.out.string(), {});
  ASSERT_TRUE(video) << video.error().message();
  EXPECT_EQ((*video)->wait_for_frame_count({}).value(), 6);
  EXPECT_EQ((*video)->info().width_px, made->width_px);
  EXPECT_EQ((*video)->info().height_px, made->height_px);
  EXPECT_DOUBLE_EQ((*video)->info().frame_rate, 10);
}

TEST_F(FigureTest, AStoppedFilmLeavesWhatWasThere) {
  FigureOptions film = plan("F.mp4");
  film.frames = {0, 20};
  ASSERT_TRUE(write_file_atomically(film.out, "an older film"));
  film.progress = [&](int64_t done, int64_t) {
    if (done == 4) film.stop.request_stop();
  };
  const auto made = export_figure(film);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().kind, ErrorKind::cancelled);
  EXPECT_EQ(read_file(film.out).value(), "an older film");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path()), fs::directory_iterator()), 1);
}

TEST_F(FigureTest, TheHeightMapHasItsScale) {
  FigureOptions wanted = options("F.png", default_figure_overlays(FigureKind::height_map));
  wanted.view.kind = FigureKind::height_map;
  wanted.view.width_px = 480;
  ASSERT_TRUE(set_from_text(&wanted.project, "heightmap.iterations=10"));
  const Image drawn = luma(wanted);
  EXPECT_EQ(drawn.width(), 480);
  // From dark below to bright above, in the column at the right.
  const ImageView<const uint8_t> pixels = drawn.view<uint8_t>();
  const int x = 480 - 84 + 11 + 4, view_height = (480 - 84) * kHeight_px / kWidth_px;
  EXPECT_GT(pixels.at(x, 40), 180);
  EXPECT_LT(pixels.at(x, view_height - 30), 80);
}

TEST_F(FigureTest, WhatOnlyOneVariantHasIsToldInColourAndWords) {
  FigureOptions wanted = options("same.png", {FigureOverlay::mask, FigureOverlay::people});
  wanted.view.width_px = 640;
  wanted.second = {"same", wanted.project.parameters, FigureComparison::difference};
  const auto caption_of = [&] {
    const auto made = export_figure(wanted);
    EXPECT_TRUE(made) << made.error().message();
    return made ? made->caption : std::vector<std::string>(4);
  };
  auto caption = caption_of();
  EXPECT_EQ(caption[1], "People: 0 only A, 0 only B, 0 apart.");
  EXPECT_EQ(caption[2], "Foreground: 0.00\u00a0% only A, 0.00\u00a0% only B.");
  // Nobody is that tall, and a mask of all that differs a little has more.
  Project other = wanted.project;
  ASSERT_TRUE(set_from_text(&other, "people.min_height_m=2"));
  ASSERT_TRUE(set_from_text(&other, "foreground.distance_high=2"));
  ASSERT_TRUE(set_from_text(&other, "foreground.distance_low=2"));
  wanted.second = {"loose", other.parameters, FigureComparison::difference};
  wanted.out = folder_.path() / "difference.png";
  caption = caption_of();
  EXPECT_EQ(caption[1], "People: 2 only A, 0 only B, 0 apart.");
  double only_first = -1, only_second = -1;
  ASSERT_EQ(std::sscanf(caption[2].c_str(), "Foreground: %lf\u00a0%% only A, %lf\u00a0%%", &only_first,
                        &only_second),
            2)
      << caption[2];
  EXPECT_GT(only_second, only_first);
  const auto says = [&](const char* words) {
    for (const std::string& line : caption)
      if (line.find(words) != std::string::npos) return true;
    return false;
  };
  EXPECT_TRUE(says("A: the project. B: variant loose. Blue: only A has it"));
  EXPECT_TRUE(says("B: Other than by default:"));
  EXPECT_NE(read_file(folder_.path() / "same.png").value(), read_file(wanted.out).value());
  // Side by side: the left half is A's alone.
  wanted.second->how = FigureComparison::side_by_side;
  wanted.out = folder_.path() / "both.png";
  const Image both = luma(wanted);
  const int half = 318, height = half * kHeight_px / kWidth_px;
  EXPECT_EQ(both.width(), 640);
  EXPECT_LT(both.height(), 2 * height);
  wanted.second->parameters = wanted.project.parameters;
  wanted.second->variant = "same";
  wanted.out = folder_.path() / "twice.png";
  const Image twice = luma(wanted);
  int differing_left = 0, differing_right = 0;
  for (int y = 20; y < height - 2; ++y)
    for (int x = 0; x < half; ++x) {
      differing_left += both.view<uint8_t>().at(x, y) != twice.view<uint8_t>().at(x, y);
      differing_right += both.view<uint8_t>().at(x + 322, y) != twice.view<uint8_t>().at(x + 322, y);
    }
  // The same parameters make the same halves, but for their names.
  int unequal = 0;
  for (int y = 30; y < height - 2; ++y)
    for (int x = 0; x < half; ++x)
      unequal += twice.view<uint8_t>().at(x, y) != twice.view<uint8_t>().at(x + 322, y);
  EXPECT_EQ(unequal, 0);
  EXPECT_GT(differing_right, 500);
  EXPECT_GT(differing_left, 50) << "A's people differ from B's, and are coloured";
  EXPECT_GT(differing_right, differing_left);
}

TEST_F(FigureTest, AFilmComparesFrameByFrame) {
  FigureOptions film = plan("F.mp4");
  film.frames = {3, 7};
  film.second = {"same", film.project.parameters, FigureComparison::side_by_side};
  const auto made = export_figure(film);
  ASSERT_TRUE(made) << made.error().message();
  EXPECT_EQ(made->frames, 4);
  EXPECT_EQ(made->caption[1], "People: 0 only A, 0 only B, 0 apart.");
}

TEST_F(FigureTest, WhatCannotBeDrawnIsSaid) {
  const auto says = [&](const FigureOptions& wanted, const char* words) {
    const auto made = export_figure(wanted);
    EXPECT_FALSE(made) << words;
    if (!made) EXPECT_NE(made.error().message().find(words), std::string::npos) << made.error().message();
  };
  FigureOptions wanted = options("F.png", {FigureOverlay::floor_map});
  says(wanted, "floor_map");
  wanted = options("F.gif", {});
  says(wanted, "F.gif");
  wanted = options("F.png", {});
  wanted.frames = {3, 7};
  says(wanted, "one frame");
  wanted.frames = {900, 901};
  says(wanted, "has only 20 frames");
  wanted.frames = {7, 7};
  says(wanted, "no frame");
  wanted = options("F.png", {});
  wanted.view.width_px = 321;
  says(wanted, "321 px");
  wanted = options("F.png", {});
  wanted.view.camera = 3;
  says(wanted, "no such camera");
  wanted = options("F.png", {FigureOverlay::people});
  wanted.project.cameras[1].calibration.reset();
  says(wanted, "without a calibration");
  wanted = options("F.png", {FigureOverlay::floor});
  wanted.second = {"other", wanted.project.parameters, FigureComparison::difference};
  says(wanted, "nothing that is compared");
  wanted = options("nowhere/F.png", {});
  says(wanted, "nowhere");
  EXPECT_TRUE(left_nothing());
}

}  // namespace
}  // namespace vantage
