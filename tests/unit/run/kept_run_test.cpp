// A changed parameter computes its stage and those behind it alone, and the results are a full run's bytes.
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <random>
#include <set>

#include "core/algorithms.h"
#include "core/base/file.h"
#include "core/pipeline/kept_frames.h"
#include "core/run/run.h"
#include "tests/support/loop_size.h"
#include "tests/support/seed.h"
#include "tests/unit/run/offset_footage.h"

namespace vantage {
namespace {

namespace fs = std::filesystem;

constexpr FrameRange kTwoSeconds{0, 50};  // two seconds

class Silent final : public RunListener {
  void on_offset_proposal(const OffsetProposal&) override {}
  void on_offset_applied(const AppliedOffset&) override {}
  void on_delays(const std::vector<OffsetProposal>&) override {}
  void on_events(const std::vector<FloorEvent>&) override {}
  void on_writing_failed(const Error& error) override { ADD_FAILURE() << error.message(); }
  void on_watching_failed(const Error& error) override { ADD_FAILURE() << error.message(); }
};

struct FilesOfRun {
  std::map<std::string, std::string> files;  // by path in the folder of results, but for the timings
  std::set<std::string> ran;                 // stages that did something
};

class KeptRunTest : public testing::Test {
 protected:
  void SetUp() override {
    register_cpu_backends(registry_);
    auto project = load_project(test::offset_footage());
    ASSERT_TRUE(project) << project.error().message();
    project_ = std::move(*project);
  }

  FilesOfRun run(bool keep, FrameRange frames = kTwoSeconds, ExecutionMode mode = ExecutionMode::threaded) {
    const test::TemporaryFolder folder;
    TraceRecorder trace;
    AnalysisOptions options;
    options.backends = {&registry_, Device::cpu, {.trace = &trace}};
    options.pipeline.cache_bytes = 0;
    if (keep) options.pipeline.kept = std::make_shared<KeptFrames>(kept_.path() / "hall.kept");
    const auto analysis = Analysis::open(project_, options).value();
    Silent silent;
    vantage::Run run(project_, {options.backends, "CPU", nullptr}, silent);
    run.attach(*analysis);
    RunDescription description = run.describe().value();
    description.pictures.shells = description.pictures.floor_maps = 20;
    EXPECT_TRUE(run.begin_results(std::move(description),
                                  {folder.path(), OlderFrames::replace, frames.end - frames.begin, true}));
    const Status analysed = run.analyse(frames, mode, {}, [](const FrameResultRef&) { return true; });
    EXPECT_TRUE(analysed) << analysed.error().message();
    EXPECT_TRUE(run.end_results().status);
    run.detach();
    FilesOfRun written;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder.path()))
      if (const std::string name = fs::relative(entry.path(), folder.path()).string();
          entry.is_regular_file() && name != "timings.json" && name != "trace.json")
        written.files[name] = read_file(entry.path()).value();
    for (const TraceSpan& span : trace.snapshot())
      if (span.kind == SpanKind::stage) written.ran.insert(span.name);
    return written;
  }
  // Keeps its frames. Random parameters may leave nobody, these do not.
  void run_with_tracks(FrameRange frames = kTwoSeconds) {
    EXPECT_FALSE(run(true, frames).files.at("tracks.csv").empty()) << "nobody was found at all";
  }
  void set(const std::string& assignment) {
    const Status done = project_.parameters.set_from_text(assignment);
    ASSERT_TRUE(done) << done.error().message();
  }

  BackendRegistry registry_;
  Project project_;
  const test::TemporaryFolder kept_;
};

void expect_same(const FilesOfRun& kept, const FilesOfRun& full, const std::string& what) {
  ASSERT_EQ(kept.files.size(), full.files.size()) << what;
  for (const auto& [name, bytes] : full.files)
    EXPECT_TRUE(kept.files.at(name) == bytes) << name << " after " << what;
}

TEST_F(KeptRunTest, ATrackerParameterRunsTheTrackerAlone) {
  run_with_tracks();
  set("tracking.keep_s=0.4");
  const FilesOfRun kept = run(true);
  for (const char* stage : {"video", "foreground", "carving", "floor", "people"})
    EXPECT_FALSE(kept.ran.contains(stage)) << stage;
  EXPECT_TRUE(kept.ran.contains("tracking"));
  expect_same(kept, run(false), "a change of the tracker");
  EXPECT_TRUE(kept.files.contains("shells/frame_000040.ply"));
}

TEST_F(KeptRunTest, APeopleParameterRunsThePeopleAndTheTracker) {
  run_with_tracks();
  set("people.min_height_m=1.72");
  const FilesOfRun kept = run(true, kTwoSeconds, ExecutionMode::sequential);
  for (const char* stage : {"video", "foreground", "carving", "floor"})
    EXPECT_FALSE(kept.ran.contains(stage)) << stage;
  EXPECT_TRUE(kept.ran.contains("people"));
  expect_same(kept, run(false), "a change of the people");
}

// The frames behind what is kept, and those before the range, are those of a run from frame 0.
TEST_F(KeptRunTest, RangesContinueWhatIsKept) {
  run_with_tracks({10, 30});
  set("people.min_own=0.3");
  expect_same(run(true, {5, 50}), run(false, {5, 50}), "a longer range");
}

TEST_F(KeptRunTest, DamagedFilesAreComputedAgain) {
  run_with_tracks();
  for (const fs::directory_entry& entry : fs::directory_iterator(kept_.path() / "hall.kept"))
    fs::resize_file(entry.path(), fs::file_size(entry.path()) * 2 / 3);
  expect_same(run(true), run(false), "truncated files");
}

TEST_F(KeptRunTest, ResultsAreAFullRunsAfterAnyChanges) {
  struct Parameter {
    const char *stage, *name;
    double from, to;
  };
  constexpr std::array kParameters = {
      Parameter{"tracking", "keep_s", 0.1, 3},        Parameter{"tracking", "gate_m", 0.3, 1.5},
      Parameter{"people", "min_height_m", 0.8, 1.75}, Parameter{"people", "min_own", 0.05, 0.6},
      Parameter{"people", "footprint_m", 0.3, 0.8},   Parameter{"floor", "lowest_m", 0, 0.5},
      Parameter{"carving", "threshold", 0.5, 0.95},   Parameter{"foreground", "min_sigma", 2, 6},
      Parameter{"foreground", "distance_high", 4, 8},
  };
  std::mt19937 random(test::test_seed());
  run_with_tracks();
  const int changes = test::loop_size("VANTAGE_TEST_CHANGES", 5);
  for (int i = 0; i < changes; ++i) {
    const Parameter& one = kParameters[random() % kParameters.size()];
    const double value = std::uniform_real_distribution<double>(one.from, one.to)(random);
    const Status done = project_.parameters.set(one.stage, one.name, value);
    ASSERT_TRUE(done) << done.error().message();
    const auto mode = random() % 2 == 0 ? ExecutionMode::sequential : ExecutionMode::threaded;
    const std::string what = std::string(one.stage) + "." + one.name + "=" + std::to_string(value);
    expect_same(run(true, kTwoSeconds, mode), run(false), what);
  }
}

}  // namespace
}  // namespace vantage
