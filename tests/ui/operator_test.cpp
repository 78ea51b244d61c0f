#include <QPointer>
#include <QRegularExpression>
#include <QSettings>
#include <QStatusBar>
#include <QTreeWidget>
#include <algorithm>

#include "core/base/file.h"
#include "core/export/case/case_verify.h"
#include "core/results/results_events.h"
#include "core/tracks/counting/rules.h"
#include "core/tracks/find/question.h"
#include "tests/ui/support/night_window.h"
#include "tests/ui/support/window_test.h"
#include "ui/main_window/case/case_control.h"
#include "ui/main_window/case/handover_control.h"
#include "ui/main_window/find/find_control.h"
#include "ui/main_window/find/find_panel.h"
#include "ui/main_window/people_control.h"
#include "ui/panels/people_panel.h"
#include "ui/panels/rules_dialog.h"
#include "ui/widgets/message_bar.h"

namespace vantage::ui {

// An operator's day on rendered footage with a clock, from last night's project to the hand-over: by keyboard
// alone, through 140 events and more, and by mouse (which types nothing but texts).
class OperatorTest final : public WindowTest {
  Q_OBJECT
 private slots:
  void a_day_by_keyboard();
  void a_day_by_mouse();
  void what_was_done_last_is_undone_first();
};

namespace {

#define OPERATOR_STEP(step)                 \
  do {                                      \
    step;                                   \
    if (QTest::currentTestFailed()) return; \
  } while (false)

// How the day is gone through: every command by its menu and every panel by its own command, as in the first
// version of the guide, or by what the layout Review and its panels offer.
enum class Way { menus, review };

// Each new event is gone to and judged by itself, also those that share a line; one gets a note.
void work_through_events(NightWindow& w, size_t events, Way way) {
  QVERIFY(way == Way::menus ? w.hands->command("events") : w.hands->button("layout_review"));
  EventsPanel* panel = w.events();
  QTRY_VERIFY(panel->isVisible() && panel->next_new().has_value());
  auto* seen = NightWindow::named<QPushButton>(panel, "Seen");
  auto* false_alarm = NightWindow::named<QPushButton>(panel, "False Alarm");
  auto* next = NightWindow::named<QPushButton>(panel, "Next New");
  auto* note = NightWindow::named<QLineEdit>(panel, "Note");
  QVERIFY(seen && false_alarm && next && note);
  // By keys in the list: S and X; by mouse the buttons below it.
  const auto judge = [&](bool right) {
    if (!w.hands->keys()) return w.hands->press(right ? seen : false_alarm);
    if (!w.hands->go_to(panel->list())) return false;
    w.hands->key(panel->list(), right ? Qt::Key_S : Qt::Key_X);
    return true;
  };
  constexpr int kMaxEvents = 1000;
  bool noted = false;  // one that lies in the span that is handed over
  for (int i = 0; i < kMaxEvents && panel->next_new(); ++i) {
    if (way == Way::menus) QVERIFY(w.hands->command("next_event"));
    if (way == Way::review && i == 0)
      QVERIFY(w.hands->keys() ? w.hands->command("next_event") : w.hands->press(next));
    const QTreeWidgetItem* now = panel->list()->currentItem();
    QTRY_VERIFY((now = panel->list()->currentItem()));
    QCOMPARE(now->childCount(), 0);  // an event, also of those that share a line
    QVERIFY2(now->text(0).contains("new"), qPrintable(now->text(0)));
    if (i == 0) keep_picture(*w.window, "operator_events");
    const bool in_span = w.timeline()->frame() > 12 && w.timeline()->frame() < 38;
    const bool wrong = !noted && in_span;
    if (wrong) QVERIFY(w.hands->type(note, "a draught"));  // kept by the judgement
    QVERIFY(judge(!wrong));
    noted = noted || wrong;
  }
  QVERIFY2(panel->summary().startsWith("0 new of "), qPrintable(panel->summary()));
  const EventMarks marks = read_event_marks(w.project().results_folder()).value();
  QVERIFY2(marks.size() >= events, qPrintable(panel->summary()));
  QVERIFY(std::ranges::any_of(marks, [](const auto& one) {
    return one.second == EventMark{EventStanding::false_alarm, "a draught"};
  }));
}

// Who stood at the door in the first three seconds?
void find_who_stood_at_the_door(NightWindow& w, Way way) {
  QVERIFY(way == Way::menus ? w.hands->command("find") : w.hands->bring_up("find", "Find"));
  auto* find = w.window->part<FindControl>();
  auto* panel = w.window->part<FindPanel>();
  QTRY_VERIFY(panel->isVisible());
  QVERIFY(w.hands->choose(NightWindow::named<QComboBox>(panel, "Who"), static_cast<int>(FindKind::visits)));
  QVERIFY(w.hands->type(NightWindow::named<QLineEdit>(panel, "From"), "23:59:57"));
  QVERIFY(w.hands->type_next(NightWindow::named<QLineEdit>(panel, "To"), "23:59:59"));
  QTRY_VERIFY(!find->searching() && panel->list()->count() > 0);
  keep_picture(*w.window, "operator_find");
  QCOMPARE(find->found().size(), static_cast<size_t>(panel->list()->count()));
  for (const FoundMoment& moment : find->found())
    QVERIFY(moment.first_frame <= 30 && moment.last_frame >= 10);
  QVERIFY(way == Way::menus ? w.hands->command("next_found") : w.hands->button("next_found"));
  QTRY_COMPARE(w.timeline()->frame(), find->found().front().first_frame);
}

void repair_the_swap(NightWindow& w, Way way) {
  QVERIFY(!w.as_tracked());
  if (!w.window->part<PeoplePanel>()->isVisible()) QVERIFY(w.hands->command("people_dock"));
  QTRY_VERIFY(w.window->part<PeoplePanel>()->isVisible() && w.lanes()->lanes().size() >= 2);
  OPERATOR_STEP(w.choose_people(w.right[0].id, w.right[1].id));
  const bool menus = way == Way::menus;
  OPERATOR_STEP(w.go("00:00:00", kSwapped, menus));           // a lane that is clicked goes to its frame
  QTRY_VERIFY(w.window->action("swap_people")->isEnabled());  // when the frame's people are there
  QVERIFY(menus ? w.hands->command("swap_people") : w.hands->button("swap_people"));
  QTRY_VERIFY(w.as_tracked());
  keep_picture(*w.window, "operator_swap");
}

void export_and_verify(NightWindow& w, Way way) {
  if (way == Way::menus) {
    QVERIFY(w.hands->command("save"));
    QTRY_VERIFY(!w.window->isWindowModified());
    OPERATOR_STEP(w.go("23:59:57", 10, true));
    QVERIFY(w.hands->command("mark_in"));
    OPERATOR_STEP(w.go("00:00:00", 40, true));
    QVERIFY(w.hands->command("mark_out"));
    QVERIFY(w.hands->command("export_case"));
  } else {
    if (!w.hands->keys()) QVERIFY(w.hands->bring_up("events", "Events"));
    QVERIFY(w.hands->button("export_case"));
  }
  CaseDialog* dialog = w.window->part<CaseControl>()->dialog();
  QTRY_VERIFY(dialog && dialog->isVisible());
  const auto line = [&](const char* name) { return NightWindow::named<QLineEdit>(dialog, name); };
  if (way == Way::review) {
    QVERIFY(w.hands->type(line("From"), "23:59:57"));
    QVERIFY(w.hands->type_next(line("To"), "00:00:00"));
  }
  QVERIFY(w.hands->type(line("Exported by"), "A. Jones"));
  QVERIFY(w.hands->type_next(line("Reason"), "file 7"));
  const QString folder = line("Folder")->text();  // next to the last one
  QVERIFY2(folder.startsWith(w.folder()), qPrintable(folder));
  QVERIFY2(dialog->problem().isEmpty(), qPrintable(dialog->problem()));
  QCOMPARE(NightWindow::named<QComboBox>(dialog, "Blurred")->currentText(), QString("Everyone"));
  keep_picture(*w.window, "operator_case");
  QVERIFY(w.hands->press(w.ok_of(dialog)));
  QTRY_VERIFY2(w.window->messages()->text().startsWith("Case exported to "),
               qPrintable(w.window->messages()->text()));
  QVERIFY2(!w.window->isWindowModified(), "a case is of what is saved");
  const auto untouched = verify_case(folder.toStdString(), {});
  QVERIFY(untouched && untouched->untouched());
  QVERIFY(std::filesystem::exists((folder + "/report.pdf").toStdString()));
  // Whoever changes a byte is found out.
  const std::filesystem::path report = (folder + "/report.html").toStdString();
  const std::string bytes = read_file(report).value();
  std::string changed = bytes;
  changed[changed.size() / 2] ^= 1;
  QVERIFY(write_file_atomically(report, changed).has_value());
  QVERIFY(!verify_case(folder.toStdString(), {})->untouched());
  QVERIFY(write_file_atomically(report, bytes).has_value());
}

// With what was exported, which the events now say, too.
void hand_over(NightWindow& w, Way way) {
  const QString file = w.folder() + "/shift.html";
  QVERIFY(way == Way::menus ? w.hands->command("handover") : w.hands->button("handover"));
  QPointer<HandoverDialog> dialog = w.window->part<HandoverControl>()->dialog();
  QTRY_VERIFY(dialog && dialog->isVisible());
  QVERIFY(w.hands->type(NightWindow::named<QLineEdit>(dialog, "File"), file));
  QVERIFY2(dialog->problem().isEmpty(), qPrintable(dialog->problem()));
  QVERIFY2(NightWindow::named<QLineEdit>(dialog, "Handed over by")->text() == "A. Jones",
           "who exported is remembered");
  if (const QString pictures = qEnvironmentVariable("VANTAGE_SCREENSHOTS"); !pictures.isEmpty())
    dialog->grab().save(pictures + "/operator_handover.png");
  QVERIFY(w.hands->press(w.ok_of(dialog)));
  QTRY_VERIFY2(w.window->messages()->text().startsWith("Hand-over page written to "),
               qPrintable(w.window->messages()->text()));
  const std::string page = read_file(file.toStdString()).value();
  for (const char* part : {"Hand-over: hall", "A. Jones", "2026-05-01 23:59:57.000 +02:00", "at the door",
                           "a draught", "exported", "hall case"})
    QVERIFY2(page.find(part) != std::string::npos, part);
}

struct Work {
  int clicks = 0, keys = 0;
};

Work day(Night night, Hand hand, size_t events, Way way) {
  NightWindow w(night, hand);
  QSettings().setValue("case/folder", w.folder());  // the last case was made there
  const auto go = [&] {
    QVERIFY(w.hands);
    OPERATOR_STEP(w.open_and_wait());
    OPERATOR_STEP(work_through_events(w, events, way));
    OPERATOR_STEP(find_who_stood_at_the_door(w, way));
    OPERATOR_STEP(repair_the_swap(w, way));
    OPERATOR_STEP(export_and_verify(w, way));
    OPERATOR_STEP(hand_over(w, way));
  };
  go();
  return w.hands ? Work{w.hands->clicks(), w.hands->keys_pressed()} : Work{};
}

size_t events_by(const NightWindow& w) {
  const Project& project = w.window->state().project();
  const TracksRef& tracks = w.window->state().tracks();
  const auto events = find_events({tracks->paths, tracks->known_frames, tracks->frame_rate}, project.rules,
                                  project.zones, project.lines);
  return events ? events->size() : 0;
}

// In the dialog, by keys.
void add_a_rule(NightWindow& w) {
  const size_t before = w.window->state().project().rules.size();
  QVERIFY(w.hands->press(NightWindow::named<QPushButton>(w.events(), "Rules…")));
  QPointer<RulesDialog> dialog;
  QTRY_VERIFY((dialog = w.window->findChild<RulesDialog*>()) && dialog->isVisible());
  for (QPushButton* one : dialog->findChildren<QPushButton*>())
    if (one->text() == "&Add Rule") QVERIFY(w.hands->press(one));
  QTRY_COMPARE(dialog->rules().size(), before + 1);
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);  // in the name of the new rule: OK
  QTRY_COMPARE(w.window->state().project().rules.size(), before + 1);
}

}  // namespace

void OperatorTest::a_day_by_keyboard() {
  const Work done = day(Night::busy, Hand::keyboard, 140, Way::review);
  qInfo("a busy night's day by keyboard: %d keys", done.keys);
}

// The day takes at most half as many clicks by the layout Review as by menus.
void OperatorTest::a_day_by_mouse() {
  const Work by_menus = day(Night::quiet, Hand::mouse, 2, Way::menus);
  if (QTest::currentTestFailed()) return;
  QSettings().clear();
  const Work in_review = day(Night::quiet, Hand::mouse, 2, Way::review);
  if (QTest::currentTestFailed()) return;
  qInfo("a day takes %d clicks and %d keys by menus, %d and %d by the layout Review", by_menus.clicks,
        by_menus.keys, in_review.clicks, in_review.keys);
  QVERIFY(2 * in_review.clicks <= by_menus.clicks && in_review.keys <= by_menus.keys);
}

// Rules that are made, an event marked, a bookmark set, another event marked and noted: Undo names each, and
// takes nothing else with it.
void OperatorTest::what_was_done_last_is_undone_first() {
  NightWindow w(Night::quiet, Hand::keyboard);
  OPERATOR_STEP(w.open_and_wait());
  QVERIFY(w.hands->command("events"));
  EventsPanel* panel = w.events();
  QTRY_VERIFY(panel->isVisible() && panel->next_new().has_value());
  OPERATOR_STEP(add_a_rule(w));
  const size_t rules = w.window->state().project().rules.size();
  const QString all = QString(" of %1 events").arg(events_by(w));
  QTRY_VERIFY2(panel->summary().contains(all), qPrintable(panel->summary()));
  const auto marked = [&](EventStanding standing) {
    const EventMarks marks = read_event_marks(w.project().results_folder()).value();
    return std::ranges::count_if(marks, [&](const auto& one) { return one.second.standing == standing; });
  };
  const auto undo = [&] { return w.window->action("undo")->text().remove('&'); };
  QTRY_COMPARE(undo(), QString("Undo Rules"));
  QVERIFY(w.hands->command("next_event"));
  QTRY_VERIFY(panel->list()->currentItem());
  // Who it is about is chosen, so that the track is seen.
  const auto who = QRegularExpression("person (\\d+)").match(panel->list()->currentItem()->text(0));
  QVERIFY2(who.hasMatch(), qPrintable(panel->list()->currentItem()->text(0)));
  QCOMPARE(w.window->part<PeopleControl>()->chosen().first, who.captured(1).toLongLong());
  QVERIFY(w.hands->press(NightWindow::named<QPushButton>(panel, "False Alarm")));
  QTRY_VERIFY2(undo().startsWith("Undo False Alarm of Event "), qPrintable(undo()));
  const QString first = undo();
  QVERIFY(w.hands->command("next_event"));
  QTreeWidgetItem* second = panel->list()->currentItem();
  QVERIFY(w.hands->press(NightWindow::named<QPushButton>(panel, "Seen")));
  QTRY_VERIFY2(undo().startsWith("Undo Seen of Event "), qPrintable(undo()));
  const QString of_second = undo();
  panel->list()->setCurrentItem(second);  // the next one has been reached by itself
  auto* note = NightWindow::named<QLineEdit>(panel, "Note");
  QVERIFY(w.hands->type(note, "the postman"));
  QTest::keyClick(note, Qt::Key_Return);
  QTRY_VERIFY2(undo().startsWith("Undo Note of Event "), qPrintable(undo()));
  QVERIFY(second->text(0).contains("the postman"));
  QVERIFY(w.hands->command("undo"));
  QTRY_COMPARE(undo(), of_second);
  QTRY_VERIFY(!panel->list()->currentItem()->text(0).contains("the postman"));
  QVERIFY(w.hands->command("undo"));
  QTRY_COMPARE(undo(), first);
  QTRY_COMPARE(marked(EventStanding::seen), 0);
  QCOMPARE(marked(EventStanding::false_alarm), 1);
  QCOMPARE(w.window->state().project().rules.size(), rules);
  QVERIFY2(panel->summary().contains(all), qPrintable(panel->summary()));
  QTRY_COMPARE(w.window->statusBar()->currentMessage(), "Undone:" + of_second.mid(4));
  QVERIFY(panel->list()->currentItem()->text(0).contains("new"));
  QVERIFY(w.hands->command("undo"));
  QTRY_COMPARE(undo(), QString("Undo Rules"));
  QTRY_COMPARE(marked(EventStanding::false_alarm), 0);
  QVERIFY(w.hands->command("redo"));
  QTRY_COMPARE(marked(EventStanding::false_alarm), 1);
  QVERIFY(w.hands->command("undo"));
  QTRY_COMPARE(undo(), QString("Undo Rules"));
  QVERIFY(w.hands->command("undo"));
  QTRY_COMPARE(w.window->state().project().rules.size(), rules - 1);
}

const TestPart<OperatorTest> kOperatorPart("operator");

}  // namespace vantage::ui

#include "operator_test.moc"
