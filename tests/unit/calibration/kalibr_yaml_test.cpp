// Kalibr's camera chain: poses relative to the camera before, and no world but what users add.
#include <gtest/gtest.h>

#include <sstream>

#include "core/base/file.h"
#include "core/calibration/formats/calibration.h"
#include "tests/support/data.h"
#include "tests/unit/calibration/sample_files.h"

namespace vantage {
namespace {

using test::replaced;

Result<Calibration> read_kalibr(const std::string& text, std::optional<std::string> up_axis = {}) {
  const test::TemporaryFolder folder;
  EXPECT_TRUE(write_file_atomically(folder.path() / "camchain.yaml", text));
  return read_calibration(folder.path() / "camchain.yaml", {.unit_scale_m = {}, .up_axis = up_axis});
}

// Four cameras round a room, looking at its middle.
Eigen::Isometry3d cam_from_world(int camera) {
  const double angle = 0.4 + 1.3 * camera;
  const Eigen::Vector3d center(3 * std::cos(angle), 2.5 * std::sin(angle), 2.2 + 0.1 * camera);
  const Eigen::Vector3d forward = (Eigen::Vector3d(0.1, -0.2, 1) - center).normalized();
  const Eigen::Vector3d right = forward.cross(Eigen::Vector3d::UnitZ()).normalized();
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
  pose.linear() << right.transpose(), forward.cross(right).transpose(), forward.transpose();
  pose.translation() = -pose.linear() * center;
  return pose;
}

// As Kalibr writes it: rows as lists, numbers to 17 digits.
std::string rows_text(const char* key, const Eigen::Isometry3d& pose) {
  std::ostringstream text;
  text.precision(17);
  text << "  " << key << ":\n";
  for (int row = 0; row < 4; ++row) {
    text << "  - [";
    for (int column = 0; column < 4; ++column) text << (column ? ", " : "") << pose.matrix()(row, column);
    text << "]\n";
  }
  return text.str();
}

std::string chain_text(bool with_world) {
  std::string text = "# of four cameras\n";
  for (int c = 0; c < 4; ++c) {
    text += "cam" + std::to_string(c) + ":\n";
    if (c > 0) text += rows_text("T_cn_cnm1", cam_from_world(c) * cam_from_world(c - 1).inverse());
    if (c == 0 && with_world) text += rows_text("T_cam_world", cam_from_world(0));
    text +=
        "  cam_overlaps: [1, 2]\n"
        "  camera_model: pinhole\n"
        "  distortion_coeffs: [-0.1, 0.02, 0.001, -2.0e-03]\n"
        "  distortion_model: radtan\n"
        "  intrinsics: [500.0, 505.5, 320, 240.25]\n"
        "  resolution: [640, 480]\n"
        "  rostopic: /cam" +
        std::to_string(c) + "/image_raw\n";
  }
  return text;
}

TEST(KalibrCamchain, StandsInTheWorldThatIsAdded) {
  const auto read = read_kalibr(chain_text(true));
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(read->format, "Kalibr YAML");
  EXPECT_EQ(read->stated, "metres, z up");
  ASSERT_EQ(read->cameras.size(), 4u);
  for (int c = 0; c < 4; ++c) {
    const Camera& camera = read->cameras[c];
    EXPECT_EQ(camera.name(), "cam" + std::to_string(c));
    EXPECT_TRUE(camera.rotation_cam_from_world().isApprox(cam_from_world(c).linear(), 1e-12)) << c;
    EXPECT_TRUE(camera.translation_cam_from_world_m().isApprox(cam_from_world(c).translation(), 1e-12)) << c;
    EXPECT_LT((camera.center_in_world_m() - cam_from_world(c).inverse().translation()).norm(), 1e-12) << c;
    const PinholeCamera<double>& model = camera.model();
    EXPECT_EQ(model.width_px, 640);
    EXPECT_EQ(model.height_px, 480);
    EXPECT_EQ(model.fx_px, 500);
    EXPECT_EQ(model.fy_px, 505.5);
    EXPECT_EQ(model.cx_px, 320);
    EXPECT_EQ(model.cy_px, 240.25);
    EXPECT_EQ(model.k1, -0.1);
    EXPECT_EQ(model.k2, 0.02);
    EXPECT_EQ(model.p1, 0.001);
    EXPECT_EQ(model.p2, -0.002);
    EXPECT_EQ(model.k3, 0);
  }
}

TEST(KalibrCamchain, WithoutAWorldTheFloorIsAskedFor) {
  const auto refused = read_kalibr(chain_text(false));
  ASSERT_FALSE(refused);
  for (const char* part : {"but not the floor", "T_cam_world", "--up-axis -y"})
    EXPECT_NE(refused.error().message().find(part), std::string::npos) << refused.error().message();
  const auto read = read_kalibr(chain_text(false), "-y");
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(read->stated, "metres, -y up, the world is cam0, whose floor is not known");
  EXPECT_LT(read->cameras[0].center_in_world_m().norm(), 1e-12);
  // cam0 looks along its z, level; its -y is up.
  EXPECT_LT((read->cameras[0].rotation_cam_from_world() * Eigen::Vector3d::UnitZ() + Eigen::Vector3d::UnitY())
                .norm(),
            1e-12);
  for (int c = 1; c < 4; ++c) {
    const Camera& camera = read->cameras[c];
    const Eigen::Isometry3d expected = cam_from_world(c) * cam_from_world(0).inverse();
    const Eigen::Matrix3d relative =
        camera.rotation_cam_from_world() * read->cameras[0].rotation_cam_from_world().transpose();
    EXPECT_TRUE(relative.isApprox(expected.linear(), 1e-12)) << c;
    EXPECT_TRUE(camera.translation_cam_from_world_m().isApprox(expected.translation(), 1e-12)) << c;
  }
}

void expect_kalibr_error(const std::string& text, const std::string& part) {
  const auto read = read_kalibr(text);
  ASSERT_FALSE(read) << "read without an error, expected: " << part;
  EXPECT_NE(read.error().message().find(part), std::string::npos) << read.error().message();
}

TEST(KalibrCamchain, SaysWhatTheCameraModelDoesNotHold) {
  const std::string text = chain_text(true);
  expect_kalibr_error(replaced(text, "radtan", "fov"),
                      "is pinhole-fov; the program's are pinhole-radtan and pinhole-equi");
  const auto fisheye = read_kalibr(replaced(text, "radtan", "equidistant"));
  ASSERT_TRUE(fisheye) << fisheye.error().message();
  EXPECT_EQ(fisheye->cameras[0].model().lens, LensModel::fisheye);
  EXPECT_EQ(fisheye->cameras[0].model().k4, -0.002);
  expect_kalibr_error(replaced(text, "camera_model: pinhole", "camera_model: omni"), "is omni-radtan");
  expect_kalibr_error(replaced(text, "camera_model: pinhole", "camera_model: ds"), "camera cam0");
  std::string straight = replaced(text, "[-0.1, 0.02, 0.001, -2.0e-03]", "[]");
  straight = replaced(straight, "radtan", "none");
  const auto read = read_kalibr(straight);
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(read->cameras[0].model().k1, 0);
}

TEST(KalibrCamchain, DamageIsNamed) {
  const std::string text = chain_text(true);
  expect_kalibr_error(replaced(text, "cam2:\n", "cam7:\n"), "cam2 is missing in the chain");
  expect_kalibr_error(replaced(text, "T_cn_cnm1", "T_cam_imu"), "T_cn_cnm1 is missing");
  expect_kalibr_error(replaced(text, "T_cn_cnm1:\n", "T_cn_cnm1: [1, 0, 0]\n  spare:\n"),
                      "has 3 numbers instead of 16");
  expect_kalibr_error(replaced(text, "- [0, 0, 0, 1]", "- [0, 0, 1, 1]"),
                      "does not end with the row 0 0 0 1");
  expect_kalibr_error(replaced(text, "[500.0, 505.5, 320, 240.25]", "[0.9, 500.0, 505.5, 320, 240.25]"),
                      "has 5 numbers instead of 4");
  expect_kalibr_error(replaced(text, "resolution: [640, 480]", "resolution: [640]"),
                      "resolution is not a width");
  expect_kalibr_error(replaced(text, "[-0.1, 0.02, 0.001, -2.0e-03]", "[-0.1, .nan, 0.001, 0]"),
                      "distortion_coeffs is not an array of numbers");
}

}  // namespace
}  // namespace vantage
