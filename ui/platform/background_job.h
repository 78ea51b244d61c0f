// Work off the GUI thread, one at a time; what it found is handed over on the GUI thread.
#pragma once

#include <QObject>
#include <functional>
#include <thread>

#include "core/base/threads.h"

namespace vantage::ui {

class BackgroundJob final : public QObject {
  Q_OBJECT
 public:
  using Deliver = std::function<void()>;
  // Runs on its own thread and looks at the stop now and then; what it returns runs on the GUI thread, unless
  // it was stopped before.
  using Work = std::function<Deliver(const StopSource&)>;
  explicit BackgroundJob(QObject* parent = nullptr) : QObject(parent) {}
  ~BackgroundJob() override;  // stops and waits

  bool running() const { return running_; }
  // Returns at once. Work in progress is stopped and what it finds dropped; the new work begins when it has
  // ended.
  void start(Work work);
  void stop();

 signals:
  void stopped();

 private:
  std::thread thread_;
  StopSource stop_;
  bool running_ = false;
  int turn_ = 0;
};

}  // namespace vantage::ui
