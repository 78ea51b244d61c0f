#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QSettings>
#include <QTemporaryDir>
#include <limits>

#include "core/base/crash_report.h"
#include "core/base/file.h"
#include "tests/support/own_home.h"
#include "tests/ui/support/open_window.h"
#include "tests/ui/support/patience.h"
#include "tests/ui/support/window_test.h"
#include "ui/main_window/preferences_dialog.h"
#include "ui/main_window/status_line.h"
#include "ui/views/scene_view.h"

namespace vantage::ui {

// How the window starts after a run that did not end well, and with settings that make no sense.
class StartTest final : public WindowTest {
  Q_OBJECT
 private slots:
  void only_a_run_that_is_gone_ended_early();
  void a_run_that_was_asked_to_end_did_not_end_early();
  void a_normal_end_leaves_nothing();
  void half_a_marker_is_an_early_end();
  void after_an_early_end_the_first_layout_is_shown();
  void the_report_of_a_fault_is_offered();
  void a_careful_start_that_ends_early_keeps_the_look_set_aside();
  void settings_that_make_no_sense_lock_nobody_out();
};

namespace {

class Folder {
 public:
  std::filesystem::path path() const { return folder_.path().toStdString(); }
  std::filesystem::path markers() const { return path() / "running"; }
  int marker_count() const {
    return static_cast<int>(QDir(QString::fromStdString(markers().string())).entryList(QDir::Files).size());
  }
  // A project file that is there.
  std::filesystem::path project() const {
    const std::filesystem::path file = path() / "hall.vantage";
    [[maybe_unused]] const Status written = write_file_atomically(file, "{}");
    return file;
  }

 private:
  QTemporaryDir folder_;
};

// Another process that runs with a marker until a signal ends it.
class OtherRun {
 public:
  OtherRun(const Folder& folder, const std::filesystem::path& project) : process_(::fork()) {
    if (process_ == 0) {
      RunMarker marker(folder.markers());
      marker.end_as_asked_on_signals();
      marker.started();
      marker.set_project(project);
      [[maybe_unused]] const Status ready = write_file_atomically(folder.path() / "ready", "");
      for (;;) ::pause();
    }
    const QString ready = QString::fromStdString((folder.path() / "ready").string());
    while (!QFileInfo::exists(ready)) QTest::qWait(5);
    QFile::remove(ready);
  }
  ~OtherRun() { end(SIGKILL); }
  void end(int signal) {
    if (process_ <= 0) return;
    ::kill(process_, signal);
    ::waitpid(std::exchange(process_, 0), nullptr, 0);
  }

 private:
  pid_t process_;
};

void crash(const Folder& folder, const std::filesystem::path& project) {
  OtherRun(folder, project).end(SIGKILL);
}

}  // namespace

void StartTest::only_a_run_that_is_gone_ended_early() {
  const Folder folder;
  OtherRun beside(folder, folder.project());
  {
    const RunMarker here(folder.markers());
    QVERIFY2(here.early_ends().empty() && !here.careful(), "the other one still runs");
    QCOMPARE(folder.marker_count(), 2);
  }
  beside.end(SIGKILL);
  const RunMarker here(folder.markers());
  QCOMPARE(here.early_ends().size(), size_t{1});
  QVERIFY(here.careful() && here.ended_early_with(folder.project()) && !here.ended_while_starting());
  QVERIFY(!here.ended_early_with(folder.path() / "other.vantage"));
  QCOMPARE(folder.marker_count(), 1);
  QVERIFY2(RunMarker(folder.path() / "running").early_ends().empty(), "it is told once");
}

void StartTest::a_run_that_was_asked_to_end_did_not_end_early() {
  const Folder folder;
  OtherRun(folder, folder.project()).end(SIGTERM);
  const RunMarker here(folder.markers());
  QCOMPARE(here.early_ends().size(), size_t{1});
  QVERIFY(here.early_ends()[0].asked && !here.careful() && !here.ended_early_with(folder.project()));
}

void StartTest::a_normal_end_leaves_nothing() {
  const Folder folder;
  {
    RunMarker run(folder.markers());
    run.started();
    run.set_project(folder.project());
    QCOMPARE(folder.marker_count(), 1);
  }
  QCOMPARE(folder.marker_count(), 0);
  QVERIFY(!RunMarker(folder.markers()).careful());
}

void StartTest::half_a_marker_is_an_early_end() {
  const Folder folder;
  QVERIFY(make_folder(folder.markers()).has_value());
  for (const char* text : {"", "{\"user\":", "[]\n{\"project\":3}\n"}) {
    QVERIFY(write_file_atomically(folder.markers() / "lab-1-1.run", text).has_value());
    const RunMarker here(folder.markers());
    QVERIFY(here.careful() && here.early_ends()[0].project.empty());
  }
}

void StartTest::after_an_early_end_the_first_layout_is_shown() {
  const Folder folder;
  {
    OpenWindow w;
    w.window->action("layout_scene")->trigger();
    w.window->action("people")->setChecked(false);
    w.window->action("checks")->trigger();
    QVERIFY(!w.window->workspace()->cameras()->isVisible());
    w.window->close();
  }
  {
    RunMarker marker(folder.markers());
    OpenWindow usual({}, false, {}, 0, {}, {}, &marker);
    QVERIFY(usual.window->messages()->text().isEmpty());
    QVERIFY(usual.window->action("layout_scene")->isChecked());
  }
  crash(folder, folder.project());
  RunMarker marker(folder.markers());
  OpenWindow w({}, false, {}, 0, {}, {}, &marker);
  QVERIFY(w.window->shows_start_page());
  QVERIFY(w.window->action("layout_both")->isChecked() && w.window->action("people")->isChecked() &&
          !w.window->action("checks")->isChecked());
  QVERIFY(w.window->withheld(QString::fromStdString(folder.project().string())));
  QVERIFY2(w.window->messages()->text().contains("closed unexpectedly with hall open"),
           qPrintable(w.window->messages()->text()));
  keep_picture(*w.window, "ended_early");
  // It stays when another project is opened first.
  w.window->open_project("/somewhere/other.vantage");
  QTRY_VERIFY(w.window->state().open());
  QVERIFY(w.window->workspace()->cameras()->isVisible() && w.window->workspace()->scene()->isVisible());
  QVERIFY(w.window->messages()->text().contains("hall"));
  QVERIFY(button(w.window->messages(), "Restore the Layout"));
  button(w.window->messages(), "Open hall")->click();
  QVERIFY(w.session().calls.contains("open " + QString::fromStdString(folder.project().string())));
  QCoreApplication::processEvents();
  QVERIFY(QFile(QString::fromStdString((folder.markers()).string())).exists());
  w.window->close();
}

void StartTest::the_report_of_a_fault_is_offered() {
  const Folder folder;
  const test::OwnHome home(folder.path());
  crash(folder, {});
  RunMarker marker(folder.markers());
  const std::filesystem::path report =
      crash_folder() /
      ("crash-20260101T000000Z-" + std::to_string(marker.early_ends().at(0).process) + ".txt");
  QVERIFY(make_folder(crash_folder()).has_value());
  QVERIFY(
      write_file_atomically(crash_folder() / "crash-20260102T000000Z-1.txt", "of another run").has_value());
  QVERIFY(write_file_atomically(report, "of this one").has_value());
  {
    OpenWindow w({}, false, {}, 0, {}, {}, &marker);
    QVERIFY2(w.window->messages()->text().contains(QString::fromStdString(report.string())),
             qPrintable(w.window->messages()->text()));
    QVERIFY(button(w.window->messages(), "Show the Report"));
    w.window->close();
  }
}

// The second start is not led to take the first layout for the usual one.
void StartTest::a_careful_start_that_ends_early_keeps_the_look_set_aside() {
  const Folder folder;
  {
    OpenWindow w;
    w.window->action("layout_scene")->trigger();
    w.window->close();
  }
  crash(folder, {});
  {
    // A careful start: its marker says so, and it is gone before it ends.
    RunMarker marker(folder.markers());
    OpenWindow w({}, false, {}, 0, {}, {}, &marker);
    QVERIFY(w.window->action("layout_both")->isChecked());
    w.window->close();
    QVERIFY(marker.careful());
  }
  QVERIFY(write_file_atomically(folder.markers() / "gone.run",
                                [] {
                                  ProcessOwner gone = this_process();
                                  ++gone.started_ticks;
                                  return owner_to_json(gone) +
                                         R"({"project":"","starting":true,"careful":true})" + "\n";
                                }())
              .has_value());
  RunMarker marker(folder.markers());
  QVERIFY(marker.ended_while_starting());
  OpenWindow w({}, false, {}, 0, {}, {}, &marker);
  QVERIFY(w.window->messages()->text().contains("while starting"));
  QVERIFY(w.window->action("layout_both")->isChecked());
  button(w.window->messages(), "Restore the Layout")->click();
  QVERIFY(w.window->action("layout_scene")->isChecked());
}

void StartTest::settings_that_make_no_sense_lock_nobody_out() {
  QSettings settings;
  for (const char* key : {"layout", "theme", "cache_mib", "replay_mib", "trail_s", "autosave_s",
                          "offset_watch", "flow_arrow_spacing"})
    settings.setValue(key, -77);
  for (const char* key : {"geometry", "state", "views", "people_style", "recent_projects"})
    settings.setValue(key, QByteArray("\x01\xd9\xd0\xcbnonsense"));
  const Preferences nonsense = stored_preferences();
  QCOMPARE(nonsense.theme, Preferences().theme);
  QCOMPARE(nonsense.offset_watch, Preferences().offset_watch);
  QVERIFY(nonsense.cache_mib >= 0 && nonsense.replay_mib >= kSmallestReplay_mib);
  QVERIFY(nonsense.trail_s >= kShortest_s && nonsense.autosave_s >= kShortest_s);
  settings.setValue("trail_s", std::numeric_limits<double>::quiet_NaN());
  settings.setValue("layout", 99);
  settings.setValue("theme", 99);
  QCOMPARE(stored_preferences().trail_s, Preferences().trail_s);
  OpenWindow w;
  QVERIFY(w.window->workspace()->cameras()->isVisible() && w.window->workspace()->scene()->isVisible());
  QVERIFY(w.window->action("layout_both")->isChecked());
}

const TestPart<StartTest> kStartPart("start");

}  // namespace vantage::ui

#include "start_test.moc"
