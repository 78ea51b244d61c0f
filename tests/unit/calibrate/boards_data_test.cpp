// Real boards. Limits: RMS of references solved with OpenCV and SciPy on the same pictures, plus 2 %.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include "core/calibration/formats/calibration.h"
#include "core/calibration/solve/board_detector.h"
#include "core/calibration/solve/board_solve.h"
#include "core/video/video_source.h"
#include "tests/support/data.h"

namespace vantage {
namespace {

constexpr double kAllowed = 1.02;

std::vector<Picture> pictures_of(const std::filesystem::path& path, size_t count) {
  std::vector<Picture> pictures;
  const auto source = open_video(path.string(), {});
  if (!source) return pictures;
  while (pictures.size() < count) {
    const auto frame = (*source)->read();
    if (!frame) break;
    if (frame->picture) pictures.push_back(frame->picture);
  }
  return pictures;
}

// Board and cameras rest: noise and compression fall out.
std::vector<uint8_t> mean_of(const std::vector<Picture>& pictures) {
  std::vector<uint8_t> mean;
  for (int y = 0; y < pictures[0].height(); ++y)
    for (int x = 0; x < pictures[0].width(); ++x) {
      size_t sum = pictures.size() / 2;
      for (const Picture& picture : pictures) sum += picture.plane(0).at(x, y);
      mean.push_back(static_cast<uint8_t>(sum / pictures.size()));
    }
  return mean;
}

TEST(RealBoards, OverexposedBoardOnTheFloorWithTheLensHeld) {
  VANTAGE_NEED_DATA(folder, "uu-voxel-1p");
  BoardsInput input{.boards = {Board{8, 6, 0.115}}, .cameras = {}, .views = {}, .lens_views = {}};
  for (int c = 0; c < 4; ++c) {
    const std::string name = "cam" + std::to_string(c + 1);
    const auto pictures = pictures_of(folder / name / "checkerboard.avi", 100);
    ASSERT_FALSE(pictures.empty());
    CalibrationOptions options;
    options.unit_scale_m = 0.115, options.width_px = pictures[0].width(),
    options.height_px = pictures[0].height();
    const auto given = read_calibration(folder / name / "config.xml", options);
    ASSERT_TRUE(given) << given.error().message();
    BoardCamera camera{.name = name,
                       .width_px = pictures[0].width(),
                       .height_px = pictures[0].height(),
                       .given = given->cameras[0]};
    camera.given_pose = true;
    input.cameras.push_back(camera);
    const std::vector<uint8_t> gray = mean_of(pictures);
    const auto corners =
        find_board({gray.data(), camera.width_px, camera.height_px, static_cast<size_t>(camera.width_px)},
                   input.boards[0]);
    ASSERT_TRUE(corners) << name;
    input.views.push_back({c, 0, *corners});
  }
  const auto solution = solve_boards(input, {.half_turned = {}, .cross_validate = true});
  ASSERT_TRUE(solution) << solution.error().message();
  EXPECT_FALSE(solution->cross_validation);  // one picture a camera has no halves
  const int corners[] = {37, 48, 48, 43};
  const double rms_px[] = {0.82, 0.39, 0.21, 0.92};
  for (size_t c = 0; c < 4; ++c) {
    const CameraSolution& camera = solution->cameras[c];
    fmt::print("{}: {} corners, RMS {:.3f} px\n", camera.camera.name(), camera.corners, camera.rms_px);
    EXPECT_GE(camera.corners, corners[c]);
    EXPECT_LE(camera.rms_px, rms_px[c] * kAllowed);
  }
}

TEST(RealBoards, LensesFromPictures) {
  VANTAGE_NEED_DATA(folder, "pose2sim/calib-images/intrinsics");
  const double rms_px[] = {0.226, 0.207, 0.220, 0.221}, focal_px[] = {1674.2, 1675.7, 1676.6, 1672.9};
  BoardsInput input{.boards = {Board{4, 7, 0.06}}, .cameras = {}, .views = {}, .lens_views = {}};
  for (int c = 0; c < 4; ++c) {
    BoardCamera camera{.name = "cam0" + std::to_string(c + 1), .given = {}};
    int64_t number = 0;
    for (const Picture& picture : pictures_of(folder / camera.name, 100)) {
      camera.width_px = picture.width(), camera.height_px = picture.height();
      if (const auto corners = find_board(picture.plane(0), input.boards[0])) {
        EXPECT_GE(corners->size(), 24u);
        input.lens_views.push_back({c, number, *corners});
      }
      ++number;
    }
    input.cameras.push_back(camera);
  }
  const auto solution = solve_boards(input, {.half_turned = {}, .cross_validate = true});
  ASSERT_TRUE(solution) << solution.error().message();
  ASSERT_TRUE(solution->cross_validation);
  fmt::print("{}\n", solution->cross_validation->text());
  for (size_t c = 0; c < 4; ++c) {
    const CameraSolution& camera = solution->cameras[c];
    const PinholeCamera<double>& m = camera.camera.model();
    fmt::print("{}: {} pictures, {} corners, RMS {:.3f} px, fx {:.1f} +- {:.1f}, fy {:.1f} +- {:.1f} px\n",
               camera.camera.name(), camera.pictures, camera.corners, camera.rms_px, m.fx_px,
               camera.lens_std[0], m.fy_px, camera.lens_std[1]);
    EXPECT_TRUE(camera.held.empty());
    EXPECT_LE(camera.rms_px, rms_px[c] * kAllowed);
    EXPECT_NEAR(m.fx_px, focal_px[c], 4);
    EXPECT_NEAR(m.fy_px, focal_px[c], 4);
    const CrossValidatedCamera& tried = solution->cross_validation->cameras[c];
    fmt::print("  on the other half's pictures RMS {:.3f} px, expected {:.3f}\n", tried.held_out_rms_px,
               tried.expected_rms_px);
    EXPECT_NEAR(tried.held_out_rms_px / tried.expected_rms_px, 1.05, 0.25);
  }
}

}  // namespace
}  // namespace vantage
