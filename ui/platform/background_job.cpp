#include "ui/platform/background_job.h"

#include <QMetaObject>

namespace vantage::ui {

BackgroundJob::~BackgroundJob() {
  stop_.request_stop();
  if (thread_.joinable()) thread_.join();
}

void BackgroundJob::start(Work work) {
  stop_.request_stop();
  stop_ = StopSource();
  running_ = true;
  const int turn = ++turn_;
  thread_ =
      std::thread([this, before = std::move(thread_), work = std::move(work), stop = stop_, turn]() mutable {
        if (before.joinable()) before.join();
        QMetaObject::invokeMethod(
            this,
            [this, deliver = work(stop), turn] {
              if (turn != turn_ || !running_) return;
              running_ = false;
              deliver();
            },
            Qt::QueuedConnection);
      });
}

void BackgroundJob::stop() {
  if (!running_) return;
  stop_.request_stop();
  running_ = false;
  emit stopped();
}

}  // namespace vantage::ui
