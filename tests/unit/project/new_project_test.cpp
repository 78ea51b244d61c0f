#include "core/project/new_project.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "core/base/file.h"
#include "core/calibration/formats/calibration.h"
#include "tests/support/data.h"

namespace vantage {
namespace {

Camera some_camera(const std::string& name, int width_px, int height_px) {
  PinholeCamera<double> model;
  model.width_px = width_px, model.height_px = height_px;
  model.fx_px = 500, model.fy_px = 510;
  model.cx_px = width_px / 2.0, model.cy_px = height_px / 2.0;
  return Camera::make(name, model).value();
}

NewCamera some_video(const std::string& path, int width_px, int height_px) {
  NewCamera camera;
  camera.video = path;
  camera.info.width_px = width_px, camera.info.height_px = height_px;
  return camera;
}

TEST(NewProject, ReadsTheCamerasOfAFile) {
  const test::TemporaryFolder folder;
  const std::string file = (folder.path() / "calibration.json").string();
  ASSERT_TRUE(
      write_file_atomically(file, calibration_to_json({some_camera("a", 64, 48), some_camera("b", 64, 48)})));
  const auto cameras = read_calibrated_cameras(file, {}, 64, 48);
  ASSERT_TRUE(cameras) << cameras.error().message();
  ASSERT_EQ(cameras->size(), 2u);
  EXPECT_EQ((*cameras)[1].camera.name(), "b");
  EXPECT_EQ((*cameras)[1].file, file);
  EXPECT_FALSE((*cameras)[1].alone_in_file);
  EXPECT_EQ((*cameras)[1].source(), "Vantage JSON " + file + ": metres, z up");
  EXPECT_FALSE(read_calibrated_cameras((folder.path() / "none.json").string(), {}, 64, 48));
}

TEST(NewProject, CamerasOfOneFolderAreListedOnce) {
  const auto from = [](const std::string& file, const Camera& camera) {
    return CalibratedCamera{camera, file, "EasyMocap YAML", "", false};
  };
  const Camera a = some_camera("a", 64, 48), b = some_camera("b", 64, 48), wide = some_camera("a", 128, 48);
  const std::vector<CalibratedCamera> listed = {from("x/intri.yml", a), from("x/intri.yml", b)};
  EXPECT_TRUE(are_listed({from("x/extri.yml", a), from("x/extri.yml", b)}, listed));
  EXPECT_FALSE(are_listed({from("x/extri.yml", wide)}, listed)) << "another camera of that name";
  EXPECT_FALSE(are_listed({from("y/extri.yml", a)}, listed)) << "another folder's";
  EXPECT_FALSE(are_listed({from("x/extri.yml", some_camera("c", 64, 48))}, listed));
}

TEST(NewProject, AnotherPictureSizeIsNeverFittedUnasked) {
  const Camera camera = some_camera("cam1", 1280, 960);
  EXPECT_TRUE(fit_to_picture(camera, 1280, 960, {}));
  const auto unsaid = fit_to_picture(camera, 640, 480, {});
  ASSERT_FALSE(unsaid);
  EXPECT_NE(unsaid.error().message().find("640x480"), std::string::npos);
  EXPECT_FALSE(fit_to_picture(camera, 640, 480, {PictureFit::Kind::cropped, 700, 0})) << "beyond the picture";
}

// A point's pixel moves as the picture's pixels do: pixel centres of a scaled picture are at (x + 0.5) * s -
// 0.5.
TEST(NewProject, ScaledAndCroppedMovePixelsAsThePictureDoes) {
  const Camera camera = some_camera("cam1", 1280, 960);
  const auto scaled = fit_to_picture(camera, 640, 480, {PictureFit::Kind::scaled});
  ASSERT_TRUE(scaled);
  EXPECT_DOUBLE_EQ(scaled->model().fx_px, 250);
  EXPECT_DOUBLE_EQ(scaled->model().cx_px, (640 + 0.5) / 2 - 0.5);
  const auto cropped = fit_to_picture(camera, 1000, 960, {PictureFit::Kind::cropped, 140, 0});
  ASSERT_TRUE(cropped);
  EXPECT_DOUBLE_EQ(cropped->model().fx_px, 500);
  EXPECT_DOUBLE_EQ(cropped->model().cx_px, 500);
  EXPECT_EQ(cropped->width_px(), 1000);
}

TEST(NewProject, GuessesWhatHappenedToThePicture) {
  const Camera camera = some_camera("cam1", 1280, 960);
  EXPECT_EQ(guess_fit(camera, 640, 480).likely, LikelyFit::scaled);
  EXPECT_DOUBLE_EQ(guess_fit(camera, 640, 480).factor, 0.5);
  const FitGuess cropped = guess_fit(camera, 1280, 720);
  EXPECT_EQ(cropped.likely, LikelyFit::cropped);
  EXPECT_EQ(cropped.fit.y_px, 120);
  EXPECT_EQ(guess_fit(camera, 960, 1280).likely, LikelyFit::turned);
  EXPECT_EQ(guess_fit(camera, 1920, 1080).likely, LikelyFit::another_camera);
}

TEST(NewProject, NamesCamerasAndKeepsWhatWasChosen) {
  std::vector<NewCamera> cameras = {some_video("/a/left.mp4", 640, 480), some_video("/b/left.mp4", 64, 48),
                                    some_video("/c/right.mp4", 64, 48)};
  cameras[0].calibration = CalibratedCamera{some_camera("C1", 1280, 960), "f", "F", "s", true};
  cameras[0].fit = {PictureFit::Kind::scaled};
  cameras[1].frame_rate = 29.97;
  cameras[2].background = "/c/empty.mp4";
  const auto project = assemble_project(cameras);
  ASSERT_TRUE(project) << project.error().message();
  EXPECT_EQ(project->cameras[0].name, "C1");
  EXPECT_EQ(project->cameras[1].name, "left");
  EXPECT_EQ(project->cameras[2].name, "right");
  EXPECT_EQ(project->cameras[0].calibration->width_px(), 640);
  EXPECT_EQ(project->cameras[1].frame_rate, 29.97);
  EXPECT_EQ(project->cameras[2].background, "/c/empty.mp4");
  EXPECT_FALSE(project->calibrated());
  cameras[0].fit = {};
  EXPECT_FALSE(assemble_project(cameras)) << "another size without a word about it";
  EXPECT_FALSE(assemble_project({}));
}

TEST(NewProject, ClipsHaveTheirVideosSize) {
  VideoInfo clip, video;
  clip.width_px = video.width_px = 64, clip.height_px = video.height_px = 48;
  EXPECT_TRUE(check_background("empty.mp4", clip, "cam1.mp4", video));
  clip.width_px = 32;
  EXPECT_FALSE(check_background("empty.mp4", clip, "cam1.mp4", video));
}

// A point moves as the picture turns, for every lens.
TEST(FitToPicture, ATurnedPictureShowsThePointsTurned) {
  PinholeCamera<double> model;
  model.width_px = 640, model.height_px = 480;
  model.fx_px = 500, model.fy_px = 510, model.cx_px = 330, model.cy_px = 235;
  model.k1 = -0.2, model.k2 = 0.03, model.p1 = 0.004, model.p2 = -0.003;
  model.lens = LensModel::rational;
  model.s1 = 0.002, model.s2 = -0.001, model.s3 = 0.003, model.s4 = 0.0005;
  const double c = std::cos(0.3), s = std::sin(0.3);
  const double rotation[9] = {c, 0, s, 0, 1, 0, -s, 0, c};
  std::copy(std::begin(rotation), std::end(rotation), model.rotation_cam_from_world);
  model.translation_cam_from_world_m[0] = 0.2, model.translation_cam_from_world_m[2] = 4;
  const Camera camera = *Camera::make("cam", model);
  const auto right = fit_to_picture(camera, 480, 640, {PictureFit::Kind::turned_right});
  const auto left = fit_to_picture(camera, 480, 640, {PictureFit::Kind::turned_left});
  ASSERT_TRUE(right && left);
  for (const auto& [x, y, z] :
       std::vector<std::array<double, 3>>{{0.3, 0.4, 0.1}, {-0.5, 0.7, 0.2}, {0, 0, 0}}) {
    const Pixel<double> before = project(camera.model(), x, y, z);
    const Pixel<double> clockwise = project(right->model(), x, y, z), other = project(left->model(), x, y, z);
    EXPECT_NEAR(clockwise.x, 479 - before.y, 1e-9);
    EXPECT_NEAR(clockwise.y, before.x, 1e-9);
    EXPECT_NEAR(other.x, before.y, 1e-9);
    EXPECT_NEAR(other.y, 639 - before.x, 1e-9);
  }
  EXPECT_FALSE(fit_to_picture(camera, 640, 480 + 1, {PictureFit::Kind::turned_right}));
}

TEST(FitToPicture, SqueezedPicturesAreScaledNotCropped) {
  PinholeCamera<double> model;
  model.width_px = 1440, model.height_px = 1080;
  const Camera camera = *Camera::make("cam", model);
  EXPECT_EQ(guess_fit(camera, 720, 1080, 2).likely, LikelyFit::scaled);
  EXPECT_TRUE(guess_fit(camera, 720, 1080, 2).squeezed);
  EXPECT_EQ(guess_fit(camera, 720, 1080, 1).likely, LikelyFit::cropped);
  EXPECT_EQ(guess_fit(camera, 720, 576, 16.0 / 15).likely, LikelyFit::scaled);
  EXPECT_EQ(guess_fit(camera, 720, 576, 64.0 / 45).likely, LikelyFit::cropped);
}

}  // namespace
}  // namespace vantage
