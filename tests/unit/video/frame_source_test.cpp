#include "core/video/frame_source.h"

#include <gtest/gtest.h>

#include <cmath>
#include <iostream>
#include <set>
#include <thread>

#include "tests/support/data.h"
#include "tests/unit/video/video_test_support.h"

namespace vantage::test {
namespace {

constexpr PictureFormat kSmall{PictureLayout::i420, 96, 64};
constexpr PictureFormat kLarge{PictureLayout::i420, 128, 80};

// Three cameras of different length, size, rate and offset.
struct Scene {
  TemporaryFolder folder;
  FrameSourceOptions options;
  Scene() {
    write_pattern_video(path(0), kSmall, 50, {.frame_rate = 25, .gop_frames = 10});
    write_pattern_video(path(1), kLarge, 40, {.frame_rate = 25, .gop_frames = 7});
    write_pattern_video(path(2), kSmall, 120, {.frame_rate = 50, .gop_frames = 25});
    options.cameras = {{"front", path(0), 0, 0}, {"left", path(1), -3.25, 0}, {"right", path(2), 4.5, 0}};
  }
  std::string path(int camera) const {
    return (folder.path() / ("cam" + std::to_string(camera) + ".mp4")).string();
  }
  std::vector<std::vector<Picture>> all_pictures() const {
    std::vector<std::vector<Picture>> all;
    for (int c = 0; c < 3; ++c) {
      const auto source = open_checked(path(c));
      auto& pictures = all.emplace_back();
      for (Result<DecodedFrame> frame = source->read(); frame; frame = source->read())
        pictures.push_back(frame->picture);
    }
    return all;
  }
};

void check_set(const FrameSet& set, int64_t n, const std::vector<std::vector<Picture>>& all) {
  ASSERT_EQ(set.frame, n);
  ASSERT_EQ(set.cameras.size(), 3u);
  const double wanted[3] = {static_cast<double>(n), -3.25 + static_cast<double>(n),
                            4.5 + 2.0 * static_cast<double>(n)};
  for (size_t c = 0; c < 3; ++c) {
    SCOPED_TRACE("frame " + std::to_string(n) + " camera " + std::to_string(c));
    const auto index = static_cast<int64_t>(std::floor(wanted[c] + 0.5));
    const CameraFrame& camera = set.cameras[c];
    EXPECT_NEAR(camera.offset_remainder_frames, wanted[c] - static_cast<double>(index), 1e-9);
    if (index < 0 || index >= static_cast<int64_t>(all[c].size())) {
      EXPECT_FALSE(camera.picture);
      EXPECT_FALSE(camera.problem.empty());
      EXPECT_EQ(camera.camera_frame, -1);
      continue;
    }
    ASSERT_TRUE(camera.picture) << camera.problem;
    EXPECT_EQ(camera.camera_frame, index);
    EXPECT_EQ(camera.problem, "");
    EXPECT_TRUE(same_pixels(camera.picture, all[c][index]));
  }
}

TEST(RecordingTest, StepsCamerasOfDifferentRateLengthAndSizeAsOne) {
  Scene scene;
  TraceRecorder trace;
  scene.options.trace = &trace;
  const auto all = scene.all_pictures();
  const auto opened = FrameSource::open(scene.options);
  ASSERT_TRUE(opened) << opened.error().message();
  FrameSource& recording = **opened;
  EXPECT_DOUBLE_EQ(recording.frame_rate(), 25);
  EXPECT_EQ(recording.wait_for_frame_count({}).value_or(-1), 50);
  EXPECT_TRUE(recording.frame_count_exact());
  for (int64_t n = 0; n < 50; ++n) {
    const auto set = recording.read(n);
    ASSERT_TRUE(set) << set.error().message();
    EXPECT_NEAR(static_cast<double>(set->time_ns), static_cast<double>(n) * 4e7, 1);
    check_set(*set, n, all);
  }
  const auto beyond = recording.read(50);
  ASSERT_FALSE(beyond);
  EXPECT_EQ(beyond.error().kind, ErrorKind::end_of_stream);
  EXPECT_TRUE(recording.problems().empty());

  std::set<std::pair<int, int64_t>> decoded;
  bool waited = false;
  for (const TraceSpan& span : trace.snapshot()) {
    if (span.name == "decode") decoded.insert({span.camera, span.frame});
    waited = waited || span.kind == SpanKind::wait;
  }
  EXPECT_TRUE(waited);
  for (int64_t n = 4; n < 40; ++n)
    for (int c = 0; c < 3; ++c) EXPECT_TRUE(decoded.contains({c, n})) << c << " " << n;
}

TEST(RecordingTest, RandomAccessGivesWhatPlayGives) {
  Scene scene;
  const auto all = scene.all_pictures();
  const auto recording = FrameSource::open(scene.options);
  ASSERT_TRUE(recording);
  std::cout << "seed " << test_seed() << "\n";
  std::mt19937_64 random(test_seed());
  for (int i = 0; i < 40; ++i) {
    const auto n = static_cast<int64_t>(random() % 50);
    for (int64_t k = n; k < std::min<int64_t>(50, n + 1 + static_cast<int64_t>(random() % 4)); ++k) {
      const auto set = (*recording)->read(k);
      ASSERT_TRUE(set) << set.error().message();
      check_set(*set, k, all);
    }
    if (i % 10 == 9) {
      EXPECT_FALSE((*recording)->read(50 + static_cast<int64_t>(random() % 100)));
    }
  }
}

TEST(RecordingTest, SlowerCameraRepeatsItsFrames) {
  Scene scene;
  scene.options.cameras = {{"fast", scene.path(2), 0, 0}, {"slow", scene.path(0), 0, 0}};
  const auto recording = FrameSource::open(scene.options);
  ASSERT_TRUE(recording);
  for (int64_t n = 0; n < 90; ++n) {
    const FrameSet set = (*recording)->read(n).value();
    EXPECT_EQ(set.cameras[1].camera_frame,
              static_cast<int64_t>(std::floor(static_cast<double>(n) / 2 + 0.5)));
  }
}

TEST(RecordingTest, AChangedOffsetLosesNoFrameOfTheBase) {
  const Scene scene;
  const auto all = scene.all_pictures();
  const auto recording = FrameSource::open(scene.options).value();
  double beside = 0;
  for (int64_t n = 0; n < 50; ++n) {
    if (n == 12) recording->change_offset(1, {12, 5}), beside = 5;
    if (n == 30) recording->change_offset(1, {30, -7}), beside = -2;
    const Result<FrameSet> set = recording->read(n);
    ASSERT_TRUE(set) << set.error().message();
    ASSERT_EQ(set->frame, n);
    EXPECT_EQ(set->cameras[0].camera_frame, n);
    EXPECT_EQ(set->cameras[2].camera_frame, 5 + 2 * n < 120 ? 5 + 2 * n : -1) << "others go on";
    const auto wanted = static_cast<int64_t>(std::floor(static_cast<double>(n) - 3.25 + beside + 0.5));
    const CameraFrame& moved = set->cameras[1];
    EXPECT_EQ(moved.camera_frame, wanted >= 0 && wanted < 40 ? wanted : -1) << "frame " << n;
    if (moved.picture) {
      EXPECT_TRUE(same_pixels(moved.picture, all[1][wanted]));
    }
  }
  FrameSourceOptions changed = scene.options;
  changed.cameras[1].changes = {{12, 5}, {30, -7}};
  EXPECT_EQ(recording->version(), FrameSource::open(changed).value()->version())
      << "the same frames come out";
  EXPECT_NE(recording->version(), FrameSource::open(scene.options).value()->version());
  // Seeking back gives what playing gave.
  EXPECT_EQ(recording->read(20).value().cameras[1].camera_frame, 22);
  EXPECT_EQ(recording->read(5).value().cameras[1].camera_frame, 2);
  EXPECT_EQ(recording->read(35).value().cameras[1].camera_frame, 30);
}

// Whoever stopped it is not told that the video is damaged.
TEST(RecordingTest, OpeningThatIsStoppedIsNoDamage) {
  const Scene scene;
  VideoOpenOptions options;
  options.stop.request_stop();
  const auto opened = open_video(scene.path(0), options);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().kind, ErrorKind::cancelled) << opened.error().message();
}

TEST(RecordingTest, DestructionNeverHangs) {
  Scene scene;
  for (int i = 0; i < 12; ++i) {
    auto recording = FrameSource::open(scene.options);
    ASSERT_TRUE(recording);
    if (i % 3 == 1) {
      EXPECT_TRUE((*recording)->read(i));
    }
    if (i % 3 == 2) {
      EXPECT_TRUE((*recording)->read(40));
      EXPECT_TRUE((*recording)->read(2));
    }
  }
}

TEST(RecordingTest, MemoryIsBoundedByTheQueues) {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "long.mp4").string();
  write_pattern_video(path, kSmall, 600, {.gop_frames = 50});
  FrameSourceOptions options;
  options.cameras = {{"a", path, 0, 0}, {"b", path, 0, 0}};
  const auto recording = FrameSource::open(options);
  ASSERT_TRUE(recording);
  const size_t before = HostPool::shared().statistics().in_use_bytes;
  const size_t picture = (*recording)->read(0)->cameras[0].picture.size_bytes();
  for (int64_t n = 1; n < 600; ++n) {
    ASSERT_TRUE((*recording)->read(n));
    // Per camera: the queue, one waiting to enter it, one remembered by the reader.
    const size_t limit = before + picture * 2 * static_cast<size_t>(options.queue_frames + 3);
    ASSERT_LE(HostPool::shared().statistics().in_use_bytes, limit) << "frame " << n;
  }
}

TEST(RecordingTest, VersionFollowsContentOffsetsAndRates) {
  Scene scene;
  const uint64_t version = (*FrameSource::open(scene.options))->version();
  EXPECT_EQ((*FrameSource::open(scene.options))->version(), version);
  FrameSourceOptions moved = scene.options;
  moved.cameras[1].offset_frames = -3;
  EXPECT_NE((*FrameSource::open(moved))->version(), version);
  FrameSourceOptions faster = scene.options;
  faster.cameras[2].frame_rate = 60;
  EXPECT_NE((*FrameSource::open(faster))->version(), version);
  std::filesystem::rename(scene.path(1), scene.path(3));
  FrameSourceOptions renamed = scene.options;
  renamed.cameras[1].path = scene.path(3);
  EXPECT_EQ((*FrameSource::open(renamed))->version(), version);
}

TEST(RecordingTest, WrongOptionsAreErrors) {
  Scene scene;
  EXPECT_FALSE(FrameSource::open({}));
  FrameSourceOptions options = scene.options;
  options.cameras[0].offset_frames = 1;
  EXPECT_FALSE(FrameSource::open(options));
  options = scene.options;
  options.cameras[2].path += ".absent";
  const auto absent = FrameSource::open(options);
  ASSERT_FALSE(absent);
  EXPECT_EQ(absent.error().kind, ErrorKind::not_found);
  options = scene.options;
  options.cameras[2].offset_frames = std::nan("");
  EXPECT_FALSE(FrameSource::open(options));
  EXPECT_FALSE((*FrameSource::open(scene.options))->read(-1));
}

TEST(RecordingTest, RealCamerasOfMixedCodecAndSizePlayInStep) {
  VANTAGE_NEED_DATA(folder, "pose2sim/single");
  FrameSourceOptions options;
  for (int c = 1; c <= 4; ++c)
    options.cameras.push_back(
        {"cam" + std::to_string(c), (folder / ("cam0" + std::to_string(c) + ".mp4")).string(), 0, 0});
  const auto recording = FrameSource::open(options);
  ASSERT_TRUE(recording) << recording.error().message();
  for (const int64_t n : {0, 1, 2, 70, 69, 99}) {
    const auto set = (*recording)->read(n);
    ASSERT_TRUE(set) << set.error().message();
    for (size_t c = 0; c < 4; ++c) {
      EXPECT_EQ(set->cameras[c].camera_frame, n);
      EXPECT_EQ(set->cameras[c].picture.width(), c < 2 ? 1080 : 1088);
    }
  }
}

}  // namespace
}  // namespace vantage::test
