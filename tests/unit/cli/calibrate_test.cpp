// vantage-cli calibrate, as people run it.
#include <gtest/gtest.h>

#include <cmath>

#include "core/base/json.h"
#include "core/calibration/formats/calibration.h"
#include "core/calibration/solve/world_from_points.h"
#include "core/geometry/camera.h"
#include "tests/support/cli_fixture.h"
#include "tests/support/expect_report.h"
#include "tests/support/made_once.h"
#include "tests/unit/pipeline/footage.h"

namespace vantage {
namespace {

using nlohmann::json;
using test::CliTest;
using test::expect_report;
using test::Finished;

// p.vantage: four cameras around a room without videos, and points.csv, clicked exactly.
class CalibrateCliTest : public CliTest {
 protected:
  void SetUp() override {
    for (int i = 0; i < 4; ++i) truth_.push_back(enlarged(test::footage_camera(i, 4)));
    where_ = {{0, 0, 0},   {0.4, 0, 0},   {0, 0.3, 0},     {0.4, 0.3, 0},
              {0, 0, 0.6}, {0.4, 0, 0.6}, {-0.3, 0.2, 0.9}};
    for (size_t i = 0; i < where_.size(); ++i) {
      ClickedPoint& point =
          points_.emplace_back(ClickedPoint{std::string(1, static_cast<char>('A' + i)), {}, {}});
      for (const Camera& camera : truth_) point.clicks.push_back({camera.name(), *camera.project(where_[i])});
    }
    write_points();
    save(truth_);
  }

  // With ten times the pixels.
  static Camera enlarged(const Camera& camera) {
    PinholeCamera<double> m = camera.model();
    m.width_px *= 10, m.height_px *= 10, m.fx_px *= 10, m.fy_px *= 10;
    m.cx_px = 10 * m.cx_px + 4.5, m.cy_px = 10 * m.cy_px + 4.5;
    return Camera::make(camera.name(), m).value();
  }
  void write_points() const {
    ASSERT_TRUE(write_file_atomically(path("points.csv"), write_clicked_points(points_)));
  }
  void save(const std::vector<Camera>& cameras) const {
    Project project;
    project.parameters = default_parameters();
    for (const Camera& camera : cameras) {
      ProjectCamera& entry = project.cameras.emplace_back();
      entry.name = camera.name(), entry.video = "none://960x640?rate=25&frames=10",
      entry.calibration = camera;
    }
    project.grid = VoxelGrid{{-1, -1, 0}, 0.05, 40, 40, 40};
    project.zones = {{"shop", {{0, 0}, {0.5, 0}, {0.5, 0.5}}}};
    ASSERT_TRUE(save_project(project, path("p.vantage")));
  }
  // cam3 has another pose or lens.
  void save_moved() const {
    auto cameras = truth_;
    CameraChange change;
    change << 0.02, -0.03, 0.01, 0.1, -0.05, 0.08, 0;
    cameras[2] = *changed_camera(truth_[2], change);
    save(cameras);
  }
  Finished calibrate(std::vector<std::string> words) const {
    words.insert(words.begin(), "calibrate");
    return cli(words);
  }
  Camera camera_in(const std::string& file, size_t camera) const {
    return read_calibration(path(file), {}).value().cameras.at(camera);
  }

  std::vector<Camera> truth_;
  std::vector<Eigen::Vector3d> where_;
  std::vector<ClickedPoint> points_;
};

TEST_F(CalibrateCliTest, PointsPlaceACamera) {
  save_moved();
  const Finished done = calibrate({"points", path("p.vantage"), "--points", path("points.csv"), "--camera",
                                   "cam3", "--out", path("solved.json"), "--json"});
  ASSERT_EQ(done.code, 0) << done.err;
  EXPECT_LT(change_between(truth_[2], camera_in("solved.json", 2)).norm(), 1e-6);
  const json report = parse_json_or_throw(done.out);
  EXPECT_EQ(report["cameras"][2]["solved"], true);
  EXPECT_GT(report["cameras"][2]["before_px"], 1);
  EXPECT_LT(report["cameras"][2]["after_px"], 1e-4);
  ASSERT_EQ(report["covariance"]["of"].size(), 6u) << "the lens is fixed";
  EXPECT_EQ(report["covariance"]["of"][5], json::array({"cam3", "center_z"}));
  EXPECT_EQ(report["covariance"]["values"].size(), 6u);
  EXPECT_NEAR(report["points"][6]["at_m"][2], 0.9, 1e-6);
  expect_report("points", done.out);
  points_[1].clicks[0].at_px.x() += 3;
  write_points();
  expect_report("points", calibrate({"points", path("p.vantage"), "--points", path("points.csv"), "--camera",
                                     "cam3", "--focal"})
                              .out);
  // The project is only changed by apply.
  EXPECT_GT(change_between(truth_[2], *load_project(path("p.vantage"))->cameras[2].calibration).norm(), 0.01);
  ASSERT_EQ(calibrate({"apply", path("p.vantage"), path("solved.json")}).code, 0);
  EXPECT_LT(change_between(truth_[2], *load_project(path("p.vantage"))->cameras[2].calibration).norm(), 1e-6);
}

TEST_F(CalibrateCliTest, PointsRefineACameraThatIsWrongAndNoOther) {
  const std::vector<std::string> words = {"refine", path("p.vantage"),   "--by",
                                          "points", "--points",          path("points.csv"),
                                          "--out",  path("better.json"), "--json"};
  save(truth_);
  const Finished kept = calibrate(words);
  ASSERT_EQ(kept.code, 0) << kept.err;
  EXPECT_EQ(parse_json_or_throw(kept.out)["accepted"], false) << kept.out;
  EXPECT_FALSE(std::filesystem::exists(path("better.json")));
  save_moved();
  const Finished mended = calibrate(words);
  ASSERT_EQ(mended.code, 0) << mended.err;
  const json report = parse_json_or_throw(mended.out);
  EXPECT_EQ(report["accepted"], true) << mended.out;
  EXPECT_EQ(report["cameras"][2]["changed"], true) << mended.out;
  EXPECT_LT(report["cameras"][2]["points"]["after_px"], 0.01) << mended.out;
  expect_report("refine_points", mended.out);
  expect_report(
      "refine_points",
      calibrate({"refine", path("p.vantage"), "--by", "points", "--points", path("points.csv")}).out);
  EXPECT_LT(change_between(truth_[2], camera_in("better.json", 2)).norm(), 1e-5);
}

TEST_F(CalibrateCliTest, PointsSayWhyTheyCannot) {
  const auto expect = [&](const Finished& finished, int code, const char* what) {
    EXPECT_EQ(finished.code, code) << finished.err;
    EXPECT_NE(finished.err.find(what), std::string::npos) << finished.err;
  };
  const std::string project = path("p.vantage"), file = path("points.csv");
  expect(calibrate({"points", project}), 1, "no points were clicked in the project");
  expect(calibrate({"points", project, "--points", file, "--camera", "cam9"}), 2, "cam9");
  expect(calibrate({"points", project, "--points", path("absent.csv")}), 1, "absent.csv");
  expect(calibrate({"points"}), 2, "project");
  points_.resize(3);
  write_points();
  expect(calibrate({"points", project, "--points", file, "--camera", "cam3"}), 1, "cam3: 3 of its points");
  ASSERT_TRUE(write_file_atomically(file, std::string("point,camera\n")));
  expect(calibrate({"points", project, "--points", file}), 1, "line 1");
}

TEST_F(CalibrateCliTest, LevelAndScaleBringBackAWorldThatIsNeither) {
  const WorldChange wrong{
      0.5, Eigen::AngleAxisd(0.3, Eigen::Vector3d::UnitX()).toRotationMatrix(), {1, 2, 3}};
  std::vector<Camera> cameras;
  for (const Camera& camera : truth_) cameras.push_back(in_changed_world(camera, wrong));
  save(cameras);
  const std::string project = path("p.vantage"), file = path("points.csv");
  const Finished level =
      calibrate({"level", project, "--points", file, "--floor", "A,B,C,D", "--origin", "A", "--x", "B"});
  ASSERT_EQ(level.code, 0) << level.err;
  EXPECT_NE(level.out.find("4 cameras moved"), std::string::npos) << level.out;
  EXPECT_NE(level.out.find("1 zone moved"), std::string::npos) << level.out;
  EXPECT_NE(level.out.find("the region moved"), std::string::npos) << level.out;
  const Finished scale =
      calibrate({"scale", project, "--points", file, "--length", "A,B,0.4", "--length", "C,D,0.4"});
  ASSERT_EQ(scale.code, 0) << scale.err;
  expect_report("scale", scale.out);
  expect_report("scale",
                calibrate({"scale", project, "--points", file, "--length", "A,B,0.4", "--json"}).out);
  const Project now = load_project(project).value();
  for (size_t c = 0; c < truth_.size(); ++c)
    EXPECT_LT(change_between(truth_[c], *now.cameras[c].calibration).norm(), 1e-6) << c;
}

TEST_F(CalibrateCliTest, ABoxOrMeasuredPointsDoBothAtOnce) {
  const WorldChange wrong{
      2, Eigen::AngleAxisd(2, Eigen::Vector3d(1, 1, 1).normalized()).toRotationMatrix(), {3, 0, 1}};
  std::vector<Camera> cameras;
  for (const Camera& camera : truth_) cameras.push_back(in_changed_world(camera, wrong));
  save(cameras);
  const std::string project = path("p.vantage"), file = path("points.csv");
  const Finished box = calibrate({"level", project, "--points", file, "--box", "0.4x0.3x0.6", "--corners",
                                  "A,B,D,C,E,F,-,-", "--out", path("boxed.json")});
  ASSERT_EQ(box.code, 0) << box.err;
  for (size_t c = 0; c < truth_.size(); ++c)
    EXPECT_LT(change_between(truth_[c], camera_in("boxed.json", c)).norm(), 1e-6) << c;
  EXPECT_EQ(load_project(project)->cameras[0].calibration->center_in_world_m(),
            cameras[0].center_in_world_m())
      << "--out leaves the project alone";
  for (size_t i = 0; i < 5; ++i) points_[i].known_m = where_[i];
  write_points();
  ASSERT_EQ(calibrate({"level", project, "--points", file, "--known"}).code, 0);
  EXPECT_LT(change_between(truth_[1], *load_project(project)->cameras[1].calibration).norm(), 1e-6);
}

TEST_F(CalibrateCliTest, LevelAndScaleRefuseWhatTheyCannotUse) {
  const std::string project = path("p.vantage"), file = path("points.csv"),
                    before = read_file(project).value();
  const auto expect = [&](std::vector<std::string> words, int code, const char* what) {
    words.insert(words.begin() + 1, {project, "--points", file});
    const Finished finished = calibrate(words);
    EXPECT_EQ(finished.code, code) << finished.err;
    EXPECT_NE(finished.err.find(what), std::string::npos) << finished.err;
  };
  expect({"level"}, 2, "give --floor, --box or --known");
  expect({"level", "--floor", "A,B"}, 1, "2 points are too few");
  expect({"level", "--floor", "A,B,Z"}, 2, "there is no point 'Z'");
  expect({"level", "--box", "0.4x0.3", "--corners", "A,B,C"}, 2, "is not a size in metres");
  expect({"level", "--known"}, 1, "0 points are too few");
  expect({"scale", "--length", "A,B"}, 2, "is not POINT,POINT,METRES");
  expect({"scale", "--length", "A,B,-1"}, 1, "is not positive");
  expect({"scale", "--length", "A,A,1"}, 1, "at the same place");
  EXPECT_EQ(read_file(project).value(), before);
}

TEST_F(CalibrateCliTest, CompareTellsTurnPictureAndFloor) {
  auto cameras = truth_;
  CameraChange change = CameraChange::Zero();
  change[1] = 2 * M_PI / 180;
  cameras[1] = *changed_camera(truth_[1], change);
  ASSERT_TRUE(write_file_atomically(path("a.json"), calibration_to_json(truth_)));
  ASSERT_TRUE(write_file_atomically(path("b.json"), calibration_to_json(cameras)));
  const Finished done = calibrate({"compare", path("p.vantage"), path("a.json"), path("b.json"), "--json"});
  ASSERT_EQ(done.code, 0) << done.err;
  const json report = parse_json_or_throw(done.out);
  EXPECT_NEAR(report["cameras"][1]["turned_deg"], 2, 1e-6);
  EXPECT_NEAR(report["cameras"][1]["picture_rms_px"], 800 * std::tan(2 * M_PI / 180), 5);
  EXPECT_GT(report["cameras"][1]["floor_max_m"], 0.05);
  EXPECT_EQ(report["cameras"][1]["picture_px"].size(), 9u);
  EXPECT_LT(report["cameras"][0]["picture_max_px"], 1e-6);
  expect_report("compare", done.out);
  const Finished own = calibrate({"compare", path("p.vantage"), path("b.json")});
  EXPECT_EQ(own.code, 0) << own.err;
  EXPECT_NE(own.out.find("2.000\u00b0"), std::string::npos) << own.out;
  cameras.pop_back();
  ASSERT_TRUE(write_file_atomically(path("b.json"), calibration_to_json(cameras)));
  expect_report("compare", calibrate({"compare", path("p.vantage"), path("b.json")}).out);
  std::vector<Camera> others = truth_;
  for (Camera& camera : others) camera.set_name("other " + camera.name());
  ASSERT_TRUE(write_file_atomically(path("c.json"), calibration_to_json(others)));
  EXPECT_EQ(calibrate({"compare", path("p.vantage"), path("a.json"), path("c.json")}).code, 1);
}

TEST_F(CalibrateCliTest, ReportIsAPageAndFigures) {
  const Finished solved =
      calibrate({"points", path("p.vantage"), "--points", path("points.csv"), "--camera", "cam3", "--json"});
  ASSERT_TRUE(write_file_atomically(path("points.json"), solved.out));
  const auto report = [&](const std::string& name, std::vector<std::string> more) {
    more.insert(more.begin(), {"report", path("p.vantage"), "--json", path(name), "--no-check"});
    const Finished done = calibrate(more);
    EXPECT_EQ(done.code, 0) << done.err;
    return parse_json_or_throw(read_file(path(name)).value());
  };
  const json one = report("one.json", {"--html", path("one.html")}),
             two = report("two.json", {"--noise", "2"});
  EXPECT_EQ(one["floor_error"]["error_m"].size(), 64u);
  EXPECT_GT(one["floor_error"]["median_m"], 0);
  EXPECT_NEAR(two["floor_error"]["median_m"], 2 * one["floor_error"]["median_m"].get<double>(), 1e-9);
  const json unsure = report("unsure.json", {"--uncertainty", path("points.json")});
  EXPECT_GT(unsure["floor_error"]["median_m"], one["floor_error"]["median_m"]);
  EXPECT_TRUE(unsure["cameras"][2].contains("moved_std_m"));
  expect_report("calibration", read_file(path("unsure.json")).value());
  const std::string page = read_file(path("one.html")).value();
  for (const char* part : {"<svg", "cam4", "Expected error on the floor", "</html>"})
    EXPECT_NE(page.find(part), std::string::npos) << part;
  EXPECT_EQ(calibrate({"report", path("p.vantage")}).code, 2);
  EXPECT_EQ(calibrate({"report", path("p.vantage"), "--json", path("x.json"), "--no-check", "--uncertainty",
                       path("one.json")})
                .code,
            1);
}

// The report of calibrate boards: residuals as arrows, the worst pictures first, coverage, halves.
TEST_F(CalibrateCliTest, ReportShowsWhatABoardLeftOver) {
  const Finished solved =
      calibrate({"points", path("p.vantage"), "--points", path("points.csv"), "--camera", "cam3", "--json"});
  json boards = parse_json_or_throw(solved.out);
  boards["schema"] = "vantage-boards-1";
  boards["cameras"] = json::array({{{"name", "<hall>"},
                                    {"size_px", {640, 480}},
                                    {"corners", 3},
                                    {"pictures", 2},
                                    {"rms_px", 0.5},
                                    {"coverage", {{0, 7}, {12, 100}}},
                                    {"held", {"k2"}},
                                    {"advice", {"bring the board nearer"}}}});
  for (const auto& [frame, x_px] : {std::pair(3, 0.25), std::pair(3, -0.5), std::pair(8, 2.0)})
    boards["residuals"].push_back({{"camera", "<hall>"},
                                   {"frame", frame},
                                   {"for", "pose"},
                                   {"seen_px", {100 + frame, 50}},
                                   {"x_px", x_px},
                                   {"y_px", 0}});
  boards["cross_validation"] = {{"ratio", 2.5}, {"values", 18}, {"doubtful", true}};
  ASSERT_TRUE(write_file_atomically(path("boards.json"), boards.dump()));
  const Finished done = calibrate({"report", path("p.vantage"), "--html", path("b.html"), "--no-check",
                                   "--uncertainty", path("boards.json")});
  ASSERT_EQ(done.code, 0) << done.err;
  const std::string page = read_file(path("b.html")).value();
  for (const char* part :
       {"Residuals of &lt;hall&gt;", "halves of the pictures differ by 2.50 times", "enlarged by this factor",
        "Not determined: k2", "Record next: bring the board nearer", "frame 8: 2.00, 0.00 px", ">100</text>"})
    EXPECT_NE(page.find(part), std::string::npos) << part;
  EXPECT_LT(page.find("<td>frame 8</td><td>1</td>"), page.find("<td>frame 3</td><td>2</td>"));
  EXPECT_EQ(page.find("<hall>"), std::string::npos);
}

TEST_F(CalibrateCliTest, MeasuresAreSaidWithWhatIsNotKnownOfTheirCameras) {
  const Finished none = calibrate({"measure", path("p.vantage")});
  EXPECT_EQ(none.code, 0) << none.err;
  EXPECT_NE(none.out.find("Nothing was measured"), std::string::npos) << none.out;
  Project project = load_project(path("p.vantage")).value();
  const auto click = [&](size_t camera, const Eigen::Vector3d& at) {
    return MeasureClick{truth_[camera].name(), *truth_[camera].project(at)};
  };
  project.measures = {{MeasureKind::distance, {click(2, where_[0]), click(2, where_[3])}},
                      {MeasureKind::height, {click(2, where_[0]), click(2, where_[4])}},
                      {MeasureKind::distance, {click(2, where_[0]), click(0, where_[3])}}};
  ASSERT_TRUE(save_project(project, path("p.vantage")));
  const Finished solved =
      calibrate({"points", path("p.vantage"), "--points", path("points.csv"), "--camera", "cam3", "--json"});
  ASSERT_TRUE(write_file_atomically(path("points.json"), solved.out));
  const Finished plain = calibrate({"measure", path("p.vantage")});
  EXPECT_NE(plain.out.find("distance  cam3        0.500 m\n"), std::string::npos) << plain.out;
  EXPECT_NE(plain.out.find("height    cam3        0.600 m\n"), std::string::npos) << plain.out;
  const Finished sure =
      calibrate({"measure", path("p.vantage"), "--uncertainty", path("points.json"), "--json"});
  ASSERT_EQ(sure.code, 0) << sure.err;
  const json measures = parse_json_or_throw(sure.out)["measures"];
  ASSERT_EQ(measures.size(), 3u);
  EXPECT_NEAR(measures[0]["value_m"], 0.5, 1e-6);
  EXPECT_GT(measures[0]["std_m"], 0);
  EXPECT_LT(measures[0]["std_m"], 0.05);
  EXPECT_TRUE(measures[1].contains("std_m"));
  EXPECT_FALSE(measures[2].contains("std_m")) << "nothing is known of cam1";
  expect_report("measure", sure.out);
  expect_report("measure",
                calibrate({"measure", path("p.vantage"), "--uncertainty", path("points.json")}).out);
  // A camera with another position, rotation or lens than in the report.
  for (const int value : {3, 1, 6}) {
    CameraChange change = CameraChange::Zero();
    change[value] = 0.01;
    auto cameras = truth_;
    cameras[2] = *changed_camera(truth_[2], change);
    save(cameras);
    project = load_project(path("p.vantage")).value();
    project.measures = {{MeasureKind::distance, {click(2, where_[0]), click(2, where_[3])}}};
    ASSERT_TRUE(save_project(project, path("p.vantage")));
    const Finished moved =
        calibrate({"measure", path("p.vantage"), "--uncertainty", path("points.json"), "--json"});
    EXPECT_NE(moved.err.find("cam3 has another pose or lens"), std::string::npos)
        << value << ": " << moved.err;
    EXPECT_FALSE(parse_json_or_throw(moved.out)["measures"][0].contains("std_m")) << value;
  }
  // Invalid and damaged reports.
  for (const char* damaged :
       {"{}", "[]", R"({"covariance": 3})", R"({"covariance": {"calibration": ALL, "of": [], "values": 1}})",
        R"({"covariance": {"calibration": {"cameras": [{"name": "cam3"}]}, "of": [], "values": []}})",
        R"({"covariance": {"of": [], "values": []}})",
        R"({"covariance": {"calibration": ALL, "of": [["cam3", "turn_q"]], "values": [[1]]}})",
        R"({"covariance": {"calibration": ALL, "of": [["cam3", "fx"]], "values": [[1, 2]]}})"}) {
    std::string text = damaged;
    if (const size_t at = text.find("ALL"); at != std::string::npos)
      text.replace(at, 3, calibration_to_json(truth_));
    ASSERT_TRUE(write_file_atomically(path("damaged.json"), text));
    EXPECT_EQ(calibrate({"measure", path("p.vantage"), "--uncertainty", path("damaged.json")}).code, 1)
        << damaged;
  }
}

TEST_F(CalibrateCliTest, ApplyTakesCamerasByNameAndRefusesTheRest) {
  auto cameras = truth_;
  cameras.resize(2);
  CameraChange change = CameraChange::Zero();
  change[3] = 0.25;
  cameras[1] = *changed_camera(truth_[1], change);
  ASSERT_TRUE(write_file_atomically(path("two.json"), calibration_to_json(cameras)));
  const Finished done = calibrate({"apply", path("p.vantage"), path("two.json")});
  ASSERT_EQ(done.code, 0) << done.err;
  EXPECT_NE(done.out.find("moved by 250 mm"), std::string::npos) << done.out;
  const Project now = load_project(path("p.vantage")).value();
  EXPECT_NEAR(change_between(truth_[1], *now.cameras[1].calibration)[3], 0.25, 1e-9);
  EXPECT_EQ(now.zones.size(), 1u) << "all else stays";
  const std::string before = read_file(path("p.vantage")).value();
  const auto refused = [&](const std::vector<Camera>& given, const char* what) {
    ASSERT_TRUE(write_file_atomically(path("bad.json"), calibration_to_json(given)));
    const Finished finished = calibrate({"apply", path("p.vantage"), path("bad.json")});
    EXPECT_EQ(finished.code, 1);
    EXPECT_NE(finished.err.find(what), std::string::npos) << finished.err;
    EXPECT_EQ(read_file(path("p.vantage")).value(), before);
  };
  refused({truth_[0].reduced(2)}, "the file's pictures have 480x320");
  Camera other = truth_[0];
  other.set_name("hall");
  refused({other}, "The file holds hall.");
  EXPECT_EQ(calibrate({"apply", path("p.vantage")}).code, 2);
  EXPECT_EQ(calibrate({"apply", path("p.vantage"), path("absent.json")}).code, 1);
}

void copy_two_people(const std::filesystem::path& folder) {
  SynthOptions options;
  options.people = 2, options.area_m = 4;
  options.seconds = 6, options.frame_rate = 12.5;
  options.width_px = 320, options.height_px = 240;
  test::copy_rendered_once("calibrated by people", folder, options);
}

// Rendered people place a camera whose stated pose is wrong.
TEST_F(CliTest, PeoplePlaceACamera) {
  const auto make = [&](const std::vector<std::string>& words) {
    const Finished finished = cli(words);
    EXPECT_EQ(finished.code, 0) << finished.err;
    return finished.out;
  };
  copy_two_people(folder_.path());
  const std::string project = path("hall/hall.vantage");
  Project moved = load_project(project).value();
  const Camera truth = *moved.cameras[1].calibration;
  CameraChange change = CameraChange::Zero();
  change[1] = 2 * M_PI / 180;
  moved.cameras[1].calibration = *changed_camera(truth, change);
  ASSERT_TRUE(save_project(moved, project));
  const std::string camera = moved.cameras[1].name;
  const std::string made =
      make({"calibrate", "people", project, "--camera", camera, "--out", path("solved.json"), "--json"});
  const json report = parse_json_or_throw(made);
  EXPECT_EQ(report["cameras"][1]["solved"], true) << json_text(report, 2);
  EXPECT_LT(report["cameras"][1]["after_px"], report["cameras"][1]["before_px"]);
  expect_report("people", made);
  expect_report("people", make({"calibrate", "people", project, "--camera", camera}));
  const Camera solved = read_calibration(path("solved.json"), {}).value().cameras[1];
  const CameraChange left = change_between(truth, solved);
  EXPECT_LT(left.head<3>().norm() * 180 / M_PI, 0.5);
  EXPECT_LT(left.segment<3>(3).norm(), 0.1);

  const auto expect = [&](std::vector<std::string> words, int code, const char* what) {
    words.insert(words.begin(), {"calibrate", "people", project});
    const Finished finished = cli(words);
    EXPECT_EQ(finished.code, code) << finished.err;
    EXPECT_NE(finished.err.find(what), std::string::npos) << finished.err;
  };
  expect({}, 2, "--camera");
  expect({"--camera", "cam9"}, 2, "cam9");
  expect({"--camera", camera, "--frames", "0:3"}, 1, "people are seen by this camera");
  expect({"--camera", camera, "--solve-lens"}, 2, "--camera all");
  const std::string lenses =
      make({"calibrate", "people", project, "--camera", "all", "--solve-lens", "--json"});
  const json with_lens = parse_json_or_throw(lenses);
  expect_report("people_lenses", lenses);
  expect_report("people_lenses", make({"calibrate", "people", project, "--camera", "all", "--solve-lens"}));
  for (const json& one : with_lens["cameras"]) {
    EXPECT_GT(one["lens"]["focal_std"], 0) << json_text(with_lens, 2);
    EXPECT_LT(std::abs(one["lens"]["focal_change"].get<double>()), 0.2);
  }
  std::vector<std::string> all_but_one;
  for (size_t c = 1; c < moved.cameras.size(); ++c)
    all_but_one.insert(all_but_one.end(), {"--camera", moved.cameras[c].name});
  expect(all_but_one, 1, "relative to two or more fixed ones");
}

// Rendered people: a camera half a degree off is corrected, and the people confirm it; a correct calibration
// is unchanged.
TEST_F(CliTest, ACalibrationIsRefinedWherePeopleSaySo) {
  copy_two_people(folder_.path());
  const std::string right = path("hall/hall.vantage"), wrong = path("hall/wrong.vantage");
  Project moved = load_project(right).value();
  const Camera truth = *moved.cameras[1].calibration;
  CameraChange change = CameraChange::Zero();
  change[1] = 1 * M_PI / 180;
  moved.cameras[1].calibration = *changed_camera(truth, change);
  ASSERT_TRUE(save_project(moved, wrong));
  const std::string camera = moved.cameras[1].name;

  const Finished mended =
      cli({"calibrate", "refine", wrong, "--camera", camera, "--out", path("better.json"), "--json"});
  ASSERT_EQ(mended.code, 0) << mended.err;
  const json report = parse_json_or_throw(mended.out);
  EXPECT_EQ(report["accepted"], true) << mended.out;
  EXPECT_LT(report["cameras"][1]["people"]["after_px"], report["cameras"][1]["people"]["before_px"]);
  expect_report("refine", mended.out);
  const Camera solved = read_calibration(path("better.json"), {}).value().cameras[1];
  EXPECT_LT(change_between(truth, solved).head<3>().norm() * 180 / M_PI, 0.5);

  const Finished kept = cli({"calibrate", "refine", right, "--camera", camera, "--out", path("none.json")});
  ASSERT_EQ(kept.code, 0) << kept.err;
  EXPECT_NE(kept.out.find("nothing better than the given calibration was found"), std::string::npos)
      << kept.out;
  expect_report("refine", kept.out);
  EXPECT_FALSE(std::filesystem::exists(path("none.json")));

  const Finished compared = cli({"calibrate", "compare", right, wrong, right, "--people", "--json"});
  ASSERT_EQ(compared.code, 0) << compared.err;
  const json people = parse_json_or_throw(compared.out)["people"];
  EXPECT_GT(people["same"], 0) << compared.out;
  EXPECT_LT(people["b"]["outlines_px"], people["a"]["outlines_px"]) << compared.out;
  EXPECT_EQ(people["figures"][0]["b_is"], "better") << compared.out;
  expect_report("compare_people", compared.out);
  expect_report("compare_people", cli({"calibrate", "compare", right, wrong, right, "--people"}).out);

  const auto expect = [&](const std::vector<std::string>& words, int code, const char* what) {
    const Finished finished = cli(words);
    EXPECT_EQ(finished.code, code) << finished.err;
    EXPECT_NE(finished.err.find(what), std::string::npos) << finished.err;
  };
  expect({"calibrate", "refine", right, "--camera", "cam9"}, 2, "cam9");
  expect({"calibrate", "refine", right, "--by", "points"}, 1, "no points were clicked");
  expect({"calibrate", "refine", right, "--by", "boards"}, 2, "--by");
  expect({"calibrate", "refine", right, "--by", "people", "--points", "x.csv"}, 2, "--points");
  expect({"calibrate", "refine", right, "--by", "points", "--backend", "cpu"}, 2, "--backend");
  expect({"calibrate", "refine", right, "--by", "points", "--set", "people.lowest_m=1"}, 2, "--set");
  expect({"calibrate", "compare", right, wrong, "--gt", "x"}, 2, "--people");
}

double turned_degrees(const Camera& from, const Camera& to) {
  return change_between(from, to).head<3>().norm() * 180 / M_PI;
}

// A bumped camera in a rendered recording is found to the frame, and solved as in the ground truth.
TEST_F(CliTest, ABumpedCameraIsFoundAndSolved) {
  const Finished rendered =
      cli({"synth", "--out", path("hall"), "--cameras", "2", "--people", "2", "--area", "4", "--size",
           "480x360", "--seconds", "6", "--frame-rate", "12.5", "--bumped", "cam2:3:-1.5"});
  ASSERT_EQ(rendered.code, 0) << rendered.err;
  const std::string project = path("hall/hall.vantage");
  const Finished found = cli({"calibrate", "bumped", project, "--out", path("after.json"), "--json"});
  ASSERT_EQ(found.code, 0) << found.err;
  const json report = parse_json_or_throw(found.out);
  EXPECT_TRUE(report["cameras"][0]["jumps"].empty()) << json_text(report, 2);
  ASSERT_EQ(report["cameras"][1]["jumps"].size(), 1u) << json_text(report, 2);
  const json& jump = report["cameras"][1]["jumps"][0];
  EXPECT_EQ(jump["first_frame_after"], 38);
  EXPECT_EQ(jump["solved"], true);
  EXPECT_NEAR(jump["turned_deg"].get<double>(), 1.5, 0.1);
  EXPECT_LT(10 * jump["after_px"].get<double>(), jump["before_px"].get<double>());
  expect_report("bumped", found.out);
  expect_report("bumped", cli({"calibrate", "bumped", project}).out);
  const Camera solved = read_calibration(path("after.json"), {}).value().cameras[1];
  const Camera truth = read_calibration(path("hall/truth/calibration_after.json"), {}).value().cameras[1];
  const CameraChange left = change_between(truth, solved);
  EXPECT_LT(left.head<3>().norm() * 180 / M_PI, 0.1);
  EXPECT_LT(left.segment<3>(3).norm(), 1e-6);

  // Applied to the project, it is known from the jump on, and nothing is left to find.
  ASSERT_EQ(cli({"calibrate", "bumped", project, "--apply"}).code, 0);
  const Project bumped = load_project(project).value();
  ASSERT_EQ(bumped.cameras[1].later_calibrations.size(), 1u);
  EXPECT_EQ(bumped.cameras[1].later_calibrations[0].from_frame, 38);
  EXPECT_LT(turned_degrees(bumped.calibrations(38)[1], solved), 1e-6);
  const json known = parse_json_or_throw(cli({"calibrate", "bumped", project, "--json"}).out);
  EXPECT_EQ(known["cameras"][1]["jumps"][0]["in_project"], true);
  EXPECT_LT(known["cameras"][1]["jumps"][0]["project_misses_px"].get<double>(), 1);
  const Finished checked = cli({"check", project, "--json"});
  const json items = parse_json_or_throw(checked.out)["checks"];
  const auto view = std::find_if(items.begin(), items.end(), [](const json& item) {
    return item["check"] == "view" && item["camera"] == "cam2";
  });
  ASSERT_NE(view, items.end()) << checked.out;
  EXPECT_EQ((*view)["verdict"], "passed") << json_text(*view, 2);
  const Finished compared = cli({"calibrate", "compare", project, project + "@38", "--json"});
  ASSERT_EQ(compared.code, 0) << compared.err;
  const json cameras = parse_json_or_throw(compared.out)["cameras"];
  EXPECT_NEAR(cameras[1]["turned_deg"].get<double>(), 1.5, 0.1) << compared.out;
  EXPECT_EQ(cli({"calibrate", "compare", project, project + "@x"}).code, 2);

  // Only cameras with a changed pose get a later calibration, here by hand.
  ASSERT_EQ(
      cli({"calibrate", "apply", project, path("hall/truth/calibration_after.json"), "--from", "50"}).code,
      0);
  const Project twice = load_project(project).value();
  EXPECT_TRUE(twice.cameras[0].later_calibrations.empty());
  EXPECT_EQ(twice.calibration_changes(), (std::vector<int64_t>{38, 50}));
  EXPECT_EQ(cli({"calibrate", "apply", project, path("after.json"), "--from", "-3"}).code, 2);

  // Nothing is written for a camera with an unchanged pose.
  Project one_for_all = twice;
  one_for_all.cameras[1].later_calibrations.clear();
  ASSERT_TRUE(save_project(one_for_all, project));
  const Finished still =
      cli({"calibrate", "bumped", project, "--camera", "cam1", "--out", path("none.json")});
  EXPECT_EQ(still.code, 1);
  EXPECT_NE(still.err.find("no camera was bumped"), std::string::npos) << still.err;
  EXPECT_FALSE(std::filesystem::exists(path("none.json")));
  EXPECT_EQ(cli({"calibrate", "bumped", project, "--camera", "cam9"}).code, 2);
  for (const char* wrong : {"cam2", "cam2:3", "2:3:1", "cam2:3:1x"})
    EXPECT_EQ(cli({"synth", "--out", path("other"), "--bumped", wrong}).code, 2) << wrong;
}

}  // namespace
}  // namespace vantage
