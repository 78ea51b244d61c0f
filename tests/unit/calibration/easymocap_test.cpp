// EasyMocap's two files: written here by its own rules, read, compared, damaged.
#include <gtest/gtest.h>

#include <array>

#include "core/base/file.h"
#include "core/calibration/formats/calibration.h"
#include "tests/support/data.h"
#include "tests/unit/calibration/flipped_bytes.h"
#include "tests/unit/calibration/known_cameras.h"
#include "tests/unit/calibration/sample_files.h"

namespace vantage {
namespace {

using test::expect_same_pixels;
using test::known_cameras;
using test::replaced;
using test::row;
using test::RowMajor3d;

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

// The values that EasyMocap's documentation shows, rounded as they stand there; the rotation vector and the
// matrix are given both, which proves that the vector is Rodrigues' of the matrix.
TEST(EasyMocap, ReadsTheExampleOfItsDocumentation) {
  const std::string intri =
      "names:\n  - \"01\"\nK_01: !!opencv-matrix\n  rows: 3\n  cols: 3\n  dt: d\n  data: [2272.816, 0.000, "
      "1255.278, 0.000, 2269.930, 729.021, 0.000, 0.000, 1.000]\ndist_01: !!opencv-matrix\n  rows: 1\n"
      "  cols: 5\n  dt: d\n  data: [0.057, -0.047, 0.002, -0.002, 0.000]\n";
  const std::string extri =
      "names:\n  - \"01\"\nR_01: !!opencv-matrix\n  rows: 3\n  cols: 1\n  dt: d\n  data: [1.258, -1.292, "
      "1.178]\nRot_01: !!opencv-matrix\n  rows: 3\n  cols: 3\n  dt: d\n  data: [-0.021, -1.000, -0.005, "
      "-0.087, 0.007, -0.996, 0.996, -0.021, -0.087]\nT_01: !!opencv-matrix\n  rows: 3\n  cols: 1\n  dt: d\n"
      "  data: [0.453, 1.048, 4.957]\n";
  const EasymocapFiles files(intri, extri);
  const auto read =
      read_calibration(files.folder.path() / "intri.yml",
                       {.unit_scale_m = {}, .up_axis = {}, .width_px = 2560, .height_px = 1440});
  ASSERT_TRUE(read) << read.error().message();
  const Camera& camera = read->cameras.at(0);
  EXPECT_EQ(camera.name(), "01");
  EXPECT_EQ(camera.width_px(), 2560);
  EXPECT_DOUBLE_EQ(camera.model().k1, 0.057);
  EXPECT_DOUBLE_EQ(camera.model().p2, -0.002);
  RowMajor3d stated;
  stated << -0.021, -1.000, -0.005, -0.087, 0.007, -0.996, 0.996, -0.021, -0.087;
  EXPECT_LT((camera.rotation_cam_from_world() - stated).cwiseAbs().maxCoeff(), 2e-3);
  const Eigen::Vector3d center = camera.center_in_world_m();
  EXPECT_GT(center.z(), 0.5);  // above the floor: z points up
  EXPECT_LT(center.z(), 3);
}

TEST(EasyMocap, FlippedBytesNeverCrash) {
  const std::vector<Camera> known = known_cameras();
  const std::vector<std::string> sound = {intri_text(known), extri_text(known, true)};
  test::expect_no_crash({.sound = sound, .seed = 20260103, .rounds = 100, .min_refused = 50},
                        [&](const std::string& damaged, size_t which) {
                          std::vector<std::string> files = sound;
                          files[which] = damaged;
                          return EasymocapFiles(files[0], files[1]).read("intri.yml");
                        });
}

}  // namespace
}  // namespace vantage
