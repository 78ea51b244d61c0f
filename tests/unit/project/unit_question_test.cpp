// The question about a calibration's unit, asked for unusual positions of cameras.
#include "core/project/change_world.h"

#include <gtest/gtest.h>

#include "core/project/new_project.h"

namespace vantage {
namespace {

// Four cameras at the corners of a square, aimed down at its middle.
std::vector<Camera> square(double side, double height) {
  std::vector<Camera> cameras;
  for (int i = 0; i < 4; ++i) {
    PinholeCamera<double> model;
    model.width_px = 640, model.height_px = 480, model.fx_px = model.fy_px = 500;
    model.cx_px = 320, model.cy_px = 240;
    const Eigen::Vector3d at((i % 2 ? 0.5 : -0.5) * side, (i / 2 ? 0.5 : -0.5) * side, height);
    const Eigen::Vector3d forward = (Eigen::Vector3d(0, 0, 0.3 * height) - at).normalized();
    const Eigen::Vector3d right = forward.cross(Eigen::Vector3d::UnitZ()).normalized();
    Eigen::Matrix<double, 3, 3, Eigen::RowMajor> turn;
    turn << right.transpose(), forward.cross(right).transpose(), forward.transpose();
    std::copy(turn.data(), turn.data() + 9, model.rotation_cam_from_world);
    const Eigen::Vector3d moved = -turn * at;
    std::copy(moved.data(), moved.data() + 3, model.translation_cam_from_world_m);
    cameras.push_back(Camera::make("cam" + std::to_string(i + 1), model).value());
  }
  return cameras;
}

TEST(UnitQuestion, RoomsHallsAndStadiumsAreNotAskedAbout) {
  for (const auto& [side, height] :
       std::vector<std::pair<double, double>>{{4, 2.5}, {0.4, 0.3}, {20, 6}, {120, 35}, {1, 10}})
    EXPECT_FALSE(question_of_unit(square(side, height), 1)) << side;
}

TEST(UnitQuestion, TheLikelyUnitIsProposed) {
  struct Case {
    double side, height, likely_m;
    const char* name;
  };
  for (const Case& one : std::vector<Case>{{4000, 2500, 0.001, "millimetres"},
                                           {12000, 3000, 0.001, "millimetres"},
                                           {600, 250, 0.01, "centimetres"},
                                           {1500, 400, 0.01, "centimetres"},
                                           {900, 1800, 0.01, "centimetres"}}) {
    const auto question = question_of_unit(square(one.side, one.height), 1);
    ASSERT_TRUE(question) << one.side;
    EXPECT_EQ(question->likely_m, one.likely_m) << question->what;
    EXPECT_EQ(question->likely_name, one.name);
    for (const char* unit : {"as metres", "as centimetres", "as millimetres"})
      EXPECT_NE(question->what.find(unit), std::string::npos) << question->what;
  }
  const auto small = question_of_unit(square(0.004, 0.0025), 1);
  ASSERT_TRUE(small) << "millimetres taken for metres twice";
  // Already read as millimetres: the figures are still in the file's units.
  const auto read = question_of_unit(square(4000, 2500), 0.001);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->likely_m, 0) << "4 million units are a room in none of them";
}

TEST(UnitQuestion, WhatIsStatedIsNotAskedAbout) {
  std::vector<CalibratedCamera> cameras;
  for (const Camera& camera : square(4000, 2500))
    cameras.push_back({camera, "calib.toml", "Pose2Sim TOML", "metres, z up", false, 1, false});
  const Status asked = check_unit(cameras);
  ASSERT_FALSE(asked);
  EXPECT_NE(asked.error().message().find("--unit-scale 0.001"), std::string::npos) << asked.error().message();
  EXPECT_NE(asked.error().message().find("2.5 m as millimetres"), std::string::npos)
      << asked.error().message();
  for (CalibratedCamera& camera : cameras) camera.unit_is_stated = true;
  EXPECT_TRUE(check_unit(cameras)) << "somebody said metres";
  EXPECT_TRUE(check_unit({}));
}

}  // namespace
}  // namespace vantage
