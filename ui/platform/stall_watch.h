// The watchdog over the window's thread: how long each event keeps it from answering. Every event that an
// event loop gives out is measured, on the clock and as processor time of this thread; those above 50 ms are
// stalls, which are kept and logged. What is the window's own work is told apart from views that are drawn
// through OpenGL, as a driver without a GPU draws with the processor, and from waiting, which a busy machine
// lengthens.
#pragma once

#include <QApplication>
#include <QElapsedTimer>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace vantage::ui {

struct Stall {
  std::string what;        // "Timer of vantage::ui::PlotsControl"
  double seconds = 0;      // on the clock
  double processor_s = 0;  // processor time of this thread
  double views_s = 0;      // of `seconds`: in views that draw through OpenGL
  // The part of `processor_s` without those views and, where the event is a repaint, without bringing the
  // pictures to the screen: what the window's own code takes, whatever else the machine does.
  double own_s = 0;
};

class StallWatch {
 public:
  static constexpr double kStall_s = 0.05;
  static constexpr size_t kKept = 256;  // of the last stalls

  // The program's only one. Only the window's thread asks.
  static StallWatch& instance();

  // Since the start, or since reset().
  int64_t events() const { return events_; }
  int64_t stall_count() const { return count_; }
  double longest_s() const { return longest_s_; }
  double longest_own_s() const { return longest_own_s_; }
  const std::deque<Stall>& stalls() const { return stalls_; }
  // The stalls whose own work alone is one, a line each; empty: none.
  std::string own_stalls_text() const;
  void reset();

 private:
  friend class WatchedApplication;
  // An event that a loop has given out. A loop that runs inside it (a dialog, a menu) ends one stretch of it,
  // and another begins with each return.
  struct Running {
    int loop_level = 0;
    const QMetaObject* receiver = nullptr;
    int type = 0;
    double since_s = 0, processor_since_s = 0;
    double views_s = 0, views_processor_s = 0, widgets_processor_s = 0;
  };

  // False: it is a part of the event that is being measured.
  bool begin(const QMetaObject* receiver, int type);
  void end();
  void begin_stretch(Running* running) const;
  void end_stretch(const Running& running);
  void add_drawn(bool through_opengl, double seconds, double processor_s);
  void log_now_and_then(const Stall& stall);

  std::vector<Running> running_;
  std::deque<Stall> stalls_;
  int64_t events_ = 0, count_ = 0, unlogged_ = 0;
  double longest_s_ = 0, longest_own_s_ = 0;
  QElapsedTimer logged_;
};

// The application whose events the watchdog measures.
class WatchedApplication final : public QApplication {
 public:
  using QApplication::QApplication;
  bool notify(QObject* receiver, QEvent* event) override;

 private:
  bool notify_drawing(QObject* receiver, QEvent* event);
};

}  // namespace vantage::ui
