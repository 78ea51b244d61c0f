// A hall with people, rendered once for all tests of a program, and the chain opened on it.
#pragma once

#include <gtest/gtest.h>

#include <memory>

#include "core/algorithms.h"
#include "core/project/project.h"
#include "core/run/analysis.h"
#include "core/synth/synth.h"
#include "tests/support/data.h"

namespace vantage::test {

class RenderedHall : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = std::make_unique<TemporaryFolder>();
    SynthOptions options;
    options.cameras = 4, options.people = 4, options.area_m = 4;
    options.width_px = 320, options.height_px = 240;
    options.frame_rate = 12.5, options.seconds = 3;
    ASSERT_TRUE(render_recording(options, folder_->path() / "hall", {}, {}));
    project_ = load_project(folder_->path() / "hall" / "hall.vantage").value();
  }
  static void TearDownTestSuite() { folder_.reset(); }

  static std::unique_ptr<Analysis> open(const Project& project) {
    static const BackendRegistry registry = [] {
      BackendRegistry made;
      register_cpu_backends(made);
      return made;
    }();
    AnalysisOptions options;
    options.backends = &registry;
    auto analysis = Analysis::open(project, options);
    EXPECT_TRUE(analysis) << analysis.error().message();
    return analysis ? std::move(*analysis) : nullptr;
  }
  static FrameResultRef frame(Analysis& analysis, int64_t at) {
    return analysis.pipeline().frame(at, {}, {}).value();
  }

  static inline std::unique_ptr<TemporaryFolder> folder_;
  static inline Project project_;
};

}  // namespace vantage::test
