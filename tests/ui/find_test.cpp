#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLineEdit>
#include <QToolButton>

#include "core/tracks/find/question.h"
#include "tests/ui/support/open_window.h"
#include "tests/ui/support/patience.h"
#include "tests/ui/support/window_test.h"
#include "ui/main_window/find/find_control.h"
#include "ui/main_window/find/find_panel.h"
#include "ui/main_window/floor_control.h"
#include "ui/main_window/overlay_control.h"
#include "ui/main_window/playback_control.h"

namespace vantage::ui {

// Moments found in everybody's tracks, compared with core/tracks/find.
class FindTest final : public WindowTest {
  Q_OBJECT
 private slots:
  void every_question_has_the_answer_of_core_find();
  void what_was_found_is_seen_whole();
  void a_place_is_drawn_and_searched();
  void answers_are_gone_through_by_key_and_mouse();
  void what_cannot_be_asked_is_said();
  void another_project_begins_without_its_times();
};

namespace {

constexpr double kRate = 25;

// Three who walk across each other on straight ways, one of them tall and named.
std::shared_ptr<Tracks> some_tracks() {
  auto tracks = std::make_shared<Tracks>();
  tracks->frame_rate = kRate;
  tracks->paths = {{1, {}}, {2, {}}, {3, {}}};
  for (int64_t frame = 0; frame < 100; ++frame) {
    const double x = -2 + 0.04 * static_cast<double>(frame);
    tracks->frames.push_back(frame);
    tracks->paths[0].points.push_back({frame, x, 0, 1.9, 0.9, true});
    if (frame >= 20) tracks->paths[1].points.push_back({frame, -x, 0.3, 1.6, 0.9, true});
    if (frame < 60) tracks->paths[2].points.push_back({frame, 0, x, 1.7, 0.9, true});
  }
  tracks->names[1] = "Anna";
  tracks->known_frames = tracks->frames;
  tracks->index();
  return tracks;
}

FloorZone shop() {
  return {"shop", {{-0.5, -1}, {0.8, -1}, {0.8, 1}, {-0.5, 1}}};
}

FloorLine door() {
  return {"door", {0.3, -2}, {0.3, 2}};
}

class FindWindow : public OpenWindow {
 public:
  explicit FindWindow(bool shapes = true) : tracks(some_tracks()) {
    if (shapes)
      session().post(command::Edit{"shapes", [](Project& project) {
                                     project.zones = {shop()};
                                     project.lines = {door()};
                                   }});
    bridge()->on_tracks(tracks);
    window->action("find")->trigger();
    settle();
  }
  FindControl* find() const { return window->part<FindControl>(); }
  FindPanel* panel() const { return window->part<FindPanel>(); }
  void settle() const {
    QTRY_VERIFY_WITH_TIMEOUT(!panel()->summary().isEmpty() && !find()->searching(), kWait_ms);
  }
  template <typename Field>
  Field* field(const char* name) const {
    for (auto* one : panel()->findChildren<Field*>())
      if (one->accessibleName() == name) return one;
    return nullptr;
  }
  void ask(FindKind kind) const { field<QComboBox>("Who")->setCurrentIndex(static_cast<int>(kind)); }
  // What the window shows is what core/tracks/find answers.
  bool answers(const FindQuestion& question) const {
    const std::vector<FoundMoment> wanted = answer(TrackIndex(tracks->paths, kRate), question);
    return QTest::qWaitFor([&] { return !find()->searching() && find()->found() == wanted; }, kWait_ms) &&
           panel()->list()->count() == static_cast<int>(wanted.size());
  }

  std::shared_ptr<Tracks> tracks;
};

}  // namespace

void FindTest::every_question_has_the_answer_of_core_find() {
  FindWindow w;
  FindQuestion question;
  QVERIFY(w.answers(question));
  QCOMPARE(w.find()->found().size(), size_t{3});
  QVERIFY(w.panel()->summary().startsWith("3 found"));
  QCOMPARE(w.panel()->list()->at(0).who, QString("Anna (1)"));

  w.field<QDoubleSpinBox>("Taller than")->setValue(1.65);
  question.filter.taller_m = 1.65;
  QVERIFY(w.answers(question));
  w.field<QDoubleSpinBox>("Shorter than")->setValue(1.8);
  question.filter.shorter_m = 1.8;
  QVERIFY(w.answers(question));
  QCOMPARE(w.find()->found().size(), size_t{1});
  w.field<QDoubleSpinBox>("Taller than")->setValue(0);
  w.field<QDoubleSpinBox>("Shorter than")->setValue(0);
  question.filter.taller_m.reset(), question.filter.shorter_m.reset();

  w.ask(FindKind::visits);
  question.kind = FindKind::visits, question.zone = shop();
  QVERIFY(w.answers(question));
  QVERIFY(w.find()->found().size() == 3);
  w.field<QLineEdit>("From")->setText("0:02");
  question.filter.first_frame = 50;
  w.field<QLineEdit>("To")->setText("60");
  question.filter.last_frame = 60;
  QVERIFY(w.answers(question));
  QVERIFY2(w.panel()->summary().endsWith("0:02 counts from the start, as on the time axis."),
           qPrintable(w.panel()->summary()));
  w.field<QDoubleSpinBox>("At least")->setValue(1.3);
  question.filter.min_s = 1.3;
  QVERIFY(w.answers(question));
  w.field<QDoubleSpinBox>("At least")->setValue(0);
  w.field<QLineEdit>("From")->clear();
  w.field<QLineEdit>("To")->clear();

  w.ask(FindKind::crossings);
  question = {};
  question.kind = FindKind::crossings, question.line = door();
  QVERIFY(w.answers(question));
  QCOMPARE(w.find()->found().size(), size_t{2});
  w.field<QComboBox>("Which way")->setCurrentIndex(static_cast<int>(CrossingWay::to_right));
  question.way = CrossingWay::to_right;
  QVERIFY(w.answers(question));
  QCOMPARE(w.find()->found().size(), size_t{1});

  w.ask(FindKind::meetings);
  question = {};
  question.kind = FindKind::meetings, question.closer_m = 0.5;
  w.field<QDoubleSpinBox>("Closer than")->setValue(0.5);
  QVERIFY(w.answers(question));
  QVERIFY(!w.find()->found().empty());
  w.field<QLineEdit>("Person")->setText("Anna, 3");
  question.filter.people = {1, 3};
  QVERIFY(w.answers(question));
  keep_picture(*w.window, "find");
}

// Times, both people and where they met are seen whole in a dock as wide as it is at first.
void FindTest::what_was_found_is_seen_whole() {
  FindWindow w;
  w.window->resize(1366, 768);
  w.ask(FindKind::meetings);
  QTRY_VERIFY(w.panel()->list()->count() > 0 && !w.find()->searching());
  QCoreApplication::processEvents();
  const FoundList* list = w.panel()->list();
  QVERIFY2(list->at(0).who.contains('\n'), "one above the other");
  int width = 0;
  for (int column = 0; column < FoundModel::kColumns; ++column) {
    width += list->columnWidth(column);
    for (int row = 0; row < list->count(); ++row) {
      const QModelIndex cell = list->model()->index(row, column);
      const int picture = cell.data(Qt::DecorationRole).isValid() ? list->iconSize().width() + 4 : 0;
      for (const QString& line : cell.data().toString().split('\n'))
        QVERIFY2(list->fontMetrics().horizontalAdvance(line) + picture + 4 <= list->columnWidth(column),
                 qPrintable(line));
      QVERIFY(list->rowHeight(row) >=
              list->fontMetrics().lineSpacing() * (1 + cell.data().toString().count('\n')));
    }
  }
  QVERIFY2(width <= list->viewport()->width(),
           qPrintable(QString("%1 of %2").arg(width).arg(list->viewport()->width())));
  keep_picture(*w.window, "find_meetings");
}

void FindTest::a_place_is_drawn_and_searched() {
  FindWindow w(false);
  w.ask(FindKind::visits);
  QTRY_VERIFY2(w.panel()->summary().contains("Draw the place"), qPrintable(w.panel()->summary()));
  QToolButton* draw = w.field<QToolButton>("Draw the place");
  draw->click();
  auto* floor = w.window->part<FloorControl>();
  QVERIFY(floor->drawing());
  for (const Eigen::Vector2d& corner : shop().corners_m) floor->press({corner, 0.01});
  floor->double_click();
  QVERIFY(!floor->drawing());
  FindQuestion question;
  question.kind = FindKind::visits, question.zone = shop();
  QVERIFY(w.answers(question));
  QCOMPARE(w.find()->found().size(), size_t{3});
  QVERIFY2(w.session().project().zones.empty(), "it is no zone of the project");
  const Marks& marks = w.window->part<OverlayControl>()->marks();
  QCOMPARE(marks.shapes.size(), size_t{1});
  QCOMPARE(marks.shapes[0].corners_m.size(), size_t{4});
  w.ask(FindKind::present);
  QTRY_VERIFY(marks.shapes.empty());
  w.ask(FindKind::visits);
  QTRY_COMPARE(marks.shapes.size(), size_t{1});
  w.window->action("find")->trigger();
  QTRY_VERIFY2(marks.shapes.empty(), "nothing is searched while the dock is hidden");
  w.window->action("find")->trigger();

  w.ask(FindKind::crossings);
  draw->click();
  floor->press({door().from_m, 0.01});
  floor->press({door().to_m, 0.01});
  question = {};
  question.kind = FindKind::crossings, question.line = door();
  QVERIFY(w.answers(question));
  QVERIFY(w.session().project().lines.empty());
  draw->click();
  w.key(Qt::Key_Escape);
  QVERIFY(!floor->drawing());
  QVERIFY2(w.answers(question), "what was drawn before stays");
}

void FindTest::answers_are_gone_through_by_key_and_mouse() {
  FindWindow w;
  w.ask(FindKind::visits);
  FindQuestion question;
  question.kind = FindKind::visits, question.zone = shop();
  QVERIFY(w.answers(question));
  const std::vector<FoundMoment> found = w.find()->found();
  FoundList* list = w.panel()->list();
  const auto shows = [&](size_t i) { return w.last() == QString("seek %1").arg(found[i].first_frame); };
  w.window->action("next_found")->trigger();
  QVERIFY(shows(0));
  w.key(Qt::Key_PageDown, Qt::ControlModifier);
  QVERIFY(shows(1));
  QCOMPARE(list->chosen(), 1);
  w.key(Qt::Key_PageUp, Qt::ControlModifier);
  QVERIFY(shows(0));
  w.key(Qt::Key_PageUp, Qt::ControlModifier);
  QVERIFY2(shows(0), "there is none before");
  list->setFocus();
  list->selectRow(2);
  QTest::keyClick(list, Qt::Key_Return);
  QVERIFY(shows(2));
  const QPoint at = list->visualRect(list->model()->index(1, 1)).center();
  QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, at);
  QTest::mouseDClick(list->viewport(), Qt::LeftButton, {}, at);
  QVERIFY(shows(1));
}

void FindTest::what_cannot_be_asked_is_said() {
  FindWindow w;
  const auto says = [&](const char* words) {
    return QTest::qWaitFor([&] { return w.panel()->summary().contains(words); }, kWait_ms) &&
           w.panel()->list()->count() == 0 && !w.window->action("next_found")->isEnabled();
  };
  w.field<QLineEdit>("From")->setText("noon");
  QVERIFY2(says("'noon' is not a time. Write a time from the start (0:01"), qPrintable(w.panel()->summary()));
  w.field<QLineEdit>("From")->setText("90");
  w.field<QLineEdit>("To")->setText("10");
  QVERIFY2(says("To lies before From"), qPrintable(w.panel()->summary()));
  w.field<QLineEdit>("From")->clear();
  w.field<QLineEdit>("To")->clear();
  w.field<QLineEdit>("Person")->setText("Berta");
  QVERIFY2(says("no one is called 'Berta'"), qPrintable(w.panel()->summary()));
  w.field<QLineEdit>("Person")->setText("1");
  FindQuestion question;
  question.filter.people = {1};
  QVERIFY(w.answers(question));
  w.bridge()->on_tracks(nullptr);
  QVERIFY2(says("analyse first"), qPrintable(w.panel()->summary()));
}

void FindTest::another_project_begins_without_its_times() {
  FindWindow w(false);
  w.field<QLineEdit>("From")->setText("0:02");
  w.field<QLineEdit>("Person")->setText("1");
  w.window->open_project("/somewhere/other.vantage");
  for (const char* name : {"From", "To", "Person"})
    QVERIFY2(w.field<QLineEdit>(name)->text().isEmpty(), "they were of the recording before");
}

const TestPart<FindTest> kFindPart("find");

}  // namespace vantage::ui

#include "find_test.moc"
