#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QTableWidget>
#include <QTemporaryDir>
#include <atomic>

#include "core/base/file.h"
#include "tests/ui/support/open_window.h"
#include "tests/ui/support/patience.h"
#include "tests/ui/support/window_test.h"
#include "ui/main_window/export_control.h"
#include "ui/main_window/floor_control.h"
#include "ui/main_window/main_window.h"
#include "ui/main_window/overlay_control.h"
#include "ui/main_window/people_control.h"
#include "ui/main_window/playback_control.h"
#include "ui/main_window/preferences_dialog.h"
#include "ui/main_window/trackers/trackers_control.h"
#include "ui/main_window/workspace.h"
#include "ui/panels/checks_panel.h"
#include "ui/panels/floor_panel.h"
#include "ui/panels/height_map_panel.h"
#include "ui/panels/parameters_panel.h"
#include "ui/panels/people_panel.h"
#include "ui/platform/session_bridge.h"
#include "ui/views/box_editor.h"
#include "ui/views/camera_grid.h"
#include "ui/views/height_map_canvas.h"
#include "ui/widgets/curve_plot.h"
#include "ui/widgets/transport.h"

namespace vantage::ui {

// The window on tracks that the session reports: people, repairs by hand, zones and lines, two trackers.
class TracksTest final : public WindowTest {
  Q_OBJECT
 private slots:
  void people_are_chosen_and_followed();
  void identities_are_repaired_by_hand();
  void zones_and_lines_are_drawn_moved_and_counted();
  void two_trackers_are_compared();
};

namespace {

// The scene's person with its number, one who came later and was lost in between, one who left.
TracksRef some_tracks() {
  const FakeScene scene;
  auto tracks = std::make_shared<Tracks>();
  tracks->frame_rate = scene.frame_rate;
  tracks->paths = {{FakeScene::kPerson, {}}, {2, {}}, {3, {}}};
  for (int64_t frame = 0; frame < scene.frames; ++frame) {
    tracks->frames.push_back(frame);
    const Eigen::Vector3d position = scene.person_in_world_m(frame);
    tracks->paths[0].points.push_back({frame, position.x(), position.y(), 1.7, 0.9, true, 0});
    if (frame >= 50) tracks->paths[1].points.push_back({frame, 5, 0, 1.7, 0.9, frame < 60 || frame > 70});
    if (frame < 40) tracks->paths[2].points.push_back({frame, 5, 0.2, 1.7, 0.9, true});
  }
  tracks->known_frames = tracks->frames;
  tracks->index();
  return tracks;
}

}  // namespace

void TracksTest::people_are_chosen_and_followed() {
  OpenWindow w;
  const Marks& marks = w.window->part<OverlayControl>()->marks();
  TrackLanes* lanes = w.window->part<PeoplePanel>()->lanes();
  QTRY_COMPARE(marks.people.size(), size_t{1});
  w.bridge()->on_tracks(some_tracks());
  QTRY_COMPARE(lanes->lanes().size(), size_t{3});
  QCOMPARE(
      lanes->describe(lanes->lanes()[1]),
      QString(
          "person 2, frames 50 to 99 (0:02.000 to 0:03.960), lost once in between; appeared in frame 50"));
  QCOMPARE(lanes->describe(lanes->lanes()[2]),
           QString("person 3, frames 0 to 39 (0:00.000 to 0:01.560); lost after frame 39"));
  QVERIFY(!w.window->action("follow_person")->isEnabled());
  w.key(Qt::Key_A);
  QCOMPARE(marks.choice.first, FakeScene::kPerson);
  QCOMPARE(marks.choice.way_m.size(), size_t{1});
  w.key(Qt::Key_E);
  QVERIFY(w.window->part<PeopleControl>()->following() && w.window->action("follow_person")->isChecked() &&
          w.window->action("stop")->isEnabled());
  w.key(Qt::Key_Escape);
  QVERIFY(!w.window->part<PeopleControl>()->following() && !w.window->action("follow_person")->isChecked());
  // By the mouse: on the person, then beside everybody.
  const Camera camera = *w.session().project().cameras[0].calibration;
  const auto middle = camera.project(FakeScene{}.person_in_world_m(w.session().frame()));
  QVERIFY(middle);
  const QRectF area = w.window->workspace()->cameras()->picture_area(0);
  const QPoint at(qRound(area.left() + (middle->x() + 0.5) * area.width() / camera.width_px()),
                  qRound(area.top() + (middle->y() + 0.5) * area.height() / camera.height_px()));
  QTest::mouseClick(w.window->workspace()->cameras(), Qt::LeftButton, {}, at);
  QVERIFY(w.window->part<PeopleControl>()->following());
  w.key(Qt::Key_Escape);
  QTest::mouseClick(w.window->workspace()->cameras(), Qt::LeftButton, {},
                    area.topLeft().toPoint() + QPoint(4, 4));
  QCOMPARE(marks.choice.first, int64_t{0});
}

void TracksTest::identities_are_repaired_by_hand() {
  OpenWindow w;
  w.bridge()->on_tracks(some_tracks());
  w.window->action("people_dock")->trigger();
  PeoplePanel* panel = w.window->part<PeoplePanel>();
  QTRY_COMPARE(panel->lanes()->lanes().size(), size_t{3});
  QVERIFY(panel->isVisible());
  TrackLanes* lanes = panel->lanes();
  lanes->setFocus();
  for (int i = 0; i < 2; ++i) QTest::keyClick(lanes, Qt::Key_Down);
  QVERIFY2(!w.window->action("join_people")->isEnabled(), "one alone");
  QTest::keyClick(lanes, Qt::Key_Down, Qt::ShiftModifier);
  QCOMPARE(w.window->part<PeopleControl>()->chosen(), (ChosenPeople{2, 3}));
  QVERIFY2(!w.window->action("swap_people")->isEnabled(), "the second is not there now");
  w.window->action("join_people")->trigger();
  const std::vector<IdentityRepair>& repairs = w.session().project().repairs;
  QCOMPARE(repairs.size(), size_t{1});
  QVERIFY(repairs[0].kind == RepairKind::join);
  QVERIFY2(repairs[0].at == (PlaceInTime{39, 5, 0.2}) && repairs[0].other == (PlaceInTime{50, 5, 0}),
           "where one was seen last and the other first");
  QTRY_COMPARE(panel->repairs()->count(), 1);
  QCOMPARE(panel->repairs()->item(0)->text(), QString("Join: 3 until 0:01.560 and from 0:02.000 on"));
  w.window->action("undo")->trigger();
  QTRY_COMPARE(panel->repairs()->count(), 0);
  // Two who are there together cannot be one: said, not done.
  for (int i = 0; i < 2; ++i) QTest::keyClick(lanes, Qt::Key_Up);
  QTest::keyClick(lanes, Qt::Key_Down, Qt::ShiftModifier);
  QCOMPARE(w.window->part<PeopleControl>()->chosen(), (ChosenPeople{1, 2}));
  w.window->action("join_people")->trigger();
  QVERIFY(w.window->messages()->text().contains("both people are there"));
  QVERIFY(repairs.empty());
  w.session().post(command::Seek{10});
  QTRY_VERIFY(w.window->workspace()->transport()->frame_text().contains("10 of"));
  w.window->action("split_person")->trigger();
  QVERIFY(repairs.size() == 1 && repairs[0].kind == RepairKind::split && repairs[0].at.frame == 10);
  auto unmet = std::make_shared<Tracks>(*some_tracks());
  unmet->unmet = {{0, "no one stood there"}};
  w.bridge()->on_tracks(unmet);
  QTRY_VERIFY(panel->summary().contains("1 repair no longer applies"));
  QVERIFY(panel->repairs()->item(0)->text().contains("no one stood there"));
  panel->repairs()->setCurrentRow(0);
  QTest::keyClick(panel->repairs(), Qt::Key_Delete);
  QVERIFY(repairs.empty());
  w.session().post(command::Save{"/somewhere/hall.vantage"});
}

void TracksTest::zones_and_lines_are_drawn_moved_and_counted() {
  OpenWindow w;
  const Marks& marks = w.window->part<OverlayControl>()->marks();
  FloorPanel* panel = w.window->part<FloorPanel>();
  const Project& project = w.session().project();
  const Camera camera = *project.cameras[0].calibration;
  const auto widget_place_of = [&](double x_m, double y_m) {
    const Eigen::Vector2d pixel = camera.project({x_m, y_m, 0}).value();
    const QRectF area = w.window->workspace()->cameras()->picture_area(0);
    return QPoint(qRound(area.left() + (pixel.x() + 0.5) * area.width() / camera.width_px()),
                  qRound(area.top() + (pixel.y() + 0.5) * area.height() / camera.height_px()));
  };
  QTRY_COMPARE(marks.people.size(), size_t{1});
  w.window->action("draw_zone")->trigger();
  QVERIFY(panel->isVisible() && w.window->part<FloorControl>()->drawing() &&
          w.window->action("stop")->isEnabled());
  const std::pair<double, double> corners[] = {{-0.3, -0.3}, {0.3, -0.3}, {0.3, 0.3}};
  for (const auto& [x, y] : corners)
    QTest::mouseClick(w.window->workspace()->cameras(), Qt::LeftButton, {}, widget_place_of(x, y));
  QTRY_COMPARE(marks.shapes.size(), size_t{1});
  QVERIFY2(project.zones.empty(), "not before it is ended");
  QTest::keyClick(w.window->workspace()->cameras(), Qt::Key_Return);
  QVERIFY(!w.window->part<FloorControl>()->drawing());
  QCOMPARE(project.zones.size(), size_t{1});
  QCOMPARE(project.zones[0].corners_m.size(), size_t{3});
  for (size_t i = 0; i < 3; ++i)
    QVERIFY((project.zones[0].corners_m[i] - Eigen::Vector2d(corners[i].first, corners[i].second)).norm() <
            0.05);

  w.window->action("draw_line")->trigger();
  w.key(Qt::Key_Escape);
  QVERIFY2(!w.window->part<FloorControl>()->drawing() && project.lines.empty(), "Escape forgets it");
  w.window->action("draw_line")->trigger();
  QTest::keyClick(w.window->workspace()->cameras(), Qt::Key_Return);
  QCOMPARE(project.lines.size(), size_t{1});  // in the middle, a metre long
  QTRY_COMPARE(panel->table()->rowCount(), 2);

  w.session().post(
      command::Edit{"rule", [](Project& changed) { changed.rules = {{"r", RuleKind::enters, "zone 1"}}; }});
  QTRY_COMPARE(panel->table()->item(0, 0)->text(), QString("zone 1"));
  panel->table()->item(0, 0)->setText("shop");
  QCOMPARE(project.zones[0].name, std::string("shop"));
  QCOMPARE(project.rules[0].where, std::string("shop"));
  QCoreApplication::processEvents();
  panel->table()->item(1, 0)->setText("shop");
  QVERIFY2(project.lines[0].name == "line 1", "the name is taken");
  QVERIFY(w.window->messages()->text().contains("another zone or line"));

  w.window->action("move_corners")->setChecked(true);
  QTest::mousePress(w.window->workspace()->cameras(), Qt::LeftButton, {}, widget_place_of(0.3, 0.3));
  QTest::mouseMove(w.window->workspace()->cameras(), widget_place_of(0.2, 0.4));
  QTest::mouseRelease(w.window->workspace()->cameras(), Qt::LeftButton, {}, widget_place_of(0.2, 0.4));
  QVERIFY((project.zones[0].corners_m[2] - Eigen::Vector2d(0.2, 0.4)).norm() < 0.05);
  w.window->action("undo")->trigger();
  QVERIFY((project.zones[0].corners_m[2] - Eigen::Vector2d(0.3, 0.3)).norm() < 0.05);
  w.window->action("move_corners")->setChecked(false);
  QCoreApplication::processEvents();
  panel->choose(FloorShapeRef{true, 0});
  panel->corners()->setText("0 0; 1 0; 1 nonsense");
  panel->corners()->setModified(true);
  emit panel->corners()->editingFinished();
  QCOMPARE(project.zones[0].corners_m.size(), size_t{3});
  panel->corners()->setText("-0.4 -0.4; 0.4 -0.4; 0.4 0.4; -0.4 0.4");
  panel->corners()->setModified(true);
  emit panel->corners()->editingFinished();
  QCOMPARE(project.zones[0].corners_m.size(), size_t{4});

  panel->choose(FloorShapeRef{false, 0});
  panel->corners()->setText("1 1; 1 1");
  panel->corners()->setModified(true);
  emit panel->corners()->editingFinished();
  QVERIFY2(project.lines[0].from_m != project.lines[0].to_m, "a line has two ends");
  w.bridge()->on_tracks(some_tracks());
  QTRY_VERIFY(w.window->action("export_counts")->isEnabled());
  QTRY_VERIFY(panel->table()->item(1, 2)->text().contains("to the left"));
  panel->choose(FloorShapeRef{true, 0});
  emit panel->chosen_by_hand();
  w.window->action("delete_shape")->trigger();
  QVERIFY2(project.zones.empty() && project.rules.empty(), "with its rules");
  w.session().post(command::Save{"/somewhere/hall.vantage"});
}

// Two who walk, and whose numbers the results exchange half way: the greedy tracker finds them, and so do
// the paths.
void TracksTest::two_trackers_are_compared() {
  QTemporaryDir folder;
  const std::filesystem::path at(folder.path().toStdString());
  std::string lines = R"({"schema":"vantage-results-1","version":"0","device":"CPU","frame_rate":25.0})";
  std::string truth;
  lines += "\n";
  for (int frame = 0; frame < 60; ++frame) {
    const auto person = [&](int number, double x, double y) {
      truth += std::to_string(frame + 1) + "," + std::to_string(number) + ",-1,-1,-1,-1,1," +
               std::to_string(x) + "," + std::to_string(y) + ",0\n";
      const int shown = frame < 30 ? number : 3 - number;
      return R"({"id":)" + std::to_string(shown) + R"(,"x_m":)" + std::to_string(x) + R"(,"y_m":)" +
             std::to_string(y) + R"(,"height_m":1.75,"confidence":0.9})";
    };
    lines += R"({"frame":)" + std::to_string(frame) +
             R"(,"versions":{},"cameras":[],"people":{"count":2,"people":[)" + person(1, 0.03 * frame, 0) +
             "," + person(2, 0, 2) + R"(],"rejected":[]}})" + "\n";
  }
  QVERIFY(make_folder(at / "hall.results").has_value());
  QVERIFY(write_file_atomically(at / "hall.results" / "results.jsonl", lines).has_value());
  QVERIFY(write_file_atomically(at / "truth.csv", truth).has_value());
  OpenWindow w({}, false);
  w.window->open_project(QString::fromStdString((at / "hall.vantage").string()));
  QTRY_VERIFY(w.window->state().open());
  QVERIFY(!w.window->action("compare_trackers")->isEnabled());
  w.bridge()->on_tracks(some_tracks());
  QTRY_VERIFY(w.window->action("compare_trackers")->isEnabled());
  TrackersPanel* panel = w.window->part<TrackersPanel>();
  panel->choose(0, ComparedMethod::recorded);
  QTRY_COMPARE(panel->lanes(0)->lanes().size(), size_t{2});
  QCOMPARE(panel->table()->item(0, 1)->text(), QString("\u2013"));
  w.window->part<TrackersControl>()->load_truth(QString::fromStdString((at / "truth.csv").string()));
  QTRY_COMPARE(panel->table()->item(1, 1)->text(), QString("1.000"));
  QCOMPARE(panel->table()->item(0, 1)->text(), QString("0.500"));
  QCOMPARE(panel->table()->item(0, 7)->text(), QString("2"));  // switches
  QCOMPARE(panel->table()->item(1, 7)->text(), QString("0"));
  w.window->part<TrackersControl>()->load_truth("/missing.csv");
  QTRY_VERIFY(panel->findChild<QLabel*>()->text().contains("missing.csv"));
}

const TestPart<TracksTest> kTracksPart("tracks");

}  // namespace vantage::ui

#include "tracks_test.moc"
