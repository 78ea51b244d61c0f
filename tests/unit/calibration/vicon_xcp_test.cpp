// Vicon's *.xcp: written here by its rules, read, compared, damaged.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

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

// Cameras with square pixels and no lens.
std::vector<Camera> plain_cameras() {
  std::vector<Camera> cameras;
  for (const Camera& camera : test::known_cameras()) {
    PinholeCamera<double> model = camera.model();
    static_cast<Lens<double>&>(model) = {};
    model.fy_px = model.fx_px;
    cameras.push_back(Camera::make(camera.name(), model).value());
  }
  return cameras;
}

std::string xcp_camera(const Camera& camera, const std::string& lens) {
  const PinholeCamera<double>& m = camera.model();
  const Eigen::Quaterniond q(camera.rotation_cam_from_world());
  const Eigen::Vector3d at = 1000 * camera.center_in_world_m();
  return "  <Camera DEVICEID=\"" + camera.name() + "\" NAME=\"\" PIXEL_ASPECT_RATIO=\"1\" SENSOR_SIZE=\"" +
         std::to_string(m.width_px) + " " + std::to_string(m.height_px) +
         "\" SKEW=\"0\" TYPE=\"Vue\">\n    <ControlFrames/>\n    <KeyFrames>\n      <KeyFrame "
         "FOCAL_LENGTH=\"" +
         row(std::array{m.fx_px}) + "\" FRAME=\"0\" ORIENTATION=\"" +
         row(std::array{q.x(), q.y(), q.z(), q.w()}, " ") + "\" POSITION=\"" + row({at.data(), 3}, " ") +
         "\" PRINCIPAL_POINT=\"" + row(std::array{m.cx_px, m.cy_px}, " ") + "\" " + lens +
         " WORLD_ERROR=\"0.2\"/>\n    </KeyFrames>\n  </Camera>\n";
}

std::string xcp_text(const std::vector<Camera>& cameras, const std::string& lens = "") {
  std::string text =
      "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\" ?>\n<Cameras VERSION=\"1.0\">\n";
  for (const Camera& camera : cameras) text += xcp_camera(camera, lens);
  return text + "  <Camera DEVICEID=\"off\" SENSOR_SIZE=\"4 4\"><KeyFrames/></Camera>\n</Cameras>\n";
}

std::string radial2(const PinholeCamera<double>& m, const std::array<double, 3>& k) {
  return "VICON_RADIAL2=\"Vicon3Parameter " + row(std::array{m.cx_px, m.cy_px, k[0], k[1], k[2]}, " ") + "\"";
}

TEST(ViconXcp, PosesInMillimetresAndLensesWithoutBending) {
  const std::vector<Camera> known = plain_cameras();
  for (const char* lens : {"", "VICON_RADIAL=\"0 0\"", "VICON_RADIAL2=\"Vicon3Parameter 9 9 0 0 0\""}) {
    const auto read = read_text(xcp_text(known, lens));
    ASSERT_TRUE(read) << read.error().message();
    EXPECT_EQ(read->format, "Vicon XCP");
    EXPECT_EQ(read->stated, "units of 0.001 m, z up");
    EXPECT_EQ(read->cameras[1].name(), "cam_2");
    expect_same_pixels(read->cameras, known);
  }
}

// Vicon's formula takes a seen pixel to where it would be without the lens: the ray of the seen pixel,
// through the camera that was read, has to be that of the ideal one.
TEST(ViconXcp, TheLensIsMetOverTheWholePicture) {
  const Camera plain = plain_cameras()[0];
  const PinholeCamera<double>& m = plain.model();
  // Per pixel^2, ^4, ^6: a lens of a motion-capture camera; a wide one, barrel; a pincushion.
  const std::array<double, 3> lenses[] = {
      {4e-8, 1e-14, 0}, {9e-7, 2e-12, 3e-18}, {-3e-7, 1e-13, 0}, {2e-6, 4e-12, 6e-18}};
  for (const std::array<double, 3>& k : lenses) {
    const auto read = read_text(xcp_text({plain}, radial2(m, k)));
    ASSERT_TRUE(read) << read.error().message();
    double max_px = 0;
    for (double x = 0; x < m.width_px; x += 9)
      for (double y = 0; y < m.height_px; y += 9) {
        const double r2 = std::pow(x - m.cx_px, 2) + std::pow(y - m.cy_px, 2);
        const double scale = 1 + k[0] * r2 + k[1] * r2 * r2 + k[2] * r2 * r2 * r2;
        const auto ideal = plain.ray({m.cx_px + scale * (x - m.cx_px), m.cy_px + scale * (y - m.cy_px)});
        ASSERT_TRUE(ideal);
        const auto seen = read->cameras[0].project(ideal->origin_in_world_m + 3 * ideal->direction_in_world);
        ASSERT_TRUE(seen) << x << ' ' << y;
        max_px = std::max(max_px, (*seen - Eigen::Vector2d(x, y)).norm());
      }
    EXPECT_LT(max_px, 0.051) << k[0];
  }
  const auto two = read_text(xcp_text({plain}, "VICON_RADIAL=\"9e-07 2e-12\"")),
             three = read_text(xcp_text({plain}, radial2(m, {9e-7, 2e-12, 0})));
  ASSERT_TRUE(two && three);
  expect_same_pixels(two->cameras, three->cameras);
}

TEST(ViconXcp, SaysWhatIsMissingOrNotHeld) {
  const std::vector<Camera> known = plain_cameras();
  const std::string text = xcp_text(known);
  expect_refused(replaced(text, "ORIENTATION", "orientation"), "no attribute ORIENTATION");
  expect_refused(replaced(text, "ORIENTATION", "orientation"), "camera cam_1");
  expect_refused(replaced(text, "ORIENTATION=\"", "ORIENTATION=\"1 "), "5 numbers instead of 4");
  expect_refused(replaced(text, "ORIENTATION=\"", "ORIENTATION=\"x"), "not a number");
  expect_refused(replaced(text, "POSITION=\"", "POSITION=\"nan "), "not a number");
  expect_refused(replaced(text, "SENSOR_SIZE=\"640", "SENSOR_SIZE=\"640.5"), "whole pixels");
  expect_refused(replaced(text, "PIXEL_ASPECT_RATIO=\"1\"", "PIXEL_ASPECT_RATIO=\"-1\""), "not positive");
  expect_refused(replaced(text, "SKEW=\"0\"", "SKEW=\"7\""), "skew");
  expect_refused(replaced(text, "DEVICEID=\"cam_1\"", "DEVICEID=\"\""), "no DEVICEID");
  expect_refused(replaced(text, "<KeyFrames>", "<KeyFrames><KeyFrame FRAME=\"-5\"/>"), "the camera moves");
  expect_refused("<Cameras><Camera DEVICEID=\"1\"/></Cameras>", "none has a KeyFrame");
  const PinholeCamera<double>& m = known[0].model();
  const auto lens = [&](const std::string& words) {
    return xcp_text({known[0]}, "VICON_RADIAL2=\"" + words + "\"");
  };
  expect_refused(lens("ViconFisheye 1 2 3"), "\"ViconFisheye\" is not known");
  expect_refused(lens("Vicon3Parameter 320 240 1e-7"), "3 numbers instead of 5");
  expect_refused(lens("Vicon3Parameter 20 240 1e-6 0 0"), "from the principal point");
  expect_refused(xcp_text({known[0]}, radial2(m, {-4e-6, 0, 0})), "folds the picture over");
  expect_refused(replaced(xcp_text({known[0]}, radial2(m, {1e-7, 0, 0})), "PIXEL_ASPECT_RATIO=\"1\"",
                          "PIXEL_ASPECT_RATIO=\"2\""),
                 "not square");
}

TEST(ViconXcp, FlippedBytesNeverCrash) {
  const std::vector<Camera> known = plain_cameras();
  test::expect_no_crash({.sound = {xcp_text({known[0]}, radial2(known[0].model(), {9e-7, 2e-12, 3e-18}))},
                         .seed = 20261128,
                         .min_refused = 100});
}

}  // namespace
}  // namespace vantage
