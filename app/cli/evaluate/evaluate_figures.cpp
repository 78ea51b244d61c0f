#include "app/cli/evaluate/evaluate_figures.h"

#include <fmt/core.h>
#include <utility>

namespace vantage::cli {
namespace {

std::string titled(const TrackFigure& figure) {
  return std::string(figure.title) + (figure.unit.empty() ? "" : " (" + std::string(figure.unit) + ")");
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
          ? fmt::format("blocks of {} compared frames", how.block)
          : std::string("blocks of compared frames as long as each figure's errors stay correlated");
  return fmt::format(
      "95 % intervals: {} samples of {}, seed {}; IDF1, IDR and HOTA under the identities of the "
      "whole recording",
      how.samples, blocks, how.seed);
}

Report interval_report(const FigureInterval& interval) {
  Report report;
  report.add_data("value", interval.value);
  report.add_data("from", interval.from), report.add_data("to", interval.to);
  report.add_data("block", interval.block);
  if (!interval.known()) report.add_data("unknown", interval.why_unknown);
  return report;
}

std::string interval_line(const char* title, const FigureInterval& interval) {
  const std::string value = dashed(figure_text(interval.value));
  if (!interval.known()) return fmt::format("{} {}, no interval: {}", title, value, interval.why_unknown);
  return fmt::format("{} {} [{}, {}], blocks of {}", title, value, figure_text(interval.from),
                     figure_text(interval.to), interval.block);
}

Report part_report(const MeasuredParts& parts, const MeasuredPart& part) {
  Report row;
  row.add("part", std::string(kMeasuredByNames[static_cast<size_t>(parts.by)]), part.name);
  row.add_data("first_frame", part.first_frame), row.add_data("last_frame", part.last_frame);
  row.add_count("frames", "frames", static_cast<int64_t>(part.frames.size()));
  for (size_t i = 0; i < parts.figures.size(); ++i) {
    const TrackFigure& figure = *parts.figures[i];
    const std::string name(figure.name);
    if (part.intervals.empty()) {
      row.add(name, titled(figure), part.values[i], dashed(figure_text(part.values[i])));
    } else {
      row.add_section(name, interval_report(part.intervals[i]));
      row.add({}, titled(figure), {}, dashed(figure_text(part.intervals[i])));
    }
  }
  return row;
}

void add_compared(const char* key, const std::vector<ComparedFigure>& compared, const std::string& first,
                  const std::string& second, Report* to) {
  std::vector<Report> rows;
  for (const ComparedFigure& one : compared) {
    Report& row = rows.emplace_back();
    row.add(std::string(one.figure->name), "figure", titled(*one.figure));
    row.add("first", first, one.first, dashed(figure_text(one.first)));
    row.add("second", second, one.second, dashed(figure_text(one.second)));
    row.add_section("difference", interval_report(one.difference));
    row.add({}, "difference", {}, dashed(figure_text(one.difference)));
    const std::string verdict(verdict_text(one.verdict));
    row.add("verdict", second + " is", verdict,
            verdict + (one.difference.known() ? "" : ": " + one.difference.why_unknown));
  }
  to->add_sentence(second + " against " + first +
                   ", in the frames of both; 95 % intervals of the difference by paired blocks");
  to->add_named(key, std::move(rows));
}

void add_moments(const std::vector<WorstMoment>& moments, Report* to) {
  const auto id = [](int64_t number) { return number > 0 ? ReportValue(number) : ReportValue(); };
  std::vector<Report> rows;
  for (const WorstMoment& moment : moments) {
    Report& row = rows.emplace_back();
    row.add_data("kind", moment_kind_name(moment.kind));
    row.add_sentence("frame", moment.frame,
                     "frame " + std::to_string(moment.frame) + ": " + moment_text(moment));
    row.add_data("first_frame", moment.first_frame), row.add_data("last_frame", moment.last_frame);
    row.add_data("true_id", id(moment.true_id)), row.add_data("id", id(moment.id));
    row.add_data("id_before", id(moment.id_before));
    row.add_data("x_m", moment.x_m), row.add_data("y_m", moment.y_m), row.add_data("amount", moment.amount);
  }
  if (rows.empty()) to->add_sentence("no one is missed, false, exchanged or off");
  to->add_rows("moments", std::move(rows));
}

}  // namespace vantage::cli
