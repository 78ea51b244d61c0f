// Cameras brought into step while a session analyses.
#include <gtest/gtest.h>

#include "core/algorithms.h"
#include "core/results/results_reader.h"
#include "core/session/session.h"
#include "tests/unit/run/offset_footage.h"
#include "tests/unit/session/session_recorder.h"

namespace vantage {
namespace {

using Recorder = test::SessionRecorder;

using test::kOutOfStep;

constexpr int64_t kWatchedFrames = test::kOffsetFrames;

class SessionOffsetsTest : public testing::Test {
 protected:
  void SetUp() override {
    register_cpu_backends(registry_);
    const std::filesystem::path footage = test::offset_footage();
    auto project = load_project(footage);
    ASSERT_TRUE(project) << project.error().message();
    project->path = footage.parent_path() /
                    (std::string(testing::UnitTest::GetInstance()->current_test_info()->name()) + ".vantage");
    ASSERT_TRUE(save_project(*project, project->path));
    path_ = project->path;
    open();
  }
  void open() {
    session_.reset();
    SessionOptions options;
    options.backends = &registry_;
    options.device_description = "CPU";
    recorder_ = std::make_shared<Recorder>();
    session_ = Session::make(options, recorder_);
    session_->post(command::OpenFile{path_});
    ASSERT_TRUE(
        recorder_->wait_for([](const Recorder& r) { return r.status_.open && r.status_.frame_count_exact; }));
  }
  void analyse() {
    ASSERT_TRUE(recorder_->wait_for_analysis([&] { session_->post(command::Analyse{{0, kWatchedFrames}}); }));
  }
  bool all_current() {
    return recorder_->wait_for(
        [](const Recorder& r) { return r.count(FrameState::current) == kWatchedFrames; });
  }
  std::vector<OffsetChange> changes() const { return recorder_->opened_.cameras.at(1).offset_changes; }

  BackendRegistry registry_;
  std::filesystem::path path_;
  std::shared_ptr<Recorder> recorder_;
  std::unique_ptr<Session> session_;
};

TEST_F(SessionOffsetsTest, ACameraOutOfStepIsProposedOnceAndAppliedByHand) {
  session_->post(command::SetOffsetWatch{OffsetWatch::propose});
  analyse();
  ASSERT_EQ(recorder_->proposed_.size(), 1u) << "told once, however often it is found";
  const OffsetProposal proposal = recorder_->proposed_.front();
  EXPECT_EQ(proposal.camera, 1);
  EXPECT_EQ(proposal.frames, kOutOfStep);
  EXPECT_EQ(proposal.since, 0) << "it never was in step";
  EXPECT_TRUE(changes().empty()) << "a proposal changes nothing";
  EXPECT_TRUE(all_current());
  session_->post(command::ApplyOffset{proposal});
  ASSERT_TRUE(recorder_->wait_for([](const Recorder& r) { return r.applied_.size() == 1; }));
  EXPECT_EQ(recorder_->opened_.cameras[1].offset_frames, kOutOfStep);
  session_->post(command::Undo{});
  EXPECT_TRUE(recorder_->wait_for([](const Recorder& r) { return r.opened_.cameras[1].offset_frames == 0; }));
  EXPECT_TRUE(recorder_->errors_.empty());
}

TEST_F(SessionOffsetsTest, ARunBringsItIntoStepWithoutLosingAFrame) {
  session_->post(command::SetOffsetWatch{OffsetWatch::apply});
  analyse();
  ASSERT_EQ(recorder_->applied_.size(), 1u);
  ASSERT_EQ(changes().size(), 1u);
  const int64_t from = changes().front().base_frame;
  EXPECT_EQ(from, recorder_->applied_.front().base_frame + 1) << "as `vantage-cli run` does it";
  EXPECT_EQ(changes().front().frames, kOutOfStep);
  EXPECT_TRUE(recorder_->proposed_.empty());
  EXPECT_TRUE(all_current()) << "frames before the change hold";
  const auto stored = read_results(path_.parent_path() / (path_.stem().string() + ".results"));
  ASSERT_TRUE(stored);
  ASSERT_EQ(stored->frames.size(), static_cast<size_t>(kWatchedFrames));
  for (int64_t n = 0; n < kWatchedFrames; ++n) EXPECT_EQ(stored->frames[n].frame, n);
  for (const int64_t n : {from - 1, from}) {
    session_->post(command::Seek{n});
    ASSERT_TRUE(recorder_->wait_for_exact(n));
    EXPECT_EQ(recorder_->shown_->frames()->cameras[1].camera_frame, n + (n < from ? 0 : kOutOfStep));
  }
  session_->post(command::Undo{});
  EXPECT_TRUE(
      recorder_->wait_for([](const Recorder& r) { return r.opened_.cameras[1].offset_changes.empty(); }));
  EXPECT_TRUE(recorder_->wait_for([](const Recorder& r) { return r.count(FrameState::current) == 0; }));
  session_->post(command::Redo{});
  EXPECT_TRUE(all_current());
  session_->post(command::Save{path_});
  ASSERT_TRUE(recorder_->wait_for([](const Recorder& r) { return !r.status_.unsaved; }));
  open();
  EXPECT_TRUE(all_current()) << "the results are those of the project with the change";
}

TEST_F(SessionOffsetsTest, PlayingGoesOnWithAnAcceptedProposal) {
  ASSERT_TRUE(recorder_->wait_for_exact(0));
  session_->post(command::SetOffsetWatch{OffsetWatch::propose});
  session_->post(command::SetAnalyseWhilePlaying{true});
  session_->post(command::SetPlaybackRate{8});
  session_->post(command::Play{});
  ASSERT_TRUE(recorder_->wait_for([](const Recorder& r) { return !r.proposed_.empty(); }));
  session_->post(command::ApplyOffset{recorder_->proposed_.front()});
  ASSERT_TRUE(recorder_->wait_for([](const Recorder& r) { return !r.applied_.empty(); }));
  ASSERT_EQ(changes().size(), 1u);
  EXPECT_TRUE(recorder_->wait_for([](const Recorder& r) { return !r.status_.playing; }));
  EXPECT_TRUE(all_current()) << "no frame is left out, and those before the change hold";
  EXPECT_EQ(recorder_->proposed_.size(), 1u) << "in step now";
  EXPECT_TRUE(recorder_->errors_.empty());
}

}  // namespace
}  // namespace vantage
