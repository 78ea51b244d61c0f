#include "app/cli/evaluate/sweep_points.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <utility>

namespace vantage::cli {
namespace {

constexpr size_t kMaxSteps = 1000, kMaxPoints = 10'000;

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts{""};
  for (const char c : text)
    if (c == at)
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

class RangeParser {
 public:
  RangeParser(const ParameterStore& parameters, const char* option)
      : parameters_(parameters), option_(option) {}

  SweptParameter parse(const std::string& text, bool random) const {
    const size_t equals = text.find('='), dot = text.find('.');
    if (equals == std::string::npos || dot == std::string::npos || dot > equals)
      wrong("'" + text + "' is not of the form STAGE.PARAMETER=MIN:MAX:STEPS or STAGE.PARAMETER=A,B,C");
    SweptParameter parameter = named(text.substr(0, dot), text.substr(dot + 1, equals - dot - 1), text);
    const std::string values = text.substr(equals + 1);
    const std::vector<std::string> ends = split(values, ':');
    if (ends.size() == 1)
      parameter.values = listed(parameter, values);
    else
      parameter.values = range(parameter, ends, text, random);
    if (random && (ends.size() != 2 || !has_range(*parameter.description)))
      wrong("with --random '" + text + "' is of the form STAGE.PARAMETER=MIN:MAX");
    return parameter;
  }

  [[noreturn]] void wrong(const std::string& what) const { throw CLI::ValidationError(option_, what); }

 private:
  // A former name is understood, too; the message of a wrong one names the nearest.
  SweptParameter named(const std::string& stage, const std::string& name, const std::string& text) const {
    for (const ParameterTable* table : parameters_.tables())
      if (table->stage == stage)
        if (const ParameterDescription* found = table->find(name)) return {stage, found, {}};
    ParameterStore copy = parameters_;
    wrong(text + ": " + copy.set(stage, name, 0).error().message());
  }

  std::vector<double> listed(const SweptParameter& parameter, const std::string& values) const {
    const Result<std::vector<double>> read = listed_values(parameter, values, parameters_);
    if (!read) wrong(read.error().message());
    return *read;
  }

  double value(const SweptParameter& parameter, const std::string& text) const {
    ParameterStore copy = parameters_;
    if (const Status set = copy.set_from_text(parameter.key() + "=" + text); !set)
      wrong(set.error().message());
    return copy.get(parameter.stage, parameter.description->name).value_or(0);
  }

  std::vector<double> range(const SweptParameter& parameter, const std::vector<std::string>& ends,
                            const std::string& text, bool random) const {
    if (!has_range(*parameter.description)) wrong(parameter.key() + " has no range; list its values: A,B,C");
    const double from = value(parameter, ends[0]), to = value(parameter, ends[1]);
    if (from >= to) wrong("'" + text + "': the first value of a range is the smaller one");
    if (random) return {from, to};
    size_t steps = 0;
    const std::string& count = ends.size() == 3 ? ends[2] : std::string();
    const auto end = std::from_chars(count.data(), count.data() + count.size(), steps);
    if (count.empty() || end.ec != std::errc() || end.ptr != count.data() + count.size() || steps < 2 ||
        steps > kMaxSteps)
      wrong("'" + text + "' is not of the form STAGE.PARAMETER=MIN:MAX:STEPS, 2 to 1000 steps");
    return stepped_values(*parameter.description, from, to, steps);
  }

  const ParameterStore& parameters_;
  const char* option_;
};

}  // namespace

SweepPoints parse_sweep_points(const std::vector<std::string>& ranges, size_t random, uint32_t seed,
                               const ParameterStore& parameters, const char* option) {
  const RangeParser parser(parameters, option);
  SweepPoints points;
  points.random = random > 0;
  for (const std::string& range : ranges) points.parameters.push_back(parser.parse(range, points.random));
  if (points.parameters.empty() || (!points.random && points.parameters.size() > 2))
    parser.wrong("one or two parameters are swept; more at once with --random");
  sort_by_stage(parameters, &points.parameters);
  for (size_t i = 1; i < points.parameters.size(); ++i)
    if (points.parameters[i].key() == points.parameters[i - 1].key())
      parser.wrong(points.parameters[i].key() + " is named twice");
  if (points.random)
    points = random_points(std::move(points.parameters), random, seed, parameters);
  else
    points = all_points(std::move(points.parameters), parameters);
  if (points.points.size() > kMaxPoints) parser.wrong("these are more than 10000 points");
  return points;
}

}  // namespace vantage::cli
