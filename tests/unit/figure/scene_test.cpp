// The 3-D scene of a figure: people's volume where the eye sees it, films that turn.
#include <gtest/gtest.h>
#include <png.h>

#include <cmath>

#include "core/display/scene_lines.h"
#include "core/image/image_files.h"
#include "core/run/analysis.h"
#include "tests/unit/figure/figure_fixture.h"

namespace vantage {
namespace {

constexpr int kFigure_px = 480, kView_px = 300;  // as high as the view is

class SceneFigureTest : public test::FigureFixture {
 protected:
  FigureOptions scene(const std::string& file, std::set<FigureOverlay> overlays) const {
    FigureOptions wanted = options(file, std::move(overlays));
    wanted.view.kind = FigureKind::scene;
    wanted.view.width_px = kFigure_px;
    return wanted;
  }
  static std::string caption_of(const ExportedFigure& told) {
    std::string text;
    for (const std::string& line : told.caption) text += line + ' ';
    return text;
  }
  ExportedFigure made(const FigureOptions& options) const {
    const auto made = export_figure(options);
    EXPECT_TRUE(made) << made.error().message();
    return made.value_or(ExportedFigure());
  }
  // Red, green and blue, row by row; kFigure_px a row.
  std::vector<uint8_t> pixels(const FigureOptions& options) const {
    (void)made(options);
    png_image png = {};
    png.version = PNG_IMAGE_VERSION;
    EXPECT_NE(png_image_begin_read_from_file(&png, options.out.c_str()), 0);
    png.format = PNG_FORMAT_RGB;
    std::vector<uint8_t> all(PNG_IMAGE_SIZE(png));
    EXPECT_NE(png_image_finish_read(&png, nullptr, all.data(), 0, nullptr), 0);
    return all;
  }
};

// The pixels that only the volume changes are those that its voxels project to.
TEST_F(SceneFigureTest, TheVolumeIsWhereItProjects) {
  SceneFigure from;
  from.azimuth_deg = 3;  // no camera stands before the people there
  const auto drawn = [&](const char* file, std::set<FigureOverlay> overlays) {
    FigureOptions wanted = scene(file, std::move(overlays));
    wanted.view.scene = from;
    return pixels(wanted);
  };
  const auto with = drawn("with.png", {FigureOverlay::volume}), without = drawn("without.png", {});
  ASSERT_GT(with.size(), size_t{3 * kFigure_px * kView_px});
  AnalysisOptions analysis;
  analysis.backends = {&registry_, Device::cpu, {}};
  const Project project = load_project(test::footage()).value();
  const auto chain = Analysis::open(project, analysis).value();
  const FrameResultRef result = chain->pipeline().frame(test::kFigureFrame, {}, {}).value();
  const std::vector<uint32_t> ids = chain->host_shell(*result).value();
  ASSERT_GT(ids.size(), 100U);
  const VoxelGrid& grid = result->volume()->grid;
  OrbitCamera fitted;
  const std::vector<Camera> cameras = project.calibrations();
  frame_scene(floor_area(cameras, &grid), cameras, &fitted);
  const SceneProjection eye = scene_camera(from, fitted, 0).projection(kFigure_px, kView_px);
  std::vector<bool> expected(size_t{kFigure_px * kView_px}), wide = expected;
  for (const uint32_t id : ids) {
    const auto nx = static_cast<uint32_t>(grid.nx), ny = static_cast<uint32_t>(grid.ny);
    const Eigen::Vector3d at(grid.center(0, static_cast<int>(id % nx)),
                             grid.center(1, static_cast<int>(id / nx % ny)),
                             grid.center(2, static_cast<int>(id / nx / ny)));
    const SceneProjection::Pixel pixel = eye.pixel(eye.in_view_m(at));
    const auto mark = [&](std::vector<bool>& where, double radius) {
      for (int y = static_cast<int>(pixel.px.y() - radius); y <= pixel.px.y() + radius; ++y)
        for (int x = static_cast<int>(pixel.px.x() - radius); x <= pixel.px.x() + radius; ++x)
          if (x >= 0 && y >= 0 && x < kFigure_px && y < kView_px) where[y * kFigure_px + x] = true;
    };
    mark(expected, 0);
    mark(wide, pixel.px_per_m * grid.voxel_size_m + 1.5);
  }
  int inside = 0, wanted = 0;
  for (size_t i = 0; i < expected.size(); ++i) {
    const bool differs = !std::equal(&with[3 * i], &with[3 * i] + 3, &without[3 * i]);
    if (differs) EXPECT_TRUE(wide[i]) << i % kFigure_px << ' ' << i / kFigure_px;
    wanted += expected[i];
    inside += expected[i] && differs;
  }
  EXPECT_GT(wanted, 300);
  EXPECT_GT(inside, 0.95 * wanted) << "but where a line lies before it";
}

TEST_F(SceneFigureTest, HeightsHaveAScaleAndPeopleTheirColours) {
  FigureOptions by_height = scene("height.png", {FigureOverlay::volume});
  by_height.view.scene.by_height = true;
  const ExportedFigure told = made(by_height);
  EXPECT_NE(caption_of(told).find("height above the floor"), std::string::npos) << caption_of(told);
  const Image bar = read_png_gray(by_height.out, HostPool::shared()).value();
  const int x = kFigure_px - 84 + 11 + 4, height = static_cast<int>(std::lround(0.625 * (kFigure_px - 84)));
  EXPECT_GT(bar.view<uint8_t>().at(x, 40), 180);
  EXPECT_LT(bar.view<uint8_t>().at(x, height - 30), 80);
  // The first person's orange, which viridis has not; the first camera has it, too.
  const auto orange = [&](const char* file, std::set<FigureOverlay> overlays) {
    const auto drawn = pixels(scene(file, std::move(overlays)));
    int count = 0;
    for (size_t i = 0; i < size_t{3 * kFigure_px * kView_px}; i += 3)
      count += drawn[i] > 120 && drawn[i + 2] < 20 && drawn[i + 1] < 0.75 * drawn[i];
    return count;
  };
  EXPECT_GT(orange("person.png", {FigureOverlay::volume}), orange("empty.png", {}) + 50);
}

TEST_F(SceneFigureTest, ASliceShowsTheConfidence) {
  FigureOptions sliced = scene("slice.png", {});
  sliced.view.scene.slice = CutPlane{2, 1.0};
  const ExportedFigure told = made(sliced);
  EXPECT_NE(caption_of(told).find("Slice at z = 1.00 m"), std::string::npos) << caption_of(told);
  const auto drawn = pixels(sliced);
  int yellow = 0;  // cividis' last colours: where all cameras agree
  for (int y = 0; y < 200; ++y)
    for (int x = 0; x < kFigure_px - 84; ++x) {
      const uint8_t* rgb = &drawn[3 * (y * kFigure_px + x)];
      yellow += rgb[0] > 120 && rgb[1] > 0.8 * rgb[0] && rgb[2] < 90;
    }
  EXPECT_GT(yellow, 20);
  sliced.view.scene.slice = CutPlane{2, 50};
  EXPECT_FALSE(export_figure(sliced));
}

TEST_F(SceneFigureTest, AFilmOfOneFrameTurns) {
  FigureOptions film = scene("F.mp4", {FigureOverlay::volume, FigureOverlay::people});
  film.view.scene.turn_deg = 360, film.view.scene.seconds = 1.2;
  EXPECT_EQ(made(film).frames, 12);
  const auto video = open_video(film.out.string(), {}).value();
  EXPECT_EQ(video->wait_for_frame_count({}).value(), 12);
  // Each picture is the still of its azimuth; half a turn apart they differ.
  const auto still = [&](int picture) {
    FigureOptions one = scene("S.png", film.view.overlays);
    one.view.scene.azimuth_deg = film.view.scene.azimuth_deg + 30 * picture;
    (void)made(one);
    return read_png_gray(one.out, HostPool::shared()).value();
  };
  const auto difference = [&](int picture, const Image& other) {
    EXPECT_TRUE(video->seek(picture));
    const Picture shown = video->read().value().picture;
    const ImageView<const uint8_t> a = shown.plane(0), b = other.view<uint8_t>();
    double sum = 0;
    for (int y = 0; y < kView_px; ++y)
      for (int x = 0; x < kFigure_px; ++x) sum += std::abs((a.at(x, y) - 16) * 255 / 219 - b.at(x, y));
    return sum / (kView_px * kFigure_px);
  };
  for (const int picture : {0, 3, 11}) {
    const Image expected = still(picture);
    const double same = difference(picture, expected), other = difference((picture + 6) % 12, expected);
    EXPECT_LT(same, 3) << picture;
    EXPECT_GT(other, 2 * same) << picture;
  }
}

TEST_F(SceneFigureTest, AFilmOfASpanTurnsWhileItPlays) {
  FigureOptions film = scene("F.mp4", {FigureOverlay::people});
  film.frames = {4, 12};
  film.view.scene.turn_deg = -90;
  const ExportedFigure told = made(film);
  EXPECT_EQ(told.frames, 8);
  EXPECT_NE(caption_of(told).find("turning by -90\u00b0"), std::string::npos) << caption_of(told);
  EXPECT_EQ(told.caption[0], "hall, scene, frame 4 (0.40 s)");
}

TEST_F(SceneFigureTest, WhatCannotBeDrawnIsSaid) {
  const auto says = [&](const FigureOptions& wanted, const char* words) {
    const auto made = export_figure(wanted);
    EXPECT_FALSE(made) << words;
    if (!made) EXPECT_NE(made.error().message().find(words), std::string::npos) << made.error().message();
  };
  FigureOptions wanted = scene("F.png", {FigureOverlay::mask});
  says(wanted, "mask");
  wanted = scene("F.png", {});
  wanted.view.scene.turn_deg = 90;
  says(wanted, "does not turn");
  wanted = scene("F.png", {});
  wanted.view.scene.elevation_deg = 95;
  says(wanted, "elevation");
  wanted = scene("F.png", {});
  wanted.view.scene.distance_m = 0;
  says(wanted, "distance");
  wanted = scene("F.png", {});
  wanted.project.cameras[0].calibration.reset();
  says(wanted, "without a calibration");
  EXPECT_TRUE(left_nothing());
}

}  // namespace
}  // namespace vantage
