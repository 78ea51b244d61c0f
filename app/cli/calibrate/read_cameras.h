// Cameras and clicked points that the subcommands of calibrate read.
#pragma once

#include <string>
#include <vector>

#include "app/cli/common/command.h"
#include "core/calibration/formats/calibration.h"
#include "core/project/project.h"

namespace vantage::cli {

// --unit-scale and --up-axis.
void add_read_options(CLI::App& command, CalibrationOptions* options);
// The picture size of files that state none: that of the project's cameras.
void take_size_of(const Project& project, CalibrationOptions* options);

// Cameras of a calibration file, or of a project (hall.vantage, or hall.vantage@300 as they stand at frame
// 300), by its names; none is a failure.
std::vector<Camera> cameras_or_fail(const std::string& path, const CalibrationOptions& options);

// Points of the file, or those clicked in the project where no file is given; none is a failure.
std::vector<ClickedPoint> points_or_fail(const Project& project, const std::string& file);
void add_points_option(CLI::App& command, std::string* file);

// The project's region; where it has none, what these cameras see in common. Errors: those of
// fit_grid_to_common_view().
Result<VoxelGrid> region_of(const Project& project, const std::vector<Camera>& cameras);

// All that are calibrated; none is a failure.
std::vector<Camera> calibrated_or_fail(const Project& project, int64_t frame = 0);

}  // namespace vantage::cli
