#include <QDialog>
#include <QTest>
#include <QTimer>
#include <ctime>
#include <functional>
#include <string>

#include "tests/ui/support/patience.h"
#include "tests/ui/support/session_window.h"
#include "tests/ui/support/window_test.h"
#include "ui/main_window/workspace.h"
#include "ui/platform/stall_watch.h"
#include "ui/widgets/transport.h"

namespace vantage::ui {

// The watchdog over the window's thread, and what it says while the window works.
class StallsTest final : public WindowTest {
  Q_OBJECT
 private slots:
  void the_watchdog_names_what_kept_the_thread();
  void waiting_is_not_the_windows_own_work();
  void loops_inside_an_event_are_no_stall();
  void the_window_does_not_stall_while_it_plays_seeks_and_analyses();
};

namespace {

constexpr clock_t kLong = CLOCKS_PER_SEC / 8;  // of processor time, more than twice what a stall is

// A thing that keeps its thread when it is told.
class Busy final : public QObject {
 public:
  enum class Act { work, wait, run_loop };
  explicit Busy(Act act) : act_(act) {}

 protected:
  void customEvent(QEvent*) override {
    if (act_ == Act::wait) return QThread::msleep(120);
    if (act_ == Act::run_loop) {
      QDialog dialog;
      QTimer::singleShot(200, &dialog, &QDialog::accept);
      dialog.exec();
      return;
    }
    for (const clock_t start = std::clock(); std::clock() - start < kLong;) {
    }
  }

 private:
  Act act_;
};

void tell(Busy* busy) {
  StallWatch::instance().reset();
  QCoreApplication::postEvent(busy, new QEvent(QEvent::User));
  QCoreApplication::sendPostedEvents(busy);
}

class PlayedWindow : public SessionWindow {
 public:
  static constexpr int64_t kFrames = 60;

  PlayedWindow() : SessionWindow(4, kFrames) {
    QObject::connect(bridge_.get(), &SessionBridge::status_changed, bridge_.get(),
                     [this](const SessionStatus& now) { status = now; });
    QObject::connect(bridge_.get(), &SessionBridge::frame_ready, bridge_.get(),
                     [this](const ShownFrameRef& shown) { frame = shown->result->frame; });
    QObject::connect(bridge_.get(), &SessionBridge::tracks_changed, bridge_.get(),
                     [this](const TracksRef& tracks) { tracked = tracks && !tracks->frames.empty(); });
    show({1280, 800});
    for (const char* dock : {"people_dock", "plots_dock", "timings_dock", "events_dock", "log_dock"})
      if (QAction* action = window->action(dock); action && !action->isChecked()) action->trigger();
    open();
  }
  ~PlayedWindow() { window.reset(); }

  SessionStatus status;
  int64_t frame = -1;
  bool tracked = false;
};

}  // namespace

void StallsTest::the_watchdog_names_what_kept_the_thread() {
  Busy busy(Busy::Act::work);
  tell(&busy);
  const StallWatch& watch = StallWatch::instance();
  QCOMPARE(watch.stall_count(), int64_t{1});
  QVERIFY(watch.events() >= 1);
  const Stall& stall = watch.stalls().front();
  QCOMPARE(QString::fromStdString(stall.what), QString("User of QObject"));
  QVERIFY(stall.own_s > StallWatch::kStall_s && stall.own_s <= stall.seconds + 0.02);
  QCOMPARE(watch.longest_own_s(), stall.own_s);
  QVERIFY(watch.own_stalls_text().find("User of QObject") != std::string::npos);
  StallWatch::instance().reset();
  QVERIFY(watch.stalls().empty() && watch.stall_count() == 0 && watch.own_stalls_text().empty());
}

void StallsTest::waiting_is_not_the_windows_own_work() {
  Busy busy(Busy::Act::wait);
  tell(&busy);
  const StallWatch& watch = StallWatch::instance();
  QCOMPARE(watch.stall_count(), int64_t{1});
  QVERIFY(watch.longest_s() >= 0.12);
  QVERIFY(watch.own_stalls_text().empty());
}

void StallsTest::loops_inside_an_event_are_no_stall() {
  Busy busy(Busy::Act::run_loop);
  tell(&busy);
  for (const Stall& stall : StallWatch::instance().stalls())
    QVERIFY2(stall.what.find("User of") == std::string::npos || stall.own_s < StallWatch::kStall_s,
             stall.what.c_str());
  QVERIFY2(StallWatch::instance().events() > 1, "the dialog's own events were measured");
}

// By the thread's own processor time: what other programs and a driver without a GPU take is none of the
// window's. A neighbour on the same core lengthens that time now and then; a stall of the window's own is
// there in every turn.
void StallsTest::the_window_does_not_stall_while_it_plays_seeks_and_analyses() {
  PlayedWindow w;
  QTRY_VERIFY(w.status.open && w.frame >= 0);
  StallWatch& watch = StallWatch::instance();
  const auto judge = [&](const char* what, const std::function<void()>& act) {
    std::string stalls;
    for (int turn = 0; turn < 3; ++turn) {
      watch.reset();
      act();
      QVERIFY2(watch.events() > 50, "the watchdog watches");
      if (watch.own_stalls_text().empty()) return;
      stalls += std::string(what) + ", of " + std::to_string(watch.events()) + " events:\n" +
                watch.own_stalls_text();
    }
    QFAIL(stalls.c_str());
  };
  QTest::qWait(50);
  judge("analysing", [&] {
    w.tracked = false;
    w.session->post(command::Analyse{{0, PlayedWindow::kFrames}});
    QTRY_VERIFY(w.tracked && !w.status.analysing);
  });
  judge("seeking", [&] {
    for (int i = 0; i < 30; ++i) {
      const int64_t to = (i * 37) % PlayedWindow::kFrames;
      w.session->post(command::Seek{to});
      QTRY_COMPARE(w.frame, to);
    }
  });
  judge("playing", [&] {
    w.session->post(command::Seek{0});
    QTRY_COMPARE(w.frame, int64_t{0});
    w.session->post(command::Play{});
    QTRY_COMPARE(w.frame, PlayedWindow::kFrames - 1);  // a slow machine leaves frames out
    w.session->post(command::Pause{});
  });
}

const TestPart<StallsTest> kStallsPart("stalls");

}  // namespace vantage::ui

#include "stalls_test.moc"
