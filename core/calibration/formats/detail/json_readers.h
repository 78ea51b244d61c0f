// Parts that the JSON and YAML formats share.
#pragma once

#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/calibration/formats/detail/formats.h"

namespace vantage::calibration_detail {

struct JsonDocument : Document {
  nlohmann::json json;
};
// The file is JSON or YAML.
const nlohmann::json& json_of(const Document& file);

// True if `cameras` is a list whose first has this key, in a file that is not ours.
bool lists_cameras_with(const char* key, const Document& file);

// " (it holds a, b, c)": the first keys of an object, for errors.
std::string keys_held(const nlohmann::json& content);

// Members of an object, with errors that name the key.
Result<const nlohmann::json*> member(const nlohmann::json& object, const char* key, const std::string& where);
// A text, or a whole number as one; empty: it is neither, or missing.
std::string text_of(const nlohmann::json& object, const char* key);
// True for a listed camera that was not calibrated: all of these are missing, null, an empty list or NaN.
bool lacks_all(const nlohmann::json& object, std::initializer_list<const char*> keys);
Result<double> number(const nlohmann::json& object, const char* key, const std::string& where);
Result<int> whole_number(const nlohmann::json& object, const char* key, const std::string& where);
// The numbers of an array, or of an array of arrays row by row.
Result<std::vector<double>> numbers(const nlohmann::json& object, const char* key, const std::string& where);
// A matrix as OpenCV stores it in YAML, row by row: rows, cols and data.
Result<std::vector<double>> opencv_matrix(const nlohmann::json& object, const char* key,
                                          const std::string& where);
// Width and height in whole pixels.
Status set_picture_size(const nlohmann::json& object, const char* key, const std::string& where,
                        PinholeCamera<double>* camera);

// The members K (9 numbers) and, if present, the lens under `lens_key`, and the pose given.
Status set_camera(const nlohmann::json& object, const char* lens_key, std::span<const double> rotation,
                  std::span<const double> translation, const std::string& where,
                  PinholeCamera<double>* camera);

}  // namespace vantage::calibration_detail
