// Files of programs in whose formats nothing is written here, made from known cameras by their layouts.
#include <gtest/gtest.h>

#include <functional>

#include "core/base/file.h"
#include "core/calibration/calibration.h"
#include "core/calibration/detail/number_text.h"
#include "core/calibration/detail/writers.h"
#include "tests/support/data.h"

namespace vantage {
namespace {

using calibration_detail::list_text;

Camera known_camera(const std::string& name, const Eigen::Vector3d& axis, double angle) {
  PinholeCamera<double> model;
  model.width_px = 1288, model.height_px = 728;
  model.fx_px = 904.123456789012, model.fy_px = 907.98765432101, model.cx_px = 618.3086297620227,
  model.cy_px = 394.2132305697463;
  model.k1 = -0.21098765432109876, model.k2 = 0.0464196862116026, model.p1 = -0.004295771569519648,
  model.p2 = 0.0041132401001997, model.k3 = 0.0065682301495769;
  const Eigen::Matrix<double, 3, 3, Eigen::RowMajor> rotation =
      Eigen::AngleAxisd(angle, axis.normalized()).toRotationMatrix();
  std::copy_n(rotation.data(), 9, model.rotation_cam_from_world);
  const double translation[] = {1.0 / 3, -2.0 / 7, 4.321};
  std::copy_n(translation, 3, model.translation_cam_from_world_m);
  return Camera::make(name, model).value();
}
std::vector<Camera> known_cameras() {
  return {known_camera("01", {1, -0.4, 0.3}, 2.1), known_camera("02", {0.2, 1, 0.1}, M_PI),
          known_camera("left", {0, 0, 1}, 0)};
}

void expect_same(const Camera& read, const Camera& known) {
  EXPECT_EQ(read.width_px(), known.width_px());
  EXPECT_EQ(read.height_px(), known.height_px());
  for (int y = 0; y <= 8; ++y)
    for (int x = 0; x <= 12; ++x) {
      const auto ray = known.ray({x * (known.width_px() - 1) / 12.0, y * (known.height_px() - 1) / 8.0});
      ASSERT_TRUE(ray);
      const Eigen::Vector3d point = ray->origin_in_world_m + 3 * ray->direction_in_world;
      const auto first = read.project(point), second = known.project(point);
      ASSERT_TRUE(first && second);
      EXPECT_LT((*first - *second).norm(), 1e-9);
    }
}

std::string stored(const std::string& key, int rows, int columns, std::span<const double> values) {
  return key + ": !!opencv-matrix\n  rows: " + std::to_string(rows) + "\n  cols: " + std::to_string(columns) +
         "\n  dt: d\n  data: [" + list_text(values) + "]\n";
}

struct EasyMocapFiles {
  std::string lenses = "%YAML:1.0\n---\nnames:\n", poses;
};
EasyMocapFiles easymocap_files(const std::vector<Camera>& cameras, bool with_sizes, bool with_vectors) {
  EasyMocapFiles files;
  for (const Camera& camera : cameras) files.lenses += "  - \"" + camera.name() + "\"\n";
  files.poses = files.lenses;
  for (const Camera& camera : cameras) {
    const PinholeCamera<double>& m = camera.model();
    const double matrix[] = {m.fx_px, 0, m.cx_px, 0, m.fy_px, m.cy_px, 0, 0, 1};
    const double lens[] = {m.k1, m.k2, m.p1, m.p2, m.k3};
    files.lenses += stored("K_" + camera.name(), 3, 3, matrix) + stored("dist_" + camera.name(), 1, 5, lens);
    if (with_sizes)
      files.lenses += "H_" + camera.name() + ": " + std::to_string(m.height_px) + "\nW_" + camera.name() +
                      ": " + std::to_string(m.width_px) + "\n";
    if (with_vectors)
      files.poses += stored("R_" + camera.name(), 3, 1, calibration_detail::rotation_vector_of(m));
    files.poses += stored("Rot_" + camera.name(), 3, 3, m.rotation_cam_from_world) +
                   stored("T_" + camera.name(), 3, 1, m.translation_cam_from_world_m);
  }
  return files;
}

TEST(EasyMocap, EitherFileGivesAllCameras) {
  const std::vector<Camera> cameras = known_cameras();
  for (const bool with_sizes : {true, false})
    for (const char* given : {"intri.yml", "extri.yml"}) {
      const test::TemporaryFolder folder;
      const EasyMocapFiles files = easymocap_files(cameras, with_sizes, with_sizes);
      ASSERT_TRUE(write_file_atomically(folder.path() / "intri.yml", files.lenses));
      ASSERT_TRUE(write_file_atomically(folder.path() / "extri.yml", files.poses));
      CalibrationOptions options;
      if (!with_sizes) options.width_px = 1288, options.height_px = 728;
      const auto read = read_calibration(folder.path() / given, options);
      ASSERT_TRUE(read) << read.error().message();
      EXPECT_EQ(read->format, "EasyMocap YAML");
      ASSERT_EQ(read->cameras.size(), cameras.size());
      for (size_t i = 0; i < cameras.size(); ++i) {
        EXPECT_EQ(read->cameras[i].name(), cameras[i].name());
        expect_same(read->cameras[i], cameras[i]);
      }
    }
}

TEST(EasyMocap, WhatIsMissingIsSaid) {
  const EasyMocapFiles files = easymocap_files(known_cameras(), true, true);
  const auto message = [](const std::string& lenses, const std::string& poses) {
    const test::TemporaryFolder folder;
    EXPECT_TRUE(write_file_atomically(folder.path() / "intri.yml", lenses));
    if (!poses.empty()) {
      EXPECT_TRUE(write_file_atomically(folder.path() / "extri.yml", poses));
    }
    const auto read = read_calibration(folder.path() / "intri.yml", {});
    return read ? std::string() : read.error().message();
  };
  EXPECT_NE(message(files.lenses, "").find("the one with the poses is not found"), std::string::npos);
  EXPECT_NE(message(files.lenses, files.poses.substr(0, files.poses.size() / 2)).find("extri.yml"),
            std::string::npos);
  const std::string without_sizes = easymocap_files(known_cameras(), false, true).lenses;
  EXPECT_NE(message(without_sizes, files.poses).find("picture size"), std::string::npos);
  EXPECT_NE(message(files.lenses, easymocap_files({known_cameras()[0]}, true, true).poses).find("02"),
            std::string::npos);
}

std::string biocv_text(const Camera& camera, bool last_row) {
  const PinholeCamera<double>& m = camera.model();
  const auto row = [](std::initializer_list<double> values) {
    return list_text(std::vector<double>(values), " ") + "\n";
  };
  const double *r = m.rotation_cam_from_world, *t = m.translation_cam_from_world_m;
  std::string text = std::to_string(m.width_px) + "\n" + std::to_string(m.height_px) + "\n";
  text += row({m.fx_px, 0, m.cx_px}) + row({0, m.fy_px, m.cy_px}) + row({0, 0, 1}) + "\n";
  for (int i = 0; i < 3; ++i) text += row({r[3 * i], r[3 * i + 1], r[3 * i + 2], 1000 * t[i]});
  if (last_row) text += row({0, 0, 0, 1});
  return text + "\n" + row({m.k1, m.k2, m.p1, m.p2, m.k3});
}

TEST(BioCv, AFileIsACamera) {
  for (const bool last_row : {true, false})
    for (const Camera& camera : known_cameras()) {
      const test::TemporaryFolder folder;
      const auto path = folder.path() / (camera.name() + "_1.mp4.calib");
      ASSERT_TRUE(write_file_atomically(path, biocv_text(camera, last_row)));
      const auto read = read_calibration(path, {});
      ASSERT_TRUE(read) << read.error().message();
      EXPECT_EQ(read->format, "bioCV");
      ASSERT_EQ(read->cameras.size(), 1u);
      expect_same(read->cameras[0], camera);
    }
}

TEST(BioCv, CutOffOrOtherNumbersAreRefused) {
  const std::string text = biocv_text(known_cameras()[0], true);
  const test::TemporaryFolder folder;
  for (const std::string& wrong : {text.substr(0, text.size() / 2), std::string("1\n2\n3\n"),
                                   "1.5\n" + text.substr(text.find('\n') + 1)}) {
    ASSERT_TRUE(write_file_atomically(folder.path() / "cam1.calib", wrong));
    const auto read = read_calibration(folder.path() / "cam1.calib", {});
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().kind, ErrorKind::bad_data);
    EXPECT_NE(read.error().message().find("cam1.calib"), std::string::npos);
  }
}

}  // namespace
}  // namespace vantage
