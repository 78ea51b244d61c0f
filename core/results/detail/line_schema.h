// The numbers of a frame line's entries, each key with the member that it states, in the line's order: the
// writer, the reader of results, the scanner and the second pass over detections go by these tables.
#pragma once

#include <array>
#include <cmath>

#include "core/base/json.h"
#include "core/detections/detections.h"
#include "core/primitives/nms_rule.h"

namespace vantage::project_detail {

template <typename Entry, typename Value>
struct LineKey {
  const char* name;
  Value Entry::* member;
  double steps = 1000;  // of a unit, to which values are rounded
};

// People as they are found and as they are read again.
template <typename Person>
inline constexpr std::array kPersonKeys = {LineKey<Person, double>{"x_m", &Person::x_m},
                                           LineKey<Person, double>{"y_m", &Person::y_m},
                                           LineKey<Person, double>{"height_m", &Person::height_m},
                                           LineKey<Person, double>{"confidence", &Person::confidence}};
using DetectionKey = LineKey<PersonDetection, float>;
inline constexpr std::array kDetectionKeys = {DetectionKey{"x_px", &PersonDetection::left_px, 100},
                                              DetectionKey{"y_px", &PersonDetection::top_px, 100},
                                              DetectionKey{"width_px", &PersonDetection::width_px, 100},
                                              DetectionKey{"height_px", &PersonDetection::height_px, 100},
                                              DetectionKey{"score", &PersonDetection::score}};
using HeadBoxKey = LineKey<Detection, float>;
inline constexpr std::array kHeadBoxKeys = {
    HeadBoxKey{"x_px", &Detection::x, 100}, HeadBoxKey{"y_px", &Detection::y, 100},
    HeadBoxKey{"width_px", &Detection::w, 100}, HeadBoxKey{"height_px", &Detection::h, 100},
    HeadBoxKey{"score", &Detection::score}};

template <typename Entry, typename Value>
void put(const LineKey<Entry, Value>& key, const Entry& entry, nlohmann::ordered_json* to) {
  const double value = entry.*key.member;
  (*to)[key.name] = std::round(value * key.steps) / key.steps;
}

template <typename Entry, typename Value, size_t kCount>
nlohmann::ordered_json entry_json(const std::array<LineKey<Entry, Value>, kCount>& keys, const Entry& entry) {
  nlohmann::ordered_json json;
  for (const auto& key : keys) put(key, entry, &json);
  return json;
}

// Throws nlohmann::json::exception where a key is missing or not a number.
template <typename Entry, typename Value, size_t kCount>
void take(const std::array<LineKey<Entry, Value>, kCount>& keys, const nlohmann::json& from, Entry* to) {
  for (const auto& key : keys) to->*key.member = from.at(key.name).template get<Value>();
}

}  // namespace vantage::project_detail
