#include "core/pipeline/background.h"

#include <gtest/gtest.h>

#include "core/algorithms.h"
#include "core/geometry/camera.h"
#include "core/pipeline/reoriented_clip.h"
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

// What the world looks like in a direction, at infinity.
double brightness(const Eigen::Vector3d& direction) {
  return 128 + 50 * std::sin(9 * direction.x()) + 40 * std::cos(11 * direction.y() + 7 * direction.z());
}

Picture view_of(const Camera& camera) {
  Picture picture = test::footage_picture(0, 0, true);
  const ImageView<uint8_t> luma = picture.writable_plane(0);
  for (int y = 0; y < luma.height; ++y)
    for (int x = 0; x < luma.width; ++x)
      luma.at(x, y) = static_cast<uint8_t>(
          std::lround(brightness(camera.ray(Eigen::Vector2d(x, y))->direction_in_world)));
  for (const int plane : {1, 2})
    for (int y = 0; y < luma.height / 2; ++y)
      for (int x = 0; x < luma.width / 2; ++x) {
        const Eigen::Vector2d middle(2 * x + 0.5, 2 * y + 0.5);
        picture.writable_plane(plane).at(x, y) =
            static_cast<uint8_t>(std::lround(brightness(camera.ray(middle)->direction_in_world) / 2 + plane));
      }
  return picture;
}

// A clip of one picture.
class OnePicture final : public VideoSource {
 public:
  explicit OnePicture(Picture picture) : picture_(std::move(picture)) {}
  VideoInfo info() const override { return {}; }
  Result<DecodedFrame> read() override {
    DecodedFrame frame;
    frame.picture = picture_;
    return frame;
  }
  Status seek(int64_t) override { return {}; }
  Result<int64_t> wait_for_frame_count(const StopSource&) override { return 1; }
  std::vector<std::pair<int64_t, std::string>> problems() const override { return {}; }
  uint64_t content_hash() const override { return 7; }

 private:
  const Picture picture_;
};

// The clip is what the turned camera would have shown, but for a border that it never saw.
TEST(ReorientedClip, ShowsWhatTheTurnedCameraWouldShow) {
  const Camera from = test::footage_camera(0, 3);
  CameraChange turn = CameraChange::Zero();
  turn.head<3>() << 0.03, 0.08, -0.05;
  const Camera to = changed_camera(from, turn).value();
  ASSERT_TRUE(only_turned(from, to));
  ReorientedClip turned = turn_clip(std::make_unique<OnePicture>(view_of(from)), from, to).value();
  EXPECT_NE(turned.clip->content_hash(), 7u);
  const Picture shown = turned.clip->read().value().picture, expected = view_of(to);
  const ImageView<const uint8_t> unseen = turned.unseen.view<uint8_t>();
  int blind = 0;
  for (int y = 0; y < shown.height(); ++y)
    for (int x = 0; x < shown.width(); ++x) {
      const auto ray = to.ray(Eigen::Vector2d(x, y));
      const auto before = from.project(ray->origin_in_world_m + ray->direction_in_world);
      const bool seen = before->x() >= -0.5 && before->y() >= -0.5 && before->x() <= shown.width() - 0.5 &&
                        before->y() <= shown.height() - 0.5;
      if (!seen) {
        EXPECT_EQ(unseen.at(x / 2, y / 2), 255) << x << ' ' << y;
        ++blind;
      }
      if (unseen.at(x / 2, y / 2) != 0) continue;
      EXPECT_NEAR(shown.plane(0).at(x, y), expected.plane(0).at(x, y), 2) << x << ' ' << y;
      for (const int plane : {1, 2})
        EXPECT_NEAR(shown.plane(plane).at(x / 2, y / 2), expected.plane(plane).at(x / 2, y / 2), 2);
    }
  EXPECT_GT(blind, 200);
  EXPECT_LT(blind, shown.width() * shown.height() / 4);
}

// Of a span the frames outside of it say nothing: the thing was put there afterwards.
TEST_F(ClipAndRecording, TheSceneOfASpanIsOfItsFrames) {
  auto writer = VideoWriter::open(folder_.path() / "both.mp4", picture_with(false, 0).format(), {}).value();
  for (int64_t frame = 0; frame < 120; ++frame) ASSERT_TRUE(writer->write(picture_with(frame >= 60, frame)));
  ASSERT_TRUE(writer->finish());
  for (const auto& [span, thing] : {std::pair(RecordingSpan{0, 60}, false), {RecordingSpan{60, 120}, true}}) {
    const auto video = open("both.mp4");
    const auto scene = scene_of_recording(*video, Steadying::off, {}, kMaxScenePictures, span).value();
    ASSERT_TRUE(scene);
    EXPECT_EQ(scene->pictures, 60);
    EXPECT_EQ(scene->dark.plane(0).at(60, 28) > 150, thing);
  }
  EXPECT_FALSE(
      scene_of_recording(*open("both.mp4"), Steadying::off, {}, kMaxScenePictures, {115, 200}).value())
      << "too short";
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
