// The calibration readers against the real files and their independently derived counterparts.
#include "core/calibration/formats/calibration.h"
#include "core/geometry/lens_inverse.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <numbers>

#include "core/base/file.h"
#include "core/base/json.h"
#include "tests/support/data.h"
#include "tests/unit/calibration/read_text.h"
#include "tests/unit/calibration/sample_files.h"

namespace vantage {
namespace {

using nlohmann::json;
using test::read_text;
using test::TemporaryFolder;

struct Expected {
  std::string name;
  Eigen::Matrix3d intrinsics, rotation;
  Eigen::Vector3d translation_m;
  std::vector<double> distortion;
};

// The data's calibration_mm.json, derived outside this program.
std::vector<Expected> read_expected(const std::filesystem::path& path) {
  const auto document = parse_json_or_throw(read_file(path).value());
  std::vector<Expected> cameras;
  for (const auto& c : document["cameras"]) {
    Expected expected;
    expected.name = c["name"].get<std::string>();
    for (int i = 0; i < 9; ++i) {
      expected.intrinsics(i / 3, i % 3) = c["K"][i / 3][i % 3].get<double>();
      expected.rotation(i / 3, i % 3) = c["R"][i / 3][i % 3].get<double>();
    }
    for (int i = 0; i < 3; ++i) expected.translation_m[i] = c["t"][i].get<double>() / 1000;
    expected.distortion = c["dist"].get<std::vector<double>>();
    cameras.push_back(expected);
  }
  return cameras;
}

double angle_deg(const Eigen::Matrix3d& a, const Eigen::Matrix3d& b) {
  return Eigen::AngleAxisd(a.transpose() * b).angle() * 180 / std::numbers::pi;
}

const CalibrationOptions sample_options = {
    .unit_scale_m = 0.1, .up_axis = {}, .width_px = 640, .height_px = 480};

TEST(OpenCvXml, RealCamerasAgreeWithTheDerivedCalibration) {
  VANTAGE_NEED_DATA(data, "uu-voxel-1p");
  const auto expected = read_expected(data / "calibration_mm.json");
  for (int i = 0; i < 4; ++i) {
    const CalibrationOptions options = {
        .unit_scale_m = 0.115, .up_axis = {}, .width_px = 644, .height_px = 486};
    const auto read = read_calibration(data / ("cam" + std::to_string(i + 1)) / "config.xml", options);
    ASSERT_TRUE(read) << read.error().message();
    EXPECT_EQ(read->format, "OpenCV XML");
    EXPECT_EQ(read->stated, "units of 0.115 m, z up");
    ASSERT_EQ(read->cameras.size(), 1u);
    const Camera& camera = read->cameras[0];
    EXPECT_EQ(camera.name(), expected[i].name);
    EXPECT_EQ(camera.width_px(), 644);
    EXPECT_EQ(camera.height_px(), 486);
    EXPECT_LT((camera.intrinsics() - expected[i].intrinsics).cwiseAbs().maxCoeff(), 1e-9);
    EXPECT_LT(angle_deg(camera.rotation_cam_from_world(), expected[i].rotation), 1e-6);
    EXPECT_LT((camera.translation_cam_from_world_m() - expected[i].translation_m).norm(), 1e-9);
    EXPECT_NEAR(camera.model().k1, expected[i].distortion[0], 1e-12);
    EXPECT_NEAR(camera.model().k2, expected[i].distortion[1], 1e-12);
    EXPECT_NEAR(camera.model().p1, expected[i].distortion[2], 1e-12);
    EXPECT_NEAR(camera.model().p2, expected[i].distortion[3], 1e-12);
    EXPECT_NEAR(camera.model().k3, expected[i].distortion[4], 1e-12);
    const double height_m = camera.center_in_world_m().z();  // the source says 1.35 to 1.44 m
    EXPECT_GT(height_m, 1.34);
    EXPECT_LT(height_m, 1.45);
  }
}

TEST(OpenCvXml, TheOtherSetOfKeys) {
  VANTAGE_NEED_DATA(data, "uu-voxel-1p");
  const CalibrationOptions options = {
      .unit_scale_m = 0.001, .up_axis = {}, .width_px = 644, .height_px = 486};
  const auto good = read_expected(data / "calibration_mm.json");
  for (int i = 0; i < 4; ++i) {
    const std::string name = "cam" + std::to_string(i + 1) + "_config_INACCURATE";
    const auto read = read_calibration(data / "alt-calibration" / (name + ".xml"), options);
    ASSERT_TRUE(read) << read.error().message();
    EXPECT_EQ(read->cameras[0].name(), name);
    // A second calibration of the same cameras: the same lenses within 2 %.
    EXPECT_NEAR(read->cameras[0].model().fx_px / good[i].intrinsics(0, 0), 1, 0.02);
  }
}

TEST(OpenCvXml, AsksForTheUnit) {
  CalibrationOptions options = sample_options;
  options.unit_scale_m.reset();
  const auto read = read_text(test::sample_xml, options);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().kind, ErrorKind::invalid_argument);
  EXPECT_NE(read.error().message().find("--unit-scale"), std::string::npos) << read.error().message();
  EXPECT_NE(read.error().message().find("0.115"), std::string::npos) << read.error().message();
}

TEST(OpenCvXml, AsksForThePictureSize) {
  const auto read = read_text(test::sample_xml, {.unit_scale_m = 1, .up_axis = {}});
  ASSERT_FALSE(read);
  EXPECT_NE(read.error().message().find("video"), std::string::npos) << read.error().message();
}

// The two older variants are the Qualisys calibration in other clothes, so poses and focal lengths agree with
// the derived file to rounding; their lens coefficients are 1/64 of it. The third is an independent
// calibration of the same cameras: its centres lie within 0.25 m, its directions within 3.5 degrees, its
// focal lengths within 1 %.
TEST(Pose2SimToml, RealVariantsAgreeWithTheDerivedCalibration) {
  VANTAGE_NEED_DATA(data, "pose2sim");
  const auto expected = read_expected(data / "calibration_mm.json");
  for (const std::string file : {"Calib_qca_converted_old", "Calib_qualisys_old", "Calib_scene"}) {
    SCOPED_TRACE(file);
    const bool independent = file == "Calib_scene";
    const auto read = read_calibration(data / "calib-variants" / (file + ".toml"), {});
    ASSERT_TRUE(read) << read.error().message();
    EXPECT_EQ(read->format, "Pose2Sim TOML");
    EXPECT_EQ(read->stated, "metres, z up");
    ASSERT_EQ(read->cameras.size(), 4u);
    for (size_t i = 0; i < 4; ++i) {
      const Camera& camera = read->cameras[i];
      const std::string digit = std::to_string(i + 1);
      EXPECT_EQ(camera.name(), independent ? "int_cam0" + digit + "_img" : "cam_0" + digit);
      EXPECT_EQ(camera.width_px(), 1088);
      EXPECT_EQ(camera.height_px(), 1920);
      const Eigen::Vector3d center = -expected[i].rotation.transpose() * expected[i].translation_m;
      EXPECT_LT(angle_deg(camera.rotation_cam_from_world(), expected[i].rotation), independent ? 3.5 : 1e-4);
      EXPECT_LT((camera.center_in_world_m() - center).norm(), independent ? 0.25 : 1e-5);
      EXPECT_NEAR(camera.model().fx_px / expected[i].intrinsics(0, 0), 1, independent ? 0.01 : 1e-12);
      if (!independent) {
        EXPECT_NEAR(camera.model().k1 * 64, expected[i].distortion[0], 1e-9);
      }
      EXPECT_EQ(camera.model().k3, 0);
    }
  }
}

TEST(Pose2SimToml, FourAndFiveLensCoefficients) {
  const auto read = read_text(test::sample_toml, {});
  ASSERT_TRUE(read) << read.error().message();
  ASSERT_EQ(read->cameras.size(), 2u);
  EXPECT_EQ(read->cameras[0].name(), "left");
  EXPECT_EQ(read->cameras[0].model().k3, 0);
  EXPECT_EQ(read->cameras[1].model().k3, 0.005);
  EXPECT_EQ(read->cameras[1].model().p2, -0.002);
}

// Its four numbers are k1 k2 k3 k4 of the angle: read as k1 k2 p1 p2 they are 34 px wrong 30 degrees off
// axis.
TEST(OpenCvXml, AFisheyeLensIsMarked) {
  const auto plain = read_text(test::sample_xml, sample_options);
  ASSERT_TRUE(plain) << plain.error().message();
  const PinholeCamera<double>& p = plain->cameras[0].model();
  std::string four = test::sample_xml;  // without k3: a fisheye has four
  four.replace(four.find("<cols>5"), 7, "<cols>4");
  four.erase(four.find(" 5.0e-03"), 8);
  for (const std::string mark : {"<fisheye_model>1</fisheye_model>", "<fisheye>true</fisheye>"}) {
    std::string text = four;
    text.insert(text.find("<mtx"), mark);
    const auto read = read_text(text, sample_options);
    ASSERT_TRUE(read) << read.error().message();
    const PinholeCamera<double>& m = read->cameras[0].model();
    EXPECT_EQ(m.lens, LensModel::fisheye);
    EXPECT_EQ(lens_coefficients(m), (std::vector<double>{p.k1, p.k2, p.p1, p.p2}));
    EXPECT_EQ(m.p1, 0);
  }
  four.insert(four.find("<mtx"), "<fisheye_model>0</fisheye_model>");
  const auto read = read_text(four, sample_options);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->cameras[0].model().lens, LensModel::polynomial);
}

TEST(Pose2SimToml, WhatAShortListLeavesOutIsZero) {
  const double values[] = {-0.1, 0.02, 0.001, -0.002, 0.005};
  for (int count = 0; count <= 5; ++count) {
    std::string list;
    for (int i = 0; i < count; ++i) list += (i > 0 ? ", " : "") + std::to_string(values[i]);
    std::string text = test::sample_toml;
    const std::string old = "-0.1, 0.02, 0.001, -0.002";
    text.replace(text.find(old), old.size(), list);
    const auto read = read_text(text, {});
    ASSERT_TRUE(read) << count << ": " << read.error().message();
    const PinholeCamera<double>& model = read->cameras[0].model();
    const double found[] = {model.k1, model.k2, model.p1, model.p2, model.k3};
    for (int i = 0; i < 5; ++i) EXPECT_EQ(found[i], i < count ? values[i] : 0) << count << ", " << i;
  }
}

TEST(VantageJson, RoundTripIsExact) {
  const auto first = read_text(test::sample_toml, {});
  ASSERT_TRUE(first) << first.error().message();
  const std::string text = calibration_to_json(first->cameras);
  const auto second = calibration_from_json(text, "here");
  ASSERT_TRUE(second) << second.error().message();
  EXPECT_EQ(calibration_to_json(*second), text);
  const auto read = read_text(text, {}, "misleading.xml");
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(read->format, "Vantage JSON");
  EXPECT_EQ(read->cameras[1].model().translation_cam_from_world_m[2], 4.0);
}

TEST(VantageJson, ContradictingOptionsAreErrors) {
  EXPECT_TRUE(read_text(test::sample_json, {.unit_scale_m = 1, .up_axis = "z"}));
  EXPECT_FALSE(read_text(test::sample_json, {.unit_scale_m = 0.001, .up_axis = {}}));
  EXPECT_FALSE(read_text(test::sample_json, {.unit_scale_m = {}, .up_axis = "y"}));
}

// A point on the file's up-axis, one unit up, must land at z = +0.1 m (the unit's scale), and project to the
// same pixel.
TEST(UpAxis, EveryAxisTurnsToZ) {
  const auto original = read_text(test::sample_toml, {.unit_scale_m = 0.1, .up_axis = "z"});
  ASSERT_TRUE(original);
  const std::vector<std::pair<std::string, Eigen::Vector3d>> axes = {{"x", {1, 0, 0}}, {"-x", {-1, 0, 0}},
                                                                     {"y", {0, 1, 0}}, {"-y", {0, -1, 0}},
                                                                     {"z", {0, 0, 1}}, {"-z", {0, 0, -1}}};
  for (const auto& [name, up_in_file] : axes) {
    const auto read = read_text(test::sample_toml, {.unit_scale_m = 0.1, .up_axis = name});
    ASSERT_TRUE(read) << read.error().message();
    EXPECT_NE(read->stated.find(name + " up"), std::string::npos) << read->stated;
    const Camera &turned = read->cameras[0], &unturned = original->cameras[0];
    EXPECT_NEAR(turned.rotation_cam_from_world().determinant(), 1, 1e-12) << name;
    const auto there = turned.project({0, 0, 0.1});
    const auto here = unturned.project(0.1 * up_in_file);
    ASSERT_TRUE(there && here) << name;
    EXPECT_LT((*there - *here).norm(), 1e-9) << name;
  }
  EXPECT_FALSE(read_text(test::sample_toml, {.unit_scale_m = {}, .up_axis = "up"}));
}

// The same rig, stated in a left-handed world (y negated): as rotations that mirror, or as proper ones whose
// cameras stand as in a mirror.
TEST(LeftHandedWorlds, AreNamedAndReadMirrored) {
  const auto original = read_text(test::sample_toml, {.unit_scale_m = 0.1, .up_axis = "z"});
  ASSERT_TRUE(original);
  json document = json::parse(calibration_to_json(original->cameras));
  for (const bool proper : {false, true}) {
    json left = document;
    for (json& camera : left["cameras"])
      for (int row = 0; row < 3; ++row) {
        json& values = camera["rotation_cam_from_world"][row];
        values[1] = -values[1].get<double>();
        if (!proper || row > 0) continue;
        for (json& value : values) value = -value.get<double>();
        camera["translation_cam_from_world_m"][0] = -camera["translation_cam_from_world_m"][0].get<double>();
      }
    const auto as_it_is = read_text(left.dump());
    ASSERT_EQ(as_it_is.has_value(), proper);
    if (!proper) {
      EXPECT_NE(as_it_is.error().message().find("--mirror"), std::string::npos);
    }
    const auto mirrored = read_text(left.dump(), {.mirror = true});
    ASSERT_TRUE(mirrored) << mirrored.error().message();
    EXPECT_NE(mirrored->stated.find("mirrored"), std::string::npos);
    for (size_t c = 0; c < mirrored->cameras.size(); ++c)
      EXPECT_LT((mirrored->cameras[c].center_in_world_m() - original->cameras[c].center_in_world_m()).norm() +
                    (mirrored->cameras[c].rotation_cam_from_world() -
                     original->cameras[c].rotation_cam_from_world())
                        .norm(),
                1e-9);
  }
}

TEST(Content, DecidesTheFormatNotTheName) {
  EXPECT_EQ(read_text(test::sample_xml, sample_options, "a.toml")->format, "OpenCV XML");
  EXPECT_EQ(read_text(test::sample_toml, {}, "a.json")->format, "Pose2Sim TOML");
  EXPECT_EQ(read_text("\xEF\xBB\xBF\n " + test::sample_json, {}, "a.xml")->format, "Vantage JSON");
}

TEST(Names, OpenCvCamerasAreNamedAfterFolderOrFile) {
  const TemporaryFolder folder;
  ASSERT_TRUE(make_folder(folder.path() / "cam7"));
  for (const std::string file : {"cam7/config.xml", "cam7/left2.xml"}) {
    ASSERT_TRUE(write_file_atomically(folder.path() / file, test::sample_xml));
    const auto read = read_calibration(folder.path() / file, sample_options);
    ASSERT_TRUE(read) << read.error().message();
    EXPECT_EQ(read->cameras[0].name(), file == "cam7/config.xml" ? "cam7" : "left2");
  }
}

}  // namespace
}  // namespace vantage
