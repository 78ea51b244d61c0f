// What stages remember, handed to another process: the frames that follow are those of one run, byte for
// byte; what does not fit is refused.
#include <gtest/gtest.h>

#include "core/algorithms.h"
#include "core/base/file.h"
#include "core/foreground/methods.h"
#include "core/pipeline/stages.h"
#include "core/results/results_writer.h"
#include "core/run/analysis.h"
#include "core/synth/synth.h"
#include "tests/support/data.h"

namespace vantage {
namespace {

constexpr int64_t kSeam = 37, kFrames = 75;

class ChainMemoryTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    recording_ = new test::TemporaryFolder();
    SynthOptions options;
    options.cameras = 3, options.people = 2, options.seconds = 3, options.area_m = 4;
    options.width_px = 160, options.height_px = 120;
    ASSERT_TRUE(render_recording(options, recording_->path() / "hall", [](double) {}, {}));
  }
  static void TearDownTestSuite() { delete recording_; }

  void SetUp() override {
    register_cpu_backends(registry_);
    auto project = load_project(recording_->path() / "hall/hall.vantage");
    ASSERT_TRUE(project) << project.error().message();
    project_ = std::move(*project);
  }

  std::unique_ptr<Analysis> open(UnseenFrames unseen = UnseenFrames::go_on) {
    AnalysisOptions options;
    options.backends = {&registry_, Device::cpu, {}};
    options.pipeline.cache_bytes = 0;
    options.pipeline.unseen = unseen;
    auto analysis = Analysis::open(project_, options);
    EXPECT_TRUE(analysis) << analysis.error().message();
    return analysis ? std::move(*analysis) : nullptr;
  }

  std::vector<std::string> lines(Analysis& analysis, int64_t begin, int64_t end) {
    std::vector<std::string> lines;
    const std::vector<std::string> cameras = {"cam1", "cam2", "cam3"};
    const Status done = analysis.pipeline().analyse(
        {begin, end}, ExecutionMode::threaded,
        [&](const FrameResultRef& result) {
          lines.push_back(frame_line(*result, cameras).value());
          if (const FlowArtifact* flow = result->flow(); flow && !flow->cameras.empty())
            if (const Image& vectors = flow->cameras[0].field.vectors)
              for (int y = 0; y < vectors.height(); y += 8)
                lines.back() += std::to_string(vectors.view<float>().at(vectors.width() / 2, y));
          return true;
        },
        {});
    EXPECT_TRUE(done) << done.error().message();
    return lines;
  }

  std::string memory_at_seam() {
    const auto analysis = open();
    lines(*analysis, 0, kSeam);
    auto memory = analysis->pipeline().write_memory(kSeam - 1);
    EXPECT_TRUE(memory) << memory.error().message();
    return memory.value_or("");
  }

  void expect_continues_as_one_run() {
    const auto whole = open(UnseenFrames::replay);
    const std::vector<std::string> all = lines(*whole, 0, kFrames);
    ASSERT_EQ(all.size(), static_cast<size_t>(kFrames));
    const auto later = open();
    const Status read = later->pipeline().read_memory(memory_at_seam(), kSeam - 1);
    ASSERT_TRUE(read) << read.error().message();
    EXPECT_EQ(lines(*later, kSeam, kFrames), std::vector<std::string>(all.begin() + kSeam, all.end()));
  }

  static test::TemporaryFolder* recording_;
  BackendRegistry registry_;
  Project project_;
};

test::TemporaryFolder* ChainMemoryTest::recording_ = nullptr;

TEST_F(ChainMemoryTest, FramesBehindTheSeamAreThoseOfOneRun) {
  const auto whole = open(UnseenFrames::replay);
  const std::vector<std::string> all = lines(*whole, 0, kFrames);
  const auto alone = open();
  EXPECT_NE(lines(*alone, kSeam, kFrames), std::vector<std::string>(all.begin() + kSeam, all.end()))
      << "without a memory the test could not fail";
  expect_continues_as_one_run();
}

TEST_F(ChainMemoryTest, AlsoWithOpticalFlow) {
  ASSERT_TRUE(set_from_text(&project_, "flow.enabled=true"));
  ASSERT_TRUE(set_from_text(&project_, "flow.start_from_last=true"));
  ASSERT_TRUE(set_from_text(&project_, "flow.foreground_only=true"));
  expect_continues_as_one_run();
}

TEST_F(ChainMemoryTest, DamagedBytesAreRefused) {
  const std::string memory = memory_at_seam();
  const auto later = open();
  for (const size_t length : {size_t{0}, size_t{5}, size_t{30}, memory.size() / 2, memory.size() - 1})
    EXPECT_EQ(later->pipeline().read_memory(memory.substr(0, length), kSeam - 1).error().kind,
              ErrorKind::bad_data)
        << length;
  std::string changed = memory;
  changed[memory.size() / 3] ^= 1;
  EXPECT_EQ(later->pipeline().read_memory(changed, kSeam - 1).error().kind, ErrorKind::bad_data);
  changed = memory;
  changed[std::string("vantage stage memory\n").size()] = 9;
  const Status newer = later->pipeline().read_memory(changed, kSeam - 1);
  ASSERT_FALSE(newer);
  EXPECT_NE(newer.error().message().find("format 9"), std::string::npos) << newer.error().message();
}

TEST_F(ChainMemoryTest, WhatDoesNotFitIsRefusedByItsReason) {
  const std::string memory = memory_at_seam();
  EXPECT_NE(open()->pipeline().read_memory(memory, kSeam).error().message().find("after frame 36"),
            std::string::npos);
  ASSERT_TRUE(set_from_text(&project_, "foreground.learning_rate=0.002"));
  const Status other = open()->pipeline().read_memory(memory, kSeam - 1);
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().kind, ErrorKind::invalid_argument);
  EXPECT_NE(other.error().message().find("foreground"), std::string::npos) << other.error().message();
}

TEST_F(ChainMemoryTest, IsWrittenOnlyOfTheFrameThatTheStagesStandAt) {
  const auto analysis = open();
  EXPECT_EQ(analysis->pipeline().write_memory(0).error().kind, ErrorKind::invalid_argument);
  lines(*analysis, 0, 5);
  EXPECT_TRUE(analysis->pipeline().write_memory(4));
  EXPECT_EQ(analysis->pipeline().write_memory(3).error().kind, ErrorKind::invalid_argument);
}

TEST_F(ChainMemoryTest, MethodsThatCannotWriteTheirsSayWhatToDo) {
  if (!foreground_methods()[1].register_cpu) GTEST_SKIP() << "built without the method knn";
  ASSERT_TRUE(set_from_text(&project_, "foreground.method=knn"));
  const auto analysis = open();
  lines(*analysis, 0, 5);
  const Result<std::string> memory = analysis->pipeline().write_memory(4);
  ASSERT_FALSE(memory);
  EXPECT_EQ(memory.error().kind, ErrorKind::unsupported);
  EXPECT_NE(memory.error().message().find("warm-up"), std::string::npos) << memory.error().message();
}

}  // namespace
}  // namespace vantage
