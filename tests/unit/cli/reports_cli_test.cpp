// Problems reported by users, on the command line: calibrations against their names, people by class,
// passwords, units, scoring.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/calibration/formats/calibration.h"
#include "core/live/test_cameras/stream_server.h"
#include "core/project/project.h"
#include "tests/support/cli_fixture.h"
#include "tests/support/hard_passwords.h"
#include "tests/unit/pipeline/footage.h"

namespace vantage {
namespace {

using nlohmann::json;
using test::CliTest;
using test::Finished;

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string without_settings(const Finished& finished) {
  return finished.out + finished.err;
}

// Two cameras' videos with a calibration file each.
class ReportsCliTest : public CliTest {
 protected:
  void SetUp() override {
    test::make_footage(folder_.path(), 2, 8);
    for (int i = 0; i < 2; ++i)
      write("cam" + std::to_string(i + 1) + ".json", calibration_to_json({test::footage_camera(i, 2)}));
  }
  std::string write(const std::string& name, const std::string& text) {
    EXPECT_TRUE(write_file_atomically(path(name), text));
    return path(name);
  }
  Finished make(std::vector<std::string> words) const {
    words.insert(words.begin(), {"new", "--replace", "--out", path("p.vantage")});
    return cli(words);
  }
  Eigen::Vector3d stands(size_t camera) const {
    return load_project(path("p.vantage")).value().cameras.at(camera).calibration->center_in_world_m();
  }
};

TEST_F(ReportsCliTest, CalibrationFilesGoByTheirNamesInAnyOrder) {
  const Finished made = make({"--calibration", path("cam2.json"), "--calibration", path("cam1.json"),
                              path("cam1.mp4"), path("cam2.mp4")});
  ASSERT_EQ(made.code, 0) << made.err;
  for (int i = 0; i < 2; ++i)
    EXPECT_LT((stands(static_cast<size_t>(i)) - test::footage_camera(i, 2).center_in_world_m()).norm(), 1e-9);
  EXPECT_EQ(load_project(path("p.vantage")).value().cameras[0].name, "cam1");
  // Names without information: the order decides, which is reported.
  std::filesystem::copy(path("cam1.mp4"), path("left.mp4"));
  std::filesystem::copy(path("cam2.mp4"), path("right.mp4"));
  const std::vector<Camera> named = {test::footage_camera(0, 2), test::footage_camera(1, 2)};
  for (size_t i = 0; i < 2; ++i) {
    Camera camera = named[i];
    camera.set_name("lens");
    write(i == 0 ? "a.json" : "b.json", calibration_to_json({camera}));
  }
  const Finished by_order = make({"--calibration", path("a.json"), "--calibration", path("b.json"),
                                  path("left.mp4"), path("right.mp4")});
  ASSERT_EQ(by_order.code, 0) << by_order.err;
  EXPECT_TRUE(has(by_order.err, "taken in the order of the videos")) << by_order.err;
  // The name of another video at the position of one.
  const std::vector<std::string> contradicting = {"--calibration",   path("b.json"),   "--calibration",
                                                  path("cam1.json"), path("cam1.mp4"), path("right.mp4")};
  const Finished conflict = make(contradicting);
  EXPECT_EQ(conflict.code, 1);
  EXPECT_TRUE(has(conflict.err, "--map VIDEO=CAMERA")) << conflict.err;
  std::vector<std::string> answered = contradicting;
  answered.insert(answered.begin(), {"--map", "cam1=cam1", "--map", "right=b"});
  ASSERT_EQ(make(answered).code, 0) << make(answered).err;
  EXPECT_LT((stands(0) - named[0].center_in_world_m()).norm(), 1e-9);
}

TEST_F(ReportsCliTest, FilesGivenInTheOrderOfTheVideosMustStandInIt) {
  const std::string row = "1,-1,10,20,30,60,0.9\n";
  const Finished wrong = make({"--detections", write("cam2.txt", row), "--detections", write("cam1.txt", row),
                               path("cam1.mp4"), path("cam2.mp4")});
  EXPECT_EQ(wrong.code, 1);
  EXPECT_TRUE(has(wrong.err, "--detections in the order of the videos")) << wrong.err;
}

TEST_F(ReportsCliTest, WhoIsAPersonIsAskedAndKept) {
  const std::string text =
      "frame,x,y,w,h,score,class\n1,10,20,30,60,0.9,0\n1,50,20,30,60,0.9,2\n2,10,20,30,60,0.9,0\n";
  const std::vector<std::string> words = {"--calibration",   path("cam1.json"),       "--calibration",
                                          path("cam2.json"), "--detections",          write("cam1.csv", text),
                                          "--detections",    write("cam2.csv", text), path("cam1.mp4"),
                                          path("cam2.mp4")};
  const Finished asked = make(words);
  EXPECT_EQ(asked.code, 1);
  EXPECT_TRUE(has(asked.err, "2 boxes of class 0, 1 box of class 2")) << asked.err;
  EXPECT_TRUE(has(asked.err, "--person-class")) << asked.err;
  std::vector<std::string> answered = words;
  answered.insert(answered.begin(), {"--person-class", "0"});
  const Finished made = make(answered);
  ASSERT_EQ(made.code, 0) << made.err;
  EXPECT_TRUE(has(made.err, "1 box of class 2 left out")) << made.err;
  EXPECT_EQ(load_project(path("p.vantage")).value().cameras[1].detections.person_class, "0");
  const Finished run =
      cli({"run", path("p.vantage"), "--out", path("r"), "--set", "foreground.learning_frames=5"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_TRUE(has(without_settings(run), "1 box of class 2 left out")) << run.err << run.out;
}

TEST_F(ReportsCliTest, ARunIsSummarised) {
  ASSERT_EQ(make({"--calibration", path("cam1.json"), "--calibration", path("cam2.json"), path("cam1.mp4"),
                  path("cam2.mp4")})
                .code,
            0);
  EXPECT_EQ(cli({"summary", path("p.vantage")}).code, 1) << "nothing was analysed";
  ASSERT_EQ(cli({"run", path("p.vantage"), "--set", "foreground.learning_frames=5"}).code, 0);
  const Finished text = cli({"summary", path("p.vantage")});
  EXPECT_TRUE(has(text.out, "Frames: 8\n")) << text.out;
  const auto results = load_project(path("p.vantage")).value().results_folder();
  std::ofstream(results / "results.jsonl", std::ios::app) << "{\"frame\":\n";
  const json found = json::parse(cli({"summary", results.string(), "--json"}).out);
  EXPECT_EQ(found["frames"], 8);
  EXPECT_EQ(found["last_frame"], 7);
  EXPECT_EQ(found["damaged_lines"], 1);
  EXPECT_EQ(found["complete"], true);
  std::filesystem::rename(results / "results.jsonl", results / "results.jsonl.part");
  EXPECT_EQ(json::parse(cli({"summary", results.string(), "--json"}).out)["complete"], false);
}

TEST_F(ReportsCliTest, AFrameZeroOfOneCameraCountsForAll) {
  const auto row = [](int frame) { return std::to_string(frame) + ",-1,10,20,30,60,0.9\n"; };
  const Finished made = make({"--detections", write("cam1.txt", row(0) + row(1)), "--detections",
                              write("cam2.txt", row(1) + row(2)), path("cam1.mp4"), path("cam2.mp4")});
  ASSERT_EQ(made.code, 0) << made.err;
  EXPECT_TRUE(has(made.err, "cam2.txt: frames count from 0")) << made.err;
  const Project project = load_project(path("p.vantage")).value();
  EXPECT_EQ(project.cameras[1].detections.first_frame, 0);
  EXPECT_FALSE(project.cameras[0].detections.first_frame);
}

TEST_F(ReportsCliTest, TheUnitIsAskedBeforeAnythingIsMadeOfIt) {
  std::string toml;
  for (int i = 0; i < 2; ++i) {
    const Camera camera = test::footage_camera(i, 2);
    const auto list = [](const double* values, int count, double times) {
      std::string text = "[";
      for (int k = 0; k < count; ++k) text += (k ? ", " : "") + std::to_string(values[k] * times);
      return text + "]";
    };
    const PinholeCamera<double>& m = camera.model();
    const double k[9] = {m.fx_px, 0, m.cx_px, 0, m.fy_px, m.cy_px, 0, 0, 1};
    toml += "[cam" + std::to_string(i + 1) + "]\nsize = [" + std::to_string(m.width_px) + ", " +
            std::to_string(m.height_px) + "]\nmatrix = " + list(k, 9, 1) +
            "\ndistortions = [0, 0, 0, 0]\nrotation = " + list(m.rotation_cam_from_world, 9, 1) +
            "\ntranslation = " + list(m.translation_cam_from_world_m, 3, 1000) + "\n\n";
  }
  const std::vector<std::string> words = {"--calibration", write("room.toml", toml), path("cam1.mp4"),
                                          path("cam2.mp4")};
  const Finished asked = make(words);
  EXPECT_EQ(asked.code, 1);
  EXPECT_FALSE(has(asked.err, "voxels")) << asked.err;
  EXPECT_TRUE(has(asked.err, "as millimetres")) << asked.err;
  EXPECT_TRUE(has(asked.err, "--unit-scale 0.001")) << asked.err;
  std::vector<std::string> answered = words;
  answered.insert(answered.begin(), {"--unit-scale", "0.001"});
  ASSERT_EQ(make(answered).code, 0) << make(answered).err;
  EXPECT_LT((stands(1) - test::footage_camera(1, 2).center_in_world_m()).norm(), 1e-3);
}

// ---- passwords

// The part of a hard password that occurs nowhere else.
std::string telling(const std::string& password) {
  return password.substr(0, password.find_first_not_of("0123456789zq"));
}

void expect_silent(const std::string& text, const std::string& password, const std::string& what) {
  EXPECT_FALSE(has(text, password)) << what << " shows " << password;
  EXPECT_FALSE(has(text, telling(password))) << what << " shows a part of " << password << ":\n" << text;
  EXPECT_FALSE(has(text, "secret")) << what << " shows a part of " << password << ":\n" << text;
}

TEST_F(ReportsCliTest, PeopleAreNotPlacedOnBoxesAloneWhereOutlinesAreNeeded) {
  std::vector<std::string> words = {"--detections-rate", "25", "--size", "96x64"};
  for (int i = 0; i < 2; ++i) {
    const std::string number = std::to_string(i + 1);
    words.insert(words.end(), {"--calibration", path("cam" + number + ".json"), "--detections",
                               write("cam" + number + ".csv", "1,1,20,20,20,60,1\n2,1,22,20,20,60,1\n")});
  }
  const Finished made = make(words);
  ASSERT_EQ(made.code, 0) << made.err;
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"calibrate", "people", path("p.vantage"), "--camera", "cam1", "--out",
                                 path("o.json")},
        std::vector<std::string>{"calibrate", "refine", path("p.vantage"), "--by", "people", "--out",
                                 path("o.json")}}) {
    const Finished finished = cli(command);
    EXPECT_EQ(finished.code, 1);
    EXPECT_TRUE(has(finished.err, "boxes alone")) << finished.err;
    EXPECT_FALSE(has(finished.err, "longer recording")) << finished.err;
  }
}

TEST_F(ReportsCliTest, NoCommandShowsAPassword) {
  std::vector<std::string> addresses;
  for (const std::string& password : test::hard_passwords())
    addresses.push_back("rtsp://admin:" + password + "@127.0.0.1:1/x");
  std::istringstream help(cli({"--help"}).out);
  std::vector<std::string> commands;
  bool listed = false;
  for (std::string line; std::getline(help, line);) {
    if (line.find("ubcommands") != std::string::npos || line.find("UBCOMMANDS") != std::string::npos)
      listed = true;
    std::istringstream words(line);
    std::string name;
    if (listed && line.starts_with("  ") && !line.starts_with("   ") && words >> name)
      commands.push_back(name);
  }
  ASSERT_GT(commands.size(), 40u);
  for (const std::string& command : commands) {
    if (command == "bench") continue;  // takes no address, and minutes
    std::vector<std::string> words = {command};
    words.insert(words.end(), addresses.begin(), addresses.end());
    const Finished finished = cli(words);
    EXPECT_NE(finished.code, 0) << command;
    for (const std::string& password : test::hard_passwords())
      expect_silent(without_settings(finished), password, command);
  }
}

TEST_F(ReportsCliTest, NoFailureShowsAPassword) {
  for (const std::string& password : test::hard_passwords()) {
    const std::string address = "rtsp://admin:" + password + "@127.0.0.1:1/x";
    for (const std::vector<std::string>& words :
         std::vector<std::vector<std::string>>{{"camera", address},
                                               {"new", "--out", path("x.vantage"), address},
                                               {"decode", address},
                                               {"--map", address},
                                               {address},
                                               {"new", "--map", address, "--out", "x", "y"}}) {
      const Finished finished = cli(words);
      EXPECT_NE(finished.code, 0);
      expect_silent(without_settings(finished), password, words.front());
    }
  }
}

TEST_F(ReportsCliTest, NoSuccessShowsOrKeepsAPassword) {
  StreamServerOptions options;
  options.cameras = {{.name = "cam1", .path = path("cam1.mp4")}};
  options.user = "admin";
  for (const std::string& password :
       {std::string("zq2/secret"), std::string("zq3#secret"), std::string("zq5@secret"),
        std::string("zq7%secret"), std::string("zq32/secret/#?@")}) {
    options.password = password;
    const auto server = StreamServer::start(options);
    ASSERT_TRUE(server) << server.error().message();
    std::string address = (*server)->address(0);
    address.insert(address.find("://") + 3, "admin:" + password + "@");
    const Finished made = make({address});
    ASSERT_EQ(made.code, 0) << password << ": " << made.err;
    expect_silent(without_settings(made), password, "new");
    expect_silent(read_file(path("p.vantage")).value(), password, "the project");
    const Finished listed = make({"--json", address});
    ASSERT_EQ(listed.code, 0) << listed.err;
    expect_silent(without_settings(listed), password, "new --json");
    const Finished tried = cli({"camera", address, "--seconds", "0"});
    EXPECT_EQ(tried.code, 0) << tried.err;
    expect_silent(without_settings(tried), password, "camera");
  }
}

TEST_F(ReportsCliTest, WhereAnAddressCanBeReadInTwoWaysItSaysHowToWriteIt) {
  const Finished tried = cli({"camera", "rtsp://admin:123/4@cam/x"});
  EXPECT_EQ(tried.code, 1);
  EXPECT_TRUE(has(tried.err, "two ways") && has(tried.err, "%2F")) << tried.err;
  EXPECT_FALSE(has(tried.err, "123/4")) << tried.err;
}

// ---- scoring

TEST_F(ReportsCliTest, FramesCountedFromZeroAreScoredAtTheirPlaces) {
  const auto rows = [](int first, int count, int late) {
    std::string text;
    for (int i = late; i < count; ++i)
      text += std::to_string(first + i) + ",1,-1,-1,-1,-1,1," + std::to_string(0.06 * i) + ",0,0\n";
    return text;
  };
  const auto scored = [&](const std::string& truth, const std::string& result,
                          std::vector<std::string> more) {
    std::vector<std::string> words = {
        "evaluate", "--gt",  write("truth.csv", truth), "--result", write("result.csv", result), "--space",
        "world",    "--json"};
    words.insert(words.end(), more.begin(), more.end());
    const Finished finished = cli(words);
    EXPECT_EQ(finished.code, 0) << finished.err;
    return parse_json_or_throw(finished.out);
  };
  struct Case {
    int truth_first, result_first;
    size_t notes;
  };
  for (const Case& one : std::vector<Case>{{1, 0, 1}, {0, 1, 1}, {0, 0, 2}, {1, 1, 0}}) {
    const json score = scored(rows(one.truth_first, 60, 0), rows(one.result_first, 60, 0), {});
    EXPECT_EQ(score["clear"]["moda"], 1.0) << one.truth_first << one.result_first;
    EXPECT_NEAR(score["places"]["floor_error_m"].get<double>(), 0, 1e-6)
        << one.truth_first << one.result_first;
    EXPECT_EQ(score["notes"].size(), one.notes) << score["notes"];
  }
  // Without a frame 0 the numbering is unknown: it is reported, and can be stated.
  const json doubtful = scored(rows(1, 60, 0), rows(0, 60, 5), {});
  ASSERT_EQ(doubtful["notes"].size(), 1u);
  EXPECT_TRUE(has(doubtful["notes"][0], "--result-from 0")) << doubtful["notes"];
  const json answered = scored(rows(1, 60, 0), rows(0, 60, 5), {"--result-from", "0"});
  EXPECT_NEAR(answered["places"]["floor_error_m"].get<double>(), 0, 1e-6);
}

TEST_F(ReportsCliTest, GroundTruthWithAFrameZeroBeginsAtFrameZero) {
  ASSERT_EQ(make({path("cam1.mp4")}).code, 0);
  std::string text;
  for (int frame = 0; frame < 6; ++frame)
    text += std::to_string(frame) + ",1,-1,-1,-1,-1,1," + std::to_string(0.1 * frame) + ",0,0\n";
  const Finished imported = cli({"truth", path("p.vantage"), "--json", "--import", write("truth.csv", text)});
  ASSERT_EQ(imported.code, 0) << imported.err;
  EXPECT_EQ(parse_json_or_throw(imported.out)["first"], 0);
  EXPECT_EQ(parse_json_or_throw(imported.out)["last"], 5);
  EXPECT_TRUE(has(imported.err, "counts from 0")) << imported.err;
  EXPECT_EQ(
      cli({"truth", path("p.vantage"), "--clear", "--import", write("bad.csv", "-1" + text.substr(1))}).code,
      1);
}

}  // namespace
}  // namespace vantage
