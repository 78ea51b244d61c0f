#include <QTemporaryDir>

#include "core/base/file.h"
#include "tests/ui/support/open_window.h"
#include "tests/ui/support/patience.h"
#include "tests/ui/support/window_test.h"
#include "ui/main_window/file_control.h"
#include "ui/widgets/action_button.h"
#include "ui/widgets/transport.h"

namespace vantage::ui {

// The open project's file: somebody else has it, somebody has written it, videos are not there.
class FilesTest final : public WindowTest {
  Q_OBJECT
 private slots:
  void what_somebody_else_has_is_read_only();
  void a_change_from_outside_is_reloaded_or_overwritten();
  void missing_videos_are_found_in_a_folder();
  void results_of_a_missing_video_stay_and_analysing_is_refused();
  void a_project_that_cannot_be_opened_is_mended();
};

namespace {

ProcessOwner annas_window() {
  ProcessOwner owner;
  owner.user = "anna", owner.host = "lab3", owner.program = "vantage", owner.process = 4711;
  owner.since_utc_s = 1'700'000'000;
  return owner;
}

// A video under an old path, and where it is now.
class Footage {
 public:
  Footage() {
    const std::string bytes(100'000, 'v');
    [[maybe_unused]] const Status made = make_folder(folder() / "disk");
    [[maybe_unused]] const Status written = write_file_atomically(old(), bytes);
  }
  std::filesystem::path folder() const { return folder_.path().toStdString(); }
  std::filesystem::path old() const { return folder() / "cam2.mp4"; }
  std::filesystem::path now() const { return folder() / "disk" / "renamed.mp4"; }
  // Every camera's video lies under an old path, remembered by its content.
  Project moved(Project project) const {
    for (ProjectCamera& camera : project.cameras) camera.video = old().string(), camera.background.clear();
    remember_videos(&project);
    std::filesystem::rename(old(), now());
    return project;
  }

 private:
  QTemporaryDir folder_;
};

QString qt(const std::filesystem::path& path) {
  return QString::fromStdString(path.string());
}

}  // namespace

void FilesTest::what_somebody_else_has_is_read_only() {
  OpenWindow w;
  w.session().set_file(annas_window(), {}, {});
  QTRY_VERIFY(w.window->messages()->text().contains("anna's vantage (process 4711) on lab3 since"));
  QVERIFY(w.window->messages()->text().contains("read-only"));
  QVERIFY(w.window->windowTitle().contains("read-only"));
  QVERIFY(button(w.window->messages(), "Save As…"));
  keep_picture(*w.window, "read_only");
  button(w.window->messages(), "Open Anyway")->click();
  QCOMPARE(w.last(), QString("take_over"));
  QTRY_VERIFY(!w.window->windowTitle().contains("read-only"));
  // When it is closed there, nothing is left to be said.
  w.session().set_file(annas_window(), {}, {});
  QTRY_VERIFY(w.window->messages()->count() == 1);
  w.session().set_file({}, {}, {});
  QTRY_COMPARE(w.window->messages()->count(), 0);
}

void FilesTest::a_change_from_outside_is_reloaded_or_overwritten() {
  OpenWindow w;
  w.session().post(command::SetParameter{"carving", "threshold", 0.5});
  w.session().set_file({}, "zones, repairs of identities", {});
  QTRY_VERIFY(w.window->messages()->text().contains("changed by another program: zones, repairs"));
  keep_picture(*w.window, "changed_outside");
  w.window->messages()->dismiss();
  w.window->action("save")->trigger();
  QVERIFY2(!w.session().calls.contains("save /somewhere/hall.vantage"), "it would wipe theirs out");
  QVERIFY2(w.window->messages()->text().contains("zones"), "it is said again");
  button(w.window->messages(), "Reload")->click();
  QCOMPARE(w.last(), QString("reload"));
  QTRY_COMPARE(w.window->messages()->count(), 0);
  w.session().set_file({}, "lines", {});
  QTRY_VERIFY(button(w.window->messages(), "Overwrite"));
  button(w.window->messages(), "Overwrite")->click();
  QCOMPARE(w.last(), QString("overwrite"));
  QTRY_COMPARE(w.window->messages()->count(), 0);
  w.session().post(command::Save{"/somewhere/hall.vantage"});
}

void FilesTest::missing_videos_are_found_in_a_folder() {
  const Footage footage;
  OpenWindow w;
  const Project moved = footage.moved(w.session().project());
  w.session().post(command::Edit{"moved", [&](Project& project) { project = moved; }});
  w.session().set_file({}, {}, "cam2's video /old/cam2.mp4");
  QTRY_VERIFY(w.window->messages()->text().contains("Missing: cam2's video /old/cam2.mp4"));
  QVERIFY(button(w.window->messages(), "Find…"));
  keep_picture(*w.window, "missing");
  w.window->part<FileControl>()->find_in(qt(footage.folder()));
  QTRY_VERIFY(w.session().calls.contains("edit find videos"));
  QCOMPARE(w.session().project().cameras[1].video, footage.now().string());
  w.session().set_file({}, {}, {});
  QTRY_VERIFY(w.window->messages()->text().contains("Found all 4"));
  std::filesystem::remove(footage.now());
  QCoreApplication::processEvents();
  w.window->part<FileControl>()->find_in(qt(footage.folder()));
  QTRY_VERIFY(w.window->messages()->text().contains("Found 0 of 4"));
  QVERIFY(w.window->messages()->text().contains("cam1's video: not found"));
  w.session().post(command::Save{"/somewhere/hall.vantage"});
}

// The tile says what is missing, and a button in it finds it; another analysis is refused, with the reason.
void FilesTest::results_of_a_missing_video_stay_and_analysing_is_refused() {
  OpenWindow w;
  CameraGrid* cameras = w.window->workspace()->cameras();
  const QImage whole = cameras->grabFramebuffer();
  QVERIFY(!button(cameras, "Find…"));
  QVERIFY(w.window->action("analyse_all")->isEnabled() && !w.window->action("find_videos")->isEnabled());
  w.session().set_missing({1}, "cam2.mp4 is missing, and the results here were made with it.");
  QTRY_VERIFY(button(cameras, "Find…"));
  QVERIFY(cameras->grabFramebuffer() != whole);
  QVERIFY(cameras->picture_area(1).contains(button(cameras, "Find…")->geometry().center()));
  QVERIFY(w.window->messages()->text().contains("with the results of all"));
  keep_picture(*w.window, "missing_tile");
  QAction* analyse = w.window->action("analyse_all");
  QVERIFY(!analyse->isEnabled() && analyse->toolTip().contains("cam2.mp4 is missing"));
  w.session().calls.clear();
  w.key(Qt::Key_R, Qt::ControlModifier | Qt::ShiftModifier);
  QTest::mouseClick(w.window->workspace()->transport()->analyse_button(), Qt::LeftButton);
  QVERIFY(w.session().calls.filter("analyse").isEmpty());
  QVERIFY(w.window->action("find_videos")->isEnabled());
  w.session().set_missing({}, {});
  QTRY_VERIFY(!button(cameras, "Find…"));
  QVERIFY(analyse->isEnabled());
}

// The project's file exists, but none of its videos, so nothing can be shown.
void FilesTest::a_project_that_cannot_be_opened_is_mended() {
  const Footage footage;
  const std::filesystem::path file = footage.folder() / "missing.vantage";
  OpenWindow w({}, false);
  Project project = footage.moved(FakeScene().project());
  project.zones = {{"shop", {{0, 0}, {1, 0}, {1, 1}}}};
  QVERIFY(save_project(project, file).has_value());
  w.window->open_project(qt(file));
  QTRY_VERIFY(button(w.window->messages(), "Find…"));
  QVERIFY(w.window->shows_start_page());
  const QString opened = "open " + qt(file);
  QCOMPARE(w.session().calls.count(opened), 1);
  w.window->part<FileControl>()->find_in_for(qt(footage.folder()), qt(file));
  QTRY_COMPARE(w.session().calls.count(opened), 2);
  const Project mended = load_project(file).value();
  QCOMPARE(mended.cameras[3].video, footage.now().string());
  QCOMPARE(mended.zones.size(), size_t{1});
}

const TestPart<FilesTest> kFilesPart("files");

}  // namespace vantage::ui

#include "files_test.moc"
