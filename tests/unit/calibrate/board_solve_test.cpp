// Boards projected by OpenCV's projectPoints, with and without noise, and boards drawn.
#include "core/calibration/solve/board_solve.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <opencv2/calib3d.hpp>
#include <opencv2/imgproc.hpp>
#include <random>

#include "core/calibration/solve/board_detector.h"
#include "core/calibration/solve/detail/board_poses.h"
#include "core/geometry/lens_inverse.h"
#include "tests/unit/calibrate/looking.h"

namespace vantage {
namespace {

using test::looking;

using Eigen::Isometry3d;
using Eigen::Vector3d;

constexpr int kWidth = 1280, kHeight = 720;
const Board kBoard{9, 6, 0.08};  // one odd, one even: its order is certain
const Board kTurning{8, 6, 0.08};

BundleCamera camera_at(const Isometry3d& pose) {
  return {.lens = {900, 905, 640, 350, -0.2, 0.05, 0.001, -0.0008, 0},
          .lens_free = {},
          .fixed = {},
          .cam_from_world = pose_values(pose)};
}

// By OpenCV, so that the formulas under test are not their own truth.
std::vector<cv::Point2d> projected(const Board& board, const BundleCamera& camera,
                                   const Isometry3d& world_from_board) {
  const Isometry3d pose = pose_of(camera.cam_from_world) * world_from_board;
  const PoseValues values = pose_values(pose);
  std::vector<cv::Point3d> points;
  for (int i = 0; i < board.corner_count(); ++i) points.emplace_back(board.x_m(i), board.y_m(i), 0);
  const auto& l = camera.lens;
  const cv::Matx33d matrix(l[0], 0, l[2], 0, l[1], l[3], 0, 0, 1);
  const cv::Vec3d rotation(values[0], values[1], values[2]), translation(values[3], values[4], values[5]);
  std::vector<cv::Point2d> pixels;
  const std::vector<double> coefficients = lens_coefficients(lens_with(l, camera.fixed));
  if (camera.fixed.lens == LensModel::fisheye)
    cv::fisheye::projectPoints(points, pixels, rotation, translation, matrix, coefficients);
  else
    cv::projectPoints(points, rotation, translation, matrix, coefficients, pixels);
  return pixels;
}

// A board carried about in front of three cameras that stand around it.
struct Room {
  std::vector<BundleCamera> cameras;
  std::vector<Isometry3d> boards;
};

Room make_room() {
  Room room;
  for (const double angle : {-0.6, 0.0, 0.7})
    room.cameras.push_back(
        camera_at(looking({2.2 * std::sin(angle), -2.2 * std::cos(angle), 1.6}, {0, 0, 0.3})));
  std::mt19937 random(5);
  std::uniform_real_distribution<double> unit(-1, 1);
  for (int i = 0; i < 14; ++i) {
    Isometry3d board = Isometry3d::Identity();
    if (i > 0) {
      board.linear() = (Eigen::AngleAxisd(0.5 * unit(random) + 0.4, Vector3d::UnitX()) *
                        Eigen::AngleAxisd(0.5 * unit(random), Vector3d::UnitY()) *
                        Eigen::AngleAxisd(0.9 * unit(random), Vector3d::UnitZ()))
                           .toRotationMatrix();
      board.translation() = Vector3d(0.5 * unit(random), 0.4 * unit(random), 0.4 + 0.3 * unit(random));
    }
    board.translation() -= board.linear() * Vector3d(0.32, 0.2, 0);
    room.boards.push_back(board);
  }
  return room;
}

// The world is the first board.
std::vector<Isometry3d> true_poses(const Room& room) {
  std::vector<Isometry3d> poses;
  for (const BundleCamera& camera : room.cameras)
    poses.push_back(pose_of(camera.cam_from_world) * room.boards[0]);
  return poses;
}

BoardsInput seen(const Room& room, const Board& board, double noise_px, unsigned seed, bool give_lens) {
  std::mt19937 random(seed);
  std::normal_distribution<double> noise(0, 1);
  BoardsInput input{.boards = {board}, .cameras = {}, .views = {}, .lens_views = {}};
  for (size_t c = 0; c < room.cameras.size(); ++c) {
    BoardCamera camera{
        .name = "cam" + std::to_string(c + 1), .width_px = kWidth, .height_px = kHeight, .given = {}};
    if (give_lens) {
      PinholeCamera<double> m;
      const auto& l = room.cameras[c].lens;
      m.width_px = kWidth, m.height_px = kHeight;
      static_cast<Lens<double>&>(m) = lens_with(l, room.cameras[c].fixed);
      m.fx_px = l[0], m.fy_px = l[1], m.cx_px = l[2], m.cy_px = l[3];
      camera.given = *Camera::make(camera.name, m);
    }
    input.cameras.push_back(camera);
    for (size_t i = 0; i < room.boards.size(); ++i) {
      BoardView view{static_cast<int>(c), static_cast<int64_t>(i), {}};
      const auto pixels = projected(board, room.cameras[c], room.boards[i]);
      for (int k = 0; k < board.corner_count(); ++k)
        view.corners.push_back(
            {k, pixels[k].x + noise_px * noise(random), pixels[k].y + noise_px * noise(random)});
      input.views.push_back(view);
    }
  }
  return input;
}

void turn_order(const Board& board, BoardView* view) {
  for (BoardCorner& corner : view->corners) corner.index = board.half_turned(corner.index);
}

TEST(BoardSolve, ProjectsAsOpenCvDoes) {
  const Room room = make_room();
  for (const Isometry3d& board : room.boards) {
    const auto pixels = projected(kBoard, room.cameras[1], board);
    for (int i = 0; i < kBoard.corner_count(); ++i) {
      const auto p =
          project_corner(room.cameras[1], {pose_values(board), true}, kBoard.x_m(i), kBoard.y_m(i));
      EXPECT_NEAR(p.x(), pixels[i].x, 1e-6);
      EXPECT_NEAR(p.y(), pixels[i].y, 1e-6);
    }
  }
}

TEST(BoardSolve, FindsLensesAndPosesExactlyWithoutNoise) {
  const Room room = make_room();
  const auto solution = solve_boards(seen(room, kBoard, 0, 1, false), {.half_turned = {}});
  ASSERT_TRUE(solution) << solution.error().message();
  const auto truth = true_poses(room);
  for (size_t c = 0; c < 3; ++c) {
    const Camera& camera = solution->cameras[c].camera;
    EXPECT_NEAR(camera.model().fx_px, 900, 1e-3);
    EXPECT_NEAR(camera.model().fy_px, 905, 1e-3);
    EXPECT_NEAR(camera.model().k1, -0.2, 1e-5);
    EXPECT_LT((camera.center_in_world_m() - truth[c].inverse().translation()).norm(), 1e-5);
    EXPECT_LT(solution->cameras[c].rms_px, 1e-4);
  }
}

void set_lens(const Lens<double>& lens, BundleCamera* camera) {
  PinholeCamera<double> m;
  static_cast<Lens<double>&>(m) = lens;
  const LensValues values = lens_values(m);
  for (size_t i = kK1; i < kLensValues; ++i) camera->lens[i] = values[i];
  camera->fixed = lens;
}

Room make_room_of_all_models() {
  Room room = make_room();
  Lens<double> fisheye, rational;
  fisheye.lens = LensModel::fisheye, fisheye.k1 = -0.05, fisheye.k2 = 0.01, fisheye.k3 = -0.003;
  rational.lens = LensModel::rational, rational.k1 = 0.2, rational.k4 = 0.35, rational.k5 = 0.02;
  rational.p1 = 0.001, rational.s1 = 0.002, rational.tau_x = 0.01;
  set_lens(fisheye, &room.cameras[0]), set_lens(rational, &room.cameras[2]);
  for (BundleCamera& camera : room.cameras) camera.lens[0] *= 0.6, camera.lens[1] *= 0.6;
  return room;
}

// Poses are found through lenses of all models, held or solved; thin prism and tilt stay as given.
TEST(BoardSolve, FindsPosesThroughGivenLensesOfAllModels) {
  const Room room = make_room_of_all_models();
  for (const bool solve_lens : {false, true}) {
    BoardsInput input = seen(room, kBoard, 0, 1, true);
    for (BoardCamera& camera : input.cameras) camera.solve_lens = solve_lens;
    const auto solution = solve_boards(input, {.half_turned = {}});
    ASSERT_TRUE(solution) << solution.error().message();
    const auto truth = true_poses(room);
    for (size_t c = 0; c < 3; ++c) {
      const Camera& camera = solution->cameras[c].camera;
      EXPECT_EQ(camera.model().lens, input.cameras[c].given->model().lens);
      EXPECT_EQ(camera.model().tau_x, input.cameras[c].given->model().tau_x);
      if (!solve_lens || c < 2) EXPECT_EQ(solution->cameras[c].lens_free[kFx], solve_lens) << c;
      EXPECT_LT((camera.center_in_world_m() - truth[c].inverse().translation()).norm(), 1e-4) << c;
      EXPECT_LT(solution->cameras[c].rms_px, 1e-3) << c;
    }
  }
}

// Nothing given but the models.
TEST(BoardSolve, SolvesLensesOfAllModelsWithThePoses) {
  Room room = make_room_of_all_models();
  Lens<double> rational = room.cameras[2].fixed;
  rational.s1 = rational.tau_x = 0;
  set_lens(rational, &room.cameras[2]);
  BoardsInput input = seen(room, kBoard, 0.2, 12, false);
  input.cameras[0].model = LensModel::fisheye, input.cameras[2].model = LensModel::rational;
  const auto solution = solve_boards(input, {.half_turned = {}});
  ASSERT_TRUE(solution) << solution.error().message();
  const auto truth = true_poses(room);
  for (size_t c = 0; c < 3; ++c) {
    const CameraSolution& camera = solution->cameras[c];
    EXPECT_EQ(camera.camera.model().lens, room.cameras[c].fixed.lens);
    EXPECT_NEAR(camera.rms_px, 0.2 * std::sqrt(2.0), 0.02) << c;
    EXPECT_NEAR(camera.camera.model().fx_px, 540, 4 * camera.lens_std[kFx]) << c;
    const Vector3d error = camera.camera.center_in_world_m() - truth[c].inverse().translation();
    EXPECT_LT(error.cwiseQuotient(camera.center_std_m).norm(), 5) << c;
    EXPECT_LT(error.norm(), 0.01) << c;
  }
}

TEST(BoardSolve, PredictsItsOwnErrors) {
  const Room room = make_room();
  const auto truth = true_poses(room);
  double center_ratio2 = 0, focal_ratio2 = 0;
  constexpr int kTrials = 24;
  for (unsigned seed = 0; seed < kTrials; ++seed) {
    const auto solution = solve_boards(seen(room, kBoard, 0.3, seed, false), {.half_turned = {}});
    ASSERT_TRUE(solution) << solution.error().message();
    for (size_t c = 0; c < 3; ++c) {
      const CameraSolution& camera = solution->cameras[c];
      const Vector3d error = camera.camera.center_in_world_m() - truth[c].inverse().translation();
      center_ratio2 += error.cwiseQuotient(camera.center_std_m).squaredNorm() / (3 * 3 * kTrials);
      focal_ratio2 += std::pow((camera.camera.model().fx_px - 900) / camera.lens_std[0], 2) / (3 * kTrials);
    }
  }
  EXPECT_GT(std::sqrt(center_ratio2), 0.8);
  EXPECT_LT(std::sqrt(center_ratio2), 1.25);
  EXPECT_GT(std::sqrt(focal_ratio2), 0.8);
  EXPECT_LT(std::sqrt(focal_ratio2), 1.25);
}

TEST(BoardSolve, GivesTheSameBytesTwice) {
  const Room room = make_room();
  const BoardsInput input = seen(room, kBoard, 0.3, 3, false);
  const auto first = solve_boards(input, {.half_turned = {}}),
             second = solve_boards(input, {.half_turned = {}});
  ASSERT_TRUE(first && second);
  for (size_t i = 0; i < first->residuals.size(); ++i)
    EXPECT_EQ(first->residuals[i].x_px, second->residuals[i].x_px);
}

TEST(BoardSolve, IsStopped) {
  StopSource stop;
  stop.request_stop();
  const auto solution =
      solve_boards(seen(make_room(), kBoard, 0.3, 3, false), {.half_turned = {}, .stop = stop});
  ASSERT_FALSE(solution);
  EXPECT_EQ(solution.error().kind, ErrorKind::cancelled);
}

TEST(BoardSolve, WrongCornersDoNotBendTheRest) {
  const Room room = make_room();
  BoardsInput input = seen(room, kBoard, 0.2, 4, true);
  for (size_t v = 0; v < input.views.size(); v += 2) input.views[v].corners[7].x_px += 15;
  const auto solution = solve_boards(input, {.half_turned = {}});
  ASSERT_TRUE(solution) << solution.error().message();
  const auto truth = true_poses(room);
  for (size_t c = 0; c < 3; ++c)
    EXPECT_LT((solution->cameras[c].camera.center_in_world_m() - truth[c].inverse().translation()).norm(),
              0.004);
}

TEST(BoardSolve, OrdersThatMixAreToldByABoardThatIsCarried) {
  const Room room = make_room();
  BoardsInput input = seen(room, kTurning, 0.2, 6, true);
  for (size_t v = 1; v < input.views.size(); v += 3) turn_order(kTurning, &input.views[v]);
  const auto solution = solve_boards(input, {.half_turned = {}});
  ASSERT_TRUE(solution) << solution.error().message();
  const auto truth = true_poses(room);
  for (size_t c = 0; c < 3; ++c) {
    EXPECT_LT(solution->cameras[c].rms_px, 0.4);
    const Isometry3d between =
        solution->cameras[c].camera.cam_from_world() * solution->cameras[0].camera.cam_from_world().inverse();
    EXPECT_LT((between.translation() - (truth[c] * truth[0].inverse()).translation()).norm(), 0.01);
  }
}

TEST(BoardSolve, AHalfTurnThatNothingTellsIsRefusedUnlessStated) {
  Room room = make_room();
  room.boards.resize(1);
  BoardsInput input = seen(room, kTurning, 0.1, 7, true);
  turn_order(kTurning, &input.views[1]);
  const auto refused = solve_boards(input, {.half_turned = {}});
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message().find("half a turn"), std::string::npos) << refused.error().message();
  const auto solution = solve_boards(input, {.half_turned = {{false, true, false}}});
  ASSERT_TRUE(solution) << solution.error().message();
  const auto truth = true_poses(room);
  for (size_t c = 0; c < 3; ++c)
    EXPECT_LT((solution->cameras[c].camera.center_in_world_m() - truth[c].inverse().translation()).norm(),
              0.01);
  for (size_t c = 0; c < 3; ++c) {
    PinholeCamera<double> m = input.cameras[c].given->model();
    const Isometry3d rough = Eigen::AngleAxisd(0.2, Vector3d::UnitX()) * truth[c];
    for (int i = 0; i < 9; ++i) m.rotation_cam_from_world[i] = rough.linear()(i / 3, i % 3);
    for (int i = 0; i < 3; ++i) m.translation_cam_from_world_m[i] = rough.translation()[i];
    input.cameras[c].given = *Camera::make(input.cameras[c].name, m);
    input.cameras[c].given_pose = true;
  }
  const auto hinted = solve_boards(input, {.half_turned = {}});
  ASSERT_TRUE(hinted) << hinted.error().message();
  for (size_t c = 0; c < 3; ++c)
    EXPECT_LT((hinted->cameras[c].camera.center_in_world_m() - truth[c].inverse().translation()).norm(),
              0.01);
}

TEST(BoardSolve, ALensThatPicturesDoNotDetermineIsHeldOrRefused) {
  Room room = make_room();
  room.boards.resize(1);
  BoardsInput input = seen(room, kBoard, 0.3, 8, true);
  for (BoardCamera& camera : input.cameras) camera.solve_lens = true;
  const auto held = solve_boards(input, {.half_turned = {}});
  ASSERT_TRUE(held) << held.error().message();
  for (const CameraSolution& camera : held->cameras) {
    EXPECT_FALSE(camera.held.empty());
    EXPECT_EQ(camera.camera.model().fx_px, 900);
  }
  for (BoardCamera& camera : input.cameras) camera.given.reset();
  const auto refused = solve_boards(input, {.half_turned = {}});
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message().find("do not determine the lens"), std::string::npos)
      << refused.error().message();
}

TEST(BoardSolve, CamerasThatShareNoInstantAreNamed) {
  const Room room = make_room();
  BoardsInput input = seen(room, kBoard, 0.1, 9, true);
  std::erase_if(input.views, [](const BoardView& view) { return (view.camera == 2) != (view.instant >= 7); });
  const auto refused = solve_boards(input, {.half_turned = {}});
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message().find("cam3"), std::string::npos) << refused.error().message();
}

// Corners on one line tell no pose: a view of these alone is not used.
TEST(BoardSolve, TheWorldIsChosenAmongViewsThatAreUsed) {
  const Room room = make_room();
  BoardsInput input = seen(room, kBoard, 0.1, 9, true);
  for (BoardView& view : input.views)
    if (view.instant == 0) std::erase_if(view.corners, [](const BoardCorner& at) { return at.index > 3; });
  const auto solution = solve_boards(input, {.half_turned = {}});
  ASSERT_TRUE(solution) << solution.error().message();
  EXPECT_EQ(solution->world_instant, 1);
}

// The first two see the board together, then the last two; the first and the last never do.
TEST(BoardSolve, ABoardCarriedFromCameraToCameraLinksThemAll) {
  const Room room = make_room();
  BoardsInput input = seen(room, kBoard, 0.2, 10, true);
  std::erase_if(input.views, [](const BoardView& view) {
    return (view.camera == 0 && view.instant >= 7) || (view.camera == 2 && view.instant < 7);
  });
  const auto solution = solve_boards(input, {.half_turned = {}});
  ASSERT_TRUE(solution) << solution.error().message();
  const auto truth = true_poses(room);
  for (size_t c = 0; c < 3; ++c) {
    const CameraSolution& camera = solution->cameras[c];
    const Vector3d error = camera.camera.center_in_world_m() - truth[c].inverse().translation();
    EXPECT_LT(error.norm(), 0.005) << c;
    EXPECT_LT(error.cwiseQuotient(camera.center_std_m).norm(), 5) << c;
  }
  EXPECT_TRUE(solution->boards.empty());
}

// A drawn board of `square_px`, seen through a homography; overexposure widens the white.
cv::Mat drawn(const Board& board, const cv::Matx33d& picture_from_squares, int brighter) {
  constexpr int kScale = 20;
  cv::Mat flat((board.rows + 3) * kScale, (board.columns + 3) * kScale, CV_8U, cv::Scalar(235));
  for (int row = 0; row <= board.rows; ++row)
    for (int column = 0; column <= board.columns; ++column)
      if ((row + column) % 2 == 0)
        cv::rectangle(flat, cv::Rect((column + 1) * kScale, (row + 1) * kScale, kScale, kScale),
                      cv::Scalar(40), cv::FILLED);
  // Corner (c, r) is the edge between the pixels at (c + 2) kScale.
  const cv::Matx33d squares_from_flat(1.0 / kScale, 0, -2 + 0.5 / kScale, 0, 1.0 / kScale, -2 + 0.5 / kScale,
                                      0, 0, 1);
  cv::Mat big;
  const cv::Matx33d bigger(4, 0, 1.5, 0, 4, 1.5, 0, 0, 1);
  cv::warpPerspective(flat, big, bigger * picture_from_squares * squares_from_flat, {640 * 4, 480 * 4},
                      cv::INTER_LINEAR, cv::BORDER_CONSTANT, cv::Scalar(110));
  cv::Mat picture;
  cv::GaussianBlur(big, big, {}, 2.5);
  cv::resize(big, picture, {640, 480}, 0, 0, cv::INTER_AREA);
  picture += brighter;
  return picture;
}

void expect_corners(const Board& board, const cv::Matx33d& picture_from_squares, const cv::Mat& picture,
                    double tolerance_px) {
  const auto found = find_board({picture.data, picture.cols, picture.rows, picture.step}, board);
  ASSERT_TRUE(found);
  ASSERT_EQ(found->size(), static_cast<size_t>(board.corner_count()));
  for (const BoardCorner& corner : *found) {
    double nearest = 1e9;
    for (int i = 0; i < board.corner_count(); ++i) {
      const cv::Vec3d p = picture_from_squares * cv::Vec3d(i % board.columns, i / board.columns, 1);
      nearest = std::min(nearest, std::hypot(p[0] / p[2] - corner.x_px, p[1] / p[2] - corner.y_px));
    }
    EXPECT_LT(nearest, tolerance_px) << corner.index;
  }
}

TEST(BoardDetector, FindsLargeSlantedAndOverexposedBoards) {
  const cv::Matx33d large(40, 3, 120, -2, 38, 90, 0.0002, 0.0001, 1);
  expect_corners(kBoard, large, drawn(kBoard, large, 0), 0.15);
  const cv::Matx33d slanted(10, 9, 250, 3.2, -3.6, 300, 0.0, 0.0, 1);
  expect_corners(kTurning, slanted, drawn(kTurning, slanted, 0), 0.4);
  expect_corners(kTurning, slanted, drawn(kTurning, slanted, 60), 0.6);
}

TEST(BoardDetector, AStoppedSearchFindsNothing) {
  const cv::Matx33d slanted(10, 9, 250, 3.2, -3.6, 300, 0.0, 0.0, 1);
  const cv::Mat picture = drawn(kTurning, slanted, 60);
  const ImageView<const uint8_t> gray{picture.data, picture.cols, picture.rows, picture.step};
  StopSource stop;
  EXPECT_TRUE(find_board(gray, kTurning, stop));
  stop.request_stop();
  EXPECT_FALSE(find_board(gray, kTurning, stop));
}

TEST(BoardDetector, TellsTheOrderByTheColours) {
  const cv::Matx33d upright(30, 1, 150, 1, 30, 120, 0, 0, 1);
  const cv::Matx33d turned = upright * cv::Matx33d(-1, 0, 8, 0, -1, 5, 0, 0, 1);
  for (const cv::Matx33d& pose : {upright, turned}) {
    const cv::Mat picture = drawn(kBoard, pose, 0);
    const auto found = find_board({picture.data, picture.cols, picture.rows, picture.step}, kBoard);
    ASSERT_TRUE(found);
    // The drawn board's row 0 is its top; the order found counts rows upwards, from the end whose first
    // square is dark.
    const cv::Vec3d p = pose * cv::Vec3d(8, 0, 1);
    const cv::Vec3d q = pose * cv::Vec3d(0, 5, 1);
    const double to_p = std::hypot(found->front().x_px - p[0], found->front().y_px - p[1]);
    const double to_q = std::hypot(found->front().x_px - q[0], found->front().y_px - q[1]);
    // Square (8, 0)-(7, 1) of the drawing is column 8, row 1: bright; (0, 5)-(1, 4) is column 1, row 5: dark.
    EXPECT_LT(to_q, 0.5);
    EXPECT_GT(to_p, 50);
  }
}

TEST(BoardDetector, FindsNothingWhereThereIsNone) {
  cv::Mat picture(480, 640, CV_8U);
  cv::RNG random(4);
  random.fill(picture, cv::RNG::UNIFORM, 0, 255);
  cv::GaussianBlur(picture, picture, {}, 3);
  EXPECT_FALSE(find_board({picture.data, picture.cols, picture.rows, picture.step}, kBoard));
}

// What moves all cameras with the world is no part of how they stand to each other.
TEST(RelativeDeviation, LeavesOutWhatTheWorldShares) {
  BoardsSolution solution;
  Eigen::Matrix<double, 2 * kCameraValues, 6> with_world = decltype(with_world)::Zero();  // turn, shift
  for (int c = 0; c < 2; ++c) {
    PinholeCamera<double> model;
    model.width_px = 640, model.height_px = 480, model.fx_px = model.fy_px = 500;
    const Isometry3d pose = c == 0 ? looking({2, 1, 3}, {0, 0, 0}) : looking({-3, 2, 1}, {0, 0, 1});
    const Eigen::Matrix3d rotation = pose.linear();
    for (int i = 0; i < 9; ++i) model.rotation_cam_from_world[i] = rotation(i / 3, i % 3);
    for (int i = 0; i < 3; ++i) model.translation_cam_from_world_m[i] = pose.translation()[i];
    CameraSolution camera{Camera::make(c == 0 ? "a" : "b", model).value()};
    camera.posed = true;
    solution.cameras.push_back(camera);
    solution.together.cameras.push_back(camera.camera);
    const Vector3d center = camera.camera.center_in_world_m();
    for (int axis = 0; axis < 3; ++axis) {
      with_world.block<3, 1>(c * kCameraValues, axis) = -rotation.col(axis);
      with_world.block<3, 1>(c * kCameraValues + 3, axis) = Vector3d::Unit(axis).cross(center);
      with_world.block<3, 1>(c * kCameraValues + 3, 3 + axis) = Vector3d::Unit(axis);
    }
  }
  solution.together.covariance = 1e-4 * with_world * with_world.transpose();
  ASSERT_TRUE(solution.relative_deviation(1));
  EXPECT_EQ(solution.relative_deviation(1)->from, 0u);
  EXPECT_LT(solution.relative_deviation(1)->turned_rad, 1e-9);
  EXPECT_LT(solution.relative_deviation(1)->moved_m, 1e-9);
  EXPECT_FALSE(solution.relative_deviation(0)) << "from itself";
  for (int i = 0; i < 3; ++i) {
    solution.together.covariance(kCameraValues + i, kCameraValues + i) += 1e-6;
    solution.together.covariance(kCameraValues + 3 + i, kCameraValues + 3 + i) += 4e-6;
  }
  EXPECT_NEAR(solution.relative_deviation(1)->turned_rad, std::sqrt(3e-6), 1e-9);
  EXPECT_NEAR(solution.relative_deviation(1)->moved_m, std::sqrt(12e-6), 1e-9);
}

}  // namespace
}  // namespace vantage
