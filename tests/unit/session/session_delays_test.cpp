// Running live cameras brought into step by their pictures: test cameras, one of which does not report its
// transit time. Nothing here asserts a time.
#include <gtest/gtest.h>

#include <cmath>

#include "core/synth/synth.h"
#include "tests/unit/session/live_session.h"

namespace vantage {
namespace {

using Recorder = test::SessionRecorder;

constexpr double kDelay_s = 0.8;

// Tolerance of a delay, in seconds: a set's period.
constexpr double kPeriod_s = 0.04;

// Every third set is analysed, however busy the machine is: each estimate needs 8 s of the same sets.
class SessionDelaysTest : public test::LiveSession {
 protected:
  static constexpr int kEvery = 3;
  SessionDelaysTest() : LiveSession(kEvery) {}
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
    const Project project = load_project(footage_->path() / "hall" / "hall.vantage").value();
    std::vector<StreamedCamera> served;
    for (const ProjectCamera& camera : project.cameras) served.push_back({camera.name, camera.video});
    served[1].delay_s = kDelay_s;
    serve(project, std::move(served));
  }
  double correction_s() const { return recorder_->status().live->health.cameras[1].correction_s; }

  static std::unique_ptr<test::TemporaryFolder> footage_;
};
std::unique_ptr<test::TemporaryFolder> SessionDelaysTest::footage_;

TEST_F(SessionDelaysTest, AProposedDelayIsAppliedToRunningCamerasAndKept) {
  open();
  session_->post(command::SetOffsetWatch{OffsetWatch::propose});
  ASSERT_TRUE(recorder_->wait_for([](const Recorder& r) { return !r.proposed_.empty(); }));
  const OffsetProposal proposal = recorder_->proposed_.front();
  EXPECT_EQ(proposal.camera, 1);
  ASSERT_TRUE(proposal.delay_s);
  EXPECT_NEAR(*proposal.delay_s, kDelay_s, kPeriod_s);
  EXPECT_EQ(correction_s(), 0) << "a proposal changes nothing";
  const int64_t opened = recorder_->status().live->health.cameras[0].pictures;
  session_->post(command::ApplyOffset{proposal});
  ASSERT_TRUE(recorder_->wait_for([](const Recorder& r) { return !r.applied_.empty(); }));
  EXPECT_EQ(recorder_->opened_.cameras[1].live_delay_s, *proposal.delay_s);
  ASSERT_TRUE(recorder_->wait_for(
      [](const Recorder& r) { return r.status_.live->health.cameras[1].correction_s != 0; }));
  EXPECT_NEAR(recorder_->status().live->health.delay_span_ms, *proposal.delay_s * 1e3, 1);
  EXPECT_GE(recorder_->status().live->health.cameras[0].pictures, opened) << "no camera was opened again";
  EXPECT_EQ(recorder_->status().live->health.cameras[0].reconnections, 0);
  session_->post(command::Undo{});
  ASSERT_TRUE(recorder_->wait_for(
      [](const Recorder& r) { return r.status_.live->health.cameras[1].correction_s == 0; }));
  session_->post(command::Redo{});
  ASSERT_TRUE(recorder_->wait_for([](const Recorder& r) { return r.status_.unsaved; }));
  session_->post(command::Save{project_.path});
  ASSERT_TRUE(recorder_->wait_for([](const Recorder& r) { return !r.status_.unsaved; }));
  EXPECT_EQ(load_project(project_.path)->cameras[1].live_delay_s, *proposal.delay_s);
  EXPECT_TRUE(recorder_->errors().empty());
}

TEST_F(SessionDelaysTest, WhatIsSureIsAppliedWhereThatIsWished) {
  open();
  session_->post(command::SetOffsetWatch{OffsetWatch::apply});
  ASSERT_TRUE(recorder_->wait_for([](const Recorder& r) { return !r.applied_.empty(); }));
  EXPECT_TRUE(recorder_->proposed_.empty());
  EXPECT_NEAR(recorder_->opened_.cameras[1].live_delay_s, kDelay_s, kPeriod_s);
}

TEST_F(SessionDelaysTest, AKnownDelayCountsFromTheFirstSet) {
  project_.cameras[1].live_delay_s = kDelay_s;
  open();
  EXPECT_EQ(correction_s(), kDelay_s);
  EXPECT_NEAR(recorder_->status().live->health.delay_span_ms, kDelay_s * 1e3, 1e-6);
}

}  // namespace
}  // namespace vantage
