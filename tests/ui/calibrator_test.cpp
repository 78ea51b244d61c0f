#include <QPushButton>
#include <memory>
#include <vector>

#include "app/workbench/workbench.h"
#include "core/calibration/formats/calibration.h"
#include "core/check/check.h"
#include "core/synth/synth.h"
#include "tests/ui/support/hands.h"
#include "tests/ui/support/session_window.h"
#include "tests/ui/support/window_test.h"
#include "ui/main_window/calibrate/calibrate_panel.h"
#include "ui/main_window/calibrate/proposal.h"
#include "ui/widgets/message_bar.h"

namespace vantage::ui {

// A calibrator's day on rendered footage: the camera whose pose is wrong is named, solved from people,
// checked and, once more, undone; by keyboard and by mouse.
class CalibratorTest final : public WindowTest {
  Q_OBJECT
 private slots:
  void a_day_data();
  void a_day();
};

namespace {

constexpr double kTurned_rad = 0.035;
constexpr size_t kTurnedCamera = 1;

// The second camera's calibration is turned by two degrees.
Project render_turned(const std::filesystem::path& folder) {
  SynthOptions options;
  options.people = 5, options.seconds = 12, options.width_px = 640, options.height_px = 480;
  EXPECT_TRUE(render_recording(options, folder / "room", [](double) {}, StopSource()));
  Result<Project> project = load_project(folder / "room" / "room.vantage");
  EXPECT_TRUE(project) << project.error().message();
  CameraChange pan = CameraChange::Zero();
  pan(1) = kTurned_rad;
  std::optional<Camera>& turned = project->cameras[kTurnedCamera].calibration;
  turned = changed_camera(*turned, pan);
  EXPECT_TRUE(save_project(*project, project->path));
  return std::move(*project);
}

CheckFunction check_on_cpu() {
  return [](const Project& project, CheckOptions options) {
    BackendRegistry registry;
    register_cpu_backends(registry);
    options.backends = &registry;
    return check_project(project, options);
  };
}

class CalibratorWindow : public SessionWindow {
 public:
  explicit CalibratorWindow(Hand hand) : SessionWindow(render_turned) {
    show({1366, 768}, {}, [](WindowServices& services) {
      services.check = check_on_cpu();
      services.place_by_people = place_by_people_on_cpu();
    });
    hands = std::make_unique<Hands>(hand, *window);
    open();
    QTRY_VERIFY(window->action("check")->isEnabled());
    truth = *read_calibration(project_.path.parent_path() / "calibration.json", {});
  }
  ~CalibratorWindow() { window.reset(); }

  // How far the second camera is turned from how it was rendered.
  double turned_rad() const {
    const Camera& now = *window->state().project().cameras[kTurnedCamera].calibration;
    return change_between(truth.cameras[kTurnedCamera], now).head<3>().norm();
  }
  bool checked() const {
    return QTest::qWaitFor([&] { return !window->state().work(); }, 3 * kWait_ms);
  }
  QPushButton* cure() const {
    for (auto* button : window->messages()->findChildren<QPushButton*>())
      if (button->isVisible() && button->text() == "Solve From People") return button;
    return nullptr;
  }

  std::unique_ptr<Hands> hands;
  Calibration truth;
};

}  // namespace

void CalibratorTest::a_day_data() {
  QTest::addColumn<bool>("keys");
  QTest::newRow("by keyboard") << true;
  QTest::newRow("by mouse") << false;
}

void CalibratorTest::a_day() {
  QFETCH(bool, keys);
  CalibratorWindow w(keys ? Hand::keyboard : Hand::mouse);
  if (QTest::currentTestFailed()) return;
  const MessageBar* messages = w.window->messages();
  QVERIFY(std::abs(w.turned_rad() - kTurned_rad) < 1e-6);

  // The check names the camera and the cause; the notice has the cure.
  QVERIFY(w.hands->command("check"));
  QTRY_VERIFY2_WITH_TIMEOUT(messages->text().startsWith("cam2: its pose differs from the calibration"),
                            qPrintable(messages->text()), 3 * kWait_ms);
  keep_picture(*w.window, "calibrator_checked");
  QTRY_VERIFY(w.cure());
  if (keys) {
    QVERIFY(w.hands->go_to(w.cure()));
    w.hands->key(w.cure(), Qt::Key_Space);
  } else {
    w.hands->click(w.cure());
  }

  // What is proposed is seen before it is applied.
  const Proposal* proposal = w.window->part<Proposal>();
  QTRY_VERIFY_WITH_TIMEOUT(proposal->proposed().has_value(), 3 * kWait_ms);
  keep_picture(*w.window, "calibrator_proposed");
  QVERIFY(std::abs(w.turned_rad() - kTurned_rad) < 1e-6);
  QVERIFY(w.hands->command("apply_calibration"));
  QTRY_VERIFY2(w.turned_rad() < 0.2 * kTurned_rad, qPrintable(QString::number(w.turned_rad())));
  QTRY_VERIFY2(!messages->text().contains("its pose differs"), "it is another pose now");

  // Undone and applied again; then nothing is wrong.
  QTRY_VERIFY(w.window->action("undo")->isEnabled());
  QVERIFY(w.hands->command("undo"));
  QTRY_VERIFY(std::abs(w.turned_rad() - kTurned_rad) < 1e-6);
  QTRY_VERIFY(w.window->action("redo")->isEnabled());
  QVERIFY(w.hands->command("redo"));
  QTRY_VERIFY(w.turned_rad() < 0.2 * kTurned_rad);
  QVERIFY(w.hands->command("check"));
  QVERIFY(w.checked());
  QVERIFY2(!messages->text().contains("its pose differs"), qPrintable(messages->text()));
  const auto holds = [](const Project& project) { return !project.cameras.empty(); };
  QVERIFY(holds(w.saved(holds)));
}

const TestPart<CalibratorTest> kCalibratorPart("calibrator");

}  // namespace vantage::ui

#include "calibrator_test.moc"
