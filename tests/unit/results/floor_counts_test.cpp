// Counts of a project's zones and lines: a ring of cameras around the origin, and people who walk along x.
#include "core/results/floor_counts.h"

#include <gtest/gtest.h>

#include "core/base/file.h"
#include "core/display/floor_picture.h"
#include "core/geometry/camera.h"
#include "core/results/measured_parts.h"
#include "core/results/results_paths.h"
#include "tests/support/camera_ring.h"
#include "tests/support/data.h"

namespace vantage {
namespace {

Project ring_project() {
  Project project;
  project.parameters = default_parameters();
  for (const Camera& camera : test::camera_ring({})) {
    ProjectCamera& added = project.cameras.emplace_back();
    added.name = "cam" + std::to_string(project.cameras.size());
    added.calibration = camera;
  }
  project.grid = VoxelGrid{{-1, -1, 0}, 0.05, 40, 40, 40};
  project.zones = {{"middle", {{-0.21, -0.21}, {0.21, -0.21}, {0.21, 0.21}, {-0.21, 0.21}}},
                   {"far, \"away\"", {{5, 5}, {6, 5}, {6, 6}}}};
  project.lines = {{"door", {0, -0.3}, {0, 0.3}}, {"long", {0, 0}, {0, 9}}};
  return project;
}

// One person walks from x = -0.5 to 0.48 in 50 frames; frame 20 is not known, 60 to 69 are not analysed.
RecordedPeople walking() {
  RecordedPeople people;
  people.frame_rate = 25;
  PersonPath path{7, {}};
  for (int64_t frame = 0; frame < 80; ++frame) {
    if (frame >= 60 && frame < 70) continue;
    people.frames.push_back(frame);
    if (frame != 20) people.known_frames.push_back(frame);
    if (frame < 50)
      path.points.push_back({frame, -0.5 + 0.02 * static_cast<double>(frame), 0, 1.7, 0.9, true});
  }
  people.paths = {path};
  return people;
}

// All cameras are turned away in frames 30 to 59.
Project looking_away() {
  Project project = ring_project();
  for (ProjectCamera& camera : project.cameras) {
    CameraChange away = CameraChange::Zero();
    away[1] = M_PI;
    camera.later_calibrations = {{30, *changed_camera(*camera.calibration, away)}, {60, *camera.calibration}};
  }
  return project;
}

// Files count frames from 1.
TEST(MeasuredParts, CamerasThatSeeAPositionAreThoseOfItsFrame) {
  std::vector<TrackRow> rows;
  for (int64_t frame = 1; frame <= 80; ++frame) {
    TrackRow& row = rows.emplace_back();
    row.frame = frame, row.id = 1;
  }
  const auto tracks = MatchedTracks::make(rows, rows, {TrackSpace::world, 0.5});
  ASSERT_TRUE(tracks) << tracks.error().message();
  const Project project = looking_away();
  MeasureOptions options;
  options.project = &project;
  const auto measured = measure_parts(*tracks, MeasuredBy::cameras, options);
  ASSERT_TRUE(measured) << measured.error().message();
  ASSERT_EQ(measured->parts.size(), 2u);
  EXPECT_EQ(measured->parts[0].name, "0");
  EXPECT_EQ(measured->parts[0].first_frame, 30);
  EXPECT_EQ(measured->parts[0].last_frame, 59);
  EXPECT_EQ(measured->parts[1].name, std::to_string(project.cameras.size()));
  EXPECT_EQ(measured->parts[1].frames.size(), 50u);
}

// A zone is covered only if it is in every span.
TEST(FloorCounts, CoverageIsThatOfTheWorstSpan) {
  const Project project = looking_away();
  const auto covered = covered_shares(project);
  ASSERT_TRUE(covered) << covered.error().message();
  EXPECT_EQ(covered->zones[0], 0);
  EXPECT_EQ(covered->lines[0], 0);
}

TEST(FloorCounts, AreUnknownWhereCamerasDoNotCover) {
  const Project project = ring_project();
  const auto covered = covered_shares(project);
  ASSERT_TRUE(covered) << covered.error().message();
  EXPECT_EQ(covered->zones[0], 1);
  EXPECT_EQ(covered->zones[1], 0) << "outside of what is analysed";
  EXPECT_EQ(covered->lines[0], 1);
  EXPECT_LT(covered->lines[1], 0.3);
  const RecordedPeople people = walking();
  const FloorCounts counts = count_floor(people, project, *covered);

  const ZoneCount& middle = counts.zones[0];
  ASSERT_EQ(middle.visits.size(), 1u);
  EXPECT_EQ(middle.visits[0].first_frame, 15);
  EXPECT_EQ(middle.visits[0].last_frame, 35);
  ASSERT_EQ(middle.people.size(), people.frames.size());
  EXPECT_EQ(middle.people[16], 1);
  EXPECT_EQ(middle.people[20], std::nullopt) << "a frame whose people are unknown";
  EXPECT_EQ(middle.people[50], 0);
  EXPECT_NEAR(*middle.mean_people, 20.0 / 69, 1e-9);
  EXPECT_EQ(middle.max_people, 1);
  EXPECT_NEAR(*middle.mean_stay_s, 21 / 25.0, 1e-9);
  EXPECT_FALSE(counts.zones[1].mean_people || counts.zones[1].max_people);
  EXPECT_EQ(counts.zones[1].people[0], std::nullopt);

  EXPECT_EQ(counts.lines[0].to_right, 1)
      << "who looks from the first end to the second sees x grow to the right";
  EXPECT_EQ(counts.lines[0].to_left, 0);
  EXPECT_TRUE(counts.lines[0].covered());
  EXPECT_FALSE(counts.lines[1].covered());
}

TEST(FloorCounts, AreWrittenAsTables) {
  const Project project = ring_project();
  const RecordedPeople people = walking();
  const FloorCounts counts = count_floor(people, project, {{1, 0}, {1, 0.2}});
  const test::TemporaryFolder folder;
  ASSERT_TRUE(write_counts(folder.path() / "counts", people, project, counts));
  const auto text = [&](const char* name) { return read_file(folder.path() / "counts" / name).value_or(""); };
  EXPECT_TRUE(text("crossings.csv").starts_with("line,frame,time_s,person,way,x_m,y_m\ndoor,2"));
  EXPECT_NE(text("zones.csv").find("middle,16,0.640,1\n"), std::string::npos);
  EXPECT_NE(text("zones.csv").find("middle,20,0.800,\n"), std::string::npos);
  EXPECT_NE(text("zones.csv").find("\"far, \"\"away\"\"\",0,0.000,\n"), std::string::npos);
  EXPECT_EQ(text("visits.csv"),
            "zone,person,first_frame,last_frame,first_s,last_s,stay_s\nmiddle,7,15,35,0.600,1.400,0.840\n");
  EXPECT_NE(text("people.csv").find("\n7,0,49,0.980,"), std::string::npos);
}

TEST(FloorCounts, AreWrittenWithTimesOfDayAndNames) {
  const Project project = ring_project();
  RecordedPeople people = walking();
  people.clock = parse_clock("2026-05-01T23:59:59+02:00").value();
  people.names = {{7, "Anna \"A\" Berg"}};
  const FloorCounts counts = count_floor(people, project, {{1, 0}, {1, 0.2}});
  EXPECT_EQ(visits_csv(people, project, counts),
            "zone,person,first_frame,last_frame,first_s,last_s,stay_s,first_time,last_time,name\n"
            "middle,7,15,35,0.600,1.400,0.840,2026-05-01 23:59:59.600 +02:00,2026-05-02 00:00:00.400 +02:00,"
            "\"Anna \"\"A\"\" Berg\"\n");
  EXPECT_TRUE(
      crossings_csv(people, project, counts).starts_with("line,frame,time_s,person,way,x_m,y_m,time,name\n"));
  EXPECT_NE(zones_csv(people, project, counts).find("middle,16,0.640,1,2026-05-01 23:59:59.640 +02:00\n"),
            std::string::npos);
  EXPECT_TRUE(walks_csv(people).ends_with(",\"Anna \"\"A\"\" Berg\"\n"));
}

TEST(Repaired, NamesAreATableBesideTheTracks) {
  const test::TemporaryFolder folder;
  ASSERT_TRUE(write_file_atomically(folder.path() / "tracks.csv", path_rows(walking().paths)));
  const PathPoint first = walking().paths[0].points[0];
  const IdentityRepair name{RepairKind::name, {first.frame, first.x_m, first.y_m}, {}, "Anna"};
  const auto names = [&] { return read_file(folder.path() / "names.csv").value_or("none"); };
  ASSERT_TRUE(write_repaired(folder.path(), {name}));
  EXPECT_EQ(names(), "person,name\n7,Anna\n");
  ASSERT_TRUE(write_repaired(folder.path(), {{RepairKind::remove, name.at, {}}, name}));
  EXPECT_EQ(names(), "none") << "nobody is left who could have it";
  ASSERT_TRUE(write_repaired(folder.path(), {name}));
  ASSERT_TRUE(write_repaired(folder.path(), {}));
  EXPECT_EQ(names(), "none");
}

TEST(FloorUsePicture, ShowsWhoeverWasThere) {
  const RecordedPeople people = walking();
  const FloorUse use = floor_use(people.paths, {-1, -1, 0.1, 20, 20}, people.frame_rate);
  for (const FloorUseKind kind : kFloorUseKinds) {
    SCOPED_TRACE(floor_use_name(kind));
    const FloorUseMap map = floor_use_map(use, kind);
    EXPECT_GT(map.full, 0);
    const FloorPicture picture = floor_use_picture(map);
    int shown = 0, passed = 0;
    for (size_t i = 0; i < use.people.size(); ++i) {
      passed += use.people[i] > 0;
      shown += picture.rgba[4 * i + 3] > 0;
      EXPECT_EQ(use.people[i] > 0, map.shares[i] > 0);
    }
    EXPECT_EQ(shown, passed);
    EXPECT_GE(passed, 9);
    const auto plate = floor_use_plate(map);
    ASSERT_TRUE(plate);
    EXPECT_EQ(plate->width(), 3 * 640);
    EXPECT_GT(plate->height(), 640);
  }
  EXPECT_EQ(floor_use_map(use, FloorUseKind::trails).full, 1);
  EXPECT_NEAR(floor_use_map(use, FloorUseKind::speed).full, 0.5, 1e-6) << "m/s";
  const FloorUse nobody = floor_use({}, {-1, -1, 0.1, 20, 20}, 25);
  EXPECT_EQ(floor_use_map(nobody, FloorUseKind::dwell).full, 0);
}

}  // namespace
}  // namespace vantage
