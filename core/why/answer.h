// An answer to "why" as everybody shows it: sections of named values, the same in the window, on the command
// line and as JSON.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/base/threads.h"

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

// An answer as JSON: an object of each section under its key, an array of those that are listed.

nlohmann::ordered_json json_of(const WhyAnswer& answer);

// A question of a person who points at the floor or at a pixel of a frame, and its answer.

class Analysis;
struct FrameResult;
struct Project;

// Why is a person at this place of the floor, or no one?
struct FloorQuestion {
  double x_m = 0, y_m = 0;
  bool operator==(const FloorQuestion&) const = default;
};
// Why is this pixel in the mask, or not?
struct PixelQuestion {
  size_t camera = 0;
  int x_px = 0, y_px = 0;
  bool operator==(const PixelQuestion&) const = default;
};

// What the person who stands there is called, for code that shows other IDs than the chain's.
struct NamedPlace {
  std::string name;
  double x_m = 0, y_m = 0;
};

struct WhyQuestion {
  int64_t frame = 0;
  std::variant<FloorQuestion, PixelQuestion> about;
  std::vector<NamedPlace> people = {};  // of the frame; none: they have the IDs of the chain's tracks
};

struct WhyReport {
  WhyQuestion question;
  Result<WhyAnswer> answer;
};

// What the frame's people are called, in their order: as the nearest of `named` within kWhyReach_m or, where
// none are named, by the chain's track ("person 7"); else by where they are.
std::vector<std::string> people_in(const FrameResult& result, std::span<const NamedPlace> named);

// Errors: as why_place() and why_pixel().
Result<WhyAnswer> answer_to(const WhyQuestion& question, const Project& project, Analysis& analysis,
                            const FrameResult& result, const StopSource& stop);

}  // namespace vantage
