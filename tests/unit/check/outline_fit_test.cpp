// Outlines of rendered people, with sound cameras and with one that stands otherwise than calibrated.
#include "core/check/outline_fit.h"

#include <gtest/gtest.h>

#include <map>
#include <tuple>

#include "core/check/footage_agreement.h"
#include "core/synth/detail/pixel_truth.h"
#include "core/synth/detail/scene.h"

namespace vantage {
namespace {

// Four people, twelve instants, exact masks.
struct Rendered {
  std::vector<Camera> cameras;
  std::vector<std::vector<Image>> moments;
};

Rendered make_rendered(int cameras) {
  SynthOptions options;
  options.cameras = cameras;
  options.people = 4;
  options.width_px = 640;
  options.height_px = 480;
  options.seed = 31;
  const synth::Scene scene = synth::make_scene(options).value();
  Rendered rendered{scene.cameras, {}};
  for (int moment = 0; moment < 12; ++moment) {
    std::vector<Image>& masks = rendered.moments.emplace_back();
    for (const Camera& camera : scene.cameras) {
      const auto view = synth::CameraView::make(camera).value();
      synth::PixelTruth truth(view);
      truth.draw(synth::pose_people(scene, 1.6 * moment));
      masks.push_back(truth.mask().value());
    }
  }
  return rendered;
}

// Once for all tests of a number of cameras.
const Rendered& render(int cameras) {
  static std::map<int, Rendered> known;
  if (!known.contains(cameras)) known[cameras] = make_rendered(cameras);
  return known[cameras];
}

const VoxelGrid kRoom{{-3, -3, 0}, 0.1, 60, 60, 22};

OutlineReport report_of(const std::vector<Camera>& cameras, const std::vector<std::vector<Image>>& moments) {
  return outline_report({cameras, kRoom, moments, true, {}});
}

// Along the camera's own axis (0 to 2), or the change itself (turns, focal length).
Camera changed(const Camera& camera, int entry, double amount) {
  CameraChange change = CameraChange::Zero();
  if (entry < 3 || entry == 6)
    change[entry] = amount;
  else
    change.segment<3>(3) = amount * camera.rotation_cam_from_world().row(entry - 3).transpose();
  return changed_camera(camera, change).value();
}

double largest_shift_m(const Camera& camera, const Camera& other) {
  double largest = 0;
  for (const Eigen::Vector3d& place : floor_places(camera, kRoom))
    if (const auto shift = floor_shift_m(camera, other, place)) largest = std::max(largest, shift->norm());
  return largest;
}

TEST(OutlineFit, ExactMasksFitToAPixel) {
  const Rendered rendered = render(4);
  const OutlineReport report = report_of(rendered.cameras, rendered.moments);
  EXPECT_FALSE(report.wrong);
  for (const CameraFit& fit : report.cameras) {
    EXPECT_TRUE(is_judged(fit)) << fit.floor.blind_m;
    EXPECT_EQ(fit.partners, 3);
    EXPECT_LT(fit.error_px, 1);
    EXPECT_LT(fit.others_px, 1);
  }
}

// A degree, 10 cm to the side, a focal length 3 % off: all were far below a limit of 0.9 degrees.
TEST(OutlineFit, NamesTheCameraAndHowFarPlacesMove) {
  const Rendered rendered = render(4);
  const std::tuple<size_t, int, double> changes[] = {
      {0, 0, M_PI / 180}, {1, 1, -M_PI / 180}, {2, 2, 2 * M_PI / 180}, {3, 3, 0.1}, {0, 6, 0.03}};
  for (const auto& [wrong, entry, amount] : changes) {
    SCOPED_TRACE(testing::Message() << "camera " << wrong << ", change " << entry);
    std::vector<Camera> cameras = rendered.cameras;
    cameras[wrong] = changed(cameras[wrong], entry, amount);
    const OutlineReport report = report_of(cameras, rendered.moments);
    ASSERT_TRUE(report.wrong);
    EXPECT_EQ(*report.wrong, wrong);
    EXPECT_LT(report.cameras[wrong].others_px, 1);
    const double shift_m = largest_shift_m(cameras[wrong], rendered.cameras[wrong]);
    EXPECT_GT(report.cameras[wrong].floor.largest_m, 0.5 * shift_m);
    EXPECT_LT(report.cameras[wrong].floor.largest_m, 1.6 * shift_m);
  }
}

TEST(OutlineFit, SpecksElsewhereDoNotMatter) {
  Rendered rendered = make_rendered(4);  // whose masks are drawn on
  const double before = report_of(rendered.cameras, rendered.moments).cameras[0].error_px;
  for (std::vector<Image>& masks : rendered.moments)
    for (int y = 400; y < 412; ++y)
      for (int x = 560; x < 580; ++x) masks[0].writable_view<uint8_t>().at(x, y) = 255;
  EXPECT_NEAR(report_of(rendered.cameras, rendered.moments).cameras[0].error_px, before, 0.05);
}

// One of a pair is wrong, and nothing says which.
TEST(OutlineFit, TwoCamerasAreNotJudged) {
  const Rendered rendered = render(2);
  std::vector<Camera> cameras = rendered.cameras;
  cameras[1] = changed(cameras[1], 0, 4 * M_PI / 180);
  const OutlineReport report = report_of(cameras, rendered.moments);
  EXPECT_FALSE(report.wrong);
  for (const CameraFit& fit : report.cameras) EXPECT_FALSE(is_judged(fit));
}

// Two are wrong by as much: no single one explains it.
TEST(OutlineFit, TwoWrongCamerasBlameNoSoundOne) {
  const Rendered rendered = render(4);
  std::vector<Camera> cameras = rendered.cameras;
  cameras[0] = changed(cameras[0], 1, 2 * M_PI / 180), cameras[1] = changed(cameras[1], 1, 2 * M_PI / 180);
  const OutlineReport report = report_of(cameras, rendered.moments);
  EXPECT_TRUE(!report.wrong || *report.wrong < 2) << *report.wrong;
}

// The hull of all spoils the silhouettes of sound cameras, too: they are not blamed for it.
TEST(OutlineFit, NoSoundCameraIsBlamedByItsSilhouettes) {
  const Rendered& rendered = render(4);
  for (const size_t wrong : {1, 3}) {
    std::vector<Camera> cameras = rendered.cameras;
    for (size_t c = 0; c < 4; ++c) cameras[c].set_name("cam" + std::to_string(c));
    cameras[wrong] = changed(cameras[wrong], 1, 2.5 * M_PI / 180);
    const FootageMasks footage{cameras, kRoom, rendered.moments, true, {}};
    bool named = false;
    for (const CheckItem& item : examine_agreement(footage, outline_report(footage))) {
      if (item.verdict < Verdict::doubtful) continue;
      EXPECT_EQ(item.camera, cameras[wrong].name()) << item.check << ": " << item.figure;
      named = true;
    }
    EXPECT_TRUE(named) << "camera " << wrong;
  }
}

TEST(CameraChange, IsUndoneByItsOpposite) {
  const Camera camera = render(2).cameras[0];
  CameraChange change;
  change << 0, 0.02, 0, 0.05, -0.03, 0.1, 0;
  const Camera there = changed_camera(camera, change).value();
  EXPECT_NEAR((there.center_in_world_m() - camera.center_in_world_m() - change.segment<3>(3)).norm(), 0,
              1e-12);
  const Camera back = changed_camera(there, -change).value();
  EXPECT_NEAR((back.cam_from_world().matrix() - camera.cam_from_world().matrix()).norm(), 0, 1e-12);
  for (const Eigen::Vector3d& place : floor_places(camera, kRoom)) {
    EXPECT_TRUE(camera.sees(place));
    EXPECT_NEAR(floor_shift_m(camera, camera, place)->norm(), 0, 1e-9);
  }
}

}  // namespace
}  // namespace vantage
