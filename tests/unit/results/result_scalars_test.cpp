// Figures of results are those of their lines, frame by frame.
#include "core/results/result_scalars.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "core/base/file.h"
#include "tests/support/data.h"

namespace vantage {
namespace {

class ResultScalarsTest : public testing::Test {
 protected:
  // Person 3 walks 0.1 m a frame at 10 frames a second, and is away in frame 7.
  void SetUp() override {
    std::string lines = R"({"schema":"vantage-results-2","version":"0.1.0","device":"CPU","frame_rate":10.0,)"
                        R"("cameras":[{"name":"cam1"},{"name":"cam2"}],"parameters":{},"versions":{}})"
                        "\n";
    for (int frame = 0; frame < 12; ++frame) {
      const bool there = frame != 7;
      lines += R"({"frame":)" + std::to_string(frame) + R"(,"time_s":0,"cameras":[{"foreground_share":0.0)" +
               std::to_string(frame % 10) + R"(},{}],"volume":{"litres":)" + std::to_string(100 + frame) +
               R"(},"people":{"count":)" + (there ? "1" : "0") + R"(,"people":[)";
      if (there)
        lines += R"({"id":3,"x_m":)" + std::to_string(0.1 * frame) +
                 R"(,"y_m":2,"height_m":1.7,"confidence":0.5})";
      lines += R"(],"rejected":[{},{}]}})"
               "\n";
      if (frame == 4) lines += "{\"frame\":4, broken\n";
    }
    ASSERT_TRUE(write_file_atomically(folder_.path() / "results.jsonl", lines));
    ASSERT_TRUE(write_file_atomically(
        folder_.path() / "timings.json",
        R"({"spans":[{"name":"carving","kind":"stage","frame":2,"duration_ns":1500000},)"
        R"({"name":"carving","kind":"stage","frame":2,"duration_ns":500000},)"
        R"({"name":"carving","kind":"wait","frame":3,"duration_ns":500000},7]})"));
  }
  ResultScalars read(const std::vector<std::string>& names, FrameRange frames = {0, 1000}) const {
    const auto scalars = read_scalars(folder_.path(), names, frames);
    EXPECT_TRUE(scalars) << scalars.error().message();
    return scalars.value_or(ResultScalars{});
  }
  std::string refused(const std::vector<std::string>& names, FrameRange frames = {0, 1000}) const {
    const auto scalars = read_scalars(folder_.path(), names, frames);
    return scalars ? std::string() : scalars.error().message();
  }
  const test::TemporaryFolder folder_;
};

TEST_F(ResultScalarsTest, FiguresOfFramesAndCameras) {
  const ResultScalars scalars = read({"litres", "people", "foreground:cam1", "rejected"}, {3, 9});
  EXPECT_EQ(scalars.frames, (std::vector<int64_t>{3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(scalars.frame_rate, 10);
  EXPECT_EQ(scalars.series[0].values, (std::vector<double>{103, 104, 105, 106, 107, 108}));
  EXPECT_EQ(scalars.series[0].unit, "l");
  EXPECT_EQ(scalars.series[1].values, (std::vector<double>{1, 1, 1, 1, 0, 1}));
  EXPECT_EQ(scalars.series[2].values, (std::vector<double>{0.03, 0.04, 0.05, 0.06, 0.07, 0.08}));
  EXPECT_EQ(scalars.series[3].values, std::vector<double>(6, 2));
}

TEST_F(ResultScalarsTest, FiguresOfAPersonAreUnknownWhileAway) {
  const ResultScalars scalars = read({"x_m:3", "speed_m_per_s:3", "person_confidence:3", "confidence"});
  EXPECT_NEAR(scalars.series[0].values[6], 0.6, 1e-6);
  EXPECT_TRUE(std::isnan(scalars.series[0].values[7]));
  for (int frame = 0; frame < 4; ++frame)
    EXPECT_TRUE(std::isnan(scalars.series[1].values[frame])) << "nothing 0.4 s before";
  for (const size_t frame : {4u, 5u, 6u, 8u, 11u})
    EXPECT_NEAR(scalars.series[1].values[frame], 1, 1e-5) << frame;
  EXPECT_TRUE(std::isnan(scalars.series[1].values[7]));
  EXPECT_EQ(scalars.series[2].values[8], 0.5);
  EXPECT_TRUE(std::isnan(scalars.series[3].values[7])) << "a mean of nobody";
}

TEST_F(ResultScalarsTest, TimesOfAStageAreSummedOverItsCameras) {
  const ResultScalars scalars = read({"ms:carving"}, {1, 4});
  EXPECT_TRUE(std::isnan(scalars.series[0].values[0]));
  EXPECT_NEAR(scalars.series[0].values[1], 2, 1e-12);
  EXPECT_TRUE(std::isnan(scalars.series[0].values[2])) << "a wait is no work";
}

TEST_F(ResultScalarsTest, ASpeedKnowsWhatWasBeforeTheRange) {
  EXPECT_NEAR(read({"speed_m_per_s:3"}, {5, 7}).series[0].values[0], 1, 1e-5);
}

TEST_F(ResultScalarsTest, KernelsAndFiguresOfOtherStages) {
  ASSERT_TRUE(write_file_atomically(
      folder_.path() / "results.jsonl",
      R"({"schema":"vantage-results-2","version":"0.1.0","device":"CPU","frame_rate":10.0,)"
      R"("cameras":[{"name":"cam1"},{"name":"cam2"}],"parameters":{},"versions":{}})"
      "\n"
      R"({"frame":0,"cameras":[{"detections":[{},{}]},{"detections":null}],)"
      R"("volume":{"litres":1,"shell_voxels":17},"height_map":{"energy":2.5,"iterations":40},)"
      R"("heads":{"cameras":[{"boxes":[]},{"boxes":[{}]}],"heads":[{},{},{}]},)"
      R"("people":{"count":1,"peaks":4,"covered_share":0.5,"people":[{"id":2,"seated":0.25,)"
      R"("evidence":{"deviation_m":0.1,"gain_nats":9},"motion":{"m_per_s":[3,4,0]},)"
      R"("skeleton":{"joints":{"nose":{},"neck":{}}}}],"rejected":[]}})"
      "\n"));
  ASSERT_TRUE(write_file_atomically(
      folder_.path() / "timings.json",
      R"({"summary":[{"name":"carve","kind":"kernel","count":2},{"name":"carving","kind":"stage"}],"spans":[)"
      R"({"name":"carve","kind":"kernel","lane":"a \"}{\" b","frame":0,"duration_ns":1000000},)"
      R"({"name":"carve","kind":"stage","lane":"","frame":0,"duration_ns":7000000},)"
      R"({"name":"carve","kind":"kernel","lane":"","frame":0,"duration_ns":250000}]})"));
  const std::vector<std::pair<std::string, double>> expected = {{"shell_voxels", 17},
                                                                {"height_map_energy", 2.5},
                                                                {"height_map_iterations", 40},
                                                                {"heads", 3},
                                                                {"peaks", 4},
                                                                {"covered_share", 0.5},
                                                                {"detections:cam1", 2},
                                                                {"head_boxes:cam1", 0},
                                                                {"head_boxes:cam2", 1},
                                                                {"motion_m_per_s:2", 5},
                                                                {"seated:2", 0.25},
                                                                {"deviation_m:2", 0.1},
                                                                {"gain_nats:2", 9},
                                                                {"joints:2", 2},
                                                                {"kernel_ms:carve", 1.25}};
  std::vector<std::string> names = {"detections:cam2"};
  for (const auto& [name, value] : expected) names.push_back(name);
  const ResultScalars scalars = read(names);
  ASSERT_EQ(scalars.series.size(), names.size());
  EXPECT_TRUE(std::isnan(scalars.series[0].values[0])) << "nobody looked";
  for (size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(scalars.series[i + 1].values[0], expected[i].second, 1e-9) << names[i + 1];
}

TEST_F(ResultScalarsTest, WhoseFiguresThereAre) {
  auto follower = ScalarFollower::make(folder_.path(), {"people"}, {0, 1000}).value();
  EXPECT_TRUE(follower.read_on().value());
  EXPECT_EQ(follower.owners().cameras, (std::vector<std::string>{"cam1", "cam2"}));
  EXPECT_EQ(follower.owners().people, std::vector<int64_t>{3});
  EXPECT_EQ(follower.owners().stages, std::vector<std::string>{"carving"});
  const std::vector<std::string> names = scalar_names(follower.owners());
  for (const char* name : {"people", "foreground:cam2", "speed_m_per_s:3", "ms:carving"})
    EXPECT_NE(std::find(names.begin(), names.end(), name), names.end()) << name;
  for (const std::string& name : names) EXPECT_TRUE(scalar_kind(name)) << name;
}

// Older results stay complete until a run has ended; meanwhile its frames are read, without the older times.
TEST_F(ResultScalarsTest, ARunIsReadBeforeItHasReplacedOlderResults) {
  const auto whole = read_file(folder_.path() / "results.jsonl").value();
  const size_t header = whole.find('\n') + 1, first = whole.find('\n', header) + 1;
  auto follower = ScalarFollower::make(folder_.path(), {"litres", "ms:carving"}, {0, 1000}).value();
  ASSERT_TRUE(follower.read_on().value());
  const size_t frames = follower.scalars().frames.size();
  ASSERT_TRUE(follower.scalars().series[1].found);
  std::ofstream(folder_.path() / "results.jsonl.part") << whole.substr(0, first);
  EXPECT_FALSE(follower.read_on().value()) << "nobody writes: it was left by a run that was killed";
  EXPECT_TRUE(follower.read_on({}, true).value());
  EXPECT_EQ(follower.scalars().frames, std::vector<int64_t>{0});
  EXPECT_FALSE(follower.scalars().series[1].found);
  std::ofstream(folder_.path() / "results.jsonl.part", std::ios::app) << whole.substr(first);
  EXPECT_TRUE(follower.read_on({}, true).value());
  EXPECT_EQ(follower.scalars().frames.size(), frames);
  std::filesystem::rename(folder_.path() / "results.jsonl.part", folder_.path() / "results.jsonl");
  EXPECT_TRUE(follower.read_on().value());
  EXPECT_EQ(follower.scalars().frames.size(), frames);
  EXPECT_TRUE(follower.scalars().series[1].found);
}

// A run writes results.jsonl.part, whose last line may be incomplete, and renames it.
TEST_F(ResultScalarsTest, GrowingResultsAreReadOn) {
  const auto whole = read_file(folder_.path() / "results.jsonl").value();
  const auto line = [&](int number) {
    size_t at = 0;
    for (int i = 0; i < number; ++i) at = whole.find('\n', at) + 1;
    return at;
  };
  const auto part = folder_.path() / "results.jsonl.part";
  std::filesystem::remove(folder_.path() / "results.jsonl");
  const auto append = [&](size_t from, size_t to) {
    std::ofstream(part, std::ios::app) << whole.substr(from, to - from);
  };
  auto follower = ScalarFollower::make(folder_.path(), {"litres", "x_m:3", "ms:carving"}, {0, 1000}).value();
  EXPECT_EQ(follower.read_on().error().kind, ErrorKind::not_found);
  append(0, line(4) + 9);
  EXPECT_TRUE(follower.read_on().value());
  EXPECT_EQ(follower.scalars().frames, (std::vector<int64_t>{0, 1, 2}));
  EXPECT_FALSE(follower.read_on().value());
  append(line(4) + 9, line(6));
  EXPECT_TRUE(follower.read_on().value());
  EXPECT_EQ(follower.scalars().frames, (std::vector<int64_t>{0, 1, 2, 3, 4}));
  EXPECT_EQ(follower.scalars().series[0].values.back(), 104);
  EXPECT_TRUE(follower.scalars().series[1].found);
  EXPECT_NEAR(follower.scalars().series[2].values[2], 2, 1e-12);
  // Other results are read from the start.
  ASSERT_TRUE(write_file_atomically(folder_.path() / "results.jsonl", whole));
  EXPECT_TRUE(follower.read_on().value());
  EXPECT_EQ(follower.scalars().frames.size(), 12u);
  EXPECT_EQ(follower.scalars().series[0].values, read({"litres"}).series[0].values);
  EXPECT_NEAR(follower.scalars().series[2].values[2], 2, 1e-12);
  StopSource stop;
  stop.request_stop();
  ASSERT_TRUE(write_file_atomically(folder_.path() / "results.jsonl", whole));
  EXPECT_EQ(follower.read_on(stop).error().kind, ErrorKind::cancelled);
  EXPECT_TRUE(follower.read_on().value());
  EXPECT_EQ(follower.scalars().frames.size(), 12u) << "none twice";
}

TEST_F(ResultScalarsTest, APartIsThatOfItsFrames) {
  const ResultScalars whole = read({"litres", "x_m:3"}), part = scalars_in(whole, {3, 9});
  EXPECT_EQ(part.frames, (std::vector<int64_t>{3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(part.series[0].values, read({"litres"}, {3, 9}).series[0].values);
  EXPECT_TRUE(scalars_in(whole, {9, 3}).frames.empty());
}

TEST_F(ResultScalarsTest, WhatThereIsNotIsNamed) {
  EXPECT_NE(refused({"litre"}).find("speed_m_per_s:ID"), std::string::npos) << refused({"litre"});
  EXPECT_NE(refused({"foreground"}).find("foreground:CAMERA"), std::string::npos);
  EXPECT_NE(refused({"litres:cam1"}).find("belongs to the frame alone"), std::string::npos);
  EXPECT_NE(refused({"x_m:Anna"}).find("is a number"), std::string::npos);
  EXPECT_NE(refused({"x_m:4"}).find("no such"), std::string::npos);
  EXPECT_NE(refused({"foreground:cam9"}).find("no such"), std::string::npos);
  EXPECT_NE(refused({"ms:flow"}).find("no such"), std::string::npos);
  EXPECT_NE(refused({"people"}, {100, 200}).find("none of these frames"), std::string::npos);
}

}  // namespace
}  // namespace vantage
