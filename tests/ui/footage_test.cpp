#include <QPushButton>
#include <QSignalSpy>
#include <QTableWidget>
#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "app/workbench/workbench.h"
#include "core/detections/detection_file.h"
#include "core/project/new_project.h"
#include "tests/support/walked_footage.h"
#include "tests/ui/support/hands.h"
#include "tests/ui/support/open_window.h"
#include "tests/ui/support/session_window.h"
#include "tests/ui/support/window_test.h"
#include "ui/main_window/calibrate/calibrate_panel.h"
#include "ui/main_window/calibrate/footage_control.h"
#include "ui/main_window/calibrate/proposal.h"
#include "ui/views/scene_view.h"

namespace vantage::ui {

// Cameras from nothing in the window, by the real solver: a project of boxes alone, which no one calibrated.
class FootageTest final : public WindowTest {
  Q_OBJECT
 private slots:
  void a_new_project_is_calibrated_by_keyboard();
  void what_the_footage_does_not_show_is_said_and_nothing_changes();
  void solving_is_stopped();
  void without_detections_the_reason_is_said();
  void a_camera_that_is_not_found_is_named_and_stays_open();
};

namespace {

Project project_of(const test::WalkedFootage& footage, const std::filesystem::path& folder) {
  std::vector<NewCamera> cameras;
  for (const FootageCamera& one : footage.input.cameras) {
    DetectionFile file;
    file.frames = one.frames, file.frame_rate = one.frame_rate;
    file.width_px = one.width_px, file.height_px = one.height_px;
    NewCamera& camera = cameras.emplace_back();
    camera.detections.file = (folder / (one.name + ".jsonl")).string();
    EXPECT_TRUE(write_detection_file(camera.detections.file, file));
  }
  EXPECT_TRUE(settle_detections(&cameras));
  EXPECT_TRUE(stand_in_for_videos(&cameras, 0, 0));
  Result<Project> project = assemble_project(cameras);
  EXPECT_TRUE(project) << project.error().message();
  EXPECT_TRUE(save_project(*project, folder / "walk.vantage"));
  return load_project(folder / "walk.vantage").value();
}

class WalkersWindow : public SessionWindow {
 public:
  explicit WalkersWindow(const test::WalkedFootage& footage)
      : SessionWindow([&](const std::filesystem::path& folder) { return project_of(footage, folder); }) {
    show({1366, 768}, {}, [](WindowServices& services) { services.solve_footage = solve_footage_on_cpu(); });
    hands = std::make_unique<Hands>(Hand::keyboard, *window);
    open();
  }
  ~WalkersWindow() { window.reset(); }

  const Project& now() const { return window->state().project(); }
  const SceneView* scene() const { return window->workspace()->scene(); }
  const Proposal* proposal() const { return window->part<Proposal>(); }
  const CalibratePanel* panel() const { return window->part<CalibratePanel>(); }
  QPushButton* next_step(const QString& text) const { return button(window->workspace()->scene(), text); }
  bool proposed() const {
    return QTest::qWaitFor([&] { return !proposal()->solving(); }, 3 * kWait_ms) && proposal()->proposed();
  }

  std::unique_ptr<Hands> hands;
};

test::WalkedFootage walking() {
  return test::walked_footage(
      {.seed = 7, .cameras = 3, .people = 3, .seconds = 40, .width_px = 1280, .height_px = 720});
}

}  // namespace

void FootageTest::a_new_project_is_calibrated_by_keyboard() {
  const test::WalkedFootage footage = walking();
  WalkersWindow w(footage);
  QTRY_VERIFY(w.next_step("Solve From Footage"));
  keep_picture(*w.window, "footage_first_step");
  std::vector<size_t> found;
  connect(w.proposal(), &Proposal::cameras_changed, this,
          [&] { found.push_back(w.proposal()->found_cameras().size()); });
  QVERIFY(w.hands->go_to(w.next_step("Solve From Footage")));
  w.hands->key(w.next_step("Solve From Footage"), Qt::Key_Space);
  QTRY_VERIFY(w.proposal()->running().has_value());
  QVERIFY(!w.next_step("Solve From Footage"));
  QVERIFY(w.proposed());

  // Cameras appeared as they were found: two, then all; they are seen, and nothing has changed.
  QVERIFY(std::ranges::find(found, size_t{2}) != found.end());
  QCOMPARE(w.proposal()->found_cameras().size(), size_t{3});
  QCOMPARE(w.panel()->proposal()->rowCount(), 3);
  for (int row = 0; row < 3; ++row)
    for (const int column : {1, 2})
      QVERIFY(w.panel()->proposal()->item(row, column)->text().contains(QStringLiteral("\u00b1")));
  QVERIFY(w.panel()->cameras()->item(2, 1)->text().startsWith("found: "));
  QVERIFY(!w.now().calibrated() && !w.window->isWindowModified());
  keep_picture(*w.window, "footage_proposed");

  // Applied from where it is seen, undone and applied again; offsets go with it.
  QVERIFY(w.next_step("Apply"));
  QVERIFY(w.hands->command("apply_calibration"));
  QTRY_VERIFY(w.now().calibrated());
  QTRY_VERIFY(w.window->action("undo")->isEnabled());
  QVERIFY(w.hands->command("undo"));
  QTRY_VERIFY(!w.now().calibrated() && w.now().cameras[1].offset_frames == 0);
  QTRY_VERIFY(w.window->action("redo")->isEnabled());
  QVERIFY(w.hands->command("redo"));
  QTRY_VERIFY(w.now().calibrated());
  const Project saved = w.saved([](const Project& project) { return project.calibrated(); });
  QVERIFY(saved.calibrated());
  for (size_t c = 0; c < saved.cameras.size(); ++c) {
    const double focal = saved.cameras[c].calibration->model().fx_px / footage.truth[c].model().fx_px;
    QVERIFY2(std::abs(focal - 1) < 0.1, qPrintable(QString::number(focal)));
    QVERIFY(std::abs(saved.cameras[c].offset_frames - footage.offset_frames[c]) < 1);
  }
}

void FootageTest::what_the_footage_does_not_show_is_said_and_nothing_changes() {
  WalkersWindow w(test::walked_footage({.kind = test::FootageKind::standing,
                                        .seed = 3,
                                        .cameras = 2,
                                        .people = 2,
                                        .seconds = 20,
                                        .width_px = 1280,
                                        .height_px = 720}));
  QVERIFY(w.hands->command("solve_footage"));
  QTRY_VERIFY_WITH_TIMEOUT(w.panel()->text().contains("longer recording"), 3 * kWait_ms);
  keep_picture(*w.window, "footage_missing");
  QVERIFY(!w.proposal()->proposed() && w.proposal()->found_cameras().empty());
  QVERIFY(!w.now().calibrated() && !w.window->isWindowModified());
  QTRY_VERIFY(w.next_step("Solve From Footage"));
}

void FootageTest::solving_is_stopped() {
  WalkersWindow w(walking());
  QVERIFY(w.hands->command("solve_footage"));
  QTRY_VERIFY(w.proposal()->running().has_value());
  QVERIFY(w.hands->command("stop"));
  QTRY_VERIFY(!w.proposal()->solving());
  QVERIFY(!w.proposal()->proposed() && w.proposal()->found_cameras().empty());
  QTRY_VERIFY(w.next_step("Solve From Footage"));
  QVERIFY(!w.now().calibrated() && !w.window->isWindowModified());
}

void FootageTest::without_detections_the_reason_is_said() {
  OpenWindow w(FakeScene{.calibrated = false});
  const QAction* solve = w.window->action("solve_footage");
  QVERIFY(!solve->isEnabled());
  QVERIFY2(solve->toolTip().contains("People must be detected"), qPrintable(solve->toolTip()));
}

void FootageTest::a_camera_that_is_not_found_is_named_and_stays_open() {
  const Project project = FakeScene{.calibrated = false}.project();
  const Project calibrated = FakeScene{}.project();
  FootageSolution solution;
  for (const ProjectCamera& camera : calibrated.cameras) {
    FootageSolvedCamera& one = solution.cameras.emplace_back();
    one.name = camera.name, one.camera = *camera.calibration;
  }
  solution.cameras[2].state = FootageState::open;
  solution.cameras[2].reason = "no one is seen with another camera";
  solution.cameras[2].remedy = "Walk across what cam2 and cam3 show.";
  const CalibrationProposal proposal = propose_by_footage(project, solution);
  QVERIFY(proposal.text.contains("cam3: no one is seen with another camera. Walk across"));
  QCOMPARE(proposal.rows[2].turned, QString("not found"));
  Project changed = project;
  proposal.change(changed);
  for (size_t c = 0; c < changed.cameras.size(); ++c)
    QCOMPARE(changed.cameras[c].calibration.has_value(), c != 2);
}

const TestPart<FootageTest> kFootagePart("footage");

}  // namespace vantage::ui

#include "footage_test.moc"
