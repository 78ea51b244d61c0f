#include <QAction>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QDir>
#include <QInputDialog>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QTableWidget>
#include <algorithm>
#include <functional>
#include <set>

#include "core/base/file.h"
#include "core/display/lanes.h"
#include "core/metrics/tracking_metrics.h"
#include "tests/support/renumbered_results.h"
#include "tests/ui/support/patience.h"
#include "tests/ui/support/session_window.h"
#include "tests/ui/support/window_test.h"
#include "ui/main_window/export_control.h"
#include "ui/main_window/overlay_control.h"
#include "ui/main_window/people_control.h"
#include "ui/main_window/trackers/trackers_control.h"
#include "ui/main_window/workspace.h"
#include "ui/panels/floor_panel.h"
#include "ui/panels/people_panel.h"
#include "ui/views/camera_grid.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/track_lanes.h"
#include "ui/widgets/transport.h"

namespace vantage::ui {

// The window on results on disk, with a real session: repairs by hand, entrances, two trackers in the views.
class PeopleTest final : public WindowTest {
  Q_OBJECT
 private slots:
  void two_exchange_their_numbers_by_hand();
  void a_track_is_deleted_by_hand();
  void tracks_are_joined_and_split_by_hand();
  void repairs_are_applied_again_or_listed();
  void people_get_names();
  void people_are_written_for_other_programs();
  void the_menu_says_what_it_will_do();
  void names_are_drawn_in_the_views();
  void zones_become_entrances_and_areas();
  void entrances_are_learned();
  void two_trackers_are_drawn();
  void current_results_are_drawn_at_once_by_their_numbers();
  void numbers_that_are_not_the_results_are_nowhere();
};

namespace {

constexpr int kPeopleFrames = 50, kExchanged = 25;

struct Row {
  int64_t id;
  double x_m, y_m;
};

// 1 and 2 stand 1 m apart and exchange numbers in frame 25; 3 is a ghost; 4 goes on as 5.
std::vector<Row> rows_of(int frame) {
  const double along = 0.01 * frame;
  const bool exchanged = frame >= kExchanged;
  std::vector<Row> rows = {{exchanged ? 2 : 1, -0.5 + along, -0.5}, {exchanged ? 1 : 2, -0.5 + along, 0.5}};
  if (frame >= 10 && frame < 40) rows.push_back({3, 0.6, 0});
  if (frame < 20 || frame >= 24) rows.push_back({frame < 20 ? 4 : 5, 0, 0.1});
  return rows;
}

void write_results(const std::filesystem::path& folder, const std::function<std::vector<Row>(int)>& rows) {
  std::string lines = R"({"schema":"vantage-results-1","version":"0","device":"CPU","frame_rate":25.0})";
  std::string csv;
  lines += "\n";
  for (int frame = 0; frame < kPeopleFrames; ++frame) {
    std::string people;
    for (const Row& row : rows(frame)) {
      people += (people.empty() ? "" : ",") + (R"({"id":)" + std::to_string(row.id)) + R"(,"x_m":)" +
                std::to_string(row.x_m) + R"(,"y_m":)" + std::to_string(row.y_m) +
                R"(,"height_m":1.7,"confidence":0.9})";
      TrackRow track;
      track.frame = frame + 1, track.id = row.id, track.confidence = 0.9;
      track.x_m = row.x_m, track.y_m = row.y_m, track.height_m = 1.7;
      csv += mot_csv_row(track);
    }
    lines += R"({"frame":)" + std::to_string(frame) +
             R"(,"versions":{},"cameras":[],"people":{"count":4,"people":[)" + people +
             R"(],"rejected":[]}})" + "\n";
  }
  QVERIFY(make_folder(folder).has_value());
  QVERIFY(write_file_atomically(folder / "results.jsonl", lines).has_value());
  QVERIFY(write_file_atomically(folder / "tracks.csv", csv).has_value());
}

class ResultsWindow : public SessionWindow {
 public:
  explicit ResultsWindow(const std::function<std::vector<Row>(int)>& rows = rows_of)
      : SessionWindow(3, kPeopleFrames) {
    write_results(project_.results_folder(), rows);
    QObject::connect(bridge_.get(), &SessionBridge::tracks_changed, bridge_.get(),
                     [this](const TracksRef& changed) { tracks = changed; });
    show({1280, 800});
    open();
  }
  ~ResultsWindow() { window.reset(); }  // before the tracks

  TrackLanes* lanes() const { return window->part<PeoplePanel>()->lanes(); }
  size_t people() const { return tracks ? tracks->paths.size() : 0; }
  // Where the person of that number is; nothing: nowhere.
  std::optional<double> y_of(int64_t id, int64_t frame) const {
    for (const PersonPath& path : tracks->paths)
      if (path.id == id)
        for (const PathPoint& point : path.points)
          if (point.frame == frame) return point.y_m;
    return std::nullopt;
  }
  // By the keyboard, as somebody would: the lane, and with Shift the second.
  void choose(int64_t first, int64_t second = 0) {
    for (int i = 0; i < 10; ++i) QTest::keyClick(lanes(), Qt::Key_Up);
    for (int i = 0; i < 10 && window->part<PeopleControl>()->chosen().first != first; ++i)
      QTest::keyClick(lanes(), Qt::Key_Down);
    for (int64_t i = first; i < second; ++i) QTest::keyClick(lanes(), Qt::Key_Down, Qt::ShiftModifier);
  }
  void key(int key, Qt::KeyboardModifiers modifiers) {
    QTest::keyClick(window.get(), static_cast<Qt::Key>(key), modifiers);
  }
  void keep_picture(const QString& name) const { ui::keep_picture(*window, name); }
  void open_after_another_run(const std::function<std::vector<Row>(int)>& rows) {
    write_results(project_.results_folder(), rows);
    open();
  }
  Project project() const { return load_project(project_.path).value(); }

  TracksRef tracks;
};

// Over results of the chain itself, with the numbers of a long recording: 180 higher than those that a chain
// gives which begins where somebody looks. Keeps everybody who was drawn, frame by frame.
class AnalysedWindow : public SessionWindow {
 public:
  static constexpr int64_t kEnd = 60, kFar = 45, kAdded = 180;

  AnalysedWindow() : SessionWindow(3, kEnd) {
    QObject::connect(bridge_.get(), &SessionBridge::tracks_changed, bridge_.get(),
                     [this](const TracksRef& changed) { tracks = changed; });
    QObject::connect(bridge_.get(), &SessionBridge::status_changed, bridge_.get(),
                     [this](const SessionStatus& now) { status = now; });
    show({1280, 800});
    open();
  }
  ~AnalysedWindow() { window.reset(); }

  void analyse() {
    tracks.reset();
    session->post(command::Analyse{{0, kEnd}});
    QTRY_VERIFY(tracks && !status.analysing);
  }
  void open_with_other_numbers() {
    test::renumber_results(project_.results_folder(), kAdded);
    tracks.reset();
    open();
    QTRY_VERIFY(tracks);
    QObject::connect(bridge_.get(), &SessionBridge::frame_ready, window.get(),
                     [this](const ShownFrameRef& shown) {
                       std::set<int64_t> numbers;
                       for (const MarkedPerson& person : marks().everybody)
                         if (person.id > 0) numbers.insert(person.id);
                       drawn.push_back({shown->result->frame, shown->result->preview, std::move(numbers)});
                     });
  }
  const Marks& marks() const { return window->part<OverlayControl>()->marks(); }
  std::set<int64_t> recorded(int64_t frame) const {
    std::set<int64_t> numbers;
    for (const PersonPath& path : tracks->paths)
      if (const auto point = path.points.find(frame); point && point->seen) numbers.insert(path.id);
    return numbers;
  }
  bool shows_exactly(int64_t frame) const {
    return !drawn.empty() && drawn.back().frame == frame && !drawn.back().preview;
  }
  // On the middle of that person, in the first camera.
  void click(const PlaceInTime& position) const {
    const Camera camera = *project_.cameras[0].calibration;
    const auto middle = camera.project({position.x_m, position.y_m, 0.8});
    QVERIFY(middle);
    CameraGrid* cameras = window->workspace()->cameras();
    const QRectF area = cameras->picture_area(0);
    QTest::mouseClick(cameras, Qt::LeftButton, {},
                      QPoint(qRound(area.left() + (middle->x() + 0.5) * area.width() / camera.width_px()),
                             qRound(area.top() + (middle->y() + 0.5) * area.height() / camera.height_px())));
  }

  struct Drawn {
    int64_t frame = 0;
    bool preview = false;
    std::set<int64_t> numbers;
  };
  std::vector<Drawn> drawn;
  TracksRef tracks;
  SessionStatus status;
};

}  // namespace

void PeopleTest::two_exchange_their_numbers_by_hand() {
  ResultsWindow w;
  QTRY_COMPARE(w.people(), size_t{5});
  QCOMPARE(*w.y_of(1, kExchanged), 0.5);
  w.window->action("people_dock")->trigger();
  w.session->post(command::Seek{kExchanged});
  QTRY_VERIFY(w.window->workspace()->transport()->frame_text().contains("25 of"));
  w.lanes()->setFocus();
  w.choose(1, 2);
  QCOMPARE(w.window->part<PeopleControl>()->chosen(), (ChosenPeople{1, 2}));
  QVERIFY2(w.window->action("swap_people")->isEnabled(),
           qPrintable(w.window->action("swap_people")->toolTip()));
  w.keep_picture("swap-before");
  w.key(Qt::Key_J, Qt::ControlModifier | Qt::AltModifier);
  QTRY_COMPARE(w.y_of(1, kExchanged), std::optional(-0.5));
  QCOMPARE(*w.y_of(1, kExchanged - 1), -0.5);
  QCOMPARE(*w.y_of(1, kPeopleFrames - 1), -0.5);
  QCOMPARE(*w.y_of(2, kPeopleFrames - 1), 0.5);
  QTRY_COMPARE(w.window->part<PeoplePanel>()->repairs()->count(), 1);
  w.keep_picture("swap-after");
  w.key(Qt::Key_Z, Qt::ControlModifier);
  QTRY_COMPARE(w.y_of(1, kExchanged), std::optional(0.5));
  w.key(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
  QTRY_COMPARE(w.y_of(1, kExchanged), std::optional(-0.5));
  const Project saved = w.saved([](const Project& project) { return project.repairs.size() == 1; });
  QCOMPARE(saved.repairs.size(), size_t{1});
  QVERIFY(saved.repairs[0].kind == RepairKind::swap && saved.repairs[0].at.frame == kExchanged);
}

void PeopleTest::a_track_is_deleted_by_hand() {
  ResultsWindow w;
  QTRY_COMPARE(w.people(), size_t{5});
  w.window->action("people_dock")->trigger();
  w.lanes()->setFocus();
  w.choose(3);
  QCOMPARE(w.window->part<PeopleControl>()->chosen(), (ChosenPeople{3, 0}));
  w.keep_picture("delete-before");
  w.key(Qt::Key_Delete, Qt::ControlModifier);
  QTRY_COMPARE(w.people(), size_t{4});
  QVERIFY(!w.y_of(3, 15));
  QTRY_COMPARE(w.lanes()->lanes().size(), size_t{4});
  QCOMPARE(w.window->part<PeopleControl>()->chosen().first, int64_t{0});
  w.keep_picture("delete-after");
  w.key(Qt::Key_Z, Qt::ControlModifier);
  QTRY_COMPARE(w.people(), size_t{5});
  // In the list of repairs it can be taken out as well.
  w.choose(3);
  w.key(Qt::Key_Delete, Qt::ControlModifier);
  QTRY_COMPARE(w.people(), size_t{4});
  QListWidget* repairs = w.window->part<PeoplePanel>()->repairs();
  repairs->setCurrentRow(0);
  QTest::keyClick(repairs, Qt::Key_Delete);
  QTRY_COMPARE(w.people(), size_t{5});
  QTRY_COMPARE(repairs->count(), 0);
}

void PeopleTest::tracks_are_joined_and_split_by_hand() {
  ResultsWindow w;
  QTRY_COMPARE(w.people(), size_t{5});
  w.window->action("people_dock")->trigger();
  w.lanes()->setFocus();
  w.choose(4, 5);
  QCOMPARE(w.window->part<PeopleControl>()->chosen(), (ChosenPeople{4, 5}));
  w.key(Qt::Key_J, Qt::ControlModifier);
  QTRY_COMPARE(w.people(), size_t{4});
  QCOMPARE(*w.y_of(4, kPeopleFrames - 1), 0.1);
  w.session->post(command::Seek{30});
  QTRY_VERIFY(w.window->workspace()->transport()->frame_text().contains("30 of"));
  w.choose(4);
  w.key(Qt::Key_J, Qt::ControlModifier | Qt::ShiftModifier);
  QTRY_COMPARE(w.people(), size_t{5});
  QVERIFY(w.y_of(4, 29) && !w.y_of(4, 30));
  w.keep_picture("join-and-split");
  QCOMPARE(w.saved([](const Project& project) { return project.repairs.size() == 2; }).repairs.size(),
           size_t{2});
  w.key(Qt::Key_Z, Qt::ControlModifier);
  QTRY_COMPARE(w.people(), size_t{4});
  QVERIFY(w.y_of(4, 30));
  w.key(Qt::Key_Z, Qt::ControlModifier);
  QTRY_COMPARE(w.people(), size_t{5});
  QVERIFY(!w.y_of(4, kPeopleFrames - 1));
  QTRY_COMPARE(w.window->part<PeoplePanel>()->repairs()->count(), 0);
}

void PeopleTest::people_get_names() {
  ResultsWindow w;
  QTRY_COMPARE(w.people(), size_t{5});
  w.window->action("people_dock")->trigger();
  const auto rename = [&](const QString& name) {
    QTest::keyClick(w.window.get(), Qt::Key_N, Qt::ControlModifier | Qt::AltModifier);
    auto* dialog = w.window->findChild<QInputDialog*>();
    QVERIFY(dialog && dialog->isVisible());
    dialog->setTextValue(name);
    QTest::keyClick(dialog->findChild<QLineEdit*>(), Qt::Key_Return);
  };
  w.lanes()->setFocus();
  w.choose(2);
  rename("Anna");
  QTRY_COMPARE(w.tracks->names, (PersonNames{{2, "Anna"}}));
  const Lane& lane = w.lanes()->lanes()[1];
  QVERIFY2(w.lanes()->describe(lane).startsWith("Anna (person 2), frames 0 to 49"),
           qPrintable(w.lanes()->describe(lane)));
  QVERIFY2(w.window->part<PeoplePanel>()->repairs()->item(0)->text().endsWith("is Anna"),
           qPrintable(w.window->part<PeoplePanel>()->repairs()->item(0)->text()));
  QTRY_COMPARE(w.window->part<OverlayControl>()->called(2), QString("Anna"));
  // Another name takes the place of the first one.
  rename("Anne");
  QTRY_COMPARE(w.tracks->names, (PersonNames{{2, "Anne"}}));
  const Project saved = w.saved([](const Project& project) { return !project.repairs.empty(); });
  QVERIFY(saved.repairs.size() == 1 && saved.repairs[0].name == "Anne");
  QCOMPARE(read_file(saved.results_folder() / "names.csv").value_or(""),
           std::string("person,name\n2,Anne\n"));
  w.key(Qt::Key_Z, Qt::ControlModifier);
  QTRY_COMPARE(w.tracks->names, (PersonNames{{2, "Anna"}}));
  rename("");
  QTRY_VERIFY(w.tracks->names.empty());
  QVERIFY(w.project().repairs.size() == 1);  // not saved
}

void PeopleTest::the_menu_says_what_it_will_do() {
  ResultsWindow w;
  QTRY_COMPARE(w.people(), size_t{5});
  w.window->action("people_dock")->trigger();
  w.session->post(command::Seek{30});
  QTRY_VERIFY(w.window->workspace()->transport()->frame_text().contains("30 of"));
  const auto menu_of = [&](int row) {
    delete w.window->findChild<QMenu*>("person_menu");
    const QPoint at(30, 20 * row + 10);
    QContextMenuEvent event(QContextMenuEvent::Mouse, at, w.lanes()->viewport()->mapToGlobal(at));
    QCoreApplication::sendEvent(w.lanes()->viewport(), &event);
    return w.window->findChild<QMenu*>("person_menu");
  };
  const auto entry = [](const QMenu* menu, const QString& begin) -> QAction* {
    for (QAction* action : menu->actions())
      if (action->text().remove('&').startsWith(begin)) return action;
    return nullptr;
  };
  QMenu* menu = menu_of(4);  // 5, who goes on as 4 did
  QVERIFY(menu);
  QCOMPARE(entry(menu, "Split")->text().remove('&'),
           QString("Split: 20 frames of 5 from here on become a new person's"));
  QCOMPARE(entry(menu, "Delete")->text().remove('&'), QString("Delete: the 26 frames of 5 become no one's"));
  const QMenu* join = entry(menu, "Join With")->menu();
  QCOMPARE(join->actions().size(), 1);
  QCOMPARE(join->actions()[0]->text(), QString("4: 26 frames of 5 become 4's"));
  const QMenu* swap = entry(menu, "Swap With")->menu();
  QCOMPARE(swap->actions().size(), 3);
  QVERIFY2(swap->actions()[0]->text().contains("from here on 20 frames of 5 become"),
           qPrintable(swap->actions()[0]->text()));
  join->actions()[0]->trigger();
  QTRY_COMPARE(w.people(), size_t{4});
  QCOMPARE(*w.y_of(4, kPeopleFrames - 1), 0.1);
  menu = menu_of(2);  // 3
  entry(menu, "Delete")->trigger();
  QTRY_COMPARE(w.people(), size_t{3});
  delete w.window->findChild<QMenu*>("person_menu");  // it has the keys while it is open
  w.key(Qt::Key_Z, Qt::ControlModifier);
  QTRY_COMPARE(w.people(), size_t{4});
}

void PeopleTest::names_are_drawn_in_the_views() {
  AnalysedWindow w;
  w.analyse();
  w.session->post(command::Seek{AnalysedWindow::kFar});
  QTRY_VERIFY(w.window->workspace()->transport()->frame_text().contains("45 of"));
  QVERIFY(!w.recorded(AnalysedWindow::kFar).empty());
  const int64_t id = *w.recorded(AnalysedWindow::kFar).begin();
  w.click(*unambiguous_position(w.tracks->paths, id, AnalysedWindow::kFar));
  QTRY_COMPARE(w.window->part<PeopleControl>()->chosen().first, id);
  QTest::keyClick(w.window.get(), Qt::Key_N, Qt::ControlModifier | Qt::AltModifier);
  auto* dialog = w.window->findChild<QInputDialog*>();
  QVERIFY(dialog);
  dialog->setTextValue("Anna");
  dialog->accept();
  const auto drawn = [&] {
    const std::vector<MarkedPerson>& all = w.marks().everybody;
    return std::any_of(all.begin(), all.end(),
                       [&](const MarkedPerson& one) { return one.id == id && one.name == "Anna"; });
  };
  QTRY_VERIFY(drawn());
  // On the person a menu of theirs, elsewhere the floor's.
  emit w.window->workspace()->cameras()->person_pointed(id);
  emit w.window->workspace()->cameras()->menu_wanted(std::nullopt, QPoint(10, 10));
  const auto* menu = w.window->findChild<QMenu*>("person_menu");
  QVERIFY(menu);
  QCOMPARE(menu->actions()[0]->text(), QString("Anna"));
}

// The swap is applied to what a later run found, whatever numbers it gave; the ghost is not there any more.
void PeopleTest::repairs_are_applied_again_or_listed() {
  ResultsWindow w;
  QTRY_COMPARE(w.people(), size_t{5});
  w.window->action("people_dock")->trigger();
  w.lanes()->setFocus();
  w.choose(3);
  w.key(Qt::Key_Delete, Qt::ControlModifier);
  QTRY_COMPARE(w.people(), size_t{4});
  w.session->post(command::Seek{kExchanged});
  QTRY_VERIFY(w.window->workspace()->transport()->frame_text().contains("25 of"));
  w.choose(1, 2);
  w.key(Qt::Key_J, Qt::ControlModifier | Qt::AltModifier);
  QTRY_COMPARE(w.y_of(1, kExchanged), std::optional(-0.5));
  QCOMPARE(w.saved([](const Project& project) { return project.repairs.size() == 2; }).repairs.size(),
           size_t{2});
  w.open_after_another_run([](int frame) {
    std::vector<Row> rows = rows_of(frame);
    std::erase_if(rows, [](const Row& row) { return row.id == 3; });
    for (Row& row : rows) row.id += 10;
    return rows;
  });
  QTRY_VERIFY(w.tracks && w.y_of(11, 0));
  QCOMPARE(*w.y_of(11, kExchanged), -0.5);
  QCOMPARE(*w.y_of(12, kPeopleFrames - 1), 0.5);
  PeoplePanel* panel = w.window->part<PeoplePanel>();
  QTRY_VERIFY2(panel->summary().contains("1 repair no longer applies"), qPrintable(panel->summary()));
  QCOMPARE(panel->repairs()->count(), 2);
  QVERIFY(panel->repairs()->item(0)->text().contains("no longer applies"));
  // People and times, not coordinates.
  QVERIFY(panel->repairs()->item(0)->text().contains("Delete: a track at 0:0"));
  QCOMPARE(panel->repairs()->item(1)->text(), QString("Swap: 11 and 12 exchange IDs from 0:01.000 on"));
  // At the lanes of those two alone, although 15 stands within reach as well.
  std::vector<int64_t> marked;
  for (const LaneMark& mark : w.lanes()->marks())
    if (mark.frame == kExchanged) marked.push_back(mark.id);
  std::sort(marked.begin(), marked.end());
  QCOMPARE(marked, (std::vector<int64_t>{11, 12}));
  w.keep_picture("repair-does-not-hold");
}

void PeopleTest::zones_become_entrances_and_areas() {
  ResultsWindow w;
  QTRY_COMPARE(w.people(), size_t{5});
  FloorPanel* panel = w.window->part<FloorPanel>();
  w.window->action("floor_dock")->trigger();
  w.window->workspace()->cameras()->setFocus();
  w.window->action("draw_zone")->trigger();
  QTest::keyClick(w.window->workspace()->cameras(), Qt::Key_Return);  // one in the middle
  QTRY_COMPARE(panel->table()->rowCount(), 1);
  QVERIFY(!panel->kind()->isEnabled());
  panel->table()->selectRow(0);
  QVERIFY(panel->kind()->isEnabled());
  QTest::keyClick(panel->kind(), Qt::Key_Down);
  const auto& shapes = w.window->part<OverlayControl>()->marks().shapes;
  QTRY_VERIFY(shapes.size() == 1 && shapes[0].name.contains("entrance"));
  QCOMPARE(panel->kind()->currentIndex(), 1);
  w.keep_picture("entrance");
  QTest::keyClick(panel->kind(), Qt::Key_Down);
  QTRY_VERIFY(shapes.size() == 1 && shapes[0].name.contains("area"));
  const Project saved = w.saved([](const Project& project) { return !project.areas().empty(); });
  QCOMPARE(saved.zones.size(), size_t{1});
  QVERIFY(saved.zones[0].kind == ZoneKind::area);
  QCOMPARE(saved.areas().size(), size_t{1});
}

void PeopleTest::entrances_are_learned() {
  ResultsWindow few;
  QTRY_COMPARE(few.people(), size_t{5});
  QTRY_VERIFY(few.window->action("learn_entrances")->isEnabled());
  few.window->action("learn_entrances")->trigger();
  QTRY_VERIFY(few.window->messages()->text().contains("No entrance was learned"));
  // Three come one after another at the same position, and stay.
  ResultsWindow w([](int frame) {
    std::vector<Row> rows;
    for (int i = 0; i < 3; ++i)
      if (frame >= 15 + 5 * i) rows.push_back({i + 1, 0.1 * i, 0.02 * (frame - 15 - 5 * i)});
    return rows;
  });
  QTRY_COMPARE(w.people(), size_t{3});
  QTRY_VERIFY(w.window->action("learn_entrances")->isEnabled());
  w.window->action("learn_entrances")->trigger();
  const auto& shapes = w.window->part<OverlayControl>()->marks().shapes;
  QTRY_COMPARE(shapes.size(), size_t{1});
  QVERIFY2(shapes[0].name.startsWith("entrance 1"), qPrintable(shapes[0].name));
  w.window->action("learn_entrances")->trigger();
  const Project saved = w.saved([](const Project& project) { return !project.zones.empty(); });
  QCOMPARE(saved.zones.size(), size_t{1});
  QVERIFY(saved.zones[0].kind == ZoneKind::entrance);
}

void PeopleTest::two_trackers_are_drawn() {
  ResultsWindow w;
  QTRY_COMPARE(w.people(), size_t{5});
  w.window->action("trackers_dock")->trigger();
  TrackersPanel* panel = w.window->part<TrackersPanel>();
  QTRY_VERIFY(w.window->action("draw_trackers")->isEnabled());
  panel->choose(0, ComparedMethod::recorded);
  w.window->action("draw_trackers")->trigger();
  const Marks& marks = w.window->part<OverlayControl>()->marks();
  QTRY_VERIFY(marks.second.size() == 4 || marks.second.size() == 3);
  QVERIFY(marks.switches.empty());
  w.session->post(command::Seek{kExchanged});
  QTRY_COMPARE(marks.switches.size(), size_t{3});  // and 4 became 5 a frame before
  QVERIFY2(marks.switches[0].words.startsWith("first:"), "its numbers jump");
  QVERIFY(std::any_of(marks.second.begin(), marks.second.end(),
                      [](const MarkedSecond& second) { return second.differs; }));
  QCOMPARE(marks.people.size(), size_t{4});
  w.keep_picture("trackers-cameras");
  w.window->action("top")->trigger();
  QTest::qWait(300);
  w.keep_picture("trackers-top");
  w.window->action("theme_dark")->trigger();
  QTest::qWait(100);
  w.keep_picture("trackers-dark");
  w.window->resize(900, 600);
  QTest::qWait(300);
  w.keep_picture("trackers-dark-small");
  w.window->action("theme_light")->trigger();
  w.session->post(command::Seek{kPeopleFrames - 1});
  QTRY_VERIFY(w.window->workspace()->transport()->frame_text().contains("49 of"));
  QTRY_VERIFY(!marks.second.empty());
  w.window->action("draw_trackers")->trigger();
  QVERIFY(marks.second.empty() && marks.switches.empty());
}

void PeopleTest::current_results_are_drawn_at_once_by_their_numbers() {
  AnalysedWindow w;
  w.analyse();
  w.open_with_other_numbers();
  constexpr int64_t kFar = AnalysedWindow::kFar;
  w.session->post(command::Seek{kFar});
  QTRY_VERIFY(w.shows_exactly(kFar));
  w.session->post(command::Step{1});
  QTRY_VERIFY(w.shows_exactly(kFar + 1));
  QVERIFY(!w.recorded(kFar).empty());
  // Previews too, where the chain is too slow for an exact answer.
  for (const auto& [frame, previewed, numbers] : w.drawn) QCOMPARE(numbers, w.recorded(frame));
  // The one who is clicked is the one whom the repair is about.
  const int64_t id = *w.recorded(kFar + 1).begin();
  const PlaceInTime position = *unambiguous_position(w.tracks->paths, id, kFar + 1);
  QCOMPARE(position.frame, kFar + 1);
  w.click(position);
  QCOMPARE(w.window->part<PeopleControl>()->chosen().first, id);
  const size_t people = w.tracks->paths.size();
  QTest::keyClick(w.window.get(), Qt::Key_Delete, Qt::ControlModifier);
  QTRY_COMPARE(w.tracks->paths.size(), people - 1);
  QVERIFY(!w.recorded(kFar + 1).contains(id));
  QTRY_VERIFY(w.drawn.back().numbers == w.recorded(w.drawn.back().frame));
  QCOMPARE(w.window->part<PeopleControl>()->chosen().first, int64_t{0});
  const std::vector<IdentityRepair> repairs =
      w.saved([](const Project& project) { return !project.repairs.empty(); }).repairs;
  QCOMPARE(repairs.size(), size_t{1});
  QVERIFY(repairs[0].kind == RepairKind::remove && repairs[0].at == position);
}

void PeopleTest::numbers_that_are_not_the_results_are_nowhere() {
  AnalysedWindow w;
  w.analyse();
  w.open_with_other_numbers();
  constexpr int64_t kFar = AnalysedWindow::kFar;
  const int64_t id = *w.recorded(kFar).begin();
  const PlaceInTime position = *unambiguous_position(w.tracks->paths, id, kFar);
  w.session->post(command::SetParameter{"people", "min_volume_l", 20});
  w.drawn.clear();
  w.session->post(command::Seek{kFar});
  QTRY_VERIFY(w.shows_exactly(kFar));
  QVERIFY(!w.marks().everybody.empty());
  for (const auto& drawn : w.drawn)
    if (drawn.frame == kFar) QVERIFY(drawn.numbers.empty());
  w.click(position);
  QCOMPARE(w.window->part<PeopleControl>()->chosen().first, int64_t{0});
  QVERIFY(!w.window->action("delete_person")->isEnabled());
  // Analysed with these parameters the numbers are the results' again.
  w.analyse();
  w.session->post(command::Seek{kFar - 1});
  QTRY_VERIFY(w.shows_exactly(kFar - 1));
  QTRY_COMPARE(w.drawn.back().numbers, w.recorded(kFar - 1));
  QVERIFY(!w.recorded(kFar - 1).empty() && *w.recorded(kFar - 1).begin() < AnalysedWindow::kAdded);
}

void PeopleTest::people_are_written_for_other_programs() {
  AnalysedWindow w;
  QVERIFY(!w.window->action("export_people")->isEnabled());
  w.analyse();
  QTRY_VERIFY(w.window->action("export_people")->isEnabled());
  auto* exported = w.window->part<ExportControl>();
  exported->export_people_to(w.folder() + "/people.gltf");
  QTRY_VERIFY(w.window->messages()->text().contains("people.gltf"));
  const std::string scene = read_file((w.folder() + "/people.gltf").toStdString()).value_or("");
  for (const PersonPath& path : w.tracks->paths)
    QVERIFY(scene.find("\"#" + std::to_string(path.id) + '"') != std::string::npos);
  exported->export_people_to(w.folder() + "/boxes.xml");
  QTRY_VERIFY(w.window->messages()->text().contains("boxes.xml"));
  QCOMPARE(QDir(w.folder()).entryList({"boxes_*.xml"}),
           (QStringList{"boxes_cam1.xml", "boxes_cam2.xml", "boxes_cam3.xml"}));
}

const TestPart<PeopleTest> kPeoplePart("people");

}  // namespace vantage::ui

#include "people_test.moc"
