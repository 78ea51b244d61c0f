// OptiTrack's *.mcal: written here by its rules, in UTF-8 and in UTF-16 as Motive does, read, compared,
// damaged.
#include <gtest/gtest.h>

#include <array>

#include "tests/unit/calibration/flipped_bytes.h"
#include "tests/unit/calibration/known_cameras.h"
#include "tests/unit/calibration/read_text.h"
#include "tests/unit/calibration/sample_files.h"

namespace vantage {
namespace {

using test::expect_refused;
using test::expect_same_pixels;
using test::read_text;
using test::replaced;
using test::row;

std::string attribute(const std::string& name, double value) {
  return " " + name + "=\"" + row(std::array{value}) + "\"";
}

// `cam_from_cam` turns what is written away from the truth.
std::string mcal_camera(const Camera& camera, const Eigen::Matrix3d& cam_from_cam) {
  const PinholeCamera<double>& m = camera.model();
  // Motive's world has y up: ours turned. Its cameras look along -z, y up.
  Eigen::Matrix3d file_from_world;
  file_from_world << 1, 0, 0, 0, 0, 1, 0, -1, 0;
  const Eigen::Vector3d at = file_from_world * camera.center_in_world_m();
  const Eigen::Matrix3d turn = file_from_world * camera.rotation_cam_from_world().transpose() *
                               Eigen::Vector3d(1, -1, -1).asDiagonal() * cam_from_cam;
  std::string text = "<Camera Serial=\"" + camera.name() + "\"><Properties CameraID=\"1\"/><Attributes" +
                     attribute("ImagerPixelWidth", m.width_px) + attribute("ImagerPixelHeight", m.height_px) +
                     "/><Intrinsic HorizontalFocalLength=\"9\"/><IntrinsicStandardCameraModel" +
                     attribute("LensCenterX", m.cx_px) + attribute("LensCenterY", m.cy_px) +
                     attribute("HorizontalFocalLength", m.fx_px) + attribute("VerticalFocalLength", m.fy_px) +
                     attribute("k1", m.k1) + attribute("k2", m.k2) + attribute("k3", m.k3) +
                     attribute("TangentialX", m.p1) + attribute("TangentialY", m.p2) + "/><Extrinsic" +
                     attribute("X", at.x()) + attribute("Y", at.y()) + attribute("Z", at.z());
  for (int i = 0; i < 9; ++i) text += attribute("OrientMatrix" + std::to_string(i), turn(i / 3, i % 3));
  return text + "/></Camera>\n";
}

std::string mcal_text(const std::vector<Camera>& cameras,
                      const Eigen::Matrix3d& cam_from_cam = Eigen::Matrix3d::Identity()) {
  std::string text =
      "<?xml version=\"1.0\" encoding=\"UTF-16LE\"?>\n<calibrationProfile version=\"1\">\n"
      "<MotiveBuildInfo AppVersion=\"3.2.0.1\"/><Calibration><Cameras Count=\"3\">\n";
  for (const Camera& camera : cameras) text += mcal_camera(camera, cam_from_cam);
  return text +
         "<Camera Serial=\"ES100\"><Attributes ImagerPixelWidth=\"0\" ImagerPixelHeight=\"0\"/></Camera>\n"
         "</Cameras></Calibration></calibrationProfile>\n";
}

std::string utf16(const std::string& ascii, bool mark) {
  std::string bytes = mark ? "\xFF\xFE" : "";
  for (const char c : ascii) bytes += c, bytes += '\0';
  return bytes;
}

TEST(MotiveMcal, CamerasInMetresYUp) {
  const std::vector<Camera> known = test::known_cameras();
  const std::string text = mcal_text(known);
  for (const std::string& bytes : {text, utf16(text, true), utf16(text, false)}) {
    const auto read = read_text(bytes);
    ASSERT_TRUE(read) << read.error().message();
    EXPECT_EQ(read->format, "OptiTrack Motive");
    EXPECT_EQ(read->stated, "metres, y up");
    EXPECT_EQ(read->cameras[1].name(), "cam_2");
    expect_same_pixels(read->cameras, known);
  }
}

TEST(MotiveMcal, CamerasThatLookAwayFromEachOtherAreRefused) {
  const Eigen::Matrix3d back = Eigen::Vector3d(-1, 1, -1).asDiagonal();
  expect_refused(mcal_text(test::known_cameras(), back), "look away from each other");
}

TEST(MotiveMcal, SaysWhatIsMissing) {
  const std::string text = mcal_text(test::known_cameras());
  expect_refused(replaced(text, "IntrinsicStandardCameraModel", "Other"), "Motive 3.2 or later");
  expect_refused(replaced(text, "OrientMatrix8", "Orient8"), "Extrinsic has no attribute OrientMatrix8");
  expect_refused(replaced(text, "OrientMatrix8", "Orient8"), "camera cam_1");
  expect_refused(replaced(text, "OrientMatrix4=\"", "OrientMatrix4=\"x"), "not a number");
  expect_refused(replaced(text, "ImagerPixelWidth=\"640", "ImagerPixelWidth=\"640.5"), "whole pixels");
  expect_refused(replaced(text, "Serial=\"cam_1\"", "Serial=\"\""), "no Serial");
  expect_refused("<calibrationProfile/>", "holds no camera");
  const std::string wide = utf16(text, true);
  expect_refused(wide.substr(0, wide.size() / 2 + 1), "is not complete XML");
}

TEST(MotiveMcal, FlippedBytesNeverCrash) {
  test::expect_no_crash(
      {.sound = {utf16(mcal_text(test::known_cameras()), true)}, .seed = 20261128, .min_refused = 100});
}

}  // namespace
}  // namespace vantage
