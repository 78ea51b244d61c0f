// What one plot shows: its kind and the figures of results, by the names that `vantage-cli plot` knows.
#pragma once

#include <QString>
#include <optional>
#include <string>
#include <vector>

#include "core/export/figure/scalar_plot.h"

namespace vantage::ui {

struct PlotSpec {
  ScalarPlotKind kind = ScalarPlotKind::time;
  std::vector<std::string> figures;  // of a scatter plot x and y
  int bins = 0;                      // of a histogram; 0: by the number of values
  bool in_range = false;             // of histogram and scatter plot: only the frames of the marked range
  bool operator==(const PlotSpec&) const = default;
};

// As settings keep it, and back; nothing for a text that is not one.
QString plot_spec_text(const PlotSpec& spec);
std::optional<PlotSpec> plot_spec_of(const QString& text);

// Why it cannot be drawn, whatever the results; empty: it can.
QString why_no_plot(const PlotSpec& spec);
QString plot_kind_text(ScalarPlotKind kind);  // "Over time"

}  // namespace vantage::ui
