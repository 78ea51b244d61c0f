// bioCV, MATLAB and caliscope's older files: written here from known cameras by each format's own rules,
// read, and compared by where points of the room fall; then damaged.
#include <gtest/gtest.h>

#include <array>

#include "core/base/file.h"
#include "core/calibration/formats/calibration.h"
#include "tests/support/data.h"
#include "tests/unit/calibration/flipped_bytes.h"
#include "tests/unit/calibration/known_cameras.h"
#include "tests/unit/calibration/read_text.h"
#include "tests/unit/calibration/sample_files.h"

namespace vantage {
namespace {

using test::expect_refused;
using test::expect_same_pixels;
using test::known_cameras;
using test::read_text;
using test::replaced;
using test::row;
using test::RowMajor3d;
using test::rows;

std::string biocv_text(const Camera& camera) {
  const PinholeCamera<double>& m = camera.model();
  const RowMajor3d k = camera.intrinsics();
  std::string text = std::to_string(m.width_px) + "\n" + std::to_string(m.height_px) + "\n";
  for (int i = 0; i < 3; ++i) text += row(std::span(k.data() + 3 * i, 3), " ") + " \n";
  text += "\n";
  for (int i = 0; i < 3; ++i)
    text += row(std::span(m.rotation_cam_from_world + 3 * i, 3), " ") + " " +
            row(std::array{1000 * m.translation_cam_from_world_m[i]}) + " \n";
  return text + "0 0 0 1 \n\n" + row(std::array{m.k1, m.k2, m.p1, m.p2, m.k3}, " ") + " \n";
}

TEST(BioCv, ReadsOneCameraInMillimetres) {
  for (const Camera& camera : known_cameras()) {
    const auto read = read_text(biocv_text(camera), {}, "00.mp4.calib");
    ASSERT_TRUE(read) << read.error().message();
    EXPECT_EQ(read->format, "bioCV");
    EXPECT_EQ(read->stated, "units of 0.001 m, z up");
    EXPECT_EQ(read->cameras[0].name(), "00");
    expect_same_pixels(read->cameras, {camera});
  }
}

TEST(BioCv, RefusesWhatIsDamaged) {
  const std::string text = biocv_text(known_cameras()[0]);
  expect_refused(text.substr(0, text.find_last_of(' ', text.size() - 3)), "31 numbers instead of 32");
  expect_refused(text + "7\n", "33 numbers instead of 32");
  expect_refused(replaced(text, "480", "480.5"), "whole pixels");
  expect_refused(replaced(text, "0 0 0 1", "0 0 1 1"), "0 0 0 1");
  expect_refused(replaced(text, "507.25", "5o7.25"), "\"5o7.25\" is not a number");
  expect_refused(replaced(text, "507.25", "-507.25"), "focal length");
  expect_refused(replaced(text, "507.25", "nan"), "calibration");
}

// As jsonencode() writes it; `columns`: with K and a rigidtform3d, else IntrinsicMatrix and extrinsics'.
std::string matlab_camera(const Camera& camera, bool columns, double unit_m, const std::string& unit) {
  const PinholeCamera<double>& m = camera.model();
  RowMajor3d k = camera.intrinsics();
  k(0, 2) += 1, k(1, 2) += 1;
  const RowMajor3d turn = camera.rotation_cam_from_world();
  const Eigen::Vector3d t = camera.translation_cam_from_world_m() / unit_m;
  const std::string at = row({t.data(), 3});
  return "{\"name\": \"" + camera.name() + "\", \"ImageSize\": [" + std::to_string(m.height_px) + ", " +
         std::to_string(m.width_px) + "], \"RadialDistortion\": [" + row(std::array{m.k1, m.k2, m.k3}) +
         "], \"TangentialDistortion\": [" + row(std::array{m.p1, m.p2}) + "], \"WorldUnits\": \"" + unit +
         "\", " +
         (columns ? "\"K\": " + rows(k) + ", \"R\": " + rows(turn) + ", \"Translation\": [" + at + "]}"
                  : "\"IntrinsicMatrix\": " + rows(k.transpose()) + ", \"RotationMatrix\": " +
                        rows(turn.transpose()) + ", \"TranslationVector\": [" + at + "]}");
}

std::string matlab_text(bool columns) {
  std::string text;
  for (const Camera& camera : known_cameras())
    text += (text.empty() ? "{\"cameras\": [" : ", ") + matlab_camera(camera, columns, 0.001, "mm");
  return text + "]}";
}

TEST(MatlabJson, BothConventionsGiveTheSameCameras) {
  for (const bool columns : {true, false}) {
    const auto read = read_text(matlab_text(columns), {}, "calibration.json");
    ASSERT_TRUE(read) << read.error().message();
    EXPECT_EQ(read->format, "MATLAB JSON");
    EXPECT_EQ(read->stated, "units of 0.001 m, z up, the world is a pose of the board");
    expect_same_pixels(read->cameras, known_cameras());
  }
}

TEST(MatlabJson, OneCameraAndOtherUnits) {
  const std::vector<Camera> known = known_cameras();
  const auto inches = read_text("{\"cameras\": " + matlab_camera(known[1], true, 0.0254, "inches") + "}");
  ASSERT_TRUE(inches) << inches.error().message();
  expect_same_pixels(inches->cameras, {known[1]});
  const std::string without = "{\"cameras\": " + matlab_camera(known[1], true, 0.5, "") + "}";
  expect_refused(without, "does not state the unit");
  const auto given = read_text(without, {.unit_scale_m = 0.5, .up_axis = {}});
  ASSERT_TRUE(given) << given.error().message();
  expect_same_pixels(given->cameras, {known[1]});
}

TEST(MatlabJson, SaysWhatIsMissingOrWrong) {
  const std::string text = matlab_text(true);
  expect_refused(replaced(text, "\"K\"", "\"k\""), "IntrinsicMatrix is missing");
  expect_refused(replaced(text, "\"R\"", "\"r\""), "camera cam_1");
  expect_refused(replaced(text, "\"R\"", "\"r\""), "the camera has no pose");
  expect_refused(replaced(text, "\"Translation\"", "\"t\""), "Translation is missing");
  expect_refused(replaced(text, "\"ImageSize\"", "\"Size\""), "ImageSize is missing");
  expect_refused(replaced(text, "\"TangentialDistortion\": [", "\"TangentialDistortion\": [1, "), "and 3");
  expect_refused(replaced(text, "\"WorldUnits\": \"mm\"", "\"WorldUnits\": \"feet\""), "feet");
  expect_refused(replaced(text, "\"WorldUnits\": \"mm\"", "\"WorldUnits\": \"m\""), "differs");
  expect_refused(replaced(text, "\"name\"", "\"label\""), "no name");
  expect_refused(text.substr(0, text.size() / 2), "JSON");
}

std::string calib_io_camera(const Camera& camera, bool first, bool old) {
  const PinholeCamera<double>& m = camera.model();
  const Eigen::AngleAxisd turn(camera.rotation_cam_from_world());
  const Eigen::Vector3d r = turn.angle() * turn.axis(), t = 1000 * camera.translation_cam_from_world_m();
  const auto member = [](const char* key, double value) {
    return "\"" + std::string(key) + "\": " + row(std::array{value});
  };
  std::string parameters;
  for (const auto& [key, value] : {std::pair("f", m.fx_px),
                                   {"ar", m.fy_px / m.fx_px},
                                   {"cx", m.cx_px},
                                   {"cy", m.cy_px},
                                   {"k1", m.k1},
                                   {"k2", m.k2},
                                   {"k3", m.k3},
                                   {"k4", 0.},
                                   {"k5", 0.},
                                   {"k6", 0.},
                                   {"p1", m.p1},
                                   {"p2", m.p2},
                                   {"s1", 0.},
                                   {"s2", 0.},
                                   {"s3", 0.},
                                   {"s4", 0.},
                                   {"tauX", 0.},
                                   {"tauY", 0.}})
    parameters += (parameters.empty() ? "\"" : ", \"") + std::string(key) + "\": {\"state\": 0, " +
                  member("val", value) + "}";
  const std::string size = std::to_string(m.width_px) + ", \"" + (old ? "imageHeight" : "height") +
                           "\": " + std::to_string(m.height_px);
  return std::string("{\"model\": {\"polymorphic_id\": 1") +
         (first ? ", \"polymorphic_name\": \"libCalib::CameraModelOpenCV\"" : "") +
         ", \"ptr_wrapper\": {\"data\": {\"CameraModelCRT\": {\"CameraModelBase\": {" +
         (old ? "\"imageWidth\": " + size : "\"imageSize\": {\"width\": " + size + "}") +
         "}}, \"parameters\": {" + parameters + "}}}}, \"transform\": {\"rotation\": {" +
         member("rx", r.x()) + ", " + member("ry", r.y()) + ", " + member("rz", r.z()) +
         "}, \"translation\": {" + member("x", t.x()) + ", " + member("y", t.y()) + ", " +
         member("z", t.z()) + "}}}";
}

std::string calib_io_text(bool old = false) {
  std::string text;
  for (const Camera& camera : known_cameras())
    text += (text.empty() ? "{\"Calibration\": {\"cameras\": [" : ", ") +
            calib_io_camera(camera, text.empty(), old);
  return text + "]}}";
}

TEST(CalibIo, ReadsBothVersionsOnceUnitAndAxisAreGiven) {
  for (const bool old : {false, true}) {
    const auto read = read_text(calib_io_text(old), {.unit_scale_m = 0.001, .up_axis = "z"});
    ASSERT_TRUE(read) << read.error().message();
    EXPECT_EQ(read->format, "Calib.io JSON");
    EXPECT_EQ(read->cameras[0].name(), "camera1");
    expect_same_pixels(read->cameras, known_cameras());
  }
}

TEST(CalibIo, SaysWhatIsMissingOrWrong) {
  const std::string text = calib_io_text();
  expect_refused(text, "but not the floor");
  const auto refused = [](const std::string& damaged, const std::string& words) {
    const auto read = read_text(damaged, {.unit_scale_m = 0.001, .up_axis = "z"});
    ASSERT_FALSE(read);
    EXPECT_NE(read.error().message().find(words), std::string::npos) << read.error().message();
  };
  refused(replaced(text, "ModelOpenCV", "ModelHalcon"), "camera model is \"libCalib::CameraModelHalcon\"");
  refused(replaced(text, "\"ar\"", "\"aspect\""), "ar is missing");
  refused(replaced(text, "\"rx\"", "\"x\""), "rx is missing");
  refused(replaced(text, "\"imageSize\"", "\"size\""), "imageWidth is missing");
  refused(replaced(text, "\"transform\"", "\"pose\""), "transform is missing");
}

TEST(ForeignFormats, FlippedBytesNeverCrash) {
  test::expect_no_crash(
      {.sound = {biocv_text(known_cameras()[0]), matlab_text(true), matlab_text(false), calib_io_text()},
       .seed = 20260102,
       .rounds = 200,
       .min_refused = 200});
}

TEST(CaliscopeConfig, ReadsTheCamerasAmongTheSettings) {
  const std::vector<Camera> known = known_cameras();
  std::string text =
      "CreationDate = 2023-05-01\ncamera_count = 4\n\n[charuco]\ncolumns = 4\nrows = 5\n"
      "square_size_overide_cm = 5.4\n\n[cam_9]\nport = 9\nignore = true\nsize = [ 1280, 720]\n\n";
  for (size_t i = 0; i < known.size(); ++i) {
    const PinholeCamera<double>& m = known[i].model();
    text += "[cam_" + std::to_string(i) + "]\nport = " + std::to_string(i) + "\nsize = [ " +
            std::to_string(m.width_px) + ", " + std::to_string(m.height_px) +
            "]\nrotation_count = 0\nerror = 0.4\nignore = false\nmatrix = " + rows(known[i].intrinsics()) +
            "\ndistortions = [" + row(std::array{m.k1, m.k2, m.p1, m.p2, m.k3}) +
            "]\nrotation = " + rows(known[i].rotation_cam_from_world()) + "\ntranslation = [" +
            row(m.translation_cam_from_world_m) + "]\n\n";
  }
  text += "[capture_volume]\nstage = 1\n";
  const auto read = read_text(text, {}, "config.toml");
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(read->format, "caliscope config TOML");
  EXPECT_EQ(read->stated, "metres, z up, the world is a pose of the board");
  EXPECT_EQ(read->cameras[1].name(), "port_1");
  expect_same_pixels(read->cameras, known);
  const auto newer = read_text(replaced(text, "port = 1", "cam_id = 1"), {}, "config.toml");
  ASSERT_TRUE(newer) << newer.error().message();
  EXPECT_EQ(newer->cameras[1].name(), "cam_1");
  expect_refused(replaced(text, "rotation =", "turn ="), "section cam_0");
  expect_refused(text.substr(0, text.find("[cam_0]")), "holds no camera section");
}

// caliscope's own config.toml, of 2023, holds the cameras that its camera_array.toml holds.
TEST(CaliscopeConfig, AFileOfCaliscopesOwn) {
  VANTAGE_NEED_DATA(folder, "caliscope-4cam/post_optimization");
  const auto older = read_calibration(folder / "config.toml", {});
  ASSERT_TRUE(older) << older.error().message();
  EXPECT_EQ(older->format, "caliscope config TOML");
  const auto newer = read_calibration(folder / "camera_array.toml", {});
  ASSERT_TRUE(newer) << newer.error().message();
  EXPECT_EQ(newer->format, "caliscope TOML");
  ASSERT_EQ(older->cameras.size(), 4u);
  ASSERT_EQ(newer->cameras.size(), 4u);
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(older->cameras[i].name(), newer->cameras[i].name());
    for (const Eigen::Vector3d& point : {Eigen::Vector3d(0, 0, 0), Eigen::Vector3d(0.2, 0.1, 0.1)}) {
      const auto expected = newer->cameras[i].project(point), pixel = older->cameras[i].project(point);
      ASSERT_TRUE(expected && pixel);
      EXPECT_LT((*pixel - *expected).norm(), 1e-9);
    }
  }
}

}  // namespace
}  // namespace vantage
