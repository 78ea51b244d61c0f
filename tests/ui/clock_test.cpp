#include <QAction>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

#include "core/project/recording_clock.h"
#include "tests/ui/support/session_window.h"
#include "tests/ui/support/window_test.h"
#include "ui/main_window/clock/clock_control.h"
#include "ui/main_window/workspace.h"
#include "ui/widgets/time_axis.h"
#include "ui/widgets/timeline.h"
#include "ui/widgets/transport.h"

namespace vantage::ui {

// The recording's time of day: typed, shown, gone to; the ruler's ticks.
class ClockTest final : public WindowTest {
  Q_OBJECT
 private slots:
  void the_time_of_day_is_typed_shown_and_undone();
  void one_goes_to_a_moment_that_is_typed();
  void what_the_axis_shows_can_be_typed();
  void what_cannot_be_meant_is_said();
  void the_clock_of_a_file_name_is_found();
  void frames_have_times();
  void ticks_are_of_the_clock();
};

namespace {

constexpr int64_t kClockFrames = 60;  // at 25 frames/s

class ClockWindow : public SessionWindow {
 public:
  explicit ClockWindow(const std::function<void(Project&)>& change = {}) : SessionWindow(2, kClockFrames) {
    if (change) change(project_);
    if (change && !save_project(project_, project_.path)) qFatal("the project cannot be written");
    show({1280, 720});
    open();
  }
  ~ClockWindow() { window.reset(); }

  Transport* transport() const { return window->workspace()->transport(); }
  QString time() const { return transport()->time_of_frame(); }
  MomentDialog* ask(int key, Qt::KeyboardModifiers modifiers) const {
    QTest::keyClick(window.get(), static_cast<Qt::Key>(key), modifiers);
    return window->part<ClockControl>()->dialog();
  }
  static QLineEdit* field(MomentDialog* dialog) { return dialog->findChild<QLineEdit*>(); }
  static QPushButton* button(MomentDialog* dialog, const QString& text) {
    for (auto* button : dialog->findChildren<QPushButton*>())
      if (button->text().remove('&') == text) return button;
    return nullptr;
  }
  static bool answer_fits(MomentDialog* dialog) {
    for (const auto* label : dialog->findChildren<QLabel*>())
      if (label->accessibleName() == "What it means")
        return label->heightForWidth(label->width()) <= label->height();
    return false;
  }
  void type(MomentDialog* dialog, const QString& text) const {
    field(dialog)->setText(text);
    QTest::keyClick(field(dialog), Qt::Key_Return);
  }
};

}  // namespace

void ClockTest::the_time_of_day_is_typed_shown_and_undone() {
  ClockWindow w;
  QTRY_COMPARE(w.time(), QString("+0:00:00.000"));
  w.session->post(command::Seek{25});
  QTRY_COMPARE(w.time(), QString("+0:00:01.000"));
  MomentDialog* dialog = w.ask(Qt::Key_G, Qt::ControlModifier | Qt::ShiftModifier);
  QVERIFY(dialog && dialog->isVisible());
  QVERIFY2(!w.button(dialog, "Forget"), "nothing was typed yet");
  w.type(dialog, "2026-05-01 23:59:59+02:00");
  QTRY_COMPARE(w.time(), QString("2026-05-01 23:59:59.000"));
  const Timeline* timeline = w.window->workspace()->timeline();
  QVERIFY2(timeline->describe(25).startsWith("frame 25, 23:59:59.000"), qPrintable(timeline->describe(25)));
  QVERIFY2(timeline->describe(50).startsWith("frame 50, 2 May 00:00:00.000"),
           qPrintable(timeline->describe(50)));
  QTest::keyClick(w.window.get(), Qt::Key_Z, Qt::ControlModifier);
  QTRY_COMPARE(w.time(), QString("+0:00:01.000"));
  QTest::keyClick(w.window.get(), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
  QTRY_COMPARE(w.time(), QString("2026-05-01 23:59:59.000"));
  const Project saved = w.saved([](const Project& project) { return project.clock.has_value(); });
  QCOMPARE(saved.clock->text(0), std::string("2026-05-01 23:59:58.000 +02:00"));
  dialog = w.ask(Qt::Key_G, Qt::ControlModifier | Qt::ShiftModifier);
  QCOMPARE(w.field(dialog)->text(), QString("2026-05-01 23:59:59.000+02:00"));
  QVERIFY(w.button(dialog, "Forget"));
  w.button(dialog, "Forget")->click();
  QTRY_COMPARE(w.time(), QString("+0:00:01.000"));
}

void ClockTest::one_goes_to_a_moment_that_is_typed() {
  ClockWindow w([](Project& project) { project.clock = parse_clock("2026-05-01T14:32:05+02:00").value(); });
  QTRY_COMPARE(w.time(), QString("2026-05-01 14:32:05.000"));
  for (const auto& [typed, frame] :
       {std::pair("14:32:06", 25), std::pair("+0:00:02", 50), std::pair("0.4 s", 10), std::pair("33", 33),
        std::pair("2026-05-01 12:32:07Z", 50), std::pair("2026-05-01 14:32:06.480", 37),
        std::pair("14:32", 0)}) {
    MomentDialog* dialog = w.ask(Qt::Key_G, Qt::ControlModifier);
    w.field(dialog)->setText(typed);
    QVERIFY2(dialog->answer().startsWith(QString("frame %1, 2026-05-01 14:32:0").arg(frame)),
             qPrintable(dialog->answer()));
    QTest::keyClick(w.field(dialog), Qt::Key_Return);
    QTRY_VERIFY2(w.transport()->frame_text().contains(QString("%1 of").arg(frame)), typed);
  }
  // A clock stands at the axis: the other reading is named where this one leads nowhere.
  MomentDialog* dialog = w.ask(Qt::Key_G, Qt::ControlModifier);
  w.field(dialog)->setText("0:01");
  QVERIFY2(dialog->answer().contains("The recording is from 2026-05-01 14:32:05.000") &&
               dialog->answer().contains("+0:01 counts from the start."),
           qPrintable(dialog->answer()));
  QVERIFY2(w.answer_fits(dialog), qPrintable(dialog->answer()));
}

// What stands at the ruler, above it and in tooltips; without a clock "0:01" is as the axis counts.
void ClockTest::what_the_axis_shows_can_be_typed() {
  ClockWindow w;
  QTRY_COMPARE(w.time(), QString("+0:00:00.000"));
  for (const auto& [typed, frame] :
       {std::pair("0:01", 25), std::pair("0:02.000", 50), std::pair("frame 7", 7)}) {
    MomentDialog* dialog = w.ask(Qt::Key_G, Qt::ControlModifier);
    w.field(dialog)->setText(typed);
    QVERIFY2(dialog->answer().startsWith(QString("frame %1, +0:00:0").arg(frame)),
             qPrintable(dialog->answer()));
    // A time of day has no "0:02.000": nothing is to be said of that.
    QCOMPARE(dialog->answer().contains("counts from the start, as on the time axis."),
             QString(typed) == "0:01");
    QVERIFY2(w.answer_fits(dialog), qPrintable(dialog->answer()));
    QTest::keyClick(w.field(dialog), Qt::Key_Return);
    QTRY_VERIFY2(w.transport()->frame_text().contains(QString("%1 of").arg(frame)), typed);
  }
}

void ClockTest::what_cannot_be_meant_is_said() {
  ClockWindow w;
  QTRY_COMPARE(w.time(), QString("+0:00:00.000"));
  MomentDialog* dialog = w.ask(Qt::Key_G, Qt::ControlModifier);
  for (const auto& [typed, why] :
       {std::pair("soon", "'soon' is not a time. Write a time from the start (0:01 or 1.5 s)"),
        std::pair("14:32:05", "14:32:05 counts from the start"),
        std::pair("2 May 14:32", "this recording's time of day is not known"),
        std::pair("+1:00:00", "The recording is from +0:00:00.000 to +0:00:02.360"),
        std::pair("60", "The recording is")}) {
    w.field(dialog)->setText(typed);
    QVERIFY2(dialog->answer().contains(why), qPrintable(dialog->answer()));
    QVERIFY2(!dialog->answer().contains("vantage-cli"), qPrintable(dialog->answer()));
    QVERIFY2(w.answer_fits(dialog), qPrintable(dialog->answer()));
    QVERIFY(!w.button(dialog, "Go")->isEnabled());
    QTest::keyClick(w.field(dialog), Qt::Key_Return);
    QVERIFY(dialog->isVisible());
  }
  QTest::keyClick(dialog, Qt::Key_Escape);
  dialog = w.ask(Qt::Key_G, Qt::ControlModifier | Qt::ShiftModifier);
  w.field(dialog)->setText("14:32:05");
  QVERIFY(!w.button(dialog, "Set")->isEnabled());
  QVERIFY2(dialog->answer().contains("is not a date and time"), qPrintable(dialog->answer()));
}

void ClockTest::the_clock_of_a_file_name_is_found() {
  ClockWindow w([](Project& project) {
    const std::filesystem::path video = project.cameras[0].video;
    const std::filesystem::path named =
        video.parent_path() / ("cam1_20260501_143205" + video.extension().string());
    std::filesystem::rename(video, named);
    project.cameras[0].video = named.string();
  });
  QTRY_COMPARE(w.time(), QString("2026-05-01 14:32:05.000"));
}

void ClockTest::frames_have_times() {
  FrameTimes times{25, std::nullopt};
  QCOMPARE(times.text(812), QString("0:32.480"));
  QCOMPARE(times.full_text(812), QString("+0:00:32.480"));
  times.clock = parse_clock("2026-12-31T23:59:50Z").value();
  QCOMPARE(times.text(0), QString("23:59:50.000"));
  QCOMPARE(times.text(250), QString("1 Jan 00:00:00.000"));
  QCOMPARE(times.full_text(250), QString("2027-01-01 00:00:00.000"));
  QCOMPARE(FrameTimes().text(812), QString("0:00.000"));
}

void ClockTest::ticks_are_of_the_clock() {
  const auto labels = [](double from_s, double to_s, double px_per_s,
                         const std::optional<RecordingClock>& clock) {
    QStringList all;
    for (const RulerTick& tick : ruler_ticks(from_s, to_s, px_per_s, 90, clock)) all << tick.label;
    return all.join(' ');
  };
  const auto clock = parse_clock("2026-05-01T23:59:52.5+02:00").value();
  QCOMPARE(labels(0, 10, 100, std::nullopt),
           QString("0:00 0:01 0:02 0:03 0:04 0:05 0:06 0:07 0:08 0:09 0:10"));
  QCOMPARE(labels(0, 10, 20, clock), QString("23:59:55 Sat 2 May"));
  QCOMPARE(ruler_ticks(0, 10, 20, 90, clock)[0].seconds, 2.5);
  QCOMPARE(labels(0, 7200, 0.1, clock), QString("Sat 2 May 00:15 00:30 00:45 01:00 01:15 01:30 01:45"));
  QCOMPARE(labels(0, 3 * 86400, 0.0012, clock), QString("Sat 2 May Sun 3 May Mon 4 May"));
  QCOMPARE(labels(1, 1.1, 5000, std::nullopt), QString("0:01.00 0:01.02 0:01.04 0:01.06 0:01.08 0:01.10"));
  QVERIFY(ruler_ticks(0, 1, 0, 90, clock).empty());
}

const TestPart<ClockTest> kClockPart("clock");

}  // namespace vantage::ui

#include "clock_test.moc"
