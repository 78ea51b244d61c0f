#include "core/calibrate/measure.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tests/unit/calibrate/clicked_room.h"

namespace vantage {
namespace {

std::vector<RulerCamera> ruler() {
  std::vector<RulerCamera> all;
  for (const Camera& camera : clicked_room::cameras()) all.push_back({camera, {}});
  return all;
}

MeasureClick click(const RulerCamera& camera, const Eigen::Vector3d& point) {
  return {camera.camera.name(), clicked_room::pixel_of(camera.camera, point)};
}

TEST(Measure, DistancesHeightsAndAnglesThroughTheLens) {
  const std::vector<RulerCamera> cameras = ruler();
  const Eigen::Vector3d a(-0.8, 0.3, 0), b(0.7, -0.5, 0), c(0.2, 0.9, 0);
  const auto distance =
      measured(MeasureKind::distance, std::vector{click(cameras[0], a), click(cameras[2], b)}, cameras);
  ASSERT_TRUE(distance && distance->value);
  EXPECT_NEAR(*distance->value, 1.7, 1e-6);
  EXPECT_LT((distance->points_m[1] - b).norm(), 1e-6);
  EXPECT_FALSE(distance->std) << "nothing is known of the cameras";
  // The foot in one picture, the top in another.
  const auto height = measured(
      MeasureKind::height,
      std::vector{click(cameras[1], a), click(cameras[3], a + Eigen::Vector3d(0, 0, 1.234))}, cameras);
  ASSERT_TRUE(height && height->value);
  EXPECT_NEAR(*height->value, 1.234, 1e-6);
  const auto angle = measured(
      MeasureKind::angle,
      std::vector{click(cameras[0], b), click(cameras[0], a), MeasureClick{"", c.head<2>()}}, cameras);
  ASSERT_TRUE(angle && angle->value);
  const double expected = std::acos((b - a).normalized().dot((c - a).normalized())) * 180 / M_PI;
  EXPECT_NEAR(*angle->value, expected, 1e-6);
}

TEST(Measure, WhatShowsNoPlaceIsNotMeasured) {
  const std::vector<RulerCamera> cameras = ruler();
  const MeasureClick on = click(cameras[0], {0, 0, 0});
  const MeasureClick sky{"cam1", {640, -3000}}, unknown{"cam9", {640, 480}}, scene{"", {0, 0}};
  EXPECT_FALSE(measured(MeasureKind::distance, std::vector{on, sky}, cameras));
  EXPECT_FALSE(measured(MeasureKind::distance, std::vector{unknown}, cameras));
  EXPECT_FALSE(measured(MeasureKind::height, std::vector{on, scene}, cameras)) << "nothing is above the plan";
  const auto begun = measured(MeasureKind::distance, std::vector{on}, cameras);
  ASSERT_TRUE(begun);
  EXPECT_FALSE(begun->value);
  EXPECT_FALSE(measured(MeasureKind::angle, std::vector{on, on, on}, cameras)->value)
      << "arms without length";
}

// Clicks with noise by cameras that stand otherwise than known, drawn from the covariance: the values scatter
// as the standard deviation says.
TEST(Measure, TheStandardDeviationIsThatOfTheValues) {
  std::vector<RulerCamera> cameras = ruler();
  CameraChange sigma;
  sigma << 0.001, 0.0015, 0.002, 0.004, 0.003, 0.005, 0.001;
  const ChangeCovariance covariance = sigma.cwiseAbs2().asDiagonal();
  for (RulerCamera& camera : cameras) camera.covariance = covariance;
  const Eigen::Vector3d a(-0.8, 0.3, 0), b(0.7, -0.5, 0), top = a + Eigen::Vector3d(0, 0, 1.7);
  const struct {
    MeasureKind kind;
    std::vector<MeasureClick> clicks;
  } cases[] = {{MeasureKind::distance, {click(cameras[0], a), click(cameras[0], b)}},
               {MeasureKind::distance, {click(cameras[0], a), click(cameras[1], b)}},
               {MeasureKind::height, {click(cameras[2], a), click(cameras[2], top)}},
               {MeasureKind::angle, {click(cameras[0], a), click(cameras[0], b), click(cameras[0], -a)}}};
  std::mt19937 random(4);
  std::normal_distribution<double> normal(0, 1);
  for (const auto& [kind, clicks] : cases) {
    const auto exact = measured(kind, clicks, cameras);
    ASSERT_TRUE(exact && exact->std);
    constexpr int kDraws = 3000;
    double squares = 0;
    for (int draw = 0; draw < kDraws; ++draw) {
      std::vector<RulerCamera> moved = cameras;
      std::vector<MeasureClick> noisy = clicks;
      for (RulerCamera& camera : moved) {
        CameraChange change;
        for (int p = 0; p < kChanges; ++p) change[p] = sigma[p] * normal(random);
        camera.camera = changed_camera(camera.camera, change).value();
      }
      for (MeasureClick& one : noisy) one.at += Eigen::Vector2d(normal(random), normal(random));
      squares += std::pow(measured(kind, noisy, moved).value().value.value() - *exact->value, 2);
    }
    const double ratio = std::sqrt(squares / kDraws) / *exact->std;
    EXPECT_GT(ratio, 0.93) << static_cast<int>(kind);
    EXPECT_LT(ratio, 1.07) << static_cast<int>(kind);
  }
  cameras[1].covariance.reset();
  EXPECT_FALSE(measured(MeasureKind::distance, cases[1].clicks, cameras)->std) << "one camera is not known";
}

}  // namespace
}  // namespace vantage
