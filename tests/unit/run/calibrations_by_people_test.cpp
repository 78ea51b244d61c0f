// Two calibrations by whom they find: four cameras round a floor.
#include "core/run/calibrations_by_people.h"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "core/geometry/camera.h"
#include "tests/support/camera_ring.h"

namespace vantage {
namespace {

constexpr int kComparedFrames = 80;

std::vector<Camera> ring() {
  return test::camera_ring({.width_px = 1280,
                            .height_px = 960,
                            .radius_m = 5,
                            .height_m = 2.6,
                            .look_at_height_m = 0.9,
                            .distorted = false});
}

// Two who walk, `off_m` beside where they are; heights that come out otherwise in one half of the room by
// `taller_m`; the second is found in the first `second_until` frames.
SweptPeople walkers(double off_m, double taller_m, int second_until) {
  SweptPeople people;
  for (int f = 0; f < kComparedFrames; ++f) {
    people.frames.push_back(f);
    const double x = 1.5 * std::sin(0.2 * f);
    const auto add = [&](int id, double y_m, double height_m) {
      people.people.push_back({f, id, static_cast<float>(x + off_m), static_cast<float>(y_m),
                               static_cast<float>(height_m + (x > 0 ? taller_m : 0))});
    };
    add(1, -1, 1.7);
    if (f < second_until) add(2, 1, 1.8);
  }
  return people;
}

OutlineMiss miss(int frame, double first_px, double second_px) {
  return {frame, {0, 1}, {first_px, second_px}};
}

TEST(CalibrationsByPeople, CountsWhoIsTheSame) {
  const std::vector<Camera> cameras = ring();
  const SweptPeople a = walkers(0, 0, kComparedFrames), b = walkers(0.05, 0, 20);
  const CalibrationsByPeople compared = compare_by_people({cameras, a}, {cameras, b}, {});
  EXPECT_EQ(compared.frames, kComparedFrames);
  EXPECT_EQ(compared.found[0].tracks, 2);
  EXPECT_EQ(compared.found[0].person_frames, 2 * kComparedFrames);
  EXPECT_EQ(compared.found[1].person_frames, kComparedFrames + 20);
  EXPECT_EQ(compared.same, kComparedFrames + 20);
  EXPECT_EQ(compared.same_tracks, 1) << "a quarter of the other's frames is not half";
  EXPECT_EQ(compared.alone[0], kComparedFrames - 20);
  EXPECT_EQ(compared.alone[1], 0);
  EXPECT_NEAR(compared.apart_median_m, 0.05, 1e-5);
  EXPECT_NEAR(compared.apart_p95_m, 0.05, 1e-5);
  ASSERT_EQ(compared.figures.size(), 2u);
  EXPECT_EQ(compared.figures[0].verdict, GainVerdict::too_few) << "no outlines";
  EXPECT_EQ(better_calibration(compared, {}), GainVerdict::unclear);
}

// Places of the two worlds differ by 3 m; the pictures do not.
TEST(CalibrationsByPeople, AnotherWorldDoesNotHideWhoIsTheSame) {
  const std::vector<Camera> cameras = ring();
  std::vector<Camera> moved;
  for (const Camera& camera : cameras) {
    CameraChange change = CameraChange::Zero();
    change[3] = 3;
    moved.push_back(*changed_camera(camera, change));
  }
  const SweptPeople a = walkers(0, 0, kComparedFrames), b = walkers(3, 0, kComparedFrames);
  const CalibrationsByPeople compared = compare_by_people({cameras, a}, {moved, b}, {});
  EXPECT_EQ(compared.same, 2 * kComparedFrames);
  EXPECT_NEAR(compared.apart_median_m, 3, 1e-5);
}

TEST(CalibrationsByPeople, TheOneOfEvenHeightsAndOutlinesIsBetter) {
  const std::vector<Camera> cameras = ring();
  const SweptPeople uneven = walkers(0, 0.1, kComparedFrames), even = walkers(0, 0, kComparedFrames);
  std::vector<OutlineMiss> misses;
  for (int f = 0; f < kComparedFrames; ++f) misses.push_back(miss(f, 3, 0.5));
  const CalibrationsByPeople better = compare_by_people({cameras, uneven}, {cameras, even}, misses);
  EXPECT_GT(better.found[0].height_scatter, 0.02);
  EXPECT_LT(better.found[1].height_scatter, 1e-6);
  for (const JudgedFigure& figure : better.figures) EXPECT_EQ(figure.verdict, GainVerdict::better);
  EXPECT_EQ(better_calibration(better, {}), GainVerdict::better);
  for (OutlineMiss& one : misses) std::swap(one.px[0], one.px[1]);
  const CalibrationsByPeople worse = compare_by_people({cameras, even}, {cameras, uneven}, misses);
  EXPECT_EQ(better_calibration(worse, {}), GainVerdict::worse);
  const CalibrationsByPeople torn = compare_by_people({cameras, uneven}, {cameras, even}, misses);
  EXPECT_EQ(better_calibration(torn, {}), GainVerdict::unclear)
      << "outlines and heights contradict each other";
}

// What one half of the footage says the other half does not.
TEST(CalibrationsByPeople, HalvesThatDisagreeDoNotTell) {
  const std::vector<Camera> cameras = ring();
  const SweptPeople people = walkers(0, 0, kComparedFrames);
  std::vector<OutlineMiss> misses;
  for (int f = 0; f < kComparedFrames; ++f)
    misses.push_back(f < kComparedFrames / 2 ? miss(f, 3, 0.5) : miss(f, 0.5, 2));
  const CalibrationsByPeople compared = compare_by_people({cameras, people}, {cameras, people}, misses);
  for (const JudgedFigure& figure : compared.figures) EXPECT_EQ(figure.verdict, GainVerdict::unclear);
  EXPECT_EQ(better_calibration(compared, {}), GainVerdict::unclear);
}

}  // namespace
}  // namespace vantage
