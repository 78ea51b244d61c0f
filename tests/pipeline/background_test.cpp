#include "core/pipeline/background.h"

#include <gtest/gtest.h>

#include "core/foreground/scene_motion.h"

namespace vantage {
namespace {

constexpr int kWidth = 320, kHeight = 240;
constexpr int64_t kKeyFrames = 10;  // decoding starts at each of so many frames

// 25 pictures a second of a trunk that sways by 9 px, on a floor whose brightness tells the frame.
class SwayingPerson final : public VideoSource {
 public:
  explicit SwayingPerson(int64_t count) : count_(count) {}

  static uint8_t floor_of(int64_t frame) { return static_cast<uint8_t>(100 + frame % 3); }
  static Picture picture(int64_t frame) {
    PictureFormat format;
    format.width = kWidth, format.height = kHeight;
    Picture made = Picture::make(format, HostPool::shared()).value();
    const int left = 70 + static_cast<int>(3 * (frame % 4));
    for (int plane = 0; plane < 3; ++plane)
      for (int y = 0; y < made.plane(plane).height; ++y)
        for (int x = 0; x < made.plane(plane).width; ++x) {
          const bool trunk = plane == 0 && x >= left && x < left + 12 && y >= 40 && y < 100;
          made.writable_plane(plane).row(y)[x] = plane > 0 ? 128 : trunk ? 40 : floor_of(frame);
        }
    return made;
  }

  VideoInfo info() const override {
    VideoInfo info;
    info.width_px = kWidth, info.height_px = kHeight, info.frame_rate = 25;
    return info;
  }
  Result<DecodedFrame> read() override {
    if (next_ >= count_) return fail(ErrorKind::end_of_stream, "the end");
    DecodedFrame frame;
    frame.picture = picture(next_);
    if (next_ == damaged_) frame.problem = "damaged";
    ++next_;
    ++decoded_;
    return frame;
  }
  Status seek(int64_t index) override {
    if (index >= count_) return fail(ErrorKind::end_of_stream, "the end");
    decoded_ += index - start_before(index);
    next_ = index;
    return {};
  }
  int64_t start_before(int64_t index) const override { return index - index % kKeyFrames; }
  Result<int64_t> wait_for_frame_count(const StopSource&) override { return count_; }
  std::vector<std::pair<int64_t, std::string>> problems() const override { return {}; }
  uint64_t content_hash() const override { return 1; }

  int64_t damaged_ = -1, decoded_ = 0;

 private:
  int64_t count_, next_ = 0;
};

TEST(Background, SamplesShowTheirFramesAndWhatMovesInThem) {
  SwayingPerson recording(100);
  const std::vector<SceneSample> samples = scene_samples(recording, StopSource()).value();
  ASSERT_GE(samples.size(), size_t{kMinScenePictures});
  for (const SceneSample& sample : samples) {
    EXPECT_EQ(sample.picture.plane(0).row(5)[5], SwayingPerson::floor_of(sample.frame)) << sample.frame;
    ASSERT_TRUE(sample.moving) << sample.frame;
    EXPECT_EQ(sample.moving.view<uint8_t>().at(76 / kMotionCell, 72 / kMotionCell), 255) << sample.frame;
    EXPECT_EQ(sample.moving.view<uint8_t>().at(2, 2), 0) << sample.frame;
  }
  EXPECT_LE(recording.decoded_, 100) << "nothing is decoded twice";
}

TEST(Background, ADamagedPictureIsNoSample) {
  SwayingPerson recording(100);
  const int64_t frame = scene_samples(recording, StopSource()).value()[4].frame;
  SwayingPerson damaged(100);
  damaged.damaged_ = frame;
  const std::vector<SceneSample> samples = scene_samples(damaged, StopSource()).value();
  EXPECT_GE(samples.size(), size_t{kMinScenePictures});
  for (const SceneSample& sample : samples) {
    EXPECT_NE(sample.frame, frame);
    EXPECT_EQ(sample.picture.plane(0).row(5)[5], SwayingPerson::floor_of(sample.frame)) << sample.frame;
  }
}

TEST(Background, ARecordingTooShortForMotionIsLearntWithoutIt) {
  SwayingPerson recording(kMinScenePictures);
  const std::vector<SceneSample> samples = scene_samples(recording, StopSource()).value();
  ASSERT_EQ(samples.size(), size_t{kMinScenePictures});
  for (const SceneSample& sample : samples) EXPECT_FALSE(sample.moving);
}

TEST(Background, OfTooFewFramesNothingIsLearnt) {
  SwayingPerson recording(kMinScenePictures - 1);
  EXPECT_TRUE(scene_samples(recording, StopSource()).value().empty());
}

}  // namespace
}  // namespace vantage
