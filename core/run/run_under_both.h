// Runs the chain under two calibrations of the same cameras, to compare them by the people in the footage.
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
  // All cameras of the project, in any order; the second's world is that of the first.
  std::array<std::vector<Camera>, 2> cameras;
  VoxelGrid grid;     // the region, for both
  FrameRange frames;  // up to the recording's end
  GroundTruth truth;  // may be empty
};

struct OpenedProject {
  Analysis& analysis;
  DeviceBackends backends;
  std::string device_description;
};
// Opens the project with kept frames; its return value is valid until the next call.
using ProjectOpener =
    std::function<Result<OpenedProject>(const Project&, const std::shared_ptr<KeptFrames>&)>;

struct ComparedByPeople {
  CalibrationsByPeople people;
  std::vector<ComparedFigure> truth;  // empty: there is none
  GainVerdict second_is() const { return better_calibration(people, truth); }
};

// `progress` counts the frames of both runs and those whose outlines are read. Masks are computed once, into
// a temporary folder. Errors: not_found where a calibration lacks a camera; invalid_argument for frames
// beyond the recording, or during which a camera's pose changes; those of opening and running.
Result<ComparedByPeople> run_under_both(const Project& project, const BothCalibrations& both,
                                        const ProjectOpener& open,
                                        const std::function<void(int64_t done, int64_t total)>& progress,
                                        const StopSource& stop);

}  // namespace vantage
