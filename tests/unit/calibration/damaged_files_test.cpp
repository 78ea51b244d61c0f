// Damaged, wrong and hostile calibration files give errors that say what and where, and never a crash.
#include <gtest/gtest.h>

#include "core/calibration/formats/calibration.h"
#include "tests/support/data.h"
#include "tests/unit/calibration/flipped_bytes.h"
#include "tests/unit/calibration/read_text.h"
#include "tests/unit/calibration/sample_files.h"

namespace vantage {
namespace {

using test::replaced;

// As a video of 640 x 480 gives them.
const CalibrationOptions kVideo{.unit_scale_m = 1, .up_axis = {}, .width_px = 640, .height_px = 480};

Result<Calibration> read_text(const std::string& text) {
  return test::read_text(text, kVideo);
}
void expect_error(const std::string& text, const std::string& part) {
  test::expect_refused(text, part, kVideo);
}

TEST(DamagedCalibration, TheSamplesThemselvesAreSound) {
  for (const std::string& text :
       {test::sample_xml, test::sample_toml, test::sample_json, test::sample_qca, test::sample_caliscope,
        test::sample_panoptic, test::sample_k_rt, test::sample_k_r_t}) {
    const auto read = read_text(text);
    EXPECT_TRUE(read) << read.error().message();
  }
}

TEST(DamagedCalibration, WrongKindsListTheFormats) {
  for (const std::string& text :
       {std::string("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16), std::string("<html><body/></html>"),
        std::string("{\"a\": 1}"), std::string("frame,id,x\n1,2,3\n"), std::string("  \n"),
        std::string("[metadata]\nerror = 0\n"), std::string("%YAML:1.0\nmtx: 1\n"), std::string("--- 5\n")})
    expect_error(text, "OpenCV XML");
  const test::TemporaryFolder folder;
  EXPECT_FALSE(read_calibration(folder.path() / "absent", {}));
  EXPECT_FALSE(read_calibration(folder.path(), {}));
}

TEST(DamagedCalibration, YamlIsReadStrictly) {
  expect_error("cam0:\n  K: [1, 2\n", "is not YAML that can be read (line");
  expect_error("a: &x 1\nb: *x\n", "aliases are not understood");
  expect_error("a: 1\na: 2\n", "the key a is there twice");
  expect_error("a: " + std::string(200, '[') + std::string(200, ']') + '\n', "nested too deeply");
  expect_error("a: 1\n", "is YAML, but no calibration that is understood");
}

TEST(DamagedCalibration, MissingKeysAreNamed) {
  expect_error(replaced(test::sample_xml, "<rvec type_id=\"opencv-matrix\">", "<spare>"),
               "XML");  // tag mismatch
  std::string xml = replaced(test::sample_xml, "<rvec ", "<spare ");
  expect_error(replaced(xml, "</rvec>", "</spare>"), "rvec is missing");
  expect_error(replaced(test::sample_toml, "translation", "shift"), "translation");
  expect_error(replaced(test::sample_toml, "translation", "shift"), "section cam_01");
  expect_error(replaced(test::sample_json, "\"cx_px\"", "\"centre\""), "cx_px is missing");
  expect_error(replaced(test::sample_json, "\"units\"", "\"unit\""), "units is missing");
}

TEST(DamagedCalibration, NumbersThatCannotBe) {
  expect_error(replaced(test::sample_xml, "500.", ".Nan"), "finite");
  expect_error(replaced(test::sample_xml, "500.", "0."), "focal length");
  expect_error(replaced(test::sample_xml, "500.", "-500."), "focal length");
  expect_error(replaced(test::sample_xml, "500.", "5OO."), "not a number");
  expect_error(replaced(test::sample_xml, "1.5 0.25", "1.5"), "holds 2 numbers");
  expect_error(replaced(test::sample_toml, "rotation = [ 1.5", "rotation = [ nan"), "finite");
  expect_error(replaced(test::sample_toml, "translation = [ -0.5", "translation = [ inf"), "finite");
  expect_error(replaced(test::sample_toml, "500.0", "0.0"), "focal length");
  expect_error(replaced(test::sample_toml, "[ 500.0, 0.0", "[ 500.0, 1.0"), "skew");
  expect_error(replaced(test::sample_toml, "640.0", "640.5"), "size");
  expect_error(replaced(test::sample_toml, "-0.002]", "-0.002, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0.1]"),
               "lens has 15");
  expect_error(
      replaced(replaced(test::sample_toml, "-0.002]", "-0.002, 0.1]"), "fisheye = false", "fisheye = true"),
      "lens has 5");
  expect_error(replaced(test::sample_toml, "\"right\"", "\"left\""), "left");
  expect_error(replaced(test::sample_json, "505.5", "0"), "focal length");
  expect_error(replaced(test::sample_json, "505.5", "1e999"), "JSON");
  expect_error(replaced(test::sample_json, "505.5", "\"505.5\""), "not a number");
  expect_error(replaced(test::sample_json, "640", "0"), "width_px");
  expect_error(replaced(test::sample_json, "calibration-1", "calibration-2"), "vantage-calibration-2");
  expect_error(replaced(test::sample_json, "metres", "mm"), "metres");
}

TEST(DamagedCalibration, OtherProgramsFiles) {
  expect_error(replaced(test::sample_qca, "focalLengthV", "focal"), "no attribute focalLengthV");
  expect_error(replaced(test::sample_qca, "32320", "wide"), "not a number");
  expect_error(replaced(test::sample_qca, "right=\"639\"", "right=\"-1\""), "fov_video");
  expect_error(replaced(test::sample_qca, "serial=\"cam1\"", ""), "serial");
  expect_error(replaced(test::sample_qca, "<camera active=\"1\"", "<camera active=\"0\""), "OpenCV XML");
  expect_error(replaced(test::sample_caliscope, "rotation", "turn"), "section cameras.3");
  expect_error(replaced(test::sample_panoptic, "[640, 480]", "[640]"), "resolution");
  expect_error(replaced(test::sample_panoptic, "\"t\"", "\"s\""), "camera 00_01");
  expect_error(replaced(test::sample_k_rt, "0, 1, 0, 4]", "0, 1, 0]"), "11 numbers instead of 12");
  expect_error(replaced(test::sample_k_rt, "imgSize", "size"), "camera 0");
  expect_error(replaced(test::sample_k_r_t, "image_size", "size"), "camera left");
  expect_error(replaced(test::sample_k_r_t, "\"mm\"", "\"feet\""), "the unit is \"feet\"");
  expect_error(replaced(test::sample_k_r_t, "\"+z\"", "\"north\""), "north");
  expect_error(replaced(test::sample_k_r_t, "\"left\"", "[7]"), "name is not a text");
}

TEST(DamagedCalibration, RotationsThatAreNone) {
  expect_error(replaced(test::sample_json, "[[1, 0, 0]", "[[1.1, 0, 0]"), "camera cam1");  // stretched
  expect_error(replaced(test::sample_json, "[[1, 0, 0]", "[[-1, 0, 0]"), "camera cam1");   // mirrored
  expect_error(replaced(test::sample_json, "[[1, 0, 0]", "[[0, 0, 0]"), "camera cam1");    // flat
}

TEST(DamagedCalibration, TruncationNeverCrashesNorPasses) {
  for (const std::string& whole :
       {test::sample_xml, test::sample_toml, test::sample_json, test::sample_qca, test::sample_caliscope,
        test::sample_panoptic, test::sample_k_rt, test::sample_k_r_t}) {
    const bool is_toml = whole[0] == '[';
    const size_t content = whole.find_last_not_of(" \r\n") + 1;
    for (size_t size = 0; size < content; ++size) {
      const auto read = read_text(whole.substr(0, size));
      // A TOML file may end after any whole section; the others must be refused.
      EXPECT_TRUE(is_toml || !read) << "cut to " << size << " bytes";
      EXPECT_TRUE(read || !read.error().what.empty());
    }
  }
}

TEST(DamagedCalibration, FlippedBytesNeverCrash) {
  test::expect_no_crash(
      {.sound = {test::sample_xml, test::sample_toml, test::sample_json, test::sample_qca,
                 test::sample_caliscope, test::sample_panoptic, test::sample_k_rt, test::sample_k_r_t},
       .seed = 20260101,
       .rounds = 400,
       .min_refused = 300},
      [](const std::string& damaged, size_t) { return read_text(damaged); });
}

TEST(DamagedCalibration, DeepNestingIsRefused) {
  const std::string deep(200'000, '[');
  EXPECT_FALSE(read_text("{\"schema\": " + deep));
  EXPECT_FALSE(read_text("a = " + deep));
  std::string xml;
  for (int i = 0; i < 50'000; ++i) xml += "<a>";
  EXPECT_FALSE(read_text(xml));
}

}  // namespace
}  // namespace vantage
