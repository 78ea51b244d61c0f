// vantage-cli plot: figures of results over time, their histogram, or one over the other, as a file.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "app/cli/common/chain.h"
#include "app/cli/common/value_or_fail.h"
#include "core/base/json.h"
#include "core/export/figure/scalar_plot.h"
#include "core/project/project.h"
#include "core/project/variants.h"

namespace vantage::cli {
namespace {

namespace fs = std::filesystem;

struct PlotArguments {
  std::string source, variant, frames, kind = "time", out;
  std::vector<std::string> figures;
  int bins = 0, width_px = static_cast<int>(Plot().width_px), height_px = static_cast<int>(Plot().height_px);
  bool json = false;
};

fs::path results_of(const PlotArguments& arguments) {
  if (fs::is_directory(arguments.source)) {
    if (!arguments.variant.empty())
      throw CLI::ValidationError("--variant", "only with a project: a folder of results is what it is");
    return arguments.source;
  }
  const Project project = value_or_fail(load_project(arguments.source));
  if (arguments.variant.empty()) return project.results_folder();
  static_cast<void>(value_or_fail(read_variant(project.path, arguments.variant, default_parameters())));
  return variant_results(project.path, arguments.variant);
}

ScalarPlotKind kind_of(const std::string& name) {
  for (const ScalarPlotKind kind : kScalarPlotKinds)
    if (scalar_plot_name(kind) == name) return kind;
  throw CLI::ValidationError("--kind", "time, histogram or scatter is expected");
}

nlohmann::ordered_json told(const ResultScalars& scalars, const PlotArguments& arguments) {
  nlohmann::ordered_json json = {{"file", arguments.out},
                                 {"kind", arguments.kind},
                                 {"frames", scalars.frames.size()},
                                 {"figures", nlohmann::ordered_json::array()}};
  for (const ScalarSeries& series : scalars.series) {
    int64_t known = 0;
    double sum = 0, low = std::numeric_limits<double>::infinity(), high = -low;
    for (const double value : series.values)
      if (std::isfinite(value))
        ++known, sum += value, low = std::min(low, value), high = std::max(high, value);
    nlohmann::ordered_json one = {{"name", series.name}, {"unit", series.unit}, {"known_frames", known}};
    if (known > 0) one.update({{"mean", sum / static_cast<double>(known)}, {"min", low}, {"max", high}});
    json["figures"].push_back(one);
  }
  return json;
}

void plot(const PlotArguments& arguments) {
  const ScalarPlotKind kind = kind_of(arguments.kind);
  if (kind == ScalarPlotKind::scatter && arguments.figures.size() != 2)
    throw CLI::ValidationError("--of", "a scatter plot shows two figures, the second over the first");
  if (kind != ScalarPlotKind::histogram && arguments.bins != 0)
    throw CLI::ValidationError("--bins", "only of a histogram");
  const FrameRange frames = arguments.frames.empty() ? FrameRange{0, std::numeric_limits<int64_t>::max()}
                                                     : parse_frames(arguments.frames);
  const ResultScalars scalars = value_or_fail(read_scalars(results_of(arguments), arguments.figures, frames));
  ScalarPlot made = value_or_fail(scalar_plot(scalars, kind, arguments.bins));
  made.plot.width_px = arguments.width_px, made.plot.height_px = arguments.height_px;
  check_or_fail(write_scalar_plot(made, arguments.out));
  const nlohmann::ordered_json json = told(scalars, arguments);
  if (arguments.json) return print_json(json);
  std::printf("%s: %zu frames\n", arguments.out.c_str(), scalars.frames.size());
  for (const auto& one : json["figures"])
    if (one["known_frames"].get<int64_t>() > 0)
      std::printf("  %s: mean %.6g, %.6g to %.6g %s\n", one["name"].get<std::string>().c_str(),
                  one["mean"].get<double>(), one["min"].get<double>(), one["max"].get<double>(),
                  one["unit"].get<std::string>().c_str());
}

std::string figures_text() {
  std::string text = "Figures:\n";
  for (const ScalarKind& kind : scalar_kinds()) {
    std::string name = scalar_name(kind);
    name.resize(std::max<size_t>(name.size() + 2, 22), ' ');
    text += "  " + name + std::string(kind.meaning) +
            (kind.unit.empty() ? "" : " (" + std::string(kind.unit) + ")") + "\n";
  }
  return text;
}

}  // namespace

void add_plot(CLI::App& app) {
  auto options = std::make_shared<PlotArguments>();
  CLI::App* command =
      app.add_subcommand("plot", "Draw figures of results over time, their histogram, or one over another.");
  command->footer(
      figures_text() +
      "Example: vantage-cli plot hall.vantage --of people,litres --out P.svg\n"
      "Example: vantage-cli plot hall.results --of speed_m_per_s:3 --kind histogram --bins 20 --out "
      "P.pdf\n"
      "Example: vantage-cli plot hall.vantage --of people,ms:carving --kind scatter --out P.csv");
  command->add_option("source", options->source, "a project, whose results are read, or a folder of results")
      ->required()
      ->check(CLI::ExistingPath);
  command->add_option("--of", options->figures, "figures, by the names below; of a scatter plot x and y")
      ->required()
      ->delimiter(',')
      ->type_name("NAME,…");
  command->add_option("--kind", options->kind, "time, histogram or scatter")
      ->check(CLI::IsMember({"time", "histogram", "scatter"}))
      ->capture_default_str();
  command->add_option("--frames", options->frames, "only these, B excluded; all if absent")->type_name("A:B");
  command->add_option("--variant", options->variant, "the results kept under that variant of the project")
      ->type_name("NAME");
  command->add_option("--bins", options->bins, "of a histogram; by the number of values if absent")
      ->check(CLI::Range(1, kMaxBins));
  command->add_option("--width", options->width_px, "of the page in pixels; wider for long names")
      ->check(CLI::Range(kMinPlot_px, kMaxPlot_px))
      ->capture_default_str();
  command->add_option("--height", options->height_px, "of the page in pixels")
      ->check(CLI::Range(kMinPlot_px, kMaxPlot_px))
      ->capture_default_str();
  command
      ->add_option("--out", options->out, "F.svg, F.pdf (96 pixels an inch) or F.png; F.csv for the values")
      ->required();
  command->add_flag("--json", options->json, "print the figures' means and ranges as JSON");
  command->callback([options] { plot(*options); });
}

}  // namespace vantage::cli
