#include "core/why/answer.h"

#include <utility>

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

}  // namespace vantage
