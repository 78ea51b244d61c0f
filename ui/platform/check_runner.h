// Runs the checks of a project off the GUI thread, one at a time.
#pragma once

#include <QObject>
#include <functional>

#include "core/check/check.h"
#include "ui/platform/background_job.h"

namespace vantage::ui {

// Performs the checks; `options` has everything but the backends.
using CheckFunction = std::function<CheckReport(const Project&, const CheckOptions&)>;

class CheckRunner final : public QObject {
  Q_OBJECT
 public:
  explicit CheckRunner(CheckFunction check, QObject* parent = nullptr);

  bool available() const { return check_ != nullptr; }
  bool running() const { return job_.running(); }
  // A check under way is stopped first; its report is dropped.
  void start(const Project& project, CheckOptions options);
  void stop() { job_.stop(); }

 signals:
  void finished(const vantage::CheckReport& report);
  void stopped();

 private:
  CheckFunction check_;
  BackgroundJob job_;  // goes first: its work uses the function
};

}  // namespace vantage::ui
