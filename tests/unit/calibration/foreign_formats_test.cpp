// EasyMocap, bioCV, MATLAB and caliscope's older files: written here from known cameras by each format's own
// rules, read, and compared by where points of the room fall; then damaged.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <span>

#include "core/base/file.h"
#include "core/calibration/calibration.h"
#include "tests/support/data.h"
#include "tests/unit/calibration/sample_files.h"

namespace vantage {
namespace {

using test::replaced;
using RowMajor3d = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

// Three cameras round a room, looking at its middle; no two values of one are alike.
std::vector<Camera> known_cameras() {
  std::vector<Camera> cameras;
  for (int i = 0; i < 3; ++i) {
    const double angle = 0.4 + 1.9 * i;
    const Eigen::Vector3d center(3 * std::cos(angle), 2.5 * std::sin(angle), 2.2 + 0.1 * i);
    const Eigen::Vector3d forward = (Eigen::Vector3d(0.1, -0.2, 1) - center).normalized();
    const Eigen::Vector3d right = forward.cross(Eigen::Vector3d(0.1, 0.05, 1)).normalized();
    RowMajor3d rotation;
    rotation << right.transpose(), forward.cross(right).transpose(), forward.transpose();
    const Eigen::Vector3d translation = -rotation * center;
    PinholeCamera<double> model;
    model.width_px = 640 + 32 * i, model.height_px = 480;
    model.fx_px = 500 + i, model.fy_px = 507.25, model.cx_px = 318.5 + 7 * i, model.cy_px = 243.75;
    model.k1 = -0.11, model.k2 = 0.03, model.p1 = 0.0012, model.p2 = -0.0023, model.k3 = 0.004;
    std::copy(rotation.data(), rotation.data() + 9, model.rotation_cam_from_world);
    std::copy(translation.data(), translation.data() + 3, model.translation_cam_from_world_m);
    cameras.push_back(Camera::make("cam_" + std::to_string(i + 1), model).value());
  }
  return cameras;
}

std::string row(std::span<const double> values, const char* between = ", ") {
  std::string text;
  for (const double value : values) {
    char buffer[40];
    std::snprintf(buffer, sizeof buffer, "%.17g", value);
    text += (text.empty() ? "" : between) + std::string(buffer);
  }
  return text;
}

std::string rows(const RowMajor3d& m) {
  std::string text;
  for (int i = 0; i < 3; ++i) text += (i ? ", [" : "[") + row(std::span(m.data() + 3 * i, 3)) + "]";
  return "[" + text + "]";
}

// Points of the room fall on the same pixels, to a billionth.
void expect_same_pixels(const std::vector<Camera>& read, const std::vector<Camera>& known) {
  ASSERT_EQ(read.size(), known.size());
  for (size_t i = 0; i < known.size(); ++i) {
    SCOPED_TRACE(known[i].name());
    EXPECT_EQ(read[i].width_px(), known[i].width_px());
    EXPECT_EQ(read[i].height_px(), known[i].height_px());
    int seen = 0;
    for (double x = -1; x <= 1; x += 0.5)
      for (double y = -1; y <= 1; y += 0.5)
        for (double z = 0; z <= 2; z += 0.5) {
          const auto expected = known[i].project({x, y, z}), pixel = read[i].project({x, y, z});
          ASSERT_EQ(static_cast<bool>(expected), static_cast<bool>(pixel));
          if (!expected) continue;
          EXPECT_NEAR(pixel->x(), expected->x(), 1e-9);
          EXPECT_NEAR(pixel->y(), expected->y(), 1e-9);
          ++seen;
        }
    EXPECT_GT(seen, 20);
  }
}

std::string matrix_text(const std::string& key, int rows, int columns, std::span<const double> values) {
  return key + ": !!opencv-matrix\r\n  rows: " + std::to_string(rows) +
         "\r\n  cols: " + std::to_string(columns) + "\r\n  dt: d\r\n  data: [" + row(values) + "]\r\n";
}

std::string names_text(const std::vector<Camera>& cameras) {
  std::string text = "%YAML:1.0\r\n---\r\nnames:\r\n";
  for (const Camera& camera : cameras) text += "  - \"" + camera.name() + "\"\r\n";
  return text;
}

std::string intri_text(const std::vector<Camera>& cameras) {
  std::string text = names_text(cameras);
  for (const Camera& camera : cameras) {
    const PinholeCamera<double>& m = camera.model();
    const RowMajor3d k = camera.intrinsics();
    text += matrix_text("K_" + camera.name(), 3, 3, {k.data(), 9}) +
            matrix_text("dist_" + camera.name(), 1, 5, std::array{m.k1, m.k2, m.p1, m.p2, m.k3}) + "H_" +
            camera.name() + ": " + std::to_string(m.height_px) + "\r\nW_" + camera.name() + ": " +
            std::to_string(m.width_px) + "\r\n";
  }
  return text;
}

std::string extri_text(const std::vector<Camera>& cameras, bool with_vector) {
  std::string text = names_text(cameras);
  for (const Camera& camera : cameras) {
    const RowMajor3d turn = camera.rotation_cam_from_world();
    const Eigen::AngleAxisd axis{Eigen::Matrix3d(turn)};
    const Eigen::Vector3d vector = axis.axis() * axis.angle();
    if (with_vector) text += matrix_text("R_" + camera.name(), 3, 1, {vector.data(), 3});
    text += matrix_text("Rot_" + camera.name(), 3, 3, {turn.data(), 9}) +
            matrix_text("T_" + camera.name(), 3, 1, camera.model().translation_cam_from_world_m);
  }
  return text;
}

struct EasymocapFiles {
  explicit EasymocapFiles(const std::string& intri, const std::string& extri) {
    EXPECT_TRUE(write_file_atomically(folder.path() / "intri.yml", intri));
    EXPECT_TRUE(write_file_atomically(folder.path() / "extri.yml", extri));
  }
  Result<Calibration> read(const char* name) const { return read_calibration(folder.path() / name, {}); }
  test::TemporaryFolder folder;
};

TEST(EasyMocap, EitherFileGivesTheCameras) {
  const std::vector<Camera> known = known_cameras();
  for (const bool with_vector : {true, false}) {
    const EasymocapFiles files(intri_text(known), extri_text(known, with_vector));
    for (const char* name : {"intri.yml", "extri.yml"}) {
      const auto read = files.read(name);
      ASSERT_TRUE(read) << read.error().message();
      EXPECT_EQ(read->format, "EasyMocap YAML");
      EXPECT_EQ(read->stated, "metres, z up");
      EXPECT_EQ(read->cameras[2].name(), "cam_3");
      expect_same_pixels(read->cameras, known);
    }
  }
}

TEST(EasyMocap, SaysWhatIsMissing) {
  const std::vector<Camera> known = known_cameras();
  const std::string intri = intri_text(known), extri = extri_text(known, true);
  const auto expect = [](const Result<Calibration>& read, const std::string& part) {
    ASSERT_FALSE(read) << part;
    EXPECT_NE(read.error().message().find(part), std::string::npos) << read.error().message();
  };
  expect(EasymocapFiles(replaced(intri, "K_cam_2", "k_cam_2"), extri).read("extri.yml"),
         "K_cam_2 is missing");
  expect(EasymocapFiles(intri, replaced(extri, "rows: 3", "rows: 4")).read("intri.yml"), "stated as 4 x 1");
  expect(EasymocapFiles(replaced(intri, "H_cam_1", "h_cam_1"), extri).read("intri.yml"), "picture size");
  expect(EasymocapFiles(intri, "names:\n  - \"a\"\n").read("intri.yml"), "holds no T_NAME");
  expect(EasymocapFiles(intri, "").read("intri.yml"), "extri.yml");
  const test::TemporaryFolder folder;
  ASSERT_TRUE(write_file_atomically(folder.path() / "intri.yml", intri));
  expect(read_calibration(folder.path() / "intri.yml", {}), "one folder");
}

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

Result<Calibration> read_as(const std::string& name, const std::string& text,
                            const CalibrationOptions& options = {}) {
  const test::TemporaryFolder folder;
  EXPECT_TRUE(write_file_atomically(folder.path() / name, text));
  return read_calibration(folder.path() / name, options);
}

void expect_refused(const std::string& text, const std::string& part) {
  const auto read = read_as("calibration", text);
  ASSERT_FALSE(read) << "read without an error, expected: " << part;
  EXPECT_NE(read.error().message().find(part), std::string::npos) << read.error().message();
  EXPECT_NE(read.error().message().find("calibration"), std::string::npos) << read.error().message();
}

TEST(BioCv, ReadsOneCameraInMillimetres) {
  for (const Camera& camera : known_cameras()) {
    const auto read = read_as("00.mp4.calib", biocv_text(camera));
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
    const auto read = read_as("calibration.json", matlab_text(columns));
    ASSERT_TRUE(read) << read.error().message();
    EXPECT_EQ(read->format, "MATLAB JSON");
    EXPECT_EQ(read->stated, "units of 0.001 m, z up, the world is a pose of the board");
    expect_same_pixels(read->cameras, known_cameras());
  }
}

TEST(MatlabJson, OneCameraAndOtherUnits) {
  const std::vector<Camera> known = known_cameras();
  const auto inches =
      read_as("calibration.json", "{\"cameras\": " + matlab_camera(known[1], true, 0.0254, "inches") + "}");
  ASSERT_TRUE(inches) << inches.error().message();
  expect_same_pixels(inches->cameras, {known[1]});
  const std::string without = "{\"cameras\": " + matlab_camera(known[1], true, 0.5, "") + "}";
  expect_refused(without, "does not state the unit");
  const auto given = read_as("calibration.json", without, {.unit_scale_m = 0.5, .up_axis = {}});
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
  const auto read = read_as("config.toml", text);
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(read->format, "caliscope config TOML");
  EXPECT_EQ(read->stated, "metres, z up, the world is a pose of the board");
  EXPECT_EQ(read->cameras[1].name(), "port_1");
  expect_same_pixels(read->cameras, known);
  const auto newer = read_as("config.toml", replaced(text, "port = 1", "cam_id = 1"));
  ASSERT_TRUE(newer) << newer.error().message();
  EXPECT_EQ(newer->cameras[1].name(), "cam_1");
  expect_refused(replaced(text, "rotation =", "turn ="), "section cam_0");
  expect_refused(text.substr(0, text.find("[cam_0]")), "holds no camera section");
}

}  // namespace
}  // namespace vantage
