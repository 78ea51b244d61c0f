#include "ui/platform/check_runner.h"

namespace vantage::ui {

CheckRunner::CheckRunner(CheckFunction check, QObject* parent) : QObject(parent), check_(std::move(check)) {
  connect(&job_, &BackgroundJob::stopped, this, &CheckRunner::stopped);
}

void CheckRunner::start(const Project& project, CheckOptions options) {
  job_.start([this, project, options](const StopSource& stop) mutable -> BackgroundJob::Deliver {
    options.stop = stop;
    return [this, report = check_(project, options)] { emit finished(report); };
  });
}

}  // namespace vantage::ui
