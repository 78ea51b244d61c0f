#include "ui/platform/check_runner.h"

#include <QMetaObject>

namespace vantage::ui {

CheckRunner::CheckRunner(CheckFunction check, QObject* parent) : QObject(parent), check_(std::move(check)) {}

CheckRunner::~CheckRunner() {
  stop_.request_stop();
  if (thread_.joinable()) thread_.join();
}

void CheckRunner::start(const Project& project, CheckOptions options) {
  stop_.request_stop();
  if (thread_.joinable()) thread_.join();
  stop_ = StopSource();
  running_ = true;
  options.stop = stop_;
  const int turn = ++turn_;
  thread_ = std::thread([this, project, options, turn] {
    const CheckReport report = check_(project, options);
    QMetaObject::invokeMethod(
        this,
        [this, report, turn] {
          if (turn != turn_ || !running_) return;
          running_ = false;
          emit finished(report);
        },
        Qt::QueuedConnection);
  });
}

void CheckRunner::stop() {
  if (!running_) return;
  stop_.request_stop();
  running_ = false;
  emit stopped();
}

}  // namespace vantage::ui
