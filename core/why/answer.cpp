#include "core/why/answer.h"

#include <cmath>
#include <utility>

#include "core/base/text.h"
#include "core/pipeline/frame_people.h"
#include "core/why/why_pixel.h"
#include "core/why/why_place.h"

namespace vantage {

void WhySection::add_truth(std::string key, std::string label, bool value) {
  values.push_back({std::move(key), std::move(label), value, value ? "yes" : "no"});
}

void WhySection::add(std::string key, std::string label, double value, std::string text) {
  values.push_back({std::move(key), std::move(label), value, std::move(text)});
}

void WhySection::add(std::string key, std::string label, const std::string& text) {
  values.push_back({std::move(key), std::move(label), text, text});
}

void WhySection::add_unknown(std::string key, std::string label, std::string why) {
  values.push_back({std::move(key), std::move(label), {}, std::move(why)});
}

std::string text_of(const WhyAnswer& answer) {
  std::string text = answer.verdict + "\n";
  for (const WhySection& section : answer.sections) {
    text += section.title + (section.summary.empty() ? "" : ": " + section.summary) + "\n";
    for (const WhyValue& value : section.values) text += "  " + value.label + ": " + value.text + "\n";
  }
  return text;
}

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

std::vector<std::string> people_in(const FrameResult& result, std::span<const NamedPlace> named) {
  std::vector<std::string> names;
  for (const FramePerson& person : people_of(result)) {
    const FoundPerson& at = person.found;
    std::string& name = names.emplace_back();
    if (named.empty() && person.id() > 0) name = "person " + std::to_string(person.id());
    double nearest_m = kWhyReach_m;
    for (const NamedPlace& one : named) {
      const double away_m = std::hypot(one.x_m - at.x_m, one.y_m - at.y_m);
      if (away_m <= nearest_m) name = one.name, nearest_m = away_m;
    }
    if (name.empty()) name = formatted("the person at x %.2f y %.2f", at.x_m, at.y_m);
  }
  return names;
}

Result<WhyAnswer> answer_to(const WhyQuestion& question, const Project& project, Analysis& analysis,
                            const FrameResult& result, const StopSource& stop) {
  if (const auto* floor = std::get_if<FloorQuestion>(&question.about)) {
    VANTAGE_ASSIGN(const WhyPlace place, why_place(project, analysis, result, floor->x_m, floor->y_m, stop));
    return describe(place, project, people_in(result, question.people));
  }
  const auto& asked = std::get<PixelQuestion>(question.about);
  VANTAGE_ASSIGN(const WhyPixel pixel,
                 why_pixel(project, analysis, result, asked.camera, asked.x_px, asked.y_px, stop));
  return describe(pixel, project);
}

}  // namespace vantage
