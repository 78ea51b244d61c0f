// Frame-exactness on every real recording, with the ffmpeg program as the reference.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>

#include "tests/support/data.h"
#include "tests/unit/video/video_test_support.h"

namespace vantage::test {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> videos_in(const fs::path& folder) {
  std::vector<fs::path> videos;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string extension = entry.path().extension().string();
    if (extension == ".mp4" || extension == ".avi") videos.push_back(entry.path());
  }
  std::sort(videos.begin(), videos.end());
  return videos;
}

class RealVideo : public testing::TestWithParam<const char*> {};

TEST_P(RealVideo, EveryFrameEqualsFfmpegsInOrderAndAtRandom) {
  VANTAGE_NEED_FFMPEG();
  VANTAGE_NEED_DATA(folder, GetParam());
  const std::vector<fs::path> videos = videos_in(folder);
  ASSERT_FALSE(videos.empty());
  std::mt19937_64 random(test_seed());
  std::cout << "seed " << test_seed() << "\n";
  for (size_t i = 0; i < videos.size(); ++i) {
    SCOPED_TRACE(videos[i].string());
    const std::vector<std::string> expected = ffmpeg_frame_md5(videos[i]);
    ASSERT_FALSE(expected.empty());
    const auto source = open_checked(videos[i]);
    ASSERT_TRUE(source);
    EXPECT_EQ(play(*source), expected);
    EXPECT_TRUE(source->problems().empty());
    EXPECT_EQ(source->wait_for_frame_count({}).value_or(-1), static_cast<int64_t>(expected.size()));
    EXPECT_TRUE(source->info().frame_count_exact);
    if (i % 4 != 1) continue;                    // several of each kind
    const auto fresh = open_checked(videos[i]);  // jumps before its index is complete
    check_random_access(*fresh, expected, 25, random);
  }
}

INSTANTIATE_TEST_SUITE_P(Recordings, RealVideo,
                         testing::Values("uu-voxel-1p/cam1", "uu-voxel-1p/cam2", "uu-voxel-1p/cam3",
                                         "uu-voxel-1p/cam4", "pose2sim/multi", "pose2sim/single",
                                         "sync-sports1", "caliscope-4cam"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::replace_if(
                               name.begin(), name.end(), [](char c) { return !std::isalnum(c); }, '_');
                           return name;
                         });

TEST(RealVideoDetails, TimesAndTags) {
  VANTAGE_NEED_DATA(folder, "pose2sim/single");
  const auto vp9 = open_checked(folder / "cam02.mp4");
  ASSERT_TRUE(vp9);
  const VideoInfo info = vp9->info();
  EXPECT_EQ(info.codec, "vp9");
  EXPECT_EQ(info.decoder, "software");
  EXPECT_EQ(info.pixel_format, "yuv420p");
  EXPECT_EQ(info.conversion, "");
  EXPECT_EQ(info.width_px, 1080);
  EXPECT_EQ(info.height_px, 1920);
  EXPECT_DOUBLE_EQ(info.frame_rate, 60);
  for (int i = 0; i < 3; ++i) {
    const DecodedFrame frame = vp9->read().value();
    EXPECT_NEAR(static_cast<double>(frame.time_ns), i * 1e9 / 60, 1);
    EXPECT_EQ(frame.picture.format().matrix, ColorMatrix::bt709);
    EXPECT_EQ(frame.picture.format().range, ColorRange::limited);
    EXPECT_EQ(frame.picture.format().layout, PictureLayout::i420);
  }
}

TEST(RealVideoDetails, AviWithoutTimestampsHasNoTimesAndItsTrueRate) {
  VANTAGE_NEED_DATA(folder, "uu-voxel-1p/cam1");
  const auto avi = open_checked(folder / "video.avi");
  ASSERT_TRUE(avi);
  EXPECT_DOUBLE_EQ(avi->info().frame_rate, 50);
  const DecodedFrame frame = avi->read().value();
  EXPECT_EQ(frame.time_ns, -1);
  EXPECT_EQ(frame.picture.format().matrix, ColorMatrix::bt601);
  EXPECT_EQ(avi->wait_for_frame_count({}).value_or(-1), 426);
}

TEST(RealVideoDetails, FrameThreadsGiveTheSameFrames) {
  VANTAGE_NEED_DATA(folder, "sync-sports1");
  const fs::path video = folder / "sports1_cam18.mp4";
  const auto one = open_checked(video), several = open_checked(video, 3);
  ASSERT_TRUE(one && several);
  const std::vector<std::string> expected = play(*one);
  EXPECT_EQ(play(*several), expected);
  std::mt19937_64 random(test_seed());
  check_random_access(*several, expected, 15, random);
}

}  // namespace
}  // namespace vantage::test
