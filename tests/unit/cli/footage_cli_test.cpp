// vantage-cli calibrate footage: from files of boxes to a calibrated, synchronised project.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/detections/detection_file.h"
#include "core/project/project.h"
#include "core/results/results_paths.h"
#include "tests/support/cli_fixture.h"
#include "tests/support/json_schema.h"
#include "tests/support/walked_footage.h"

namespace vantage {
namespace {

class FootageCliTest : public test::CliTest {
 protected:
  // A project of all cameras, which have no calibration.
  void make_project(const test::WalkedFootage& footage) {
    std::vector<std::string> words = {"new",  "--out",  path("p.vantage"), "--detections-rate",
                                      "12.5", "--size", "1280x720"};
    for (const FootageCamera& camera : footage.input.cameras) {
      DetectionFile file;
      file.frames = camera.frames, file.frame_rate = camera.frame_rate;
      file.width_px = camera.width_px, file.height_px = camera.height_px;
      ASSERT_TRUE(write_detection_file(path(camera.name + ".jsonl"), file));
      words.insert(words.end(), {"--detections", path(camera.name + ".jsonl")});
    }
    const test::Finished made = cli(words);
    ASSERT_EQ(made.code, 0) << made.err;
    ASSERT_FALSE(load_project(path("p.vantage"))->calibrated());
  }
};

using Sightings = std::set<std::pair<int64_t, int64_t>>;  // frame and ID

// Those with deviations in results.jsonl.
Sightings deviating_people(const std::filesystem::path& results) {
  const auto schema = parse_json_or_throw(
      read_file(std::filesystem::path(VANTAGE_SOURCE_DIR) / "resources/schema/results.schema.json").value());
  Sightings people;
  std::istringstream lines(read_file(results / "results.jsonl").value());
  std::string text;
  for (std::getline(lines, text); std::getline(lines, text);) {
    const auto line = parse_json_or_throw(text);
    EXPECT_EQ(test::schema_problem(line, schema["$defs"]["frame"]), "");
    for (const auto& person : line["people"]["people"]) {
      if (!person.contains("deviation")) continue;
      people.insert({line["frame"].get<int64_t>(), person["id"].get<int64_t>()});
      EXPECT_GT(person["deviation"]["x_m"].get<double>(), 0.005);
      EXPECT_LT(person["deviation"]["x_m"].get<double>(), 0.3);
    }
  }
  return people;
}

// Those with deviations in tracks.csv.
Sightings deviating_rows(const std::filesystem::path& results) {
  Sightings rows;
  std::istringstream lines(read_file(results / "tracks.csv").value());
  for (std::string row; std::getline(lines, row);) {
    long long frame = 0, id = 0;
    double x_m = 0, y_m = 0, correlation = 0, height_m = 0;
    if (std::sscanf(row.c_str(), "%lld,%lld,%*f,%*f,%*f,%*f,%*f,%*f,%*f,%*f,%*f,%lf,%lf,%lf,%lf", &frame, &id,
                    &x_m, &y_m, &correlation, &height_m) != 6)
      continue;
    rows.insert({frame - 1, id});
    EXPECT_GT(std::min({x_m, y_m, height_m}), 0.005);
    EXPECT_LE(std::abs(correlation), 1);
  }
  return rows;
}

TEST_F(FootageCliTest, ProjectWithoutCalibrationGetsOne) {
  const test::WalkedFootage footage = test::walked_footage(
      {.seed = 7, .cameras = 3, .people = 3, .seconds = 40, .width_px = 1280, .height_px = 720});
  make_project(footage);
  const test::Finished looked =
      cli({"calibrate", "footage", path("p.vantage"), "--out", path("found.json"), "--json"});
  ASSERT_EQ(looked.code, 0) << looked.err;
  const auto report = parse_json_or_throw(looked.out);
  EXPECT_EQ(report["schema"], "vantage-footage-calibration-1");
  EXPECT_EQ(report["cameras"].size(), 3U);
  EXPECT_FALSE(load_project(path("p.vantage"))->calibrated());
  EXPECT_TRUE(std::filesystem::exists(path("found.json")));
  const test::Finished applied = cli({"calibrate", "footage", path("p.vantage"), "--apply"});
  ASSERT_EQ(applied.code, 0) << applied.err;
  const Project project = load_project(path("p.vantage")).value();
  ASSERT_TRUE(project.calibrated());
  EXPECT_TRUE(project.effective_grid());
  for (size_t c = 0; c < 3; ++c) {
    EXPECT_NEAR(project.cameras[c].offset_frames, footage.offset_frames[c], 1);
    EXPECT_NEAR(project.cameras[c].calibration->model().fx_px / footage.truth[c].model().fx_px, 1, 0.1);
  }
  const test::Finished analysed = cli({"run", path("p.vantage"), "--no-check"});
  ASSERT_EQ(analysed.code, 0) << analysed.err;
  const Sightings people = deviating_people(project.results_folder());
  EXPECT_GT(people.size(), 800U);
  EXPECT_EQ(deviating_rows(project.results_folder()), people);
  EXPECT_FALSE(read_paths(project.results_folder() / "tracks.csv").value().empty());
}

TEST_F(FootageCliTest, CameraThatShowsNobodyStaysOpen) {
  test::WalkedFootage footage = test::walked_footage(
      {.seed = 7, .cameras = 3, .people = 3, .seconds = 40, .width_px = 1280, .height_px = 720});
  footage.input.cameras.push_back(footage.input.cameras.front());
  footage.input.cameras.back().name = "blind";
  for (CameraDetections& frame : footage.input.cameras.back().frames) frame.people.clear();
  make_project(footage);
  const test::Finished solved =
      cli({"calibrate", "footage", path("p.vantage"), "--apply", "--out", path("found.json")});
  ASSERT_EQ(solved.code, 0) << solved.err;
  EXPECT_NE(solved.out.find("Walk where blind shows people as a whole"), std::string::npos) << solved.out;
  const Project project = load_project(path("p.vantage")).value();
  for (size_t c = 0; c < 4; ++c) EXPECT_EQ(project.cameras[c].calibration.has_value(), c < 3);
  EXPECT_EQ(read_file(path("found.json"))->find("blind"), std::string::npos);
}

TEST_F(FootageCliTest, FootageThatDoesNotDetermineCamerasChangesNothing) {
  make_project(test::walked_footage({.kind = test::FootageKind::standing,
                                     .seed = 3,
                                     .cameras = 2,
                                     .people = 2,
                                     .seconds = 20,
                                     .width_px = 1280,
                                     .height_px = 720}));
  const std::string before = read_file(path("p.vantage")).value();
  const test::Finished refused =
      cli({"calibrate", "footage", path("p.vantage"), "--apply", "--out", path("found.json")});
  EXPECT_EQ(refused.code, 1);
  EXPECT_NE(refused.err.find("longer recording"), std::string::npos) << refused.err;
  EXPECT_EQ(read_file(path("p.vantage")).value(), before);
  EXPECT_FALSE(std::filesystem::exists(path("found.json")));
  EXPECT_EQ(cli({"calibrate", "footage", path("p.vantage"), "--height", "17"}).code, 2);
}

}  // namespace
}  // namespace vantage
