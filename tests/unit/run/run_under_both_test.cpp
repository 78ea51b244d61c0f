// A small rendered recording run under two calibrations.
#include "core/run/run_under_both.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "core/algorithms.h"
#include "core/project/project_store.h"
#include "core/synth/synth.h"
#include "tests/support/data.h"

namespace vantage {
namespace {

constexpr int64_t kFrames = 12;

class RunUnderBothTest : public testing::Test {
 protected:
  void SetUp() override {
    register_cpu_backends(backends_);
    SynthOptions options;
    options.cameras = 3, options.people = 2, options.seconds = 2, options.frame_rate = 10;
    options.width_px = 320, options.height_px = 240;
    options.area_m = 4;
    const Status rendered = render_recording(options, folder_.path() / "hall", {}, {});
    ASSERT_TRUE(rendered) << rendered.error().message();
    project_ = load_project(folder_.path() / "hall" / "hall.vantage").value();
  }

  Result<ComparedByPeople> run(const std::function<void(int64_t, int64_t)>& progress,
                               const StopSource& stop) {
    const std::vector<Camera> cameras = project_.named_calibrations();
    const BothCalibrations both{{cameras, cameras}, project_.effective_grid().value(), {2, 2 + kFrames}, {}};
    std::unique_ptr<Analysis> analysis;
    const ProjectOpener open = [&](const Project& changed,
                                   const std::shared_ptr<KeptFrames>& kept) -> Result<OpenedProject> {
      AnalysisOptions options;
      options.backends = &backends_;
      options.pipeline.kept = kept;
      analysis.reset();
      VANTAGE_ASSIGN(analysis, Analysis::open(changed, options));
      return OpenedProject{*analysis, &backends_, "CPU"};
    };
    return run_under_both(project_, both, open, progress, stop);
  }

  const test::TemporaryFolder folder_;
  BackendRegistry backends_;
  Project project_;
};

TEST_F(RunUnderBothTest, ProgressCountsBothRunsAndTheOutlines) {
  std::vector<int64_t> counted;
  const auto compared = run(
      [&](int64_t done, int64_t total) {
        EXPECT_EQ(total, 3 * kFrames);
        counted.push_back(done);
      },
      {});
  ASSERT_TRUE(compared) << compared.error().message();
  ASSERT_EQ(counted.size(), static_cast<size_t>(3 * kFrames));
  for (size_t i = 0; i < counted.size(); ++i) EXPECT_EQ(counted[i], static_cast<int64_t>(i) + 1);
  EXPECT_EQ(compared->people.found[0].person_frames, compared->people.found[1].person_frames);
}

TEST_F(RunUnderBothTest, StopsInTheMiddleOfEitherRun) {
  for (const int64_t at : {int64_t{4}, kFrames + 4, 2 * kFrames + 4}) {
    StopSource stop;
    int64_t last = 0;
    const auto compared = run(
        [&](int64_t done, int64_t) {
          last = done;
          if (done == at) stop.request_stop();
        },
        stop);
    ASSERT_FALSE(compared);
    EXPECT_EQ(compared.error().kind, ErrorKind::cancelled) << compared.error().message();
    EXPECT_LT(last, at + kFrames) << "no more than what was on its way";
  }
}

}  // namespace
}  // namespace vantage
