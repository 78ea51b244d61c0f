// Outlines of rendered people, with sound cameras and with one that stands otherwise than calibrated.
#include "core/check/outline_fit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "core/check/footage_agreement.h"
#include "tests/unit/check/rendered_people.h"

namespace vantage {
namespace {

using test::changed, test::kRoom, test::render;
using Rendered = test::RenderedPeople;

OutlineReport report_of(const std::vector<Camera>& cameras, const std::vector<MaskSet>& moments) {
  return outline_report({cameras, kRoom, moments, true, {}});
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
  Rendered rendered = render(4);
  const double before = report_of(rendered.cameras, rendered.moments).cameras[0].error_px;
  for (std::vector<Image>& masks : rendered.moments) {
    const ImageView<const uint8_t> from = std::as_const(masks[0]).view<uint8_t>();
    Image drawn_on = Image::make(ImageType::u8, from.width, from.height, HostPool::shared()).value();
    const ImageView<uint8_t> to = drawn_on.writable_view<uint8_t>();
    for (int y = 0; y < to.height; ++y) std::copy_n(from.row(y), to.width, to.row(y));
    for (int y = 400; y < 412; ++y) std::fill_n(to.row(y) + 560, 20, uint8_t{255});
    masks[0] = std::move(drawn_on);
  }
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

CameraFit rays_fit(double gain, double largest_m, double others_px) {
  CameraFit fit;
  fit.rays = 800, fit.partners = 3, fit.gain = gain, fit.others_px = others_px;
  fit.floor.largest_m = largest_m, fit.floor.certainty = 8, fit.floor.blind_m = 0.03;
  return fit;
}

TEST(CameraByRays, IsTheOneWhoseChangeExplainsMost) {
  const std::vector<double> focal_px(3, 500);
  const CameraFit sound = rays_fit(5, 0.02, 0.5);
  EXPECT_EQ(camera_by_rays({sound, rays_fit(80, 0.2, 0.5), sound}, focal_px), 1u);
  EXPECT_FALSE(camera_by_rays({sound, sound, sound}, focal_px));
  EXPECT_FALSE(camera_by_rays({}, {}));
  EXPECT_FALSE(camera_by_rays({sound, rays_fit(80, 0.02, 0.5), sound}, focal_px)) << "within the limit";
  EXPECT_FALSE(camera_by_rays({rays_fit(70, 0.1, 0.5), rays_fit(80, 0.2, 0.5), sound}, focal_px))
      << "another explains nearly as much";
}

// Seen in real footage without empty-scene clips: a gain of 44, while rays of all other cameras miss by 18
// px.
TEST(CameraByRays, IsNobodyWhereTheOthersDoNotFitEither) {
  EXPECT_FALSE(
      camera_by_rays({rays_fit(5, 0.02, 18), rays_fit(44, 0.2, 18), rays_fit(5, 0.02, 18)}, {500, 500, 500}));
}

// Errors of masks are the same where people keep still: nobody is judged by one instant shown many times.
TEST(OutlineFit, InstantsThatShowTheSameCountOnce) {
  const Rendered& rendered = render(4);
  const OutlineReport walking = report_of(rendered.cameras, rendered.moments);
  const OutlineReport still = report_of(rendered.cameras, {rendered.moments.size(), rendered.moments[0]});
  for (size_t c = 0; c < 4; ++c) {
    EXPECT_TRUE(is_judged(walking.cameras[c]));
    EXPECT_FALSE(is_judged(still.cameras[c])) << still.cameras[c].floor.blind_m;
    EXPECT_GT(still.cameras[c].floor.blind_m, 2 * walking.cameras[c].floor.blind_m);
  }
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
    for (const CheckItem& item : examine_agreement(footage, footage_report(footage))) {
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
