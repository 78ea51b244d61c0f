// Parameters are data. Each algorithm has one plain struct with default values and, in the parameters.cpp of
// its folder, one table with a line about each member. The tuning panel, project files, `--set`, `vantage-cli
// parameters` and resources/docs/parameters.md are all made from the table:
//
//   struct CarvingParameters { double threshold = 0.7; };
//
//   template <> const ParameterTable& parameter_table<CarvingParameters>() {
//     using P = CarvingParameters;  // and `using enum ParameterOption` for options
//     static const ParameterTable table = ParameterTable::make<P>("carving", "Volume", {
//         real<&P::threshold>("Agreement", "", 0.01, 1, "Share of the cameras that must see foreground.")});
//     return table;
//   }
// A parameter is called as its member, with its unit: `lowest_m` is a height in metres everywhere. A name
// that changes goes into parameters.cpp, so that old projects and scripts keep being read.
// Values travel as double: a real or integer as itself, a boolean as 0 or 1, a choice (an enum) as its index.
#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/base/result.h"

namespace vantage {

enum class ParameterType { real, integer, boolean, choice };
enum class ParameterOption {
  expert,       // shown behind More
  logarithmic,  // the slider's scale
  relearns,     // a change makes the stage learn again
  added         // later, with a default that changes no result: those of earlier versions stay current
};

struct ParameterDescription {
  std::string name;          // the member's, "threshold"; "carving.threshold" on the command line
  std::string display_name;  // "Agreement"
  std::string unit;          // "m", "px", "frames"; empty for plain numbers
  std::string help;          // whole sentences
  double minimum = 0;
  double maximum = 1;
  std::vector<std::string> choices = {};  // of a choice, by index
  bool expert = false;
  bool logarithmic = false;
  bool relearns = false;
  bool added = false;
  ParameterType type = ParameterType::real;
  double default_value = 0;
  double (*get)(const void* parameters) = nullptr;
  void (*set)(void* parameters, double value) = nullptr;
};

struct ParameterTable {
  std::string stage;         // "carving"
  std::string display_name;  // "Volume"
  std::vector<ParameterDescription> entries;

  // Finds one by its name or a former one; null: there is none.
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
using Value = decltype(value_of(Member));

// "threshold" for &CarvingParameters::threshold: compilers spell the member at the end of "Member = &...".
template <auto Member>
constexpr std::string_view member_name() {
  std::string_view text = __PRETTY_FUNCTION__;
  text.remove_prefix(text.find('&'));
  text = text.substr(0, text.find_first_of(";]"));
  return text.substr(text.rfind(':') + 1);
}

template <auto Member>
ParameterDescription describe(ParameterType type, std::string display_name, std::string help,
                              std::same_as<ParameterOption> auto... options) {
  using P = decltype(owner_of(Member));
  constexpr std::string_view kName = member_name<Member>();
  static_assert(!kName.empty() &&
                kName.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string_view::npos);
  ParameterDescription description;
  description.name = kName;
  description.display_name = std::move(display_name);
  description.help = std::move(help);
  description.type = type;
  description.expert = ((options == ParameterOption::expert) || ...);
  description.logarithmic = ((options == ParameterOption::logarithmic) || ...);
  description.relearns = ((options == ParameterOption::relearns) || ...);
  description.added = ((options == ParameterOption::added) || ...);
  description.get = [](const void* p) { return static_cast<double>(static_cast<const P*>(p)->*Member); };
  description.set = [](void* p, double value) {
    static_cast<P*>(p)->*Member = static_cast<Value<Member>>(value);
  };
  return description;
}

template <auto Member>
ParameterDescription number(ParameterType type, std::string display_name, std::string unit, double minimum,
                            double maximum, std::string help, std::same_as<ParameterOption> auto... options) {
  ParameterDescription description =
      describe<Member>(type, std::move(display_name), std::move(help), options...);
  description.unit = std::move(unit);
  description.minimum = minimum, description.maximum = maximum;
  return description;
}
}  // namespace parameter_detail

// Name in the window, unit, smallest and largest value, help, options.
template <auto Member>
  requires std::floating_point<parameter_detail::Value<Member>>
ParameterDescription real(std::string display_name, std::string unit, double minimum, double maximum,
                          std::string help, std::same_as<ParameterOption> auto... options) {
  return parameter_detail::number<Member>(ParameterType::real, std::move(display_name), std::move(unit),
                                          minimum, maximum, std::move(help), options...);
}
template <auto Member>
  requires std::same_as<parameter_detail::Value<Member>, int>
ParameterDescription integer(std::string display_name, std::string unit, int minimum, int maximum,
                             std::string help, std::same_as<ParameterOption> auto... options) {
  return parameter_detail::number<Member>(ParameterType::integer, std::move(display_name), std::move(unit),
                                          minimum, maximum, std::move(help), options...);
}
template <auto Member>
  requires std::same_as<parameter_detail::Value<Member>, bool>
ParameterDescription boolean(std::string display_name, std::string help,
                             std::same_as<ParameterOption> auto... options) {
  return parameter_detail::describe<Member>(ParameterType::boolean, std::move(display_name), std::move(help),
                                            options...);
}
// The names of the enum's values in their order.
template <auto Member>
  requires std::is_enum_v<parameter_detail::Value<Member>>
ParameterDescription choice(std::string display_name, std::vector<std::string> choices, std::string help,
                            std::same_as<ParameterOption> auto... options) {
  ParameterDescription description = parameter_detail::describe<Member>(
      ParameterType::choice, std::move(display_name), std::move(help), options...);
  description.maximum = static_cast<double>(choices.size()) - 1;
  description.choices = std::move(choices);
  return description;
}

// The values of every stage's parameters in one project: what the panel edits, the project file saves and a
// run reports. Copyable; a job takes a copy, so a change never reaches work in progress.
class ParameterStore {
 public:
  ParameterStore() = default;
  explicit ParameterStore(std::vector<const ParameterTable*> tables);

  const std::vector<const ParameterTable*>& tables() const { return tables_; }

  // Parameters go by their name or a former one. Values outside the range, unknown names and malformed text
  // are errors that name the range or the nearest name.
  Status set(std::string_view stage, std::string_view name, double value);
  // "carving.threshold=0.6"; booleans also as true/false, choices by name.
  Status set_from_text(std::string_view assignment);
  Result<double> get(std::string_view stage, std::string_view name) const;
  void reset(std::string_view stage, std::string_view name);
  bool is_default(std::string_view stage, std::string_view name) const;

  // "0 to 3 m", "true or false", "one of linear, published".
  static std::string range_text(const ParameterDescription& description);
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

  // A store of that table alone, with the struct's values as they are.
  template <typename P>
  static ParameterStore of(const P& parameters) {
    const ParameterTable& table = parameter_table<P>();
    ParameterStore store({&table});
    for (const ParameterDescription& entry : table.entries)
      store.changed_.push_back({table.stage, entry.name, entry.get(&parameters)});
    return store;
  }

  // Hash of the stage's own parameter values: a part of its version. A parameter counts by the first name it
  // had, so that results stay current when it gets another.
  uint64_t hash(std::string_view stage) const;

 private:
  struct Value {
    std::string stage, name;
    double value;
  };
  double value_or_default(std::string_view stage, const ParameterDescription& entry) const;
  const ParameterTable* find_table(std::string_view stage) const;
  const ParameterDescription* find(std::string_view stage, std::string_view name) const;

  std::vector<const ParameterTable*> tables_;
  std::vector<Value> changed_;  // only what differs from the default
};

// Names that parameters had in earlier versions. They are read wherever parameters are named (project files,
// `--set`), and never written.

struct FormerParameterName {
  std::string_view stage, former, name;
};
// Names of one parameter are in order, the oldest first.
std::span<const FormerParameterName> former_parameter_names();

// A name that is no former one of the stage's is returned as it is.
std::string_view current_parameter_name(std::string_view stage, std::string_view name);
// The oldest name of the parameter that is now called `name`.
std::string_view first_parameter_name(std::string_view stage, std::string_view name);

}  // namespace vantage
