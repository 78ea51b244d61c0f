// The chain run under two calibrations of the same cameras, to compare them by the people of the footage.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/pipeline/kept_frames.h"
#include "core/pipeline/pipeline.h"
#include "core/results/truth_files.h"
#include "core/run/analysis.h"
#include "core/run/calibrations_by_people.h"

namespace vantage {

struct BothCalibrations {
  // The second's world is that of the first. Of all cameras of the project, in any order.
  std::array<std::vector<Camera>, 2> cameras;
  VoxelGrid grid;     // the region, for both
  FrameRange frames;  // as far as the recording goes
  GroundTruth truth;  // may be empty
};

struct OpenedProject {
  Analysis& analysis;
  DeviceBackends backends;
  std::string device_description;
};
// Opens the project with what is kept of frames; what it returns lives until it is called again.
using ProjectOpener =
    std::function<Result<OpenedProject>(const Project&, const std::shared_ptr<KeptFrames>&)>;

struct ComparedByPeople {
  CalibrationsByPeople people;
  std::vector<ComparedFigure> truth;  // empty: there is none
  GainVerdict second_is() const { return better_calibration(people, truth); }
};

// `progress` counts the frames of both runs and those of which outlines are read. Masks are made once, into a
// folder of temporary files. Errors: not_found where a calibration lacks a camera; invalid_argument for
// frames beyond the recording, or over which a camera stands otherwise; those of opening and running.
Result<ComparedByPeople> run_under_both(const Project& project, const BothCalibrations& both,
                                        const ProjectOpener& open,
                                        const std::function<void(int64_t done, int64_t total)>& progress,
                                        const StopSource& stop);

}  // namespace vantage
