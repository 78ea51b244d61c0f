// Frames of a recording that belong to one calibration.
#include "core/project/span_footage.h"

#include <gtest/gtest.h>

#include "core/project/camera_in_time.h"

namespace vantage {
namespace {

Project changed_at(std::initializer_list<int64_t> frames) {
  PinholeCamera<double> model;
  model.width_px = 640, model.height_px = 480;
  model.fx_px = model.fy_px = 600, model.cx_px = 320, model.cy_px = 240;
  for (int i = 0; i < 3; ++i) model.rotation_cam_from_world[4 * i] = 1;
  Project project;
  project.cameras.resize(2);
  for (ProjectCamera& camera : project.cameras) camera.calibration = Camera::make("cam", model).value();
  for (const int64_t frame : frames)
    add_later_calibration(&project.cameras[1], frame, *project.cameras[1].calibration);
  return project;
}

TEST(StandingSpans, LieBetweenTheChanges) {
  const std::vector<StandingSpan> one = standing_spans(changed_at({}));
  ASSERT_EQ(one.size(), 1u);
  EXPECT_EQ(one[0].begin, 0);
  EXPECT_EQ(one[0].end, INT64_MAX);
  const std::vector<StandingSpan> three = standing_spans(changed_at({100, 250}));
  ASSERT_EQ(three.size(), 3u);
  EXPECT_EQ(three[1].begin, 100);
  EXPECT_EQ(three[1].end, 250);
  EXPECT_TRUE(three[1].has(100));
  EXPECT_FALSE(three[1].has(250));
}

TEST(StandingSpans, TheOneWithMostOfTheFrames) {
  const Project project = changed_at({100, 250});
  EXPECT_EQ(span_with_most(project, 0, 300).begin, 100);
  EXPECT_EQ(span_with_most(project, 0, 200).begin, 0) << "the first of two as long";
  EXPECT_EQ(span_with_most(project, 240, 300).begin, 250);
  EXPECT_EQ(span_with_most(project, 0, INT64_MAX).begin, 250);
}

TEST(StandingSpans, InTheCamerasOwnFrames) {
  ProjectCamera camera;
  camera.offset_frames = 7;
  const RecordingSpan inside = frames_in_span(camera, {100, 250}, 2);
  EXPECT_EQ(inside.begin, 207);
  EXPECT_EQ(inside.end, 507);
  const RecordingSpan all = frames_in_span(camera, {}, 2);
  EXPECT_EQ(all.begin, 0);
  EXPECT_EQ(all.end, INT64_MAX);
}

}  // namespace
}  // namespace vantage
