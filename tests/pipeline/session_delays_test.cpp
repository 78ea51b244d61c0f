// Running live cameras brought into step by what they show: stand-ins, one of which says nothing about how
// long its pictures are under way. Nothing here asserts a time.
#include <gtest/gtest.h>

#include <cmath>

#include "core/session/cpu_backends.h"
#include "core/session/session.h"
#include "core/streaming/stream_server.h"
#include "core/synth/synth.h"
#include "tests/pipeline/session_recorder.h"
#include "tests/support/data.h"

namespace vantage {
namespace {

using Recorder = test::SessionRecorder;

constexpr double kDelay_s = 0.8;

class SessionDelaysTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    footage_ = std::make_unique<test::TemporaryFolder>();
    SynthOptions options;
    options.cameras = options.people = 3;
    options.seconds = 16;
    options.width_px = 320, options.height_px = 240;
    options.truth_interval_frames = 100'000;
    const Status rendered = render_recording(options, footage_->path() / "hall", {}, {});
    ASSERT_TRUE(rendered) << rendered.error().message();
  }
  static void TearDownTestSuite() { footage_.reset(); }

  void SetUp() override {
    register_cpu_backends(registry_);
    project_ = load_project(footage_->path() / "hall" / "hall.vantage").value();
    StreamServerOptions served;
    for (const ProjectCamera& camera : project_.cameras)
      served.cameras.push_back({camera.name, camera.video});
    served.cameras[1].delay_s = kDelay_s;
    server_ = StreamServer::start(std::move(served)).value();
    for (size_t i = 0; i < project_.cameras.size(); ++i) project_.cameras[i].video = server_->address(i);
    project_.path = folder_.path() / "live.vantage";
    SessionOptions options;
    options.backends = &registry_;
    options.credentials = make_credential_file(folder_.path() / "cameras.json");
    session_ = Session::make(options, recorder_);
  }
  void open() {
    ASSERT_TRUE(save_project(project_, project_.path));
    session_->open(project_.path);
    ASSERT_TRUE(recorder_->wait_for([](const Recorder& r) { return r.shown_ && r.shown_->volume(); }));
  }
  double correction_s() const { return recorder_->status().live->health.cameras[1].correction_s; }

  static std::unique_ptr<test::TemporaryFolder> footage_;
  const test::TemporaryFolder folder_;
  BackendRegistry registry_;
  Project project_;
  std::unique_ptr<StreamServer> server_;
  std::shared_ptr<Recorder> recorder_ = std::make_shared<Recorder>();
  std::unique_ptr<Session> session_;
};
std::unique_ptr<test::TemporaryFolder> SessionDelaysTest::footage_;

TEST_F(SessionDelaysTest, AProposedDelayIsAppliedToRunningCamerasAndKept) {
  open();
  session_->set_offset_watch(OffsetWatch::propose);
  ASSERT_TRUE(recorder_->wait_for([](const Recorder& r) { return !r.proposed_.empty(); }));
  const OffsetProposal proposal = recorder_->proposed_.front();
  EXPECT_EQ(proposal.camera, 1);
  ASSERT_TRUE(proposal.delay_s);
  EXPECT_NEAR(*proposal.delay_s, kDelay_s, 0.04);
  EXPECT_EQ(correction_s(), 0) << "a proposal changes nothing";
  const int64_t opened = recorder_->status().live->health.cameras[0].pictures;
  session_->apply_offset(proposal);
  ASSERT_TRUE(recorder_->wait_for([](const Recorder& r) { return !r.applied_.empty(); }));
  EXPECT_EQ(recorder_->opened_.cameras[1].live_delay_s, *proposal.delay_s);
  ASSERT_TRUE(recorder_->wait_for(
      [](const Recorder& r) { return r.status_.live->health.cameras[1].correction_s != 0; }));
  EXPECT_NEAR(recorder_->status().live->health.delay_span_ms, *proposal.delay_s * 1e3, 1);
  EXPECT_GE(recorder_->status().live->health.cameras[0].pictures, opened) << "no camera was opened again";
  EXPECT_EQ(recorder_->status().live->health.cameras[0].reconnections, 0);
  session_->undo();
  ASSERT_TRUE(recorder_->wait_for(
      [](const Recorder& r) { return r.status_.live->health.cameras[1].correction_s == 0; }));
  session_->redo();
  ASSERT_TRUE(recorder_->wait_for([](const Recorder& r) { return r.status_.unsaved; }));
  session_->save(project_.path);
  ASSERT_TRUE(recorder_->wait_for([](const Recorder& r) { return !r.status_.unsaved; }));
  EXPECT_EQ(load_project(project_.path)->cameras[1].live_delay_s, *proposal.delay_s);
  EXPECT_TRUE(recorder_->errors().empty());
}

TEST_F(SessionDelaysTest, WhatIsSureIsAppliedWhereThatIsWished) {
  open();
  session_->set_offset_watch(OffsetWatch::apply);
  ASSERT_TRUE(recorder_->wait_for([](const Recorder& r) { return !r.applied_.empty(); }));
  EXPECT_TRUE(recorder_->proposed_.empty());
  EXPECT_NEAR(recorder_->opened_.cameras[1].live_delay_s, kDelay_s, 0.04);
}

TEST_F(SessionDelaysTest, AKnownDelayCountsFromTheFirstSet) {
  project_.cameras[1].live_delay_s = kDelay_s;
  open();
  EXPECT_EQ(correction_s(), kDelay_s);
  EXPECT_NEAR(recorder_->status().live->health.delay_span_ms, kDelay_s * 1e3, 1e-6);
}

}  // namespace
}  // namespace vantage
