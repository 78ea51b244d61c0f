// Parameters are data. Each algorithm has one plain struct with default values and one table that describes
// its members; the tuning panel, the project file, `vantage-cli --set` and the reference page are all made
// from the table. A new parameter is written once:
//
//   struct CarvingParameters { double threshold = 0.7; };
//   template <> const ParameterTable& parameter_table<CarvingParameters>() {
//     static const ParameterTable table = ParameterTable::make<CarvingParameters>("carving", "Volume", {
//         real<&CarvingParameters::threshold>({.name = "threshold", .display_name = "Threshold", ...})});
//     return table;
//   }
//
// Values travel as double: a real or integer as itself, a boolean as 0 or 1, a choice (an enum) as its index.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/base/result.h"

namespace vantage {

enum class ParameterType { real, integer, boolean, choice };
enum class ParameterLevel { basic, expert };  // the panel shows basic ones, the rest behind More
enum class ParameterScale { linear, logarithmic };

struct ParameterDescription {
  std::string name;          // "threshold"; "carving.threshold" on the command line
  std::string display_name;  // "Threshold"
  std::string unit;          // "m", "px", "frames"; empty for plain numbers
  std::string help;          // one line
  double minimum = 0;
  double maximum = 1;
  std::vector<std::string> choices = {};  // of a choice, by index
  ParameterLevel level = ParameterLevel::basic;
  ParameterScale scale = ParameterScale::linear;
  bool resets_state = false;  // a change makes the stage forget what it learnt
  // Filled in by real(), integer(), boolean(), choice() and ParameterTable::make().
  ParameterType type = ParameterType::real;
  double default_value = 0;
  double (*get)(const void* parameters) = nullptr;
  void (*set)(void* parameters, double value) = nullptr;
};

struct ParameterTable {
  std::string stage;         // "carving"
  std::string display_name;  // "Volume"
  std::vector<ParameterDescription> entries;

  const ParameterDescription* find(std::string_view name) const;

  template <typename P>
  static ParameterTable make(std::string stage, std::string display_name,
                             std::vector<ParameterDescription> entries) {
    const P defaults{};
    for (ParameterDescription& entry : entries) entry.default_value = entry.get(&defaults);
    return {std::move(stage), std::move(display_name), std::move(entries)};
  }
};

// Specialised once per parameter struct.
template <typename P>
const ParameterTable& parameter_table();

namespace parameter_detail {
template <typename P, typename V>
P owner_of(V P::*);
template <typename P, typename V>
V value_of(V P::*);

template <auto Member>
ParameterDescription bind(ParameterDescription description, ParameterType type) {
  using P = decltype(owner_of(Member));
  using V = decltype(value_of(Member));
  description.type = type;
  description.get = [](const void* p) { return static_cast<double>(static_cast<const P*>(p)->*Member); };
  description.set = [](void* p, double value) { static_cast<P*>(p)->*Member = static_cast<V>(value); };
  return description;
}
}  // namespace parameter_detail

template <auto Member>
ParameterDescription real(ParameterDescription d) {
  return parameter_detail::bind<Member>(std::move(d), ParameterType::real);
}
template <auto Member>
ParameterDescription integer(ParameterDescription d) {
  return parameter_detail::bind<Member>(std::move(d), ParameterType::integer);
}
template <auto Member>
ParameterDescription boolean(ParameterDescription d) {
  return parameter_detail::bind<Member>(std::move(d), ParameterType::boolean);
}
template <auto Member>
ParameterDescription choice(ParameterDescription d) {
  d.maximum = static_cast<double>(d.choices.size()) - 1;
  return parameter_detail::bind<Member>(std::move(d), ParameterType::choice);
}

// The values of every stage's parameters in one project: what the panel edits, the project file saves and a
// run reports. Copyable; a job takes a copy, so a change never reaches work under way.
class ParameterStore {
 public:
  ParameterStore() = default;
  explicit ParameterStore(std::vector<const ParameterTable*> tables);

  const std::vector<const ParameterTable*>& tables() const { return tables_; }

  // Values outside the range, unknown names and malformed text are errors that name the range or the nearest
  // name.
  Status set(std::string_view stage, std::string_view name, double value);
  // "carving.threshold=0.6"; booleans also as true/false, choices by name.
  Status set_from_text(std::string_view assignment);
  Result<double> get(std::string_view stage, std::string_view name) const;
  void reset(std::string_view stage, std::string_view name);
  bool is_default(std::string_view stage, std::string_view name) const;

  // As shown to people and written to files: "0.7", "true", the choice's name.
  static std::string to_text(const ParameterDescription& description, double value);

  // The stage's own parameters as its struct.
  template <typename P>
  P get() const {
    P parameters{};
    const ParameterTable& table = parameter_table<P>();
    for (const ParameterDescription& entry : table.entries)
      entry.set(&parameters, value_or_default(table.stage, entry));
    return parameters;
  }

  // Hash of the stage's own parameter values: a part of its version.
  uint64_t hash(std::string_view stage) const;

 private:
  struct Value {
    std::string stage, name;
    double value;
  };
  double value_or_default(std::string_view stage, const ParameterDescription& entry) const;
  const ParameterTable* find_table(std::string_view stage) const;

  std::vector<const ParameterTable*> tables_;
  std::vector<Value> changed_;  // only what differs from the default
};

}  // namespace vantage
