// Files whose own times leave gaps, vary or begin late: a frame is where its time says.
#include <gtest/gtest.h>

extern "C" {
#include <libavcodec/packet.h>
}

#include <cmath>
#include <functional>

#include "core/video/audio.h"
#include "core/video/file_list.h"
#include "core/video/frame_source.h"
#include "tests/support/data.h"
#include "tests/unit/video/video_test_support.h"

namespace vantage::test {
namespace {

constexpr const char* kMoving = "-f lavfi -i testsrc2=s=176x144:r=25:d=8 ";
constexpr const char* kX264 = "-fps_mode vfr -c:v libx264 -preset ultrafast -qp 0 -bf 2 -g 25 ";

std::unique_ptr<VideoSource> opened(const std::filesystem::path& video) {
  auto source = open_video(video.string(), {});
  EXPECT_TRUE(source) << source.error().message();
  return source ? std::move(*source) : nullptr;
}

std::unique_ptr<VideoSource> made(const std::filesystem::path& video, const std::string& arguments) {
  return run_ffmpeg(arguments + " '" + video.string() + "'") ? opened(video) : nullptr;
}

// Pictures of the whole recording, by frame.
std::vector<Picture> whole(const std::filesystem::path& folder) {
  std::vector<Picture> pictures;
  const auto source = made(folder / "whole.mp4", std::string(kMoving) + kX264);
  while (source) {
    auto frame = source->read();
    if (!frame) break;
    pictures.push_back(std::move(frame->picture));
  }
  return pictures;
}

// Played on and sought, frame by frame: the picture of its moment, or none where `lost` says so.
void expect_in_time(VideoSource& source, const std::vector<Picture>& all,
                    const std::function<bool(int64_t)>& lost) {
  ASSERT_EQ(source.info().frame_count, static_cast<int64_t>(all.size()));
  EXPECT_NEAR(source.info().frame_rate, 25, 0.01);
  const auto expect = [&](int64_t frame) {
    const auto read = source.read();
    ASSERT_TRUE(read) << frame;
    EXPECT_EQ(read->index, frame);
    ASSERT_EQ(static_cast<bool>(read->picture), !lost(frame)) << frame;
    EXPECT_EQ(read->problem.empty(), !lost(frame)) << frame;
    if (read->picture) {
      EXPECT_TRUE(same_pixels(read->picture, all[frame])) << frame;
    }
  };
  for (int64_t frame = 0; frame < source.info().frame_count; ++frame) expect(frame);
  EXPECT_EQ(source.read().error().kind, ErrorKind::end_of_stream);
  for (const int64_t frame : {150, 30, 31, 120, 139, 99, 141}) {
    EXPECT_LE(source.start_before(frame), frame);
    ASSERT_TRUE(source.seek(frame));
    expect(frame);
  }
}

TEST(Times, AGapKeepsItsPlaceInEveryContainer) {
  VANTAGE_NEED_FFMPEG();
  const TemporaryFolder folder;
  const std::vector<Picture> all = whole(folder.path());
  ASSERT_EQ(all.size(), 200u);
  for (const char* name : {"gap.mp4", "gap.mkv", "gap.ts", "gap.mov"}) {
    SCOPED_TRACE(name);
    const auto source = made(folder.path() / name,
                             std::string(kMoving) + "-vf select='not(between(n\\,100\\,139))' " + kX264);
    ASSERT_TRUE(source);
    expect_in_time(*source, all, [](int64_t frame) { return frame >= 100 && frame < 140; });
    const VideoInfo info = source->info();
    const std::vector<VideoGap> gaps = gaps_in(*info.picture_of_frame);
    ASSERT_EQ(gaps.size(), 1u);
    EXPECT_EQ(gaps[0].first_frame, 100);
    EXPECT_EQ(gaps[0].frames, 40);
    EXPECT_NE(info.timing.find("frames 100 to 139 (1.60 s)"), std::string::npos) << info.timing;
    EXPECT_EQ(info.picture_of_frame->at(140), 100);
  }
}

TEST(Times, LostPicturesOfASteadyClockAreGaps) {
  VANTAGE_NEED_FFMPEG();
  const TemporaryFolder folder;
  const std::vector<Picture> all = whole(folder.path());
  for (const auto& [expression, lost] : std::vector<std::pair<std::string, std::function<bool(int64_t)>>>{
           {"not(eq(n\\,57))", [](int64_t n) { return n == 57; }},
           {"not(eq(mod(n\\,9)\\,4))", [](int64_t n) { return n % 9 == 4; }},
           {"not(between(n\\,30\\,31)+between(n\\,120\\,149))",
            [](int64_t n) { return (n >= 30 && n <= 31) || (n >= 120 && n <= 149); }}}) {
    SCOPED_TRACE(expression);
    const auto source = made(folder.path() / "lost.mp4",
                             std::string("-y ") + kMoving + "-vf select='" + expression + "' " + kX264);
    ASSERT_TRUE(source);
    expect_in_time(*source, all, lost);
  }
}

TEST(Times, AConstantRateIsLeftAlone) {
  VANTAGE_NEED_FFMPEG();
  const TemporaryFolder folder;
  for (const char* rate : {"25", "30000/1001", "60000/1001", "12.5", "30", "1000/67"})
    for (const char* name : {"v.mp4", "v.mkv", "v.ts", "v.avi"}) {
      SCOPED_TRACE(std::string(rate) + " " + name);
      const auto source = made(folder.path() / name,
                               "-y -f lavfi -i testsrc2=s=64x48:r=" + std::string(rate) + ":d=40 " + kX264);
      ASSERT_TRUE(source);
      EXPECT_EQ(source->info().timing, "");
      EXPECT_FALSE(source->info().picture_of_frame);
    }
}

TEST(Times, ARateThatChangesShowsEachPictureUntilTheNext) {
  VANTAGE_NEED_FFMPEG();
  const TemporaryFolder folder;
  // 25 frames/s, from the fourth second on every second one.
  const auto source = made(folder.path() / "v.mp4",
                           std::string(kMoving) + "-vf select='lt(n\\,100)+not(mod(n\\,2))' " + kX264);
  ASSERT_TRUE(source);
  const VideoInfo info = source->info();
  EXPECT_EQ(info.frame_count, 199);
  ASSERT_TRUE(info.picture_of_frame);
  EXPECT_TRUE(gaps_in(*info.picture_of_frame).empty()) << info.timing;
  EXPECT_NE(info.timing.find("varying"), std::string::npos) << info.timing;
  EXPECT_EQ(info.picture_of_frame->at(99), 99);
  EXPECT_EQ(info.picture_of_frame->at(150), 125);
}

TEST(Times, WhatCannotBeDecodedAtTheStartKeepsItsTime) {
  VANTAGE_NEED_FFMPEG();
  const TemporaryFolder folder;
  const std::vector<Picture> all = whole(folder.path());
  const std::string input = "-y -i '" + (folder.path() / "whole.mp4").string() + "' ";
  for (const char* name : {"cut.mkv", "cut.mp4"}) {
    SCOPED_TRACE(name);
    // The file begins with frame 40; the next key picture is frame 50.
    const auto source = made(folder.path() / name, input + "-ss 1.6 -c copy -copyinkf");
    ASSERT_TRUE(source);
    const VideoInfo info = source->info();
    ASSERT_TRUE(info.picture_of_frame);
    const std::vector<VideoGap> gaps = gaps_in(*info.picture_of_frame);
    ASSERT_FALSE(gaps.empty()) << info.timing;
    EXPECT_EQ(gaps[0].first_frame, 0);
    EXPECT_NEAR(static_cast<double>(gaps[0].frames), 10, 2);
    const int64_t first = gaps[0].frames;
    ASSERT_TRUE(source->seek(first));
    const auto read = source->read();
    ASSERT_TRUE(read);
    EXPECT_TRUE(same_pixels(read->picture, all[50]));
    EXPECT_NE(info.timing.find("begins without a picture"), std::string::npos) << info.timing;
  }
}

TEST(Times, PicturesThatBeginAfterTheFileAreLate) {
  VANTAGE_NEED_FFMPEG();
  const TemporaryFolder folder;
  for (const char* name : {"late.mp4", "late.mkv", "late.ts"}) {
    SCOPED_TRACE(name);
    const auto source = made(folder.path() / name, std::string("-f lavfi -i sine=d=8 -itsoffset 0.48 ") +
                                                       kMoving + "-map 1:v -map 0:a -c:a aac " + kX264);
    ASSERT_TRUE(source);
    const VideoInfo info = source->info();
    ASSERT_TRUE(info.picture_of_frame);
    const std::vector<VideoGap> gaps = gaps_in(*info.picture_of_frame);
    ASSERT_EQ(gaps.size(), 1u) << info.timing;
    EXPECT_EQ(gaps[0].first_frame, 0);
    EXPECT_NEAR(static_cast<double>(gaps[0].frames), 12, 1);
  }
}

TEST(Times, AJumpOfTheClockIsSaidNotBelieved) {
  VANTAGE_NEED_FFMPEG();
  const TemporaryFolder folder;
  const auto source = made(folder.path() / "jump.mkv",
                           std::string(kMoving) + "-vf \"setpts='PTS+if(gte(N,100),7200/TB,0)'\" " + kX264);
  ASSERT_TRUE(source);
  const VideoInfo info = source->info();
  EXPECT_FALSE(info.picture_of_frame);
  EXPECT_NE(info.timing.find("jump"), std::string::npos) << info.timing;
  EXPECT_EQ(source->wait_for_frame_count({}).value_or(0), 200);
}

TEST(Times, FrameSetsLieInTimeAcrossAGap) {
  VANTAGE_NEED_FFMPEG();
  const TemporaryFolder folder;
  const std::vector<Picture> all = whole(folder.path());
  ASSERT_TRUE(made(folder.path() / "gap.mp4",
                   std::string(kMoving) + "-vf select='not(between(n\\,100\\,139))' " + kX264));
  FrameSourceOptions options;
  options.cameras = {{.name = "cam1", .path = (folder.path() / "whole.mp4").string()},
                     {.name = "cam2", .path = (folder.path() / "gap.mp4").string()}};
  auto source = FrameSource::open(std::move(options));
  ASSERT_TRUE(source);
  for (const int64_t frame : {99, 100, 139, 140, 199}) {
    const auto set = (*source)->read(frame);
    ASSERT_TRUE(set) << frame;
    const bool lost = frame >= 100 && frame < 140;
    EXPECT_EQ(set->cameras[1].camera_frame, frame);
    ASSERT_EQ(static_cast<bool>(set->cameras[1].picture), !lost) << frame;
    if (!lost) {
      EXPECT_TRUE(same_pixels(set->cameras[1].picture, all[frame])) << frame;
    }
  }
}

TEST(Times, SoundLiesWhereItsTimeSays) {
  VANTAGE_NEED_FFMPEG();
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "hole.mkv";
  // A click each second; half a second of the track is not there.
  ASSERT_TRUE(
      run_ffmpeg("-f lavfi -i \"aevalsrc='lt(mod(t\\,1)\\,0.01)*sin(2000*t)':d=8:s=16000\" "
                 "-af \"aselect='not(between(t\\,2.4\\,2.9))'\" -c:a pcm_s16le '" +
                 file.string() + "'"));
  const auto sound = read_sound(file.string(), 8000, 60, {});
  ASSERT_TRUE(sound && *sound);
  for (const int second : {1, 2, 3, 5, 7}) {
    double inside = 0, outside = 0;
    for (int i = -800; i < 800; ++i) {
      const double value = (*sound)->samples.at(8000 * second + i);
      (i >= -8 && i < 88 ? inside : outside) += value * value;
    }
    EXPECT_GT(inside, 100 * outside) << second;
  }
}

// Two files of one camera with a gap of a second: each one's sound lies where its pictures do.
TEST(Times, SoundOfAListLiesWhereItsFilesDo) {
  VANTAGE_NEED_FFMPEG();
  const TemporaryFolder folder;
  FileList list;
  list.frame_rate = 25, list.width_px = 64, list.height_px = 64;
  for (const int first : {0, 75}) {
    const std::filesystem::path file = folder.path() / ("c" + std::to_string(first) + ".mp4");
    ASSERT_TRUE(run_ffmpeg(
        "-f lavfi -i color=gray:s=64x64:r=25:d=2 -f lavfi -i \"aevalsrc='between(t\\,0.5\\,0.6)*sin(" +
        std::to_string(2000 + 40 * first) + "*t)':d=2:s=16000\" -c:v libx264 -c:a aac '" + file.string() +
        "'"));
    list.files.push_back({file, first, 50, identify_video(file.string()).value(), {}});
  }
  const std::filesystem::path file = folder.path() / "c.files";
  ASSERT_TRUE(write_file_list(file, list));
  const auto sound = read_sound(file.string(), 8000, 60, {});
  ASSERT_TRUE(sound && *sound);
  std::vector<int> loud;  // tenths of a second
  for (size_t tenth = 0; 800 * tenth + 800 <= (*sound)->samples.size(); ++tenth) {
    double power = 0;
    for (size_t i = 800 * tenth; i < 800 * tenth + 800; ++i) power += std::pow((*sound)->samples[i], 2);
    if (power > 100) loud.push_back(static_cast<int>(tenth));
  }
  EXPECT_EQ(loud, (std::vector<int>{5, 35}));
  EXPECT_EQ(read_sound(file.string(), 8000, 3.5, {}).value()->samples.size(), 28000U)
      << "no more than asked for";

  // Its packets, from 1 s to 4 s: those of the second file begin 2 s after the stretch's begin.
  const auto packets = SoundPackets::open(file.string(), 1, 4);
  ASSERT_TRUE(packets && *packets) << packets.error().message();
  const auto [part, whole] = (*packets)->time_base();
  const av::Owned<AVPacket> packet = av::make_packet();
  double last_s = 0;
  std::vector<double> steps_s;
  for (;;) {
    const Result<bool> read = (*packets)->read(*packet);
    ASSERT_TRUE(read) << read.error().message();
    if (!*read) break;
    const double at_s = static_cast<double>(packet->pts) * part / whole;
    ASSERT_GE(at_s, last_s);
    if (at_s - last_s > 0.5) steps_s = {last_s, at_s};
    last_s = at_s;
  }
  ASSERT_EQ(steps_s.size(), 2U);
  EXPECT_NEAR(steps_s[0], 1, 0.1);
  EXPECT_NEAR(steps_s[1], 2, 0.1);
  EXPECT_NEAR(last_s, 3, 0.1);
}

}  // namespace
}  // namespace vantage::test
