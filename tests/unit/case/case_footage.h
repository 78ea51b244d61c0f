// Rendered footage with the truth of every pixel, analysed, for what is exported of it.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>

#include "core/algorithms.h"
#include "core/results/results_writer.h"
#include "core/run/analysis.h"
#include "core/run/run.h"
#include "core/synth/synth.h"
#include "tests/support/data.h"
#include "tests/unit/case/blur_truth.h"

namespace vantage::test {

inline BackendRegistry& cpu_registry() {
  static BackendRegistry registry;
  static const bool filled = (register_cpu_backends(registry), true);
  return filled ? registry : registry;
}

inline DeviceBackends cpu_backends() {
  return {&cpu_registry(), Device::cpu, {}};
}

// Runs the chain over the whole recording and writes its results.
inline void analyse(const std::filesystem::path& file) {
  const auto project = load_project(file);
  ASSERT_TRUE(project) << project.error().message();
  AnalysisOptions options;
  options.backends = cpu_backends();
  auto analysis = Analysis::open(*project, options);
  ASSERT_TRUE(analysis) << analysis.error().message();
  auto description = describe_run(**analysis, options.backends, "CPU");
  ASSERT_TRUE(description) << description.error().message();
  auto writer = ResultsWriter::open(project->results_folder(), *project, *description);
  ASSERT_TRUE(writer) << writer.error().message();
  Status written;
  const Status done = (*analysis)->pipeline().analyse({0, INT64_MAX}, ExecutionMode::threaded,
                                                      [&](const FrameResultRef& result) {
                                                        written = (*writer)->write(*result);
                                                        return written.has_value();
                                                      },
                                                      {});
  ASSERT_TRUE(done) << done.error().message();
  ASSERT_TRUE(written) << written.error().message();
  ASSERT_TRUE((*writer)->finish(nullptr));
}

// Three cameras, three people, 5 s; rendered and analysed once for all tests of the program.
inline const std::filesystem::path& case_footage() {
  static const TemporaryFolder folder;
  static const std::filesystem::path project = [] {
    SynthOptions options;
    options.cameras = 3, options.people = 3, options.seconds = 5, options.frame_rate = 12.5;
    options.width_px = 640, options.height_px = 480;
    options.area_m = 5, options.seed = 7;
    options.truth_interval_frames = 2, options.persons = true;
    const std::filesystem::path place = folder.path() / "scene";
    const Status rendered = render_recording(options, place, {}, {});
    EXPECT_TRUE(rendered) << (rendered ? "" : rendered.error().message());
    analyse(place / "scene.vantage");
    return place / "scene.vantage";
  }();
  return project;
}

}  // namespace vantage::test
