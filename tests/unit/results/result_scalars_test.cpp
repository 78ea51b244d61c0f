// Figures of results are those of their lines, frame by frame.
#include "core/results/result_scalars.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

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
    EXPECT_TRUE(std::isnan(scalars.series[1].values[static_cast<size_t>(frame)])) << "nothing 0.4 s before";
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

TEST_F(ResultScalarsTest, WhatThereIsNotIsNamed) {
  EXPECT_NE(refused({"litre"}).find("speed_m_per_s:ID"), std::string::npos) << refused({"litre"});
  EXPECT_NE(refused({"foreground"}).find("foreground:CAMERA"), std::string::npos);
  EXPECT_NE(refused({"litres:cam1"}).find("of the frame alone"), std::string::npos);
  EXPECT_NE(refused({"x_m:Anna"}).find("is a number"), std::string::npos);
  EXPECT_NE(refused({"x_m:4"}).find("no such"), std::string::npos);
  EXPECT_NE(refused({"foreground:cam9"}).find("no such"), std::string::npos);
  EXPECT_NE(refused({"ms:flow"}).find("no such"), std::string::npos);
  EXPECT_NE(refused({"people"}, {100, 200}).find("none of these frames"), std::string::npos);
}

}  // namespace
}  // namespace vantage
