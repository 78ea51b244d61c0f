#include <QAction>
#include <QDialog>
#include <QDir>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QTimer>
#include <QToolButton>

#include "core/project/project_store.h"
#include "tests/ui/support/live_window.h"
#include "tests/ui/support/patience.h"
#include "tests/ui/support/window_test.h"
#include "ui/main_window/file_control.h"
#include "ui/main_window/playback_control.h"
#include "ui/main_window/workspace.h"
#include "ui/panels/events_panel.h"
#include "ui/panels/rules_dialog.h"
#include "ui/views/camera_grid.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/timeline.h"
#include "ui/widgets/transport.h"

namespace vantage::ui {

// The past of live cameras in the window, while they go on.
class PastTest final : public WindowTest {
  Q_OBJECT
 private slots:
  void the_past_is_clicked_played_and_left_by_end();
  void one_goes_to_a_time_of_day_of_the_past();
  void record_is_red_counts_and_leaving_asks();
  void a_rule_is_tried_on_the_past();
  void a_full_disk_is_said_and_the_cameras_go_on();
};

namespace {

constexpr int64_t kPastFrames = 60;  // of the past, before one looks at it

// Once so much of the past can be seen.
struct PastWindow : LiveWindow {
  explicit PastWindow(const std::function<void(Project&)>& change = {}) : LiveWindow({}, {}, change) {}
  bool wait() {
    return QTest::qWaitFor(
        [&] {
          const SessionStatus& status = window->state().status();
          return status.live && timeline().isVisible() && badge().endsWith("ms") &&
                 status.frame_count - status.live->first_frame > kPastFrames;
        },
        kWait_ms);
  }
  Timeline& timeline() const { return *window->workspace()->timeline(); }
  Transport& transport() const { return *window->workspace()->transport(); }
  const LiveStatus& live() const { return *window->state().status().live; }
  int64_t shown() const { return window->state().shown()->result->frame; }
  void press(Qt::Key key, Qt::KeyboardModifiers with = {}) const { QTest::keyClick(window.get(), key, with); }
  void click(int64_t frame) const {
    const QPoint at(qRound(timeline().x_of(frame)), 12);
    QTest::mouseClick(&timeline(), Qt::LeftButton, {}, at);
  }
};

}  // namespace

void PastTest::the_past_is_clicked_played_and_left_by_end() {
  PastWindow w;
  QVERIFY(w.wait());
  QVERIFY(w.window->workspace()->cameras()->past().isEmpty());
  QVERIFY2(w.transport().past_text().startsWith("past 0:") && w.transport().past_text().endsWith("of 2.0 GB"),
           qPrintable(w.transport().past_text()));
  const int64_t wanted = w.live().first_frame + kPastFrames / 2;
  w.click(wanted);
  QTRY_VERIFY(w.badge().endsWith("ago"));
  QTRY_VERIFY(std::abs(w.timeline().frame() - wanted) < kPastFrames / 2);  // the badge may be first
  const int64_t seen = w.timeline().frame();
  QTRY_COMPARE(w.shown(), seen);
  QVERIFY(w.window->state().shown()->result->preview);
  QVERIFY(w.window->workspace()->cameras()->past().endsWith("ago"));
  QVERIFY2(w.timeline().describe(seen).contains(QStringLiteral(":")), "the axis is the clock");
  QVERIFY(w.window->state().clock().has_value());
  const int64_t analysed = w.live().health.analysed;
  QTRY_VERIFY(w.live().health.analysed > analysed + 3);
  QCOMPARE(w.shown(), seen);
  w.press(Qt::Key_Left);
  QTRY_COMPARE(w.shown(), seen - 1);
  w.press(Qt::Key_Home);
  QTRY_VERIFY(w.shown() < seen - 1 && !w.live().following);
  const int64_t oldest = w.shown();
  w.press(Qt::Key_Space);
  QTRY_VERIFY(w.window->state().status().playing);
  QTRY_VERIFY(w.shown() > oldest + 2);
  QVERIFY2(!w.live().following, "it plays the past");
  w.press(Qt::Key_Space);
  QTRY_VERIFY(!w.window->state().status().playing);
  w.press(Qt::Key_End);
  QTRY_VERIFY(w.badge().startsWith("LIVE"));
  QVERIFY(w.window->workspace()->cameras()->past().isEmpty());
}

void PastTest::one_goes_to_a_time_of_day_of_the_past() {
  PastWindow w;
  QVERIFY(w.wait());
  const int64_t wanted = w.live().first_frame + kPastFrames / 2;
  const QString time = w.window->state().times().full_text(wanted);
  QVERIFY(w.window->action("go_to")->isEnabled());
  w.press(Qt::Key_G, Qt::ControlModifier);
  QDialog* dialog = nullptr;
  QTRY_VERIFY(dialog = w.window->findChild<QDialog*>());
  QTest::keyClicks(dialog->findChild<QLineEdit*>(), time);
  QTest::keyClick(dialog->findChild<QLineEdit*>(), Qt::Key_Return);
  QTRY_VERIFY(w.badge().endsWith("ago"));
  QTRY_VERIFY2(std::abs(w.shown() - wanted) <= 1, qPrintable(QString::number(w.shown() - wanted)));
}

void PastTest::record_is_red_counts_and_leaving_asks() {
  PastWindow w;
  QVERIFY(w.wait());
  QCOMPARE(w.transport().record_text(), QString("Record"));
  w.press(Qt::Key_R, Qt::ControlModifier | Qt::AltModifier);
  QTRY_VERIFY(w.live().recording && w.live().recording->seconds > 2);
  QTRY_VERIFY2(w.transport().record_text().startsWith("0:0") && w.transport().record_text().endsWith("MB"),
               qPrintable(w.transport().record_text()));
  QVERIFY(w.window->action("record")->isChecked());
  QToolButton* record = nullptr;
  for (QToolButton* one : w.transport().findChildren<QToolButton*>())
    if (one->defaultAction() == w.window->action("record")) record = one;
  QVERIFY(record);
  const QColor red = record->grab().toImage().pixelColor(3, record->height() / 2);
  QVERIFY2(red.red() > 180 && red.green() < 80, qPrintable(red.name()));
  const QString recorded = QString::fromStdString(w.live().recorded_project.string());
  QVERIFY(recent_projects().contains(recorded));
  const auto leave = [&](QMessageBox::ButtonRole role) {
    bool asked = false;
    QTimer::singleShot(0, w.window.get(), [&] {
      auto* question = w.window->findChild<QMessageBox*>();
      if (!question) return;
      asked = question->informativeText().contains("in live-20");
      for (QAbstractButton* one : question->buttons())
        if (question->buttonRole(one) == role) return one->click();
    });
    w.press(Qt::Key_Q, Qt::ControlModifier);
    return asked;
  };
  QVERIFY(leave(QMessageBox::RejectRole));
  QVERIFY(w.window->isVisible() && w.live().recording);
  QVERIFY(leave(QMessageBox::AcceptRole));
  QTRY_VERIFY(!w.window->isVisible());
  w.session.reset();
  QVERIFY(load_project(recorded.toStdString()));
}

void PastTest::a_rule_is_tried_on_the_past() {
  PastWindow w([](Project& project) {
    project.zones = {{"all", {{-9, -9}, {9, -9}, {9, 9}, {-9, 9}}}};
    project.rules = {{.name = "somebody", .kind = RuleKind::more_than, .where = "all"}};
  });
  QVERIFY(w.wait());
  QTRY_VERIFY(!w.live().events->empty());  // the event was raised, and lies in the past
  QTRY_VERIFY(w.window->state().tracks() && w.window->state().tracks()->known_frames.size() > 20);
  QTRY_VERIFY(w.window->state().status().frame_count > w.live().events->front().raised_frame + 10);
  QPushButton* rules = nullptr;
  for (QPushButton* one : w.window->part<EventsPanel>()->findChildren<QPushButton*>())
    if (one->text().remove('&') == "Rules…") rules = one;
  QVERIFY(rules);
  rules->click();
  RulesDialog* dialog = nullptr;
  QTRY_VERIFY(dialog = w.window->findChild<RulesDialog*>());
  QVERIFY2(dialog->tried(0).contains("in the last 0:"), qPrintable(dialog->tried(0)));
  QVERIFY2(!dialog->tried(0).startsWith("0 "), qPrintable(dialog->tried(0)));
  QAction* moment = dialog->moments(0)->menu()->actions().front();
  QVERIFY2(moment->text().contains(':'), qPrintable(moment->text()));
  moment->trigger();
  QTRY_VERIFY(w.badge().endsWith("ago"));
  dialog->reject();
}

void PastTest::a_full_disk_is_said_and_the_cameras_go_on() {
  PastWindow w([](Project& project) { QVERIFY(project.parameters.set("recording", "reserve_gb", 1e6)); });
  QTRY_COMPARE(w.transport().past_text(), QString("no past is kept"));
  QTRY_VERIFY(w.window->messages()->text().contains("Nothing more of the cameras' past is kept"));
  QTRY_VERIFY(w.badge().endsWith("ms"));
  const int64_t analysed = w.live().health.analysed;
  QTRY_VERIFY(w.live().health.analysed > analysed + 3);
}

const TestPart<PastTest> kPastPart("past");

}  // namespace vantage::ui

#include "past_test.moc"
