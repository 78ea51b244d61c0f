// A run brings a camera into step at a frame that depends on the recording alone.
#include "core/run/run.h"

#include <gtest/gtest.h>

#include "core/algorithms.h"
#include "core/base/file.h"
#include "tests/support/loop_size.h"
#include "tests/unit/run/offset_footage.h"

namespace vantage {
namespace {

using test::kOffsetFrames;
using test::kOutOfStep;

// A front end that keeps what it is told.
class Kept final : public RunListener {
 public:
  explicit Kept(Project& project) : project_(project) {}
  void on_offset_proposal(const OffsetProposal& proposal) override { proposed_.push_back(proposal); }
  void on_offset_applied(const AppliedOffset& applied) override {
    project_.cameras[applied.proposal.camera].offset_changes.push_back(applied.change);
    applied_.push_back(applied);
  }
  void on_delays(const std::vector<OffsetProposal>&) override { ADD_FAILURE() << "no cameras are live"; }
  void on_events(const std::vector<FloorEvent>&) override { ADD_FAILURE() << "no cameras are live"; }
  void on_writing_failed(const Error& error) override { ADD_FAILURE() << error.message(); }
  void on_watching_failed(const Error& error) override { ADD_FAILURE() << error.message(); }

  std::vector<OffsetProposal> proposed_;
  std::vector<AppliedOffset> applied_;

 private:
  Project& project_;
};

struct Written {
  std::string lines, tracks;
  std::vector<OffsetProposal> proposed;
  std::vector<AppliedOffset> applied;
  std::vector<int64_t> own_frames;  // of the second camera
  Project project;                  // with what was applied
};

struct How {
  FrameRange range = {0, kOffsetFrames};
  ExecutionMode mode = ExecutionMode::threaded;
  OffsetWatch watch = OffsetWatch::off;
  OlderFrames older = OlderFrames::replace;
  int64_t apply_after = -1;  // by hand, at that frame; -1: never
};

class RunTest : public testing::Test {
 protected:
  void SetUp() override {
    register_cpu_backends(registry_);
    auto project = load_project(test::offset_footage());
    ASSERT_TRUE(project) << project.error().message();
    project_ = std::move(*project);
  }
  // The project's frames, written into a folder of their own.
  Written run(const Project& project, const How& how) {
    const test::TemporaryFolder folder;
    return run_into(folder.path(), project, how);
  }
  Written run_into(const std::filesystem::path& folder, Project project, const How& how) {
    Written written;
    AnalysisOptions options;
    options.backends = &registry_;
    options.pipeline.cache_bytes = 0;
    const auto analysis = Analysis::open(project, options).value();
    Kept kept(project);
    vantage::Run run(project, {&registry_, "CPU", nullptr}, kept);
    run.attach(*analysis);
    run.offsets().set_mode(how.watch);
    EXPECT_TRUE(
        run.begin_results(run.describe().value(), {folder, how.older, how.range.end - how.range.begin}));
    const Status analysed = run.analyse(how.range, how.mode, {}, [&](const FrameResultRef& result) {
      written.own_frames.push_back(result->frames()->cameras[1].camera_frame);
      if (result->frame == how.apply_after)
        run.apply({.camera = 1, .frames = static_cast<int>(kOutOfStep), .base_frame = result->frame});
      return true;
    });
    EXPECT_TRUE(analysed) << analysed.error().message();
    EXPECT_TRUE(run.end_results().status);
    written.lines = read_file(folder / "results.jsonl").value_or("");
    written.tracks = read_file(folder / "tracks.csv").value_or("");
    written.proposed = kept.proposed_, written.applied = kept.applied_;
    run.detach();
    written.project = std::move(project);
    return written;
  }

  BackendRegistry registry_;
  Project project_;
};

TEST_F(RunTest, AnOffsetTakesHoldAtTheSameFrameHoweverItRuns) {
  const Written first = run(project_, {.mode = ExecutionMode::sequential, .watch = OffsetWatch::apply});
  ASSERT_EQ(first.applied.size(), 1u);
  const AppliedOffset& applied = first.applied.front();
  const int64_t from = applied.change.base_frame;
  EXPECT_EQ(from, applied.proposal.base_frame + 1) << "the frame behind the one at which it was found";
  EXPECT_EQ(applied.change.frames, kOutOfStep);
  ASSERT_EQ(first.own_frames.size(), static_cast<size_t>(kOffsetFrames)) << "every frame, once";
  for (int64_t n = 0; n < kOffsetFrames - static_cast<int64_t>(kOutOfStep); ++n)
    EXPECT_EQ(first.own_frames[n], n < from ? n : n + static_cast<int64_t>(kOutOfStep));
  const int runs = test::loop_size("VANTAGE_TEST_RUNS", 4);
  for (int i = 1; i < runs; ++i) {
    const ExecutionMode mode = i % 2 == 1 ? ExecutionMode::threaded : ExecutionMode::sequential;
    const Written again = run(project_, {.mode = mode, .watch = OffsetWatch::apply});
    EXPECT_TRUE(again.lines == first.lines) << "run " << i;
    EXPECT_TRUE(again.tracks == first.tracks) << "run " << i;
  }
}

// So that they are current where that project is opened.
TEST_F(RunTest, ResultsAreThoseOfTheProjectWithTheChange) {
  const Written applied = run(project_, {.watch = OffsetWatch::apply});
  ASSERT_FALSE(applied.lines.empty());
  ASSERT_EQ(applied.project.cameras[1].offset_changes.size(), 1u);
  const Written changed = run(applied.project, {.watch = OffsetWatch::propose});
  EXPECT_TRUE(changed.lines == applied.lines);
  EXPECT_TRUE(changed.tracks == applied.tracks);
  EXPECT_EQ(changed.proposed.size(), 1u) << "once: behind the change it is in step";
}

// Frames that results hold already stay up to the change; those behind it are of another recording.
TEST_F(RunTest, OlderFramesHoldUpToTheChange) {
  constexpr int64_t kFrom = 51, kEnd = 80;
  const test::TemporaryFolder folder;
  run_into(folder.path(), project_, {.range = {0, 100}});
  const Written added = run_into(folder.path(), project_,
                                 {.range = {30, kEnd}, .older = OlderFrames::keep, .apply_after = kFrom - 1});
  ASSERT_EQ(added.applied.size(), 1u);
  EXPECT_EQ(added.applied.front().change, (OffsetChange{kFrom, kOutOfStep}));
  const Written whole = run(added.project, {.range = {0, kEnd}});
  EXPECT_TRUE(added.lines == whole.lines);
  EXPECT_TRUE(added.tracks == whole.tracks);
}

TEST_F(RunTest, AProposalChangesNothing) {
  const Written proposed = run(project_, {.watch = OffsetWatch::propose});
  const Written kept = run(project_, {});
  EXPECT_EQ(proposed.proposed.size(), 1u) << "reported once, however often it is found";
  EXPECT_TRUE(proposed.applied.empty());
  EXPECT_TRUE(proposed.lines == kept.lines);
}

}  // namespace
}  // namespace vantage
