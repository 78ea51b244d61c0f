// Figures of the project's results, read off the GUI thread: again when the results have grown or are others.
#pragma once

#include <QObject>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

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

}  // namespace vantage::ui
