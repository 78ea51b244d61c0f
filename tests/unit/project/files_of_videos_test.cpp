// Calibration files, one per video, matched by name against their order.
#include "core/project/files_of_videos.h"

#include <gtest/gtest.h>

#include "core/project/match_cameras.h"

namespace vantage {
namespace {

using Indices = std::vector<size_t>;
using Maps = std::vector<std::pair<std::string, std::string>>;

// Names as in new_project.cpp: the camera in the file, the file's stem and its folder.
std::vector<NamedFile> files(const std::vector<std::string>& paths, std::vector<std::string> cameras = {}) {
  std::vector<NamedFile> all;
  for (size_t i = 0; i < paths.size(); ++i) {
    std::vector<std::string> names = names_of_video(paths[i]);
    names.insert(names.begin(), cameras.empty() ? names.front() : cameras[i]);
    all.push_back({paths[i], names});
  }
  return all;
}

struct Case {
  std::vector<std::string> videos, files, cameras;
  Indices expected;
};

TEST(FilesOfVideos, NamesDecideInWhateverOrder) {
  const Case cases[] = {
      {{"cam1.mp4", "cam2.mp4"}, {"cam2.yml", "cam1.yml"}, {}, {1, 0}},
      {{"cam01.mp4", "cam02.mp4"}, {"Cam_2.yml", "Cam_1.yml"}, {}, {1, 0}},
      {{"x/cam1/video.avi", "x/cam2/video.avi"}, {"c/cam2/config.xml", "c/cam1/config.xml"}, {}, {1, 0}},
      {{"cam1.mp4", "cam2.mp4"}, {"b.json", "a.json"}, {"cam2", "cam1"}, {1, 0}},  // the camera inside
      {{"cam1.mp4", "cam2.mp4"}, {"calib_cam2.json", "calib_cam1.json"}, {"0", "0"}, {1, 0}},
      {{"GH010_1.mp4", "GH010_2.mp4"}, {"lens-2.yml", "lens-1.yml"}, {}, {1, 0}},  // the numbers alone
      {{"hall_a.mp4", "hall_b.mp4", "hall_c.mp4"}, {"b.yml", "c.yml", "a.yml"}, {}, {2, 0, 1}},
      {{"cam9.mp4", "cam10.mp4"}, {"10.yml", "9.yml"}, {}, {1, 0}},
  };
  for (const Case& one : cases) {
    const auto matched = match_files(one.videos, files(one.files, one.cameras), {});
    ASSERT_TRUE(matched) << one.files.front() << ": " << matched.error().message();
    EXPECT_EQ(matched->file_of, one.expected) << one.files.front();
    EXPECT_EQ(matched->note, "") << "names decided";
  }
}

TEST(FilesOfVideos, OrderDecidesOnlyWhereNoNameSaysOtherwiseAndIsTold) {
  for (const auto& [videos, given] :
       std::vector<std::pair<std::vector<std::string>, std::vector<std::string>>>{
           {{"left.mp4", "right.mp4"}, {"a.yml", "b.yml"}},
           {{"left.mp4", "right.mp4"}, {"one/calibration.yml", "other/calibration.yml"}},
           {{"north.mp4", "east.mp4", "south.mp4"}, {"A.xml", "B.xml", "C.xml"}},
           {{"GX01.mp4", "DJI.mp4"}, {"calib_front.yml", "calib_back.yml"}},
           {{"left.mp4", "right.mp4"}, {"left.yml", "lens.yml"}}}) {
    const auto matched = match_files(videos, files(given), {});
    ASSERT_TRUE(matched) << matched.error().message();
    for (size_t i = 0; i < videos.size(); ++i) EXPECT_EQ(matched->file_of[i], i);
    EXPECT_NE(matched->note.find(videos[1] + " has " + given[1]), std::string::npos) << matched->note;
  }
  EXPECT_EQ(match_files({"left.mp4"}, files({"a.yml"}), {})->note, "") << "there is no other";
}

TEST(FilesOfVideos, AConflictIsAnErrorAndAMapAnswersIt) {
  struct Conflict {
    std::vector<std::string> videos, files, cameras;
  };
  for (const Conflict& one : std::vector<Conflict>{
           {{"cam1.mp4", "left.mp4"}, {"right.yml", "cam1.yml"}, {}},  // only for one video
           {{"cam1.mp4", "cam2.mp4"},
            {"cam1.json", "cam2.json"},
            {"cam2", "cam1"}},                                        // names inside contradict the order
           {{"cam0.mp4", "cam1.mp4"}, {"cam1.yml", "cam2.yml"}, {}},  // counted from 0 and from 1
           {{"left.mp4", "right.mp4"}, {"a_right.yml", "b.yml"}, {}},
           {{"v1.mp4", "v2.mp4", "v3.mp4"}, {"c2.yml", "c3.yml", "c4.yml"}, {}}}) {
    const auto matched = match_files(one.videos, files(one.files, one.cameras), {});
    ASSERT_FALSE(matched) << one.files.front();
    EXPECT_EQ(matched.error().kind, ErrorKind::invalid_argument);
    EXPECT_NE(matched.error().message().find("--map VIDEO=CAMERA"), std::string::npos)
        << matched.error().message();
    Maps maps;
    for (size_t i = 0; i < one.videos.size(); ++i) maps.emplace_back(one.videos[i], one.files[i]);
    const auto mapped = match_files(one.videos, files(one.files, one.cameras), maps);
    ASSERT_TRUE(mapped) << mapped.error().message();
    for (size_t i = 0; i < one.videos.size(); ++i) EXPECT_EQ(mapped->file_of[i], i);
  }
  const auto some =
      match_files({"cam1.mp4", "cam2.mp4", "x.mp4"}, files({"y.yml", "cam2.yml", "cam1.yml"}), {{"x", "y"}});
  ASSERT_TRUE(some) << some.error().message();
  EXPECT_EQ(some->file_of, (Indices{2, 1, 0})) << "names decide of the others";
  EXPECT_FALSE(match_files({"cam1.mp4"}, files({"a.yml"}), {{"cam1", "b"}}));
  EXPECT_FALSE(match_files({"cam1.mp4"}, files({"a.yml"}), {{"cam7", "a"}}));
}

TEST(FilesOfVideos, FilesGivenInTheOrderOfTheVideosAreHeldToIt) {
  const std::vector<std::string> videos = {"cam1.mp4", "cam2.mp4", "cam3.mp4"};
  EXPECT_TRUE(check_order(videos, {"cam1.txt", "cam2.txt", "cam3.txt"}, "--detections"));
  EXPECT_TRUE(check_order(videos, {"-", "cam2.txt", "-"}, "--detections"));
  EXPECT_TRUE(check_order(videos, {"a.txt", "b.txt", "c.txt"}, "--detections"));
  EXPECT_TRUE(check_order(videos, {"a.txt", "a.txt", "-"}, "--detections"));
  for (const std::vector<std::string>& wrong : {std::vector<std::string>{"cam2.txt", "cam1.txt", "cam3.txt"},
                                                {"cam2.txt", "-", "-"},
                                                {"d/cam3/det.txt", "d/cam1/det.txt", "d/cam2/det.txt"},
                                                {"-", "det_cam1.json", "-"},
                                                {"cam02_det", "cam01_det", "cam03_det"}}) {
    const Status order = check_order(videos, wrong, "--detections");
    ASSERT_FALSE(order) << wrong.front();
    EXPECT_NE(order.error().message().find("--detections in the order of the videos"), std::string::npos);
  }
}

TEST(FilesOfVideos, PasswordsOfAddressesAreNoNames) {
  for (const char* address :
       {"rtsp://admin:sec/ret@host/x", "rtsp://admin:secret@host", "rtsp://a:secret@host/x",
        "rtsp://a:p#secret@10.0.0.1:554/x", "rtsp://a:secret@host/secretless/x"})
    for (const std::string& name : names_of_video(address))
      EXPECT_TRUE(name.find("secret") == std::string::npos || name == "secretless") << name;
}

}  // namespace
}  // namespace vantage
