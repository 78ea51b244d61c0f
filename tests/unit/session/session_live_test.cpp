// A session on live cameras. Nothing here asserts a time.
#include <gtest/gtest.h>

#include <algorithm>
#include <mutex>
#include <thread>

#include "core/results/results_reader.h"
#include "tests/unit/pipeline/footage.h"
#include "tests/unit/session/live_session.h"

namespace vantage {
namespace {

using Recorder = test::SessionRecorder;

// Records its calls in order: "watched", "written", "ended".
class Watcher final : public ResultsWatcher {
 public:
  void on_begun(const BegunResults& results) override {
    note(results.folder.empty() ? "watched" : "written");
    const std::lock_guard lock(mutex_);
    lines_ = results_ = 0;
    EXPECT_EQ(results.header.empty(), !results.folder.empty());
  }
  bool wants_lines() const override { return true; }
  void on_line(const std::string& line) override {
    const std::lock_guard lock(mutex_);
    EXPECT_TRUE(line.starts_with("{\"frame\":"));
    ++lines_;
  }
  void on_result(const FrameResultRef&) override {
    const std::lock_guard lock(mutex_);
    ++results_;
  }
  void on_health(const LiveHealth&) override {}
  void on_ended() override { note("ended"); }

  // Waits until that was the last call, with frames since.
  bool wait_for(const std::string& told, bool frames) const {
    for (int i = 0; i < 6000; ++i, std::this_thread::sleep_for(std::chrono::milliseconds(10))) {
      const std::lock_guard lock(mutex_);
      if (report_.ends_with(told) && (!frames || (lines_ > 2 && results_ > 2))) return true;
    }
    return false;
  }
  std::string told() const {
    const std::lock_guard lock(mutex_);
    return report_;
  }

 private:
  void note(const std::string& told) {
    const std::lock_guard lock(mutex_);
    report_ += (report_.empty() ? "" : " ") + told;
  }

  mutable std::mutex mutex_;
  std::string report_;
  int lines_ = 0, results_ = 0;
};

class LiveSessionTest : public test::LiveSession {
 protected:
  // Two cameras are streams, the third is a file.
  void SetUp() override {
    watcher_ = watched_;
    const Project project = test::make_footage(folder_.path(), 3, 50);
    serve(project, {{project.cameras[0].name, project.cameras[0].video},
                    {project.cameras[1].name, project.cameras[1].video}});
    open();
  }
  const std::shared_ptr<Watcher> watched_ = std::make_shared<Watcher>();
};

TEST_F(LiveSessionTest, ShowsWhatComesStandsStillAndComesBack) {
  EXPECT_TRUE(wait_for([](const Recorder& r) { return r.frames_ >= 5 && r.shown_->tracks(); }));
  ASSERT_TRUE(wait_for_live([](const LiveStatus& l) { return l.following && l.shown_utc_s > 0; }));
  EXPECT_TRUE(recorder_->status().playing);
  session_->post(command::Pause{});
  ASSERT_TRUE(wait_for_live([](const LiveStatus& l) { return !l.following; }));
  const int64_t stood = recorder_->shown()->frame, analysed = recorder_->status().live->health.analysed;
  EXPECT_TRUE(wait_for_live([&](const LiveStatus& l) { return l.health.analysed > analysed + 5; }));
  EXPECT_EQ(recorder_->shown()->frame, stood) << "what is shown stands still, the analysis goes on";
  session_->post(command::FollowLive{});
  EXPECT_TRUE(wait_for([&](const Recorder& r) { return r.shown_->frame > stood + 5; }));
  EXPECT_TRUE(wait_for_live([](const LiveStatus& l) { return l.following && l.behind_s < 60; }));
  EXPECT_TRUE(recorder_->errors().empty());
  session_->post(command::Close{});
  EXPECT_TRUE(wait_for([](const Recorder& r) { return !r.status_.open && !r.status_.live; }));
}

TEST_F(LiveSessionTest, WritesResultsFromAnalyseToStop) {
  session_->post(command::Edit{
      "rules", [](Project& project) {
        project.zones = {{"all", {{-9, -9}, {9, -9}, {9, 9}, {-9, 9}}}};
        project.rules = {{.name = "many", .kind = RuleKind::more_than, .where = "all", .limit = 50}};
      }});
  session_->post(command::Analyse{{}});
  ASSERT_TRUE(wait_for_live([](const LiveStatus& l) { return l.written >= 10; }));
  EXPECT_TRUE(recorder_->status().analysing);
  session_->post(command::Stop{});
  ASSERT_TRUE(wait_for([](const Recorder& r) { return !r.status_.analysing && !r.notes_.empty(); }));
  const auto stored = read_results(project_.results_folder());
  ASSERT_TRUE(stored) << stored.error().message();
  EXPECT_GE(stored->frames.size(), 10U);
  EXPECT_TRUE(std::filesystem::exists(project_.results_folder() / "events.jsonl"));
  // A changed parameter ends them: they state the parameters of all their frames.
  session_->post(command::Analyse{{}});
  ASSERT_TRUE(wait_for_live([](const LiveStatus& l) { return l.written >= 2; }));
  session_->post(command::SetParameter{"carving", "threshold", 0.6});
  EXPECT_TRUE(wait_for([](const Recorder& r) { return !r.status_.analysing && r.status_.unsaved; }));
  const int frames = recorder_->frames();
  EXPECT_TRUE(wait_for([&](const Recorder& r) { return r.frames_ > frames + 5; })) << "and it goes on";
  EXPECT_TRUE(recorder_->errors().empty());
}

TEST_F(LiveSessionTest, WhoWatchesIsToldAlsoWhileNothingIsWritten) {
  EXPECT_TRUE(watched_->wait_for("watched", true));
  session_->post(command::Analyse{{}});
  EXPECT_TRUE(watched_->wait_for("watched written", true));
  session_->post(command::Stop{});
  EXPECT_TRUE(watched_->wait_for("written watched", true));
  session_->post(command::SetParameter{"carving", "threshold", 0.6});
  session_->post(command::SetParameter{"flow", "enabled", 1});
  EXPECT_TRUE(watched_->wait_for("watched watched", true)) << "other stages run";
  session_->post(command::Close{});
  EXPECT_TRUE(watched_->wait_for("ended", false));
  EXPECT_EQ(watched_->told(), "watched written watched watched ended");
  EXPECT_TRUE(recorder_->errors().empty());
}

// Also while no results are written.
TEST_F(LiveSessionTest, RulesAreHeldAgainstEverySet) {
  EXPECT_TRUE(recorder_->status().live->events->empty());
  session_->post(command::Edit{
      "rules", [](Project& project) {
        project.zones = {{"all", {{-9, -9}, {9, -9}, {9, 9}, {-9, 9}}}};
        project.rules = {{.name = "somebody", .kind = RuleKind::more_than, .where = "all", .limit = 0}};
      }});
  ASSERT_TRUE(wait_for_live([](const LiveStatus& l) { return !l.events->empty(); }));
  EXPECT_EQ(recorder_->status().live->events->front().rule, "somebody");
  EXPECT_FALSE(std::filesystem::exists(project_.results_folder() / "events.jsonl"));
}

TEST_F(LiveSessionTest, WhatIsRecordedCanBeSteppedWhileItRuns) {
  const auto path = folder_.path() / "monday.vantage";
  session_->post(command::StartRecording{path});
  // On a busy machine a set may lack a camera's picture: uses a complete one.
  int64_t frame = -1;
  ASSERT_TRUE(wait_for([&](const Recorder& r) {
    if (!r.status_.live || !r.status_.live->recording) return false;
    const RecordingState& recording = *r.status_.live->recording;
    const auto& cameras = r.shown_->frames()->cameras;
    if (frame < 0 && recording.first_frame >= 0 && r.shown_->frame > recording.first_frame + 12 &&
        cameras[0].picture && cameras[2].picture)
      frame = r.shown_->frame;
    return frame >= 0 && recording.last_frame > frame;
  }));
  EXPECT_TRUE(recorder_->status().analysing) << "results are written too";
  session_->post(command::Seek{frame});
  ASSERT_TRUE(wait_for([&](const Recorder& r) { return r.shown_->frame == frame && r.shown_->preview; }));
  EXPECT_TRUE(recorder_->shown()->frames()->cameras[0].picture);
  EXPECT_TRUE(recorder_->shown()->frames()->cameras[2].picture) << "a played file is encoded for it";
  session_->post(command::Step{-2});
  ASSERT_TRUE(wait_for([&](const Recorder& r) { return r.shown_->frame == frame - 2; }));
  ASSERT_TRUE(wait_for_live([](const LiveStatus& l) { return !l.following && l.behind_s > 0; }));
  const int64_t last = recorder_->status().live->recording->last_frame;
  EXPECT_TRUE(wait_for_live([&](const LiveStatus& l) { return l.recording->last_frame > last + 10; }));
  EXPECT_EQ(recorder_->shown()->frame, frame - 2) << "the recording goes on, what is shown stands still";
  session_->post(command::FollowLive{});
  EXPECT_TRUE(wait_for([&](const Recorder& r) { return r.shown_->frame > last && !r.shown_->preview; }));
  ASSERT_TRUE(wait_for_live([](const LiveStatus& l) { return l.written >= 10; }));
  session_->post(command::StopRecording{});
  ASSERT_TRUE(wait_for_live([](const LiveStatus& l) { return !l.recording; }));
  const auto recorded = load_project(path);
  ASSERT_TRUE(recorded) << recorded.error().message();
  EXPECT_GE(read_results(recorded->results_folder())->frames.size(), 10U);
  EXPECT_TRUE(recorder_->errors().empty());
  session_->post(command::OpenFile{path});
  EXPECT_TRUE(wait_for([](const Recorder& r) { return r.status_.frame_count_exact && !r.status_.live; }));
}

// Without a recording.
TEST_F(LiveSessionTest, ThePastIsLookedAtAndPlayedWhileTheCamerasGoOn) {
  ASSERT_TRUE(
      wait_for_live([](const LiveStatus& l) { return l.health.analysed > 40 && l.past.kept.bytes > 0; }));
  int64_t frame = -1;
  ASSERT_TRUE(wait_for([&](const Recorder& r) {
    if (frame < 0 && r.shown_->frame > r.status_.live->first_frame + 12 && r.shown_->people() &&
        r.shown_->frames()->cameras[0].picture && r.shown_->frames()->cameras[2].picture)
      frame = r.shown_->frame;
    return frame >= 0 && r.status_.frame_count > frame + 40;
  }));
  EXPECT_FALSE(recorder_->status().live->recording);
  EXPECT_EQ(recorder_->status().live->past.limit_s, 120);
  session_->post(command::Seek{frame});
  ASSERT_TRUE(wait_for([&](const Recorder& r) { return r.shown_->frame == frame && r.shown_->preview; }));
  EXPECT_TRUE(recorder_->shown()->frames()->cameras[0].picture);
  EXPECT_TRUE(recorder_->shown()->frames()->cameras[2].picture) << "a played file is encoded for it";
  EXPECT_TRUE(recorder_->shown()->people()) << "as the live analysis found them";
  ASSERT_TRUE(wait_for_live([](const LiveStatus& l) { return !l.following && l.behind_s > 0; }));
  EXPECT_FALSE(recorder_->status().playing);
  const int64_t analysed = recorder_->status().live->health.analysed;
  EXPECT_TRUE(wait_for_live([&](const LiveStatus& l) { return l.health.analysed > analysed + 5; }));
  EXPECT_EQ(recorder_->shown()->frame, frame) << "what is shown stands still";
  session_->post(command::Play{});
  ASSERT_TRUE(wait_for([&](const Recorder& r) { return r.shown_->frame > frame + 3 && r.shown_->preview; }));
  EXPECT_TRUE(recorder_->status().playing);
  EXPECT_TRUE(wait_for_live([&](const LiveStatus& l) { return l.health.analysed > analysed + 10; }))
      << "the cameras are analysed meanwhile";
  EXPECT_FALSE(recorder_->status().live->following);
  session_->post(command::SetPlaybackRate{-8});
  EXPECT_TRUE(wait_for([&](const Recorder& r) {
    return !r.status_.playing && r.status_.frame <= r.status_.live->first_frame + 1;
  })) << "backwards as far as the past goes, where it stops";
  session_->post(command::SetPlaybackRate{8});
  session_->post(command::Play{});
  EXPECT_TRUE(wait_for_live([](const LiveStatus& l) { return l.following; })) << "it catches up";
  EXPECT_TRUE(recorder_->errors().empty());
}

// Sets before the one shown are kept, that many; on a busy machine the first ones were in transit when
// keeping began.
bool knows_before(const Recorder& r, int64_t sets) {
  const RecordingState& kept = r.status_.live->past.kept;
  return kept.first_frame >= 0 && r.shown_->frame > kept.first_frame + sets;
}

TEST_F(LiveSessionTest, ARecordingHoldsWhatWasBeforeItWithThePeople) {
  ASSERT_TRUE(wait_for([](const Recorder& r) { return r.status_.live && knows_before(r, 60); }));
  const int64_t pressed = recorder_->shown()->frame;
  const auto path = folder_.path() / "monday.vantage";
  session_->post(command::StartRecording{path});
  ASSERT_TRUE(wait_for_live(
      [](const LiveStatus& l) { return l.recording && l.recording->seconds > 1 && l.written > 10; }));
  EXPECT_LT(recorder_->status().live->recording->first_frame, pressed - 20);
  session_->post(command::StopRecording{});
  ASSERT_TRUE(wait_for_live([](const LiveStatus& l) { return !l.recording; }));
  const auto recorded = load_project(path);
  ASSERT_TRUE(recorded);
  const auto results = read_results(recorded->results_folder());
  ASSERT_TRUE(results) << results.error().message();
  const auto before = std::count_if(results->frames.begin(), results->frames.end(),
                                    [&](const StoredFrame& f) { return f.frame < pressed; });
  EXPECT_GE(before, 10);
  for (size_t i = 1; i < results->frames.size(); ++i)
    EXPECT_LT(results->frames[i - 1].frame, results->frames[i].frame) << "each set once";
  EXPECT_TRUE(recorder_->errors().empty());
}

TEST_F(LiveSessionTest, AnEventIsRecordedFromBeforeItUntilAfterIt) {
  session_->post(command::Edit{"rules", [](Project& project) {
                                 static_cast<void>(project.parameters.set("recording", "events", 1));
                                 static_cast<void>(project.parameters.set("recording", "after_s", 1));
                                 static_cast<void>(project.parameters.set("recording", "before_s", 2));
                               }});
  ASSERT_TRUE(wait_for([](const Recorder& r) { return r.status_.live && knows_before(r, 60); }));
  EXPECT_FALSE(recorder_->status().live->recording);
  session_->post(command::Edit{
      "rules", [](Project& project) {
        project.zones = {{"all", {{-9, -9}, {9, -9}, {9, 9}, {-9, 9}}}};
        project.rules = {{.name = "somebody", .kind = RuleKind::more_than, .where = "all", .limit = 0}};
      }});
  ASSERT_TRUE(wait_for_live([](const LiveStatus& l) {
    return l.recording && l.records_event && l.recording->first_frame >= 0 && !l.events->empty();
  }));
  const FloorEvent event = recorder_->status().live->events->front();
  const std::filesystem::path path = recorder_->status().live->recorded_project;
  EXPECT_LT(recorder_->status().live->recording->first_frame, event.raised_frame - 25);
  EXPECT_TRUE(path.filename().string().starts_with("live-20")) << path;
  session_->post(command::Edit{"rules", [](Project& project) { project.rules.clear(); }});
  ASSERT_TRUE(wait_for_live([](const LiveStatus& l) { return !l.recording; })) << "nothing lasts any more";
  const auto recorded = load_project(path);
  ASSERT_TRUE(recorded);
  const auto results = read_results(recorded->results_folder());
  ASSERT_TRUE(results) << results.error().message();
  EXPECT_LT(results->frames.front().frame, event.raised_frame);
  EXPECT_TRUE(recorder_->errors().empty());
}

TEST_F(LiveSessionTest, ACameraThatIsCutIsToldAndTheOthersGoOn) {
  server_->set_away(1, true);
  ASSERT_TRUE(wait_for_live([](const LiveStatus& l) { return !l.health.cameras[1].here; }));
  const int frames = recorder_->frames();
  EXPECT_TRUE(wait_for([&](const Recorder& r) {
    return r.frames_ > frames + 5 && r.shown_->frames()->cameras[0].picture &&
           !r.shown_->frames()->cameras[1].picture;
  }));
  EXPECT_FALSE(recorder_->shown()->frames()->cameras[1].problem.empty());
  server_->set_away(1, false);
  EXPECT_TRUE(wait_for_live([](const LiveStatus& l) {
    return l.health.cameras[1].here && l.health.cameras[1].reconnections == 1;
  }));
  EXPECT_TRUE(recorder_->errors().empty());
}

TEST_F(LiveSessionTest, ClosingDoesNotWaitForCamerasThatAreNotThere) {
  session_->post(command::Close{});
  server_.reset();
  session_->post(command::OpenFile{project_.path});
  session_->post(command::Close{});
  EXPECT_TRUE(wait_for([](const Recorder& r) { return !r.status_.open; }));
  session_.reset();
  EXPECT_TRUE(recorder_->errors().empty());
}

}  // namespace
}  // namespace vantage
