// An answer to "why" as everybody shows it: sections of named values, the same in the window, on the command
// line and as JSON.
#pragma once

#include <string>
#include <variant>
#include <vector>

namespace vantage {

struct WhyValue {
  std::string key;    // in JSON: "distance_sigma"
  std::string label;  // for people: "Distance"
  // monostate: not known, null in JSON.
  std::variant<std::monostate, bool, double, std::string> value;
  std::string text;  // as people read it, with its unit
};

struct WhySection {
  std::string key;    // in JSON. Sections of one key stand in an array
  std::string title;  // "cam2"
  std::vector<WhyValue> values;
  bool listed = false;       // its key has an array also where there is only one of it
  std::string summary = {};  // of the values, a few words
  bool decides = false;      // what decides the outcome stands in it

  void add_truth(std::string key, std::string label, bool value);
  void add(std::string key, std::string label, double value, std::string text);
  void add(std::string key, std::string label, const std::string& text);
  void add_unknown(std::string key, std::string label, std::string why);
};

struct WhyAnswer {
  std::string verdict;  // one or two sentences
  std::vector<WhySection> sections;
};

// The verdict and a line for each value, under the titles; what is copied from the window, too.
std::string text_of(const WhyAnswer& answer);

}  // namespace vantage
