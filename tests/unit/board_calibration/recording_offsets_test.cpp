// Offsets of a board's clips as those of a project's recording.
#include "core/setup/boards/recorded_instants.h"

#include <gtest/gtest.h>

#include "core/base/file.h"
#include "tests/support/data.h"
#include "tests/support/drawn_board.h"

namespace vantage {
namespace {

class RecordingOffsetsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const Board board{7, 5, 0.08};
    const test::BoardPainter painter(test::camera_beside("any", 0, 0, -0.08));
    for (const std::string name : {"left", "right", "back"}) {
      const std::filesystem::path folder = folder_.path() / name;
      std::filesystem::create_directories(folder);
      ASSERT_TRUE(test::write_board(folder / "100.png", painter, board,
                                    Eigen::Isometry3d(Eigen::Translation3d(0, 0, -5))));
      ProjectCamera camera;
      camera.name = name, camera.video = folder.string();
      project_.cameras.push_back(camera);
      own_.push_back({name, ""});
    }
    timings_[1].offset_frames = 3.3704, timings_[2].offset_frames = -12.8;
  }
  Result<std::vector<RecordingOffset>> found(const std::vector<BoardClip>& clips) const {
    return recording_offsets(project_, clips, timings_, instants_);
  }

  const test::TemporaryFolder folder_;
  Project project_;
  std::vector<BoardClip> own_;
  std::vector<ClipTiming> timings_ = std::vector<ClipTiming>(3);
  std::vector<int64_t> instants_ = {100, 200, 300};
};

TEST_F(RecordingOffsetsTest, AreTakenOverInThousandths) {
  const auto offsets = found(own_);
  ASSERT_TRUE(offsets) << offsets.error().message();
  ASSERT_EQ(offsets->size(), 2u);
  EXPECT_EQ((*offsets)[0].camera, "right");
  EXPECT_EQ((*offsets)[0].before_frames, 0);
  take_offsets(*offsets, &project_);
  EXPECT_EQ(project_.cameras[0].offset_frames, 0);
  EXPECT_FALSE(project_.cameras[0].offset_confirmed);
  EXPECT_DOUBLE_EQ(project_.cameras[1].offset_frames, 3.37);
  EXPECT_DOUBLE_EQ(project_.cameras[2].offset_frames, -12.8);
  EXPECT_TRUE(project_.cameras[1].offset_confirmed);
  // Again the same.
  take_offsets(*found(own_), &project_);
  EXPECT_DOUBLE_EQ(project_.cameras[1].offset_frames, 3.37);
}

// The clips may come in another order, with another one first.
TEST_F(RecordingOffsetsTest, CountFromTheProjectsFirstCamera) {
  const std::vector<BoardClip> clips = {own_[2], own_[0], own_[1]};
  timings_ = {{}, {.offset_frames = 12.8}, {.offset_frames = 16.17}};
  const auto offsets = found(clips);
  ASSERT_TRUE(offsets) << offsets.error().message();
  EXPECT_DOUBLE_EQ((*offsets)[0].now_frames, 3.37);
  EXPECT_DOUBLE_EQ((*offsets)[1].now_frames, -12.8);
  const auto without = found({own_[1], own_[2]});
  ASSERT_FALSE(without);
  EXPECT_NE(without.error().message().find("left"), std::string::npos) << without.error().message();
  EXPECT_EQ(found({own_[0], {"side", ""}}).error().kind, ErrorKind::not_found);
}

// In the middle of the instants, frame 200, the cameras lie as found.
TEST_F(RecordingOffsetsTest, DriftAndLostFramesStay) {
  project_.cameras[0].frame_rate = 25, project_.cameras[1].frame_rate = 25.025;
  project_.cameras[2].offset_changes = {{150, -2}, {250, -1}};
  take_offsets(*found(own_), &project_);
  EXPECT_DOUBLE_EQ(project_.cameras[1].offset_frames, 3.17);  // 0.2 frames more by then
  EXPECT_EQ(project_.cameras[1].frame_rate, 25.025);
  EXPECT_DOUBLE_EQ(project_.cameras[2].offset_frames, -10.8);
  EXPECT_EQ(project_.cameras[2].offset_changes.size(), 2u);
}

TEST_F(RecordingOffsetsTest, ClipsThatAreNotTheVideosAreTold) {
  EXPECT_TRUE(cameras_with_other_clips(project_, own_).empty());
  const std::vector<BoardClip> clips = {{"left", (folder_.path() / "right" / ".." / "left").string()},
                                        {"right", (folder_.path() / "board.mp4").string()},
                                        own_[2]};
  EXPECT_EQ(cameras_with_other_clips(project_, clips), std::vector<std::string>{"right"});
  project_.cameras[0].video = "rtsp://camera/stream";
  EXPECT_EQ(found(own_).error().kind, ErrorKind::invalid_argument);
}

}  // namespace
}  // namespace vantage
