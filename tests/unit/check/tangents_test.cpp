// Outlines of rendered people and of the hand-drawn masks, with sound and with turned cameras.
#include "core/check/detail/tangents.h"

#include <gtest/gtest.h>

#include "core/synth/detail/pixel_truth.h"
#include "core/synth/detail/scene.h"
#include "tests/support/data.h"
#include "tests/support/uu_voxel.h"

namespace vantage {
namespace {

// Four cameras, four people, five moments, exact masks.
struct Rendered {
  std::vector<Camera> cameras;
  std::vector<std::vector<Image>> moments;
};

Rendered render(int cameras) {
  SynthOptions options;
  options.cameras = cameras;
  options.people = 4;
  options.width_px = 320;
  options.height_px = 240;
  options.seed = 31;
  const synth::Scene scene = synth::make_scene(options).value();
  Rendered rendered{scene.cameras, {}};
  for (int moment = 0; moment < 5; ++moment) {
    std::vector<Image>& masks = rendered.moments.emplace_back();
    for (const Camera& camera : scene.cameras) {
      const auto view = synth::CameraView::make(camera).value();
      synth::PixelTruth truth(view);
      truth.draw(synth::pose_people(scene, 4.0 * moment));
      masks.push_back(truth.mask().value());
    }
  }
  return rendered;
}

// About its own vertical axis.
Camera turned(const Camera& camera, double degrees) {
  const Eigen::Matrix3d turn =
      Eigen::AngleAxisd(degrees * M_PI / 180, Eigen::Vector3d::UnitY()).toRotationMatrix();
  const Eigen::Matrix3d rotation = turn * camera.rotation_cam_from_world();
  const Eigen::Vector3d translation = -rotation * camera.center_in_world_m();
  PinholeCamera<double> model = camera.model();
  for (int r = 0; r < 3; ++r) {
    model.translation_cam_from_world_m[r] = translation[r];
    for (int c = 0; c < 3; ++c) model.rotation_cam_from_world[3 * r + c] = rotation(r, c);
  }
  return Camera::make(camera.name(), model).value();
}

TangentErrors errors_of(const std::vector<Camera>& cameras, const std::vector<std::vector<Image>>& moments,
                        const VoxelGrid& grid) {
  const double stray_px = 0.05 * cameras[0].width_px();
  TangentErrors errors(cameras, stray_px);
  for (const auto& masks : moments) errors.add(common_silhouettes(cameras, grid, masks, stray_px));
  return errors;
}

const VoxelGrid room{{-3, -3, 0}, 0.1, 60, 60, 22};

TEST(Tangents, OfExactMasksFitToAPixel) {
  const Rendered rendered = render(4);
  const TangentErrors errors = errors_of(rendered.cameras, rendered.moments, room);
  EXPECT_FALSE(errors.wrong_camera());
  for (size_t c = 0; c < 4; ++c) {
    EXPECT_EQ(errors.split(c).pairs_with + errors.split(c).pairs_without, 6);
    EXPECT_LT(errors.split(c).with_px, 1) << "camera " << c;
  }
}

TEST(Tangents, NameTheTurnedCamera) {
  const Rendered rendered = render(4);
  for (size_t wrong = 0; wrong < 4; ++wrong) {
    SCOPED_TRACE(wrong);
    std::vector<Camera> cameras = rendered.cameras;
    cameras[wrong] = turned(cameras[wrong], 4);
    const TangentErrors errors = errors_of(cameras, rendered.moments, room);
    ASSERT_TRUE(errors.wrong_camera());
    EXPECT_EQ(*errors.wrong_camera(), wrong);
    EXPECT_LT(errors.split(wrong).without_px, 1);
  }
}

TEST(Tangents, SpecksElsewhereDoNotMatter) {
  Rendered rendered = render(4);
  const double before = errors_of(rendered.cameras, rendered.moments, room).split(0).with_px;
  for (std::vector<Image>& masks : rendered.moments)
    for (int y = 200; y < 206; ++y)
      for (int x = 280; x < 290; ++x) masks[0].writable_view<uint8_t>().at(x, y) = 255;
  EXPECT_NEAR(errors_of(rendered.cameras, rendered.moments, room).split(0).with_px, before, 0.05);
}

TEST(Tangents, ThreeCamerasCannotTellWhichIsWrong) {
  const Rendered rendered = render(3);
  std::vector<Camera> cameras = rendered.cameras;
  cameras[1] = turned(cameras[1], 4);
  const TangentErrors errors = errors_of(cameras, rendered.moments, room);
  EXPECT_FALSE(errors.wrong_camera());
  EXPECT_GT(errors.split(1).with_px, errors.split(1).without_px);
}

// The inaccurate calibration of the real recording: by the hand-drawn outlines of one moment the third camera
// is the one that does not fit.
TEST(Tangents, RealRecording) {
  VANTAGE_NEED_DATA(folder, "uu-voxel-1p");
  const std::vector<Image> masks = test::uu_voxel_masks(folder);
  const VoxelGrid seat{{-1, -1, 0}, 0.08, 32, 32, 24};
  const TangentErrors good = errors_of(test::uu_voxel_cameras(folder), {masks}, seat);
  EXPECT_FALSE(good.wrong_camera());
  for (size_t c = 0; c < 4; ++c) EXPECT_LT(good.split(c).with_px, good.limit_px());

  const VoxelGrid larger{{-1.5, -1.5, 0}, 0.1, 36, 36, 24};
  const TangentErrors bad = errors_of(test::uu_voxel_inaccurate_cameras(folder), {masks}, larger);
  ASSERT_TRUE(bad.wrong_camera());
  EXPECT_EQ(*bad.wrong_camera(), 2u);
}

}  // namespace
}  // namespace vantage
