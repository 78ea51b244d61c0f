// Figures of the project's results, read off the GUI thread: again when the results have grown or are others.
#pragma once

#include <QObject>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/results/result_scalars.h"
#include "ui/platform/background_job.h"

namespace vantage::ui {

class PlotReader final : public QObject {
  Q_OBJECT
 public:
  explicit PlotReader(QObject* parent = nullptr) : QObject(parent) {}

  // Figures that there are, of a folder of results.
  void set_source(const std::filesystem::path& results, std::vector<std::string> figures);
  void look();    // whether there is something new
  void forget();  // what was read; nothing is read until the next set_source()
  bool reading() const { return job_.running(); }

  // Null: nothing was read yet, or there is nothing.
  const std::shared_ptr<const ResultScalars>& scalars() const { return scalars_; }
  const ScalarOwners& owners() const { return owners_; }
  const QString& problem() const { return problem_; }  // why there is nothing; empty: it is not known yet

 signals:
  void changed();
  void reading_changed();

 private:
  struct Source;
  void read();

  std::shared_ptr<Source> source_;  // of the job while it runs
  std::shared_ptr<const ResultScalars> scalars_;
  ScalarOwners owners_;
  QString problem_;
  bool first_ = true;  // of this source
  BackgroundJob job_;
};

}  // namespace vantage::ui
