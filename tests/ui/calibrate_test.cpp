#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QDoubleSpinBox>
#include <QFileInfo>
#include <QLineEdit>
#include <QMouseEvent>
#include <QProgressBar>
#include <QSettings>
#include <QStatusBar>
#include <QTableWidget>
#include <QTemporaryDir>
#include <algorithm>
#include <atomic>
#include <thread>

#include "core/calibration/formats/calibration.h"
#include "core/geometry/camera.h"
#include "core/video/video_writer.h"
#include "tests/support/drawn_board.h"
#include "tests/support/textured_pictures.h"
#include "tests/ui/support/open_window.h"
#include "tests/ui/support/window_test.h"
#include "ui/main_window/boards/board_page.h"
#include "ui/main_window/boards/boards_control.h"
#include "ui/main_window/calibrate/calibrate_control.h"
#include "ui/main_window/calibrate/calibrate_panel.h"
#include "ui/main_window/calibrate/compare_people_control.h"
#include "ui/main_window/calibrate/points_control.h"
#include "ui/main_window/calibrate/points_page.h"
#include "ui/main_window/calibrate/proposal.h"
#include "ui/main_window/export_control.h"
#include "ui/main_window/measure/measure_control.h"
#include "ui/main_window/nudge/nudge_control.h"
#include "ui/main_window/overlay_control.h"
#include "ui/main_window/result_text.h"
#include "ui/widgets/message_bar.h"

namespace vantage::ui {

// Calibration in the window: points clicked, cameras solved, the world levelled and scaled.
class CalibrateTest final : public WindowTest {
  Q_OBJECT
 private slots:
  void clicks_in_several_cameras_place_a_point();
  void a_click_is_moved_and_wrong_clicks_change_nothing();
  void a_camera_is_solved_proposed_applied_and_undone();
  void the_world_is_scaled_and_levelled();
  void measured_coordinates_are_typed();
  void people_place_a_camera_off_the_gui_thread();
  void a_wrong_pose_is_cured_where_it_is_named();
  void people_name_a_wrong_lens();
  void people_are_compared_before_a_proposal_is_applied();
  void a_board_solves_all_cameras();
  void offsets_of_a_board_are_taken_over_where_that_is_ticked();
  void a_bumped_camera_gets_a_calibration_from_its_jump_on();
  void a_camera_is_nudged_seen_and_applied();
  void a_grid_of_tags_is_described_kept_and_printed();
  void a_ruler_measures_in_pictures_and_ends();
  void a_measure_is_as_sure_as_its_cameras();
};

namespace {

// Pixels small enough for points to determine a pose.
const FakeScene kScene{.width_px = 640, .height_px = 480};

class CalibrateWindow : public OpenWindow {
 public:
  explicit CalibrateWindow(PeopleFunction place_by_people = {}, ComparePeopleFunction compare = {},
                           CheckFunction check = {}, AlignFunction align = {})
      : OpenWindow(kScene, true, std::move(check), 0, std::move(align), {}, nullptr,
                   std::move(place_by_people), std::move(compare)) {}

  CameraGrid* cameras() const { return window->workspace()->cameras(); }
  CalibratePanel* panel() const { return window->part<CalibratePanel>(); }
  CalibrateControl* control() const { return window->part<CalibrateControl>(); }
  PointsControl* points() const { return window->part<PointsControl>(); }
  const std::optional<CalibrationProposal>& proposal() const { return window->part<Proposal>()->proposed(); }
  const Project& project() { return session().project(); }

  QPointF in_view(size_t camera, const Eigen::Vector2d& pixel) const {
    const Camera truth = *kScene.project().cameras[camera].calibration;
    const QRectF area = cameras()->picture_area(static_cast<int>(camera));
    return {area.left() + (pixel.x() + 0.5) * area.width() / truth.width_px(),
            area.top() + (pixel.y() + 0.5) * area.height() / truth.height_px()};
  }
  void mouse(QEvent::Type type, const QPointF& at, Qt::MouseButtons held = {}) {
    const Qt::MouseButton button = type == QEvent::MouseMove ? Qt::NoButton : Qt::LeftButton;
    QMouseEvent event(type, at, cameras()->mapToGlobal(at), button, held, {});
    QCoreApplication::sendEvent(cameras(), &event);
  }
  void click(const QPointF& at) {
    mouse(QEvent::MouseButtonPress, at, Qt::LeftButton);
    mouse(QEvent::MouseButtonRelease, at);
    QCoreApplication::processEvents();
  }
  QPointF seen(size_t camera, const Eigen::Vector3d& point) const {
    return in_view(camera, *kScene.project().cameras[camera].calibration->project(point));
  }
  MeasureControl* ruler() const { return window->part<MeasureControl>(); }
  QString measure(int row, int column) const {
    const QTableWidgetItem* item = ruler()->list()->table()->item(row, column);
    return item ? item->text() : QString();
  }
  // Clicks a point of the scene in these cameras where they truly show it, then begins the next.
  void click_everywhere(const Eigen::Vector3d& point, const std::vector<size_t>& in = {0, 1, 2, 3}) {
    for (const size_t camera : in)
      click(in_view(camera, *kScene.project().cameras[camera].calibration->project(point)));
    key(Qt::Key_Return);
  }
  void move_camera(size_t camera, const CameraChange& change) {
    session().post(command::Edit{"camera", [=](Project& changed) {
                                   auto& calibration = changed.cameras[camera].calibration;
                                   calibration = changed_camera(*calibration, change);
                                 }});
    QCoreApplication::processEvents();
  }
  double off(size_t camera) {
    return change_between(*kScene.project().cameras[camera].calibration,
                          *project().cameras[camera].calibration)
        .norm();
  }
};

const std::vector<Eigen::Vector3d> kPlaces = {{0, 0, 0},        {0.5, 0, 0},    {0, 0.5, 0},
                                              {-0.5, 0.3, 0.4}, {0.3, -0.5, 1}, {-0.2, -0.4, 0.7},
                                              {0.4, 0.4, 1.2}};

}  // namespace

void CalibrateTest::clicks_in_several_cameras_place_a_point() {
  CalibrateWindow w;
  w.key(Qt::Key_C, Qt::ShiftModifier);
  QVERIFY(w.points()->clicking());
  w.click_everywhere({0.2, 0.3, 0.5}, {0, 1});
  QCOMPARE(w.project().points.size(), size_t{1});
  QCOMPARE(w.project().points[0].clicks.size(), size_t{2});
  QTRY_VERIFY(w.points()->page()->table()->item(0, 2)->text().startsWith("0.20"));
  w.click_everywhere({-0.4, 0.1, 0}, {2});
  QCOMPARE(w.project().points.size(), size_t{2});
  QTRY_VERIFY(w.panel()->text().contains("P2 is not placed"));
  w.window->action("undo")->trigger();
  QTRY_COMPARE(w.points()->page()->table()->rowCount(), 1);
  w.key(Qt::Key_Escape);
  QVERIFY(!w.points()->clicking());
  w.session().post(command::Save{"/somewhere/hall.vantage"});
}

void CalibrateTest::a_click_is_moved_and_wrong_clicks_change_nothing() {
  CalibrateWindow w;
  w.window->action("click_points")->setChecked(true);
  const QRectF gap = w.cameras()->picture_area(0);
  w.click(gap.topLeft() - QPointF(1, 1));  // beside every picture
  QVERIFY(w.project().points.empty());
  const QPointF at = w.in_view(0, {160, 200}), to = w.in_view(0, {360, 240});
  w.click(at);
  QCOMPARE(w.project().points.size(), size_t{1});
  const QStringList before = w.session().calls;
  w.click(at);  // on the click that is there
  QCOMPARE(w.session().calls, before);
  w.mouse(QEvent::MouseButtonPress, at, Qt::LeftButton);
  w.mouse(QEvent::MouseMove, to, Qt::LeftButton);
  w.mouse(QEvent::MouseMove, w.in_view(1, {80, 80}), Qt::LeftButton);  // another camera's picture
  w.mouse(QEvent::MouseMove, to, Qt::LeftButton);
  w.mouse(QEvent::MouseButtonRelease, to);
  QCOMPARE(w.project().points.size(), size_t{1});
  QVERIFY((w.project().points[0].clicks[0].at_px - Eigen::Vector2d(360, 240)).norm() < 1);
  // Given up between press and release: nothing moves.
  w.mouse(QEvent::MouseButtonPress, to, Qt::LeftButton);
  w.mouse(QEvent::MouseMove, at, Qt::LeftButton);
  w.key(Qt::Key_Escape);
  w.mouse(QEvent::MouseButtonRelease, at);
  QVERIFY((w.project().points[0].clicks[0].at_px - Eigen::Vector2d(360, 240)).norm() < 1);
  w.window->action("click_points")->setChecked(true);
  w.points()->page()->choose({"P1"});
  w.key(Qt::Key_Delete);
  QVERIFY(w.project().points.empty());
  w.session().post(command::Save{"/somewhere/hall.vantage"});
}

void CalibrateTest::a_camera_is_solved_proposed_applied_and_undone() {
  CalibrateWindow w;
  CameraChange change = CameraChange::Zero();
  change << 0.02, -0.03, 0.01, 0.1, -0.05, 0.08, 0;
  w.move_camera(2, change);
  w.window->action("click_points")->setChecked(true);
  QVERIFY(!w.window->action("solve_points")->isEnabled());
  for (const Eigen::Vector3d& place : kPlaces) w.click_everywhere(place);
  QCOMPARE(w.project().points.size(), kPlaces.size());
  w.panel()->choose_cameras({w.project().cameras[2].name});
  QVERIFY(w.window->action("solve_points")->isEnabled());
  w.window->action("solve_points")->trigger();
  QTRY_VERIFY(w.proposal());
  QCOMPARE(w.panel()->proposal()->rowCount(), 1);
  QVERIFY(w.off(2) > 0.1);  // not before it is applied
  w.window->action("apply_calibration")->trigger();
  QTRY_VERIFY(w.off(2) < 0.02);
  QVERIFY(!w.proposal());
  w.window->action("undo")->trigger();
  QTRY_VERIFY(w.off(2) > 0.1);
  // A proposal goes with what it was made of.
  w.window->action("solve_points")->trigger();
  QTRY_VERIFY(w.proposal());
  w.window->action("undo")->trigger();
  QTRY_VERIFY(!w.proposal());
  // All cameras at once, with nothing that holds the world: said, and nothing proposed.
  std::vector<std::string> all;
  for (const ProjectCamera& camera : w.project().cameras) all.push_back(camera.name);
  w.panel()->choose_cameras(all);
  w.window->action("solve_points")->trigger();
  QTRY_VERIFY(w.panel()->text().contains("the gauge is open"));
  QVERIFY(!w.proposal());
  w.session().post(command::Save{"/somewhere/hall.vantage"});
}

void CalibrateTest::the_world_is_scaled_and_levelled() {
  CalibrateWindow w;
  w.window->action("click_points")->setChecked(true);
  for (size_t i = 0; i < 3; ++i) w.click_everywhere(kPlaces[i]);
  QVERIFY(!w.window->action("scale_world")->isEnabled());
  w.points()->page()->choose({"P1", "P2"});
  emit w.points()->page()->chosen_changed();
  w.points()->page()->length()->setValue(1);  // they are 0.5 m apart
  w.window->action("scale_world")->trigger();
  QTRY_VERIFY(w.proposal());
  QVERIFY(w.panel()->proposal_text().contains("scaled by 2.0") ||
          w.panel()->proposal_text().contains("scaled by 1.9"));
  const Eigen::Vector3d before = w.project().cameras[0].calibration->center_in_world_m();
  w.window->action("apply_calibration")->trigger();
  QTRY_VERIFY((w.project().cameras[0].calibration->center_in_world_m() - 2 * before).norm() < 0.1);
  w.points()->page()->choose({"P1", "P2", "P3"});
  emit w.points()->page()->chosen_changed();
  w.window->action("level_world")->trigger();
  QTRY_VERIFY(w.proposal());
  w.window->action("dismiss_calibration")->trigger();
  QVERIFY(!w.proposal());
  QVERIFY((w.project().cameras[0].calibration->center_in_world_m() - 2 * before).norm() < 0.1);
  w.session().post(command::Save{"/somewhere/hall.vantage"});
}

void CalibrateTest::measured_coordinates_are_typed() {
  CalibrateWindow w;
  w.window->action("click_points")->setChecked(true);
  w.click_everywhere(kPlaces[0]);
  w.points()->page()->choose({"P1"});
  QLineEdit* field = w.points()->page()->coordinates();
  const auto type = [&](const QString& text) {
    field->setFocus();
    field->selectAll();
    QTest::keyClicks(field, text);
    if (text.isEmpty()) QTest::keyClick(field, Qt::Key_Delete);
    QTest::keyClick(field, Qt::Key_Return);
    QCoreApplication::processEvents();
  };
  type("1 2.5");
  QVERIFY(!w.project().points[0].known_m);
  type("1 two 3");
  QVERIFY(!w.project().points[0].known_m);
  type("1 2.5 -0.25");
  QVERIFY(w.project().points[0].known_m == Eigen::Vector3d(1, 2.5, -0.25));
  type("");
  QVERIFY(!w.project().points[0].known_m);
  w.session().post(command::Save{"/somewhere/hall.vantage"});
}

namespace {

// Free cameras 10 cm aside.
PeopleSolution moved_by_people(const Project& project, const std::vector<bool>& free) {
  PeopleSolution solution;
  for (size_t c = 0; c < free.size(); ++c) {
    PeopleSolvedCamera camera;
    camera.free = free[c], camera.camera = *project.cameras[c].calibration;
    CameraChange change = CameraChange::Zero();
    change[3] = 0.1;
    if (free[c]) camera.camera = *changed_camera(camera.camera, change), camera.moved_m = 0.1;
    solution.cameras.push_back(camera);
  }
  return solution;
}

}  // namespace

void CalibrateTest::people_place_a_camera_off_the_gui_thread() {
  std::atomic<bool> stopped = false, finish = false;
  const PeopleFunction place = [&](const Project& project, const std::vector<bool>& free, bool, FrameRange,
                                   const std::function<void(int64_t, int64_t)>& progress,
                                   const StopSource& stop) -> Result<PeopleSolution> {
    progress(1, 2);
    while (!finish && !stop.stop_requested()) std::this_thread::yield();
    stopped = stop.stop_requested();
    if (stopped) return fail(ErrorKind::cancelled, "stopped");
    PeopleSolution solution = moved_by_people(project, free);
    solution.all_free = std::find(free.begin(), free.end(), false) == free.end();
    solution.mean_height_m = 1.74;
    return solution;
  };
  CalibrateWindow w(place);
  w.window->action("calibrate")->trigger();
  w.panel()->choose_cameras({w.project().cameras[1].name});
  w.window->action("solve_people")->trigger();
  QTRY_VERIFY(w.control()->running().has_value());
  // Halfway, on the one bar: next to the work's name, whatever the dock.
  const auto bars = w.window->findChildren<QProgressBar*>();
  QTRY_COMPARE(std::ranges::count_if(bars, &QWidget::isVisible), 1);
  QCOMPARE(w.window->statusBar()->findChild<QProgressBar*>()->value(), 50);
  w.window->action("stop")->trigger();
  QTRY_VERIFY(stopped);
  QTRY_VERIFY(!w.control()->running().has_value());
  QVERIFY(!w.proposal());
  finish = true;
  w.window->action("solve_people")->trigger();
  QTRY_VERIFY(w.proposal());
  QVERIFY(!w.proposal()->text.contains("No camera was fixed"));
  w.window->action("apply_calibration")->trigger();
  QTRY_VERIFY(std::abs(w.off(1) - 0.1) < 1e-9);
  std::vector<std::string> all;
  for (const ProjectCamera& camera : w.project().cameras) all.push_back(camera.name);
  w.panel()->choose_cameras(all);
  w.window->action("solve_people")->trigger();
  QTRY_VERIFY(w.proposal());
  QVERIFY(w.proposal()->text.contains("No camera was fixed"));
  QVERIFY(w.proposal()->text.contains("1.74 m"));
  w.session().post(command::Save{"/somewhere/hall.vantage"});
}

// The pose is the cause: its cure is beside it, and both go with it. An offset's is another one.
void CalibrateTest::a_wrong_pose_is_cured_where_it_is_named() {
  const PeopleFunction place = [](const Project& project, const std::vector<bool>& free, bool, FrameRange,
                                  const std::function<void(int64_t, int64_t)>&, const StopSource&) {
    return Result<PeopleSolution>(moved_by_people(project, free));
  };
  std::atomic<bool> pose = true;
  const CheckFunction check = [&](const Project& project, const CheckOptions&) {
    const std::string& name = project.cameras[1].name;
    CheckReport report;
    if (pose)
      report.items = {
          {"outlines", name, Verdict::failed,
           "its pose differs from the calibration by up to 38 ± 1 cm on the floor (turned by 2.2 "
           "degrees); its outlines differ by up to 19.0 px",
           "", "Solve it.", -1},
          {"offsets", name, Verdict::cannot_tell, "appears to have started 1 frame after cam1", "", "", -1}};
    else
      report.items = {{"offsets", name, Verdict::doubtful,
                       "appears to have started 1 frame (0.04 s) after cam1", "", "Find it.", -1}};
    return report;
  };
  CalibrateWindow w(place, {}, check, [](const Project&, const AlignOptions&) {
    return Result<Alignment>(fail(ErrorKind::cancelled, "not wanted"));
  });
  MessageBar* messages = w.window->messages();
  const QString camera = QString::fromStdString(w.project().cameras[1].name);
  const QString named =
      camera + ": its pose differs from the calibration by up to 38 \u00b1 1 cm on the floor.";
  w.window->action("check")->trigger();
  QTRY_COMPARE(messages->text(), named);
  // Not of the page of a new project, but of this one.
  w.window->action("new_project")->trigger();
  QVERIFY(messages->isHidden());
  w.key(Qt::Key_Escape);
  QTRY_VERIFY(!messages->isHidden());
  QCOMPARE(messages->text(), named);
  button(messages, "Solve From People")->click();
  QTRY_VERIFY(w.proposal());
  QCOMPARE(w.panel()->chosen_cameras(), std::vector{w.project().cameras[1].name});
  w.window->action("check")->trigger();
  QTRY_COMPARE(messages->text(), named);
  w.window->action("apply_calibration")->trigger();
  QTRY_VERIFY(std::abs(w.off(1) - 0.1) < 1e-9);
  QTRY_VERIFY2(messages->text() != named, "the pose is another one");
  pose = false;
  w.window->action("check")->trigger();
  QTRY_COMPARE(messages->text(), camera + " appears to have started 1 frame (0.04 s) after cam1.");
  QVERIFY(button(messages, "Find Offsets"));
  w.session().post(command::Save{"/somewhere/hall.vantage"});
  QTRY_VERIFY(!w.window->isWindowModified());
  w.window->open_project("/somewhere/else.vantage");
  QTRY_VERIFY(!messages->text().contains("appears to have started"));
}

// Nothing can be applied that a wrong lens bends; with the lenses solved it can, and is undone.
void CalibrateTest::people_name_a_wrong_lens() {
  const PeopleFunction place = [](const Project& project, const std::vector<bool>& free, bool solve_lenses,
                                  FrameRange, const std::function<void(int64_t, int64_t)>&,
                                  const StopSource&) -> Result<PeopleSolution> {
    PeopleSolution solution = moved_by_people(project, free);
    solution.all_free = true;
    for (PeopleSolvedCamera& camera : solution.cameras) {
      camera.lens = {solve_lenses ? LensVerdict::solved : LensVerdict::fits, 0.001, 0.004, 0.002, 0.01, 0.3};
      camera.moved_any_lens_m = 0.042;
    }
    if (!solve_lenses)
      solution.cameras[1].lens = {LensVerdict::wrong, -0.0312, 0.004, 0.002, 0.01, 0.3},
      solution.cameras[1].determined = false;
    return solution;
  };
  CalibrateWindow w(place);
  w.window->action("calibrate")->trigger();
  std::vector<std::string> all;
  for (const ProjectCamera& camera : w.project().cameras) all.push_back(camera.name);
  w.panel()->choose_cameras(all);
  QCheckBox* lenses = nullptr;
  for (QCheckBox* box : w.panel()->findChildren<QCheckBox*>())
    if (box->accessibleName() == "Solve lenses by people") lenses = box;
  QVERIFY(lenses);
  QVERIFY(!lenses->toolTip().isEmpty());
  w.window->action("solve_people")->trigger();
  QTRY_VERIFY(w.proposal());
  const QString text = w.proposal()->text;
  const QString name = QString::fromStdString(w.project().cameras[1].name);
  QVERIFY2(text.contains(name + ": the fixed lens does not fit"), qPrintable(text));
  QVERIFY2(text.contains("-3.12 %"), qPrintable(text));
  QVERIFY(!w.window->action("apply_calibration")->isEnabled());
  lenses->setChecked(true);
  w.window->action("solve_people")->trigger();
  QTRY_VERIFY(w.proposal() && w.window->action("apply_calibration")->isEnabled());
  QVERIFY(!w.proposal()->text.contains("does not fit"));
  QVERIFY(w.proposal()->rows.at(1).tip.contains("lens solved"));
  w.window->action("apply_calibration")->trigger();
  QTRY_VERIFY(std::abs(w.off(1) - 0.1) < 1e-9);
  QTRY_VERIFY(w.window->action("undo")->isEnabled());
  w.window->action("undo")->trigger();
  QTRY_VERIFY(w.off(1) < 1e-9);
  w.session().post(command::Save{"/somewhere/hall.vantage"});
}

void CalibrateTest::people_are_compared_before_a_proposal_is_applied() {
  const PeopleFunction place = [](const Project& project, const std::vector<bool>& free, bool, FrameRange,
                                  const std::function<void(int64_t, int64_t)>&,
                                  const StopSource&) -> Result<PeopleSolution> {
    return moved_by_people(project, free);
  };
  std::atomic<bool> finish = false, stopped = false;
  double apart_m = 0;
  const ComparePeopleFunction compare = [&](const Project&, const BothCalibrations& both,
                                            const std::function<void(int64_t, int64_t)>& progress,
                                            const StopSource& stop) -> Result<ComparedByPeople> {
    progress(1, 4);
    while (!finish && !stop.stop_requested()) std::this_thread::yield();
    stopped = stop.stop_requested();
    if (stopped) return fail(ErrorKind::cancelled, "stopped");
    apart_m = (both.cameras[0][1].center_in_world_m() - both.cameras[1][1].center_in_world_m()).norm();
    ComparedByPeople compared;
    compared.people.found[0].tracks = 5, compared.people.found[1].tracks = 6;
    compared.people.same = 1234;
    return compared;
  };
  CalibrateWindow w(place, compare);
  w.window->action("calibrate")->trigger();
  QAction* action = w.window->action("compare_people");
  QVERIFY(!action->isEnabled());
  QVERIFY(action->toolTip().contains("Nothing is proposed"));
  w.panel()->choose_cameras({w.project().cameras[1].name});
  w.window->action("solve_people")->trigger();
  QTRY_VERIFY(w.proposal());
  QTRY_VERIFY(action->isEnabled());
  action->trigger();
  QTRY_VERIFY(w.window->part<ComparePeopleControl>()->running().has_value());
  QTRY_COMPARE(w.window->statusBar()->findChild<QProgressBar*>()->value(), 25);
  QVERIFY(!action->isEnabled());
  w.window->action("stop")->trigger();
  QTRY_VERIFY(stopped);
  QTRY_VERIFY(action->isEnabled());
  QVERIFY(!w.proposal()->text.contains("1234"));
  finish = true;
  action->trigger();
  QTRY_VERIFY(w.proposal()->text.contains("5 and 6 tracks"));
  QVERIFY(w.proposal()->text.contains("1234 of them the same"));
  QVERIFY(w.proposal()->text.contains("cannot tell"));
  QVERIFY(std::abs(apart_m - 0.1) < 1e-9);
  w.window->action("apply_calibration")->trigger();
  QTRY_VERIFY(std::abs(w.off(1) - 0.1) < 1e-9);
  QTRY_VERIFY(!action->isEnabled());
  w.session().post(command::Save{"/somewhere/hall.vantage"});
}

// As if it was solved by a board: the second camera's clip is 3.25 frames ahead.
void CalibrateTest::offsets_of_a_board_are_taken_over_where_that_is_ticked() {
  const QTemporaryDir folder;
  const Board board{7, 5, 0.08};
  CalibrateWindow w;
  w.window->action("calibrate")->trigger();
  Project project = w.project();
  SolvedProjectBoards solved;
  std::vector<BoardClip> own;
  for (size_t c = 0; c < project.cameras.size(); ++c) {
    ProjectCamera& camera = project.cameras[c];
    const QString pictures = folder.filePath(QStringLiteral("cam%1").arg(c));
    QVERIFY(test::write_boards(pictures.toStdString(), *camera.calibration, board));
    camera.video = pictures.toStdString();
    own.push_back({camera.name, {}});
    CameraSolution& one = solved.solution.cameras.emplace_back();
    one.camera = *camera.calibration, one.posed = true;
    solved.found.push_back({.frame_rate = 25, .pictures = 4, .views = {}});
    solved.clips.push_back({.offset_frames = c == 1 ? 3.25 : 0, .offset_std_frames = 0.01});
  }
  solved.clips[1].readout_frames = 0.5, solved.clips[1].readout_std_frames = 0.01;
  solved.clips[1].rolling = solved.clips[1].readout_known = true;
  solved.solution.instants = {2, 4, 6};
  const auto propose = [&](std::vector<BoardClip> clips) {
    w.window->part<Proposal>()->solve([=](const Project&, const auto&, const auto&) {
      return Result<CalibrationProposal>(propose_by_board(project, solved, clips));
    });
    QTRY_VERIFY2(w.proposal(), qPrintable(w.panel()->text()));
  };
  const QString second = QString::fromStdString(project.cameras[1].name);
  auto* box = w.panel()->findChild<QCheckBox*>("take_offsets");
  QVERIFY(box && box->isHidden());
  propose(own);
  QVERIFY(box->isVisible() && box->isChecked());
  QVERIFY2(w.panel()->proposal_text().contains(second + QStringLiteral(" 0 \u2192 3.25")),
           qPrintable(w.panel()->proposal_text()));
  QVERIFY2(w.panel()->proposal()->item(1, 0)->toolTip().contains(
               QStringLiteral("the last row 20.00 \u00b1 0.40 ms after the first")),
           qPrintable(w.panel()->proposal()->item(1, 0)->toolTip()));
  keep_picture(*w.window, "board_offsets");
  w.window->action("apply_calibration")->trigger();
  QTRY_COMPARE(w.project().cameras[1].offset_frames, 3.25);
  QVERIFY(w.project().cameras[1].offset_confirmed);
  QCOMPARE(w.project().cameras[2].offset_frames, 0.0);
  QTRY_VERIFY(w.window->action("undo")->isEnabled());
  w.window->action("undo")->trigger();
  QTRY_COMPARE(w.project().cameras[1].offset_frames, 0.0);
  // Not ticked: the calibration alone.
  propose(own);
  box->click();
  const double before = w.off(0);
  solved.clips.clear();
  w.window->action("apply_calibration")->trigger();
  QTRY_VERIFY(!w.proposal());
  QTRY_VERIFY(w.window->action("undo")->isEnabled());
  QCOMPARE(w.project().cameras[1].offset_frames, 0.0);
  QCOMPARE(w.off(0), before);
  // Solved in step there is nothing to take over; another clip is said, and has to be ticked.
  propose(own);
  QVERIFY(box->isHidden());
  solved.clips.resize(project.cameras.size());
  std::vector<BoardClip> others = own;
  others[1].path = folder.filePath("board.mp4").toStdString();
  propose(others);
  QVERIFY(box->isVisible() && !box->isChecked());
  QVERIFY2(w.panel()->proposal_text().contains("the clip of " + second + " is not its own video"),
           qPrintable(w.panel()->proposal_text()));
  w.session().post(command::Save{"/somewhere/hall.vantage"});
}

// The board lies about in the middle of the scene; the pictures are those of the scene's cameras.
void CalibrateTest::a_board_solves_all_cameras() {
  const Board board{7, 5, 0.08};
  const QTemporaryDir folder;
  const Project truth = kScene.project();
  CalibrateWindow w;
  w.window->action("calibrate")->trigger();
  BoardPage* page = w.window->part<BoardsControl>()->page();
  w.window->part<BoardsControl>()->show_page();
  QTRY_VERIFY(page->isVisible());
  QCOMPARE(page->table()->rowCount(), 4);
  QVERIFY(!w.window->action("board_video")->isEnabled());
  for (int c = 0; c < 4; ++c) {
    const QString pictures = folder.filePath(QStringLiteral("cam%1").arg(c));
    QVERIFY(test::write_boards(pictures.toStdString(), *truth.cameras[c].calibration, board));
    page->set_pictures(c, pictures);
  }
  page->table()->selectRow(1);
  QTRY_VERIFY(w.window->action("board_video")->isEnabled());
  // First a board that is not in the pictures: said, nothing is proposed.
  page->set_board({12, 9, 0.08});
  w.window->action("solve_board")->trigger();
  QTRY_VERIFY2(w.panel()->text().contains("no board of 12 x 9"), qPrintable(w.panel()->text()));
  QVERIFY(!w.proposal());
  page->set_board(board);
  QTRY_VERIFY(w.window->action("solve_board")->isEnabled());
  w.window->action("solve_board")->trigger();
  QTRY_VERIFY2(w.proposal(), qPrintable(w.panel()->text()));
  QVERIFY2(w.panel()->proposal_text().contains("Solved by the board in 4 frames"),
           qPrintable(w.panel()->proposal_text()));
  QCOMPARE(w.panel()->proposal()->rowCount(), 5);  // and all of them
  QCOMPARE(w.panel()->proposal()->item(0, 4)->text(), QString("4 of 4"));
  keep_picture(*w.window, "board");
  w.window->action("apply_calibration")->trigger();
  QTRY_VERIFY(w.off(0) > 0.01);  // another world
  // The cameras stand to each other as they truly do.
  const auto apart = [](const Project& project) {
    return (project.cameras[0].calibration->center_in_world_m() -
            project.cameras[2].calibration->center_in_world_m())
        .norm();
  };
  QVERIFY2(std::abs(apart(w.project()) - apart(truth)) < 0.02,
           qPrintable(QString::number(apart(w.project()))));
  QVERIFY(!w.project().grid);
  // The ruler knows how sure they are, across two of them.
  w.window->action("measure_distance")->trigger();
  w.click(w.seen(0, {-0.5, 0.3, 0}));
  w.click(w.seen(2, {0.7, 0.3, 0}));
  QTRY_VERIFY2(w.measure(0, 2).endsWith(" cm"), qPrintable(w.measure(0, 2)));
  QVERIFY2(w.measure(0, 1).startsWith("1.2") || w.measure(0, 1).startsWith("1.19"),
           qPrintable(w.measure(0, 1)));
  w.window->action("undo")->trigger();
  QTRY_COMPARE(w.ruler()->list()->table()->rowCount(), 0);
  QTRY_VERIFY(w.window->action("undo")->isEnabled());
  w.window->action("undo")->trigger();
  QTRY_VERIFY(w.off(0) < 1e-9);
  w.session().post(command::Save{"/somewhere/hall.vantage"});
}

// Two cameras of a still scene, one of which is knocked in the middle.
void CalibrateTest::a_bumped_camera_gets_a_calibration_from_its_jump_on() {
  constexpr int64_t kFrames = 60, kJump = 31;
  const QTemporaryDir folder;
  CalibrateWindow w;
  const Project truth = w.project();
  CameraChange turn = CameraChange::Zero();
  turn[1] = 0.01;
  std::vector<std::string> videos, names;
  for (size_t c = 0; c < 2; ++c) {
    const Camera& camera = *truth.cameras[c].calibration;
    const test::TexturedScene scene(static_cast<unsigned>(7 + c));
    const double way_px = camera.model().fx_px * std::tan(turn[1]);  // of the picture's middle
    videos.push_back(folder.filePath(QStringLiteral("cam%1.mp4").arg(c)).toStdString());
    names.push_back(truth.cameras[c].name);
    std::mt19937 random(3);
    const auto picture = [&](double x_px) {
      return scene.seen(camera.width_px(), camera.height_px(), x_px, 0, random, 1, 1, 0);
    };
    const Picture before = picture(0), after = c == 1 ? picture(way_px) : before;
    auto writer = VideoWriter::open(videos[c], before.format(), {});
    QVERIFY(writer.has_value());
    for (int64_t frame = 0; frame < kFrames; ++frame)
      QVERIFY((*writer)->write(frame < kJump ? before : after).has_value());
    QVERIFY((*writer)->finish().has_value());
  }
  w.session().post(command::Edit{"videos", [&](Project& project) {
                                   for (size_t c = 0; c < 2; ++c) project.cameras[c].video = videos[c];
                                 }});
  QCoreApplication::processEvents();
  w.window->action("calibrate")->trigger();
  QVERIFY(!w.window->action("drop_later_calibrations")->isEnabled());
  w.panel()->choose_cameras(names);
  QTRY_VERIFY(w.window->action("find_bumped")->isEnabled());
  w.window->action("find_bumped")->trigger();
  QTRY_VERIFY2(w.proposal(), qPrintable(w.panel()->text()));
  QCOMPARE(w.panel()->proposal()->rowCount(), 1);
  QVERIFY2(w.panel()->proposal()->item(0, 0)->text().contains(QStringLiteral("from frame %1").arg(kJump)),
           qPrintable(w.panel()->proposal()->item(0, 0)->text()));
  QVERIFY2(w.panel()->proposal_text().contains("Stands still: " + QString::fromStdString(names[0])),
           qPrintable(w.panel()->proposal_text()));
  keep_picture(*w.window, "bumped");
  w.window->action("apply_calibration")->trigger();
  QTRY_COMPARE(w.project().cameras[1].later_calibrations.size(), size_t{1});
  QVERIFY(w.project().cameras[0].later_calibrations.empty());
  QCOMPARE(w.project().cameras[1].later_calibrations[0].from_frame, kJump);
  const CameraChange found =
      change_between(*truth.cameras[1].calibration, w.project().cameras[1].later_calibrations[0].camera);
  QVERIFY2(std::abs(found.norm() - turn.norm()) < 0.003, qPrintable(QString::number(found.norm())));
  QTRY_VERIFY(
      w.panel()->cameras()->item(1, 1)->toolTip().contains("another pose from frame 31 on: turned by"));
  // Clicks keep no time: none is taken where the camera stands otherwise.
  w.session().post(command::Seek{kJump + 5});
  QCoreApplication::processEvents();
  w.window->action("click_points")->setChecked(true);
  w.click(w.in_view(1, {160, 200}));
  QVERIFY(w.project().points.empty());
  w.click(w.in_view(0, {160, 200}));
  QTRY_COMPARE(w.project().points.size(), size_t{1});
  w.window->action("click_points")->setChecked(false);
  // What is exported, and by whom a position is seen, is as at that frame.
  const QString exported = folder.filePath("then.json");
  w.window->part<ExportControl>()->export_calibration_to(exported, "vantage");
  QTRY_VERIFY(QFileInfo::exists(exported));
  const auto then = read_calibration(exported.toStdString(), {});
  QVERIFY(then.has_value());
  QVERIFY(change_between(w.project().cameras[1].later_calibrations[0].camera, then->cameras[1]).norm() <
          1e-6);
  Project away = w.project();
  CameraChange round = CameraChange::Zero();
  round[1] = M_PI;
  away.cameras[1].later_calibrations[0].camera = *changed_camera(*away.cameras[1].calibration, round);
  const Eigen::Vector3d middle(0, 0, 0.5);
  QCOMPARE(position_text(away, kJump - 1, middle), position_text(truth, 0, middle));
  QVERIFY(position_text(away, kJump, middle) != position_text(away, kJump - 1, middle));

  QTRY_VERIFY(w.window->action("drop_later_calibrations")->isEnabled());
  w.window->action("drop_later_calibrations")->trigger();
  QTRY_VERIFY(w.project().cameras[1].later_calibrations.empty());
  w.window->action("undo")->trigger();
  QTRY_COMPARE(w.project().cameras[1].later_calibrations.size(), size_t{1});
  w.session().post(command::Save{"/somewhere/hall.vantage"});
}

// Until it is applied a nudge is only looked at.
void CalibrateTest::a_camera_is_nudged_seen_and_applied() {
  CalibrateWindow w;
  w.key(Qt::Key_C, Qt::ShiftModifier);
  for (const Eigen::Vector3d& place : kPlaces) w.click_everywhere(place);
  w.key(Qt::Key_Escape);
  const std::string name = w.project().cameras[1].name;
  w.panel()->choose_cameras({name});
  w.window->action("nudge_camera")->trigger();
  NudgePage* page = w.window->part<NudgeControl>()->page();
  QTRY_VERIFY(page->isVisible());
  QCOMPARE(page->camera(), name);
  QVERIFY(!w.window->action("apply_nudge")->isEnabled());
  const QImage before = w.cameras()->grabFramebuffer();
  page->fields()[1]->setValue(2);
  QTRY_VERIFY2(page->words().contains(QStringLiteral("Turned by 2.00\u00b0, moved by 0.0 cm")),
               qPrintable(page->words()));
  QVERIFY2(page->words().contains("Its clicks miss by"), qPrintable(page->words()));
  QVERIFY(page->words().contains("Places on the floor move by up to"));
  QTRY_VERIFY(w.cameras()->grabFramebuffer() != before);
  QVERIFY(w.off(1) < 1e-9);  // the project is as it was
  keep_picture(*w.window, "nudge");
  // Another camera, or Reset: as calibrated.
  page->choose_camera(w.project().cameras[2].name);
  QVERIFY(page->change().isZero());
  QVERIFY(page->words().isEmpty());
  page->choose_camera(name);
  page->fields()[6]->setValue(1);
  QTRY_VERIFY(w.window->action("reset_nudge")->isEnabled());
  w.window->action("reset_nudge")->trigger();
  QVERIFY(page->change().isZero());
  QTRY_VERIFY(w.cameras()->grabFramebuffer() == before);

  page->fields()[5]->setValue(-3);
  w.window->action("apply_nudge")->trigger();
  QTRY_VERIFY2(std::abs(w.off(1) - 0.03) < 1e-9, qPrintable(QString::number(w.off(1))));
  QTRY_VERIFY(page->change().isZero());
  w.window->action("undo")->trigger();
  QTRY_VERIFY(w.off(1) < 1e-9);
  w.session().post(command::Save{"/somewhere/hall.vantage"});
}

void CalibrateTest::a_grid_of_tags_is_described_kept_and_printed() {
  const QTemporaryDir folder;
  CalibrateWindow w;
  w.window->action("calibrate")->trigger();
  auto* control = w.window->part<BoardsControl>();
  BoardPage* page = control->page();
  control->show_page();
  QTRY_VERIFY(page->isVisible());
  const auto field = [&](const QString& name) -> QWidget* {
    for (QWidget* child : page->findChildren<QWidget*>())
      if (child->accessibleName() == name) return child;
    return nullptr;
  };
  page->set_board({9, 6, 0.03});
  QVERIFY(!field("Gap between tags")->isEnabled());
  page->set_board(grid_of_tags(5, 4, {"DICT_APRILTAG_36h11", 0.03, 0.009, 2}));
  QVERIFY(field("Gap between tags")->isEnabled());
  QVERIFY(field("First ID")->isEnabled());
  const auto is_it = [](const Board& board) {
    return board.columns == 10 && board.rows == 8 && board.tags && !board.markers &&
           board.tags->dictionary == "DICT_APRILTAG_36h11" && std::abs(board.tags->side_m - 0.03) < 1e-9 &&
           std::abs(board.tags->gap_m - 0.009) < 1e-9 && board.tags->first_id == 2;
  };
  QVERIFY(is_it(page->boards().boards[0]));
  keep_picture(*w.window, "tags");
  QSettings settings(folder.filePath("kept.ini"), QSettings::IniFormat);
  page->save(settings);
  BoardPage other(BoardPageActions{});
  other.restore(settings);
  QVERIFY(is_it(other.boards().boards[0]));
  QVERIFY(w.window->action("board_print")->isEnabled());
  const QString file = folder.filePath("board.pdf");
  control->print_to(file, "A4");
  QTRY_VERIFY(QFileInfo(file).size() > 5000);
  // What does not fit is said, and nothing is written.
  page->set_board({9, 6, 0.3});
  control->print_to(folder.filePath("large.pdf"), "A4");
  QTRY_VERIFY2(w.window->messages()->text().contains("the paper has 210 x 297 mm"),
               qPrintable(w.window->messages()->text()));
  QVERIFY(!QFileInfo::exists(folder.filePath("large.pdf")));
}

void CalibrateTest::a_ruler_measures_in_pictures_and_ends() {
  CalibrateWindow w;
  const Marks& marks = w.window->part<OverlayControl>()->marks();
  w.key(Qt::Key_M, Qt::AltModifier);
  QVERIFY(w.ruler()->measuring() && w.ruler()->list()->isVisible());
  w.click(w.seen(0, {-0.5, 0.3, 0}));
  QCOMPARE(marks.measures.size(), size_t{1});
  QVERIFY2(marks.measures[0].text.isEmpty(), "one click is no distance");
  w.click(w.seen(2, {0.7, 0.3, 0}));  // in another picture
  QTRY_COMPARE(w.measure(0, 1), QString("1.200 m"));
  QTRY_COMPARE(w.measure(0, 3), QString("cam1, cam3"));
  // A height by one drag, which ends in the picture it began in.
  w.key(Qt::Key_M, Qt::AltModifier | Qt::ShiftModifier);
  w.mouse(QEvent::MouseButtonPress, w.seen(1, {0.2, -0.4, 0}), Qt::LeftButton);
  QVERIFY(marks.measures.back().text.isEmpty());
  QVERIFY2(marks.measures.back().points_m.back().z() > 2, "a line shows what is straight above");
  w.mouse(QEvent::MouseMove, w.seen(1, {0.2, -0.4, 0.9}), Qt::LeftButton);
  QCOMPARE(marks.measures.back().text, QString("0.900 m"));
  w.mouse(QEvent::MouseMove, w.seen(3, {0, 0, 0}), Qt::LeftButton);
  w.mouse(QEvent::MouseMove, w.seen(1, {0.2, -0.4, 1.1}), Qt::LeftButton);
  w.mouse(QEvent::MouseButtonRelease, w.seen(1, {0.2, -0.4, 1.1}));
  QTRY_COMPARE(w.measure(1, 1), QString("1.100 m"));
  w.window->action("measure_angle")->trigger();
  for (const Eigen::Vector3d& point : {kPlaces[1], kPlaces[0], kPlaces[2]}) w.click(w.seen(0, point));
  QTRY_COMPARE(w.measure(2, 1), QString("90.0\u00b0"));
  // Esc in the middle: nothing is left of it, and clicks are nobody's.
  w.click(w.seen(0, kPlaces[1]));
  w.cameras()->setFocus();
  w.key(Qt::Key_Escape);
  QVERIFY(!w.ruler()->measuring());
  w.click(w.seen(0, kPlaces[2]));
  QCOMPARE(marks.measures.size(), size_t{3});
  w.window->action("copy_measures")->trigger();
  QVERIFY(QApplication::clipboard()->text().contains("distance\t1.200 m"));
  QVERIFY(QApplication::clipboard()->text().count('\n') == 2);
  w.ruler()->list()->table()->selectRow(0);
  w.window->action("remove_measures")->trigger();
  QTRY_COMPARE(w.ruler()->list()->table()->rowCount(), 2);
  QVERIFY(w.project().points.empty());
  // They are the project's: a removal is undone.
  QCOMPARE(w.project().measures.size(), size_t{2});
  QTRY_VERIFY(w.window->action("undo")->isEnabled());
  w.window->action("undo")->trigger();
  QTRY_COMPARE(w.measure(2, 1), QString("90.0\u00b0"));
  QVERIFY(w.project().measures[0].kind == MeasureKind::distance);
  QCOMPARE(w.project().measures[0].clicks[1].camera, w.project().cameras[2].name);
  w.session().post(command::Save{"/somewhere/hall.vantage"});
}

// The last tool that was asked for has the mouse, whatever had it before.
void CalibrateTest::a_measure_is_as_sure_as_its_cameras() {
  CalibrateWindow w;
  w.window->action("measure_distance")->trigger();
  w.window->action("click_points")->trigger();
  QVERIFY(!w.ruler()->measuring() && w.points()->clicking());
  for (const Eigen::Vector3d& place : kPlaces) w.click_everywhere(place);
  QCOMPARE(w.project().points.size(), kPlaces.size());
  w.panel()->choose_cameras({w.project().cameras[2].name});
  w.window->action("solve_points")->trigger();
  QTRY_VERIFY(w.proposal());
  w.window->action("apply_calibration")->trigger();
  QTRY_VERIFY(!w.proposal());
  w.window->action("measure_distance")->trigger();
  QVERIFY(w.ruler()->measuring() && !w.points()->clicking());
  QCOMPARE(w.cameras()->cursor().shape(), Qt::CrossCursor);
  for (const size_t camera : {size_t{2}, size_t{1}}) {
    w.click(w.seen(camera, {-0.5, 0.3, 0}));
    w.click(w.seen(camera, {0.7, 0.3, 0}));
  }
  QTRY_VERIFY2(w.measure(0, 2).endsWith(" cm"), qPrintable(w.measure(0, 2)));
  QVERIFY2(w.measure(1, 2).isEmpty(), "of that camera nothing is known");
  // Looking up it sees no floor: refused with the reason, and the measure before is no longer seen.
  CameraChange up = CameraChange::Zero();
  up[0] = -1.2;
  w.move_camera(2, up);
  QTRY_COMPARE(w.measure(0, 1), QString("not seen any more"));
  w.click(w.in_view(2, {320, 240}));
  QVERIFY(w.window->messages()->text().contains("No place of the floor"));
  QCOMPARE(w.ruler()->list()->table()->rowCount(), 2);
  w.window->action("draw_zone")->trigger();
  QVERIFY(!w.ruler()->measuring());
  QCOMPARE(w.cameras()->cursor().shape(), Qt::CrossCursor);
  w.session().post(command::Save{"/somewhere/hall.vantage"});
}

const TestPart<CalibrateTest> kCalibratePart("calibrate");

}  // namespace vantage::ui

#include "calibrate_test.moc"
