#include "core/base/parameters.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/base/hash.h"

namespace vantage {
namespace {

std::string number_text(double value) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value);
  return {text, end.ptr};
}

size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t above = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1])});
      diagonal = above;
    }
  }
  return row[b.size()];
}

// How many of today's units are one of a former name's; 1 for all others.
double per_former_unit(std::string_view stage, std::string_view name) {
  // Once a frame, chosen where there were four a second.
  return stage == "paths" && name == "missed_cost" ? 4 : 1;
}

}  // namespace

const ParameterDescription* ParameterTable::find(std::string_view name) const {
  name = current_parameter_name(stage, name);
  for (const ParameterDescription& entry : entries)
    if (entry.name == name) return &entry;
  return nullptr;
}

ParameterStore::ParameterStore(std::vector<const ParameterTable*> tables) : tables_(std::move(tables)) {}

const ParameterTable* ParameterStore::find_table(std::string_view stage) const {
  for (const ParameterTable* table : tables_)
    if (table->stage == stage) return table;
  return nullptr;
}

const ParameterDescription* ParameterStore::find(std::string_view stage, std::string_view name) const {
  const ParameterTable* table = find_table(stage);
  return table ? table->find(name) : nullptr;
}

Status ParameterStore::set(std::string_view stage, std::string_view name, double value) {
  const std::string full = std::string(stage) + '.' + std::string(name);
  const ParameterDescription* entry = find(stage, name);
  value *= per_former_unit(stage, name);
  if (!entry) {
    std::string nearest;
    size_t best = SIZE_MAX;
    for (const ParameterTable* t : tables_)
      for (const ParameterDescription& e : t->entries)
        if (const size_t d = edit_distance(full, t->stage + '.' + e.name); d < best)
          best = d, nearest = t->stage + '.' + e.name;
    return fail(ErrorKind::invalid_argument, "no such parameter", full,
                nearest.empty() ? "" : "Did you mean " + nearest + "?");
  }
  const bool whole = entry->type != ParameterType::real;
  if (!std::isfinite(value) || value < entry->minimum || value > entry->maximum ||
      (whole && value != std::floor(value)))
    return fail(ErrorKind::invalid_argument, number_text(value) + " is out of range", full,
                "Give " + range_text(*entry) + '.');
  reset(stage, name);
  if (value != entry->default_value) changed_.push_back({std::string(stage), entry->name, value});
  return {};
}

Status ParameterStore::set_from_text(std::string_view assignment) {
  const size_t equals = assignment.find('=');
  const size_t dot = assignment.find('.');
  if (equals == std::string_view::npos || dot == std::string_view::npos || dot > equals)
    return fail(ErrorKind::invalid_argument, "not of the form stage.parameter=value", std::string(assignment),
                "For example: carving.threshold=0.7");
  const std::string_view stage = assignment.substr(0, dot);
  const std::string_view name = assignment.substr(dot + 1, equals - dot - 1);
  const std::string_view text = assignment.substr(equals + 1);
  const ParameterDescription* entry = find(stage, name);
  double value = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), value);
  bool understood = end.ec == std::errc() && end.ptr == text.data() + text.size() && !text.empty();
  if (entry && entry->type == ParameterType::boolean && (text == "true" || text == "false"))
    value = text == "true", understood = true;
  if (entry && entry->type == ParameterType::choice) {
    const auto found = std::find(entry->choices.begin(), entry->choices.end(), text);
    understood = found != entry->choices.end();
    value = static_cast<double>(found - entry->choices.begin());
  }
  if (entry && !understood)
    return fail(ErrorKind::invalid_argument, "'" + std::string(text) + "' is not a value",
                std::string(stage) + '.' + entry->name, "Give " + range_text(*entry) + '.');
  return set(stage, name, value);
}

Result<double> ParameterStore::get(std::string_view stage, std::string_view name) const {
  const ParameterDescription* entry = find(stage, name);
  if (!entry)
    return fail(ErrorKind::invalid_argument, "no such parameter",
                std::string(stage) + '.' + std::string(name));
  return value_or_default(stage, *entry) / per_former_unit(stage, name);
}

void ParameterStore::reset(std::string_view stage, std::string_view name) {
  name = current_parameter_name(stage, name);
  std::erase_if(changed_, [&](const Value& v) { return v.stage == stage && v.name == name; });
}

bool ParameterStore::is_default(std::string_view stage, std::string_view name) const {
  name = current_parameter_name(stage, name);
  return std::none_of(changed_.begin(), changed_.end(),
                      [&](const Value& v) { return v.stage == stage && v.name == name; });
}

std::string ParameterStore::range_text(const ParameterDescription& entry) {
  if (entry.type == ParameterType::boolean) return "true or false";
  if (entry.type == ParameterType::choice) {
    std::string text = "one of";
    for (const std::string& choice : entry.choices) text += (text.size() > 6 ? ", " : " ") + choice;
    return text;
  }
  std::string text = number_text(entry.minimum) + " to " + number_text(entry.maximum);
  if (!entry.unit.empty()) text += ' ' + entry.unit;
  return text;
}

std::string ParameterStore::to_text(const ParameterDescription& description, double value) {
  if (description.type == ParameterType::boolean) return value != 0 ? "true" : "false";
  if (description.type == ParameterType::choice) return description.choices.at(static_cast<size_t>(value));
  return number_text(value);
}

double ParameterStore::value_or_default(std::string_view stage, const ParameterDescription& entry) const {
  for (const Value& v : changed_)
    if (v.stage == stage && v.name == entry.name) return v.value;
  return entry.default_value;
}

uint64_t ParameterStore::hash(std::string_view stage) const {
  Hasher hasher;
  hasher.add(stage);
  if (const ParameterTable* table = find_table(stage))
    for (const ParameterDescription& entry : table->entries) {
      const double value = value_or_default(stage, entry);
      if (entry.added && value == entry.default_value) continue;
      const std::string_view first = first_parameter_name(stage, entry.name);
      hasher.add(first).add(value / per_former_unit(stage, first));
    }
  return hasher.value();
}

namespace {

constexpr FormerParameterName kFormerNames[] = {
    // Version 0.1.
    {"foreground", "displacement", "displacement_px"},
    {"foreground", "opening", "opening_px"},
    {"foreground", "closing", "closing_px"},
    {"heightmap", "lowest", "lowest_m"},
    {"heightmap", "step", "step_m"},
    {"heightmap", "no_head_jump", "no_head_jump_m"},
    {"heightmap", "descriptor", "descriptor_heads"},
    {"heightmap", "least_views", "min_views"},
    {"heightmap", "outline_drop", "outline_drop_m"},
    {"heightmap", "head_step", "head_step_m"},
    {"heightmap", "head_area", "head_area_m2"},
    {"heightmap", "head_distance", "head_distance_m"},
    {"heightmap", "least_outline", "min_outline"},
    {"heightmap", "memory_limit", "memory_limit_mb"},
    {"daisy", "radius", "radius_px"},
    {"flow", "window", "window_px"},
    {"flow", "poly_n", "poly_radius_px"},
    {"flow", "poly_sigma", "poly_sigma_px"},
    {"sync", "max_offset", "max_offset_frames"},
    {"sync", "least_confidence", "min_confidence"},
    {"sync", "window", "window_frames"},
    {"heads", "smallest", "smallest_px"},
    {"heads", "largest", "largest_px"},
    {"heads", "stride", "stride_px"},
    {"heads", "min_height", "min_height_m"},
    {"heads", "max_height", "max_height_m"},
    {"detections", "long_side", "long_side_px"},
    {"paths", "missed_cost", "missed_cost_per_s"},
};

}  // namespace

std::span<const FormerParameterName> former_parameter_names() {
  return kFormerNames;
}

std::string_view current_parameter_name(std::string_view stage, std::string_view name) {
  for (const FormerParameterName& former : kFormerNames)
    if (former.stage == stage && former.former == name) return former.name;
  return name;
}

std::string_view first_parameter_name(std::string_view stage, std::string_view name) {
  for (const FormerParameterName& former : kFormerNames)
    if (former.stage == stage && former.name == name) return former.former;
  return name;
}

}  // namespace vantage
