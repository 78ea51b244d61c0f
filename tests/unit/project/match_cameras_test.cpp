#include "core/project/match_cameras.h"

#include <gtest/gtest.h>

namespace vantage {
namespace {

using Maps = std::vector<std::pair<std::string, std::string>>;
using Indices = std::vector<size_t>;

TEST(MatchCameras, ByFileOrFolderNameInAnyOrder) {
  EXPECT_EQ(*match_cameras({"b.mp4", "x/a.mp4"}, {"a", "b"}, {}), (Indices{1, 0}));
  EXPECT_EQ(*match_cameras({"d/cam2/video.avi", "d/cam1/video.avi"}, {"cam1", "cam2"}, {}), (Indices{1, 0}));
  EXPECT_EQ(*match_cameras({"d/cam2/img_%04d.png", "d/cam1/*.jpg"}, {"cam1", "cam2"}, {}), (Indices{1, 0}));
}

TEST(MatchCameras, PunctuationAndPrefixesAreForgiven) {
  EXPECT_EQ(*match_cameras({"cam01.mp4", "cam02.mp4"}, {"cam_02", "cam_01"}, {}), (Indices{1, 0}));
  EXPECT_EQ(*match_cameras({"cam02.mp4", "cam01.mp4"}, {"int_cam01_img", "int_cam02_img"}, {}),
            (Indices{1, 0}));
  EXPECT_EQ(*match_cameras({"cam1.mp4"}, {"cam10", "my-cam1"}, {}), (Indices{1})) << "cam1 is not in cam10";
}

TEST(MatchCameras, NeverByOrder) {
  const auto matched = match_cameras({"left.mp4", "right.mp4"}, {"A", "B"}, {});
  ASSERT_FALSE(matched);
  const std::string message = matched.error().message();
  for (const char* part : {"left.mp4", "right.mp4", "A, B", "--map VIDEO=CAMERA"})
    EXPECT_NE(message.find(part), std::string::npos) << message;
  EXPECT_FALSE(match_cameras({"x/cam.mp4", "y/cam.mp4"}, {"cam", "other"}, {}))
      << "one camera for two videos";
  EXPECT_FALSE(match_cameras({"cam.mp4"}, {"left cam", "right cam"}, {})) << "two names contain it";
}

TEST(MatchCameras, WhatIsNotClearIsLeftToPeople) {
  using Found = std::vector<std::optional<size_t>>;
  EXPECT_EQ(match_by_name({"cam2.mp4", "left.mp4", "x/cam1.mp4"}, {"cam1", "cam2"}), (Found{1, {}, 0}));
  EXPECT_EQ(match_by_name({"x/cam.mp4", "y/cam.mp4"}, {"cam"}), (Found{{}, {}})) << "one camera, two videos";
}

TEST(MatchCameras, TheMapWins) {
  EXPECT_EQ(*match_cameras({"left.mp4", "B.mp4"}, {"A", "B"}, Maps{{"left", "A"}}), (Indices{0, 1}));
  EXPECT_EQ(*match_cameras({"A.mp4", "B.mp4"}, {"A", "B"}, Maps{{"A.mp4", "B"}, {"B.mp4", "A"}}),
            (Indices{1, 0}));
  EXPECT_FALSE(match_cameras({"A.mp4"}, {"A"}, Maps{{"A.mp4", "C"}}));
  EXPECT_FALSE(match_cameras({"A.mp4"}, {"A"}, Maps{{"Z.mp4", "A"}})) << "a map that names no video";
}

// A letter in a folder's name is chance; in a video's own name, or as a number, it identifies the camera.
TEST(MatchCameras, ALetterInAFoldersNameSaysNothing) {
  EXPECT_FALSE(match_by_name({"hub/right.mp4"}, {"b", "x"})[0]);
  EXPECT_EQ(match_by_name({"hub/side b.mp4"}, {"b", "x"})[0], size_t{0});
  EXPECT_EQ(match_by_name({"hub 2/right.mp4"}, {"1", "2"})[0], size_t{1});
}

}  // namespace
}  // namespace vantage
