#include "core/project/project.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <iostream>
#include <random>

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/log.h"
#include "core/geometry/camera.h"
#include "core/project/camera_in_time.h"
#include "core/project/change_world.h"
#include "core/project/missing_files.h"
#include "tests/support/data.h"

namespace vantage {
namespace {

using nlohmann::json;

Camera some_camera(const std::string& name) {
  PinholeCamera<double> model;
  model.width_px = 640, model.height_px = 480;
  model.fx_px = 501.25, model.fy_px = 502.5, model.cx_px = 320.1, model.cy_px = 239.9;
  model.k1 = -0.1, model.k2 = 0.01, model.p1 = 1e-4, model.p2 = -2e-4, model.k3 = 1e-3;
  model.translation_cam_from_world_m[2] = 3.0 / 7.0;
  return Camera::make(name, model).value();
}

class ProjectTest : public testing::Test {
 protected:
  Project some_project() const {
    Project project;
    project.parameters = default_parameters();
    for (const char* name : {"cam1", "cam2"}) {
      ProjectCamera camera;
      camera.name = name;
      camera.video = (folder_.path() / "videos" / (camera.name + ".mp4")).string();
      camera.calibration = some_camera(name);
      project.cameras.push_back(camera);
    }
    project.cameras[1].background = (folder_.path() / "empty.mp4").string();
    project.cameras[1].offset_frames = -3.25;
    project.cameras[1].frame_rate = 29.97;
    project.cameras[1].offset_changes = {{120, -6}, {900, -2.5}};
    project.cameras[1].offset_confirmed = true;
    project.cameras[1].live_delay_s = 0.32;
    project.grid = VoxelGrid{{-1.5, -2, 0}, 0.03, 100, 90, 70};
    project.boxes = {{"crate", {{0.5, -0.25, 0.75}, {0.4, 0.6, 1.8}, 12.5}},
                     {"door", {{2, 0, 0}, {0.9, 0.1, 2.01}, 0}}};
    project.points = {{"A", {{"cam1", {12.5, 1.0 / 3}}, {"cam2", {7, 8}}}, Eigen::Vector3d(1, -2, 0.125)},
                      {"B", {}, {}}};
    project.measures = {{MeasureKind::distance, {{"cam1", {3.5, 4}}, {"", {0.25, -1}}}},
                        {MeasureKind::angle, {{"", {0, 0}}, {"", {1, 0}}, {"cam2", {9, 8}}}}};
    project.zones = {{"shop", {{0, 0}, {2.5, 0}, {2.5, 1.25}}}};
    project.lines = {{"door", {0, 0.5}, {0, 2}}};
    project.rules = {
        {"in", RuleKind::enters, "shop", CrossingWay::either, 0, 0.4, 1},
        {"out of it", RuleKind::crosses, "door", CrossingWay::to_left, 0, 0, 0},
        {"runs", RuleKind::faster_than, "", CrossingWay::either, 2.5, 0, 0},
    };
    project.repairs = {{RepairKind::join, {310, 1.25, 3.5}, {352, 1.5, 3}},
                       {RepairKind::split, {600, 0, -2}, {}},
                       {RepairKind::name, {20, 1.5, -2}, {}, "Anna"}};
    project.bookmarks = {{12, "bag", Eigen::Vector2d(1.25, -0.5)}, {310, "", {}}};
    project.truth = {{2, 1.75, {{0, 1.25, -0.5}, {40, 2, 0.125, true}, {90, 2, 1}}}, {5, 0, {{7, 0, 0}}}};
    project.clock = parse_clock("2026-05-01T14:32:05.04+02:00").value();
    project.cameras[1].board_pictures = (folder_.path() / "boards" / "cam2.mp4").string();
    project.cameras[1].ignored = {{{{0, 0}, {99.25, 0}, {0, 1.0 / 3}}},
                                  {{{-5, 7}, {20, 7}, {20, 30}, {-5, 30}}}};
    project.boards.boards = boards_alike(grid_of_tags(6, 4, {"DICT_APRILTAG_36h11", 0.03, 0.009, 4}), 2);
    project.boards.boards.push_back({7, 5, 0.05, BoardMarkers{"DICT_4X4_250", 0.037, 12}});
    project.boards.hand_held = {(folder_.path() / "phone.mp4").string()};
    project.boards.solve_lens = false, project.boards.still = true;
    project.boards.board_above_floor_m = 0.004;
    EXPECT_TRUE(project.parameters.set("carving", "threshold", 0.6));
    return project;
  }
  json saved(const Project& project) const {
    EXPECT_TRUE(save_project(project, file_));
    return parse_json_or_throw(read_file(file_).value());
  }
  Result<Project> load(const std::string& text) const {
    EXPECT_TRUE(write_file_atomically(file_, text));
    return load_project(file_);
  }

  const test::TemporaryFolder folder_;
  const std::filesystem::path file_ = folder_.path() / "hall.vantage";
};

Camera turned_by(const Camera& camera, double tilt_rad) {
  CameraChange change = CameraChange::Zero();
  change[0] = tilt_rad;
  return changed_camera(camera, change).value();
}

double turned_rad(const Camera& from, const Camera& to) {
  return change_between(from, to).head<3>().norm();
}

TEST_F(ProjectTest, ACameraStandsOtherwiseFromAFrameOn) {
  Project project = some_project();
  ProjectCamera& bumped = project.cameras[1];
  add_later_calibration(&bumped, 300, turned_by(*bumped.calibration, 0.3));
  add_later_calibration(&bumped, 120, turned_by(*bumped.calibration, 0.1));
  add_later_calibration(&bumped, 300, turned_by(*bumped.calibration, 0.2));
  ASSERT_EQ(bumped.later_calibrations.size(), 2u);
  EXPECT_EQ(project.calibration_changes(), (std::vector<int64_t>{120, 300}));
  saved(project);
  const Result<Project> loaded = load_project(file_);
  ASSERT_TRUE(loaded) << loaded.error().message();
  EXPECT_FALSE(difference(project, *loaded).any());
  EXPECT_TRUE(loaded->unknown_keys.empty()) << loaded->unknown_keys;
  const Camera& first = *loaded->cameras[1].calibration;
  for (const auto& [frame, turn_rad] : {std::pair(0, 0.0), {119, 0.0}, {120, 0.1}, {299, 0.1}, {300, 0.2}}) {
    EXPECT_NEAR(turned_rad(first, loaded->calibrations(frame)[1]), turn_rad, 1e-9) << frame;
    EXPECT_EQ(turned_rad(*loaded->cameras[0].calibration, loaded->calibrations(frame)[0]), 0) << frame;
  }
  const Project then = project_at(*loaded, 200);
  EXPECT_TRUE(then.calibration_changes().empty());
  EXPECT_NEAR(turned_rad(first, *then.cameras[1].calibration), 0.1, 1e-9);

  Project other = *loaded;
  other.cameras[1].later_calibrations.pop_back();
  EXPECT_TRUE(difference(*loaded, other).recording) << "the analysis is another one";
}

// A better calibration from the beginning also improves those after a bump.
TEST_F(ProjectTest, ABumpStaysWhatItWasWhereTheFirstCalibrationIsReplaced) {
  Project project = some_project();
  ProjectCamera& camera = project.cameras[1];
  const Camera before = *camera.calibration;
  add_later_calibration(&camera, 120, turned_by(before, 0.1));
  PinholeCamera<double> model = turned_by(before, -0.02).model();
  model.fx_px *= 1.01;
  const Camera better = Camera::make("cam2", model).value();
  replace_calibration(&camera, better);
  EXPECT_NEAR(turned_rad(better, camera.later_calibrations[0].camera), 0.1, 1e-9);
  EXPECT_EQ(camera.later_calibrations[0].camera.model().fx_px, model.fx_px) << "of the same lens";
  replace_calibration_at(&camera, 150, before);
  EXPECT_EQ(turned_rad(before, camera.later_calibrations[0].camera), 0);
  EXPECT_EQ(turned_rad(better, *camera.calibration), 0) << "from the beginning as it was";

  WorldChange change;
  change.translation_m = {1, 2, 0};
  change_world(change, &project);
  EXPECT_LT((camera.later_calibrations[0].camera.center_in_world_m() - before.center_in_world_m() -
             Eigen::Vector3d(1, 2, 0))
                .norm(),
            1e-9);
}

TEST_F(ProjectTest, WrongLaterCalibrationsAreRefused) {
  Project project = some_project();
  add_later_calibration(&project.cameras[1], 120, *project.cameras[1].calibration);
  const json good = saved(project);
  const auto refused = [&](const std::string& what, const std::function<void(json&)>& damage) {
    json bad = good;
    damage(bad["cameras"][1]);
    const Result<Project> loaded = load(json_text(bad));
    ASSERT_FALSE(loaded) << what;
    EXPECT_NE(loaded.error().message().find(what), std::string::npos) << loaded.error().message();
  };
  refused("above 0", [](json& camera) { camera["later_calibrations"][0]["from_frame"] = 0; });
  refused("entry before",
          [](json& camera) { camera["later_calibrations"].push_back(camera["later_calibrations"][0]); });
  refused("from_frame and calibration", [](json& camera) { camera["later_calibrations"][0] = 7; });
  refused("a list", [](json& camera) { camera["later_calibrations"] = 7; });
  refused("one size", [](json& camera) { camera["later_calibrations"][0]["calibration"]["width_px"] = 320; });
  refused("only a video with a calibration", [](json& camera) { camera.erase("calibration"); });
  refused("only a video with a calibration", [](json& camera) { camera["video"] = "rtsp://camera/1"; });
}

// The panel shows the basic ones; more than three per stage are no longer basic.
TEST_F(ProjectTest, EveryStageHasOneToThreeBasicParameters) {
  const ParameterStore parameters = default_parameters();
  for (const ParameterTable* table : parameters.tables()) {
    const auto basic = std::count_if(table->entries.begin(), table->entries.end(),
                                     [](const auto& entry) { return !entry.expert; });
    EXPECT_GE(basic, 1) << table->stage;
    EXPECT_LE(basic, 3) << table->stage;
  }
}

TEST_F(ProjectTest, OneBookmarkAFrameInTheirOrder) {
  std::vector<Bookmark> bookmarks;
  for (const int64_t frame : {50, 10, 30}) set_bookmark(&bookmarks, {frame, "first", {}});
  set_bookmark(&bookmarks, {30, "second", {}});
  EXPECT_EQ(bookmarks, (std::vector<Bookmark>{{10, "first", {}}, {30, "second", {}}, {50, "first", {}}}));
  EXPECT_TRUE(remove_bookmark(&bookmarks, 10));
  EXPECT_FALSE(remove_bookmark(&bookmarks, 10));
  EXPECT_EQ(bookmarks.size(), 2U);
  Project with = some_project(), without = with;
  without.bookmarks.clear();
  EXPECT_TRUE(difference(with, without).bookmarks);
  EXPECT_TRUE(difference(with, without).any());
}

TEST_F(ProjectTest, ReadsBackWhatItWrote) {
  const Project project = some_project();
  const json document = saved(project);
  EXPECT_EQ(document["cameras"][0]["video"], "videos/cam1.mp4") << "paths are relative to the file";
  EXPECT_EQ(document["parameters"], parse_json_or_throw(R"({"carving": {"threshold": 0.6}})"))
      << "only what was changed";
  const Result<Project> loaded = load_project(file_);
  ASSERT_TRUE(loaded) << loaded.error().message();
  ASSERT_EQ(loaded->cameras.size(), 2u);
  EXPECT_EQ(loaded->cameras[0].video, project.cameras[0].video) << "and absolute in memory";
  EXPECT_EQ(loaded->cameras[1].background, project.cameras[1].background);
  EXPECT_EQ(loaded->cameras[1].offset_frames, -3.25);
  EXPECT_EQ(loaded->cameras[1].live_delay_s, 0.32);
  EXPECT_EQ(loaded->cameras[1].frame_rate, 29.97);
  EXPECT_EQ(loaded->cameras[1].offset_changes, project.cameras[1].offset_changes);
  EXPECT_TRUE(loaded->cameras[1].offset_confirmed);
  EXPECT_FALSE(loaded->cameras[0].offset_confirmed);
  EXPECT_TRUE(loaded->calibrated());
  EXPECT_EQ(loaded->cameras[0].calibration->model().translation_cam_from_world_m[2], 3.0 / 7.0)
      << "to the last bit";
  EXPECT_EQ(loaded->cameras[0].calibration->model().p2, -2e-4);
  EXPECT_EQ(loaded->grid->nz, 70);
  EXPECT_EQ(loaded->grid->origin_in_world_m[1], -2);
  EXPECT_EQ(loaded->boxes, project.boxes);
  EXPECT_EQ(loaded->points, project.points);
  EXPECT_EQ(loaded->measures, project.measures);
  EXPECT_EQ(loaded->zones, project.zones);
  EXPECT_EQ(loaded->lines, project.lines);
  EXPECT_EQ(loaded->rules, project.rules);
  EXPECT_EQ(loaded->repairs, project.repairs);
  EXPECT_EQ(loaded->bookmarks, project.bookmarks);
  EXPECT_EQ(loaded->truth, project.truth);
  EXPECT_EQ(loaded->clock, project.clock);
  EXPECT_EQ(document["board_calibration"]["hand_held"][0], "phone.mp4");
  EXPECT_EQ(document["cameras"][1]["board_pictures"], "boards/cam2.mp4");
  EXPECT_EQ(document["cameras"][1]["ignored_regions"][0]["corners_px"][1], json({99.25, 0}));
  EXPECT_FALSE(document["cameras"][0].contains("ignored_regions"));
  EXPECT_EQ(loaded->cameras[1].ignored, project.cameras[1].ignored) << "to the last bit";
  EXPECT_EQ(loaded->boards, project.boards);
  EXPECT_EQ(loaded->cameras[1].board_pictures, project.cameras[1].board_pictures);
  EXPECT_EQ(loaded->unknown_keys, "");
  EXPECT_EQ(loaded->parameters.get("carving", "threshold").value(), 0.6);
  EXPECT_EQ(loaded->results_folder(), folder_.path() / "hall.results");
  EXPECT_EQ(saved(*loaded), document);
}

TEST_F(ProjectTest, AProjectThatStatesNoBoardsIsWrittenWithoutThem) {
  Project project = some_project();
  project.boards = {}, project.cameras[1].board_pictures.clear();
  const json document = saved(project);
  EXPECT_FALSE(document.contains("board_calibration"));
  EXPECT_FALSE(document["cameras"][1].contains("board_pictures"));
  EXPECT_EQ(load(json_text(document)).value().boards, ProjectBoards());
}

TEST_F(ProjectTest, TellsWhatChanged) {
  const Project project = some_project();
  EXPECT_FALSE(difference(project, project).any());
  EXPECT_FALSE(difference(project, load(json_text(saved(project))).value()).any());
  const auto changed = [&](auto change) {
    Project other = project;
    change(other);
    const ProjectChange c = difference(project, other);
    EXPECT_EQ(c.delays, project.live_delays_s() != other.live_delays_s());
    EXPECT_EQ(c.points, project.points != other.points);
    EXPECT_EQ(c.clock, project.clock != other.clock);
    EXPECT_EQ(c.measures, project.measures != other.measures);
    EXPECT_EQ(c.truth, project.truth != other.truth);
    EXPECT_EQ(c.boards, project.boards != other.boards || !other.cameras[0].board_pictures.empty() ||
                            other.cameras.back().board_pictures.empty());
    return std::array{c.recording, c.parameters, c.boxes, c.floor, c.repairs};
  };
  using What = std::array<bool, 5>;
  const What recording{true}, parameters{false, true}, box{false, false, true};
  const What floor{false, false, false, true}, repairs{false, false, false, false, true};
  EXPECT_EQ(changed([](Project& p) { p.cameras[1].offset_frames += 1; }), recording);
  EXPECT_EQ(changed([](Project& p) { p.cameras[1].live_delay_s = 0; }), What{}) << "no other recording";
  EXPECT_EQ(changed([](Project& p) { p.cameras.pop_back(); }), recording);
  EXPECT_EQ(changed([](Project& p) { p.cameras[0].calibration.reset(); }), recording);
  EXPECT_EQ(changed([](Project& p) { p.cameras[0].calibration = some_camera("cam1"); }), What{});
  EXPECT_EQ(changed([](Project& p) { p.cameras[0].ignored = {{{{0, 0}, {9, 0}, {0, 9}}}}; }), recording);
  EXPECT_EQ(changed([](Project& p) { p.grid->nx += 1; }), recording);
  EXPECT_EQ(changed([](Project& p) { p.grid.reset(); }), recording);
  EXPECT_EQ(changed([](Project& p) { p.parameters.reset("carving", "threshold"); }), parameters);
  EXPECT_EQ(changed([](Project& p) { p.boxes[1].box.turn_degrees += 1; }), box);
  EXPECT_EQ(changed([](Project& p) { p.points[0].clicks[0].at_px.x() += 1; }), What{});
  EXPECT_EQ(changed([](Project& p) { p.zones[0].corners_m[0].x() += 1; }), floor);
  EXPECT_EQ(changed([](Project& p) { p.rules.pop_back(); }), floor);
  EXPECT_EQ(changed([](Project& p) { p.repairs.pop_back(); }), repairs);
  EXPECT_EQ(changed([](Project& p) { p.clock.reset(); }), What{});
  EXPECT_EQ(changed([](Project& p) { p.measures.pop_back(); }), What{});
  EXPECT_EQ(changed([](Project& p) { p.truth[0].keys.pop_back(); }), What{});
  EXPECT_EQ(changed([](Project& p) { p.boards.boards[2].markers->first_id = 40; }), What{});
  EXPECT_EQ(changed([](Project& p) { p.cameras[0].board_pictures = "/b.mp4"; }), What{});
  EXPECT_EQ(changed([](Project& p) { p.path = "/elsewhere/hall.vantage"; }), What{});
}

TEST_F(ProjectTest, UnknownKeysWarnAndSurvive) {
  json document = saved(some_project());
  document["remark"] = {{"by", "me"}, {"of", {1, 2, 3}}};
  document["cameras"][1]["colour"] = "red";
  document["cameras"][1]["calibration"]["temperature"] = 21.5;
  document["grid"]["padding"] = nullptr;
  document["parameters"]["carving"]["smoothing"] = 3;
  document["parameters"]["heads"] = {{"scale/step", 1.2}};
  std::vector<std::string> warnings;
  set_log_listener([&](LogLevel level, const std::string& text) {
    if (level == LogLevel::warning) warnings.push_back(text);
  });
  Result<Project> loaded = load(json_text(document));
  set_log_listener({});
  ASSERT_TRUE(loaded) << loaded.error().message();
  EXPECT_EQ(warnings.size(), 6u);
  EXPECT_EQ(saved(*loaded), document);
  std::swap(loaded->cameras[0], loaded->cameras[1]);
  const json swapped = saved(*loaded);
  EXPECT_EQ(swapped["cameras"][0]["colour"], "red") << "a camera's keys follow it";
  EXPECT_FALSE(swapped["cameras"][1].contains("colour"));
  loaded->cameras.erase(loaded->cameras.begin());
  EXPECT_EQ(saved(*loaded)["cameras"].size(), 1u) << "and go with it";
}

TEST_F(ProjectTest, AFormerProjectsOneBoxIsRead) {
  json document = saved(some_project());
  json box = document["boxes"][0];
  box.erase("name");
  document.erase("boxes");
  document["box"] = box;
  const Result<Project> loaded = load(json_text(document));
  ASSERT_TRUE(loaded) << loaded.error().message();
  ASSERT_EQ(loaded->boxes.size(), 1u);
  EXPECT_EQ(loaded->boxes[0], (NamedBox{"box 1", some_project().boxes[0].box}));
  const json again = saved(*loaded);
  EXPECT_FALSE(again.contains("box"));
  EXPECT_EQ(again["boxes"].size(), 1u);
}

TEST_F(ProjectTest, ANewerSchemaIsRefused) {
  json document = saved(some_project());
  document["schema"] = "vantage-project-2";
  const Result<Project> loaded = load(json_text(document));
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().kind, ErrorKind::unsupported);
  EXPECT_NE(loaded.error().message().find("newer version"), std::string::npos) << loaded.error().message();
  for (const char* schema : {"", "vantage-project-", "vantage-project-x", "vantage-calibration-1"}) {
    document["schema"] = schema;
    EXPECT_EQ(load(json_text(document)).error().kind, ErrorKind::bad_data) << schema;
  }
}

TEST_F(ProjectTest, WrongTypesAreNamedWithTheirPlace) {
  const json document = saved(some_project());
  const std::pair<const char*, json> cases[] = {{"/cameras", 3},
                                                {"/cameras", json::array()},
                                                {"/cameras/0", "cam1"},
                                                {"/cameras/0/name", ""},
                                                {"/cameras/1/name", "cam1"},
                                                {"/cameras/0/video", json::array()},
                                                {"/cameras/1/offset_frames", "many"},
                                                {"/cameras/1/frame_rate", -1},
                                                {"/cameras/1/live_delay_s", 11},
                                                {"/box", 3},
                                                {"/boxes", 3},
                                                {"/boxes/0", "crate"},
                                                {"/boxes/0/name", ""},
                                                {"/boxes/1/name", "crate"},
                                                {"/points", 3},
                                                {"/points/0/known_m", {1, 2}},
                                                {"/points/0/clicks/0/at_px", 3},
                                                {"/points/0/clicks/1/camera", "cam1"},
                                                {"/measures/0/kind", "weight"},
                                                {"/measures/1/clicks", json::array()},
                                                {"/measures/0/clicks/0/at_px", 3},
                                                {"/zones", 3},
                                                {"/zones/0/corners_m", {{1, 2}, {3, 4}}},
                                                {"/zones/0/corners_m/1", {1, 2, 3}},
                                                {"/lines/0/to_m", {0, 0.5}},
                                                {"/rules/0/kind", "sings"},
                                                {"/rules/1/name", "in"},
                                                {"/repairs/0/kind", "merge"},
                                                {"/repairs/1/at", "here"},
                                                {"/repairs/2/name", 7},
                                                {"/truth", 3},
                                                {"/truth/0/id", 0},
                                                {"/truth/1/id", 2},
                                                {"/truth/0/keys", json::array()},
                                                {"/truth/0/keys/0/frame", -1},
                                                {"/truth/0/keys/1/place_m", "here"},
                                                {"/board_calibration", 7},
                                                {"/board_calibration/boards", "two"},
                                                {"/board_calibration/boards/0/tag_columns", -3},
                                                {"/board_calibration/boards/0/tag_m", 0},
                                                {"/board_calibration/boards/1/first_tag", 1.5},
                                                {"/board_calibration/boards/2/square_m", "wide"},
                                                {"/board_calibration/boards/2/size", 3},
                                                {"/board_calibration/hand_held/0", 3},
                                                {"/board_calibration/lens_model", "round"},
                                                {"/board_calibration/out_of_step", true},
                                                {"/board_calibration/tilted", true},
                                                {"/cameras/0/board_pictures", 3},
                                                {"/cameras/0/ignored_regions", 3},
                                                {"/cameras/1/ignored_regions/0", {1, 2}},
                                                {"/cameras/1/ignored_regions/1/corners_px", {{0, 0}, {1, 0}}},
                                                {"/cameras/1/ignored_regions/1/corners_px/2", {0, "far"}},
                                                {"/clock", 7},
                                                {"/clock", "14:32"},
                                                {"/boxes/0/base_in_world_m", {1, 2}},
                                                {"/boxes/1/size_m", {0.5, 0, 1}},
                                                {"/boxes/1/turn_degrees", "left"},
                                                {"/cameras/0/calibration", 1},
                                                {"/cameras/0/calibration/fx_px", "wide"},
                                                {"/cameras/0/calibration/rotation_cam_from_world", {1, 2}},
                                                {"/grid", true},
                                                {"/grid/voxel_size_m", 0},
                                                {"/grid/size_voxels", {1, 2}},
                                                {"/grid/size_voxels", {1, 2.5, 3}},
                                                {"/grid/size_voxels", {-1, 2, 3}},
                                                {"/grid/size_voxels", {1000000000, 1000000000, 1000000000}},
                                                {"/grid/origin_in_world_m", "here"},
                                                {"/parameters", 0},
                                                {"/parameters/carving", 0},
                                                {"/parameters/carving/threshold", "much"},
                                                {"/parameters/carving/threshold", 7},
                                                {"/parameters/carving/threshold", nullptr}};
  for (const auto& [place, value] : cases) {
    json broken = document;
    broken[json::json_pointer(place)] = value;
    const Result<Project> loaded = load(json_text(broken));
    ASSERT_FALSE(loaded) << place << " = " << value;
    EXPECT_NE(loaded.error().message().find(file_.string()), std::string::npos);
    EXPECT_NE(loaded.error().message().find(std::string(place).substr(0, 6)), std::string::npos)
        << loaded.error().message();
  }
}

TEST_F(ProjectTest, NothingThatAFileHoldsThrows) {
  const std::string text = json_text(saved(some_project()));
  for (size_t length = 0; length < text.size(); length += 3)
    EXPECT_FALSE(load(text.substr(0, length))) << "cut at " << length;
  const unsigned seed = std::random_device{}();
  std::cout << "seed " << seed << "\n";
  std::mt19937 random(seed);
  set_log_level(LogLevel::error);
  for (int i = 0; i < 300; ++i) {
    std::string damaged = text;
    for (int k = 0; k < 3; ++k) damaged[random() % damaged.size()] = static_cast<char>(random());
    static_cast<void>(load(damaged));
  }
  set_log_level(LogLevel::info);
  EXPECT_FALSE(load("[" + std::string(200000, '[')));
  EXPECT_FALSE(load(R"({"schema": "vantage-project-1", "cameras": 1e999})"));
  EXPECT_FALSE(load_project(folder_.path()));
}

TEST_F(ProjectTest, MissingVideosAreToldCameraByCamera) {
  const Status missing = check_project_files(some_project());
  ASSERT_FALSE(missing);
  const std::string message = missing.error().message();
  for (const char* part : {"cam1's video", "videos/cam1.mp4", "cam2's video", "empty.mp4", "relink"})
    EXPECT_NE(message.find(part), std::string::npos) << message;
  Project project = some_project();
  for (ProjectCamera& camera : project.cameras) {
    camera.video = (folder_.path() / "img_%04d.png").string();
    camera.background.clear();
  }
  EXPECT_TRUE(check_project_files(project)) << "a pattern is looked up when it is opened";
}

TEST_F(ProjectTest, AddressesStayAsTheyAre) {
  Project project = some_project();
  project.cameras[0].video = "rtsp://camera.example/stream";
  EXPECT_EQ(saved(project)["cameras"][0]["video"], "rtsp://camera.example/stream");
  EXPECT_EQ(load_project(file_)->cameras[0].video, "rtsp://camera.example/stream");
}

TEST_F(ProjectTest, NamesThatAreNoTextAreRefusedOnSaving) {
  Project project = some_project();
  project.cameras[0].name = "cam\xff";
  EXPECT_FALSE(save_project(project, file_));
  EXPECT_FALSE(std::filesystem::exists(file_));
}

}  // namespace
}  // namespace vantage
