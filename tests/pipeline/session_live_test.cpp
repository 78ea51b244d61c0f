// A session on live cameras: stand-ins on the loopback interface. Nothing here asserts a time.
#include <gtest/gtest.h>

#include "core/project/results_reader.h"
#include "core/session/cpu_backends.h"
#include "core/streaming/stream_server.h"
#include "tests/pipeline/footage.h"
#include "tests/pipeline/session_recorder.h"
#include "tests/support/data.h"

namespace vantage {
namespace {

using Recorder = test::SessionRecorder;

class LiveSessionTest : public testing::Test {
 protected:
  // Two cameras are streams, the third is a file that is played at its own pace.
  void SetUp() override {
    register_cpu_backends(registry_);
    project_ = test::make_footage(folder_.path(), 3, 50);
    StreamServerOptions served;
    for (int i = 0; i < 2; ++i)
      served.cameras.push_back({project_.cameras[i].name, project_.cameras[i].video});
    auto server = StreamServer::start(std::move(served));
    ASSERT_TRUE(server) << server.error().message();
    server_ = std::move(*server);
    for (size_t i = 0; i < 2; ++i) project_.cameras[i].video = server_->address(i);
    project_.path = folder_.path() / "live.vantage";
    ASSERT_TRUE(save_project(project_, project_.path));
    SessionOptions options;
    options.backends = &registry_;
    options.credentials = make_credential_file(folder_.path() / "cameras.json");
    session_ = Session::make(options, recorder_);
    session_->open(project_.path);
    ASSERT_TRUE(wait_for([](const Recorder& r) { return r.shown_ && r.shown_->volume(); }));
  }
  template <typename Condition>
  bool wait_for(const Condition& condition) {
    return recorder_->wait_for(condition);
  }
  bool wait_for_live(const std::function<bool(const LiveStatus&)>& condition) {
    return wait_for([&](const Recorder& r) { return r.status_.live && condition(*r.status_.live); });
  }

  const test::TemporaryFolder folder_;
  BackendRegistry registry_;
  Project project_;
  std::unique_ptr<StreamServer> server_;
  std::shared_ptr<Recorder> recorder_ = std::make_shared<Recorder>();
  std::unique_ptr<Session> session_;
};

TEST_F(LiveSessionTest, ShowsWhatComesStandsStillAndComesBack) {
  EXPECT_TRUE(wait_for([](const Recorder& r) { return r.frames_ >= 5 && r.shown_->tracks(); }));
  ASSERT_TRUE(wait_for_live([](const LiveStatus& l) { return l.following && l.shown_utc_s > 0; }));
  EXPECT_TRUE(recorder_->status().playing);
  session_->pause();
  ASSERT_TRUE(wait_for_live([](const LiveStatus& l) { return !l.following; }));
  const int64_t stood = recorder_->shown()->frame, analysed = recorder_->status().live->health.analysed;
  EXPECT_TRUE(wait_for_live([&](const LiveStatus& l) { return l.health.analysed > analysed + 5; }));
  EXPECT_EQ(recorder_->shown()->frame, stood) << "what is shown stands still, the analysis goes on";
  session_->seek(3);
  session_->play();
  EXPECT_TRUE(wait_for([&](const Recorder& r) { return r.shown_->frame > stood + 5; }));
  EXPECT_TRUE(wait_for_live([](const LiveStatus& l) { return l.following && l.behind_s < 60; }));
  EXPECT_TRUE(recorder_->errors().empty());
  session_->close();
  EXPECT_TRUE(wait_for([](const Recorder& r) { return !r.status_.open && !r.status_.live; }));
}

TEST_F(LiveSessionTest, WritesResultsFromAnalyseToStop) {
  session_->edit("rules", [](Project& project) {
    project.zones = {{"all", {{-9, -9}, {9, -9}, {9, 9}, {-9, 9}}}};
    project.rules = {{.name = "many", .kind = RuleKind::more_than, .where = "all", .limit = 50}};
  });
  session_->analyse({});
  ASSERT_TRUE(wait_for_live([](const LiveStatus& l) { return l.written >= 10; }));
  EXPECT_TRUE(recorder_->status().analysing);
  session_->stop();
  ASSERT_TRUE(wait_for([](const Recorder& r) { return !r.status_.analysing && !r.notes_.empty(); }));
  const auto stored = read_results(project_.results_folder());
  ASSERT_TRUE(stored) << stored.error().message();
  EXPECT_GE(stored->frames.size(), 10U);
  EXPECT_TRUE(std::filesystem::exists(project_.results_folder() / "events.jsonl"));
  // A changed parameter ends them: they name the parameters of all of them.
  session_->analyse({});
  ASSERT_TRUE(wait_for_live([](const LiveStatus& l) { return l.written >= 2; }));
  session_->set_parameter("carving", "threshold", 0.6);
  EXPECT_TRUE(wait_for([](const Recorder& r) { return !r.status_.analysing && r.status_.unsaved; }));
  const int frames = recorder_->frames();
  EXPECT_TRUE(wait_for([&](const Recorder& r) { return r.frames_ > frames + 5; })) << "and it goes on";
  EXPECT_TRUE(recorder_->errors().empty());
}

// Also while no results are written.
TEST_F(LiveSessionTest, RulesAreHeldAgainstEverySet) {
  EXPECT_TRUE(recorder_->status().live->events->empty());
  session_->edit("rules", [](Project& project) {
    project.zones = {{"all", {{-9, -9}, {9, -9}, {9, 9}, {-9, 9}}}};
    project.rules = {{.name = "somebody", .kind = RuleKind::more_than, .where = "all", .limit = 0}};
  });
  ASSERT_TRUE(wait_for_live([](const LiveStatus& l) { return !l.events->empty(); }));
  EXPECT_EQ(recorder_->status().live->events->front().rule, "somebody");
  EXPECT_FALSE(std::filesystem::exists(project_.results_folder() / "events.jsonl"));
}

TEST_F(LiveSessionTest, WhatIsRecordedCanBeSteppedWhileItRuns) {
  const auto path = folder_.path() / "monday.vantage";
  session_->start_recording(path);
  // On a busy machine a set may lack a camera's picture: one is taken that was seen whole.
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
  session_->seek(frame);
  ASSERT_TRUE(wait_for([&](const Recorder& r) { return r.shown_->frame == frame && r.shown_->preview; }));
  EXPECT_TRUE(recorder_->shown()->frames()->cameras[0].picture);
  EXPECT_TRUE(recorder_->shown()->frames()->cameras[2].picture) << "a played file is encoded for it";
  session_->step(-2);
  ASSERT_TRUE(wait_for([&](const Recorder& r) { return r.shown_->frame == frame - 2; }));
  ASSERT_TRUE(wait_for_live([](const LiveStatus& l) { return !l.following && l.behind_s > 0; }));
  const int64_t last = recorder_->status().live->recording->last_frame;
  EXPECT_TRUE(wait_for_live([&](const LiveStatus& l) { return l.recording->last_frame > last + 10; }));
  EXPECT_EQ(recorder_->shown()->frame, frame - 2) << "the recording goes on, what is shown stands still";
  session_->play();
  EXPECT_TRUE(wait_for([&](const Recorder& r) { return r.shown_->frame > last && !r.shown_->preview; }));
  ASSERT_TRUE(wait_for_live([](const LiveStatus& l) { return l.written >= 10; }));
  session_->stop_recording();
  ASSERT_TRUE(wait_for_live([](const LiveStatus& l) { return !l.recording; }));
  const auto recorded = load_project(path);
  ASSERT_TRUE(recorded) << recorded.error().message();
  EXPECT_GE(read_results(recorded->results_folder())->frames.size(), 10U);
  EXPECT_TRUE(recorder_->errors().empty());
  session_->open(path);
  EXPECT_TRUE(wait_for([](const Recorder& r) { return r.status_.frame_count_exact && !r.status_.live; }));
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
  session_->close();
  server_.reset();
  session_->open(project_.path);
  session_->close();
  EXPECT_TRUE(wait_for([](const Recorder& r) { return !r.status_.open; }));
  session_.reset();
  EXPECT_TRUE(recorder_->errors().empty());
}

}  // namespace
}  // namespace vantage
