#include "ui/main_window/plots/plot_spec.h"

#include <QCoreApplication>

#include "core/base/json.h"

namespace vantage::ui {
namespace {

QString spec_tr(const char* text) {
  return QCoreApplication::translate("PlotSpec", text);
}

}  // namespace

QString plot_spec_text(const PlotSpec& spec) {
  return QString::fromStdString(
      json_text(nlohmann::ordered_json{{"kind", std::string(scalar_plot_name(spec.kind))},
                                       {"figures", spec.figures},
                                       {"bins", spec.bins},
                                       {"in_range", spec.in_range}}));
}

std::optional<PlotSpec> plot_spec_of(const QString& text) {
  const nlohmann::json json = parse_json(text.toStdString());
  if (!json.is_object()) return std::nullopt;
  PlotSpec spec;
  try {
    const std::string kind = json.at("kind").get<std::string>();
    bool known = false;
    for (const ScalarPlotKind one : kScalarPlotKinds)
      if (scalar_plot_name(one) == kind) spec.kind = one, known = true;
    spec.figures = json.at("figures").get<std::vector<std::string>>();
    spec.bins = json.at("bins").get<int>();
    spec.in_range = json.at("in_range").get<bool>();
    if (!known || spec.bins < 0 || spec.bins > kMaxBins) return std::nullopt;
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
  return spec;
}

QString why_no_plot(const PlotSpec& spec) {
  for (const std::string& figure : spec.figures)
    if (const auto kind = scalar_kind(figure); !kind)
      return QString::fromStdString(kind.error().what + ": " + figure);
  if (spec.figures.empty()) return spec_tr("Choose a figure in the list.");
  if (spec.kind == ScalarPlotKind::scatter && spec.figures.size() != 2)
    return spec_tr("A scatter plot shows two figures: the one chosen first lies along x, the other along y.");
  return {};
}

QString plot_kind_text(ScalarPlotKind kind) {
  switch (kind) {
    case ScalarPlotKind::time:
      return spec_tr("Over time");
    case ScalarPlotKind::histogram:
      return spec_tr("Histogram");
    case ScalarPlotKind::scatter:
      return spec_tr("Scatter");
  }
  return {};
}

}  // namespace vantage::ui
