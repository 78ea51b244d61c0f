// Watchdog of the window's thread: measures the duration of every event of an event loop, in real time and in
// processor time of this thread; those above 50 ms are stalls, which are kept and logged. The window's own
// work is separated from views drawn through OpenGL, since a driver without a GPU draws with the processor,
// and from waiting, which a busy machine lengthens.
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
  double seconds = 0;      // real time
  double processor_s = 0;  // processor time of this thread
  double views_s = 0;      // part of `seconds` in views that draw through OpenGL
  // `processor_s` without those views and, for repaints, without copying the pictures to the screen: the time
  // of the window's own code, independent of the machine's load.
  double own_s = 0;
};

class StallWatch {
 public:
  static constexpr double kStall_s = 0.05;
  static constexpr size_t kKept = 256;  // number of stalls kept

  // The program's only instance. Used on the window's thread.
  static StallWatch& instance();

  // Since the start or reset().
  int64_t events() const { return events_; }
  int64_t stall_count() const { return count_; }
  double longest_s() const { return longest_s_; }
  double longest_own_s() const { return longest_own_s_; }
  const std::deque<Stall>& stalls() const { return stalls_; }
  // The stalls of which own_s alone is one, a line each; empty: none.
  std::string own_stalls_text() const;
  void reset();

 private:
  friend class WatchedApplication;
  // An event passed on by a loop. A nested loop (a dialog, a menu) ends one measured stretch, and each return
  // begins another.
  struct Running {
    int loop_level = 0;
    const QMetaObject* receiver = nullptr;
    int type = 0;
    double since_s = 0, processor_since_s = 0;
    double views_s = 0, views_processor_s = 0, widgets_processor_s = 0;
  };

  // False: it is part of the event being measured.
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
