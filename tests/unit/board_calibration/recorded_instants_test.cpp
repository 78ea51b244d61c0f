// Clips of which a recorder lost pictures, and what it noted of them.
#include "core/setup/boards/recorded_instants.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "core/calibration/solve/board_solve.h"
#include "core/setup/boards/board_pictures.h"
#include "core/setup/boards/project_boards.h"
#include "tests/support/data.h"
#include "tests/support/drawn_board.h"

namespace vantage {
namespace {

const Board kInstantsBoard{7, 5, 0.08};

class RecordedInstantsTest : public ::testing::Test {
 protected:
  std::string clip(const std::string& name) const { return (folder_.path() / name).string(); }
  void note(const std::string& text, const char* name = "timestamps.csv") const {
    std::ofstream(folder_.path() / name) << text;
  }
  // Two cameras beside each other, of which the first lost pictures 2 and 5 of 10.
  void draw() {
    cameras_ = {test::camera_beside("left", -0.4, -12, -0.08), test::camera_beside("right", 0.4, 12, -0.08)};
    std::string noted = "sync_index,cam_id,frame_time\n";
    std::mt19937 random(3);
    int written[2] = {};
    for (const char* name : {"cam_0", "cam_1"}) std::filesystem::create_directories(clip(name));
    for (int instant = 0; instant < 10; ++instant) {
      const Eigen::Isometry3d board = test::carried_board(kInstantsBoard, 0.1, 1.6, &random);
      for (int c = 0; c < 2; ++c) {
        if (c == 0 && (instant == 2 || instant == 5)) continue;
        Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
        const auto& model = cameras_[c].model();
        pose.linear() =
            Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(model.rotation_cam_from_world);
        pose.translation() = Eigen::Map<const Eigen::Vector3d>(model.translation_cam_from_world_m);
        const std::filesystem::path folder = clip("cam_" + std::to_string(c));
        ASSERT_TRUE(test::write_board(folder / (std::to_string(100 + written[c]++) + ".png"),
                                      test::BoardPainter(cameras_[c]), kInstantsBoard, pose * board));
        noted += std::to_string(35 + instant) + "," + std::to_string(c) + "," +
                 std::to_string(25 + instant / 6.0) + "\n";
      }
    }
    note(noted);
  }
  // The worse RMS of the cameras, solved together; infinite: they could not be.
  double rms_px(const std::vector<std::vector<int64_t>>& instants) {
    BoardsInput input{.boards = {kInstantsBoard}, .cameras = {}, .views = {}, .lens_views = {}};
    for (size_t c = 0; c < 2; ++c) {
      BoardPictures pictures{clip("cam_" + std::to_string(c))};
      if (!instants.empty()) pictures.instants = instants[c];
      const auto found =
          find_boards(pictures, static_cast<int>(c), {&kInstantsBoard, 1}, [](int64_t, int64_t) {}, stop_);
      EXPECT_TRUE(found);
      if (!found) return INFINITY;
      input.views.insert(input.views.end(), found->views.begin(), found->views.end());
      BoardCamera camera{.name = cameras_[c].name(), .given = cameras_[c]};
      camera.width_px = found->width_px, camera.height_px = found->height_px;
      input.cameras.push_back(camera);
    }
    const auto solution = solve_boards(input, {});
    if (!solution) return INFINITY;
    return std::max(solution->cameras[0].rms_px, solution->cameras[1].rms_px);
  }

  const test::TemporaryFolder folder_;
  const StopSource stop_;
  std::vector<Camera> cameras_;
};

TEST_F(RecordedInstantsTest, PicturesThatWereLostAreNoted) {
  draw();
  const auto recorded = recorded_instants({clip("cam_0"), clip("cam_1")}, stop_);
  ASSERT_TRUE(recorded) << recorded.error().message();
  EXPECT_EQ(recorded->file.filename(), "timestamps.csv");
  ASSERT_EQ(recorded->of_clip.size(), 2U);
  EXPECT_EQ(recorded->of_clip[0], (std::vector<int64_t>{35, 36, 38, 39, 41, 42, 43, 44}));
  EXPECT_EQ(recorded->of_clip[1].size(), 10U);
  EXPECT_GT(rms_px({}), 5) << "by their numbers";
  EXPECT_LT(rms_px(recorded->of_clip), 0.2);
}

TEST_F(RecordedInstantsTest, AProjectsClipsAreMatchedToo) {
  draw();
  Project project;
  for (const char* name : {"cam_0", "cam_1"}) {
    ProjectCamera camera;
    camera.name = name, camera.video = clip(name);
    project.cameras.push_back(camera);
  }
  ProjectBoards boards;
  boards.boards = {kInstantsBoard};
  const auto solved = solve_project_boards(project, boards, [](int64_t, int64_t) {}, stop_);
  ASSERT_TRUE(solved) << solved.error().message();
  for (const CameraSolution& camera : solved->solution.cameras) EXPECT_LT(camera.rms_px, 0.2);
}

TEST_F(RecordedInstantsTest, MatchedClipsAreNotOutOfStep) {
  draw();
  BoardPictures first{clip("cam_0")}, second{clip("cam_1")};
  const auto matched = match_pictures({&first, &second}, false, stop_);
  ASSERT_TRUE(matched) << matched.error().message();
  EXPECT_EQ(matched->filename(), "timestamps.csv");
  EXPECT_EQ(first.instants.size(), 8U);
  EXPECT_EQ(second.instants.size(), 10U);
  const auto refused = match_pictures({&first, &second}, true, stop_);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::unsupported);
}

TEST_F(RecordedInstantsTest, EveryNthInstantIsCountedByInstants) {
  draw();
  const auto recorded = recorded_instants({clip("cam_0"), clip("cam_1")}, stop_);
  ASSERT_TRUE(recorded) << recorded.error().message();
  for (size_t c = 0; c < 2; ++c) {
    BoardPictures pictures{clip("cam_" + std::to_string(c))};
    pictures.instants = recorded->of_clip[c], pictures.every = 2;
    const auto found = find_boards(pictures, 0, {&kInstantsBoard, 1}, [](int64_t, int64_t) {}, stop_);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->pictures, c == 0 ? 4 : 5) << "36, 38, 40, which the first camera lost, 42 and 44";
    for (const BoardView& view : found->views) EXPECT_EQ(view.instant % 2, 0);
  }
}

TEST_F(RecordedInstantsTest, ClipsInStepAndOthersAreLeftAlone) {
  const auto noted = [&](const std::vector<std::string>& clips) {
    const auto recorded = recorded_instants(clips, stop_);
    EXPECT_TRUE(recorded) << recorded.error().message();
    return recorded ? *recorded : RecordedInstants();
  };
  EXPECT_TRUE(noted({clip("cam_0.mp4"), clip("cam_1.mp4")}).file.empty()) << "no file";
  note("time,picture\n1,2\n");
  EXPECT_TRUE(noted({clip("cam_0.mp4"), clip("cam_1.mp4")}).file.empty()) << "another program's";
  note("sync_index,port,frame_time\n4,1,0.1\n4,0,0.1\n5,0,0.2\n5,1,0.2\n", "frametimes.csv");
  const RecordedInstants in_step = noted({clip("port_0.mp4"), clip("port_1.mp4")});
  EXPECT_EQ(in_step.file.filename(), "frametimes.csv");
  EXPECT_TRUE(in_step.of_clip.empty());
  EXPECT_TRUE(noted({clip("left.mp4"), clip("port_1.mp4")}).file.empty()) << "no number";
  EXPECT_TRUE(noted({clip("port_0.mp4"), "/elsewhere/port_1.mp4"}).file.empty());
}

TEST_F(RecordedInstantsTest, DamageIsSaid) {
  draw();
  const std::string header = "sync_index,cam_id,frame_time\n";
  for (const auto& [text, says] :
       {std::pair<std::string, std::string>{header + "35,0,25\n35,x,25\n", "line 3"},
        {header + "35,0,25\n36,1,25\n34,0,26\n", "back in time"},
        {header + "35,0,25\n36,0,26\n", "cam_1"},
        {header + "35,0,25\n36,0,26\n36,1,26\n", "has 8 pictures"}}) {
    note(text);
    const auto recorded = recorded_instants({clip("cam_0"), clip("cam_1")}, stop_);
    ASSERT_FALSE(recorded) << text;
    EXPECT_NE(recorded.error().message().find(says), std::string::npos) << recorded.error().message();
  }
}

}  // namespace
}  // namespace vantage
