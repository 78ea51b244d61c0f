// Streams that lead a naive player astray, made by the ffmpeg program and compared with it.
#include <gtest/gtest.h>

#include <fstream>
#include <iostream>

#include "tests/support/data.h"
#include "tests/unit/video/video_test_support.h"

namespace vantage::test {
namespace {

struct Recipe {
  const char* name;
  const char* arguments;  // after the input
  const char* file;
};

class Container : public testing::TestWithParam<Recipe> {};

TEST_P(Container, EveryFrameEqualsFfmpegsInOrderAndAtRandom) {
  VANTAGE_NEED_FFMPEG();
  const TemporaryFolder folder;
  const auto video = folder.path() / GetParam().file;
  if (!run_ffmpeg("-f lavfi -i testsrc2=s=176x144:r=25:d=5 " + std::string(GetParam().arguments) + " '" +
                  video.string() + "'"))
    GTEST_SKIP() << "this ffmpeg cannot make it";
  const std::vector<std::string> expected = ffmpeg_frame_md5(video);
  ASSERT_FALSE(expected.empty());
  const auto source = open_checked(video);
  ASSERT_TRUE(source);
  EXPECT_EQ(play(*source), expected);
  std::cout << "seed " << test_seed() << "\n";
  std::mt19937_64 random(test_seed());
  check_random_access(*source, expected, 40, random);
  const auto fresh = open_checked(video);
  check_random_access(*fresh, expected, 20, random);
}

constexpr Recipe kRecipes[] = {
    {"h264_open_gop_mp4", "-c:v libx264 -x264-params open-gop=1:keyint=20:bframes=3:scenecut=0", "v.mp4"},
    {"h264_open_gop_ts",
     "-c:v libx264 -x264-params open-gop=1:keyint=20:bframes=3:b-pyramid=normal:scenecut=0", "v.ts"},
    {"h264_intra_refresh", "-c:v libx264 -x264-params intra-refresh=1:keyint=25:scenecut=0", "v.mkv"},
    {"h264_interlaced", "-c:v libx264 -flags +ildct+ilme -x264-params keyint=20:tff=1", "v.mp4"},
    {"h264_elementary", "-c:v libx264 -x264-params keyint=20:bframes=3", "v.h264"},
    {"h264_avi", "-c:v libx264 -x264-params keyint=20:bframes=2", "v.avi"},
    {"h264_fragmented", "-c:v libx264 -g 20 -movflags +frag_keyframe+empty_moov", "v.mp4"},
    {"h264_variable_rate", "-vf select='not(eq(mod(n\\,7)\\,3))' -fps_mode vfr -c:v libx264 -g 20", "v.mkv"},
    {"h264_slices", "-c:v libx264 -x264-params slices=4:keyint=30", "v.mov"},
    {"hevc_open_gop", "-c:v libx265 -x265-params open-gop=1:keyint=20:bframes=3:log-level=none", "v.mp4"},
    {"hevc_ts", "-c:v libx265 -x265-params open-gop=1:keyint=20:log-level=none", "v.ts"},
    {"vp8_altref", "-c:v libvpx -auto-alt-ref 1 -lag-in-frames 16 -g 30 -b:v 200k", "v.webm"},
    {"vp9_altref", "-c:v libvpx-vp9 -auto-alt-ref 1 -lag-in-frames 16 -g 30 -cpu-used 8 -b:v 200k", "v.webm"},
    {"vp9_mp4", "-c:v libvpx-vp9 -auto-alt-ref 1 -lag-in-frames 16 -g 30 -cpu-used 8 -b:v 200k", "v.mp4"},
    {"av1", "-c:v libsvtav1 -preset 12 -g 30", "v.mp4"},
    {"mpeg4_b_mp4", "-c:v mpeg4 -bf 2 -g 15", "v.mp4"},
    {"mpeg4_b_avi", "-c:v mpeg4 -bf 2 -g 15 -vtag XVID", "v.avi"},
    {"xvid_avi", "-c:v libxvid -bf 2 -g 15", "v.avi"},
    {"mpeg2_ts", "-c:v mpeg2video -bf 2 -g 12", "v.ts"},
    {"mpeg2_program_stream", "-c:v mpeg2video -bf 2 -g 12 -flags +ildct+ilme", "v.mpg"},
    {"mpeg1", "-c:v mpeg1video -bf 2 -g 12", "v.mpg"},
    {"wmv2", "-c:v wmv2 -g 12", "v.wmv"},
    {"flv", "-c:v flv1 -g 12", "v.flv"},
    {"theora", "-c:v libtheora -g 12", "v.ogv"},
    {"mjpeg", "-c:v mjpeg -pix_fmt yuvj422p", "v.avi"},
    {"prores", "-c:v prores", "v.mov"},
    {"ffv1", "-c:v ffv1 -g 10 -pix_fmt yuv444p", "v.mkv"},
    {"raw_rgb", "-c:v rawvideo -pix_fmt bgr24 -frames:v 30", "v.avi"},
    {"grey", "-c:v ffv1 -pix_fmt gray -frames:v 30", "v.mkv"},
    {"gif", "-frames:v 30", "v.gif"},
    {"apng", "-frames:v 30 -f apng", "v.apng"},
};

INSTANTIATE_TEST_SUITE_P(Recipes, Container, testing::ValuesIn(kRecipes),
                         [](const auto& info) { return std::string(info.param.name); });

void expect_like_ffmpeg(const std::filesystem::path& video) {
  const std::vector<std::string> expected = ffmpeg_frame_md5(video);
  ASSERT_FALSE(expected.empty());
  const auto source = open_checked(video);
  ASSERT_TRUE(source);
  EXPECT_EQ(play(*source), expected);
  std::mt19937_64 random(test_seed());
  check_random_access(*source, expected, 30, random);
}

TEST(ContainerStart, EditListSkipsFramesAsFfmpegDoes) {
  VANTAGE_NEED_FFMPEG();
  const TemporaryFolder folder;
  const auto whole = folder.path() / "whole.mp4", cut = folder.path() / "cut.mp4";
  write_pattern_video(whole, {PictureLayout::i420, 176, 144}, 120, {.gop_frames = 30, .b_frames = 3});
  // A copy from the middle of a GOP keeps the GOP and hides its first frames by an edit list.
  ASSERT_TRUE(run_ffmpeg("-ss 1.6 -i '" + whole.string() + "' -c copy '" + cut.string() + "'"));
  expect_like_ffmpeg(cut);
}

TEST(ContainerStart, StreamCutInAGopBeginsAtItsFirstDecodableFrame) {
  VANTAGE_NEED_FFMPEG();
  const TemporaryFolder folder;
  const auto whole = folder.path() / "whole.ts", cut = folder.path() / "cut.ts";
  ASSERT_TRUE(
      run_ffmpeg("-f lavfi -i testsrc2=s=176x144:r=25:d=6 -c:v libx264 -x264-params "
                 "open-gop=1:keyint=25:bframes=3 '" +
                 whole.string() + "'"));
  constexpr std::streamoff kPacketBytes = 188;
  const auto size = static_cast<std::streamoff>(std::filesystem::file_size(whole));
  std::ifstream in(whole, std::ios::binary);
  in.seekg(size / kPacketBytes / 8 * kPacketBytes);
  std::ofstream(cut, std::ios::binary) << in.rdbuf();
  expect_like_ffmpeg(cut);
}

TEST(ContainerStart, FramesOfTwoSizesFollowEachOther) {
  VANTAGE_NEED_FFMPEG();
  const TemporaryFolder folder;
  const auto small = folder.path() / "a.ts", large = folder.path() / "b.ts", both = folder.path() / "both.ts";
  ASSERT_TRUE(
      run_ffmpeg("-f lavfi -i testsrc2=s=176x144:r=25:d=1 -c:v libx264 -g 10 '" + small.string() + "'"));
  ASSERT_TRUE(run_ffmpeg("-f lavfi -i testsrc2=s=320x240:r=25:d=1 -c:v libx264 -g 10 -output_ts_offset 2 '" +
                         large.string() + "'"));
  std::ofstream out(both, std::ios::binary);
  out << std::ifstream(small, std::ios::binary).rdbuf() << std::ifstream(large, std::ios::binary).rdbuf();
  out.close();
  // ffmpeg itself would scale to the first size: only play against jump is compared.
  const auto source = open_checked(both);
  ASSERT_TRUE(source);
  const std::vector<std::string> expected = play(*source);
  EXPECT_EQ(expected.size(), 50u);
  std::mt19937_64 random(test_seed());
  check_random_access(*source, expected, 30, random);
}

}  // namespace
}  // namespace vantage::test
