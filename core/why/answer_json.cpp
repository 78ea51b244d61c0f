#include "core/why/answer_json.h"

#include <utility>

namespace vantage {
namespace {

nlohmann::ordered_json json_of(const WhyValue& value) {
  if (const auto* truth = std::get_if<bool>(&value.value)) return *truth;
  if (const auto* number = std::get_if<double>(&value.value)) return *number;
  if (const auto* text = std::get_if<std::string>(&value.value)) return *text;
  return nullptr;
}

}  // namespace

nlohmann::ordered_json json_of(const WhyAnswer& answer) {
  nlohmann::ordered_json json = {{"verdict", answer.verdict}};
  for (const WhySection& section : answer.sections) {
    nlohmann::ordered_json values = nlohmann::ordered_json::object();
    for (const WhyValue& value : section.values) values[value.key] = json_of(value);
    if (section.listed)
      json[section.key].push_back(std::move(values));
    else
      json[section.key] = std::move(values);
  }
  return json;
}

}  // namespace vantage
