// vantage-cli as people run it: a child process, its exit code, its output and its files.
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <fstream>
#include <map>
#include <random>
#include <set>
#include <sstream>
#include <thread>

#include "core/base/file.h"
#include "core/base/instruction_sets.h"
#include "core/base/json.h"
#include "core/calibration/formats/calibration.h"
#include "core/image/image_files.h"
#include "core/metrics/tracking_metrics.h"
#include "tests/support/cli_fixture.h"
#include "tests/support/data.h"
#include "tests/support/expect_report.h"
#include "tests/support/json_schema.h"
#include "tests/unit/pipeline/footage.h"

namespace vantage {
namespace {

using nlohmann::json;
using test::CliTest;
using test::Finished;
namespace fs = std::filesystem;

// p.vantage: three cameras, made by the program.
class NewProjectCliTest : public CliTest {
 protected:
  void SetUp() override {
    test::make_footage(folder_.path(), 3, 20);
    std::vector<Camera> cameras;
    for (int i = 2; i >= 0; --i)
      cameras.push_back(test::footage_camera(i, 3));  // in another order than the videos
    ASSERT_TRUE(write_file_atomically(path("calibration.json"), calibration_to_json(cameras)));
    const std::string calibration = path("calibration.json"), clip = path("cam1_empty.mp4");
    made_ = done({"new", "--calibration", calibration, "--out", path("p.vantage"), "--background", clip,
                  "--background", "-", "--background", "-", "--grid", "-0.8,-0.8,0,0.8,0.8,1.6",
                  "--voxel-size", "0.05", "--json", path("cam1.mp4"), path("cam2.mp4"), path("cam3.mp4")});
  }
  // The output of a successful command; learning takes five frames.
  std::string done(std::vector<std::string> words) {
    if (words.front() != "new") words.insert(words.end(), {"--set", "foreground.learning_frames=5"});
    const Finished finished = cli(words);
    EXPECT_EQ(finished.code, 0) << finished.err;
    return finished.out;
  }
  std::string made_;
};

TEST_F(NewProjectCliTest, CamerasAreMatchedByName) {
  EXPECT_EQ(parse_json_or_throw(made_)["cameras"][2]["name"], "cam3");
  const Project project = load_project(path("p.vantage")).value();
  EXPECT_EQ(project.cameras[1].calibration->model().translation_cam_from_world_m[0],
            test::footage_camera(1, 3).model().translation_cam_from_world_m[0])
      << "not by order";
  EXPECT_EQ(project.grid->nx, 32);
}

TEST_F(NewProjectCliTest, ARunsResultsFollowTheSchemaAndAreTheSameInPart) {
  EXPECT_EQ(parse_json_or_throw(done({"run", path("p.vantage"), "--out", path("r"), "--json"}))["frames"],
            20);
  const std::vector<json> all = results("r");
  ASSERT_EQ(all.size(), 21u);
  EXPECT_EQ(test::schema_problem(all[0], schema_of("header")), "");
  for (size_t i = 1; i < all.size(); ++i) EXPECT_EQ(test::schema_problem(all[i], schema_of("frame")), "");
  EXPECT_EQ(all[0]["changed_parameters"]["foreground"]["learning_frames"], 5);
  EXPECT_NE(all[0]["cameras"][0]["checksum"], "0000000000000000");
  done({"run", path("p.vantage"), "--out", path("part"), "--frames", "12:15", "--sequential", "--backend",
        "cpu"});
  std::vector<json> part = results("part"), whole = all;
  ASSERT_EQ(part.size(), 4u);
  for (std::vector<json>* lines : {&part, &whole})  // IDs count from 1 in each
    for (json& line : *lines)
      if (line.contains("people"))
        for (json& person : line["people"]["people"]) person.erase("id");
  for (size_t i = 1; i < part.size(); ++i)
    EXPECT_EQ(part[i], whole[12 + i]) << "the same results, run in another way";
}

// The tracker of the chain numbers no one in so few frames; the paths of the results do.
TEST_F(NewProjectCliTest, ARunEndsWithThePeopleOfItsResults) {
  std::vector<std::string> words = {"new", "--calibration", path("calibration.json"), "--out",
                                    path("d.vantage")};
  for (int c = 0; c < 3; ++c) {
    const Camera camera = test::footage_camera(c, 3);
    const Eigen::Vector2d foot = *camera.project({0, 0, 0}), top = *camera.project({0, 0, 1.6});
    const double height_px = foot.y() - top.y();
    std::string boxes;
    for (int frame = 1; frame <= 20; ++frame)
      boxes += std::to_string(frame) + ",-1," + std::to_string(foot.x() - 0.2 * height_px) + "," +
               std::to_string(top.y()) + "," + std::to_string(0.4 * height_px) + "," +
               std::to_string(height_px) + ",0.9\n";
    const std::string file = path("boxes" + std::to_string(c) + ".txt");
    ASSERT_TRUE(write_file_atomically(file, boxes));
    words.insert(words.end(), {"--detections", file});
  }
  words.insert(words.end(), {path("cam1.mp4"), path("cam2.mp4"), path("cam3.mp4")});
  done(words);
  const json told = parse_json_or_throw(done({"run", path("d.vantage"), "--out", path("r"), "--json",
                                              "--no-check", "--set", "tracking.confirm_frames=50"}));
  std::set<int64_t> ids;
  double people = 0;
  const std::vector<json> lines = results("r");
  for (size_t i = 1; i < lines.size(); ++i) {
    people += lines[i]["people"]["count"].get<double>();
    for (const json& person : lines[i]["people"]["people"])
      if (person.value("id", json()).is_number()) ids.insert(person["id"].get<int64_t>());
  }
  EXPECT_EQ(ids.size(), 1u);
  EXPECT_EQ(told["tracks"], ids.size());
  EXPECT_DOUBLE_EQ(told["mean_people"].get<double>(), people / 20);
}

TEST_F(NewProjectCliTest, AFrameIsCarvedAsARunCarvesIt) {
  done({"run", path("p.vantage"), "--out", path("r"), "--frames", "12:13"});
  const std::string carved =
      done({"carve", path("p.vantage"), "--frame", "12", "--out", path("a.ply"), "--json"});
  EXPECT_EQ(parse_json_or_throw(carved)["litres"], results("r").at(1)["volume"]["litres"]);
}

// One camera has a box, the others see nothing: no person, with each camera's reason.
TEST_F(NewProjectCliTest, APlaceAndAPixelOfAFrameAreExplained) {
  const std::string box = path("box.txt");
  ASSERT_TRUE(write_file_atomically(box, "1,-1,30,10,24,50,0.9\n2,-1,30,10,24,50,0.9\n"));
  done({"new", "--calibration", path("calibration.json"), "--out", path("d.vantage"), "--detections", box,
        "--detections", box, "--detections", "-", path("cam1.mp4"), path("cam2.mp4"), path("cam3.mp4")});
  const std::vector<std::string> place = {"why", path("d.vantage"), "--frame", "1", "--place", "0.1,-0.1"};
  const auto with = [](std::vector<std::string> words, const std::vector<std::string>& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  const std::string why = done(place);
  for (const char* words :
       {"x 0.10  y -0.10 m: no one is found here", "cam1", "has no detections of this frame"})
    EXPECT_NE(why.find(words), std::string::npos) << why;
  const json told = parse_json_or_throw(done(with(place, {"--json"})));
  ASSERT_EQ(told["cameras"].size(), 3U);
  EXPECT_EQ(told["cameras"][2]["answer"], "not_looked");
  EXPECT_EQ(told["place"]["frame"], 1);
  EXPECT_EQ(told["place"]["found"], false);
  EXPECT_EQ(told["thresholds"][0]["parameter"], "fusion.min_score");
  EXPECT_FALSE(done({"evidence", path("d.vantage"), "--frame", "1"}).empty());
  EXPECT_EQ(cli({"evidence", path("p.vantage"), "--frame", "1"}).code, 1);
  const std::vector<std::string> asked = {"why", path("p.vantage"), "--frame", "12"};
  const json pixel =
      parse_json_or_throw(done(with(asked, {"--camera", "cam2", "--pixel", "40,30", "--json"})));
  EXPECT_EQ(pixel["colour"].size(), 3U);
  EXPECT_EQ(pixel["foreground"]["in_mask"].get<bool>(), pixel["foreground"]["after_cleaning"] >= 128);
  EXPECT_EQ(pixel["pixel"]["camera"], "cam2");
  EXPECT_GT(pixel["voxels"]["count"], 0);
  for (const std::vector<std::string>& wrong : {std::vector<std::string>{},
                                                {"--place", "0.1"},
                                                {"--place", "nan,0"},
                                                {"--pixel", "1,1"},
                                                {"--camera", "cam1"},
                                                {"--camera", "cam9", "--pixel", "1,1"},
                                                {"--place", "0,0", "--camera", "cam1", "--pixel", "1,1"}})
    EXPECT_EQ(cli(with(asked, wrong)).code, 2) << (wrong.empty() ? "" : wrong.back());
  const Finished outside = cli(with(asked, {"--camera", "cam1", "--pixel", "5000,1"}));
  EXPECT_EQ(outside.code, 1);
  EXPECT_NE(outside.err.find("outside the picture"), std::string::npos) << outside.err;
}

TEST_F(NewProjectCliTest, MasksAreWrittenAndCarved) {
  done({"segment", path("p.vantage"), "--out", path("masks"), "--frames", "12:13"});
  EXPECT_TRUE(fs::exists(path("masks/cam2/frame_000012.png")));
  const json carved =
      parse_json_or_throw(done({"carve", path("p.vantage"), "--frame", "12", "--out", path("b.ply"),
                                "--masks", path("masks"), "--threshold", "1", "--json"}));
  const std::string ply = read_file(path("b.ply")).value();
  EXPECT_GT(carved["shell_voxels"], 0);
  EXPECT_EQ(ply.size() - (ply.find("end_header\n") + 11), carved["shell_voxels"].get<size_t>() * 12);
  const std::string cut = done({"carve", path("p.vantage"), "--frame", "12", "--out", path("c.vti"), "--out",
                                path("c.png"), "--slice", "z=1.0", "--masks", path("masks")});
  EXPECT_NE(cut.find("slice z=1.0 of 32x32 voxels"), std::string::npos) << cut;
  EXPECT_GT(fs::file_size(path("c.vti")), size_t{4} * 32 * 32 * 32);
  EXPECT_TRUE(fs::exists(path("c.png")));
  for (const std::vector<std::string>& wrong : {std::vector<std::string>{"--out", path("d.png")},
                                                {"--out", path("d.obj")},
                                                {"--out", path("d.png"), "--slice", "w=1"},
                                                {"--out", path("d.png"), "--slice", "z=1m"},
                                                {"--out", path("d.ply"), "--slice", "z=1"}}) {
    std::vector<std::string> words = {"carve", path("p.vantage"), "--frame", "12", "--masks", path("masks")};
    words.insert(words.end(), wrong.begin(), wrong.end());
    EXPECT_EQ(cli(words).code, 2) << wrong.back();
  }
  EXPECT_EQ(cli({"carve", path("p.vantage"), "--frame", "12", "--masks", path("masks"), "--out",
                 path("d.png"), "--slice", "z=9"})
                .code,
            1)
      << "outside the grid";
}

// A recorder's night: a folder of files, cut at other times by each camera, nothing recorded in between.
TEST_F(CliTest, AFolderOfEachCamerasFilesIsOpenedByOneCommand) {
  constexpr int kGapBegin = 75, kGapEnd = 125, kFrames = 150;
  const auto record = [&](int camera, int begin, int end) {
    const fs::path file = folder_.path() / "night" /
                          ("cam" + std::to_string(camera + 1) + "_20260101_2200" + (begin < 250 ? "0" : "") +
                           std::to_string(begin / 25) + ".mp4");
    auto writer = VideoWriter::open(file, test::footage_picture(camera, 0, false).format(), {});
    ASSERT_TRUE(writer) << writer.error().message();
    for (int frame = begin; frame < end; ++frame)
      ASSERT_TRUE((*writer)->write(test::footage_picture(camera, frame, false)));
    ASSERT_TRUE((*writer)->finish());
  };
  fs::create_directory(folder_.path() / "night");
  std::vector<Camera> cameras;
  for (int camera = 0; camera < 3; ++camera) {
    const int cut = camera == 1 ? 50 : 25;
    record(camera, 0, cut), record(camera, cut, kGapBegin), record(camera, kGapEnd, kFrames);
    cameras.push_back(test::footage_camera(camera, 3));
  }
  ASSERT_TRUE(write_file_atomically(path("calibration.json"), calibration_to_json(cameras)));
  const Finished made = cli({"new", "--calibration", path("calibration.json"), path("night"), "--grid",
                             "-0.8,-0.8,0,0.8,0.8,1.6", "--voxel-size", "0.05"});
  ASSERT_EQ(made.code, 0) << made.err;
  for (const char* text :
       {"3 files by the clocks in their names, without pictures: frames 75 to 124 (2.00 s)\n",
        "    cam2_20260101_220000.mp4: frames 0 to 49 (2.00 s)\n    cam2_20260101_220002.mp4: frames 50 to "
        "74 (1.00 s)\n"
        "    gap: frames 75 to 124 (2.00 s), unknown\n    cam2_20260101_220005.mp4: frames 125 to 149 (1.00 "
        "s)\n"})
    EXPECT_NE(made.out.find(text), std::string::npos) << made.out;
  const std::string project = path("night/night.vantage");
  EXPECT_EQ(load_project(project)->cameras[1].video, path("night/night.videos/cam2.files"));

  const Finished run = cli({"run", project, "--json", "--no-check", "--set", "foreground.learning_frames=5"});
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_NE(run.err.find("cam1, frames 75 to 124: no file has it"), std::string::npos) << run.err;
  EXPECT_EQ(parse_json_or_throw(run.out)["frames_with_known_people"], kFrames - (kGapEnd - kGapBegin));
  const std::vector<json> lines = results("night/night.results");
  ASSERT_EQ(lines.size(), 1u + kFrames);
  for (int frame = 0; frame < kFrames; ++frame) {
    const json& line = lines[static_cast<size_t>(frame) + 1];
    const bool unknown = frame >= kGapBegin && frame < kGapEnd;
    EXPECT_EQ(line["people"]["count"].is_null(), unknown) << frame;
    EXPECT_EQ(line["volume"].is_null(), unknown) << frame;
    EXPECT_EQ(line["cameras"][1].contains("problem"), unknown) << frame;
  }

  const Finished summary = cli({"summary", project, "--json"});
  EXPECT_EQ(parse_json_or_throw(summary.out)["without_picture"], kGapEnd - kGapBegin) << summary.err;

  const Finished again = cli({"new", path("night")});
  EXPECT_EQ(again.code, 1);
  EXPECT_NE(again.err.find("the project exists already"), std::string::npos) << again.err;
  EXPECT_EQ(cli({"new", path("night/cam1_20260101_220000.mp4")}).code, 2) << "no name for the project";
  const Finished apart = cli({"new", "--apart", "--json", "--out", path("apart.vantage"), path("night")});
  EXPECT_EQ(parse_json_or_throw(apart.out)["cameras"].size(), 9u);
  fs::resize_file(folder_.path() / "night/cam2_20260101_220002.mp4", 1000);
  const Finished damaged = cli({"new", "--replace", path("night")});
  EXPECT_EQ(damaged.code, 1);
  EXPECT_NE(damaged.err.find("cam2_20260101_220002.mp4"), std::string::npos) << damaged.err;
  EXPECT_EQ(load_project(project)->cameras.size(), 3u) << "the project before is still there";
}

// As EasyMocap leaves it: pictures by camera, people beside them, one calibration.
TEST_F(CliTest, AFolderIsOpenedWhole) {
  std::vector<Camera> cameras;
  const fs::path mocap = folder_.path() / "mocap";
  for (int c = 0; c < 3; ++c) {
    cameras.push_back(test::footage_camera(c, 3));
    const std::string& name = cameras.back().name();
    fs::create_directories(mocap / "images" / name);
    for (int n = 0; n < 3; ++n) {
      const Picture picture = test::footage_picture(c, n, false);
      Image gray = Image::make(ImageType::u8, test::kWidth, test::kHeight, HostPool::shared()).value();
      for (int y = 0; y < gray.height(); ++y)
        std::memcpy(gray.writable_view<uint8_t>().row(y), picture.plane(0).row(y), test::kWidth);
      const std::string number = "00000" + std::to_string(n);
      ASSERT_TRUE(write_png_gray(mocap / "images" / name / (number + ".png"), gray));
      fs::create_directories(mocap / "annots" / name);
      ASSERT_TRUE(write_file_atomically(mocap / "annots" / name / (number + ".json"),
                                        R"({"annots": [{"personID": 0, "bbox": [10, 10, 20, 40, 0.9]}]})"));
    }
  }
  ASSERT_TRUE(write_file_atomically(mocap / "calibration.json", calibration_to_json(cameras)));
  ASSERT_TRUE(write_file_atomically(mocap / "notes.json", R"({"taken": "in May"})"));
  const Finished made = cli({"new", mocap.string(), "--rate", "25"});
  ASSERT_EQ(made.code, 0) << made.err;
  EXPECT_NE(made.err.find("calibration found in the folder: calibration.json"), std::string::npos)
      << made.err;
  const Result<Project> project = load_project(path("mocap/mocap.vantage"));
  ASSERT_TRUE(project) << project.error().message();
  ASSERT_EQ(project->cameras.size(), 3u);
  EXPECT_TRUE(project->calibrated());
  for (const ProjectCamera& camera : project->cameras)
    EXPECT_EQ(camera.detections.file, (mocap / "annots" / camera.name).string());

  // A second calibration of other cameras: neither is taken, which is said. One that does not fit the videos:
  // likewise.
  std::vector<Camera> others = {Camera::make("left", cameras[0].model()).value(),
                                Camera::make("right", cameras[1].model()).value()};
  ASSERT_TRUE(save_calibration(others, "pose2sim", mocap / "old.toml", false));
  const Finished several = cli({"new", "--replace", mocap.string(), "--rate", "25"});
  ASSERT_EQ(several.code, 0) << several.err;
  EXPECT_NE(several.err.find("several calibrations, of which none is taken"), std::string::npos)
      << several.err;
  EXPECT_FALSE(load_project(path("mocap/mocap.vantage"))->calibrated());
  fs::remove(mocap / "calibration.json");
  const Finished foreign = cli({"new", "--replace", mocap.string(), "--rate", "25"});
  ASSERT_EQ(foreign.code, 0) << foreign.err;
  EXPECT_NE(foreign.err.find("is not taken"), std::string::npos) << foreign.err;
  EXPECT_FALSE(load_project(path("mocap/mocap.vantage"))->calibrated());
}

// Missing numbers in image sequences: no one was seen there, and no one was missed.
TEST_F(CliTest, GapsAreUnknownInEveryOutput) {
  constexpr int kFrames = 40, kGapBegin = 20, kGapEnd = 32, kSeen = kFrames - (kGapEnd - kGapBegin);
  Project project = test::make_footage(folder_.path(), 3, 1);
  for (size_t c = 0; c < project.cameras.size(); ++c) {
    const fs::path images = folder_.path() / ("images" + std::to_string(c + 1));
    fs::create_directory(images);
    for (int n = 0; n < kFrames; ++n) {
      if (n >= kGapBegin && n < kGapEnd) continue;
      const Picture picture = test::footage_picture(static_cast<int>(c), n, false);
      Image gray = Image::make(ImageType::u8, test::kWidth, test::kHeight, HostPool::shared()).value();
      for (int y = 0; y < gray.height(); ++y)
        std::memcpy(gray.writable_view<uint8_t>().row(y), picture.plane(0).row(y), test::kWidth);
      ASSERT_TRUE(write_png_gray(images / ("f" + std::to_string(1000 + n) + ".png"), gray));
    }
    project.cameras[c].video = (images / "f%04d.png").string();
    project.cameras[c].background.clear();
  }
  project.zones.push_back({"hall", {{-0.3, -0.3}, {0.3, -0.3}, {0.3, 0.3}, {-0.3, 0.3}}});
  project.rules.push_back({"late", RuleKind::enters, "hall"});
  project.path = folder_.path() / "gaps.vantage";
  ASSERT_TRUE(save_project(project, project.path));
  const Finished run = cli({"run", path("gaps.vantage"), "--json"});
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_NE(run.err.find("frames 20 to 31: image number 1020 is missing"), std::string::npos) << run.err;
  EXPECT_EQ(run.err.find("image number 1021"), std::string::npos) << "said once";
  EXPECT_NE(run.err.find("cam2: pictures are converted, gray to yuv420p by libswscale (bilinear), full to "
                         "limited range"),
            std::string::npos)
      << run.err;
  EXPECT_NE(run.err.find("25 frames/s, assumed: pictures state none"), std::string::npos) << run.err;
  EXPECT_EQ(results("gaps.results")[0]["frame_rate_from"], "assumed");
  const json told = parse_json_or_throw(run.out);
  EXPECT_EQ(told["frames_with_known_people"], kSeen);
  double litres = 0, people = 0;
  const std::vector<json> lines = results("gaps.results");
  ASSERT_EQ(lines.size(), 1u + kFrames);
  for (int n = 0; n < kFrames; ++n) {
    const json& line = lines[static_cast<size_t>(n) + 1];
    EXPECT_EQ(test::schema_problem(line, schema_of("frame")), "");
    const bool unknown = n >= kGapBegin && n < kGapEnd;
    EXPECT_EQ(line["people"]["count"].is_null(), unknown) << n;
    ASSERT_EQ(line["volume"].is_null(), unknown) << n;
    if (unknown) continue;
    litres += line["volume"]["litres"].get<double>();
    people += line["people"]["count"].get<double>();
  }
  EXPECT_GT(litres, 0);
  EXPECT_NEAR(told["mean_litres"].get<double>(), litres / kSeen, 1e-9);
  EXPECT_NEAR(told["mean_people"].get<double>(), people / kSeen, 1e-9);
  const Finished made = cli({"new", "--out", path("pictures.vantage"), project.cameras[0].video});
  ASSERT_EQ(made.code, 0) << made.err;
  EXPECT_NE(made.out.find("25 frames/s (assumed)"), std::string::npos) << made.out;
  EXPECT_NE(made.err.find("give it by --rate"), std::string::npos) << made.err;
  const Finished rated =
      cli({"new", "--rate", "10", "--out", path("rated.vantage"), project.cameras[0].video});
  EXPECT_NE(rated.out.find("10 frames/s\n"), std::string::npos) << rated.out;
  EXPECT_EQ(rated.err.find("--rate"), std::string::npos) << rated.err;
  EXPECT_EQ(load_project(path("rated.vantage"))->cameras[0].frame_rate, 10);
  const Finished words = cli({"run", path("gaps.vantage"), "--out", path("again")});
  EXPECT_NE(words.out.find("on average over 28 of 40 frames"), std::string::npos) << words.out;
  EXPECT_NE(words.out.find("people unknown in 12 frames: no camera has a picture"), std::string::npos);
  EXPECT_EQ(words.out.find("no one in 12 frames"), std::string::npos) << words.out;

  std::string truth;  // a person is there in every frame
  for (int n = 0; n < kFrames; ++n) {
    TrackRow row;
    row.frame = n + 1, row.id = 1, row.x_m = 0.1;
    truth += mot_csv_row(row);
  }
  ASSERT_TRUE(write_file_atomically(path("truth.csv"), truth));
  const Finished compared = cli({"evaluate", "--gt", path("truth.csv"), "--result", path("gaps.results"),
                                 "--space", "world", "--json"});
  ASSERT_EQ(compared.code, 0) << compared.err;
  EXPECT_EQ(parse_json_or_throw(compared.out)["true_rows"], kSeen);
  EXPECT_EQ(parse_json_or_throw(compared.out)["unknown_frames"], kFrames - kSeen);

  const Finished counted = cli({"count", path("gaps.vantage"), "--out", path("counts"), "--json"});
  ASSERT_EQ(counted.code, 0) << counted.err;
  const std::string zones = read_file(path("counts/zones.csv")).value();
  EXPECT_NE(zones.find("hall,25,1.000,\n"), std::string::npos) << zones;
  EXPECT_EQ(zones.find("hall,10,0.400,\n"), std::string::npos) << zones;
  const json rule = parse_json_or_throw(counted.out)["rules"][0];
  EXPECT_NEAR(rule["per_hour"].get<double>(), rule["events"].get<double>() * 3600 * 25 / kSeen, 1e-6);
}

TEST_F(CliTest, CtrlCLeavesCompleteResults) {
  test::make_footage(folder_.path(), 3, 2000);
  const pid_t child = start({"run", path("footage.vantage"), "--out", path("r")});
  // Frames are written once the part file has grown beyond its header.
  std::error_code none;
  for (int i = 0; i < 12'000; ++i) {
    std::ifstream part(path("r/results.jsonl.part"));
    std::string line;
    int lines = 0;
    while (lines < 20 && std::getline(part, line)) ++lines;
    if (lines == 20) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  ::kill(child, SIGINT);
  const Finished done = wait(child);
  EXPECT_EQ(done.code, 1);
  EXPECT_NE(done.err.find("complete"), std::string::npos) << done.err;
  const std::vector<json> lines = results("r");
  ASSERT_GE(lines.size(), 20u);
  EXPECT_LT(lines.size(), 2001u);
  for (size_t i = 1; i < lines.size(); ++i) ASSERT_EQ(lines[i]["frame"], i - 1);
  EXPECT_FALSE(fs::exists(path("r/results.jsonl.part"), none));
  EXPECT_TRUE(json::accept(read_file(path("r/timings.json")).value_or("")));
}

TEST_F(CliTest, ExitCodesAndMessages) {
  test::make_footage(folder_.path(), 2, 5);
  const std::string project = path("footage.vantage");
  EXPECT_EQ(cli({}).code, 2);
  EXPECT_EQ(cli({"run"}).code, 2);
  const Finished nobody = cli({"rum", project});
  EXPECT_EQ(nobody.code, 2);
  EXPECT_NE(nobody.err.find("'rum'"), std::string::npos) << nobody.err;
  EXPECT_EQ(cli({"run", project, "--frames", "5"}).code, 2);
  EXPECT_EQ(cli({"run", project, "--frames", "3:3"}).code, 2);
  for (const char* backend : {"", "tpu", "CPU", "cuda:", "cuda:x", "cuda:-1", "cuda:1x", "cuda:99999999999"})
    EXPECT_EQ(cli({"run", project, "--backend", backend}).code, 2) << backend;
  EXPECT_EQ(cli({"run", project, "--backend", "cuda:1000"}).code, 1) << "no silent choice of another GPU";
  const Finished unknown = cli({"run", project, "--set", "carving.treshold=0.5"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_NE(unknown.err.find("carving.threshold"), std::string::npos) << unknown.err;
  EXPECT_EQ(cli({"run", path("none.vantage")}).code, 1);
  EXPECT_EQ(cli({"run", project, "--frames", "100:", "--out", path("r")}).code, 1);
  EXPECT_EQ(cli({"carve", project, "--frame", "1", "--out", path("s.ply"), "--masks", path("none")}).code, 1);
  const Finished clip = cli({"new", "--out", path("q.vantage"), "--background", path("cam1.mp4"),
                             path("cam1.mp4"), path("cam2.mp4")});
  EXPECT_EQ(clip.code, 2) << "one clip for each video";
  // Reported at once: a second later the files, played as cameras, would be open.
  const Finished view = cli({"run", project, "--live", "--right-view", "cam1", "--right-view", "cam9"});
  EXPECT_EQ(view.code, 2);
  EXPECT_NE(view.err.find("there is no camera 'cam9'; there are cam1, cam2"), std::string::npos) << view.err;
  EXPECT_EQ(view.err.find("memory:"), std::string::npos) << view.err;
  for (const char* command :
       {"new", "check", "run", "segment", "carve", "doctor", "decode", "sync", "synth"}) {
    const Finished help = cli({command, "--help"});
    EXPECT_EQ(help.code, 0);
    EXPECT_NE(help.out.find("xample"), std::string::npos) << command;
    EXPECT_NE(help.out.find(std::string("vantage-cli ") + command), std::string::npos) << command;
  }
}

TEST_F(CliTest, ChecksBeforeItRuns) {
  Project project = test::make_footage(folder_.path(), 2, 10);
  const std::string file = path("footage.vantage");
  const Finished good = cli({"check", file, "--json"});
  EXPECT_EQ(good.code, 0) << good.out;
  const nlohmann::json report = parse_json_or_throw(good.out);
  EXPECT_NE(report["verdict"], "failed");
  test::expect_report("check", good.out);
  const std::map<std::string, std::vector<std::string>> reported = {
      {"sync", {"sync", file}},
      {"sync_marks", {"sync", file, "--mark", "cam2=3@2", "--mark", "cam2=9@9"}},
      {"why_place", {"why", file, "--frame", "5", "--place", "0.1,0.1"}},
      {"why_pixel", {"why", file, "--frame", "5", "--camera", "cam2", "--pixel", "40,30"}}};
  for (auto [name, words] : reported) {
    test::expect_report(name, cli(words).out);
    words.emplace_back("--json");
    test::expect_report(name, cli(words).out);
  }
  std::vector<std::string> parts;
  for (const nlohmann::json& part : report["parts"]) {
    parts.push_back(part["part"]);
    EXPECT_GE(part["seconds"], 0) << part;
    EXPECT_GE(part["cpu_seconds"], 0) << part;
  }
  EXPECT_EQ(parts, (std::vector<std::string>{"videos", "views", "outlines", "people", "silhouettes",
                                             "offsets", "resources"}));
  PinholeCamera<double> model = project.cameras[1].calibration->model();
  for (int row = 0; row < 3; ++row)  // upside down about the x axis: below the floor
    for (int column = 1; column < 3; ++column) model.rotation_cam_from_world[3 * row + column] *= -1;
  project.cameras[1].calibration = Camera::make("cam2", model).value();
  ASSERT_TRUE(save_project(project, file));
  EXPECT_EQ(cli({"check", file}).code, 1);
  const Finished stopped = cli({"run", file, "--out", path("r")});
  EXPECT_EQ(stopped.code, 1);
  EXPECT_NE(stopped.err.find("--force"), std::string::npos) << stopped.err;
  EXPECT_FALSE(fs::exists(path("r")));
  const Finished forced = cli({"run", file, "--out", path("r"), "--force"});
  EXPECT_EQ(forced.code, 0);
  EXPECT_NE(forced.err.find("failed: calibration cam2"), std::string::npos) << forced.err;
  const Finished unchecked = cli({"run", file, "--out", path("r"), "--no-check"});
  EXPECT_EQ(unchecked.code, 0);
  EXPECT_EQ(unchecked.err.find("calibration cam2"), std::string::npos) << "nothing is checked";
}

// A calibration for another picture size is refused with the most likely cause.
TEST_F(CliTest, AnotherPictureSizeIsAskedAbout) {
  test::make_footage(folder_.path(), 1, 3);
  const auto calibrated_for = [&](int width, int height) {
    PinholeCamera<double> model = test::footage_camera(0, 1).model();
    model.width_px = width, model.height_px = height;
    EXPECT_TRUE(
        write_file_atomically(path("c.json"), calibration_to_json({Camera::make("cam1", model).value()})));
    return cli({"new", "--calibration", path("c.json"), "--out", path("p.vantage"), path("cam1.mp4")});
  };
  const auto expect_said = [](const Finished& done, const std::string& part) {
    EXPECT_EQ(done.code, 1);
    EXPECT_NE(done.err.find(part), std::string::npos) << done.err;
  };
  expect_said(calibrated_for(2 * test::kWidth, 2 * test::kHeight), "0.5 times the size: --scaled cam1");
  expect_said(calibrated_for(test::kWidth + 8, test::kHeight), "--cropped cam1=4,0");
  expect_said(calibrated_for(test::kHeight, test::kWidth), "rotated by 90 degrees");
  expect_said(calibrated_for(test::kWidth / 2, test::kHeight / 4), "another camera's");
}

// EasyMocap's two files are one calibration, which states no sizes here: each camera has its own video's.
TEST_F(CliTest, BothFilesOfACalibrationAreOneAndEachCameraHasItsOwnSize) {
  std::string names = "%YAML:1.0\n---\nnames:\n  - \"a\"\n  - \"b\"\n", intri = names, extri = names;
  const auto matrix = [](const std::string& key, int rows, int columns, const std::string& values) {
    return key + ": !!opencv-matrix\n  rows: " + std::to_string(rows) +
           "\n  cols: " + std::to_string(columns) + "\n  dt: d\n  data: [" + values + "]\n";
  };
  for (const std::string name : {"a", "b"}) {
    intri += matrix("K_" + name, 3, 3, "60, 0, 30, 0, 60, 20, 0, 0, 1") +
             matrix("dist_" + name, 1, 5, "0, 0, 0, 0, 0");
    extri += matrix("Rot_" + name, 3, 3, "1, 0, 0, 0, 0, -1, 0, 1, 0") +
             matrix("T_" + name, 3, 1, name == "a" ? "0, 1, 3" : "0.5, 1, 3");
    fs::create_directories(path(name));
    const int width = name == "a" ? 64 : 80, height = name == "a" ? 48 : 60;
    const Image grey = Image::make(ImageType::u8, width, height, HostPool::shared()).value();
    for (const char* file : {"0.png", "1.png"})
      ASSERT_TRUE(write_png_gray(fs::path(path(name)) / file, grey));
  }
  ASSERT_TRUE(write_file_atomically(path("intri.yml"), intri));
  ASSERT_TRUE(write_file_atomically(path("extri.yml"), extri));
  for (const bool both : {true, false}) {
    std::vector<std::string> words = {"new",    "--replace",     "--out",         path("p.vantage"),
                                      "--grid", "-1,-1,0,1,1,2", "--calibration", path("intri.yml")};
    if (both) words.insert(words.end(), {"--calibration", path("extri.yml")});
    words.insert(words.end(), {path("a/%d.png"), path("b/%d.png")});
    const Finished made = cli(words);
    ASSERT_EQ(made.code, 0) << made.err;
    const Project project = load_project(path("p.vantage")).value();
    ASSERT_EQ(project.cameras.size(), 2u);
    EXPECT_EQ(project.cameras[0].calibration->width_px(), 64);
    EXPECT_EQ(project.cameras[1].calibration->width_px(), 80);
    EXPECT_EQ(project.cameras[1].calibration->height_px(), 60);
    EXPECT_NEAR(project.cameras[1].calibration->center_in_world_m().x(), -0.5, 1e-9);
  }
}

// Two people whose IDs a run exchanged and lost for a while; a rejected peak bridges one gap.
TEST_F(CliTest, TracksFollowAWholeRun) {
  json header = {{"schema", "vantage-results-1"}, {"version", "0"}, {"device", "CPU"}, {"frame_rate", 25.0}};
  std::string lines = json_text(header) + "\n";
  const auto person = [](double x, double y) {
    return json{{"x_m", x},          {"y_m", y},    {"height_m", 1.75}, {"volume_litres", 80},
                {"confidence", 0.9}, {"cameras", 4}};
  };
  for (int frame = 0; frame < 50; ++frame) {
    json people = json::array(), rejected = json::array();
    people.push_back(person(0.04 * frame, 0));
    if (frame < 20 || frame >= 26) people.push_back(person(0, 2 + 0.02 * frame));
    if (frame >= 20 && frame < 26) rejected.push_back(person(0, 2 + 0.02 * frame));
    json line = {{"frame", frame}, {"versions", json::object()}};
    line["people"] = {{"count", people.size()}, {"people", people}, {"rejected", rejected}};
    lines += json_text(line) + "\n";
  }
  fs::create_directory(path("seen.results"));
  ASSERT_TRUE(write_file_atomically(path("seen.results/results.jsonl"), lines));
  for (const char* method : {"graph", "grid", "motion"}) {
    SCOPED_TRACE(method);
    const Finished done =
        cli({"track", path("seen.results"), "--set", std::string("paths.method=") + method, "--json"});
    ASSERT_EQ(done.code, 0) << done.err;
    EXPECT_EQ(parse_json_or_throw(done.out).at("paths"), 2);
    EXPECT_EQ(parse_json_or_throw(done.out).at("points"), 100);
    const auto rows = read_mot_csv(read_file(path("seen.results/paths.csv")).value_or(""), "paths.csv");
    ASSERT_TRUE(rows) << rows.error().message();
    ASSERT_EQ(rows->size(), 100u);
    // Smoothed positions of a person who walks from the first frame on lag by centimetres at the ends.
    const double tolerance_m = std::string_view(method) == "motion" ? 0.05 : 1e-3;
    for (const TrackRow& row : *rows) {
      const bool first = row.id == rows->front().id;
      EXPECT_NEAR(row.x_m, (rows->front().y_m < 1) == first ? 0.04 * static_cast<double>(row.frame - 1) : 0,
                  tolerance_m);
    }
  }
  // A folder of results is accepted for its tracks.
  fs::copy_file(path("seen.results/paths.csv"), path("seen.results/tracks.csv"));
  const Finished same = cli({"evaluate", "--gt", path("seen.results/paths.csv"), "--result",
                             path("seen.results"), "--space", "world", "--json"});
  ASSERT_EQ(same.code, 0) << same.err;
  EXPECT_EQ(parse_json_or_throw(same.out)["identity"]["idf1"], 1);
  EXPECT_EQ(cli({"track", path("seen.results"), "--set", "paths.method=psychic"}).code, 2);
  EXPECT_EQ(cli({"track", path("nowhere.vantage")}).code, 1);
}

// The sums behind the header of a NumPy file.
std::vector<uint32_t> sums_in(const fs::path& file) {
  const std::string bytes = read_file(file).value();
  const size_t begin = 10 + static_cast<uint8_t>(bytes.at(8)) + 256u * static_cast<uint8_t>(bytes.at(9));
  std::vector<uint32_t> sums((bytes.size() - begin) / sizeof(uint32_t));
  std::memcpy(sums.data(), bytes.data() + begin, sums.size() * sizeof(uint32_t));
  return sums;
}

TEST_F(CliTest, IntegralImagesOfPictures) {
  Image picture = Image::make(ImageType::u8, 7, 5, HostPool::shared()).value();
  for (int y = 0; y < 5; ++y)
    for (int x = 0; x < 7; ++x)
      picture.writable_view<uint8_t>().at(x, y) = static_cast<uint8_t>(40 * y + 3 * x);
  ASSERT_TRUE(write_png_gray(path("picture.png"), picture));
  const auto sum_to = [&](int width, int height) {
    uint32_t sum = 0;
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) sum += picture.view<uint8_t>().at(x, y);
    return sum;
  };
  for (const int larger : {0, 1}) {
    std::vector<std::string> words = {"integral",       path("picture.png"), "--out",
                                      path("sums.npy"), "--backend",         "cpu"};
    if (larger == 1) words.push_back("--exclusive");
    const Finished done = cli(words);
    ASSERT_EQ(done.code, 0) << done.err;
    const std::vector<uint32_t> sums = sums_in(path("sums.npy"));
    const int width = 7 + larger;
    ASSERT_EQ(sums.size(), static_cast<size_t>(width * (5 + larger)));
    for (int y = 0; y < 5 + larger; ++y)
      for (int x = 0; x < width; ++x) EXPECT_EQ(sums[y * width + x], sum_to(x + 1 - larger, y + 1 - larger));
  }
  // Every type of sums of the same picture; the last sum is that of all pixels.
  const uint32_t all = sum_to(7, 5);
  const auto last_of = [&](const char* sums, auto number) {
    const Finished done =
        cli({"integral", path("picture.png"), "--sums", sums, "--backend", "cpu", "--out", path("last.npy")});
    EXPECT_EQ(done.code, 0) << sums << ": " << done.err;
    const std::string bytes = read_file(path("last.npy")).value();
    std::memcpy(&number, bytes.data() + bytes.size() - sizeof number, sizeof number);
    return number;
  };
  EXPECT_EQ(last_of("s32", int32_t{}), static_cast<int32_t>(all));
  EXPECT_EQ(last_of("u64", uint64_t{}), all);
  EXPECT_EQ(last_of("f32", float{}), static_cast<float>(all));
  EXPECT_EQ(last_of("f64", double{}), all);
  // Published algorithms exist for GPUs only, as the error states.
  const Finished on_cpu = cli({"integral", path("picture.png"), "--algorithm", "scanrow-brlt", "--backend",
                               "cpu", "--out", path("a.npy")});
  EXPECT_EQ(on_cpu.code, 1);
  EXPECT_NE(on_cpu.err.find("have one algorithm on the CPU"), std::string::npos) << on_cpu.err;
  EXPECT_EQ(cli({"integral", path("picture.png"), "--algorithm", "brlt-scanrow", "--scan", "kogge-stone",
                 "--out", path("a.npy")})
                .code,
            2);
  EXPECT_EQ(cli({"integral", path("picture.png"), "--algorithm", "none", "--out", path("a.npy")}).code, 2);
  EXPECT_EQ(cli({"integral", path("picture.png")}).code, 2);
  EXPECT_EQ(cli({"integral", path("picture.png"), "--sums", "u8", "--out", path("a.npy")}).code, 2);
  ASSERT_TRUE(write_file_atomically(path("no.png"), "no picture"));
  EXPECT_EQ(cli({"integral", path("no.png"), "--out", path("a.npy")}).code, 1);
  const Finished missing = cli({"integral", path("missing.png"), "--out", path("a.npy")});
  EXPECT_EQ(missing.code, 1);
  EXPECT_NE(missing.err.find("missing.png"), std::string::npos) << missing.err;
}

TEST_F(CliTest, PublishedSuppressionIsForGpus) {
  ASSERT_TRUE(write_file_atomically(path("boxes.csv"), "x,y,w,h,score\n0,0,10,10,0.9\n1,1,10,10,0.8\n"));
  const auto suppress = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"nms", path("boxes.csv"), "--out", path("keep.csv")});
    return cli(words);
  };
  const Finished on_cpu = suppress({"--method", "mapreduce", "--partitions", "32", "--backend", "cpu"});
  EXPECT_EQ(on_cpu.code, 1);
  EXPECT_NE(on_cpu.err.find("run on CUDA alone"), std::string::npos) << on_cpu.err;
  EXPECT_EQ(suppress({"--partitions", "32"}).code, 2) << "greedy has none";
  EXPECT_EQ(suppress({"--method", "mapreduce", "--partitions", "0"}).code, 2);
  EXPECT_EQ(suppress({"--method", "mapreduce", "--partitions", "1025"}).code, 2);
  EXPECT_EQ(suppress({"--method", "mapreduce", "--backend", "cpu"}).code, 0);
}

// On a GPU the published kernels give the CPU's results.
TEST_F(CliTest, PublishedKernelsAgreeWithTheCpu) {
  const json doctor = parse_json_or_throw(cli({"doctor", "--json"}).out);
  if (doctor["gpus"].empty()) GTEST_SKIP() << doctor["no_gpu"].get<std::string>();
  std::mt19937 random(6);
  Image picture = Image::make(ImageType::u8, 301, 157, HostPool::shared()).value();
  for (int y = 0; y < 157; ++y)
    for (int x = 0; x < 301; ++x) picture.writable_view<uint8_t>().at(x, y) = static_cast<uint8_t>(random());
  ASSERT_TRUE(write_png_gray(path("picture.png"), picture));
  const auto sums = [&](const std::string& type, std::vector<std::string> words) {
    words.insert(words.begin(), {"integral", path("picture.png"), "--sums", type, "--out", path("sums.npy")});
    const Finished done = cli(words);
    EXPECT_EQ(done.code, 0) << done.err;
    return read_file(path("sums.npy")).value();
  };
  // Whole numbers below 2^53: also f64 has no rounding.
  for (const std::string type : {"s32", "u32", "u64", "f32", "f64"}) {
    const std::string expected = sums(type, {"--backend", "cpu"});
    for (const std::vector<std::string>& algorithm : std::vector<std::vector<std::string>>{
             {"single-pass"},
             {"brlt-scanrow"},
             {"scanrow-brlt"},
             {"scanrow-brlt", "--scan", "ladner-fischer"},
             {"scanrowcolumn", "--scan", "kogge-stone"},
             {"scanrowcolumn", "--scan", "ladner-fischer", "--exclusive"}}) {
      std::vector<std::string> words = {"--backend", "cuda", "--algorithm"};
      words.insert(words.end(), algorithm.begin(), algorithm.end());
      const bool exclusive = algorithm.back() == "--exclusive";
      EXPECT_EQ(sums(type, words), exclusive ? sums(type, {"--backend", "cpu", "--exclusive"}) : expected)
          << type << ' ' << algorithm.front();
    }
  }
  std::string boxes = "x,y,w,h,score\n";
  for (int i = 0; i < 1500; ++i)
    boxes += std::to_string(random() % 400) + ',' + std::to_string(random() % 300) + ",30,40,0." +
             std::to_string(1000 + random() % 9000) + '\n';
  ASSERT_TRUE(write_file_atomically(path("boxes.csv"), boxes));
  const auto kept = [&](const std::vector<std::string>& words) {
    std::vector<std::string> all = {"nms",      path("boxes.csv"), "--out", path("keep.csv"),
                                    "--method", "mapreduce"};
    all.insert(all.end(), words.begin(), words.end());
    const Finished done = cli(all);
    EXPECT_EQ(done.code, 0) << done.err;
    return read_file(path("keep.csv")).value();
  };
  const std::string expected = kept({"--backend", "cpu"});
  EXPECT_GT(std::ranges::count(expected, '\n'), 10);
  EXPECT_EQ(kept({"--backend", "cuda"}), expected);
  for (const char* partitions : {"2", "4", "8", "16", "32", "1024"})
    EXPECT_EQ(kept({"--backend", "cuda", "--partitions", partitions}), expected) << partitions;
  const Finished few = cli({"nms", path("boxes.csv"), "--out", path("keep.csv"), "--method", "mapreduce",
                            "--partitions", "1", "--backend", "cuda"});
  EXPECT_EQ(few.code, 1);
  EXPECT_NE(few.err.find("need at least 2 partitions"), std::string::npos) << few.err;
}

TEST_F(CliTest, ParametersAreListed) {
  const Finished page = cli({"parameters", "--markdown"});
  EXPECT_EQ(page.code, 0) << page.err;
  EXPECT_EQ(page.out,
            read_file(fs::path(VANTAGE_SOURCE_DIR) / "resources/docs/parameters.md").value_or(std::string()))
      << "Make the page again: vantage-cli parameters --markdown > resources/docs/parameters.md";
  const json all = parse_json_or_throw(cli({"parameters", "--json"}).out);
  const auto named = [](const std::string& name) {
    return [name](const json& parameter) { return parameter["name"] == name; };
  };
  const auto lowest = std::find_if(all.begin(), all.end(), named("heightmap.lowest_m"));
  ASSERT_NE(lowest, all.end());
  EXPECT_EQ((*lowest)["default"], 1.4);
  EXPECT_EQ((*lowest)["unit"], "m");
  EXPECT_EQ((*lowest)["former_names"], json({"lowest"}));
  EXPECT_NE(std::find_if(all.begin(), all.end(), named("triangulation.gate_m")), all.end());
  const json carving = parse_json_or_throw(cli({"parameters", "carving", "--json"}).out);
  EXPECT_EQ(carving.size(), 3u);
  EXPECT_NE(cli({"parameters", "carving"}).out.find("carving.threshold=0.7  (0.01 to 1)"), std::string::npos);
  const Finished wrong = cli({"parameters", "carvin"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_NE(wrong.err.find("foreground, carving"), std::string::npos) << wrong.err;
}

TEST_F(CliTest, DoctorSpeaksJson) {
  const Finished done = cli({"doctor", "--json"});
  ASSERT_EQ(done.code, 0) << done.err;
  const json report = parse_json_or_throw(done.out);
  EXPECT_TRUE(report["backends"]["carving"].is_array());
  EXPECT_TRUE(report["libraries"].contains("libavcodec"));
  EXPECT_EQ(report["software_decoders"][0], "h264");
  const json& sets = report["instruction_sets"];
  EXPECT_EQ(sets["in_use"], instruction_set_in_use().name);
  for (const InstructionSet& set : instruction_sets()) {
    EXPECT_EQ(std::ranges::count(sets["cpu"], json(set.name)), set.in_cpu ? 1 : 0) << set.name;
    EXPECT_EQ(std::ranges::count(sets["build"], json(set.name)), set.in_build ? 1 : 0) << set.name;
    EXPECT_EQ(sets["extensions"][set.name], json(set.extensions));
  }
}

TEST_F(CliTest, TheEnvironmentNamesTheInstructionSet) {
  Image picture = Image::make(ImageType::u8, 203, 57, HostPool::shared()).value();
  std::mt19937 random(5);
  for (int y = 0; y < 57; ++y)
    for (int x = 0; x < 203; ++x) picture.writable_view<uint8_t>().at(x, y) = static_cast<uint8_t>(random());
  ASSERT_TRUE(write_png_gray(path("noise.png"), picture));
  const auto with = [&](const std::string& set, const std::vector<std::string>& arguments) {
    const char* before = std::getenv(kInstructionSetVariable);
    const std::string kept = before != nullptr ? before : "";
    setenv(kInstructionSetVariable, set.c_str(), 1);
    const Finished done = cli(arguments);
    if (before != nullptr)
      setenv(kInstructionSetVariable, kept.c_str(), 1);
    else
      unsetenv(kInstructionSetVariable);
    return done;
  };
  std::set<std::string> sums;
  for (const InstructionSet& set : instruction_sets()) {
    const Finished named = with(set.name, {"doctor", "--json"});
    EXPECT_EQ(named.code, set.usable() ? 0 : 2) << set.name << ": " << named.err;
    if (!set.usable()) continue;
    EXPECT_EQ(parse_json_or_throw(named.out)["instruction_sets"]["in_use"], set.name);
    EXPECT_NE(with(set.name, {"doctor"}).out.find("in use: " + set.name), std::string::npos);
    const Finished summed =
        with(set.name, {"integral", path("noise.png"), "--backend", "cpu", "--out", path("sums.npy")});
    ASSERT_EQ(summed.code, 0) << set.name << ": " << summed.err;
    sums.insert(read_file(path("sums.npy")).value());
  }
  EXPECT_EQ(sums.size(), 1u);
  const Finished unknown = with("sse9", {"doctor"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_NE(unknown.err.find("VANTAGE_SIMD: there is no instruction set 'sse9'. Available here: sse2"),
            std::string::npos)
      << unknown.err;
}

TEST_F(CliTest, BenchWritesRowsAndPlots) {
  const Finished stages = cli({"bench", "floor", "nms", "--backend", "cpu", "--json", path("bench.json")});
  ASSERT_EQ(stages.code, 0) << stages.err;
  const json bench = parse_json_or_throw(read_file(path("bench.json")).value());
  EXPECT_EQ(bench["schema"], "vantage-bench-1");
  ASSERT_EQ(bench["rows"].size(), 5u);
  EXPECT_EQ(bench["rows"][0]["stage"], "floor");
  EXPECT_GT(bench["rows"][0]["limit_us"], 0);
  for (const json& row : bench["rows"]) EXPECT_GT(row["median_us"], 0);
  EXPECT_EQ(cli({"bench", "nonsense"}).code, 2);

  test::make_footage(folder_.path(), 3, 20);
  const Finished curves =
      cli({"bench", "--experiment", "times,streams,delay,gpus,detectors", "--streams", "1,2", "--gpus", "1,2",
           "--grids", "32", "--backend", "cpu", "--project", path("footage.vantage"), "--plots",
           path("plots"), "--json", path("curves.json")});
  ASSERT_EQ(curves.code, 0) << curves.err;
  std::map<std::string, json> experiments;
  const json report = parse_json_or_throw(read_file(path("curves.json")).value());
  for (const json& experiment : report["experiments"]) experiments[experiment["name"]] = experiment;
  ASSERT_EQ(experiments.size(), 5u);
  EXPECT_EQ(experiments["streams"]["series"][0]["points"].size(), 2u);
  EXPECT_TRUE(experiments["times"]["facts"]["stages"].contains("carving"));
  for (const char* transport : {"rtsp", "rtsp+udp"}) {
    const json& delay = experiments["delay"]["facts"][transport];
    EXPECT_EQ(delay["pictures"], 20) << "so many as the footage has";
    EXPECT_GT(delay["from_sent"]["p50_ms"], 0);
  }
  EXPECT_EQ(experiments["gpus"]["facts"]["rounds"]["2"].size(), 5u);
  ASSERT_EQ(experiments["detectors"]["series"].size(), 5u) << "without flow two parts, with it three";
  EXPECT_GT(experiments["detectors"]["series"][4]["points"][0][1], 0) << "flow takes time";
  for (const char* name : {"times", "streams", "delay", "gpus", "detectors"})
    EXPECT_TRUE(read_file(path(std::string("plots/") + name + ".svg")).value_or("").ends_with("</svg>\n"));
}

TEST_F(CliTest, CarvesTheHandDrawnMasks) {
  VANTAGE_NEED_DATA(data, "uu-voxel-1p");
  std::vector<std::string> arguments = {"new", "--unit-scale", "0.115", "--out", path("uu.vantage")};
  for (int i = 1; i <= 4; ++i) {
    arguments.push_back("--calibration");
    arguments.push_back((data / ("cam" + std::to_string(i)) / "config.xml").string());
  }
  for (int i = 1; i <= 4; ++i)
    arguments.push_back((data / ("cam" + std::to_string(i)) / "video.avi").string());
  const Finished made = cli(arguments);
  ASSERT_EQ(made.code, 0) << made.err;
  const std::pair<const char*, double> cases[] = {{"1", 175}, {"0.7", 350}};
  for (const auto& [threshold, litres] : cases) {
    const Finished done =
        cli({"carve", path("uu.vantage"), "--frame", "425", "--masks", (data / "gt_masks").string(),
             "--voxel-size", "0.02", "--threshold", threshold, "--out", path("s.ply"), "--json"});
    ASSERT_EQ(done.code, 0) << done.err;
    EXPECT_NEAR(parse_json_or_throw(done.out)["litres"].get<double>(), litres, 0.03 * litres);
  }
}

}  // namespace
}  // namespace vantage
