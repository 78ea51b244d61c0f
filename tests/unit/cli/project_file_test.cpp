// vantage-cli with a changed project: moved videos, and other writers of its file.
#include <gtest/gtest.h>

#include "core/base/json.h"
#include "core/calibration/formats/calibration.h"
#include "core/project/project.h"
#include "core/project/project_store.h"
#include "tests/support/cli_fixture.h"
#include "tests/unit/pipeline/footage.h"

namespace vantage {
namespace {

using nlohmann::json;
using test::Finished;
namespace fs = std::filesystem;

class ProjectFileCliTest : public test::CliTest {
 protected:
  void SetUp() override {
    test::make_footage(folder_.path(), 3, 12);
    std::vector<Camera> cameras;
    for (int i = 0; i < 3; ++i) cameras.push_back(test::footage_camera(i, 3));
    ASSERT_TRUE(write_file_atomically(path("calibration.json"), calibration_to_json(cameras)));
    const Finished made = make();
    ASSERT_EQ(made.code, 0) << made.err;
    Project project = load_project(path("p.vantage")).value();
    project.zones = {{"shop", {{0, 0}, {1, 0}, {1, 1}}}};
    ASSERT_TRUE(save_project(project, path("p.vantage")));
  }
  Finished make(bool replace = false) const {
    std::vector<std::string> words = {"new",
                                      "--calibration",
                                      path("calibration.json"),
                                      "--out",
                                      path("p.vantage"),
                                      "--grid",
                                      "-0.8,-0.8,0,0.8,0.8,1.6",
                                      "--voxel-size",
                                      "0.05",
                                      path("cam1.mp4"),
                                      path("cam2.mp4"),
                                      path("cam3.mp4")};
    if (replace) words.push_back("--replace");
    return cli(words);
  }
  void move_two() const {
    fs::create_directories(path("disk/a"));
    fs::rename(path("cam2.mp4"), path("disk/a/cam2.mp4"));
    fs::rename(path("cam3.mp4"), path("disk/third.mp4"));
  }
};

TEST_F(ProjectFileCliTest, MovedVideosAreFoundAndEverythingIsKept) {
  move_two();
  const std::string project = path("p.vantage");
  const Finished run = cli({"run", project, "--out", path("r")});
  EXPECT_EQ(run.code, 1);
  for (const char* part : {"cam2's video", "cam3's video", "vantage-cli relink"})
    EXPECT_NE(run.err.find(part), std::string::npos) << run.err;
  EXPECT_EQ(run.err.find("vantage-cli new"), std::string::npos) << run.err;
  EXPECT_EQ(cli({"check", project}).code, 1);
  const std::string before = read_file(project).value();
  const Finished dry = cli({"relink", project, "--folder", path("disk"), "--json"});
  ASSERT_EQ(dry.code, 0) << dry.err;
  EXPECT_EQ(parse_json_or_throw(dry.out)["found"], 2);
  EXPECT_EQ(parse_json_or_throw(dry.out)["files"][1]["found"], path("disk/third.mp4"));
  EXPECT_EQ(read_file(project).value(), before) << "nothing without --write";
  EXPECT_EQ(cli({"relink", project, "--folder", path("disk"), "--write"}).code, 0);
  const Project now = load_project(project).value();
  EXPECT_EQ(now.cameras[2].video, path("disk/third.mp4"));
  EXPECT_EQ(now.zones.size(), 1u);
  EXPECT_EQ(
      cli({"run", project, "--out", path("r"), "--set", "foreground.learning_frames=5", "--force"}).code, 0);
  EXPECT_NE(cli({"relink", project, "--folder", path("disk")}).out.find("nothing is missing"),
            std::string::npos);
}

TEST_F(ProjectFileCliTest, BookmarksAreSetListedAndRemoved) {
  const std::string project = path("p.vantage");
  const auto listed = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"bookmark", project, "--json"});
    const Finished done = cli(more);
    EXPECT_EQ(done.code, 0) << done.err;
    return parse_json_or_throw(done.out)["bookmarks"];
  };
  EXPECT_TRUE(listed({}).empty());
  listed({"--at", "7", "--note", "bag", "--place", "0.5,-0.25"});
  const auto both = listed({"--at", "3"});
  ASSERT_EQ(both.size(), 2U);
  EXPECT_EQ(both[0]["frame"], 3);
  EXPECT_EQ(both[1]["note"], "bag");
  EXPECT_EQ(both[1]["y_m"], -0.25);
  EXPECT_EQ(listed({"--remove", "3"}).size(), 1U);
  EXPECT_EQ(load_project(project)->bookmarks,
            (std::vector<Bookmark>{{7, "bag", Eigen::Vector2d(0.5, -0.25)}}));
  EXPECT_EQ(cli({"bookmark", project, "--remove", "3"}).code, 1);
  EXPECT_EQ(cli({"bookmark", project, "--at", "soon"}).code, 2);
  EXPECT_EQ(cli({"bookmark", project, "--at", "3", "--place", "1"}).code, 2);
  EXPECT_EQ(cli({"bookmark", project, "--note", "x"}).code, 2);
}

TEST_F(ProjectFileCliTest, PartsOfAPictureAreIgnored) {
  const std::string project = path("p.vantage");
  const auto listed = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"ignore", project, "--json"});
    const Finished done = cli(more);
    EXPECT_EQ(done.code, 0) << done.err;
    return parse_json_or_throw(done.out)["cameras"];
  };
  const auto none = listed({});
  ASSERT_EQ(none.size(), load_project(project)->cameras.size());
  EXPECT_TRUE(none[1]["ignored_regions"].empty());
  EXPECT_EQ(none[1]["ignored_share"], 0);
  const std::string text = cli({"ignore", project}).out;
  EXPECT_NE(text.find("nothing is ignored"), std::string::npos) << text;
  // Pictures are 96 x 64.
  const auto two = listed({"cam2", "--polygon", "0,0 47,0 47,7 0,7", "--polygon", "90,50,95,50,95,63"});
  ASSERT_EQ(two.size(), 1U) << "of this camera alone";
  ASSERT_EQ(two[0]["ignored_regions"].size(), 2U);
  EXPECT_EQ(two[0]["ignored_regions"][0]["corners_px"][2], nlohmann::json({47, 7}));
  EXPECT_GT(two[0]["ignored_share"], 48.0 * 7 / (96 * 64)) << "the row of the lower corners is outside";
  EXPECT_EQ(load_project(project)->cameras[1].ignored.size(), 2U);
  EXPECT_EQ(listed({"cam2", "--remove", "2"})[0]["ignored_regions"].size(), 1U);

  Image mask = Image::make(ImageType::u8, 96, 64, HostPool::shared()).value();
  for (int y = 0; y < 64; ++y)
    for (int x = 0; x < 96; ++x)
      mask.writable_view<uint8_t>().at(x, y) = x >= 10 && x < 30 && y >= 40 && y < 50 ? 1 : 0;
  ASSERT_TRUE(write_png_gray(path("mask.png"), mask));
  const auto painted = listed({"cam2", "--clear", "--image", path("mask.png")});
  EXPECT_EQ(painted[0]["ignored_regions"].size(), 1U) << "in place of those before";
  EXPECT_DOUBLE_EQ(painted[0]["ignored_share"].get<double>(), 20.0 * 10 / (96 * 64));
  // A renamed camera keeps its regions.
  ASSERT_EQ(cli({"rename", project, "cam2", "Gate"}).code, 0);
  EXPECT_EQ(load_project(project)->cameras[1].ignored.size(), 1U);

  const std::string before = read_file(project).value();
  EXPECT_EQ(cli({"ignore", project, "cam2", "--clear"}).code, 1) << "gone";
  EXPECT_EQ(cli({"ignore", project, "Gate", "--remove", "2"}).code, 1) << "it has one";
  EXPECT_EQ(cli({"ignore", project, "Gate", "--polygon", "200,0 300,0 300,9"}).code, 1) << "outside";
  EXPECT_EQ(cli({"ignore", project, "Gate", "--image", path("no.png")}).code, 1);
  const Image small = Image::make(ImageType::u8, 48, 32, HostPool::shared()).value();
  ASSERT_TRUE(write_png_gray(path("small.png"), small));
  const Finished other_size = cli({"ignore", project, "Gate", "--image", path("small.png")});
  EXPECT_EQ(other_size.code, 1);
  EXPECT_NE(other_size.err.find("48"), std::string::npos) << other_size.err;
  EXPECT_EQ(cli({"ignore", project, "Gate", "--polygon", "0,0 9,0"}).code, 2);
  EXPECT_EQ(cli({"ignore", project, "Gate", "--polygon", "0,0 9,0 left,9"}).code, 2);
  EXPECT_EQ(cli({"ignore", project, "--clear"}).code, 2) << "of no camera";
  EXPECT_EQ(cli({"ignore", project, "Gate", "--clear", "--remove", "1"}).code, 2);
  EXPECT_EQ(read_file(project).value(), before);
  EXPECT_TRUE(listed({"Gate", "--clear"})[0]["ignored_regions"].empty());
}

TEST_F(ProjectFileCliTest, CamerasZonesAndLinesAreRenamed) {
  const std::string project = path("p.vantage");
  fs::create_directories(path("p.truth/masks/cam2"));
  ASSERT_TRUE(write_file_atomically(path("p.truth/masks/cam2/frame_000003.png"), "a mask"));
  ASSERT_EQ(cli({"rename", project, "cam2", "Main door"}).code, 0);
  EXPECT_EQ(cli({"rename", project, "shop", "hall", "--zone"}).code, 0);
  const Project now = load_project(project).value();
  EXPECT_EQ(now.cameras[1].name, "Main door");
  EXPECT_EQ(now.zones[0].name, "hall");
  EXPECT_TRUE(fs::exists(path("p.truth/masks/Main door/frame_000003.png")));
  EXPECT_FALSE(fs::exists(path("p.truth/masks/cam2")));
  const std::string before = read_file(project).value();
  EXPECT_EQ(cli({"rename", project, "cam2", "x"}).code, 1) << "gone";
  EXPECT_EQ(cli({"rename", project, "cam1", "Main door"}).code, 1) << "taken";
  EXPECT_EQ(cli({"rename", project, "hall", "x", "--line"}).code, 1);
  EXPECT_EQ(cli({"rename", project, "cam1", "x", "--zone", "--line"}).code, 2);
  // Masks of the new name that are of no camera are not mixed with this one's.
  fs::create_directories(path("p.truth/masks/cam1"));
  fs::create_directories(path("p.truth/masks/old"));
  const Finished mixed = cli({"rename", project, "cam1", "old"});
  EXPECT_EQ(mixed.code, 1);
  EXPECT_NE(mixed.err.find("there are masks of this name"), std::string::npos) << mixed.err;
  const ProjectLock lock = ProjectLock::take(project);  // this process counts as another one
  const Finished held = cli({"rename", project, "cam1", "x"});
  EXPECT_EQ(held.code, 1);
  EXPECT_NE(held.err.find("is open in"), std::string::npos) << held.err;
  EXPECT_EQ(read_file(project).value(), before);
}

TEST_F(ProjectFileCliTest, WhatIsNotFoundIsNamed) {
  fs::remove(path("cam2.mp4"));
  const Finished lost = cli({"relink", path("p.vantage"), "--folder", path(".")});
  EXPECT_EQ(lost.code, 1);
  EXPECT_NE(lost.out.find("cam2's video: not found"), std::string::npos) << lost.out;
  EXPECT_NE(lost.err.find("1 of 1 missing files"), std::string::npos) << lost.err;
  EXPECT_EQ(cli({"relink", path("p.vantage")}).code, 2);
  EXPECT_EQ(cli({"relink", path("p.vantage"), "--folder", path("nowhere")}).code, 1);
}

TEST_F(ProjectFileCliTest, ARunGoesOnWithTheRestWhenAsked) {
  move_two();
  const Finished rest = cli({"run", path("p.vantage"), "--without-missing", "--out", path("r"), "--set",
                             "foreground.learning_frames=5", "--force"});
  ASSERT_EQ(rest.code, 0) << rest.err;
  EXPECT_NE(rest.err.find("cam2 is left out"), std::string::npos) << rest.err;
  const std::vector<json> lines = results("r");
  EXPECT_EQ(lines.size(), 13u);
  EXPECT_NE(json_text(lines.at(1)["cameras"]).find("is missing"), std::string::npos)
      << json_text(lines.at(1));
}

TEST_F(ProjectFileCliTest, AProjectIsNotMadeAnewUnasked) {
  const Finished again = make();
  EXPECT_EQ(again.code, 1);
  EXPECT_NE(again.err.find("relink"), std::string::npos) << again.err;
  EXPECT_EQ(load_project(path("p.vantage"))->zones.size(), 1u);
  EXPECT_EQ(make(true).code, 0);
  EXPECT_TRUE(load_project(path("p.vantage"))->zones.empty());
}

TEST_F(ProjectFileCliTest, WhoHasItIsToldOfAChange) {
  const ProjectLock lock = ProjectLock::take(path("p.vantage"));  // this process counts as another one
  const Finished changed = cli({"floor", path("p.vantage"), "--entrance", "door=0,0,1,0,1,1", "--write"});
  EXPECT_EQ(changed.code, 0) << changed.err;
  EXPECT_NE(changed.err.find("is open in"), std::string::npos) << changed.err;
  EXPECT_EQ(load_project(path("p.vantage"))->zones.size(), 2u);
}

}  // namespace
}  // namespace vantage
