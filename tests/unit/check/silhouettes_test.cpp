// Silhouettes of a real recording: the good calibration agrees, a camera that is moved is named.
#include "core/check/silhouettes.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/data.h"
#include "tests/support/uu_voxel.h"

namespace vantage {
namespace {

SilhouetteAgreement compare(const std::vector<Camera>& cameras, const std::vector<Image>& masks) {
  SilhouetteAgreement agreement;
  const VoxelGrid grid = fit_grid_to_common_view(cameras, 0.02, 2.2).value();
  add_silhouettes(cameras, coarse_grid(grid, 100'000), masks, &agreement);
  for (size_t c = 0; c < cameras.size(); ++c)
    std::printf("%s at %.2f %.2f %.2f: covered by all %.3f, without it the others %.3f\n",
                cameras[c].name().c_str(), cameras[c].center_in_world_m().x(),
                cameras[c].center_in_world_m().y(), cameras[c].center_in_world_m().z(),
                agreement.all[c].value(), agreement.without_camera(c));
  return agreement;
}

TEST(Silhouettes, GoodCalibrationAgrees) {
  VANTAGE_NEED_DATA(data, "uu-voxel-1p");
  EXPECT_EQ(judge(compare(test::uu_voxel_cameras(data), test::uu_voxel_masks(data))).verdict,
            SilhouetteVerdict::agree);
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

// Two of four given each other's pictures: no single camera explains that, the exchange does.
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

// An empty mask says that the camera saw nobody, not that nobody was there.
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

TEST(Silhouettes, OneCameraTellsNothing) {
  SilhouetteAgreement agreement;
  agreement.all.resize(4);
  agreement.all[2] = {1000, 900};
  EXPECT_EQ(judge(agreement).verdict, SilhouetteVerdict::unknown);
}

}  // namespace
}  // namespace vantage
