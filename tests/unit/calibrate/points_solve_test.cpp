#include "core/calibration/solve/points_solve.h"

#include <gtest/gtest.h>

#include "core/calibration/solve/measure.h"
#include "core/calibration/solve/world_from_points.h"
#include "tests/unit/calibrate/clicked_room.h"

namespace vantage {
namespace {

using clicked_room::cameras, clicked_room::click_all, clicked_room::places;

PointsInput input_of(const std::vector<Camera>& given, std::vector<ClickedPoint> points) {
  PointsInput input;
  for (const Camera& camera : given) input.cameras.push_back({camera, false, false});
  input.points = std::move(points);
  return input;
}

CameraChange change_of(double degrees, double shift_m, double focal = 0) {
  CameraChange change = CameraChange::Zero();
  change << degrees * M_PI / 180, -degrees * M_PI / 180, degrees * M_PI / 360, shift_m, -shift_m, shift_m,
      focal;
  return change;
}

TEST(PointsSolve, TriangulatesPointsWhereOpenCvProjectedThemFrom) {
  const auto truth = places(9, 1);
  const auto solution = solve_points(input_of(cameras(), click_all(cameras(), truth, 0, 2)));
  ASSERT_TRUE(solution) << solution.error().message();
  for (size_t i = 0; i < truth.size(); ++i) {
    ASSERT_TRUE(solution->points[i].at_m);
    EXPECT_LT((*solution->points[i].at_m - truth[i]).norm(), 1e-6) << i;
    EXPECT_LT(solution->points[i].rms_px, 1e-4);
  }
  EXPECT_TRUE(solution->notes.empty());
}

// Far beyond what the given pose finds by itself: the points alone must place it.
TEST(PointsSolve, PlacesACameraThatStandsQuiteElsewhere) {
  const auto truth = cameras();
  auto given = truth;
  given[2] = *changed_camera(truth[2], change_of(25, 1.5));
  auto input = input_of(given, click_all(truth, places(10, 3), 0, 4));
  input.cameras[2].solve_pose = true;
  const auto solution = solve_points(input);
  ASSERT_TRUE(solution) << solution.error().message();
  const CameraChange left = change_between(truth[2], solution->cameras[2].camera);
  EXPECT_LT(left.head<3>().norm(), 1e-6);
  EXPECT_LT(left.segment<3>(3).norm(), 1e-6);
  EXPECT_GT(solution->cameras[2].before_px, 100);
  EXPECT_LT(solution->cameras[2].after_px, 1e-3);
  EXPECT_EQ(solution->cameras[0].camera.center_in_world_m(), truth[0].center_in_world_m());
}

TEST(PointsSolve, FindsTheFocalLengthWithThePose) {
  const auto truth = cameras();
  auto given = truth;
  given[1] = *changed_camera(truth[1], change_of(1, 0.05, 0.06));
  auto input = input_of(given, click_all(truth, places(12, 5), 0, 6));
  input.cameras[1].solve_pose = input.cameras[1].solve_focal = true;
  const auto solution = solve_points(input);
  ASSERT_TRUE(solution) << solution.error().message();
  EXPECT_NEAR(solution->cameras[1].camera.model().fx_px, truth[1].model().fx_px, 1e-3);
  EXPECT_NEAR(solution->cameras[1].camera.model().fy_px, truth[1].model().fy_px, 1e-3);
  EXPECT_GT(solution->cameras[1].focal_std, 0);
}

TEST(PointsSolve, SolvesAllCamerasFromKnownCoordinates) {
  const auto truth = cameras();
  const auto where = places(12, 7);
  auto points = click_all(truth, where, 0, 8);
  for (size_t i = 0; i < 6; ++i) points[i].known_m = where[i];
  std::vector<Camera> given;
  for (size_t c = 0; c < truth.size(); ++c)
    given.push_back(*changed_camera(truth[c], change_of(3 * (static_cast<double>(c) - 1), 0.3)));
  auto input = input_of(given, points);
  for (PointsCamera& camera : input.cameras) camera.solve_pose = true;
  const auto solution = solve_points(input);
  ASSERT_TRUE(solution) << solution.error().message();
  for (size_t c = 0; c < truth.size(); ++c)
    EXPECT_LT(change_between(truth[c], solution->cameras[c].camera).norm(), 1e-5) << c;
  for (size_t i = 6; i < where.size(); ++i) EXPECT_LT((*solution->points[i].at_m - where[i]).norm(), 1e-5);
}

TEST(PointsSolve, NamesAWrongClickAndIsNotBentByIt) {
  const auto truth = cameras();
  auto points = click_all(truth, places(14, 9), 0.5, 10);
  points[3].clicks[2].at_px += Eigen::Vector2d(60, -25);
  auto input = input_of(truth, points);
  input.cameras[2].solve_pose = true;
  const auto solution = solve_points(input);
  ASSERT_TRUE(solution) << solution.error().message();
  ASSERT_EQ(solution->notes.size(), 1u);
  EXPECT_NE(solution->notes[0].find("P4 in cam3"), std::string::npos) << solution->notes[0];
  EXPECT_LT(solution->cameras[2].moved_m, 0.03);
  EXPECT_LT(solution->cameras[2].turned_deg, 0.3);
}

// Over many draws of the noise, the errors are as large as stated.
TEST(PointsSolve, StandardDeviationsAreThoseOfTheErrors) {
  const auto truth = cameras();
  const auto where = places(24, 11);
  double turned = 0, turned_std = 0, moved = 0, moved_std = 0, point = 0, point_std = 0;
  constexpr unsigned kDraws = 60;
  for (unsigned draw = 0; draw < kDraws; ++draw) {
    auto input = input_of(truth, click_all(truth, where, 1, 100 + draw));
    input.cameras[1].solve_pose = true;
    const auto solution = solve_points(input);
    ASSERT_TRUE(solution);
    const PointsSolvedCamera& camera = solution->cameras[1];
    turned += camera.turned_deg * camera.turned_deg, moved += camera.moved_m * camera.moved_m;
    turned_std += camera.turned_std_deg * camera.turned_std_deg;
    moved_std += camera.moved_std_m * camera.moved_std_m;
    point += (*solution->points[5].at_m - where[5]).squaredNorm();
    point_std += solution->points[5].std_m.squaredNorm();
  }
  for (const double ratio :
       {std::sqrt(turned / turned_std), std::sqrt(moved / moved_std), std::sqrt(point / point_std)}) {
    EXPECT_GT(ratio, 0.8);
    EXPECT_LT(ratio, 1.25);
  }
}

TEST(PointsSolve, AbstainsWhereNothingHoldsTheWorld) {
  auto input = input_of(cameras(), click_all(cameras(), places(10, 12), 0.3, 13));
  for (PointsCamera& camera : input.cameras) camera.solve_pose = true;
  const auto all = solve_points(input);
  ASSERT_FALSE(all);
  EXPECT_NE(all.error().what.find("the gauge is open"), std::string::npos) << all.error().message();
  input.cameras[0].solve_pose = false;
  EXPECT_FALSE(solve_points(input));  // how large it is stays open
}

TEST(PointsSolve, AbstainsOnTooFewPointsAndOnPointsOnOneLine) {
  auto input = input_of(cameras(), click_all(cameras(), places(3, 14), 0.3, 15));
  input.cameras[3].solve_pose = true;
  const auto few = solve_points(input);
  ASSERT_FALSE(few);
  EXPECT_EQ(few.error().where, "cam4");
  EXPECT_NE(few.error().what.find("3 of its points"), std::string::npos) << few.error().message();

  std::vector<Eigen::Vector3d> line;
  for (int i = 0; i < 8; ++i) line.emplace_back(-1 + 0.3 * i, 0.2 * i, 0.1 * i);
  input.points = click_all(cameras(), line, 0.3, 16);
  const auto flat = solve_points(input);
  ASSERT_FALSE(flat);
  EXPECT_EQ(flat.error().where, "cam4") << flat.error().message();
}

TEST(PointsSolve, PointsOfOneCameraAreNotPlaced) {
  auto points = click_all(cameras(), places(3, 17), 0, 18);
  points[1].clicks.resize(1);
  const auto solution = solve_points(input_of(cameras(), points));
  ASSERT_TRUE(solution);
  EXPECT_FALSE(solution->points[1].at_m);
  ASSERT_EQ(solution->notes.size(), 1u);
  EXPECT_NE(solution->notes[0].find("P2"), std::string::npos);
}

TEST(PointsSolve, AnUnknownCameraIsNamed) {
  const auto solution = solve_points(input_of(cameras(), {{"A", {{"cam9", {1, 2}}}, {}}}));
  ASSERT_FALSE(solution);
  EXPECT_NE(solution.error().message().find("cam9"), std::string::npos);
}

// The map's figure for a place beside the scatter of triangulations there.
TEST(FloorError, IsWhatTriangulationsScatterBy) {
  std::vector<UncertainCamera> uncertain;
  for (const Camera& camera : cameras()) uncertain.push_back({camera, 2});
  for (const Eigen::Vector3d& place : {Eigen::Vector3d(0, 0, 0), Eigen::Vector3d(1.2, -0.8, 0)}) {
    double sum = 0;
    constexpr unsigned kDraws = 200;
    for (unsigned draw = 0; draw < kDraws; ++draw) {
      const auto solution = solve_points(input_of(cameras(), click_all(cameras(), {place}, 2, 300 + draw)));
      ASSERT_TRUE(solution);
      sum += (*solution->points[0].at_m - place).head<2>().squaredNorm();
    }
    const auto expected = place_error_m(uncertain, place);
    ASSERT_TRUE(expected);
    const double ratio = std::sqrt(sum / kDraws) / *expected;
    EXPECT_GT(ratio, 0.85);
    EXPECT_LT(ratio, 1.15);
  }
}

TEST(FloorError, GrowsWithWhatIsNotKnownOfAPoseAndIsUnknownWhereOneCameraSees) {
  std::vector<UncertainCamera> uncertain;
  for (const Camera& camera : cameras()) uncertain.push_back({camera, 1});
  const double exact = *place_error_m(uncertain, {0.5, 0.5, 0});
  uncertain[0].covariance(1, 1) = 1e-4;
  EXPECT_GT(*place_error_m(uncertain, {0.5, 0.5, 0}), exact);
  uncertain.resize(1);
  EXPECT_FALSE(place_error_m(uncertain, {0.5, 0.5, 0}));
}

TEST(ClickedPoints, FilesAreReadBackAsWritten) {
  auto points = click_all(cameras(), places(4, 19), 0.7, 20);
  points[0].known_m = Eigen::Vector3d(0.1, -2, 1e-3);
  points.push_back({"corner", {}, Eigen::Vector3d(1, 2, 3)});
  const auto read = read_clicked_points(write_clicked_points(points), "points.csv");
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(*read, points);
}

TEST(ClickedPoints, BadLinesAreNamed) {
  const std::string head = "point,camera,x_px,y_px,x_m,y_m,z_m\n";
  const std::pair<std::string, const char*> bad[] = {
      {"", "no points"},
      {"name,x\n", "line 1: the header"},
      {head + "A,cam1,1,2\n", "line 2: 4 fields"},
      {head + "A,cam1,one,2,,,\n", "line 2: \"one\" is not a number"},
      {head + "A,cam1,nan,2,,,\n", "line 2: \"nan\" is not a number"},
      {head + ",cam1,1,2,,,\n", "line 2: the point has no name"},
      {head + "A,,1,2,,,\n", "line 2: the click has no camera"},
      {head + "A,,,,,,\n", "line 2: the line holds neither"},
      {head + "A,cam1,1,2,,,\nA,cam1,3,4,,,\n", "line 3: A was clicked in cam1"},
      {head + "A,cam1,1,2,0,0,0\nA,cam2,3,4,0,0,1\n", "line 3: A has other coordinates"},
      {head + "A,cam1,1,2,0,0,\n", "line 2: \"\" is not a number"},
  };
  for (const auto& [text, what] : bad) {
    const auto read = read_clicked_points(text, "points.csv");
    ASSERT_FALSE(read) << text;
    EXPECT_NE(read.error().message().find(what), std::string::npos) << read.error().message();
  }
}

}  // namespace
}  // namespace vantage
