// Reads cameras and clicked points for the subcommands of calibrate.
#pragma once

#include <string>
#include <vector>

#include "app/cli/common/command.h"
#include "core/calibration/formats/calibration.h"
#include "core/project/project.h"

namespace vantage::cli {

// --unit-scale and --up-axis.
void add_read_options(CLI::App& command, CalibrationOptions* options);
// Picture size for files without one: that of the project's cameras.
void take_size_of(const Project& project, CalibrationOptions* options);

// Cameras of a calibration file or a project (hall.vantage, or hall.vantage@300 for its calibrations at frame
// 300), by its names; none is a failure.
std::vector<Camera> cameras_or_fail(const std::string& path, const CalibrationOptions& options);

// Points of the file, or those clicked in the project without a file; none is a failure.
std::vector<ClickedPoint> points_or_fail(const Project& project, const std::string& file);
void add_points_option(CLI::App& command, std::string* file);

// The project's region, or the cameras' common view if it has none. Errors: those of
// fit_grid_to_common_view().
Result<VoxelGrid> region_of(const Project& project, const std::vector<Camera>& cameras);

// All calibrated cameras; none is a failure.
std::vector<Camera> calibrated_or_fail(const Project& project, int64_t frame = 0);

}  // namespace vantage::cli
