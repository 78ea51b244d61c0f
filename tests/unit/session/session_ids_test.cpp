// Person 7 of live cameras on the screen is person 7 in their recording, and in events.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "core/results/results_reader.h"
#include "core/video/video_writer.h"
#include "tests/unit/pipeline/footage.h"
#include "tests/unit/session/live_session.h"

namespace vantage {
namespace {

using Recorder = test::SessionRecorder;

// In each 135 frames a person is there, blinks, which gives a second person in the chain and none in the
// paths, and then is away so long that the next one is new.
constexpr int64_t kFrames = 135;
bool is_there(int64_t frame) {
  return frame < 15 || (frame >= 21 && frame < 95);
}
constexpr double kRadius_m = 0.25, kHeight_m = 1.5;

// A bright body in the middle of the floor, in that camera's view.
Picture standing(int camera, int cameras) {
  Picture picture = test::footage_picture(camera, 0, true);
  const Camera model = test::footage_camera(camera, cameras);
  const auto foot = model.project({0, 0, 0}), top = model.project({0, 0, kHeight_m});
  const double half_px = model.model().fx_px * kRadius_m / 3;
  const ImageView<uint8_t> luma = picture.writable_plane(0);
  for (int y = 0; y < luma.height; ++y)
    for (int x = 0; x < luma.width; ++x)
      if (y >= top->y() && y <= foot->y() && std::abs(x - foot->x()) <= half_px) luma.at(x, y) = 220;
  return picture;
}

class LiveIdsTest : public test::LiveSession {
 protected:
  void SetUp() override {
    Project project = test::make_footage(folder_.path(), 3, 10);
    std::vector<StreamedCamera> streams;
    for (size_t i = 0; i < project.cameras.size(); ++i) {
      write(project.cameras[i].video, static_cast<int>(i), static_cast<int>(project.cameras.size()));
      project.cameras[i].background = (folder_.path() / ("empty" + std::to_string(i) + ".mp4")).string();
      test::write_footage(project.cameras[i].background, static_cast<int>(i), 12, true);
      streams.push_back({project.cameras[i].name, project.cameras[i].video});
    }
    for (const char* set :
         {"tracking.method=paths", "tracking.keep_s=0.1", "paths.method=graph", "paths.entry_cost=3.2",
          "paths.missed_cost=2", "paths.window_s=1", "paths.overlap_s=0.2", "recording.before_s=1"})
      ASSERT_TRUE(project.parameters.set_from_text(set)) << set;
    project.zones = {{"all", {{-9, -9}, {9, -9}, {9, 9}, {-9, 9}}}};
    project.rules = {{.name = "stays", .kind = RuleKind::stays_longer, .where = "all", .limit = 2.4}};
    serve(std::move(project), std::move(streams));
    open();
  }
  static void write(const std::filesystem::path& path, int camera, int cameras) {
    VideoWriterOptions options;
    options.gop_frames = 10;
    auto writer = VideoWriter::open(path, test::footage_picture(camera, 0, false).format(), options);
    ASSERT_TRUE(writer) << writer.error().message();
    for (int64_t frame = 0; frame < kFrames; ++frame)
      ASSERT_TRUE((*writer)->write(is_there(frame) ? standing(camera, cameras)
                                                   : test::footage_picture(camera, frame, true)));
    ASSERT_TRUE((*writer)->finish());
  }
  // Waits until that many people are final on the screen.
  bool wait_for_people(int64_t id) {
    return wait_for([&](const Recorder& r) {
      return r.tracks_ && !r.tracks_->paths.empty() && r.tracks_->paths.back().id >= id &&
             r.tracks_->paths.back().points.front().frame < r.tracks_->settled_end.value_or(0);
    });
  }
  StoredResults results_of(const std::filesystem::path& path) {
    const auto recorded = load_project(path);
    EXPECT_TRUE(recorded);
    auto results = read_results(recorded->results_folder());
    EXPECT_TRUE(results) << results.error().message();
    return results ? std::move(*results) : StoredResults();
  }
  TracksRef tracks() {
    TracksRef tracks;
    wait_for([&](const Recorder& r) { return (tracks = r.tracks_) != nullptr; });
    return tracks;
  }
  // Compares every person of the frames with the screen, at the same index. Returns their number.
  static size_t expect_same(const StoredResults& results, const Tracks& tracks) {
    std::map<int64_t, const StoredFrame*> frames;
    for (const StoredFrame& frame : results.frames) frames[frame.frame] = &frame;
    size_t compared = 0;
    for (const PersonPath& path : tracks.paths)
      for (const PathPoint& point : path.points) {
        const auto frame = frames.find(point.frame);
        if (point.person < 0 || point.frame >= tracks.settled_end || frame == frames.end()) continue;
        EXPECT_EQ(frame->second->people.at(point.person).id, path.id) << "frame " << point.frame;
        ++compared;
      }
    return compared;
  }
};

TEST_F(LiveIdsTest, ARecordingGoesOnWithTheIDsOfTheScreen) {
  ASSERT_TRUE(wait_for_people(2));
  const auto path = folder_.path() / "monday.vantage";
  session_->post(command::StartRecording{path});
  ASSERT_TRUE(wait_for_people(3));
  session_->post(command::StopRecording{});
  ASSERT_TRUE(wait_for_live([](const LiveStatus& l) { return !l.recording && l.written == 0; }));
  ASSERT_TRUE(wait_for_people(4)) << "the screen goes on";
  const StoredResults results = results_of(path);
  ASSERT_FALSE(results.frames.empty());
  EXPECT_GT(expect_same(results, *tracks()), 40u);
  int64_t lowest = INT64_MAX;
  for (const StoredFrame& frame : results.frames)
    for (const FloorPerson& person : frame.people)
      if (person.id > 0) lowest = std::min(lowest, person.id);
  EXPECT_GE(lowest, 2) << "nobody begins again with 1";
  EXPECT_LT(lowest, INT64_MAX);
  EXPECT_TRUE(recorder_->errors().empty());
}

TEST_F(LiveIdsTest, EventsNameWhomTheScreenShows) {
  ASSERT_TRUE(wait_for_people(2));
  const auto path = folder_.path() / "monday.vantage";
  session_->post(command::StartRecording{path});
  ASSERT_TRUE(wait_for_people(3));
  session_->post(command::StopRecording{});
  ASSERT_TRUE(wait_for_live([](const LiveStatus& l) { return !l.recording && l.events->size() >= 3; }));
  const std::vector<FloorEvent> events = *recorder_->status().live->events;
  const int64_t last = events.back().raised_frame;
  ASSERT_TRUE(wait_for([&](const Recorder& r) { return r.tracks_->settled_end.value_or(0) > last; }));
  const TracksRef shown = tracks();
  for (const FloorEvent& event : events) {
    const auto person = std::ranges::find(shown->paths, event.id, &PersonPath::id);
    ASSERT_NE(person, shown->paths.end()) << event.id;
    EXPECT_TRUE(person->points.find(event.raised_frame)) << "person " << event.id;
  }
  EXPECT_TRUE(recorder_->errors().empty());
}

}  // namespace
}  // namespace vantage
