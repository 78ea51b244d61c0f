// The parts that project file and results header have in common.
#pragma once

#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/base/parameters.h"
#include "core/base/result.h"
#include "core/geometry/camera.h"
#include "core/geometry/voxel_grid.h"

namespace vantage::project_detail {

// Lengths to the millimetre, shares to a thousandth: more would only pretend.
double rounded(double value);
double rounded_color(double channel);  // of 8 bits, to a tenth
nlohmann::ordered_json grid_json(const VoxelGrid& grid);
// One camera as core/calibration/formats writes it, without its name: that is the project camera's. Throws on
// a name that is not UTF-8.
nlohmann::ordered_json calibration_json(const Camera& camera);
// The camera of that name as calibration_json() writes it. Errors: bad_data, with `where`.
Result<Camera> calibrated_camera(const nlohmann::ordered_json& calibration, const std::string& name,
                                 const std::string& where);
// One camera's array of objects with from_frame and calibration, empty where there are none.
nlohmann::ordered_json later_json(const std::vector<LaterCalibration>& later);
// What later_json() writes, for a camera that stands as `first` before. Errors: bad_data, with `where`, where
// frames are not above 0 and in order, or pictures of another size than first's.
Result<std::vector<LaterCalibration>> later_calibrations(const nlohmann::ordered_json& list,
                                                         const Camera& first, const std::string& name,
                                                         const std::string& where);

}  // namespace vantage::project_detail

namespace vantage {

// Parameters as JSON, {"stage": {"name": value}}: numbers, true or false, a choice by its name.

nlohmann::ordered_json parameter_value_json(const ParameterDescription& entry, double value);
nlohmann::ordered_json parameters_json(const ParameterStore& store, bool changed_only);

// Sets those that the store knows, by their name or a former one; others are left alone. Where both names are
// there, the former is not used, which `warnings` says. Errors: bad_data, `where` the position in `object`
// ("/stage/name").
Status read_parameters_json(const nlohmann::json& object, ParameterStore* store,
                            std::vector<std::string>* warnings);

}  // namespace vantage
