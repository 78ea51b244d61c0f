#include "app/cli/evaluate/evaluate_figures.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "core/base/text.h"

namespace vantage::cli {
namespace {

using nlohmann::ordered_json;

ordered_json known_number(double value) {
  return std::isfinite(value) ? ordered_json(value) : ordered_json();
}

std::string titled(const TrackFigure& figure) {
  return std::string(figure.title) + (figure.unit.empty() ? "" : " (" + std::string(figure.unit) + ")");
}

// Columns as wide as their widest cell, the first to the left.
void print_columns(const std::vector<std::vector<std::string>>& rows) {
  std::vector<size_t> widths;
  for (const std::vector<std::string>& row : rows)
    for (size_t column = 0; column < row.size(); ++column) {
      if (column == widths.size()) widths.push_back(0);
      widths[column] = std::max(widths[column], row[column].size());
    }
  for (const std::vector<std::string>& row : rows) {
    std::string line;
    for (size_t column = 0; column < row.size(); ++column) {
      const std::string gap(widths[column] - row[column].size(), ' ');
      line += (column == 0 ? row[column] + gap : "  " + gap + row[column]);
    }
    std::printf("%s\n", line.c_str());
  }
}

std::string dashed(std::string text) {
  return text.empty() ? "-" : text;
}

}  // namespace

void IntervalOptions::add_to(CLI::App& command) {
  command
      .add_option("--block", block,
                  "frames of a block of the bootstrap; 0: as long as each figure's errors stay correlated")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  command.add_option("--bootstrap-seed", seed, "of the bootstrap's random numbers")->capture_default_str();
}

BootstrapOptions IntervalOptions::bootstrap() const {
  BootstrapOptions options;
  options.block = block, options.seed = seed;
  return options;
}

std::string intervals_text(const IntervalOptions& options) {
  const BootstrapOptions how = options.bootstrap();
  const std::string blocks =
      how.block > 0
          ? formatted("blocks of %lld compared frames", static_cast<long long>(how.block))
          : std::string("blocks of compared frames as long as each figure's errors stay correlated");
  return formatted(
      "95 %% intervals: %d samples of %s, seed %u; IDF1, IDR and HOTA under the identities of the "
      "whole recording",
      how.samples, blocks.c_str(), how.seed);
}

ordered_json interval_json(const FigureInterval& interval) {
  ordered_json json = {{"value", known_number(interval.value)},
                       {"from", known_number(interval.from)},
                       {"to", known_number(interval.to)},
                       {"block", interval.block}};
  if (!interval.known()) json["unknown"] = interval.why_unknown;
  return json;
}

std::string interval_line(const char* title, const FigureInterval& interval) {
  const std::string value = dashed(figure_text(interval.value));
  if (!interval.known())
    return formatted("%s %s, no interval: %s", title, value.c_str(), interval.why_unknown.c_str());
  return formatted("%s %s [%s, %s], blocks of %lld", title, value.c_str(), figure_text(interval.from).c_str(),
                   figure_text(interval.to).c_str(), static_cast<long long>(interval.block));
}

ordered_json parts_json(const MeasuredParts& parts) {
  ordered_json json = ordered_json::array();
  for (const MeasuredPart& part : parts.parts) {
    ordered_json one = {{"part", part.name},
                        {"first_frame", part.first_frame},
                        {"last_frame", part.last_frame},
                        {"frames", part.frames.size()}};
    for (size_t i = 0; i < parts.figures.size(); ++i)
      one[std::string(parts.figures[i]->name)] =
          part.intervals.empty() ? known_number(part.values[i]) : interval_json(part.intervals[i]);
    json.push_back(std::move(one));
  }
  return json;
}

void print_parts(const MeasuredParts& parts) {
  std::vector<std::vector<std::string>> rows{
      {std::string(kMeasuredByNames[static_cast<size_t>(parts.by)]), "frames"}};
  for (const TrackFigure* figure : parts.figures) rows[0].push_back(titled(*figure));
  for (const MeasuredPart& part : parts.parts) {
    std::vector<std::string> row{part.name, std::to_string(part.frames.size())};
    for (size_t i = 0; i < parts.figures.size(); ++i)
      row.push_back(
          dashed(part.intervals.empty() ? figure_text(part.values[i]) : figure_text(part.intervals[i])));
    rows.push_back(std::move(row));
  }
  print_columns(rows);
}

ordered_json compared_json(const std::vector<ComparedFigure>& compared) {
  ordered_json json = ordered_json::object();
  for (const ComparedFigure& one : compared)
    json[std::string(one.figure->name)] = {{"first", known_number(one.first)},
                                           {"second", known_number(one.second)},
                                           {"difference", interval_json(one.difference)},
                                           {"verdict", verdict_text(one.verdict)}};
  return json;
}

void print_compared(const std::vector<ComparedFigure>& compared, const std::string& first,
                    const std::string& second) {
  std::printf("%s against %s, in the frames of both; 95 %% intervals of the difference by paired blocks\n",
              second.c_str(), first.c_str());
  std::vector<std::vector<std::string>> rows{{"figure", first, second, "difference", ""}};
  for (const ComparedFigure& one : compared)
    rows.push_back({titled(*one.figure), dashed(figure_text(one.first)), dashed(figure_text(one.second)),
                    dashed(figure_text(one.difference)),
                    std::string(verdict_text(one.verdict)) +
                        (one.difference.known() ? "" : ": " + one.difference.why_unknown)});
  print_columns(rows);
}

ordered_json moments_json(const std::vector<WorstMoment>& moments) {
  ordered_json json = ordered_json::array();
  const auto id = [](int64_t number) { return number > 0 ? ordered_json(number) : ordered_json(); };
  for (const WorstMoment& moment : moments)
    json.push_back({{"kind", moment_kind_name(moment.kind)},
                    {"frame", moment.frame},
                    {"first_frame", moment.first_frame},
                    {"last_frame", moment.last_frame},
                    {"true_id", id(moment.true_id)},
                    {"id", id(moment.id)},
                    {"id_before", id(moment.id_before)},
                    {"x_m", moment.x_m},
                    {"y_m", moment.y_m},
                    {"amount", moment.amount}});
  return json;
}

void print_moments(const std::vector<WorstMoment>& moments) {
  if (moments.empty()) std::printf("no one is missed, false, exchanged or off\n");
  for (const WorstMoment& moment : moments)
    std::printf("frame %lld: %s\n", static_cast<long long>(moment.frame), moment_text(moment).c_str());
}

}  // namespace vantage::cli
