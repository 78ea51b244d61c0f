// Projects that know cameras by calibration and boxes alone, without any video, and their analysis.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/algorithms.h"
#include "core/project/new_project.h"
#include "core/run/analysis.h"
#include "core/video/no_video.h"
#include "tests/support/camera_ring.h"
#include "tests/support/data.h"

namespace vantage::test {

class BoxesProject : public testing::Test {
 protected:
  BoxesProject() { register_cpu_backends(backends_); }

  // `rows`, in MOTChallenge's columns, are written into a file NAME.txt; empty: the camera has no detections.
  NewCamera camera(const NoVideo& video, const std::optional<Camera>& calibration, const std::string& name,
                   const std::string& rows) const {
    NewCamera made;
    made.video = no_video_address(video);
    made.info = (*open_video(made.video, {}))->info();
    if (calibration) made.calibration = CalibratedCamera{*calibration, "ring", "test", "", false};
    if (rows.empty()) return made;
    made.detections.file = (folder_.path() / (name + ".txt")).string();
    std::ofstream(made.detections.file) << rows;
    return made;
  }
  Project project_of(const std::vector<NewCamera>& cameras) const {
    Project made = assemble_project(cameras).value();
    made.path = folder_.path() / "boxes.vantage";
    return made;
  }
  std::unique_ptr<Analysis> open(const Project& project) const {
    AnalysisOptions options;
    options.backends = &backends_;
    auto analysis = Analysis::open(project, options);
    EXPECT_TRUE(analysis) << analysis.error().message();
    return analysis ? std::move(*analysis) : nullptr;
  }

  const TemporaryFolder folder_;
  BackendRegistry backends_;
};

}  // namespace vantage::test
