// Silhouettes of a real recording: the good calibration agrees, a camera that is moved is named.
#include "core/check/silhouettes.h"

#include <gtest/gtest.h>

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

TEST(Silhouettes, OneCameraTellsNothing) {
  SilhouetteAgreement agreement;
  agreement.all.resize(4);
  agreement.all[2] = {1000, 900};
  EXPECT_EQ(judge(agreement).verdict, SilhouetteVerdict::unknown);
}

}  // namespace
}  // namespace vantage
