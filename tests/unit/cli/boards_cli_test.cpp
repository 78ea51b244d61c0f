// vantage-cli calibrate boards, as people run it, on drawn pictures.
#include <gtest/gtest.h>

#include <fstream>

#include "core/base/file.h"
#include "core/calibration/formats/calibration.h"
#include "core/project/project.h"
#include "tests/support/cli_fixture.h"
#include "tests/support/drawn_board.h"
#include "tests/support/expect_report.h"

namespace vantage {
namespace {

using nlohmann::json;
using test::CliTest;
using test::expect_report;
using test::Finished;

class BoardsCliTest : public CliTest {
 protected:
  // A fisheye of 160 degrees over the picture's width.
  void draw_pictures(const std::string& folder) const {
    PinholeCamera<double> m;
    m.width_px = 640, m.height_px = 480;
    m.lens = LensModel::fisheye;
    m.fx_px = 225, m.fy_px = 226, m.cx_px = 317, m.cy_px = 242, m.k1 = 0.03, m.k2 = -0.01;
    const test::BoardPainter painter(Camera::make("wide", m).value());
    std::filesystem::create_directory(path(folder));
    std::mt19937 random(8);
    for (int i = 0; i < 12; ++i)
      ASSERT_TRUE(test::write_board(path(folder + "/" + std::to_string(10 + i) + ".png"), painter, board_,
                                    test::carried_board(board_, 0.9, 0.6, &random)));
  }
  Finished boards(std::vector<std::string> words) const {
    words.insert(words.begin(), {"calibrate", "boards", "--columns", "9", "--rows", "6", "--square", "0.08"});
    return cli(words);
  }
  void expect(const Finished& finished, int code, const char* what) const {
    EXPECT_EQ(finished.code, code) << finished.err;
    EXPECT_NE(finished.err.find(what), std::string::npos) << finished.err;
  }

  // The clips `left` and `right`; the second begins 2.4 frames earlier.
  void take_offsets_over(const std::vector<std::string>& clips) const {
    Project project;
    for (const char* name : {"left", "right"}) {
      ProjectCamera& camera = project.cameras.emplace_back();
      camera.name = name, camera.video = path(name);
    }
    const std::string file = path("desk.vantage");
    ASSERT_TRUE(save_project(project, file));
    std::vector<std::string> words = clips;
    words.insert(words.end(), {"--offset", "right=2.4", "--json", "--apply-offsets", file});
    const Finished held = boards(words);
    ASSERT_EQ(held.code, 0) << held.err;
    const json timing = parse_json_or_throw(held.out)["cameras"][1]["timing"];
    EXPECT_EQ(timing["held"], true);
    EXPECT_EQ(timing["offset_frames"], 2.4);
    EXPECT_NE(held.err.find("right: offset 0 -> 2.4 frames"), std::string::npos) << held.err;
    const ProjectCamera right = load_project(file)->cameras[1];
    EXPECT_EQ(right.offset_frames, 2.4);
    EXPECT_TRUE(right.offset_confirmed);
    // Another video's offset can differ from the recording's. Refused before pictures are examined.
    project.cameras[1].video = path("wide");
    ASSERT_TRUE(save_project(project, file));
    std::filesystem::create_directory(path("wide"));
    std::filesystem::copy(path("right") + "/100.png", path("wide") + "/100.png");
    const Finished other = boards(words);
    expect(other, 1, "--same-run");
    EXPECT_EQ(other.err.find("was found in"), std::string::npos) << other.err;
    EXPECT_EQ(load_project(file)->cameras[1].offset_frames, 0);
    words.push_back("--same-run");
    EXPECT_EQ(boards(words).code, 0);
    EXPECT_EQ(load_project(file)->cameras[1].offset_frames, 2.4);
    project.cameras[1].name = "side";
    ASSERT_TRUE(save_project(project, file));
    expect(boards(words), 1, "NAME=PATH");
  }

  const Board board_{9, 6, 0.08};
};

TEST_F(BoardsCliTest, SolvesAFisheyeOfWhichNothingIsKnown) {
  draw_pictures("wide");
  const Finished done =
      boards({"--lens-pictures", "left=" + path("wide"), "--lens-model", "left=fisheye", "--json"});
  ASSERT_EQ(done.code, 0) << done.err;
  const json report = parse_json_or_throw(done.out);
  const json camera = report["cameras"][0], halves = report["cross_validation"];
  EXPECT_GT(halves["ratio"], 0);
  EXPECT_EQ(halves["cameras"][0]["corners"], camera["corners"]);
  EXPECT_FALSE(halves["cameras"][0].contains("moved_m"));
  EXPECT_EQ(report["residuals"][0]["seen_px"].size(), 2u);
  const json& lens = camera["lens"];
  EXPECT_EQ(lens["model"], "fisheye");
  EXPECT_EQ(lens["coefficients"].size(), 4u);
  EXPECT_EQ(lens["k4"]["solved"], lens["k4"].contains("std"));
  EXPECT_FALSE(lens.contains("p1"));
  EXPECT_NEAR(lens["fx"]["value"], 225, 1);
  EXPECT_NEAR(lens["fy"]["value"], 226, 1);
  EXPECT_NEAR(lens["cx"]["value"], 317, 1);
  EXPECT_LT(camera["rms_px"], 0.3);
  // Without the picture with the largest residual.
  const json& first = report["residuals"][0];
  const std::string frame = std::to_string(first["frame"].get<int64_t>());
  const std::vector<std::string> without = {
      "--lens-pictures", "left=" + path("wide"), "--lens-model", "left=fisheye", "--json", "--leave-out"};
  const auto leave_out = [&](const std::string& picture) {
    std::vector<std::string> words = without;
    words.push_back(picture);
    return boards(words);
  };
  const Finished fewer = leave_out("left=" + frame);
  ASSERT_EQ(fewer.code, 0) << fewer.err;
  const json rest = parse_json_or_throw(fewer.out);
  EXPECT_EQ(rest["cameras"][0]["pictures"].get<int>(), camera["pictures"].get<int>() - 1);
  EXPECT_NE(rest["residuals"][0]["frame"], first["frame"]);
  EXPECT_EQ(rest["rms_px"], rest["cameras"][0]["rms_px"]);
  expect(leave_out("left=4711"), 1, "no board was found in frame 4711");
  EXPECT_NE(leave_out("right=" + frame).code, 0);
  const Finished text = boards({"--lens-pictures", path("wide"), "--lens-model", "fisheye"});
  EXPECT_NE(text.out.find("lens fisheye  fx 22"), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("The solutions of the two halves of the pictures differ"), std::string::npos)
      << text.out;
  expect_report("boards_lens", done.out);
  expect_report("boards_lens", text.out);
}

// Two cameras on one side of a moving board; the second was started 2.4 frames earlier.
TEST_F(BoardsCliTest, ClipsOutOfStepAreSolvedWithTheBoard) {
  constexpr int kFrames = 44;
  constexpr double kOffset = 2.4;
  std::vector<Camera> cameras;
  for (const double aside_m : {-0.5, 0.5}) {
    PinholeCamera<double> m;
    m.width_px = 480, m.height_px = 360;
    m.fx_px = m.fy_px = 400, m.cx_px = 239.5, m.cy_px = 179.5;
    const Eigen::Matrix3d turn =
        Eigen::AngleAxisd(0.3 * aside_m, Eigen::Vector3d::UnitY()).toRotationMatrix();
    const Eigen::Vector3d shift = -turn * Eigen::Vector3d(aside_m, 0, 0);
    for (int i = 0; i < 9; ++i) m.rotation_cam_from_world[i] = turn(i / 3, i % 3);
    for (int i = 0; i < 3; ++i) m.translation_cam_from_world_m[i] = shift[i];
    cameras.push_back(Camera::make(aside_m < 0 ? "left" : "right", m).value());
  }
  ASSERT_TRUE(write_file_atomically(path("lenses.json"), calibration_to_json(cameras)));
  for (size_t c = 0; c < 2; ++c) {
    const test::BoardPainter painter(cameras[c]);
    const std::string folder = path(cameras[c].name());
    std::filesystem::create_directory(folder);
    for (int frame = 0; frame < kFrames; ++frame) {
      const double t = frame - (c == 1 ? kOffset : 0);
      Eigen::Isometry3d board;
      board.linear() = (Eigen::AngleAxisd(M_PI + 0.4 * std::sin(t / 5) + 0.2, Eigen::Vector3d::UnitX()) *
                        Eigen::AngleAxisd(0.4 * std::sin(t / 7.3 + 1), Eigen::Vector3d::UnitY()) *
                        Eigen::AngleAxisd(0.3 * std::sin(t / 6.1 + 2), Eigen::Vector3d::UnitZ()))
                           .toRotationMatrix();
      board.translation() = Eigen::Vector3d(0.15 * std::sin(t / 4.3), 0.12 * std::sin(t / 5.7 + 1),
                                            1.5 + 0.15 * std::sin(t / 8.9)) -
                            board.linear() * Eigen::Vector3d(0.32, 0.2, 0);
      ASSERT_TRUE(test::write_board(folder + "/" + std::to_string(100 + frame) + ".png", painter, board_,
                                    cameras[c].cam_from_world() * board));
    }
  }
  const std::vector<std::string> clips = {path("left"), path("right"), "--lens", path("lenses.json"),
                                          "--out-of-step"};
  std::vector<std::string> words = clips;
  words.insert(words.end(), {"--json", "--out", path("solved.json")});
  const Finished done = boards(words);
  ASSERT_EQ(done.code, 0) << done.err;
  const json report = parse_json_or_throw(done.out);
  const json first = report["cameras"][0]["timing"], second = report["cameras"][1]["timing"];
  EXPECT_EQ(first["offset_frames"], 0);
  EXPECT_NEAR(second["offset_frames"], kOffset, 0.05);
  EXPECT_LT(second["offset_std_frames"], 0.05);
  EXPECT_EQ(second["rolling_shutter"], false);
  EXPECT_LT(report["cameras"][1]["rms_px"], 0.4);
  EXPECT_TRUE(std::filesystem::exists(path("solved.json")));
  const Finished text = boards(clips);
  EXPECT_NE(text.out.find("offset 2."), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("rolling shutter"), std::string::npos) << text.out;
  expect_report("boards_clips", done.out);
  expect_report("boards_clips", text.out);
  // Pictures are numbered by each camera's own frames.
  int apart = 0;
  for (const json& residual : report["residuals"]) {
    const int frame = residual["frame"], of_first = residual["first_camera_frame"];
    EXPECT_EQ(frame - of_first, residual["camera"] == "right" ? 2 : 0);
    apart += frame != of_first;
  }
  EXPECT_GT(apart, 0);
  EXPECT_FALSE(second.contains("readout_ms"));  // pictures have no rate
  take_offsets_over(clips);
  expect(boards({path("left"), path("right"), "--out-of-step", "--still"}), 2, "--still");
  for (const char* words_of : {"--offset", "--offset-start"}) {
    expect(boards({path("left"), path("right"), "--out-of-step", words_of, "right"}), 2, "NAME=FRAMES");
    expect(boards({path("left"), path("right"), "--out-of-step", words_of, "middle=2"}), 2, "middle");
    expect(boards({path("left"), path("right"), "--out-of-step", words_of, "left=2"}), 2, "first clip");
    expect(boards({path("left"), path("right"), words_of, "right=2"}), 2, "--out-of-step");
  }
  expect(boards({path("left"), path("right"), "--out-of-step", "--offset", "right=2", "--offset-start",
                 "right=2"}),
         2, "twice");
  expect(boards({path("left"), path("right"), "--out-of-step", "--every", "2"}), 2, "--every");
  expect(boards({path("left"), "--out-of-step"}), 2, "two cameras or more");
}

TEST_F(BoardsCliTest, LensModelsThatCannotBeSolvedAreRefused) {
  const std::string wide = path("wide");
  expect(boards({"--lens-pictures", wide, "--lens-model", "round"}), 2,
         "'round' is not polynomial, rational or fisheye");
  expect(boards({"--lens-pictures", wide, "--lens-model", "left=fisheye"}), 2, "left");
  expect(boards({"--lens-pictures", wide, "--lens", "old.json", "--lens-model", "fisheye"}), 2,
         "--solve-lens");
}

TEST_F(BoardsCliTest, ABoardIsPrintedAndWhatIsMissingSaid) {
  const std::vector<std::string> tags = {"calibrate", "print", "--columns", "5",
                                         "--rows",    "4",     "--tags",    "DICT_APRILTAG_36h11",
                                         "--tag",     "0.03",  "--tag-gap", "0.009"};
  const auto print = [&](std::vector<std::string> more) {
    more.insert(more.begin(), tags.begin(), tags.end());
    return cli(more);
  };
  const std::string pdf = path("board.pdf");
  const Finished done = print({"--out", pdf, "--json"});
  ASSERT_EQ(done.code, 0) << done.err;
  EXPECT_EQ(parse_json_or_throw(done.out)["options"],
            "--columns 5 --rows 4 --tags DICT_APRILTAG_36h11 --tag 0.03 --tag-gap 0.009");
  EXPECT_GT(std::filesystem::file_size(pdf), 5000u);
  expect(print({"--out", pdf}), 1, "--replace");
  expect(print({"--out", path("other.pdf"), "--paper", "A5"}), 1, "the paper has 148 x 210 mm");
  expect(print({"--out", pdf, "--tag-style", "round"}), 2, "--tag-style");
  expect(print({"--out", pdf, "--square", "0.1"}), 2, "--square");
  expect(cli({"calibrate", "print", "--out", pdf}), 2, "describe the board");
  expect(cli({"calibrate", "boards", path("cam1.mp4")}), 2, "describe the board");
  std::ofstream(path("target.yaml")) << "target_type: 'aprilgrid'\ntagCols: 5\ntagRows: 4\ntagSize: 0.03\n"
                                        "tagSpacing: 0.3\n";
  const Finished same =
      cli({"calibrate", "print", "--board", path("target.yaml"), "--out", path("same.pdf"), "--json"});
  ASSERT_EQ(same.code, 0) << same.err;
  EXPECT_EQ(parse_json_or_throw(same.out)["options"], parse_json_or_throw(done.out)["options"]);
}

// Chessboards are not tags: the error states what was searched for.
TEST_F(BoardsCliTest, TagsThatAreNotThereAreNamed) {
  draw_pictures("wide");
  const Finished done =
      cli({"calibrate", "boards", "--lens-pictures", path("wide"), "--columns", "5", "--rows", "4", "--tags",
           "DICT_APRILTAG_25h9", "--tag", "0.03", "--tag-gap", "0.009"});
  expect(done, 1, "Check that the tags are those of DICT_APRILTAG_25h9");
}

}  // namespace
}  // namespace vantage
