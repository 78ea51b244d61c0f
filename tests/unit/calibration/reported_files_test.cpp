// Calibration files as people report them: bytes and parts that other programs leave in them.
#include <gtest/gtest.h>

#include "core/base/file.h"
#include "core/calibration/formats/calibration.h"
#include "tests/support/data.h"
#include "tests/unit/calibration/read_text.h"
#include "tests/unit/calibration/sample_files.h"

namespace vantage {
namespace {

using test::expect_refused;
using test::read_text;
using test::replaced;

std::string utf16(const std::string& text, bool little, bool mark) {
  std::string out = mark ? (little ? "\xFF\xFE" : "\xFE\xFF") : "";
  for (const char c : text) out += little ? std::string{c, '\0'} : std::string{'\0', c};
  return out;
}

TEST(ReportedCalibrations, AnyEncodingOfTheSameText) {
  for (const std::string& text : {test::sample_toml, test::sample_json, test::sample_k_r_t,
                                  test::sample_caliscope, test::sample_panoptic, test::sample_k_rt}) {
    const auto plain = read_text(text);
    ASSERT_TRUE(plain) << plain.error().message();
    std::string windows;
    for (const char c : text) windows += c == '\n' ? std::string("\r\n") : std::string(1, c);
    for (const std::string& other : {"\xEF\xBB\xBF" + text, utf16(text, true, true), utf16(text, false, true),
                                     utf16(text, true, false), windows, "\xEF\xBB\xBF" + windows}) {
      const auto read = read_text(other);
      ASSERT_TRUE(read) << text.substr(0, 20) << ": " << read.error().message();
      ASSERT_EQ(read->cameras.size(), plain->cameras.size());
      EXPECT_EQ(calibration_to_json(read->cameras), calibration_to_json(plain->cameras));
    }
  }
}

TEST(ReportedCalibrations, OneUncalibratedCameraAmongGoodOnesIsLeftOutAndNamed) {
  const std::string toml = test::sample_toml;
  const auto without_pose = [](std::string text, const std::string& rotation,
                               const std::string& translation) {
    text = replaced(text, "rotation = [ 1.5, -0.25, 0.5]", rotation);
    return replaced(text, "translation = [ 0.5, 1.0, 4.0]", translation);
  };
  for (const std::string& text :
       {without_pose(toml, "", ""), without_pose(toml, "rotation = []", "translation = []"),
        without_pose(toml, "rotation = [ nan, nan, nan]", "translation = [ nan, nan, nan]"),
        without_pose(toml, "rotation = [ [ nan, nan, nan], [ nan, nan, nan], [ nan, nan, nan]]", "")}) {
    const auto read = read_text(text);
    ASSERT_TRUE(read) << read.error().message();
    ASSERT_EQ(read->cameras.size(), 1u);
    EXPECT_EQ(read->cameras[0].name(), "left");
    EXPECT_NE(read->stated.find("camera right has no pose and is left out"), std::string::npos)
        << read->stated;
  }
  const auto caliscope =
      read_text(replaced(replaced(test::sample_caliscope, "translation = [ 0.5, 1.0, 4.0]\nrotation", "turn"),
                         "[cameras.7]", "[cameras.7]"));
  ASSERT_TRUE(caliscope) << caliscope.error().message();
  EXPECT_EQ(caliscope->cameras.size(), 1u);
  EXPECT_EQ(caliscope->left_out.size(), 1u);
  for (const char* more :
       {R"({"name": "right", "K": [[500, 0, 320], [0, 505, 240], [0, 0, 1]]}, )",
        R"({"name": "right", "R": null, "t": null}, )", R"({"name": "right", "R": [], "t": []}, )",
        R"({"name": "right", "R": [[NaN, NaN, NaN]], "t": [NaN, NaN, NaN]}, )"}) {
    const auto read = read_text(
        replaced(test::sample_k_r_t, "{\"name\": \"left\"", std::string(more) + "{\"name\": \"left\""));
    ASSERT_TRUE(read) << more << read.error().message();
    ASSERT_EQ(read->cameras.size(), 1u);
    EXPECT_EQ(read->left_out.size(), 1u);
  }
  expect_refused(without_pose(replaced(replaced(toml, "rotation = [ 1.5, 0.25, -0.5]", ""),
                                       "translation = [ -0.5, 1.0, 4.0]", ""),
                              "", ""),
                 "holds no camera with a pose");
  expect_refused(replaced(toml, "translation = [ 0.5, 1.0, 4.0]", ""),
                 "translation");  // half a pose is damage
}

TEST(ReportedCalibrations, OtherSectionsAreNoCameras) {
  for (const char* section :
       {"[settings]\nfps = 30\n\n", "[project]\nname = \"hall\"\n\n", "[world]\nup = \"z\"\n\n",
        "[charuco_board]\nrows = 5\ncolumns = 7\n\n", "title = \"x\"\n\n"}) {
    for (const bool first : {true, false}) {
      const auto read = read_text(first ? section + test::sample_toml : test::sample_toml + "\n" + section);
      ASSERT_TRUE(read) << section << read.error().message();
      EXPECT_EQ(read->cameras.size(), 2u) << section;
    }
  }
}

TEST(ReportedCalibrations, NamesMayBeNumbers) {
  const auto toml = read_text(replaced(replaced(test::sample_toml, "\"left\"", "0"), "\"right\"", "1"));
  ASSERT_TRUE(toml) << toml.error().message();
  EXPECT_EQ(toml->cameras[0].name(), "0");
  EXPECT_EQ(toml->cameras[1].name(), "1");
  const auto ours = read_text(replaced(test::sample_json, "\"cam1\"", "7"));
  ASSERT_TRUE(ours) << ours.error().message();
  EXPECT_EQ(ours->cameras[0].name(), "7");
  const auto panoptic = read_text(replaced(test::sample_panoptic, "\"00_01\"", "12"));
  ASSERT_TRUE(panoptic) << panoptic.error().message();
  EXPECT_EQ(panoptic->cameras[0].name(), "12");
  const auto separate = read_text(replaced(test::sample_k_r_t, "\"left\"", "3"));
  ASSERT_TRUE(separate) << separate.error().message();
  EXPECT_EQ(separate->cameras[0].name(), "3");
  expect_refused(replaced(test::sample_k_r_t, "\"left\"", "[3]"), "name is not a text");
}

TEST(ReportedCalibrations, ColmapsNamesMayHoldBlanks) {
  const test::TemporaryFolder folder;
  ASSERT_TRUE(write_file_atomically(folder.path() / "cameras.txt", "1 PINHOLE 640 480 500 505 320 240\n"));
  for (const auto& [written, expected] :
       std::vector<std::pair<std::string, std::string>>{{"hall cam 1.jpg", "hall cam 1"},
                                                        {"cam 1.jpg ", "cam 1"},
                                                        {"a  b.png\r", "a  b"},
                                                        {"cam1.jpg", "cam1"},
                                                        {"left (1).png", "left (1)"}}) {
    ASSERT_TRUE(write_file_atomically(folder.path() / "images.txt",
                                      "# IMAGE_ID, QW, QX, QY, QZ, TX, TY, TZ, CAMERA_ID, NAME\n"
                                      "1 1 0 0 0 0 0 4 1 " +
                                          written + "\n\n2 1 0 0 0 1 0 4 1 other " + written + "\n\n"));
    const auto read = read_calibration(folder.path() / "images.txt", {.unit_scale_m = 1.0, .up_axis = {}});
    ASSERT_TRUE(read) << read.error().message();
    ASSERT_EQ(read->cameras.size(), 2u);
    EXPECT_EQ(read->cameras[0].name(), expected);
    EXPECT_EQ(read->cameras[1].name(), "other " + expected);
  }
}

TEST(ReportedCalibrations, WhatIsWrongIsOneSentenceWithTheLine) {
  for (const auto& [text, part] : std::vector<std::pair<std::string, std::string>>{
           {"frame,id,x\n1,2,3\n", "line 1, \"frame,id,x\""},
           {"[cam_01]\nname = \"left\"\nsize = [ 640, 480\n\n[cam_02]\n", "line"},
           {"a: 1\nb:\n  - [1, 2\n", "(line"},
           {"{\"a\": 1, \"lenses\": []}", "it holds a, lenses"},
           {"[metadata]\nerror = 0\n", "holds no camera section"},
           {"{\"cameras\": [", "JSON"},
           {"<html><body/></html>", "OpenCV XML (opencv_storage with mtx"}}) {
    const auto read = read_text(text);
    ASSERT_FALSE(read) << text;
    EXPECT_NE(read.error().message().find(part), std::string::npos) << read.error().message();
    EXPECT_LT(read.error().message().size(), 520u) << read.error().message();
  }
}

}  // namespace
}  // namespace vantage
