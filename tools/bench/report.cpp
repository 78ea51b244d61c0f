#include "tools/bench/report.h"

#include <fmt/core.h>
#include <algorithm>
#include <cstdio>

#include "core/base/file.h"
#include "core/base/json.h"

namespace vantage::cli {
namespace {

constexpr int kBatches = 7;
constexpr double kBatch_ns = 30e6;  // approximate duration
constexpr int kMaxCalls = 200;

double elapsed_ns(const std::function<void(bool)>& work, int calls) {
  const int64_t start = trace_now_ns();
  for (int i = 0; i < calls; ++i) work(i + 1 == calls);
  return static_cast<double>(trace_now_ns() - start);
}

}  // namespace

CallTimes time_calls(const std::function<void(bool wait)>& work) {
  elapsed_ns(work, 1);  // allocations of the first call
  const double one_ns = elapsed_ns(work, 2) / 2;
  CallTimes times;
  times.calls = std::clamp(static_cast<int>(kBatch_ns / one_ns), 1, kMaxCalls);
  // Seconds per call: a few batches suffice.
  times.batches = one_ns > 1e9 ? 3 : kBatches;
  if (times.calls > 1) elapsed_ns(work, times.calls);
  std::vector<double> us;
  for (int batch = 0; batch < times.batches; ++batch)
    us.push_back(elapsed_ns(work, times.calls) * 1e-3 / times.calls);
  std::sort(us.begin(), us.end());
  times.median_us = us[us.size() / 2];
  times.min_us = us.front();
  times.max_us = us.back();
  return times;
}

std::map<std::string, double> span_means_us(const TraceRecorder& trace) {
  std::map<std::string, double> means;
  for (const SpanStatistics& row : summarize(trace.snapshot())) means[row.name] = 1e3 * row.mean_ms;
  return means;
}

void BenchReport::add(BenchRow row) {
  if (rows_.empty())
    fmt::print("{:12} {:52} {:>12} {:>12} {:>7}\n", "stage", "input", "us a call", "limit us", "of it");
  fmt::print("{:12} {:52} {:12.1f}", row.stage, row.input, row.times.median_us);
  if (row.limit_us > 0)
    fmt::print(" {:12.2f} {:6.1f}%", row.limit_us, 100 * row.limit_us / row.times.median_us);
  fmt::print("\n");
  for (const auto& [name, us] : row.spans_us) fmt::print("    {:61} {:12.1f}\n", name, us);
  std::fflush(stdout);
  rows_.push_back(std::move(row));
}

void BenchReport::add(const std::string& name, Plot plot, nlohmann::ordered_json facts) {
  fmt::print("\n{} ({})\n", plot.title, plot.y_label);
  for (const PlotSeries& series : plot.series) {
    if (series.points.size() > 12) continue;  // a curve over frames: its figures are among the facts
    fmt::print("  {:32}", series.name);
    for (const PlotPoint& p : series.points) fmt::print(" {:g}: {:.4g} ", p.x, p.y);
    fmt::print("\n");
  }
  for (const auto& [key, value] : facts.items()) fmt::print("  {}: {}\n", key, json_text(value));
  std::fflush(stdout);
  experiments_.push_back({name, std::move(plot), std::move(facts)});
}

nlohmann::ordered_json BenchReport::json() const {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array(),
                         experiments = nlohmann::ordered_json::array();
  for (const BenchRow& row : rows_) {
    nlohmann::ordered_json item = {
        {"stage", row.stage},          {"input", row.input},         {"median_us", row.times.median_us},
        {"min_us", row.times.min_us},  {"max_us", row.times.max_us}, {"calls", row.times.calls},
        {"batches", row.times.batches}};
    if (row.amount > 0) item["amount"] = row.amount, item["unit"] = row.unit;
    if (row.limit_us > 0) {
      item["limit_us"] = row.limit_us;
      item["fraction"] = row.limit_us / row.times.median_us;
    }
    if (!row.spans_us.empty()) item["spans_us"] = row.spans_us;
    rows.push_back(std::move(item));
  }
  for (const Experiment& experiment : experiments_) {
    nlohmann::ordered_json item = {{"name", experiment.name},
                                   {"title", experiment.plot.title},
                                   {"x", experiment.plot.x_label},
                                   {"y", experiment.plot.y_label}};
    for (const PlotSeries& series : experiment.plot.series) {
      nlohmann::ordered_json points = nlohmann::ordered_json::array();
      for (const PlotPoint& p : series.points) points.push_back({p.x, p.y});
      item["series"].push_back({{"name", series.name}, {"points", std::move(points)}});
    }
    item["facts"] = experiment.facts;
    experiments.push_back(std::move(item));
  }
  return {{"rows", std::move(rows)}, {"experiments", std::move(experiments)}};
}

Status BenchReport::write_plots(const std::filesystem::path& folder) const {
  VANTAGE_TRY(make_folder(folder));
  for (const Experiment& experiment : experiments_)
    VANTAGE_TRY(write_file_atomically(folder / (experiment.name + ".svg"), plot_svg(experiment.plot)));
  return {};
}

}  // namespace vantage::cli
