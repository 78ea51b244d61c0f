// A drawn board carried through the view of two cameras.
#include "core/setup/boards/project_boards.h"

#include <gtest/gtest.h>

#include "core/image/image_files.h"
#include "tests/support/board_wall.h"
#include "tests/support/data.h"
#include "tests/support/drawn_board.h"

namespace vantage {
namespace {

const Board kBoard{7, 5, 0.08};
constexpr int kFrames = 10;

Eigen::Isometry3d camera_from_world(const Camera& camera) {
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
  pose.linear() =
      Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(camera.model().rotation_cam_from_world);
  pose.translation() = Eigen::Map<const Eigen::Vector3d>(camera.model().translation_cam_from_world_m);
  return pose;
}

class ProjectBoardsTest : public ::testing::Test {
 protected:
  // The second camera's pictures begin `early` frames earlier than the first's.
  void draw(int early = 0) {
    cameras_ = {test::camera_beside("left", -0.4, -12, -0.08), test::camera_beside("right", 0.4, 12, -0.08)};
    for (size_t c = 0; c < 2; ++c) {
      const test::BoardPainter painter(cameras_[c]);
      const std::filesystem::path folder = folder_.path() / cameras_[c].name();
      std::filesystem::create_directories(folder);
      std::mt19937 random(3);
      const int before = c == 1 ? early : 0;
      for (int frame = 0; frame < kFrames; ++frame) {
        // Where both see it: by the middle between them, 1.6 m ahead.
        const Eigen::Isometry3d board = test::carried_board(kBoard, 0.1, 1.6, &random);
        const std::string number = std::to_string(100 + before + frame);
        ASSERT_TRUE(test::write_board(folder / (number + ".png"), painter, kBoard,
                                      camera_from_world(cameras_[c]) * board));
      }
      for (int frame = 0; frame < before; ++frame)
        ASSERT_TRUE(test::write_board(folder / (std::to_string(100 + frame) + ".png"), painter, kBoard,
                                      Eigen::Isometry3d(Eigen::Translation3d(0, 0, -5))));
      ProjectCamera camera;
      camera.name = cameras_[c].name(), camera.video = folder.string(), camera.offset_frames = before;
      project_.cameras.push_back(camera);
    }
  }
  Result<SolvedProjectBoards> solve(const ProjectBoards& boards) {
    return solve_project_boards(project_, boards, [this](int64_t, int64_t) { ++report_; }, stop_);
  }
  // How far the second camera stands from where the first sees it, in metres and radians.
  void expect_right(const SolvedProjectBoards& solved) const {
    const auto between = [](const Camera& a, const Camera& b) {
      return camera_from_world(b) * camera_from_world(a).inverse();
    };
    const Eigen::Isometry3d off =
        between(solved.solution.cameras[0].camera, solved.solution.cameras[1].camera).inverse() *
        between(cameras_[0], cameras_[1]);
    EXPECT_LT(off.translation().norm(), 0.004);
    EXPECT_LT(Eigen::AngleAxisd(off.linear()).angle(), 0.004);
  }

  const test::TemporaryFolder folder_;
  std::vector<Camera> cameras_;
  Project project_;
  StopSource stop_;
  int report_ = 0;
};

TEST_F(ProjectBoardsTest, HeldLensesGivePoses) {
  draw();
  for (size_t c = 0; c < 2; ++c) project_.cameras[c].calibration = cameras_[c];
  const auto solved = solve({.boards = {kBoard}, .solve_lens = false});
  ASSERT_TRUE(solved) << solved.error().message();
  expect_right(*solved);
  EXPECT_EQ(solved->solution.cameras[1].camera.name(), "right");
  EXPECT_EQ(solved->solution.cameras[0].camera.model().fx_px, 620);
  EXPECT_EQ(solved->found[0].pictures, kFrames);
  EXPECT_GE(report_, 2 * kFrames);
}

TEST_F(ProjectBoardsTest, CamerasWithoutACalibrationAreSolvedWithTheirLenses) {
  draw();
  const auto solved = solve({.boards = {kBoard}});
  ASSERT_TRUE(solved) << solved.error().message();
  EXPECT_TRUE(solved->solution.posed);
  EXPECT_NEAR(solved->solution.cameras[0].camera.model().fx_px, 620, 12);
  EXPECT_LT(solved->solution.cameras[1].rms_px, 0.3);
}

TEST_F(ProjectBoardsTest, OwnVideosAreTakenByTheirOffsets) {
  draw(3);
  for (size_t c = 0; c < 2; ++c) project_.cameras[c].calibration = cameras_[c];
  const ProjectBoards boards{.boards = {kBoard}, .solve_lens = false};
  const auto solved = solve(boards);
  ASSERT_TRUE(solved) << solved.error().message();
  expect_right(*solved);
  for (const int64_t instant : solved->solution.instants) EXPECT_LT(instant, kFrames);
  project_.cameras[1].offset_frames = 0;  // which they are not: the same instant shows other poses
  const auto wrong = solve(boards);
  EXPECT_TRUE(!wrong || wrong->solution.cameras[1].rms_px > 5) << "its offset is used";
}

TEST_F(ProjectBoardsTest, OtherPicturesStandInForTheVideos) {
  draw();
  for (size_t c = 0; c < 2; ++c) {
    project_.cameras[c].calibration = cameras_[c];
    project_.cameras[c].video = "rtsp://camera/stream";
  }
  EXPECT_EQ(solve({.boards = {kBoard}}).error().kind, ErrorKind::invalid_argument);
  for (size_t c = 0; c < 2; ++c)
    project_.cameras[c].board_pictures = (folder_.path() / cameras_[c].name()).string();
  const auto solved = solve({.boards = {kBoard}, .solve_lens = false});
  ASSERT_TRUE(solved) << solved.error().message();
  expect_right(*solved);
}

TEST_F(ProjectBoardsTest, WhatCannotBeSolvedIsSaid) {
  draw();
  const auto none = solve({.boards = {{11, 8, 0.08}}});
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().message().find("left"), std::string::npos) << none.error().message();
  EXPECT_NE(none.error().message().find("no board of 11 x 8"), std::string::npos);
  EXPECT_FALSE(solve({.boards = {{1, 1, 0.08}}}));
  PinholeCamera<double> small = cameras_[0].model();
  small.width_px = 320;
  project_.cameras[0].calibration = Camera::make("left", small).value();
  EXPECT_EQ(solve({.boards = {kBoard}, .solve_lens = false}).error().kind, ErrorKind::invalid_argument);
  stop_.request_stop();
  EXPECT_EQ(solve({.boards = {kBoard}}).error().kind, ErrorKind::cancelled);
}

TEST(CommonStep, IsThatOfTheShortest) {
  const test::TemporaryFolder folder;
  const Camera camera = test::camera_beside("left", 0, 0, -0.08);
  PinholeCamera<double> m = camera.model();
  m.width_px = 64, m.height_px = 48;
  const test::BoardPainter painter(Camera::make("small", m).value());
  for (const auto& [name, frames] : {std::pair{"long", 130}, std::pair{"short", 85}}) {
    std::filesystem::create_directories(folder.path() / name);
    for (int frame = 0; frame < frames; ++frame)
      ASSERT_TRUE(test::write_board(folder.path() / name / (std::to_string(1000 + frame) + ".png"), painter,
                                    kBoard, Eigen::Isometry3d(Eigen::Translation3d(0, 0, -5))));
  }
  StopSource stop;
  EXPECT_EQ(common_step({{(folder.path() / "long").string()}, {(folder.path() / "short").string()}}, stop),
            2);
  EXPECT_EQ(common_step({{(folder.path() / "long").string()}}, stop), 3);
  EXPECT_EQ(common_step({}, stop), 1);
}

// Corners as found in every picture of two clips; the second camera was started 3.6 pictures earlier.
TEST_F(ProjectBoardsTest, ClipsOutOfStepAreSolvedWithTheBoard) {
  constexpr double kOffset = 3.6;
  const Board board{7, 6, 0.08};
  cameras_ = {test::camera_beside("left", -0.4, -12, 0), test::camera_beside("right", 0.4, 12, 0)};
  std::vector<FoundBoards> found(2);
  for (size_t c = 0; c < 2; ++c) {
    ProjectCamera& camera = project_.cameras.emplace_back();
    camera.name = cameras_[c].name(), camera.calibration = cameras_[c];
    found[c].width_px = cameras_[c].width_px(), found[c].height_px = cameras_[c].height_px();
    for (int frame = 0; frame < 60; ++frame) {
      const double t = frame - (c == 1 ? kOffset : 0);
      Eigen::Isometry3d pose;
      pose.linear() = (Eigen::AngleAxisd(M_PI + 0.4 * std::sin(t / 5), Eigen::Vector3d::UnitX()) *
                       Eigen::AngleAxisd(0.4 * std::sin(t / 7.3 + 1), Eigen::Vector3d::UnitY()))
                          .toRotationMatrix();
      pose.translation() =
          Eigen::Vector3d(0.15 * std::sin(t / 4.3) - 0.24, 0.12 * std::sin(t / 5.7 + 1) + 0.2, 1.6);
      BoardView view{static_cast<int>(c), frame, {}};
      for (int k = 0; k < board.corner_count(); ++k)
        if (const auto at = cameras_[c].project(pose * Eigen::Vector3d(board.x_m(k), board.y_m(k), 0)))
          view.corners.push_back({k, at->x(), at->y()});
      found[c].views.push_back(std::move(view));
    }
    found[c].pictures = 60;
  }
  ProjectBoards boards{.boards = {board}};
  boards.solve_lens = false, boards.out_of_step = true;
  const auto solved = solve_found_boards(project_, boards, found);
  ASSERT_TRUE(solved) << solved.error().message();
  ASSERT_EQ(solved->clips.size(), 2u);
  EXPECT_EQ(solved->clips[0].offset_frames, 0);
  EXPECT_NEAR(solved->clips[1].offset_frames, kOffset, 0.02);
  expect_right(*solved);
  boards.out_of_step = false;
  const auto in_step = solve_found_boards(project_, boards, found);
  ASSERT_TRUE(in_step) << in_step.error().message();
  EXPECT_TRUE(in_step->clips.empty());
  EXPECT_GT(in_step->solution.cameras[1].rms_px, 10 * solved->solution.cameras[1].rms_px);
}

// Two cameras that share no board, linked by one that is walked along the wall.
class BoardWallTest : public ProjectBoardsTest {
 protected:
  void SetUp() override {
    for (const char* name : {"a", "b"}) {
      ProjectCamera& camera = project_.cameras.emplace_back();
      camera.name = name, camera.calibration = test::wall_camera(name);
      camera.video = (folder_.path() / name).string();
    }
    boards_.boards = wall_.boards, boards_.still = true, boards_.solve_lens = false;
    boards_.hand_held = {(folder_.path() / "phone").string() + "/"};
  }

  const test::BoardWall wall_;
  ProjectBoards boards_;
};

TEST_F(BoardWallTest, AHandHeldCameraLinksTheProjectsCameras) {
  ASSERT_TRUE(wall_.draw(folder_.path()));
  EXPECT_EQ(hand_held_names(project_, boards_), std::vector<std::string>{"phone"});
  const auto solved = solve(boards_);
  ASSERT_TRUE(solved) << solved.error().message();
  ASSERT_EQ(solved->solution.cameras.size(), 3u);
  EXPECT_EQ(solved->solution.cameras[2].camera.name(), "phone");
  EXPECT_FALSE(solved->solution.cameras[2].posed);
  const Eigen::Isometry3d between = camera_from_world(solved->solution.cameras[1].camera) *
                                    camera_from_world(solved->solution.cameras[0].camera).inverse();
  const Eigen::Isometry3d off = between.inverse() * wall_.b * wall_.a.inverse();
  EXPECT_LT(off.translation().norm(), 0.015);
  EXPECT_LT(Eigen::AngleAxisd(off.linear()).angle(), 0.008);
  const std::vector<BoardSightings> seen = sightings_of(project_, boards_, solved->found);
  ASSERT_EQ(seen.size(), 3u);
  using Names = std::vector<std::string>;
  EXPECT_EQ(seen[0].cameras, (Names{"a", "phone"}));
  EXPECT_EQ(seen[1].cameras, (Names{"phone"}));
  EXPECT_EQ(seen[2].cameras, (Names{"b", "phone"}));
  int views = 0;
  for (const FoundBoards& found : solved->found) views += static_cast<int>(found.views.size());
  EXPECT_EQ(seen[0].views + seen[1].views + seen[2].views, views);
}

TEST_F(BoardWallTest, WhatSeveralBoardsCannotBeSolvedByIsSaid) {
  ASSERT_TRUE(wall_.draw(folder_.path(), 0, 7));  // the last board is not reached
  const auto refused = [&](const ProjectBoards& boards) {
    const auto solved = solve(boards);
    return solved ? std::string("solved") : solved.error().message();
  };
  EXPECT_NE(refused(boards_).find("no picture links this camera's boards (board 3) with those of a ("),
            std::string::npos)
      << refused(boards_);
  ProjectBoards other = boards_;
  other.boards.resize(1);
  EXPECT_NE(refused(other).find("a hand-held camera links boards, but there is only one"), std::string::npos);
  other = boards_;
  other.still = false, other.out_of_step = true;
  EXPECT_NE(refused(other).find("offsets of clips are solved with exactly one board"), std::string::npos);
  other = boards_;
  other.boards = boards_alike(grid_of_tags(4, 3, {"DICT_6X6_50", 0.06, 0.02}), 2);
  EXPECT_NE(refused(other).find("none of the 2 boards was found in"), std::string::npos) << refused(other);
  EXPECT_NE(refused({}).find("there is no board"), std::string::npos);
}

TEST_F(BoardWallTest, NamesOfHandHeldCamerasAreNobodyElses) {
  boards_.hand_held = {"/there/a.mp4", "/here/a.mp4", "/here/walk.mov"};
  EXPECT_EQ(hand_held_names(project_, boards_), (std::vector<std::string>{"a (2)", "a (3)", "walk"}));
}

TEST(BoardPicturesOfSeveralSizes, OnesTurnedByTheirExifAreNamed) {
  const test::TemporaryFolder folder;
  const auto write = [&](const char* name, int width, int height) {
    Image image = *Image::make(ImageType::u8, width, height, HostPool::shared());
    for (int y = 0; y < height; ++y) std::fill_n(image.writable_view<uint8_t>().row(y), width, uint8_t{128});
    ASSERT_TRUE(write_png_gray(folder.path() / name, image));
  };
  const auto message = [&] {
    const auto found =
        find_boards({folder.path().string()}, 0, std::vector{kBoard}, [](int64_t, int64_t) {}, {});
    return found ? std::string() : found.error().message();
  };
  write("1.png", 160, 120);
  write("2.png", 120, 160);
  EXPECT_NE(message().find("Exif"), std::string::npos) << message();
  write("2.png", 320, 240);
  EXPECT_EQ(message().find("Exif"), std::string::npos) << message();
  EXPECT_NE(message().find("several sizes"), std::string::npos) << message();
}

}  // namespace
}  // namespace vantage
