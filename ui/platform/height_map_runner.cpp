#include "ui/platform/height_map_runner.h"

#include <QMetaObject>
#include <utility>

namespace vantage::ui {

HeightMapRunner::HeightMapRunner(HeightStudyFactory factory, QObject* parent)
    : QObject(parent), factory_(std::move(factory)) {
  if (factory_) thread_ = std::thread([this] { work(); });
}

HeightMapRunner::~HeightMapRunner() {
  {
    const std::lock_guard lock(mutex_);
    stop_.request_stop();
    wishes_.quit = true;
  }
  wake_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void HeightMapRunner::set_project(const Project& project) {
  const std::lock_guard lock(mutex_);
  stop_.request_stop();
  wishes_.project = project;
  wishes_.request.reset();
  wake_.notify_one();
}

void HeightMapRunner::request(HeightStudyRequest request) {
  const std::lock_guard lock(mutex_);
  stop_.request_stop();
  stop_ = StopSource();
  ++requests_;
  news_.finished = false;  // finished was the one before
  wishes_.request = std::move(request);
  wake_.notify_one();
}

void HeightMapRunner::stop() {
  const std::lock_guard lock(mutex_);
  stop_.request_stop();
  wishes_.request.reset();
}

void HeightMapRunner::release() {
  stop();
  const std::lock_guard lock(mutex_);
  wishes_.release = true;
  wake_.notify_one();
}

void HeightMapRunner::watch(std::optional<QPoint> pixel_px) {
  const std::lock_guard lock(mutex_);
  pixel_ = pixel_px;
  wishes_.belief = pixel_px.has_value();
  wake_.notify_one();
}

void HeightMapRunner::work() {
  std::optional<Project> project;
  while (true) {
    std::unique_lock lock(mutex_);
    wake_.wait(lock, [this] { return wishes_.any(); });
    const Wishes now = std::exchange(wishes_, {});
    const StopSource stop = stop_;
    const uint64_t number = requests_;
    lock.unlock();
    if (now.quit) return;
    if (now.project) project = now.project;
    if (now.project || now.release) study_.reset();
    if (now.request && project) {
      if (!study_) study_ = factory_(*project);
      run(*now.request, number, stop);
    } else if (now.belief) {
      tell_belief();
    }
  }
}

void HeightMapRunner::run(const HeightStudyRequest& request, uint64_t number, const StopSource& stop) {
  HeightStudyListener listener;
  listener.on_reference = [&](size_t reference) {
    tell([&](News& news) {
      news.reference.emplace(request.result, static_cast<int>(reference));
      news.map.reset();  // it is of the picture before
    });
  };
  listener.on_map = [&](const HeightStudyMap& map) {
    tell([&](News& news) { news.map = map; });
    tell_belief();
  };
  listener.on_progress = [&](const std::string& what, double share) {
    tell([&](News& news) { news.progress.emplace(QString::fromStdString(what), share); });
  };
  const Status done = study_->run(request, listener, stop);
  tell([&](News& news) {
    if (!done && done.error().kind != ErrorKind::cancelled) news.error = done.error();
    news.finished = number == requests_;  // else another is waiting
  });
}

void HeightMapRunner::tell_belief() {
  std::optional<QPoint> pixel;
  {
    const std::lock_guard lock(mutex_);
    pixel = pixel_;
  }
  if (!pixel || !study_) return;
  if (Result<PixelBelief> belief = study_->belief_of(pixel->x(), pixel->y()))
    tell([&](News& news) { news.belief.emplace(*pixel, std::move(*belief)); });
}

template <typename Change>
void HeightMapRunner::tell(Change change) {
  const std::lock_guard lock(mutex_);
  change(news_);
  if (std::exchange(scheduled_, true)) return;
  QMetaObject::invokeMethod(this, &HeightMapRunner::deliver, Qt::QueuedConnection);
}

void HeightMapRunner::deliver() {
  News now;
  {
    const std::lock_guard lock(mutex_);
    now = std::exchange(news_, {});
    scheduled_ = false;
  }
  if (now.reference) emit reference_chosen(now.reference->first, now.reference->second);
  if (now.map) emit map_ready(*now.map);
  if (now.belief) emit belief_ready(now.belief->first, now.belief->second);
  if (now.progress) emit progressed(now.progress->first, now.progress->second);
  if (now.error) emit failed(*now.error);
  if (now.finished) emit finished();
}

}  // namespace vantage::ui
