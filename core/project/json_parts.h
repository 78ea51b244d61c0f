// JSON parts common to project files and results headers.
#pragma once

#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/base/parameters.h"
#include "core/base/result.h"
#include "core/geometry/camera.h"
#include "core/geometry/ignored_region.h"
#include "core/geometry/voxel_grid.h"

namespace vantage::project_detail {

// Rounds lengths to the millimetre and shares to a thousandth: values are not known better.
double rounded(double value);
double rounded_color(double channel);  // in steps of 8 bits, to a tenth
nlohmann::ordered_json grid_json(const VoxelGrid& grid);
// One camera in the form of core/calibration/formats, without its name, which is the project camera's. Throws
// on names that are not UTF-8.
nlohmann::ordered_json calibration_json(const Camera& camera);
// The camera of that name as calibration_json() writes it. Errors: bad_data, with `where`.
Result<Camera> calibrated_camera(const nlohmann::ordered_json& calibration, const std::string& name,
                                 const std::string& where);
// One camera's array of objects with corners_px.
nlohmann::ordered_json ignored_json(const IgnoredRegions& regions);
// One camera's array of objects with from_frame and calibration; may be empty.
nlohmann::ordered_json later_json(const std::vector<LaterCalibration>& later);
// Reads what later_json() writes, for a camera calibrated as `first` before. Errors: bad_data, with `where`,
// for frames that are not above 0 and ascending, or pictures of another size than first's.
Result<std::vector<LaterCalibration>> later_calibrations(const nlohmann::ordered_json& list,
                                                         const Camera& first, const std::string& name,
                                                         const std::string& where);

}  // namespace vantage::project_detail

namespace vantage {

// Parameters as JSON, {"stage": {"name": value}}: numbers, true or false, or a choice's name.

nlohmann::ordered_json parameter_value_json(const ParameterDescription& entry, double value);
nlohmann::ordered_json parameters_json(const ParameterStore& store, bool changed_only);

// Sets parameters that the store has, by their name or a former one, and ignores others. If both names occur,
// the former is ignored, with a warning. Errors: bad_data, `where` with the position in `object`
// ("/stage/name").
Status read_parameters_json(const nlohmann::json& object, ParameterStore* store,
                            std::vector<std::string>* warnings);

}  // namespace vantage
