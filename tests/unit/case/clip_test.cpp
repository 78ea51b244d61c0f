// A clip shows the frames of its span at their times, and nothing is left of one that was stopped.
#include "core/export/case/still.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "core/video/video_source.h"
#include "tests/unit/case/case_footage.h"

namespace vantage {
namespace {

class ClipTest : public testing::Test {
 protected:
  ClipOptions options() const {
    ClipOptions options;
    options.project = load_project(test::case_footage()).value();
    options.span = {20, 35};
    options.camera = 1;
    options.folder = folder_.path() / "clips";
    options.backends = test::cpu_backends();
    return options;
  }
  std::vector<DecodedFrame> frames_of(const CaseCamera& clip) const {
    std::vector<DecodedFrame> frames;
    auto video = open_video((folder_.path() / "clips" / clip.video).string(), {});
    EXPECT_TRUE(video) << (video ? "" : video.error().message());
    while (video) {
      auto frame = (*video)->read();
      if (!frame) break;
      frames.push_back(std::move(*frame));
    }
    return frames;
  }
  static int64_t difference(const Picture& a, const Picture& b) {
    int64_t sum = 0;
    for (int y = 0; y < a.height(); ++y)
      for (int x = 0; x < a.width(); ++x) sum += std::abs(a.plane(0).at(x, y) - b.plane(0).at(x, y));
    return sum;
  }

  const test::TemporaryFolder folder_;
};

TEST_F(ClipTest, ShowsTheFramesOfItsSpan) {
  const auto clip = export_clip(options());
  ASSERT_TRUE(clip) << clip.error().message();
  EXPECT_EQ(clip->video, "cam2.mp4");
  EXPECT_EQ(clip->frames, 15);
  const std::vector<DecodedFrame> frames = frames_of(*clip);
  ASSERT_EQ(frames.size(), 15U);
  for (size_t i = 0; i < frames.size(); ++i)
    EXPECT_NEAR(static_cast<double>(frames[i].time_ns), static_cast<double>(i) / 12.5 * 1e9, 1e5);
  const auto source = open_video((test::case_footage().parent_path() / "cam2.mp4").string(), {});
  ASSERT_TRUE((*source)->seek(20));
  const Picture right = (*source)->read()->picture;
  ASSERT_TRUE((*source)->seek(60));
  const Picture wrong = (*source)->read()->picture;
  EXPECT_LT(difference(right, frames[0].picture), difference(wrong, frames[0].picture));
}

TEST_F(ClipTest, TheBlurIsTheCases) {
  ClipOptions blurred = options();
  blurred.blur.on = true;
  const auto clip = export_clip(blurred);
  ASSERT_TRUE(clip) << clip.error().message();
  const std::vector<DecodedFrame> hidden = frames_of(*clip);
  const auto open = export_clip(options());
  ASSERT_TRUE(open);
  const std::vector<DecodedFrame> shown = frames_of(*open);
  ASSERT_EQ(hidden.size(), shown.size());
  EXPECT_GT(difference(hidden[7].picture, shown[7].picture), 100'000) << "people are covered";
}

TEST_F(ClipTest, WhatCannotBeIsSaid) {
  ClipOptions wrong = options();
  wrong.camera = 3;
  EXPECT_EQ(export_clip(wrong).error().kind, ErrorKind::invalid_argument);
  wrong = options();
  wrong.span = {1000, 1010};
  EXPECT_NE(export_clip(wrong).error().message().find("the span holds no frame"), std::string::npos);
  wrong = options();
  wrong.blur.on = true;
  wrong.project.path = folder_.path() / "other.vantage";  // which has no results
  EXPECT_EQ(export_clip(wrong).error().kind, ErrorKind::not_found);
  wrong = options();
  wrong.stop.request_stop();
  EXPECT_EQ(export_clip(wrong).error().kind, ErrorKind::cancelled);
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path() / "clips", none))
    ADD_FAILURE() << entry.path() << " is left";
}

}  // namespace
}  // namespace vantage
