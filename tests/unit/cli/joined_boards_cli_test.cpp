// vantage-cli calibrate boards with several boards, on drawn pictures: boards back to back between two
// cameras, and boards on a wall that a hand-held camera links.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <fstream>
#include <random>

#include "core/base/file.h"
#include "core/calibration/formats/calibration.h"
#include "core/project/project.h"
#include "tests/support/board_wall.h"
#include "tests/support/cli_fixture.h"
#include "tests/support/expect_report.h"

namespace vantage {
namespace {

using Eigen::Isometry3d;
using Eigen::Vector3d;
using nlohmann::json;
using test::CliTest;
using test::expect_report;
using test::Finished;
using test::pose_of_turns;

class JoinedBoardsCliTest : public CliTest {
 protected:
  void draw(const std::string& folder, int number, const std::vector<test::PrintedBoard>& prints,
            const Isometry3d& camera_from_rig, const std::vector<Isometry3d>& rig_from_board) const {
    ASSERT_TRUE(test::draw_rig(path(folder), number, painter_, prints, camera_from_rig, rig_from_board));
  }

  static Vector3d vector_of(const json& list) {
    return {list[0].get<double>(), list[1].get<double>(), list[2].get<double>()};
  }
  void expect(const Finished& finished, int code, const char* what) const {
    EXPECT_EQ(finished.code, code) << finished.err;
    EXPECT_NE(finished.err.find(what), std::string::npos) << finished.err;
  }

  const test::BoardPainter painter_{test::wall_camera("any")};
};

TEST_F(JoinedBoardsCliTest, BoardsBackToBackPlaceCamerasThatFaceEachOther) {
  const Board first = grid_of_tags(3, 3, {"DICT_4X4_50", 0.08, 0.02});
  const std::vector<Board> boards = boards_alike(first, 2);
  const std::vector<test::PrintedBoard> both = {test::PrintedBoard(boards[0]), test::PrintedBoard(boards[1])};
  const double half = first.x_m(5) / 2;
  const std::vector<Isometry3d> on_stick = {pose_of_turns({-half, -half, 0.01}, 0, 0, 0),
                                            pose_of_turns({half, -half - 0.01, -0.02}, 0, M_PI, 0.02)};
  // Left is aimed along z, right against it.
  const Isometry3d right_from_left = pose_of_turns({0.15, 0, 2.5}, 0.03, M_PI, 0.02).inverse();
  std::mt19937 random(4);
  std::uniform_real_distribution<double> unit(-1, 1);
  for (int i = 0; i < 16; ++i) {
    const Vector3d middle(0.35 * unit(random), 0.25 * unit(random), 1.25 + 0.2 * unit(random));
    const Isometry3d stick = pose_of_turns(middle, M_PI + 0.5 * unit(random),
                                           (i % 4 == 3 ? M_PI : 0) + 0.5 * unit(random), 0.6 * unit(random));
    draw("left", i, both, stick, on_stick), draw("right", i, both, right_from_left * stick, on_stick);
  }
  const std::vector<std::string> words = {
      "calibrate", "boards",      path("left"), path("right"), "--columns", "3",    "--rows",   "3",
      "--tags",    "DICT_4X4_50", "--tag",      "0.08",        "--tag-gap", "0.02", "--boards", "2"};
  std::vector<std::string> with_report = words;
  for (const char* word : {"--json", "--out"}) with_report.push_back(word);
  with_report.push_back(path("hall.json"));
  const Finished done = cli(with_report);
  ASSERT_EQ(done.code, 0) << done.err;
  const Calibration solved = read_calibration(path("hall.json"), {}).value();
  ASSERT_EQ(solved.cameras.size(), 2u);
  const Isometry3d between =
      solved.cameras[1].cam_from_world() * solved.cameras[0].cam_from_world().inverse();
  EXPECT_LT((between.translation() - right_from_left.translation()).norm(), 0.012);
  EXPECT_LT(Eigen::AngleAxisd(between.linear().transpose() * right_from_left.linear()).angle(), 0.006);
  const json report = parse_json_or_throw(done.out);
  ASSERT_EQ(report["boards"].size(), 2u);
  EXPECT_EQ(report["boards"][1]["first_tag"], 9);
  const Isometry3d truth = on_stick[0].inverse() * on_stick[1];
  const Vector3d off = vector_of(report["boards"][1]["shift_m"]) - truth.translation();
  fmt::print("boards to each other: off by {:.2f} mm, said +- {:.2f} mm; right from left {:.2f} mm\n",
             1000 * off.norm(), 1000 * vector_of(report["boards"][1]["shift_std_m"]).norm(),
             1000 * (between.translation() - right_from_left.translation()).norm());
  EXPECT_LT(off.norm(), 0.004);
  EXPECT_EQ(vector_of(report["boards"][0]["shift_std_m"]).norm(), 0);
  for (const json& camera : report["cameras"]) EXPECT_LT(camera["rms_px"], 0.4);
  EXPECT_EQ(report["residuals"].back()["board"], 1);
  const Finished text = cli(words);
  EXPECT_NE(text.out.find("defines the world"), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("from board 1"), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("The world is board 1 at frame 0"), std::string::npos) << text.out;
  expect_report("boards_joined", done.out);
  expect_report("boards_joined", text.out);
}

class WallCliTest : public JoinedBoardsCliTest {
 protected:
  void SetUp() override {
    std::ofstream(path("old.json")) << calibration_to_json({test::wall_camera("a"), test::wall_camera("b")});
  }
  void film(int from, int to) const { ASSERT_TRUE(wall_.draw(path("."), from, to)); }
  std::vector<std::string> words() const {
    return {"calibrate",
            "boards",
            path("a"),
            path("b"),
            "--still",
            "--lens",
            path("old.json"),
            "--hand-held",
            path("phone"),
            "--board",
            "--columns 3 --rows 3 --tags DICT_4X4_50 --tag 0.08 --tag-gap 0.02 --boards 2",
            "--board",
            "--columns 5 --rows 4 --square 0.05 --markers DICT_4X4_50 --marker 0.037 --first-marker 18"};
  }

  const test::BoardWall wall_;
  const Isometry3d &a_ = wall_.a, &b_ = wall_.b;
  const std::vector<Isometry3d>& on_wall_ = wall_.on_wall;
};

TEST_F(WallCliTest, AHandHeldCameraLinksCamerasThatShareNoBoard) {
  film(0, 20);
  std::vector<std::string> all = words();
  for (const std::string& word : {std::string("--json"), std::string("--out"), path("hall.json")})
    all.push_back(word);
  const Finished done = cli(all);
  ASSERT_EQ(done.code, 0) << done.err;
  const Calibration solved = read_calibration(path("hall.json"), {}).value();
  ASSERT_EQ(solved.cameras.size(), 2u);  // without the hand-held one
  const Isometry3d between =
      solved.cameras[1].cam_from_world() * solved.cameras[0].cam_from_world().inverse();
  const Isometry3d truth = b_ * a_.inverse();
  const json report = parse_json_or_throw(done.out);
  ASSERT_EQ(report["cameras"].size(), 3u);
  EXPECT_EQ(report["cameras"][2]["name"], "phone");
  EXPECT_FALSE(report["cameras"][2].contains("pose"));
  EXPECT_NEAR(report["cameras"][2]["lens"]["fx"]["value"], 700, 3);
  EXPECT_LT((between.translation() - truth.translation()).norm(), 0.015);
  EXPECT_LT(Eigen::AngleAxisd(between.linear().transpose() * truth.linear()).angle(), 0.008);
  // In the world, which is the first board's.
  for (const auto& [camera, pose] : {std::pair(0, a_), std::pair(1, b_)}) {
    const json& said = report["cameras"][camera]["pose"];
    const Vector3d missed = vector_of(said["center_m"]) - (pose * on_wall_[0]).inverse().translation();
    EXPECT_LT(missed.cwiseQuotient(vector_of(said["center_std_m"])).norm(), 5) << camera;
  }
  ASSERT_EQ(report["boards"].size(), 3u);
  EXPECT_EQ(report["boards"][2]["first_marker"], 18);
  const Isometry3d third = on_wall_[0].inverse() * on_wall_[2];
  const Vector3d off = vector_of(report["boards"][2]["shift_m"]) - third.translation();
  fmt::print("third board off by {:.2f} mm, said +- {:.2f} mm; b from a {:.2f} mm\n", 1000 * off.norm(),
             1000 * vector_of(report["boards"][2]["shift_std_m"]).norm(),
             1000 * (between.translation() - truth.translation()).norm());
  EXPECT_LT(off.norm(), 0.006);
  // Pictures in which the phone saw only one board link nothing; the page separates boards.
  const auto unlinked = std::ranges::count_if(report["residuals"], [](const json& one) {
    return one.contains("linked") && one["linked"] == false && one["for"] == "lens";
  });
  EXPECT_GT(unlinked, 0);
  std::ofstream(path("report.json")) << done.out;
  Project project;
  for (const Camera& camera : solved.cameras) {
    ProjectCamera& one = project.cameras.emplace_back();
    one.name = camera.name(), one.calibration = camera, one.video = path(camera.name());
  }
  project.grid = VoxelGrid{{-1, -1, 0}, 0.1, 30, 20, 20};  // they have no common view
  ASSERT_TRUE(save_project(project, path("hall.vantage")));
  const Finished page = cli({"calibrate", "report", path("hall.vantage"), "--no-check", "--html",
                             path("hall.html"), "--uncertainty", path("report.json")});
  ASSERT_EQ(page.code, 0) << page.err;
  const std::string html = read_file(path("hall.html")).value_or("");
  EXPECT_NE(html.find("not linked, frame "), std::string::npos);
  EXPECT_NE(html.find(", board 3"), std::string::npos);
  EXPECT_EQ(html.find(">lens, frame "), std::string::npos);
}

TEST_F(WallCliTest, WhatIsMissingIsSaid) {
  film(0, 7);  // the last board is not reached
  expect(cli(words()), 1, "b: no picture links this camera's boards (board 3) with those of a (");
  expect(cli(words()), 1, "board 3 at once with the hand-held camera");
  const auto boards = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"calibrate", "boards", path("a"), path("b")});
    return cli(more);
  };
  expect(boards({"--columns", "9", "--rows", "6", "--square", "0.08", "--boards", "2"}), 1,
         "plain chessboards cannot be distinguished");
  expect(boards({"--columns", "9", "--rows", "6", "--square", "0.08", "--hand-held", path("phone")}), 2,
         "give two or more");
  expect(boards({"--board", "--columns 3 --rows"}), 2, "--board");
  expect(boards({"--board", "--columns 3 --rows 3 --tags DICT_4X4_50 --tag 0.08 --tag-gap 0.02", "--board",
                 "--columns 4 --rows 3 --tags DICT_4X4_100 --tag 0.06 --tag-gap 0.02"}),
         1, "boards 1 and 2 have the same markers: identities 0 to 8 and 0 to 11");
}

TEST_F(JoinedBoardsCliTest, BoardsAlikeArePrintedAPageEach) {
  const std::vector<std::string> words = {"calibrate", "print",    "--columns", "6",         "--rows",
                                          "4",         "--square", "0.03",      "--markers", "DICT_4X4_100",
                                          "--marker",  "0.022",    "--boards",  "3",         "--json"};
  std::vector<std::string> three = words;
  three.push_back("--out"), three.push_back(path("three.pdf"));
  const Finished done = cli(three);
  ASSERT_EQ(done.code, 0) << done.err;
  const json printed = parse_json_or_throw(done.out);
  EXPECT_EQ(printed["options"],
            "--columns 6 --rows 4 --square 0.03 --markers DICT_4X4_100 --marker 0.022 --boards 3");
  const std::string pdf = read_file(path("three.pdf")).value_or("");
  EXPECT_NE(pdf.find("/Count 3"), std::string::npos);
  std::vector<std::string> many = words;
  many[13] = "6", many.push_back("--out"), many.push_back(path("many.pdf"));
  expect(cli(many), 1, "17 markers from identity 85 on are more than DICT_4X4_100 has (100)");
}

}  // namespace
}  // namespace vantage
