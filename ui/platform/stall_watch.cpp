#include "ui/platform/stall_watch.h"

#include <QEvent>
#include <QMetaEnum>
#include <QThread>
#include <algorithm>
#include <cmath>
#include <ctime>

#include "core/base/log.h"

namespace vantage::ui {
namespace {

constexpr int64_t kLogEvery_ms = 10'000;

double seconds_of(clockid_t clock) {
  timespec now = {};
  ::clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}
double clock_s() {
  return seconds_of(CLOCK_MONOTONIC);
}
double processor_s() {
  return seconds_of(CLOCK_THREAD_CPUTIME_ID);
}

bool is_repaint(int type) {
  return type == QEvent::UpdateRequest || type == QEvent::Expose || type == QEvent::Paint;
}

std::string name_of(int type) {
  const char* name = QMetaEnum::fromType<QEvent::Type>().valueToKey(type);
  return name ? name : "event " + std::to_string(type);
}

std::string ms_text(double seconds) {
  return std::to_string(std::lround(1e3 * seconds)) + " ms";
}

std::string text_of(const Stall& stall) {
  return ms_text(stall.seconds) + " (" + ms_text(stall.own_s) + " of its own work, " +
         ms_text(stall.views_s) + " drawing views): " + stall.what;
}

}  // namespace

StallWatch& StallWatch::instance() {
  static StallWatch watch;
  return watch;
}

void StallWatch::reset() {
  stalls_.clear();
  events_ = count_ = unlogged_ = 0;
  longest_s_ = longest_own_s_ = 0;
}

std::string StallWatch::own_stalls_text() const {
  std::string text;
  for (const Stall& stall : stalls_)
    if (stall.own_s > kStall_s) text += text_of(stall) + "\n";
  return text;
}

void StallWatch::begin_stretch(Running* running) const {
  running->views_s = running->views_processor_s = running->widgets_processor_s = 0;
  running->processor_since_s = processor_s();
  running->since_s = clock_s();
}

bool StallWatch::begin(const QMetaObject* receiver, int type) {
  const int level = QThread::currentThread()->loopLevel();
  if (!running_.empty() && running_.back().loop_level >= level) return false;
  if (!running_.empty()) end_stretch(running_.back());
  running_.push_back({level, receiver, type});
  begin_stretch(&running_.back());
  return true;
}

void StallWatch::end() {
  end_stretch(running_.back());
  running_.pop_back();
  ++events_;
  if (!running_.empty()) begin_stretch(&running_.back());
}

void StallWatch::end_stretch(const Running& running) {
  Stall stall;
  stall.seconds = clock_s() - running.since_s;
  longest_s_ = std::max(longest_s_, stall.seconds);
  if (stall.seconds <= kStall_s) return;
  stall.processor_s = processor_s() - running.processor_since_s;
  stall.views_s = running.views_s;
  stall.own_s = is_repaint(running.type) ? running.widgets_processor_s
                                         : std::max(0.0, stall.processor_s - running.views_processor_s);
  longest_own_s_ = std::max(longest_own_s_, stall.own_s);
  stall.what = name_of(running.type) + " of " + running.receiver->className();
  ++count_;
  stalls_.push_back(stall);
  if (stalls_.size() > kKept) stalls_.pop_front();
  log_now_and_then(stall);
}

void StallWatch::add_drawn(bool through_opengl, double seconds, double processor_s) {
  if (running_.empty()) return;
  Running& running = running_.back();
  if (!through_opengl) {
    running.widgets_processor_s += processor_s;
    return;
  }
  running.views_s += seconds;
  running.views_processor_s += processor_s;
}

// Rate-limited: views drawn without a GPU would fill the log.
void StallWatch::log_now_and_then(const Stall& stall) {
  if (logged_.isValid() && !logged_.hasExpired(kLogEvery_ms)) {
    ++unlogged_;
    return;
  }
  logged_.start();
  const std::string more = unlogged_ > 0 ? "; " + std::to_string(unlogged_) + " more before" : std::string();
  unlogged_ = 0;
  log_info("the window did not answer for " + text_of(stall) + more);
}

bool WatchedApplication::notify(QObject* receiver, QEvent* event) {
  if (QThread::currentThread() != thread()) return QApplication::notify(receiver, event);
  // The receiver may be deleted afterwards, but its class remains.
  const bool first = StallWatch::instance().begin(receiver->metaObject(), event->type());
  const bool done = event->type() == QEvent::Paint ? notify_drawing(receiver, event)
                                                   : QApplication::notify(receiver, event);
  if (first) StallWatch::instance().end();
  return done;
}

bool WatchedApplication::notify_drawing(QObject* receiver, QEvent* event) {
  const bool through_opengl = receiver->inherits("QOpenGLWidget");
  const double since_s = clock_s(), processor_since_s = processor_s();
  const bool done = QApplication::notify(receiver, event);
  StallWatch::instance().add_drawn(through_opengl, clock_s() - since_s, processor_s() - processor_since_s);
  return done;
}

}  // namespace vantage::ui
