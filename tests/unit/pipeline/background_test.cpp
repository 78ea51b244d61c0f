#include "core/pipeline/background.h"

#include <gtest/gtest.h>

#include "core/algorithms.h"
#include "core/video/video_writer.h"
#include "tests/support/data.h"
#include "tests/unit/pipeline/footage.h"

namespace vantage {
namespace {

constexpr int kBox = 40;  // px of the thing that was put there

// The bare scene, with a thing in it that keeps still.
Picture picture_with(bool thing, int64_t frame) {
  Picture picture = test::footage_picture(0, frame, true);
  if (!thing) return picture;
  const ImageView<uint8_t> luma = picture.writable_plane(0);
  for (int y = 8; y < 8 + kBox; ++y)
    for (int x = 40; x < 40 + kBox; ++x) luma.at(x, y) = static_cast<uint8_t>(180 + (x + y) % 8);
  return picture;
}

class ClipAndRecording : public ::testing::Test {
 protected:
  void write(const char* name, bool thing, int64_t frames) {
    auto writer = VideoWriter::open(folder_.path() / name, picture_with(false, 0).format(), {});
    ASSERT_TRUE(writer) << writer.error().message();
    for (int64_t frame = 0; frame < frames; ++frame)
      ASSERT_TRUE((*writer)->write(picture_with(thing, frame)));
    ASSERT_TRUE((*writer)->finish());
  }

  std::unique_ptr<VideoSource> open(const char* name) const {
    return open_video((folder_.path() / name).string(), {}).value();
  }

  // Pixels of the mask that a picture with the thing has, after learning.
  int64_t mask_of_thing(bool whole_recording, double* changed_share) {
    BackendRegistry registry;
    register_foreground_cpu(registry);
    const auto model = registry.create<ForegroundModel>(Device::cpu, BackendContext{}, {0}).value();
    ParameterStore parameters = default_parameters();
    model->set_parameters(parameters);
    model->reset();
    LearnBackgroundOptions how;
    how.from_recording = whole_recording;
    const LearntBackground learnt =
        learn_background({open("clip.mp4"), open("video.mp4")}, *model, how).value();
    EXPECT_EQ(learnt.frames, 30);
    *changed_share = learnt.changed_share;
    return model->apply(picture_with(true, 0), 0).value().mask_count.get().value();
  }

  test::TemporaryFolder folder_;
};

TEST_F(ClipAndRecording, WhatWasPutThereSinceTheClipIsScene) {
  write("clip.mp4", false, 30);
  write("video.mp4", true, 150);
  double share = 0;
  EXPECT_LT(mask_of_thing(true, &share), 30);
  EXPECT_NEAR(share, kBox * kBox / (96.0 * 64), 0.03);
  EXPECT_GT(mask_of_thing(false, &share), kBox * kBox * 9 / 10);
  EXPECT_EQ(share, 0);
}

// In less than five seconds somebody may keep still.
TEST_F(ClipAndRecording, AShortRecordingDoesNotTell) {
  write("clip.mp4", false, 30);
  write("video.mp4", true, 110);
  double share = 0;
  EXPECT_GT(mask_of_thing(true, &share), kBox * kBox * 9 / 10);
  EXPECT_EQ(share, 0);
}

}  // namespace
}  // namespace vantage
