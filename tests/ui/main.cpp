// ui_test PART [Qt Test options]: the tests of one part of the window. 77: there is no display to test on.
#include <fmt/core.h>
#include <QApplication>
#include <QSettings>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>

#include "tests/support/choose_instruction_set.h"
#include "tests/ui/boards_test.h"
#include "tests/ui/bookmarks_test.h"
#include "tests/ui/calibrate_test.h"
#include "tests/ui/camera_grid_test.h"
#include "tests/ui/case_test.h"
#include "tests/ui/clock_test.h"
#include "tests/ui/compare_test.h"
#include "tests/ui/doubts_test.h"
#include "tests/ui/figure_test.h"
#include "tests/ui/files_test.h"
#include "tests/ui/find_test.h"
#include "tests/ui/host_surface_test.h"
#include "tests/ui/keys_test.h"
#include "tests/ui/live_boards_test.h"
#include "tests/ui/live_test.h"
#include "tests/ui/looks_test.h"
#include "tests/ui/main_window_test.h"
#include "tests/ui/masks_test.h"
#include "tests/ui/messages_test.h"
#include "tests/ui/mouse_test.h"
#include "tests/ui/new_project_test.h"
#include "tests/ui/operator_test.h"
#include "tests/ui/overlays_test.h"
#include "tests/ui/past_test.h"
#include "tests/ui/people_test.h"
#include "tests/ui/plots_test.h"
#include "tests/ui/random_use_test.h"
#include "tests/ui/research_test.h"
#include "tests/ui/residuals_test.h"
#include "tests/ui/scene_view_test.h"
#include "tests/ui/screens_test.h"
#include "tests/ui/serving_test.h"
#include "tests/ui/stalls_test.h"
#include "tests/ui/start_test.h"
#include "tests/ui/synchronisation_test.h"
#include "tests/ui/texts_test.h"
#include "tests/ui/time_axis_test.h"
#include "tests/ui/tracks_test.h"
#include "tests/ui/truth_test.h"
#include "tests/ui/tuning_test.h"
#include "tests/ui/widgets_test.h"
#include "ui/platform/gl_state.h"
#include "ui/platform/stall_watch.h"

int main(int argc, char** argv) {
  vantage::test::choose_instruction_set();
  using namespace vantage::ui;
  const std::map<std::string, std::function<std::unique_ptr<QObject>()>> parts = {
      {"host_surface", [] { return std::make_unique<HostSurfaceTest>(); }},
      {"widgets", [] { return std::make_unique<WidgetsTest>(); }},
      {"calibrate", [] { return std::make_unique<CalibrateTest>(); }},
      {"camera_grid", [] { return std::make_unique<CameraGridTest>(); }},
      {"scene_view", [] { return std::make_unique<SceneViewTest>(); }},
      {"screens", [] { return std::make_unique<ScreensTest>(); }},
      {"new_project", [] { return std::make_unique<NewProjectTest>(); }},
      {"people", [] { return std::make_unique<PeopleTest>(); }},
      {"case", [] { return std::make_unique<CaseTest>(); }},
      {"figure", [] { return std::make_unique<FigureTest>(); }},
      {"bookmarks", [] { return std::make_unique<BookmarksTest>(); }},
      {"doubts", [] { return std::make_unique<DoubtsTest>(); }},
      {"residuals", [] { return std::make_unique<ResidualsTest>(); }},
      {"research", [] { return std::make_unique<ResearchTest>(); }},
      {"operator", [] { return std::make_unique<OperatorTest>(); }},
      {"find", [] { return std::make_unique<FindTest>(); }},
      {"messages", [] { return std::make_unique<MessagesTest>(); }},
      {"clock", [] { return std::make_unique<ClockTest>(); }},
      {"time_axis", [] { return std::make_unique<TimeAxisTest>(); }},
      {"serving", [] { return std::make_unique<ServingTest>(); }},
      {"live", [] { return std::make_unique<LiveTest>(); }},
      {"boards", [] { return std::make_unique<BoardsTest>(); }},
      {"live_boards", [] { return std::make_unique<LiveBoardsTest>(); }},
      {"past", [] { return std::make_unique<PastTest>(); }},
      {"synchronisation", [] { return std::make_unique<SynchronisationTest>(); }},
      {"overlays", [] { return std::make_unique<OverlaysTest>(); }},
      {"tracks", [] { return std::make_unique<TracksTest>(); }},
      {"truth", [] { return std::make_unique<TruthTest>(); }},
      {"masks", [] { return std::make_unique<MasksTest>(); }},
      {"tuning", [] { return std::make_unique<TuningTest>(); }},
      {"plots", [] { return std::make_unique<PlotsTest>(); }},
      {"compare", [] { return std::make_unique<CompareTest>(); }},
      {"mouse", [] { return std::make_unique<MouseTest>(); }},
      {"stalls", [] { return std::make_unique<StallsTest>(); }},
      {"start", [] { return std::make_unique<StartTest>(); }},
      {"files", [] { return std::make_unique<FilesTest>(); }},
      {"texts", [] { return std::make_unique<TextsTest>(); }},
      {"looks", [] { return std::make_unique<LooksTest>(); }},
      {"keys", [] { return std::make_unique<KeysTest>(); }},
      {"random_use", [] { return std::make_unique<RandomUseTest>(); }},
      {"main_window", [] { return std::make_unique<MainWindowTest>(); }},
  };
  const auto part = parts.find(argc > 1 ? argv[1] : "");
  if (part == parts.end()) {
    std::fputs("usage: ui_test PART [Qt Test options]\nparts:", stderr);
    for (const auto& [name, make] : parts) fmt::print(stderr, " {}", name);
    std::fputs("\n", stderr);
    return 2;
  }
  if (qEnvironmentVariableIsEmpty("DISPLAY") && qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY") &&
      qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) {
    std::puts("skipped: no display here; run under xvfb-run");
    return 77;
  }
  // A test waits as long as it must (patience.h); Qt's watchdog of five minutes a test would not.
  if (qEnvironmentVariableIsEmpty("QTEST_FUNCTION_TIMEOUT")) qputenv("QTEST_FUNCTION_TIMEOUT", "1000000");
  choose_gl_format();
  QTemporaryDir settings;
  QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, settings.path());
  QApplication::setOrganizationName("vantage-test");
  QApplication::setApplicationName("ui_test");
  WatchedApplication app(argc, argv);
  const std::unique_ptr<QObject> test = part->second();
  return QTest::qExec(test.get(), argc - 1, argv + 1);
}
