// People through the real chain: found, followed, and where the search stopped.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/algorithms.h"
#include "core/base/file.h"
#include "core/metrics/tracking_metrics.h"
#include "core/people/occupancy/marginals.h"
#include "core/pipeline/detail/person_motion.h"
#include "core/pipeline/stages/stage_types.h"
#include "core/run/analysis.h"
#include "core/synth/synth.h"
#include "tests/support/camera_ring.h"
#include "tests/support/data.h"
#include "tests/unit/pipeline/footage.h"

namespace vantage {
namespace {

// The footage's boxes are no people; with these limits some of them pass.
void accept_boxes(Project& project) {
  for (const auto& [stage, name, value] : {std::tuple{"people", "min_height_m", 0.2},
                                           {"people", "min_fill", 0.2},
                                           {"people", "min_own", 0.05},
                                           {"people", "min_volume_l", 1.0},
                                           {"carving", "threshold", 0.6}})
    ASSERT_TRUE(project.parameters.set(stage, name, value));
}

TEST(PeopleChain, SomebodyIsFoundAndFollowed) {
  const test::TemporaryFolder folder;
  Project project = test::make_footage(folder.path(), 3, 40);
  accept_boxes(project);
  BackendRegistry registry;
  register_cpu_backends(registry);
  AnalysisOptions options;
  options.backends = &registry;
  const auto analysis = Analysis::open(project, options).value();
  std::set<int64_t> ids;
  int frames_with_people = 0;
  std::string first_sentence;
  const Status status = analysis->pipeline().analyse(
      {0, 40}, ExecutionMode::threaded,
      [&](FrameResultRef result) {
        const PeopleArtifact* people = result->people();
        EXPECT_TRUE(people && result->tracks() && result->floor_map());
        EXPECT_EQ(people->found.people.size(), result->tracks()->tracked.size());
        EXPECT_EQ(people->found.people.empty(), !people->stopped_at.empty());
        EXPECT_EQ(people->found.peaks,
                  static_cast<int64_t>(people->found.people.size() + people->found.rejected.size()));
        for (const TrackedPerson& tracked : result->tracks()->tracked) ids.insert(tracked.id);
        frames_with_people += !people->found.people.empty();
        if (result->frame == 0) first_sentence = people->stopped_at;
        return true;
      },
      {});
  ASSERT_TRUE(status);
  // 22 of the 40 when this was written; while cam2 and cam3 learn their first frames there is nobody.
  EXPECT_GE(frames_with_people, 20);
  EXPECT_EQ(first_sentence, "cam2 and cam3 have no foreground");
  EXPECT_TRUE(ids.contains(1));
}

struct FloorPoint {
  double x_m = 0, y_m = 0;
};

// Five people before four cameras, 12.5 frames/s, and who they are.
class RenderedPeople : public testing::Test {
 protected:
  static constexpr int64_t kOutage = 25;  // frames: 2 s
  using Places = std::map<int64_t, std::map<int64_t, FloorPoint>>;

  void SetUp() override {
    SynthOptions options;
    options.cameras = 4, options.people = 5, options.area_m = 5;
    options.width_px = 320, options.height_px = 240;
    options.frame_rate = 12.5, options.seconds = 6.4;
    ASSERT_TRUE(render_recording(options, folder_.path() / "hall", {}, {}));
    const auto project = load_project(folder_.path() / "hall" / "hall.vantage");
    ASSERT_TRUE(project) << project.error().message();
    project_ = *project;
    const auto rows =
        read_mot_csv(read_file(folder_.path() / "hall" / "truth" / "tracks.csv").value(), "truth");
    ASSERT_TRUE(rows);
    for (const TrackRow& row : *rows) truth_[row.frame - 1][row.id] = {row.x_m, row.y_m};
  }

  // The people found where while the camera, not the first, gives nothing from that frame on.
  Places follow(size_t camera, int64_t begin) const {
    constexpr double kFarAway = 1e5;
    Project project = project_;
    project.cameras[camera].offset_changes = {{begin, -kFarAway}, {begin + kOutage, kFarAway}};
    BackendRegistry registry;
    register_cpu_backends(registry);
    AnalysisOptions options;
    options.backends = &registry;
    const auto analysis = Analysis::open(project, options).value();
    Places found;
    EXPECT_TRUE(analysis->pipeline().analyse(
        {0, static_cast<int64_t>(truth_.size())}, ExecutionMode::threaded,
        [&](FrameResultRef result) {
          const bool away = result->frame >= begin && result->frame < begin + kOutage;
          EXPECT_EQ(result->people()->without_picture, away ? 1 : 0);
          for (const TrackedPerson& t : result->tracks()->tracked)
            if (t.id > 0) found[result->frame][t.id] = {t.x_m, t.y_m};
          return true;
        },
        {}));
    return found;
  }

  // The number of the nearest within half a metre of where the person is, in the first of the frames from
  // `frame` on, in steps, where there is one; 0: nobody for a second.
  int64_t number_of(int64_t person, const Places& found, int64_t frame, int64_t step) const {
    for (int i = 0; i < 12; ++i, frame += step) {
      if (!truth_.contains(frame) || !found.contains(frame)) continue;
      const FloorPoint& at = truth_.at(frame).at(person);
      int64_t nearest = 0;
      double min_m = 0.5;
      for (const auto& [id, place] : found.at(frame))
        if (const double d = std::hypot(place.x_m - at.x_m, place.y_m - at.y_m); d < min_m)
          nearest = id, min_m = d;
      if (nearest > 0) return nearest;
    }
    return 0;
  }

  const test::TemporaryFolder folder_;
  Project project_;
  Places truth_;  // by frame and person
};

// In the first two somebody got a new number before the tracker knew of outages.
TEST_F(RenderedPeople, KeepTheirNumbersWhenACameraIsAwayForTwoSeconds) {
  for (const auto& [camera, begin] : {std::pair{size_t{3}, 36}, {size_t{3}, 41}, {size_t{1}, 29}}) {
    const Places found = follow(camera, begin);
    for (const auto& [person, place] : truth_.at(0)) {
      const int64_t before = number_of(person, found, begin - 1, -1);
      EXPECT_GT(before, 0) << "person " << person;
      EXPECT_EQ(number_of(person, found, begin + kOutage + 6, 1), before)
          << "person " << person << ", camera " << camera << " away from frame " << begin;
    }
  }
}

// Paths know by colours who comes back: those of one frame in a quarter of a second are enough.
TEST_F(RenderedPeople, ShowTheirColorsWhereDetectionsFindThem) {
  for (size_t c = 0; c < project_.cameras.size(); ++c)
    project_.cameras[c].detections.file =
        (folder_.path() / "hall" / "truth" / ("boxes_cam" + std::to_string(c + 1) + ".csv")).string();
  BackendRegistry registry;
  register_cpu_backends(registry);
  AnalysisOptions options;
  options.backends = &registry;
  for (const bool wanted : {true, false}) {
    ASSERT_TRUE(project_.parameters.set("paths", "return_s", wanted ? 600 : 0));
    const auto analysis = Analysis::open(project_, options).value();
    for (int64_t frame = 36; frame < 42; ++frame) {
      const FrameResultRef result = analysis->pipeline().frame(frame, {}, {}).value();
      ASSERT_FALSE(result->people()->found.people.empty());
      const AppearanceArtifact* const appearance = result->appearance();
      const bool colored = appearance && std::ranges::any_of(appearance->people, [](const auto& colors) {
                             return !colors.empty();
                           });
      EXPECT_EQ(colored, wanted && frame % 3 == 0) << frame;
    }
  }
}

// The boxes as bodies of their size: found by the masks alone, with the cell's probability, and in an area
// only.
TEST(PeopleChain, TheOccupancyMapIsAnotherSource) {
  const test::TemporaryFolder folder;
  Project project = test::make_footage(folder.path(), 3, 30);
  for (const char* assignment :
       {"people.source=occupancy", "occupancy.cell_m=0.1", "occupancy.height_m=1.4", "occupancy.width_m=1"})
    ASSERT_TRUE(project.parameters.set_from_text(assignment));
  BackendRegistry registry;
  register_cpu_backends(registry);
  AnalysisOptions options;
  options.backends = &registry;
  const auto analysis = Analysis::open(project, options).value();
  const uint64_t version = analysis->pipeline().version(kPeopleStage);
  const FrameResultRef result = analysis->pipeline().frame(25, {}, {}).value();
  ASSERT_FALSE(result->people()->found.people.empty()) << result->people()->stopped_at;
  for (const FoundPerson& person : result->people()->found.people) {
    EXPECT_GE(person.confidence, kPresent);
    EXPECT_EQ(person.cameras, 3);
    EXPECT_LT(std::hypot(person.x_m, person.y_m), 0.8);
  }
  project.zones = {{"corner", {{0.6, 0.6}, {0.8, 0.6}, {0.8, 0.8}, {0.6, 0.8}}, ZoneKind::area}};
  const auto elsewhere = Analysis::open(project, options).value();
  EXPECT_NE(elsewhere->pipeline().version(kPeopleStage), version);
  const FrameResultRef corner = elsewhere->pipeline().frame(25, {}, {}).value();
  for (const FoundPerson& person : corner->people()->found.people)
    EXPECT_GE(distance_inside_m(project.zones[0], {person.x_m, person.y_m}), -0.05)
        << "half a cell: places are means over neighbours";
  ASSERT_TRUE(project.parameters.set_from_text("people.source=volume"));
  accept_boxes(project);
  const auto volume = Analysis::open(project, options).value();
  EXPECT_TRUE(volume->pipeline().frame(25, {}, {}).value()->people()->found.people.empty())
      << "the area holds for this source as well";
}

// A body whose upper half is of one colour and its lower half of another; who stands behind shows nothing.
TEST(Appearance, TrunkAndLegsHaveTheirOwnColors) {
  test::RingOptions ring;
  ring.cameras = 1, ring.width_px = 320, ring.height_px = 240, ring.distorted = false;
  const Camera camera = test::camera_ring(ring).front();
  const double waist_px = camera.project({0, 0, 0.8}).value().y();
  Picture picture = Picture::make({PictureLayout::i420, 320, 240, ColorRange::limited, ColorMatrix::bt601},
                                  HostPool::shared())
                        .value();
  const int values[3][2] = {{200, 60}, {100, 140}, {150, 110}};
  for (int plane = 0; plane < 3; ++plane) {
    const ImageView<uint8_t> to = picture.writable_plane(plane);
    for (int y = 0; y < to.height; ++y)
      std::fill_n(to.row(y), to.width,
                  static_cast<uint8_t>(values[plane][(plane ? 2 * y : y) < waist_px ? 0 : 1]));
  }
  const Eigen::Vector3d eye = camera.center_in_world_m();
  const Eigen::Vector2d behind = -0.8 * eye.head<2>().normalized();
  const std::vector<FoundPerson> people = {{0, 0, 1.7}, {behind.x(), behind.y(), 1.7}};
  const AppearanceView view{&camera, &picture, {}};
  const auto colors = measure_appearance({&view, 1}, people);
  ASSERT_EQ(colors.size(), 2u);
  ASSERT_EQ(colors[0].size(), 1u);
  ASSERT_TRUE(colors[0][0].trunk && colors[0][0].legs);
  for (size_t plane = 0; plane < 3; ++plane) {
    EXPECT_NEAR((*colors[0][0].trunk)[plane], values[plane][0], 0.5);
    EXPECT_NEAR((*colors[0][0].legs)[plane], values[plane][1], 0.5);
  }
  EXPECT_TRUE(colors[1].empty()) << "hidden by the first";
  const Picture none;
  const AppearanceView without{&camera, &none, {}};
  EXPECT_TRUE(measure_appearance({&without, 1}, people)[0].empty());
}

TEST(PeopleChain, WhereItStopped) {
  SearchTrace trace{{{"cam1", true, 0.02}, {"cam2", true, 0.03}, {"cam3", true, 0}}, 0.9, 0};
  PeopleFound found;
  EXPECT_EQ(where_it_stopped(trace, found), "cam3 has no foreground");
  trace.cameras[1].foreground_share = 0;
  EXPECT_EQ(where_it_stopped(trace, found), "cam2 and cam3 have no foreground");
  trace.cameras[0].foreground_share = 0;
  EXPECT_EQ(where_it_stopped(trace, found), "no camera has foreground");
  for (SearchTrace::Camera& camera : trace.cameras) camera.foreground_share = 0.02;
  EXPECT_EQ(where_it_stopped(trace, found),
            "no voxel reaches the agreement: the cameras' foregrounds do not meet");
  trace.occupied_voxels = 10;
  EXPECT_EQ(where_it_stopped(trace, found), "nothing stands above the lowest height of the floor map");
  found.rejected = {{{}, RejectReason::ghost}, {{}, RejectReason::too_low}, {{}, RejectReason::ghost}};
  found.largest_peak_l = 31.26;
  EXPECT_EQ(where_it_stopped(trace, found),
            "no peak of the floor map is a person: 1 too low and 2 explained by others (maximum 31.3 l)");
  trace.largest_probability = 0.31;
  EXPECT_EQ(where_it_stopped(trace, found),
            "the occupancy map reaches a probability of 0.5 nowhere (maximum of a cell: 0.31)");
  trace.largest_probability.reset();
  trace.covered_share = 0;
  EXPECT_EQ(where_it_stopped(trace, found), "no part of the floor is seen by enough cameras");
  trace.cameras[0].has_picture = false;
  EXPECT_EQ(where_it_stopped(trace, found), "cam1 has no picture, the others see too little");
  found.people.resize(1);
  EXPECT_EQ(where_it_stopped(trace, found), "");
}

}  // namespace
}  // namespace vantage
