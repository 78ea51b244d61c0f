// Figures of the project's results, read off the GUI thread: again when the results have grown or are others.
#pragma once

#include <QObject>
#include <QString>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/export/figure/scalar_plot.h"
#include "core/results/result_scalars.h"
#include "ui/platform/background_job.h"

namespace vantage::ui {

class PlotReader final : public QObject {
  Q_OBJECT
 public:
  explicit PlotReader(QObject* parent = nullptr) : QObject(parent) {}

  // Figures that there are, of a folder of results, as plots want them together. `running`: an analysis
  // writes there.
  void set_source(const std::filesystem::path& results, std::set<std::vector<std::string>> figures,
                  bool running);
  void look();    // whether there is something new
  void forget();  // what was read; nothing is read until the next set_source()
  bool reading() const { return job_.running(); }

  // Values of figures that are wanted together, in this order; null: not read yet, or there are none. Made
  // off the GUI thread: a day's are tens of megabytes.
  ScalarsRef scalars_of(const std::vector<std::string>& figures) const;
  bool has_read() const { return !scalars_.empty(); }
  const ScalarOwners& owners() const { return owners_; }
  const QString& problem() const { return problem_; }  // why there is nothing; empty: it is not known yet

 signals:
  void changed();
  void reading_changed();

 private:
  struct Source;
  void read();

  std::shared_ptr<Source> source_;  // of the job while it runs
  std::map<std::vector<std::string>, ScalarsRef> scalars_;
  bool running_ = false;
  ScalarOwners owners_;
  QString problem_;
  bool first_ = true;  // of this source
  BackgroundJob job_;
};

// What one plot shows: its kind and the figures of results, by the names that `vantage-cli plot` knows.

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
