// Several boards that stand rigidly to each other, projected with noise: on a stick between cameras that
// share no view, and lying still with a hand-held camera that films two at once.
#include "core/calibration/solve/detail/joined_boards.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <cstdio>
#include <random>

#include "core/calibration/solve/board_solve.h"
#include "tests/unit/calibrate/looking.h"

namespace vantage {
namespace {

using test::looking;

using Eigen::Isometry3d;
using Eigen::Vector3d;

constexpr int kJoinedWidth = 1280, kJoinedHeight = 720;
constexpr double kJoinedNoise_px = 0.2, kDegree = M_PI / 180;

std::vector<Board> alike(int count) {
  return boards_alike(grid_of_tags(4, 3, {"DICT_APRILTAG_36h11", 0.1, 0.03}), count);
}

Isometry3d pose_at(const Vector3d& at, double x_rad, double y_rad, double z_rad) {
  Isometry3d pose = Isometry3d::Identity();
  pose.linear() = (Eigen::AngleAxisd(z_rad, Vector3d::UnitZ()) * Eigen::AngleAxisd(y_rad, Vector3d::UnitY()) *
                   Eigen::AngleAxisd(x_rad, Vector3d::UnitX()))
                      .toRotationMatrix();
  pose.translation() = at;
  return pose;
}

Camera camera_at(const std::string& name, const Isometry3d& cam_from_world) {
  PinholeCamera<double> m;
  m.width_px = kJoinedWidth, m.height_px = kJoinedHeight;
  m.fx_px = 800, m.fy_px = 803, m.cx_px = 642, m.cy_px = 352, m.k1 = -0.12, m.k2 = 0.03;
  for (int i = 0; i < 9; ++i) m.rotation_cam_from_world[i] = cam_from_world.linear()(i / 3, i % 3);
  for (int i = 0; i < 3; ++i) m.translation_cam_from_world_m[i] = cam_from_world.translation()[i];
  return Camera::make(name, m).value();
}

Camera without_pose(const Camera& camera) {
  return camera_at(camera.name(), Isometry3d::Identity());
}

// What cameras see of boards, from their printed side and whole.
class Scene {
 public:
  explicit Scene(int boards, unsigned seed = 1) : random_(seed), noise_(0, kJoinedNoise_px) {
    input_.boards = alike(boards);
    board_.assign(static_cast<size_t>(boards), Isometry3d::Identity());
  }

  int add_camera(const Camera& camera, bool hand_held = false) {
    BoardCamera one{.name = camera.name(), .width_px = kJoinedWidth, .height_px = kJoinedHeight};
    one.given = without_pose(camera), one.hand_held = hand_held;
    input_.cameras.push_back(one), cameras_.push_back(camera);
    return static_cast<int>(cameras_.size()) - 1;
  }
  void solve_lens(int camera) { input_.cameras[camera].given.reset(); }
  void put_board(int board, const Isometry3d& rig_from_board) { board_[board] = rig_from_board; }

  // How many boards are seen.
  int see(int camera, int64_t instant, const Isometry3d& world_from_rig, const Isometry3d* cam_from_world) {
    int seen = 0;
    for (size_t b = 0; b < board_.size(); ++b) {
      const Board& board = input_.boards[b];
      const Camera& truth = cameras_[camera];
      const Camera from = cam_from_world ? camera_at(truth.name(), *cam_from_world) : truth;
      const Isometry3d pose = world_from_rig * board_[b];
      if (pose.linear().col(2).dot(from.center_in_world_m() - pose.translation()) < 0.2) continue;
      BoardView view{camera, instant, {}, static_cast<int>(b)};
      for (int i = 0; i < board.corner_count(); ++i) {
        const auto at = from.project(pose * Vector3d(board.x_m(i), board.y_m(i), 0));
        if (!at || at->x() < 0 || at->y() < 0 || at->x() > kJoinedWidth || at->y() > kJoinedHeight) continue;
        view.corners.push_back({i, at->x() + noise_(random_), at->y() + noise_(random_)});
      }
      if (static_cast<int>(view.corners.size()) < board.corner_count()) continue;
      input_.views.push_back(view), ++seen;
    }
    return seen;
  }
  int see(int camera, int64_t instant, const Isometry3d& world_from_rig = Isometry3d::Identity()) {
    return see(camera, instant, world_from_rig, nullptr);
  }

  BoardsInput& input() { return input_; }
  const Camera& camera(size_t c) const { return cameras_[c]; }
  const Isometry3d& board(size_t b) const { return board_[b]; }
  std::mt19937& random() { return random_; }

 private:
  std::mt19937 random_;
  std::normal_distribution<double> noise_;
  BoardsInput input_;
  std::vector<Camera> cameras_;
  std::vector<Isometry3d> board_;
};

// Errors over the standard deviations said, of places and turns of cameras and boards.
struct JoinedRatios {
  double cameras2 = 0, boards2 = 0;
  int cameras = 0, boards = 0;
  // The largest errors; of cameras to each other, too.
  double camera_mm = 0, apart_mm = 0, apart_deg = 0, board_mm = 0, board_deg = 0;
};

void add_ratios(const Scene& scene, const BoardsSolution& solution, const Isometry3d& world_from_rig,
                JoinedRatios* ratios) {
  const Isometry3d world_from_world_board = world_from_rig * scene.board(solution.world_board);
  for (size_t c = 0; c < solution.cameras.size(); ++c) {
    const CameraSolution& camera = solution.cameras[c];
    if (!camera.posed) continue;
    const Isometry3d truth = scene.camera(c).cam_from_world() * world_from_world_board;
    const Vector3d off = camera.camera.center_in_world_m() - truth.inverse().translation();
    ratios->cameras2 += off.cwiseQuotient(camera.center_std_m).squaredNorm(), ratios->cameras += 3;
    ratios->camera_mm = std::max(ratios->camera_mm, 1000 * off.norm());
    const Isometry3d from_first =
        camera.camera.cam_from_world() * solution.cameras[0].camera.cam_from_world().inverse();
    const Isometry3d true_from_first =
        scene.camera(c).cam_from_world() * scene.camera(0).cam_from_world().inverse();
    const double apart_mm =
        1000 * (from_first.inverse().translation() - true_from_first.inverse().translation()).norm();
    const double apart_deg =
        Eigen::AngleAxisd(from_first.linear().transpose() * true_from_first.linear()).angle() / kDegree;
    ratios->apart_mm = std::max(ratios->apart_mm, apart_mm);
    ratios->apart_deg = std::max(ratios->apart_deg, apart_deg);
  }
  for (size_t b = 0; b < solution.boards.size(); ++b) {
    const BoardPlace& place = solution.boards[b];
    if (!place.placed || b == solution.world_board) continue;
    const Isometry3d truth = scene.board(solution.world_board).inverse() * scene.board(b);
    const Vector3d off = place.world_board_from_board.translation() - truth.translation();
    const Eigen::AngleAxisd turn(place.world_board_from_board.linear() * truth.linear().transpose());
    const Vector3d turned = turn.angle() * turn.axis();
    ratios->boards2 += off.cwiseQuotient(place.shift_std_m).squaredNorm() +
                       turned.cwiseQuotient(place.rotation_std_rad).squaredNorm();
    ratios->boards += 6;
    ratios->board_mm = std::max(ratios->board_mm, 1000 * off.norm());
    ratios->board_deg = std::max(ratios->board_deg, turned.norm() / kDegree);
  }
}

void expect_honest(const char* name, const JoinedRatios& ratios) {
  const double cameras = std::sqrt(ratios.cameras2 / ratios.cameras);
  const double boards = std::sqrt(ratios.boards2 / ratios.boards);
  fmt::print(
      "{}: errors over deviations: cameras {:.2f}, boards {:.2f}; at most: cameras {:.2f} mm, to each other "
      "{:.2f} "
      "mm, "
      "{:.3f} degrees, boards {:.2f} mm, {:.3f} degrees\n",
      name, cameras, boards, ratios.camera_mm, ratios.apart_mm, ratios.apart_deg, ratios.board_mm,
      ratios.board_deg);
  EXPECT_GT(cameras, 0.8);
  EXPECT_LT(cameras, 1.25);
  EXPECT_GT(boards, 0.8);
  EXPECT_LT(boards, 1.25);
}

// Two boards back to back on a stick, between two cameras that look at each other from 5 m apart: never does
// a camera see two boards, nor a board two cameras.
struct Stick {
  Scene scene;
  Isometry3d first = Isometry3d::Identity();  // world_from_rig at the instant 0
};

Stick back_to_back(unsigned seed, int instants = 24, double slant = 0.5, bool turned = true) {
  Stick stick{Scene(2, seed)};
  Scene& scene = stick.scene;
  scene.put_board(0, pose_at({-0.25, -0.2, 0.02}, 0, 0, 0));
  scene.put_board(1, pose_at({0.25, -0.19, -0.03}, 0.02, M_PI, 0.03));
  scene.add_camera(camera_at("left", looking({0, -2.5, 1.5}, {0, 0, 1.2})));
  scene.add_camera(camera_at("right", looking({0.3, 2.5, 1.6}, {0, 0, 1.2})));
  std::uniform_real_distribution<double> unit(-1, 1);
  for (int i = 0; i < instants; ++i) {
    // The first board looks at the left camera, or the second one does.
    const double side = turned && i % 5 == 4 ? M_PI : 0;
    Isometry3d rig =
        pose_at({0.5 * unit(scene.random()), 0.5 * unit(scene.random()), 1.2 + 0.25 * unit(scene.random())},
                0, 0, side);
    rig.linear() = rig.linear() * Eigen::AngleAxisd(M_PI / 2, Vector3d::UnitX()).toRotationMatrix() *
                   pose_at(Vector3d::Zero(), slant * unit(scene.random()), slant * unit(scene.random()),
                           slant * unit(scene.random()))
                       .linear();
    if (i == 0) stick.first = rig;
    EXPECT_EQ(scene.see(0, i, rig), 1);
    EXPECT_EQ(scene.see(1, i, rig), 1);
  }
  return stick;
}

TEST(JoinedBoards, BoardsBackToBackPlaceCamerasThatShareNoView) {
  JoinedRatios held, solved;
  for (unsigned seed = 0; seed < 48; ++seed) {
    Stick stick = back_to_back(seed);
    if (seed % 2 == 1) stick.scene.solve_lens(0), stick.scene.solve_lens(1);
    const auto solution = solve_boards(stick.scene.input(), {.world_instant = 0, .half_turned = {}});
    ASSERT_TRUE(solution) << seed << ": " << solution.error().message();
    for (const CameraSolution& camera : solution->cameras)
      EXPECT_NEAR(camera.rms_px, kJoinedNoise_px * std::sqrt(2.0), 0.03);
    add_ratios(stick.scene, *solution, stick.first, seed % 2 == 1 ? &solved : &held);
  }
  expect_honest("back to back, lenses held", held);
  expect_honest("back to back, lenses solved", solved);
}

TEST(JoinedBoards, GiveTheSameBytesTwice) {
  Stick stick = back_to_back(3);
  stick.scene.solve_lens(0);
  const auto first = solve_boards(stick.scene.input(), {.half_turned = {}}),
             second = solve_boards(stick.scene.input(), {.half_turned = {}});
  ASSERT_TRUE(first && second);
  ASSERT_EQ(first->residuals.size(), second->residuals.size());
  for (size_t i = 0; i < first->residuals.size(); ++i)
    EXPECT_EQ(first->residuals[i].x_px, second->residuals[i].x_px);
  EXPECT_EQ(first->boards[1].shift_std_m, second->boards[1].shift_std_m);
  EXPECT_EQ(first->together.covariance, second->together.covariance);
}

// One board a camera, two instants or turns about one axis: nothing tells how the boards stand to each other.
TEST(JoinedBoards, WaysThatLeaveTheBoardsOpenAreRefused) {
  for (const auto& [instants, slant] : {std::pair(2, 0.5), std::pair(20, 0.0)}) {
    Stick stick = back_to_back(5, instants, slant, false);
    const auto refused = solve_boards(stick.scene.input(), {.half_turned = {}});
    ASSERT_FALSE(refused) << instants;
    const std::string message = refused.error().message();
    EXPECT_NE(message.find("right: no picture links this camera's boards (board 2) with those of left (board "
                           "1)"),
              std::string::npos)
        << message;
    EXPECT_NE(message.find("at " + std::to_string(instants) + " instants"), std::string::npos) << message;
    EXPECT_NE(message.find("about more than one axis"), std::string::npos) << message;
  }
}

// Four cameras in two rooms, four boards on floors and walls; the hand-held camera goes from board to board.
Scene still_boards(unsigned seed, bool solve_hand_held) {
  Scene scene(4, seed);
  scene.put_board(0, pose_at({0, 0, 0}, 0, 0, 0.1));
  scene.put_board(1, pose_at({1.3, 0.4, 0.02}, 0.1, 0, 0.6));
  scene.put_board(2, pose_at({2.6, 0.5, 0.3}, 1.2, 0, 0.2));
  scene.put_board(3, pose_at({4.2, 0.1, 0}, 0, -0.1, -0.3));
  scene.add_camera(camera_at("a", looking({0.9, -1.4, 1.8}, {0.3, 0.2, 0})));
  scene.add_camera(camera_at("b", looking({0.4, -1.5, 2.0}, {0.3, 0.2, 0})));
  scene.add_camera(camera_at("c", looking({3.9, -1.5, 1.9}, {4.4, 0.3, 0})));
  const int held = scene.add_camera(camera_at("phone", Isometry3d::Identity()), true);
  if (solve_hand_held) scene.solve_lens(held);
  for (int c = 0; c < 3; ++c) EXPECT_GE(scene.see(c, 0), 1) << c;
  std::uniform_real_distribution<double> unit(-1, 1);
  for (int i = 0; i < 36; ++i) {
    const double along = 4.2 * i / 35;
    const Isometry3d pose = looking({along + 0.4 * unit(scene.random()), -1.3 + 0.3 * unit(scene.random()),
                                     1.4 + 0.4 * unit(scene.random())},
                                    {along + 0.2 * unit(scene.random()), 0.4, 0.1});
    const Isometry3d turned = Eigen::AngleAxisd(0.4 * unit(scene.random()), Vector3d::UnitZ()) * pose;
    scene.see(held, i, Isometry3d::Identity(), &turned);
  }
  return scene;
}

TEST(JoinedBoards, AHandHeldCameraLinksBoardsThatLieStill) {
  JoinedRatios ratios;
  for (unsigned seed = 0; seed < 12; ++seed) {
    Scene scene = still_boards(seed, seed % 2 == 1);
    const auto solution = solve_boards(scene.input(), {.half_turned = {}});
    ASSERT_TRUE(solution) << seed << ": " << solution.error().message();
    ASSERT_EQ(solution->cameras.size(), 4u);
    EXPECT_FALSE(solution->cameras[3].posed);
    EXPECT_GT(solution->cameras[3].pictures, 20);
    EXPECT_EQ(solution->cameras[3].lens_free[kFx], seed % 2 == 1);
    EXPECT_NEAR(solution->cameras[3].camera.model().fx_px, 800, 2);
    EXPECT_EQ(solution->together.cameras.size(), 3u);
    EXPECT_EQ(solution->instants, std::vector<int64_t>{0});
    add_ratios(scene, *solution, Isometry3d::Identity(), &ratios);
  }
  expect_honest("hand-held", ratios);
}

TEST(JoinedBoards, WhatTheHandHeldCameraHasToFilmIsSaid) {
  Scene scene = still_boards(1, false);
  std::erase_if(scene.input().views, [](const BoardView& view) {
    // The third board is between the first two and the last.
    return view.board == 2 || (view.camera == 3 && (view.board == 3) != (view.instant > 20));
  });
  const auto refused = solve_boards(scene.input(), {.half_turned = {}});
  ASSERT_FALSE(refused);
  const std::string message = refused.error().message();
  EXPECT_EQ(message.find("c: no picture links"), 0u) << message;
  EXPECT_NE(message.find("Film one of the boards 1, 2 and board 4 at once with the hand-held camera"),
            std::string::npos)
      << message;
}

TEST(JoinedBoards, AHandHeldCameraNeedsBoardsToLink) {
  Scene scene(1);
  scene.add_camera(camera_at("phone", looking({0.2, -1.2, 1}, {0.2, 0.2, 0})), true);
  ASSERT_EQ(scene.see(0, 0), 1);
  const auto refused = solve_boards(scene.input(), {.half_turned = {}});
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message().find("phone: a hand-held camera links boards"), std::string::npos);
}

// A board that no other is seen with is left out, and says so.
TEST(JoinedBoards, ABoardThatIsLinkedWithNoOtherIsLeftOut) {
  Scene scene = still_boards(2, false);
  std::erase_if(scene.input().views, [](const BoardView& view) {
    return view.camera == 2 || view.board == 2 ||
           (view.camera == 3 && (view.board == 3) != (view.instant > 20));
  });
  scene.input().cameras.erase(scene.input().cameras.begin() + 2);
  for (BoardView& view : scene.input().views) view.camera = std::min(view.camera, 2);
  const auto solution = solve_boards(scene.input(), {.half_turned = {}});
  ASSERT_TRUE(solution) << solution.error().message();
  EXPECT_TRUE(solution->boards[0].placed && solution->boards[1].placed);
  EXPECT_FALSE(solution->boards[2].placed || solution->boards[3].placed);
  EXPECT_EQ(solution->boards[2].views, 0);
}

// Before all others a board is seen by as many cameras that is linked with no other: no world can be there.
TEST(JoinedBoards, TheWorldIsChosenAmongBoardsThatArePlaced) {
  Scene scene = still_boards(2, false);
  std::erase_if(scene.input().views, [](const BoardView& view) {
    return view.camera == 2 || view.board >= 2 || (view.camera == 3 && view.board == 3);
  });
  scene.input().cameras.erase(scene.input().cameras.begin() + 2);
  for (BoardView& view : scene.input().views) view.camera = std::min(view.camera, 2);
  const Isometry3d third_for_first = scene.board(0) * scene.board(2).inverse();
  for (const int camera : {0, 1}) ASSERT_GE(scene.see(camera, -1, third_for_first), 1);
  std::erase_if(scene.input().views,
                [](const BoardView& view) { return view.instant == -1 && view.board != 2; });
  const auto solution = solve_boards(scene.input(), {.half_turned = {}});
  ASSERT_TRUE(solution) << solution.error().message();
  EXPECT_FALSE(solution->boards[2].placed);
  EXPECT_EQ(solution->world_instant, 0);
  const auto refused = solve_boards(scene.input(), {.world_instant = -1, .half_turned = {}});
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message().find("shows only boards that are linked with no other"),
            std::string::npos)
      << refused.error().message();
}

// Three cameras in a row and three boards on a stick: left and middle see a board at once, middle and right
// another one; left and right never see anything together.
TEST(JoinedBoards, ChainsOfCamerasAndBoards) {
  Scene scene(3, 7);
  for (int b = 0; b < 3; ++b) scene.put_board(b, pose_at({0.6 * b, 0.1 * b, 0}, 0.1 * b, 0, 0.05 * b));
  for (const double x : {-1.6, 0.0, 1.6})
    scene.add_camera(camera_at("cam" + std::to_string(scene.input().cameras.size() + 1),
                               looking({x, -2.2, 1.5}, {x, 0, 0.3})));
  std::uniform_real_distribution<double> unit(-1, 1);
  Isometry3d first = Isometry3d::Identity();
  for (int i = 0; i < 30; ++i) {
    const Isometry3d rig =
        pose_at({-2.4 + 3.2 * i / 29, 0.2 * unit(scene.random()), 0.3}, 0.8 + 0.2 * unit(scene.random()),
                0.2 * unit(scene.random()), 0.2 * unit(scene.random()));
    if (i == 12) first = rig;
    for (int c = 0; c < 3; ++c) scene.see(c, i, rig);
  }
  // Left keeps the first board, right the last one, at different times.
  std::erase_if(scene.input().views, [](const BoardView& view) {
    return (view.camera == 0 && (view.board != 0 || view.instant >= 15)) ||
           (view.camera == 2 && (view.board != 2 || view.instant < 15));
  });
  const auto solution = solve_boards(scene.input(), {.world_instant = 12, .half_turned = {}});
  ASSERT_TRUE(solution) << solution.error().message();
  JoinedRatios ratios;
  add_ratios(scene, *solution, first, &ratios);
  EXPECT_LT(ratios.camera_mm, 6);
  EXPECT_LT(ratios.board_mm, 2);
}

TEST(JoinedBoards, HandEyeIsExactWithoutNoiseAndPutsUpWithAWrongPair) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> unit(-1, 1);
  const Isometry3d z = pose_at({1, -2, 0.5}, 2, 0.3, -1), x = pose_at({0.1, 0.2, -0.3}, 0.4, 3, 0.2);
  std::vector<std::pair<Isometry3d, Isometry3d>> pairs;
  for (int i = 0; i < 9; ++i) {
    const Isometry3d a = pose_at({unit(random), unit(random), 2}, unit(random), unit(random), unit(random));
    pairs.emplace_back(a, z * a * x);
  }
  const auto exact = solve_hand_eye(pairs);
  ASSERT_TRUE(exact);
  EXPECT_TRUE(exact->z.isApprox(z, 1e-9)) << exact->z.matrix();
  EXPECT_TRUE(exact->x.isApprox(x, 1e-9)) << exact->x.matrix();
  pairs[4].second.linear() = pairs[4].second.linear() * Eigen::AngleAxisd(0.8, Vector3d::UnitX());
  const auto robust = solve_hand_eye(pairs);
  ASSERT_TRUE(robust);
  EXPECT_TRUE(robust->z.isApprox(z, 1e-9)) << robust->z.matrix();
  EXPECT_FALSE(solve_hand_eye(std::span(pairs).first(2)));
}

TEST(JoinedBoards, AFurtherBoardHasIdentitiesOfItsOwn) {
  std::vector<Board> boards = alike(2);  // of 12 tags
  boards.push_back({5, 4, 0.05, BoardMarkers{"DICT_4X4_50", 0.037, 7}});
  const Board tags = further_board(boards[0], boards), markers = further_board(boards[2], boards);
  EXPECT_EQ(tags.first_id(), 24);
  EXPECT_EQ(markers.first_id(), 7 + 15);
  boards.push_back({4, 4, 0.05, BoardMarkers{"DICT_4X4_100", 0.037, 30}});  // which begins with the same
  EXPECT_EQ(further_board(boards[2], boards).first_id(), 30 + 12);
  boards.push_back(further_board(boards[2], boards)), boards.push_back(tags);
  EXPECT_FALSE(check_boards(boards));  // DICT_4X4_50 has 50
  boards.erase(boards.begin() + 4);
  EXPECT_TRUE(check_boards(boards));
  const Board plain{9, 6, 0.03};
  EXPECT_EQ(further_board(plain, boards), plain);
}

TEST(JoinedBoards, BoardsThatCannotBeToldApartAreRefused) {
  const auto message = [](const std::vector<Board>& boards) {
    const Status status = check_boards(boards);
    return status ? std::string() : status.error().message();
  };
  EXPECT_EQ(message(alike(3)), "");
  EXPECT_EQ(alike(3)[2].tags->first_id, 24);
  EXPECT_NE(message({Board{9, 6, 0.08}, Board{8, 5, 0.08}}).find("plain chessboards cannot be distinguished"),
            std::string::npos);
  EXPECT_NE(
      message({alike(1)[0], alike(1)[0]}).find("boards 1 and 2 have the same markers: identities 0 to 11"),
      std::string::npos);
  // Dictionaries of the same bits begin with the same markers.
  const Board small{.columns = 6, .rows = 4, .square_m = 0.06, .markers = BoardMarkers{"DICT_4X4_50", 0.045}};
  Board large = small;
  large.markers = BoardMarkers{"DICT_4X4_250", 0.045, 10};
  EXPECT_NE(message({small, large}).find("same markers"), std::string::npos);
  large.markers->first_id = 17;
  EXPECT_EQ(message({small, large}), "");
  large.markers->dictionary = "DICT_5X5_50", large.markers->first_id = 0;
  EXPECT_EQ(message({small, large}), "");
  large.markers->first_id = 40;
  EXPECT_NE(message({small, large}).find("more than DICT_5X5_50 has (50)"), std::string::npos);
  EXPECT_FALSE(check_boards({}));
}

}  // namespace
}  // namespace vantage
