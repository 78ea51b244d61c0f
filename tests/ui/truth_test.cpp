#include <QCheckBox>
#include <QClipboard>
#include <QDoubleSpinBox>
#include <QGuiApplication>
#include <QSpinBox>
#include <QTableWidget>
#include <QTemporaryDir>

#include "core/base/file.h"
#include "tests/ui/support/floor_window.h"
#include "tests/ui/support/window_test.h"
#include "ui/main_window/floor_control.h"
#include "ui/main_window/measure/measure_control.h"
#include "ui/main_window/overlay_control.h"
#include "ui/main_window/truth/quality_control.h"
#include "ui/main_window/truth/truth_control.h"
#include "ui/main_window/truth/truth_panel.h"
#include "ui/views/camera_grid.h"
#include "ui/widgets/message_bar.h"

namespace vantage::ui {

// Ground truth: drawn by clicks in pictures and scene, kept in the project, and what results are worth by it.
class TruthTest final : public WindowTest {
  Q_OBJECT
 private slots:
  void a_click_sets_somebody_in_all_views();
  void between_frames_people_walk_and_leave();
  void positions_are_dragged_removed_and_undone();
  void results_are_measured_as_one_draws();
  void the_quality_page_has_intervals_parts_and_worst_moments();
  void frames_without_results_are_stated_and_can_be_left_out();
  void other_tools_end_it_and_it_ends_them();
  void is_imported_merged_and_exported();
  void what_cannot_be_done_says_why();
};

namespace {

class TruthWindow : public FloorWindow {
 public:
  TruthControl& control() const { return *window->part<TruthControl>(); }
  TruthPanel& panel() const { return *control().panel(); }
  const std::vector<TruePerson>& truth() { return project().truth; }
  const std::vector<MarkedTruth>& marks() const { return window->part<OverlayControl>()->marks().truth; }

  void draw() {
    key(Qt::Key_T, Qt::ShiftModifier);
    QVERIFY(control().drawing());
    QTRY_VERIFY(panel().isVisible());
    QCoreApplication::processEvents();  // the views have given way to the dock
  }
  void go(int64_t frame) {
    session().post(command::Seek{frame});
    QTRY_COMPARE(window->workspace()->timeline()->frame(), frame);
    QCoreApplication::processEvents();
  }
  void set(double x_m, double y_m) {
    click(cameras(), in_camera(x_m, y_m));
    QCoreApplication::processEvents();
  }
};

Eigen::Vector2d place_of(const TruthKey& key) {
  return {key.x_m, key.y_m};
}

}  // namespace

void TruthTest::a_click_sets_somebody_in_all_views() {
  TruthWindow w;
  w.draw();
  w.go(5);
  w.set(0.2, -0.1);
  QCOMPARE(w.truth().size(), size_t{1});
  QCOMPARE(w.truth()[0].id, int64_t{1});
  QCOMPARE(w.truth()[0].keys.size(), size_t{1});
  QCOMPARE(w.truth()[0].keys[0].frame, int64_t{5});
  QVERIFY((place_of(w.truth()[0].keys[0]) - Eigen::Vector2d(0.2, -0.1)).norm() < 0.02);
  QTRY_COMPARE(w.panel().chosen(), int64_t{1});
  QTRY_COMPARE(w.marks().size(), size_t{1});
  QVERIFY(w.marks()[0].key && w.marks()[0].chosen);
  keep_picture(*w.window, "truth");
  // The chosen one again, in the same frame: moved.
  w.set(-0.3, 0.1);
  QCOMPARE(w.truth()[0].keys.size(), size_t{1});
  QVERIFY((place_of(w.truth()[0].keys[0]) - Eigen::Vector2d(-0.3, 0.1)).norm() < 0.02);
  // Somebody else, in the scene.
  w.window->action("next_true_person")->trigger();
  QCOMPARE(w.panel().chosen(), int64_t{0});
  click(w.scene(), w.in_scene(0.4, 0.3));
  QCoreApplication::processEvents();
  QCOMPARE(w.truth().size(), size_t{2});
  QVERIFY((place_of(w.truth()[1].keys[0]) - Eigen::Vector2d(0.4, 0.3)).norm() < 0.03);
  QTRY_COMPARE(w.panel().chosen(), int64_t{2});
  w.panel().height()->setValue(1.8);
  QTRY_COMPARE(w.truth()[1].height_m, 1.8);
  QCOMPARE(w.truth()[0].height_m, 0.0);
}

void TruthTest::between_frames_people_walk_and_leave() {
  TruthWindow w;
  w.draw();
  w.go(0);
  w.set(-0.3, 0);
  w.go(10);
  w.set(0.3, 0);
  QCOMPARE(w.truth().size(), size_t{1});
  w.go(5);
  QTRY_COMPARE(w.marks().size(), size_t{1});
  QVERIFY(!w.marks()[0].key);
  QVERIFY(std::abs(w.marks()[0].position_in_world_m.x()) < 0.03);
  w.window->action("true_person_leaves")->trigger();
  QTRY_VERIFY(w.truth()[0].keys.size() == 3 && w.truth()[0].keys[1].leaves);
  QTRY_VERIFY(w.window->action("true_person_leaves")->isChecked());
  w.go(6);
  QTRY_VERIFY(w.marks().empty());
  QVERIFY(!w.window->action("true_person_leaves")->isEnabled());
  w.go(5);
  w.window->action("true_person_leaves")->trigger();
  QTRY_VERIFY(!w.truth()[0].keys[1].leaves);
  // Three clicks set every third frame.
  w.panel().set_frames_per_click(3);
  w.go(20);
  for (int i = 0; i < 3; ++i) {
    w.set(0.1 * i, 0.2);
    QTRY_COMPARE(w.window->workspace()->timeline()->frame(), int64_t{23 + 3 * i});
    QCoreApplication::processEvents();
  }
  QCOMPARE(w.truth()[0].keys.size(), size_t{6});
  QCOMPARE(w.truth()[0].keys.back().frame, int64_t{26});
}

void TruthTest::positions_are_dragged_removed_and_undone() {
  TruthWindow w;
  w.draw();
  w.go(3);
  w.set(0, 0);
  w.window->action("next_true_person")->trigger();
  press(w.cameras(), w.in_camera(0, 0));
  move(w.cameras(), w.in_camera(0.2, 0.2));
  QVERIFY((w.marks()[0].position_in_world_m.head<2>() - Eigen::Vector2d(0.2, 0.2)).norm() < 0.03);
  QVERIFY((place_of(w.truth()[0].keys[0])).norm() < 0.02);
  release(w.cameras(), w.in_camera(0.2, 0.2));
  QCOMPARE(w.truth().size(), size_t{1});
  QVERIFY((place_of(w.truth()[0].keys[0]) - Eigen::Vector2d(0.2, 0.2)).norm() < 0.03);
  QTRY_COMPARE(w.panel().chosen(), int64_t{1});
  // Escape in a drag: nothing moves, and the tool ends.
  press(w.cameras(), w.in_camera(0.2, 0.2));
  move(w.cameras(), w.in_camera(-0.2, 0.2));
  w.key(Qt::Key_Escape);
  QVERIFY(!w.control().drawing());
  release(w.cameras(), w.in_camera(-0.2, 0.2));
  QVERIFY((place_of(w.truth()[0].keys[0]) - Eigen::Vector2d(0.2, 0.2)).norm() < 0.03);
  w.window->action("remove_true_position")->trigger();
  QTRY_VERIFY(w.truth().empty());
  QTRY_VERIFY(w.marks().empty());
  w.window->action("undo")->trigger();
  QTRY_COMPARE(w.truth().size(), size_t{1});
  QTRY_COMPARE(w.panel().table()->rowCount(), 1);
  w.panel().choose(1);
  w.control().update_availability();
  w.window->action("remove_true_person")->trigger();
  QTRY_VERIFY(w.truth().empty());
}

void TruthTest::results_are_measured_as_one_draws() {
  TruthWindow w;
  w.draw();
  QTRY_VERIFY(w.panel().metrics().contains("No one was drawn"));
  const FakeScene scene;
  auto tracks = std::make_shared<Tracks>();
  tracks->frame_rate = scene.frame_rate;
  tracks->paths = {{1, {}}, {2, {}}};
  for (int64_t frame = 0; frame < scene.frames; ++frame) {
    tracks->frames.push_back(frame);
    tracks->paths[0].points.push_back({frame, 0, 0, 1.7, 0.9, true, 0});
    if (frame >= 20) tracks->paths[1].points.push_back({frame, 3, 3, 1.7, 0.9, true, 0});
  }
  tracks->known_frames = tracks->frames;
  tracks->index();
  w.go(10);
  w.set(0.1, 0);
  QTRY_VERIFY(w.panel().metrics().contains("Analyse first"));
  w.bridge()->on_tracks(tracks);
  QTRY_VERIFY2(w.panel().metrics().contains("in 1 of these frames: MODA 1.000, IDF1 1.000"),
               qPrintable(w.panel().metrics()));
  // In ten frames more there is the other one, whom nobody drew.
  w.go(29);
  w.set(0.1, 0);
  QTRY_VERIFY2(w.panel().metrics().contains("in 20 of these frames: MODA 0.500") &&
                   w.panel().metrics().contains("0 missed, 10 false"),
               qPrintable(w.panel().metrics()));
  w.panel().height()->setValue(1.75);
  QTRY_VERIFY2(w.panel().metrics().contains("heights 5.0 cm"), qPrintable(w.panel().metrics()));
}

// Frames 0 to 19 of 40 that were drawn are analysed.
void TruthTest::frames_without_results_are_stated_and_can_be_left_out() {
  TruthWindow w;
  const FakeScene scene;
  auto tracks = std::make_shared<Tracks>();
  tracks->frame_rate = scene.frame_rate;
  tracks->paths = {{1, {}}};
  for (int64_t frame = 0; frame < 20; ++frame) {
    tracks->frames.push_back(frame);
    tracks->paths[0].points.push_back({frame, 0, 0, 1.7, 0.9, true, 0});
  }
  tracks->known_frames = tracks->frames;
  tracks->index();
  w.draw();
  w.go(0);
  w.set(0, 0);
  w.go(39);
  w.set(0, 0);
  w.bridge()->on_tracks(tracks);
  const QString words = "20 of 40 annotated frames have no results: ";
  QTRY_VERIFY2(w.panel().metrics().contains("MODA 0.500"), qPrintable(w.panel().metrics()));
  QVERIFY(w.panel().metrics().contains(words + "their people count as missed."));
  w.key(Qt::Key_Q, Qt::ControlModifier | Qt::AltModifier);
  QualityPanel& panel = *w.window->part<QualityControl>()->panel();
  QTRY_VERIFY(panel.isVisible() && panel.table()->rowCount() > 8);
  QCOMPARE(panel.table()->item(0, 1)->text(), QString("0.500"));
  QVERIFY2(panel.text().contains(words + "their people count as missed."), qPrintable(panel.text()));
  QTest::mouseClick(panel.analysed_only(), Qt::LeftButton, {}, {8, panel.analysed_only()->height() / 2});
  QVERIFY(panel.analysed_only()->isChecked());
  QTRY_COMPARE(panel.table()->item(0, 1)->text(), QString("1.000"));
  QVERIFY2(panel.text().contains(words + "they are left out."), qPrintable(panel.text()));
  QTRY_VERIFY2(w.panel().metrics().contains("in 20 of these frames: MODA 1.000"),
               qPrintable(w.panel().metrics()));
}

// Somebody is found in frames 0 to 39 but for 12 to 16, and another one, whom nobody drew, in 30 to 32.
void TruthTest::the_quality_page_has_intervals_parts_and_worst_moments() {
  TruthWindow w;
  const FakeScene scene;
  auto tracks = std::make_shared<Tracks>();
  tracks->frame_rate = scene.frame_rate;
  tracks->paths = {{1, {}}, {2, {}}};
  for (int64_t frame = 0; frame < 40; ++frame) {
    tracks->frames.push_back(frame);
    if (frame < 12 || frame > 16) tracks->paths[0].points.push_back({frame, 0, 0, 1.7, 0.9, true, 0});
    if (frame >= 30 && frame < 33) tracks->paths[1].points.push_back({frame, 3, 3, 1.7, 0.9, true, 0});
  }
  tracks->known_frames = tracks->frames;
  tracks->index();
  QVERIFY(w.window->action("measure_results")->toolTip().contains("Draw ground truth first"));
  w.draw();
  w.go(0);
  w.set(0, 0);
  w.go(39);
  w.set(0, 0);
  w.bridge()->on_tracks(tracks);
  QTRY_VERIFY(w.window->action("measure_results")->isEnabled());
  w.key(Qt::Key_Q, Qt::ControlModifier | Qt::AltModifier);
  QualityPanel& panel = *w.window->part<QualityControl>()->panel();
  QTRY_VERIFY(panel.isVisible());
  QTRY_VERIFY(panel.table()->rowCount() > 8);
  QCOMPARE(panel.table()->item(0, 0)->text(), QString("MODA"));
  QCOMPARE(panel.table()->item(0, 1)->text(), QString("0.800"));  // 5 missed and 3 false of 40
  QVERIFY(panel.text().contains("whole recording"));
  QCOMPARE(panel.table()->item(0, 2)->text(), QStringLiteral("\u2013"));
  QVERIFY2(panel.table()->item(0, 2)->toolTip().contains("no interval: 40 frames are too few"),
           qPrintable(panel.table()->item(0, 2)->toolTip()));
  for (const auto* label : panel.findChildren<QLabel*>())
    QTRY_VERIFY2(label->heightForWidth(label->width()) <= label->height() + 1, qPrintable(label->text()));
  keep_picture(*w.window, "quality_all");
  panel.choose_view(QualityView::time);
  QTRY_COMPARE(panel.table()->rowCount(), 10);
  QCOMPARE(panel.table()->item(3, 0)->text(), QString("12-15"));
  QTest::mouseClick(panel.table()->viewport(), Qt::LeftButton, {},
                    panel.table()->visualItemRect(panel.table()->item(3, 0)).center());
  QTRY_COMPARE(w.window->workspace()->timeline()->frame(), int64_t{12});
  keep_picture(*w.window, "quality_time");
  panel.choose_view(QualityView::person);
  QTRY_COMPARE(panel.table()->rowCount(), 1);
  QCOMPARE(panel.table()->item(0, 0)->text(), QString("1"));
  w.window->action("copy_quality")->trigger();
  QVERIFY(QGuiApplication::clipboard()->text().startsWith("Person\tCompared\t"));
  panel.choose_view(QualityView::zone);
  QTRY_VERIFY2(panel.text().contains("no zones"), qPrintable(panel.text()));
  QVERIFY(!w.window->action("copy_quality")->isEnabled());
  // One key, wherever one is.
  w.key(Qt::Key_Y, Qt::ControlModifier | Qt::AltModifier);
  QTRY_COMPARE(panel.view(), QualityView::moments);
  QTRY_COMPARE(panel.table()->rowCount(), 2);
  QTRY_COMPARE(w.window->workspace()->timeline()->frame(), int64_t{12});
  w.key(Qt::Key_Y, Qt::ControlModifier | Qt::AltModifier);
  QTRY_COMPARE(w.window->workspace()->timeline()->frame(), int64_t{30});
  QVERIFY(panel.table()->item(1, 1)->text().contains("3 frames"));
  keep_picture(*w.window, "quality_moments");
  QTemporaryDir folder;
  w.window->part<QualityControl>()->export_to(folder.filePath("moments.csv"));
  QTRY_VERIFY(QFile::exists(folder.filePath("moments.csv")));
  const std::string csv = read_file(folder.filePath("moments.csv").toStdString()).value();
  QVERIFY2(csv.find("\nmissed,12,12,16,1,") != std::string::npos, csv.c_str());
}

void TruthTest::other_tools_end_it_and_it_ends_them() {
  TruthWindow w;
  w.draw();
  w.window->action("draw_zone")->trigger();
  QVERIFY(!w.control().drawing());
  QVERIFY(w.window->part<FloorControl>()->drawing());
  w.window->action("draw_truth")->trigger();
  QVERIFY(w.control().drawing());
  QVERIFY(!w.window->part<FloorControl>()->drawing());
  w.window->action("measure_distance")->trigger();
  QVERIFY(!w.control().drawing());
  w.window->action("draw_truth")->trigger();
  QVERIFY(!w.window->part<MeasureControl>()->measuring());
  w.window->action("close")->trigger();
  QVERIFY(!w.control().drawing());
}

void TruthTest::is_imported_merged_and_exported() {
  const QTemporaryDir folder;
  const std::filesystem::path file = folder.filePath("theirs.csv").toStdString();
  std::string rows;
  for (int frame = 1; frame <= 30; ++frame)
    rows += std::to_string(frame) + ",1,-1,-1,-1,-1,1,0,0,0\n" + std::to_string(frame) +
            ",2,-1,-1,-1,-1,1,1,1,0\n";
  QVERIFY(write_file_atomically(file, rows).has_value());
  TruthWindow w;
  w.draw();
  w.go(4);
  w.set(0.1, 0);
  w.control().import_from(QString::fromStdString(file.string()));
  QTRY_COMPARE(w.truth().size(), size_t{2});
  QVERIFY2(w.window->messages()->text().contains("1 true people imported") ||
               w.window->messages()->text().contains("imported"),
           qPrintable(w.window->messages()->text()));
  QCOMPARE(w.truth()[0].keys.size(), size_t{1});
  QCOMPARE(w.truth()[1].keys.size(), size_t{30});  // every frame as it is
  QVERIFY(write_file_atomically(file, "1,1,10,20,30,40,1,-1,-1,-1\n").has_value());
  w.control().import_from(QString::fromStdString(file.string()));
  QTRY_VERIFY2(w.window->messages()->text().contains("no positions on the floor"),
               qPrintable(w.window->messages()->text()));
  QCOMPARE(w.truth().size(), size_t{2});
  for (const char* name : {"truth.csv", "truth.json"}) {
    w.control().export_to(folder.filePath(name));
    QTRY_VERIFY(QFile::exists(folder.filePath(name)));
  }
  QVERIFY(read_file(folder.filePath("truth.json").toStdString())->find("\"track_id\":2") !=
          std::string::npos);
  w.session().post(command::Save{"/somewhere/hall.vantage"});
}

void TruthTest::what_cannot_be_done_says_why() {
  TruthWindow w;
  w.window->action("truth_dock")->trigger();
  QVERIFY(!w.window->action("export_truth")->isEnabled());
  QVERIFY(w.window->action("export_truth")->toolTip().contains("No one was drawn yet"));
  QVERIFY(w.window->action("remove_true_person")->toolTip().contains("Choose a person"));
  QVERIFY(!w.panel().height()->isEnabled());
  FakeScene uncalibrated;
  uncalibrated.calibrated = false;
  OpenWindow other(uncalibrated);
  QVERIFY(!other.window->action("draw_truth")->isEnabled());
  QVERIFY(other.window->action("draw_truth")->toolTip().contains("calibration"));
}

const TestPart<TruthTest> kTruthPart("truth");

}  // namespace vantage::ui

#include "truth_test.moc"
