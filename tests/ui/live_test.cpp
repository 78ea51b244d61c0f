#include "tests/ui/live_test.h"

#include <QAction>
#include <QLabel>
#include <QTemporaryDir>
#include <QTest>

#include "core/session/cpu_backends.h"
#include "core/streaming/stream_server.h"
#include "tests/pipeline/footage.h"
#include "ui/main_window/main_window.h"
#include "ui/panels/health_panel.h"
#include "ui/platform/host_surface.h"
#include "ui/platform/session_bridge.h"
#include "ui/views/camera_grid.h"
#include "ui/widgets/live_badge.h"
#include "ui/widgets/transport.h"

namespace vantage::ui {
namespace {

constexpr int kWait_ms = 60'000;  // for a machine that is busy with something else

// Two cameras on the loopback interface, a project of them, and the window on a real session.
class LiveWindow {
 public:
  LiveWindow() {
    register_cpu_backends(registry_);
    project_ = test::make_footage(folder_.path().toStdString(), 2, 50);
    StreamServerOptions served;
    for (const ProjectCamera& camera : project_.cameras)
      served.cameras.push_back({camera.name, camera.video});
    server = std::move(*StreamServer::start(std::move(served)));
    for (size_t i = 0; i < 2; ++i) project_.cameras[i].video = server->address(i);
    project_.path = (folder_.path() + "/live.vantage").toStdString();
    static_cast<void>(save_project(project_, project_.path));
    SessionOptions options;
    options.backends = &registry_;
    options.credentials = make_credential_file((folder_.path() + "/cameras.json").toStdString());
    session_ = Session::make(options, bridge_);
    WindowServices services;
    services.session = session_.get();
    services.bridge = bridge_.get();
    services.trace = &trace_;
    services.surfaces = [] { return std::make_unique<HostSurface>("test"); };
    services.backend = "CPU";
    window = std::make_unique<MainWindow>(std::move(services));
    window->resize(1280, 720);
    window->show();
    QApplication::setActiveWindow(window.get());
    window->open_project(QString::fromStdString(project_.path.string()));
  }
  ~LiveWindow() { window.reset(); }
  QString badge() const { return window->transport()->badge_text(); }
  const Project& project() const { return project_; }

 private:
  QTemporaryDir folder_;
  BackendRegistry registry_;
  TraceRecorder trace_;
  Project project_;
  std::shared_ptr<SessionBridge> bridge_ = std::make_shared<SessionBridge>();
  std::unique_ptr<Session> session_;

 public:
  std::unique_ptr<StreamServer> server;
  std::unique_ptr<MainWindow> window;
};

CameraHealth healthy() {
  CameraHealth health;
  health.name = "cam1";
  health.here = true;
  health.state = "by sender's clock";
  health.declared_rate = health.delivered_rate = 25;
  health.age_s = 0.04;
  return health;
}

}  // namespace

void LiveTest::figures_become_states_and_sentences() {
  constexpr double kBound_ms = 200;
  const auto state = [&](auto change, RecentFaults recent = {}) {
    CameraHealth health = healthy();
    change(health);
    return camera_state(health, recent, kBound_ms);
  };
  QVERIFY(state([](CameraHealth&) {}) == (CameraState{CameraStanding::good, "good", {}}));
  const CameraState away =
      state([](CameraHealth& h) { h.here = false, h.state = "the connection was refused"; });
  QCOMPARE(away.standing, CameraStanding::away);
  QCOMPARE(away.sentence, QString("the connection was refused"));
  QCOMPARE(state([](CameraHealth& h) { h.here = false, h.state = ""; }).words, QString("connecting"));
  QCOMPARE(state([](CameraHealth& h) { h.picture = "the picture is frozen"; }).sentence,
           QString("the picture is frozen"));
  QCOMPARE(state([](CameraHealth& h) { h.age_s = 3; }).words, QString("silent 3 s"));
  QCOMPARE(state([](CameraHealth& h) { h.delivered_rate = 12; }).words, QString("12 of 25/s"));
  QCOMPARE(state([](CameraHealth& h) { h.jitter_ms = 150; }).words, QString("late"));
  QCOMPARE(state([](CameraHealth&) {}, {3, 0, 0}).words, QString("damaged"));
  const CameraState clock = state([](CameraHealth& h) { h.clock_offset_s = -42; });
  QCOMPARE(clock.standing, CameraStanding::good);
  QVERIFY(clock.sentence.contains("-42.0 s"));
}

void LiveTest::the_badge_says_live_or_how_far_behind() {
  LiveBadge badge;
  LiveStatus status;
  status.health.analysed = 1, status.health.latency_ms = 87.4;
  badge.show_status(status);
  QCOMPARE(badge.text(), QString("LIVE  87 ms"));
  status.following = false, status.behind_s = 3.26;
  badge.show_status(status);
  QCOMPARE(badge.text(), QString("3.3 s behind"));
  status.behind_s = 75;
  badge.show_status(status);
  QCOMPARE(badge.text(), QString("1:15 behind"));
}

void LiveTest::cameras_are_watched_paused_and_written() {
  LiveWindow w;
  QTRY_VERIFY_WITH_TIMEOUT(w.badge().startsWith("LIVE") && w.badge().endsWith("ms"), kWait_ms);
  QCOMPARE(w.window->cameras()->camera_count(), 2);
  QVERIFY(!w.window->timeline()->isVisible());
  QVERIFY(w.window->health()->isVisible());
  const WindowActions& a = w.window->actions_table();
  QVERIFY(!a.step_back->isEnabled() && a.step_back->toolTip().contains("Live cameras"));
  QVERIFY(!a.check->isEnabled());
  QVERIFY(a.play->isEnabled() && a.last->isEnabled());
  a.play->trigger();
  QTRY_VERIFY_WITH_TIMEOUT(w.badge().endsWith("behind"), kWait_ms);
  a.last->trigger();
  QTRY_VERIFY_WITH_TIMEOUT(w.badge().startsWith("LIVE"), kWait_ms);
  a.analyse_all->trigger();
  QTRY_VERIFY_WITH_TIMEOUT(a.stop->isEnabled(), kWait_ms);
  QVERIFY(!a.analyse_all->isEnabled());
  a.stop->trigger();
  QTRY_VERIFY_WITH_TIMEOUT(!a.stop->isEnabled(), kWait_ms);
  QVERIFY(std::filesystem::exists(w.project().results_folder() / "results.jsonl"));
  a.close->trigger();
  QVERIFY(w.window->shows_start_page());
  QTRY_VERIFY(w.badge().isEmpty());
}

void LiveTest::a_cut_camera_is_told_where_it_is_looked_for() {
  LiveWindow w;
  const auto standing = [&](size_t camera) {
    const auto& states = w.window->health()->states();
    return states.size() == 2 ? states[camera].standing : CameraStanding::away;
  };
  QTRY_VERIFY_WITH_TIMEOUT(standing(0) != CameraStanding::away && standing(1) != CameraStanding::away,
                           kWait_ms);
  w.server->set_away(1, true);
  QTRY_VERIFY_WITH_TIMEOUT(standing(1) == CameraStanding::away, kWait_ms);
  QVERIFY(!w.window->health()->states()[1].sentence.isEmpty());
  QVERIFY(w.window->health()->summary().startsWith("1 of 2 cameras are here"));
  QVERIFY(standing(0) != CameraStanding::away);
  w.server->set_away(1, false);
  QTRY_VERIFY_WITH_TIMEOUT(standing(1) != CameraStanding::away, kWait_ms);
}

}  // namespace vantage::ui
