// Checks a JSON value against the part of JSON Schema that our schemas use: type, required, properties,
// additionalProperties, items, minItems, maxItems, enum, pattern, minimum, maximum. Any other keyword that
// would restrict is an error, so that none is passed over in silence.
#pragma once

#include <regex>
#include <set>
#include <string>

#include "core/base/json.h"

namespace vantage::test {

inline bool has_json_type(const nlohmann::json& value, const std::string& type) {
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "integer") return value.is_number_integer();
  if (type == "number") return value.is_number();
  if (type == "boolean") return value.is_boolean();
  return type == "null" && value.is_null();
}

// Empty when the value fits, else what is wrong and where.
inline std::string schema_problem(const nlohmann::json& value, const nlohmann::json& schema,
                                  const std::string& at = "") {
  static const std::set<std::string> known = {"type",    "required", "properties", "additionalProperties",
                                              "items",   "minItems", "maxItems",   "enum",
                                              "pattern", "minimum",  "maximum",    "description"};
  for (const auto& [keyword, ignored] : schema.items())
    if (!known.contains(keyword)) return at + ": the checker does not know " + keyword;
  if (schema.contains("type")) {
    const nlohmann::json& types = schema["type"];
    bool fits = false;
    for (const auto& type : types.is_array() ? types : nlohmann::json::array({types}))
      fits = fits || has_json_type(value, type.get<std::string>());
    if (!fits) return at + ": " + json_text(value) + " is not of type " + json_text(types);
  }
  if (schema.contains("enum") &&
      std::find(schema["enum"].begin(), schema["enum"].end(), value) == schema["enum"].end())
    return at + ": " + json_text(value) + " is none of " + json_text(schema["enum"]);
  if (value.is_string() && schema.contains("pattern") &&
      !std::regex_search(value.get<std::string>(), std::regex(schema["pattern"].get<std::string>())))
    return at + ": " + json_text(value) + " does not match";
  if (value.is_number() && ((schema.contains("minimum") && value < schema["minimum"]) ||
                            (schema.contains("maximum") && value > schema["maximum"])))
    return at + ": " + json_text(value) + " is out of range";
  if (value.is_array()) {
    if (schema.contains("minItems") && value.size() < schema["minItems"].get<size_t>())
      return at + ": too few";
    if (schema.contains("maxItems") && value.size() > schema["maxItems"].get<size_t>())
      return at + ": too many";
    for (size_t i = 0; schema.contains("items") && i < value.size(); ++i)
      if (auto problem = schema_problem(value[i], schema["items"], at + "/" + std::to_string(i));
          !problem.empty())
        return problem;
  }
  if (!value.is_object()) return {};
  for (const auto& key : schema.value("required", nlohmann::json::array()))
    if (!value.contains(key.get<std::string>())) return at + ": " + key.get<std::string>() + " is missing";
  const nlohmann::json properties = schema.value("properties", nlohmann::json::object());
  const nlohmann::json others = schema.value("additionalProperties", nlohmann::json(true));
  for (const auto& [key, member] : value.items()) {
    if (!properties.contains(key) && others == false) return at + ": " + key + " is not foreseen";
    if (!properties.contains(key) && !others.is_object()) continue;
    const nlohmann::json& of_member = properties.contains(key) ? properties[key] : others;
    if (auto problem = schema_problem(member, of_member, at + "/" + key); !problem.empty()) return problem;
  }
  return {};
}

}  // namespace vantage::test
