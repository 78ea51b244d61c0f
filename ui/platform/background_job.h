// Work off the GUI thread, one at a time; its result is passed on in the GUI thread.
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
  // Runs on its own thread and polls the stop; its return value runs on the GUI thread, unless it was
  // stopped.
  using Work = std::function<Deliver(const StopSource&)>;
  explicit BackgroundJob(QObject* parent = nullptr) : QObject(parent) {}
  ~BackgroundJob() override;  // stops and waits

  bool running() const { return running_; }
  // Returns at once. Work in progress is stopped and its result dropped; the new work begins afterwards.
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
