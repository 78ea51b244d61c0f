// Silhouettes of a real recording: the good calibration agrees, a camera that is moved is named.
#include "core/check/silhouettes.h"
#include "core/calibration/formats/calibration.h"
#include "core/check/detail/scene_places.h"
#include "core/check/footage_agreement.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/data.h"
#include "tests/support/uu_voxel.h"
#include "tests/unit/check/rendered_people.h"

namespace vantage {
namespace {

SilhouetteAgreement compare(const std::vector<Camera>& cameras, const std::vector<Image>& masks) {
  SilhouetteAgreement agreement;
  const VoxelGrid grid = fit_grid_to_common_view(cameras, 0.02, 2.2).value();
  add_silhouettes(GridViews(cameras, coarse_grid(grid, 100'000)), masks, &agreement);
  for (size_t c = 0; c < cameras.size(); ++c)
    fmt::print("{} at {:.2f} {:.2f} {:.2f}: covered by all {:.3f}, without it the others {:.3f}\n",
               cameras[c].name(), cameras[c].center_in_world_m().x(), cameras[c].center_in_world_m().y(),
               cameras[c].center_in_world_m().z(), agreement.all[c].value(), agreement.without_camera(c));
  return agreement;
}

TEST(Silhouettes, GoodCalibrationAgrees) {
  VANTAGE_NEED_DATA(data, "uu-voxel-1p");
  EXPECT_EQ(judge(compare(test::uu_voxel_cameras(data), test::uu_voxel_masks(data))).verdict,
            SilhouetteVerdict::agree);
}

// In a mirrored world silhouettes miss each other, and no camera is to blame.
TEST(Silhouettes, AMirroredCalibrationIsNamed) {
  VANTAGE_NEED_DATA(data, "uu-voxel-1p");
  std::vector<Camera> cameras = test::uu_voxel_cameras(data);
  for (Camera& camera : cameras) {
    PinholeCamera<double> model = camera.model();
    mirror(&model);
    camera = Camera::make(camera.name(), model).value();
  }
  const VoxelGrid grid = coarse_grid(fit_grid_to_common_view(cameras, 0.02, 2.2).value(), 100'000);
  const FootageMasks footage{cameras, grid, {test::uu_voxel_masks(data)}, true, {}, false, nullptr};
  const std::vector<CheckItem> items = examine_agreement(footage, footage_report(footage));
  EXPECT_TRUE(std::ranges::any_of(items, [](const CheckItem& item) {
    return item.verdict == Verdict::failed && item.remedy.find("--mirror") != std::string::npos;
  }));
}

// Every camera in turn is turned by a few degrees.
TEST(Silhouettes, TurnedCameraIsNamed) {
  VANTAGE_NEED_DATA(data, "uu-voxel-1p");
  const std::vector<Image> masks = test::uu_voxel_masks(data);
  for (size_t turned = 0; turned < 4; ++turned) {
    std::vector<Camera> cameras = test::uu_voxel_cameras(data);
    PinholeCamera<double> model = cameras[turned].model();
    model.cx_px += 80;  // as a turn by 9 degrees
    cameras[turned] = Camera::make(cameras[turned].name(), model).value();
    const SilhouetteFinding finding = judge(compare(cameras, masks));
    EXPECT_EQ(finding.verdict, SilhouetteVerdict::one_wrong) << turned;
    EXPECT_EQ(finding.wrong, turned);
  }
}

// One camera of the inaccurate calibration (the second at 4.6 m instead of 3.1 m) among three good ones.
TEST(Silhouettes, InaccurateCameraAmongGoodOnesIsNamed) {
  VANTAGE_NEED_DATA(data, "uu-voxel-1p");
  const std::vector<Image> masks = test::uu_voxel_masks(data);
  const std::vector<Camera> inaccurate = test::uu_voxel_inaccurate_cameras(data);
  for (size_t wrong = 0; wrong < 4; ++wrong) {
    SCOPED_TRACE(wrong);
    std::vector<Camera> cameras = test::uu_voxel_cameras(data);
    cameras[wrong] = inaccurate[wrong];
    const SilhouetteFinding finding = judge(compare(cameras, masks));
    EXPECT_EQ(finding.verdict, SilhouetteVerdict::one_wrong);
    EXPECT_EQ(finding.wrong, wrong);
  }
}

// Two of four exchange their pictures: no single camera explains that, the exchange does.
TEST(Silhouettes, ExchangedCamerasAreNamed) {
  VANTAGE_NEED_DATA(data, "uu-voxel-1p");
  const std::vector<Camera> cameras = test::uu_voxel_cameras(data);
  const VoxelGrid grid = fit_grid_to_common_view(cameras, 0.02, 2.2).value();
  MaskSet masks = test::uu_voxel_masks(data);
  EXPECT_EQ(find_exchanged(cameras, grid, std::vector<MaskSet>{masks}, {}).verdict,
            SilhouetteVerdict::disagree);
  std::swap(masks[1], masks[2]);
  EXPECT_EQ(judge(compare(cameras, masks)).verdict, SilhouetteVerdict::disagree);
  const SilhouetteFinding finding = find_exchanged(cameras, grid, std::vector<MaskSet>{masks}, {});
  EXPECT_EQ(finding.verdict, SilhouetteVerdict::exchanged);
  EXPECT_EQ(finding.wrong, 1u);
  EXPECT_EQ(finding.other, 2u);
}

// An empty mask states that the camera saw no one, not that no one was there.
TEST(Silhouettes, CameraWithoutForegroundTakesNoPart) {
  VANTAGE_NEED_DATA(data, "uu-voxel-1p");
  MaskSet masks = test::uu_voxel_masks(data);
  const ImageView<uint8_t> view = masks[3].writable_view<uint8_t>();
  for (int y = 0; y < view.height; ++y) std::fill_n(view.row(y), view.width, uint8_t{0});
  EXPECT_EQ(judge(compare(test::uu_voxel_cameras(data), masks)).verdict, SilhouetteVerdict::agree);
}

// Camera 2 of four is covered by 40 %; whether it spoils the others decides.
TEST(Silhouettes, ForeignCameraSpoilsTheOthers) {
  SilhouetteAgreement agreement;
  agreement.all = {{1000, 650}, {1000, 700}, {1000, 400}, {1000, 700}};
  agreement.without.assign(4, std::vector<SilhouetteShare>(4, {1000, 850}));
  agreement.without[2][2] = {1000, 400};
  EXPECT_TRUE(is_foreign(agreement, 2));
  EXPECT_FALSE(is_foreign(agreement, 1));
  for (const size_t c : {0, 1, 3}) agreement.all[c] = {1000, 850};
  EXPECT_FALSE(is_foreign(agreement, 2)) << "foreground that only this camera has";
  agreement.all[0] = agreement.all[1] = {1000, 600};
  agreement.without[2][2] = {100, 40};
  EXPECT_FALSE(is_foreign(agreement, 2)) << "too little to tell";
}

// One hull after the other, each with a plane of cells per camera: computed at once elsewhere.
struct PlainHull {
  std::vector<Cells> reach, projection;  // one per camera
};
PlainHull plain_hull(const GridViews& views, const std::vector<Cells>& shown, size_t left_out) {
  PlainHull hull;
  for (const Cells& cells : shown) {
    hull.reach.emplace_back(cells.width, cells.height);
    hull.projection.emplace_back(cells.width, cells.height);
  }
  for (size_t voxel = 0; voxel < views.voxels(); ++voxel) {
    int seeing = 0, missing = 0;
    for (const GridViews::View& view : views.of(voxel)) {
      if (view.camera == left_out || !shown[view.camera].any()) continue;
      bool met = false;
      for (int y = view.cells.y0; y <= view.cells.y1; ++y)
        for (int x = view.cells.x0; x <= view.cells.x1; ++x) met = met || shown[view.camera].at(x, y);
      ++seeing, missing += !met;
    }
    if (seeing < 2) continue;
    for (const GridViews::View& view : views.of(voxel)) {
      if (!shown[view.camera].any()) continue;
      fill(view.cells, &hull.reach[view.camera]);
      if (missing == 0) fill(view.cells, &hull.projection[view.camera]);
    }
  }
  return hull;
}
SilhouetteShare plain_share(const Cells& shown, const Cells& reach, const Cells& projection) {
  SilhouetteShare share;
  for (size_t i = 0; i < shown.set.size(); ++i) {
    share.silhouette += shown.set[i] && reach.set[i];
    share.covered += shown.set[i] && projection.set[i];
  }
  return share;
}

TEST(Silhouettes, AreCountedForAllHullsAtOnceAsOneByOne) {
  test::RenderedPeople rendered = test::make_rendered(5);  // its masks are changed
  rendered.cameras[2] = test::changed(rendered.cameras[2], 1, 0.04);
  const ImageView<uint8_t> nobody = rendered.moments[1][4].writable_view<uint8_t>();
  for (int y = 0; y < nobody.height; ++y) std::fill_n(nobody.row(y), nobody.width, uint8_t{0});
  // Wider than the common view of three, so that some voxels are seen by two.
  const GridViews views(rendered.cameras, {{-6, -6, 0}, 0.25, 48, 48, 9});
  for (size_t m = 0; m < 3; ++m) {
    SCOPED_TRACE(m);
    SilhouetteAgreement found;
    add_silhouettes(views, rendered.moments[m], &found);
    std::vector<Cells> shown;
    for (const Image& mask : rendered.moments[m]) shown.push_back(shrink(mask));
    for (size_t h = 0; h <= 5; ++h) {
      const PlainHull hull = plain_hull(views, shown, h);
      for (size_t c = 0; c < 5; ++c) {
        const SilhouetteShare plain = plain_share(shown[c], hull.reach[c], hull.projection[c]);
        const SilhouetteShare& share = h == 5 ? found.all[c] : found.without[h][c];
        EXPECT_EQ(share.silhouette, plain.silhouette) << "camera " << c << " without " << h;
        EXPECT_EQ(share.covered, plain.covered) << "camera " << c << " without " << h;
      }
    }
  }
}

TEST(Silhouettes, OneCameraTellsNothing) {
  SilhouetteAgreement agreement;
  agreement.all.resize(4);
  agreement.all[2] = {1000, 900};
  EXPECT_EQ(judge(agreement).verdict, SilhouetteVerdict::unknown);
}

}  // namespace
}  // namespace vantage
