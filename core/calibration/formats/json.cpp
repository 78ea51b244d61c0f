// JSON, and the members of its objects.
#include <algorithm>
#include <cmath>
#include <functional>

#include "core/base/json.h"
#include "core/base/text.h"
#include "core/calibration/formats/detail/json_readers.h"

namespace vantage::calibration_detail {
using nlohmann::json;

ParsedDocument parse_json(const std::string& text, const std::string& where) {
  auto document = std::make_unique<JsonDocument>();
  document->json = vantage::parse_json_with_nan(text);
  if (!document->json.is_discarded()) return document;
  return fail(ErrorKind::bad_data, "is not complete JSON", where,
              "The file may be cut off: copy it again. " + expected_in(Syntax::json));
}

const json& json_of(const Document& file) {
  return static_cast<const JsonDocument&>(file).json;
}

bool lists_cameras_with(const char* key, const Document& file) {
  const json& document = json_of(file);
  const auto cameras = document.find("cameras");
  return document.is_object() && !document.contains("schema") && cameras != document.end() &&
         cameras->is_array() && std::any_of(cameras->begin(), cameras->end(), [&](const json& camera) {
           return camera.is_object() && camera.contains(key);
         });
}

std::string keys_held(const json& content) {
  constexpr size_t kNamed = 6;
  if (!content.is_object()) return ", a list or a single value";
  std::string keys;
  size_t count = 0;
  for (const auto& [key, value] : content.items())
    if (++count <= kNamed) append_item(&keys, key);
  return " (it holds " + (keys.empty() ? std::string("nothing") : keys) + (count > kNamed ? ", …)" : ")");
}

Result<const json*> member(const json& object, const char* key, const std::string& where) {
  const auto found = object.find(key);
  if (found != object.end()) return &*found;
  return fail(ErrorKind::bad_data, std::string("the key ") + key + " is missing", where);
}

std::string text_of(const json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end()) return {};
  if (found->is_number_integer()) return std::to_string(found->get<int64_t>());
  return found->is_string() ? found->get<std::string>() : std::string();
}

bool lacks_all(const json& object, std::initializer_list<const char*> keys) {
  const std::function<bool(const json&)> nothing = [&](const json& value) {
    if (value.is_array()) return std::all_of(value.begin(), value.end(), nothing);
    return value.is_null();
  };
  return std::all_of(keys.begin(), keys.end(), [&](const char* key) {
    const auto found = object.find(key);
    return found == object.end() || nothing(*found);
  });
}

Result<double> number(const json& object, const char* key, const std::string& where) {
  VANTAGE_ASSIGN(const json* value, member(object, key, where));
  if (!value->is_number()) return fail(ErrorKind::bad_data, std::string(key) + " is not a number", where);
  return value->get<double>();
}

Result<int> whole_number(const json& object, const char* key, const std::string& where) {
  VANTAGE_ASSIGN(const json* value, member(object, key, where));
  if (!value->is_number_integer() || *value < 1 || *value > 65536)
    return fail(ErrorKind::bad_data, std::string(key) + " is not a whole number of pixels", where);
  return value->get<int>();
}

Result<std::vector<double>> numbers(const json& object, const char* key, const std::string& where) {
  VANTAGE_ASSIGN(const json* value, member(object, key, where));
  std::vector<double> values;
  const auto append = [&values](const json& element) {
    if (element.is_number()) values.push_back(element.get<double>());
    return element.is_number();
  };
  bool good = value->is_array();
  for (size_t i = 0; good && i < value->size(); ++i) {
    const json& element = (*value)[i];
    if (!element.is_array()) good = append(element);
    for (size_t k = 0; good && element.is_array() && k < element.size(); ++k) good = append(element[k]);
  }
  if (!good) return fail(ErrorKind::bad_data, std::string(key) + " is not an array of numbers", where);
  return values;
}

Status set_picture_size(const json& object, const char* key, const std::string& where,
                        PinholeCamera<double>* camera) {
  VANTAGE_ASSIGN(const std::vector<double> size, numbers(object, key, where));
  const auto whole = [](double v) { return v >= 1 && v <= 65536 && v == std::floor(v); };
  if (size.size() != 2 || !whole(size[0]) || !whole(size[1]))
    return fail(ErrorKind::bad_data, std::string(key) + " is not a width and a height in whole pixels",
                where);
  camera->width_px = static_cast<int>(size[0]);
  camera->height_px = static_cast<int>(size[1]);
  return {};
}

Status set_camera(const json& object, const char* lens_key, std::span<const double> rotation,
                  std::span<const double> translation, const std::string& where,
                  PinholeCamera<double>* camera) {
  VANTAGE_ASSIGN(const auto matrix, numbers(object, "K", where));
  VANTAGE_TRY(set_intrinsics(matrix, where, camera));
  if (object.contains(lens_key)) {
    VANTAGE_ASSIGN(const auto distortion, numbers(object, lens_key, where));
    VANTAGE_TRY(set_distortion(distortion, where, camera));
  }
  VANTAGE_TRY(set_rotation(rotation, where, camera));
  return set_translation(translation, where, camera);
}

}  // namespace vantage::calibration_detail
