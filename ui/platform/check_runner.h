// Runs the checks of a project off the GUI thread, one at a time.
#pragma once

#include <QObject>
#include <functional>
#include <thread>

#include "core/check/check.h"

namespace vantage::ui {

// Performs the checks; `options` has everything but the backends.
using CheckFunction = std::function<CheckReport(const Project&, const CheckOptions&)>;

class CheckRunner final : public QObject {
  Q_OBJECT
 public:
  explicit CheckRunner(CheckFunction check, QObject* parent = nullptr);
  ~CheckRunner() override;  // stops and waits: a check looks at its stop after every frame

  bool available() const { return check_ != nullptr; }
  bool running() const { return running_; }
  // A check under way is stopped first; its report is dropped.
  void start(const Project& project, CheckOptions options);
  void stop();

 signals:
  void finished(const vantage::CheckReport& report);
  void stopped();

 private:
  CheckFunction check_;
  std::thread thread_;
  StopSource stop_;
  bool running_ = false;
  int turn_ = 0;
};

}  // namespace vantage::ui
