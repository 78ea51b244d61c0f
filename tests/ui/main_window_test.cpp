#include "tests/ui/main_window_test.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenuBar>
#include <QMimeData>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QSlider>
#include <QStatusBar>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <atomic>

#include "core/base/file.h"
#include "core/base/log.h"
#include "tests/ui/support/open_window.h"
#include "ui/main_window/export_control.h"
#include "ui/main_window/floor_control.h"
#include "ui/main_window/main_window.h"
#include "ui/main_window/overlay_control.h"
#include "ui/main_window/people_control.h"
#include "ui/main_window/playback_control.h"
#include "ui/main_window/preferences_dialog.h"
#include "ui/main_window/recent_projects.h"
#include "ui/main_window/trackers_control.h"
#include "ui/panels/checks_panel.h"
#include "ui/panels/floor_panel.h"
#include "ui/panels/height_map_panel.h"
#include "ui/panels/new_project_page.h"
#include "ui/panels/parameter_editor.h"
#include "ui/panels/parameters_panel.h"
#include "ui/panels/people_panel.h"
#include "ui/panels/trackers_panel.h"
#include "ui/platform/session_bridge.h"
#include "ui/views/box_editor.h"
#include "ui/views/camera_grid.h"
#include "ui/views/height_map_canvas.h"
#include "ui/views/scene_view.h"
#include "ui/widgets/curve_plot.h"
#include "ui/widgets/transport.h"

namespace vantage::ui {
namespace {

// The scene's person with its number, one who came later and was lost in between, one who left.
TracksRef some_tracks() {
  const FakeScene scene;
  auto tracks = std::make_shared<Tracks>();
  tracks->frame_rate = scene.frame_rate;
  tracks->paths = {{FakeScene::kPerson, {}}, {2, {}}, {3, {}}};
  for (int64_t frame = 0; frame < scene.frames; ++frame) {
    tracks->frames.push_back(frame);
    const Eigen::Vector3d place = scene.person_in_world_m(frame);
    tracks->paths[0].points.push_back({frame, place.x(), place.y(), 1.7, 0.9, true, 0});
    if (frame >= 50) tracks->paths[1].points.push_back({frame, 5, 0, 1.7, 0.9, frame < 60 || frame > 70});
    if (frame < 40) tracks->paths[2].points.push_back({frame, 5, 0.2, 1.7, 0.9, true});
  }
  tracks->known_frames = tracks->frames;
  return tracks;
}

CheckReport some_report(Verdict verdict) {
  CheckReport report;
  report.items = {
      {"decoding", "cam1", Verdict::passed, "5 of 5 frames", "every sampled frame decodes", "", -1},
      {"silhouettes", "cam3", verdict, "41 %", "at least 80 %", "Calibrate this camera again.", 12}};
  return report;
}

}  // namespace

void MainWindowTest::starts_with_the_start_page() {
  OpenWindow w({}, false);
  QVERIFY(w.window->shows_start_page());
  QCOMPARE(w.window->windowTitle(), QString("Vantage"));
  w.window->open_project("/somewhere/hall.vantage");
  QTRY_VERIFY(!w.window->shows_start_page());
  QVERIFY(w.window->windowTitle().startsWith("Vantage: hall"));
  QCOMPARE(w.window->cameras()->camera_count(), 4);
  QTRY_COMPARE(w.window->transport()->frame_text(), QString("frame   0 of 100"));
  w.window->actions_table().close->trigger();
  QVERIFY(w.window->shows_start_page());
}

void MainWindowTest::every_action_has_keys_tooltip_and_name() {
  OpenWindow w;
  QSet<QString> keys;
  for (const QAction* action : w.window->actions_table().all) {
    QVERIFY(!action->text().isEmpty());
    QVERIFY2(!action->toolTip().isEmpty(), qPrintable(action->text()));
    QVERIFY2(!action->shortcut().isEmpty(), qPrintable(action->text()));
    for (const QKeySequence& key : action->shortcuts()) {
      QVERIFY2(!keys.contains(key.toString()), qPrintable(key.toString() + " twice"));
      keys << key.toString();
    }
  }
  for (const char* key :
       {"Space", "J", "K",      "L",   ",", ".", "Left", "Right", "Shift+Left", "Shift+Right", "Home", "End",
        "I",     "O", "Ctrl+R", "Esc", "0", "1", "9",    "F",     "P",          "T",           "V",    "G",
        "B",     "U", "R",      "C",   "S", "D", "F6",   "F7",    "F8",         "F9",          "F11",  "F1"})
    QVERIFY2(keys.contains(key), key);
  for (const QToolButton* button : w.window->findChildren<QToolButton*>()) {
    if (!button->isVisible() || button->objectName().startsWith("qt_")) continue;
    QVERIFY2(!button->accessibleName().isEmpty(), qPrintable(button->text() + " " + button->toolTip()));
    QVERIFY2(!button->toolTip().isEmpty(), qPrintable(button->accessibleName()));
  }
  for (const QMenu* menu : w.window->menuBar()->findChildren<QMenu*>())
    QVERIFY(menu->toolTipsVisible() || menu->title().isEmpty());
}

void MainWindowTest::disabled_actions_say_why() {
  OpenWindow w({}, false);
  const WindowActions& a = w.window->actions_table();
  for (const QAction* action : a.all)
    if (!action->isEnabled() && action->isVisible())
      QVERIFY2(action->toolTip().contains('\n'), qPrintable(action->text() + ": " + action->toolTip()));
  QVERIFY(!a.play->isEnabled());
  QVERIFY(a.play->toolTip().contains("Open a project first."));
  w.window->open_project("/somewhere/hall.vantage");
  QTRY_VERIFY(a.play->isEnabled());
  QVERIFY(!a.play->toolTip().contains('\n'));
  QVERIFY(a.analyse_range->toolTip().contains("Mark a range"));
}

void MainWindowTest::keys_do_what_they_say_data() {
  QTest::addColumn<int>("key");
  QTest::addColumn<int>("modifiers");
  QTest::addColumn<QString>("call");
  const auto add = [](const char* name, int key, int modifiers, const QString& call) {
    QTest::newRow(name) << key << modifiers << call;
  };
  add("Space", Qt::Key_Space, Qt::NoModifier, "play");
  add("comma", Qt::Key_Comma, Qt::NoModifier, "step -1");
  add("period", Qt::Key_Period, Qt::NoModifier, "step 1");
  add("Left", Qt::Key_Left, Qt::NoModifier, "step -1");
  add("Right", Qt::Key_Right, Qt::NoModifier, "step 1");
  add("Shift+Left", Qt::Key_Left, Qt::ShiftModifier, "step -25");
  add("Shift+Right", Qt::Key_Right, Qt::ShiftModifier, "step 25");
  add("Home", Qt::Key_Home, Qt::NoModifier, "seek 0");
  add("End", Qt::Key_End, Qt::NoModifier, "seek 99");
  add("J", Qt::Key_J, Qt::NoModifier, "play");
  add("K", Qt::Key_K, Qt::NoModifier, "pause");
  add("L", Qt::Key_L, Qt::NoModifier, "play");
}

void MainWindowTest::keys_do_what_they_say() {
  QFETCH(int, key);
  QFETCH(int, modifiers);
  QFETCH(QString, call);
  OpenWindow w;
  w.key(key, static_cast<Qt::KeyboardModifiers>(modifiers));
  QCOMPARE(w.last(), call);
}

void MainWindowTest::letters_act_only_in_views() {
  OpenWindow w;
  w.window->actions_table().parameters->trigger();
  QCoreApplication::processEvents();
  auto* search = w.window->parameters()->findChild<QWidget*>("qt_spinbox_lineedit");
  QVERIFY(search);
  search->setFocus();
  const qsizetype before = w.session().calls.size();
  w.key(Qt::Key_L);
  w.key(Qt::Key_Home);
  QCOMPARE(w.session().calls.size(), before);
  w.window->timeline()->setFocus();
  w.key(Qt::Key_Home);
  QCOMPARE(w.last(), QString("seek 0"));
}

void MainWindowTest::held_keys() {
  OpenWindow w;
  QTest::keyPress(w.window->cameras(), Qt::Key_K);
  w.key(Qt::Key_L);
  QCOMPARE(w.last(), QString("step 1"));
  w.key(Qt::Key_J);
  QCOMPARE(w.last(), QString("step -1"));
  QTest::keyRelease(w.window->cameras(), Qt::Key_K);
  w.key(Qt::Key_L);
  QCOMPARE(w.last(), QString("play"));

  const QImage overlaid = w.window->cameras()->grabFramebuffer();
  QTest::keyPress(w.window->cameras(), Qt::Key_X);
  QVERIFY(w.window->cameras()->grabFramebuffer() != overlaid);
  QTest::keyRelease(w.window->cameras(), Qt::Key_X);
  w.key(Qt::Key_K);
  w.key(Qt::Key_2);
  QCOMPARE(w.window->cameras()->enlarged(), std::optional<int>(1));
  w.key(Qt::Key_0);
  QCOMPARE(w.window->cameras()->enlarged(), std::optional<int>());
  w.key(Qt::Key_F);
  QVERIFY(!w.window->actions_table().foreground->isChecked());
  w.key(Qt::Key_F);
  w.key(Qt::Key_M);
  QVERIFY(w.window->scene()->top());
}

void MainWindowTest::shuttle_gets_faster() {
  OpenWindow w;
  w.key(Qt::Key_L);
  w.key(Qt::Key_L);
  w.key(Qt::Key_L);
  QCOMPARE(w.last(), QString("set_playback_rate 4"));
  w.key(Qt::Key_J);
  QCOMPARE(w.last(), QString("set_playback_rate -1"));
  w.key(Qt::Key_Space);
  QTRY_COMPARE(w.last(), QString("set_playback_rate 1"));  // a pause forgets the rate
  QVERIFY(w.session().calls.contains("pause"));
}

void MainWindowTest::range_is_marked_and_analysed() {
  OpenWindow w;
  const WindowActions& a = w.window->actions_table();
  QVERIFY(!a.analyse_range->isEnabled());
  w.session().seek(20);
  QCoreApplication::processEvents();
  w.key(Qt::Key_I);
  w.session().seek(40);
  QCoreApplication::processEvents();
  w.key(Qt::Key_O);
  QCOMPARE(w.window->playback()->range().in, std::optional<int64_t>(20));
  QCOMPARE(w.window->playback()->range().out, std::optional<int64_t>(40));
  w.key(Qt::Key_R, Qt::ControlModifier);
  QCOMPARE(w.last(), QString("analyse 20:41"));
  QTRY_VERIFY(a.stop->isEnabled());
  QVERIFY(a.analyse_range->toolTip().contains("running"));
  w.key(Qt::Key_Escape);
  QCOMPARE(w.last(), QString("stop"));
  // An Out before the In starts a new range.
  w.session().seek(10);
  QCoreApplication::processEvents();
  w.key(Qt::Key_O);
  QVERIFY(!w.window->playback()->range().in.has_value());
}

void MainWindowTest::timeline_drag_seeks() {
  OpenWindow w;
  Timeline* timeline = w.window->timeline();
  QTest::mouseClick(timeline, Qt::LeftButton, {}, QPoint(qRound(timeline->x_of(50)), 12));
  QVERIFY(w.last().startsWith("seek "));
  const int64_t frame = w.last().mid(5).toLongLong();
  QVERIFY(std::abs(frame - 50) <= 1);
  QTRY_COMPARE(w.window->transport()->frame_text(), QString("frame %1 of 100").arg(frame, 3));
}

void MainWindowTest::parameter_edits_reach_the_session() {
  OpenWindow w;
  ParameterEditor* editor = w.window->parameters()->editor("carving", "threshold");
  QVERIFY(editor);
  const int middle = editor->findChild<QSlider*>()->maximum() / 2;
  editor->findChild<QSlider*>()->setValue(middle);
  QCOMPARE(w.last(), QString("set_parameter carving.threshold %1").arg(editor->value()));
  QTRY_VERIFY(w.window->isWindowModified());
  editor->findChild<QToolButton*>()->click();
  QCOMPARE(w.last(), QString("reset_parameter carving.threshold"));
  QTRY_COMPARE(editor->value(), editor->description().default_value);
  w.session().save("/somewhere/hall.vantage");
}

void MainWindowTest::undo_and_redo() {
  OpenWindow w;
  const WindowActions& a = w.window->actions_table();
  QVERIFY(!a.undo->isEnabled());
  w.session().set_parameter("carving", "threshold", 0.5);
  QTRY_VERIFY(a.undo->isEnabled());
  ParameterEditor* editor = w.window->parameters()->editor("carving", "threshold");
  QCOMPARE(editor->value(), 0.5);
  w.key(Qt::Key_Z, Qt::ControlModifier);
  QTRY_COMPARE(editor->value(), editor->description().default_value);
  QTRY_VERIFY(a.redo->isEnabled());
  w.key(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
  QTRY_COMPARE(editor->value(), 0.5);
  w.session().save("/somewhere/hall.vantage");
  QTRY_VERIFY(!w.window->isWindowModified());
}

void MainWindowTest::a_failed_check_stops_the_analysis() {
  std::atomic<Verdict> verdict = Verdict::failed;
  OpenWindow w({}, true, [&](const Project&, const CheckOptions&) { return some_report(verdict); });
  w.window->actions_table().analyse_all->trigger();
  QVERIFY(!w.window->actions_table().analyse_all->isEnabled());
  QTRY_VERIFY(w.window->messages()->text().contains("cam3, silhouettes: 41 %"));
  QVERIFY(w.window->checks()->isVisible());
  QVERIFY(!w.session().calls.contains("analyse 0:100"));
  // The choice to go on.
  QPushButton* anyway = nullptr;
  for (auto* button : w.window->messages()->findChildren<QPushButton*>())
    if (button->text() == "Analyse Anyway") anyway = button;
  QVERIFY(anyway);
  anyway->click();
  QVERIFY(w.session().calls.contains("analyse 0:100"));
  w.session().stop();
  w.session().calls.clear();
  verdict = Verdict::doubtful;
  QTRY_VERIFY(w.window->actions_table().analyse_all->isEnabled());
  w.window->actions_table().analyse_all->trigger();
  QTRY_VERIFY2(w.session().calls.contains("analyse 0:100"), "what is doubtful does not stop");
}

void MainWindowTest::checks_are_counted_in_the_toolbar() {
  OpenWindow w({}, true, [](const Project&, const CheckOptions&) { return some_report(Verdict::doubtful); });
  QVERIFY(w.window->actions_table().checks->icon().isNull());
  w.key(Qt::Key_F7, Qt::ControlModifier);
  QTRY_COMPARE(w.window->checks()->count(Verdict::doubtful), 1);
  QVERIFY(w.window->checks()->isVisible());
  QVERIFY(!w.window->actions_table().checks->icon().isNull());
  QPushButton* show = nullptr;
  for (auto* button : w.window->checks()->findChildren<QPushButton*>())
    if (button->toolTip() == "Show cam3 at its frame 12") show = button;
  QVERIFY(show);
  show->click();
  QCOMPARE(w.window->cameras()->enlarged(), std::optional<int>(2));
  QCOMPARE(w.last(), QString("seek 12"));
  w.session().set_parameter("carving", "threshold", 0.5);
  QTRY_VERIFY(w.window->checks()->findChild<QLabel*>()->text().contains("changed since"));
  OpenWindow without;
  QVERIFY2(!without.window->actions_table().check->isVisible(), "what is not there is not in the menus");
}

void MainWindowTest::dropped_files_make_a_project() {
  OpenWindow w({}, false);
  const auto drop = [&](const QStringList& paths) {
    QMimeData data;
    QList<QUrl> urls;
    for (const QString& path : paths) urls << QUrl::fromLocalFile(path);
    data.setUrls(urls);
    QDragEnterEvent enter({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(w.window.get(), &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent event({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(w.window.get(), &event);
  };
  drop({"/missing/cam1.mp4", "/missing/cam2.mp4"});
  QVERIFY(w.window->new_project_page()->isVisible());
  QCOMPARE(w.window->new_project_page()->rows().size(), size_t{2});
  emit w.window->new_project_page()->cancelled();
  QVERIFY(w.window->shows_start_page());
  drop({"/somewhere/hall.vantage"});
  QTRY_VERIFY(!w.window->shows_start_page());
  w.key(Qt::Key_N, Qt::ControlModifier);
  QVERIFY(w.window->new_project_page()->isVisible());
  QVERIFY2(w.window->new_project_page()->rows().empty(), "a new page begins empty");
  emit w.window->new_project_page()->cancelled();
  QVERIFY2(w.window->cameras()->isVisible(), "the open project is still there");
}

void MainWindowTest::unsaved_changes_are_kept_and_offered() {
  OpenWindow w({}, true, {}, 1'700'000'000);
  QTRY_VERIFY(w.window->messages()->text().contains("not saved"));
  for (auto* button : w.window->messages()->findChildren<QPushButton*>())
    if (button->text() == "Take Them Over") button->click();
  QVERIFY(w.session().calls.contains("recover"));
  w.session().set_parameter("carving", "threshold", 0.5);
  QTRY_VERIFY_WITH_TIMEOUT(w.session().calls.contains("autosave"), 10'000);
}

void MainWindowTest::a_report_of_a_problem_is_written() {
  QTemporaryDir folder;
  OpenWindow w;
  log_warning("rtsp://me:secret@camera/ is slow");
  const QString file = folder.filePath("report.txt");
  w.window->exports()->write_report(file);
  QTRY_VERIFY_WITH_TIMEOUT(QFileInfo::exists(file), 10'000);
  QFile report(file);
  QVERIFY(report.open(QIODevice::ReadOnly));
  const QString text = QString::fromUtf8(report.readAll());
  for (const char* part : {"Vantage ", "Backend: CPU", "== vantage-cli doctor", "== Log", "is slow", "cam4"})
    QVERIFY2(text.contains(part), part);
  QVERIFY(!text.contains("secret"));
}

void MainWindowTest::errors_wait_in_the_message_bar() {
  OpenWindow w;
  for (const char* camera : {"cam1", "cam2", "cam3"})
    w.session().report({ErrorKind::bad_data, "the video is damaged", camera, {}});
  QTRY_COMPARE(w.window->messages()->count(), 3);
  QVERIFY(w.window->messages()->isVisible());
  QVERIFY(w.window->messages()->text().contains("cam1"));
  w.window->messages()->dismiss();
  QVERIFY(w.window->messages()->text().contains("cam2"));

  OpenWindow closed({}, false);
  closed.window->open_project("/missing.vantage");
  QTRY_VERIFY(closed.window->messages()->text().contains("not there"));
  QVERIFY(closed.window->shows_start_page());
  w.window->open_project("/missing.vantage");
  QTRY_VERIFY(w.window->shows_start_page());
}

void MainWindowTest::a_failed_gpu_offers_the_cpu() {
  const auto offer = [](OpenWindow& w) {
    for (QPushButton* button : w.window->messages()->findChildren<QPushButton*>())
      if (button->text() == "Continue on the CPU" && button->isVisible()) return button;
    return static_cast<QPushButton*>(nullptr);
  };
  const Error lost{ErrorKind::device_lost, "the device is lost", "cuda:0", ""},
      full{ErrorKind::out_of_memory, "no memory of 34 MiB is left on the GPU", "cuda:0",
           "Close what else uses it, or choose larger voxels."};
  const auto fail = [](OpenWindow& w, bool on_cpu, const Error& error) {
    w.session().set_on_cpu(on_cpu);
    QCoreApplication::processEvents();
    w.session().report(error);
    QCoreApplication::processEvents();
  };
  OpenWindow w;
  fail(w, true, lost);
  QVERIFY(!offer(w));  // it runs there already
  for (const Error& error : {lost, full}) {
    OpenWindow g;
    fail(g, false, error);
    QVERIFY(offer(g));
    const QString name = error.kind == ErrorKind::device_lost ? "gpu_lost" : "gpu_full";
    for (const Theme theme : {Theme::light, Theme::dark}) {
      g.window->choose_theme(theme);
      QCoreApplication::processEvents();
      keep_picture(*g.window, name + (theme == Theme::dark ? "_dark" : "_light"));
    }
    offer(g)->click();
    QCOMPARE(g.last(), QString("continue_on_cpu"));
    QTRY_VERIFY(g.window->findChild<QLabel*>("backend")->text().contains("the GPU failed"));
    keep_picture(*g.window, name + "_continued");
  }
  // Taken away, nothing goes on by itself.
  OpenWindow d;
  fail(d, false, lost);
  d.window->messages()->dismiss();
  QVERIFY(!offer(d));
  QVERIFY(!d.session().calls.contains("continue_on_cpu"));
}

void MainWindowTest::demonstration_plays() {
  OpenWindow w({}, false);
  w.window->actions_table().demonstration->trigger();
  QTRY_VERIFY(w.session().calls.contains("play"));
  QVERIFY(w.session().calls.contains("set_analyse_while_playing 1"));
  QVERIFY(w.window->messages()->text().startsWith("Space pauses."));
  QTRY_VERIFY(w.session().frame() > 2);
  w.session().pause();
  w.window->open_project("/somewhere/hall.vantage");
  QVERIFY2(w.session().calls.contains("set_analyse_while_playing 0"),
           "only the demonstration switches it on");
}

void MainWindowTest::empty_states_say_what_is_missing() {
  FakeScene uncalibrated;
  uncalibrated.calibrated = false;
  OpenWindow first(uncalibrated);
  QTRY_COMPARE(first.window->scene()->hint(), QString("3-D and people need a calibration."));
  FakeScene empty_room;
  empty_room.without_person = true;
  OpenWindow second(empty_room);
  QTRY_VERIFY(second.window->scene()->hint().contains("cam1, cam2, cam3, cam4 have no foreground"));
  OpenWindow third;
  QTRY_VERIFY(third.window->scene()->hint().isEmpty());
}

void MainWindowTest::overlays_follow_their_keys() {
  OpenWindow w;
  const WindowActions& a = w.window->actions_table();
  const Marks& marks = w.window->overlays()->marks();
  QTRY_COMPARE(marks.people.size(), size_t{1});
  QCOMPARE(marks.people[0].id, FakeScene::kPerson);
  const std::pair<int, QAction*> keys[] = {
      {Qt::Key_P, a.people},    {Qt::Key_T, a.trails},  {Qt::Key_V, a.volume},
      {Qt::Key_G, a.floor_map}, {Qt::Key_R, a.region},  {Qt::Key_C, a.coverage},
      {Qt::Key_S, a.figure},    {Qt::Key_D, a.details}, {Qt::Key_U, a.cut}};
  for (const auto& [key, action] : keys) {
    const bool before = action->isChecked();
    w.key(key);
    QVERIFY2(action->isChecked() != before, qPrintable(action->text()));
  }
  QVERIFY(marks.people.empty());
  QVERIFY(!marks.everybody.empty());
  QVERIFY(marks.floor_map && marks.region && !marks.coverage.empty() && !marks.figure);
  QCOMPARE(w.last(), QString("set_cut 1"));
  w.key(Qt::Key_Up, Qt::ShiftModifier);
  QCOMPARE(w.last(), QString("set_cut 1.1"));
  w.key(Qt::Key_U, Qt::ShiftModifier);
  QCOMPARE(w.last(), QString("set_cut 0"));  // across x, in the middle
  w.key(Qt::Key_Down, Qt::ShiftModifier);
  QCOMPARE(w.last(), QString("set_cut -0.1"));
  for (int turns = 0; turns < 2; ++turns) w.key(Qt::Key_U, Qt::ShiftModifier);
  QCOMPARE(w.last(), QString("set_cut 1.1"));  // where it was
  w.key(Qt::Key_U);
  QCOMPARE(w.last(), QString("set_cut none"));
  w.key(Qt::Key_T);
  w.session().seek(1);
  w.session().seek(2);
  QTRY_VERIFY(!marks.trails.empty());
  const PeopleStyle style = marks.people_style;
  w.key(Qt::Key_P, Qt::ShiftModifier);
  QVERIFY(marks.people_style != style);
  QVERIFY2(!marks.people.empty(), "asking for a style shows them");
}

void MainWindowTest::pointing_tells_why_a_peak_was_rejected() {
  OpenWindow w;
  QTRY_COMPARE(w.window->overlays()->marks().rejected.size(), size_t{1});
  const Eigen::Vector3d place = FakeScene::rejected_in_world_m();
  QCOMPARE(w.window->overlays()->rejected_because(place + Eigen::Vector3d(0.2, 0, 0)), QString("too small"));
  QCOMPARE(w.window->overlays()->rejected_because(place + Eigen::Vector3d(0.4, 0, 0)), QString());
  QLabel* label = nullptr;
  for (QLabel* candidate : w.window->statusBar()->findChildren<QLabel*>())
    if (candidate->accessibleName() == "Place") label = candidate;
  QVERIFY(label);
  emit w.window->scene()->pointed(place);
  QVERIFY2(label->text().contains("not a person: too small"), qPrintable(label->text()));
  emit w.window->cameras()->pointed(std::nullopt);
  QCOMPARE(label->text(), QString());
}

void MainWindowTest::preferences_act_at_once_and_are_taken_back() {
  OpenWindow w;
  w.window->apply_preferences({});
  QCOMPARE(stored_preferences(), Preferences{});
  PreferencesDialog dialog(stored_preferences(), w.window.get());
  connect(&dialog, &PreferencesDialog::changed, w.window.get(), &MainWindow::apply_preferences);
  for (QWidget* field : dialog.findChildren<QWidget*>())
    if (qobject_cast<QComboBox*>(field) || qobject_cast<QAbstractSpinBox*>(field))
      QVERIFY(!field->accessibleName().isEmpty() && !field->toolTip().isEmpty());
  for (auto* field : dialog.findChildren<QSpinBox*>())
    if (field->accessibleName() == "Memory for results") field->setValue(512);
  for (auto* field : dialog.findChildren<QDoubleSpinBox*>())
    if (field->accessibleName() == "Length of trails") field->setValue(10);
  QCOMPARE(w.last(), QString("set_limits 512 1024 10"));
  for (auto* field : dialog.findChildren<QComboBox*>())
    if (field->accessibleName() == "Theme") field->setCurrentIndex(2);
  QVERIFY(w.window->actions_table().theme_dark->isChecked());
  QCOMPARE(stored_preferences().cache_mib, 512);
  dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::RestoreDefaults)->click();
  QCOMPARE(w.last(), QString("set_limits 2048 1024 4"));
  QCOMPARE(stored_preferences(), Preferences{});
}

void MainWindowTest::docks_give_way_to_a_new_project() {
  OpenWindow w;
  const WindowActions& a = w.window->actions_table();
  a.parameters->trigger();
  QTRY_VERIFY(w.window->parameters()->isVisible());
  a.new_project->trigger();
  QVERIFY(w.window->new_project_page()->isVisible());
  QVERIFY(!w.window->parameters()->isVisible());
  QTest::keyClick(w.window->new_project_page(), Qt::Key_Escape);
  QTRY_VERIFY(w.window->parameters()->isVisible());
  a.parameters->trigger();
}

void MainWindowTest::a_box_is_made_edited_and_undone() {
  OpenWindow w;
  const WindowActions& a = w.window->actions_table();
  const Marks& marks = w.window->overlays()->marks();
  QVERIFY(!a.edit_numbers->isEnabled());
  QVERIFY(a.edit_numbers->toolTip().contains("Show the box"));
  w.key(Qt::Key_B);
  QCOMPARE(w.last(), QString("edit box"));
  QTRY_VERIFY(marks.box.has_value());
  QCOMPARE(marks.box->size_m.z(), 1.75);
  w.key(Qt::Key_B, Qt::ShiftModifier);
  BoxEditor* editor = w.window->overlays()->editor();
  QTRY_VERIFY(editor->isVisible());
  auto* x = editor->findChild<QDoubleSpinBox*>();
  x->setValue(0.75);
  QCOMPARE(w.session().project().box->base_in_world_m.x(), 0.75);
  QTRY_COMPARE(marks.box->base_in_world_m.x(), 0.75);
  a.undo->trigger();
  QTRY_COMPARE(marks.box->base_in_world_m.x(), 0.0);
  QCOMPARE(x->value(), 0.0);
  QTest::keyClick(x, Qt::Key_Escape);
  QVERIFY(!editor->isVisible());
  w.window->cameras()->setFocus();
  w.key(Qt::Key_B);
  QVERIFY(!marks.box.has_value());
  QVERIFY2(w.session().project().box.has_value(), "hidden, but kept");
  w.session().save("/somewhere/hall.vantage");
}

void MainWindowTest::the_region_is_edited_by_numbers() {
  OpenWindow w;
  const Marks& marks = w.window->overlays()->marks();
  w.key(Qt::Key_R, Qt::ShiftModifier);
  BoxEditor* editor = w.window->overlays()->editor();
  QTRY_VERIFY(editor->isVisible());
  QVERIFY(marks.region.has_value());
  for (auto* field : editor->findChildren<QDoubleSpinBox*>())
    if (field->accessibleName().startsWith("Length")) field->setValue(2.0);
  QCOMPARE(w.last(), QString("edit region"));
  const VoxelGrid grid = *w.session().project().grid;
  QCOMPARE(grid.nx, 40);  // voxels of 5 cm
  QCOMPARE(grid.ny, w.session().project().grid->ny);
  QTRY_COMPARE(marks.region->size_m.x(), 2.0);
  w.session().save("/somewhere/hall.vantage");
}

void MainWindowTest::overlays_say_what_they_need() {
  FakeScene uncalibrated;
  uncalibrated.calibrated = false;
  OpenWindow w(uncalibrated);
  const WindowActions& a = w.window->actions_table();
  for (const QAction* action :
       {a.people, a.trails, a.floor_map, a.cut, a.region, a.coverage, a.box, a.figure}) {
    QVERIFY(!action->isEnabled());
    QVERIFY2(action->toolTip().contains("need a calibration"), qPrintable(action->toolTip()));
  }
  QVERIFY(a.foreground->isEnabled());
}

void MainWindowTest::people_are_chosen_and_followed() {
  OpenWindow w;
  const WindowActions& a = w.window->actions_table();
  const Marks& marks = w.window->overlays()->marks();
  TrackLanes* lanes = w.window->people_panel()->lanes();
  QTRY_COMPARE(marks.people.size(), size_t{1});
  w.bridge()->on_tracks(some_tracks());
  QTRY_COMPARE(lanes->lanes().size(), size_t{3});
  QCOMPARE(lanes->describe(lanes->lanes()[1]),
           QString("person 2, frames 50 to 99, lost once in between; appeared in frame 50"));
  QCOMPARE(lanes->describe(lanes->lanes()[2]), QString("person 3, frames 0 to 39; lost after frame 39"));
  QVERIFY(!a.follow_person->isEnabled());
  w.key(Qt::Key_A);
  QCOMPARE(marks.choice.first, FakeScene::kPerson);
  QCOMPARE(marks.choice.way_m.size(), size_t{1});
  w.key(Qt::Key_E);
  QVERIFY(w.window->people()->following() && a.follow_person->isChecked() && a.stop->isEnabled());
  w.key(Qt::Key_Escape);
  QVERIFY(!w.window->people()->following() && !a.follow_person->isChecked());
  // By the mouse: on the person, then beside everybody.
  const Camera camera = *w.session().project().cameras[0].calibration;
  const auto middle = camera.project(FakeScene{}.person_in_world_m(w.session().frame()));
  QVERIFY(middle);
  const QRectF area = w.window->cameras()->picture_area(0);
  const QPoint at(qRound(area.left() + (middle->x() + 0.5) * area.width() / camera.width_px()),
                  qRound(area.top() + (middle->y() + 0.5) * area.height() / camera.height_px()));
  QTest::mouseClick(w.window->cameras(), Qt::LeftButton, {}, at);
  QVERIFY(w.window->people()->following());
  w.key(Qt::Key_Escape);
  QTest::mouseClick(w.window->cameras(), Qt::LeftButton, {}, area.topLeft().toPoint() + QPoint(4, 4));
  QCOMPARE(marks.choice.first, int64_t{0});
}

void MainWindowTest::identities_are_repaired_by_hand() {
  OpenWindow w;
  const WindowActions& a = w.window->actions_table();
  w.bridge()->on_tracks(some_tracks());
  a.people_dock->trigger();
  PeoplePanel* panel = w.window->people_panel();
  QTRY_COMPARE(panel->lanes()->lanes().size(), size_t{3});
  QVERIFY(panel->isVisible());
  TrackLanes* lanes = panel->lanes();
  lanes->setFocus();
  for (int i = 0; i < 2; ++i) QTest::keyClick(lanes, Qt::Key_Down);
  QVERIFY2(!a.join_people->isEnabled(), "one alone");
  QTest::keyClick(lanes, Qt::Key_Down, Qt::ShiftModifier);
  QCOMPARE(w.window->people()->chosen(), (ChosenPeople{2, 3}));
  QVERIFY2(!a.swap_people->isEnabled(), "the second is not there now");
  a.join_people->trigger();
  const std::vector<IdentityRepair>& repairs = w.session().project().repairs;
  QCOMPARE(repairs.size(), size_t{1});
  QVERIFY(repairs[0].kind == RepairKind::join);
  QVERIFY2(repairs[0].at == (PlaceInTime{39, 5, 0.2}) && repairs[0].other == (PlaceInTime{50, 5, 0}),
           "where one was seen last and the other first");
  QTRY_COMPARE(panel->repairs()->count(), 1);
  QVERIFY(panel->repairs()->item(0)->text().startsWith("join: frame 39 (x 5.00, y 0.20 m) and frame 50"));
  a.undo->trigger();
  QTRY_COMPARE(panel->repairs()->count(), 0);
  // Two who are there together cannot be one: said, not done.
  for (int i = 0; i < 2; ++i) QTest::keyClick(lanes, Qt::Key_Up);
  QTest::keyClick(lanes, Qt::Key_Down, Qt::ShiftModifier);
  QCOMPARE(w.window->people()->chosen(), (ChosenPeople{1, 2}));
  a.join_people->trigger();
  QVERIFY(w.window->messages()->text().contains("both people are there"));
  QVERIFY(repairs.empty());
  w.session().seek(10);
  QTRY_VERIFY(w.window->transport()->frame_text().contains("10 of"));
  a.split_person->trigger();
  QVERIFY(repairs.size() == 1 && repairs[0].kind == RepairKind::split && repairs[0].at.frame == 10);
  auto unmet = std::make_shared<Tracks>(*some_tracks());
  unmet->unmet = {{0, "nobody stood there"}};
  w.bridge()->on_tracks(unmet);
  QTRY_VERIFY(panel->summary().contains("1 repair does not hold"));
  QVERIFY(panel->repairs()->item(0)->text().contains("nobody stood there"));
  panel->repairs()->setCurrentRow(0);
  QTest::keyClick(panel->repairs(), Qt::Key_Delete);
  QVERIFY(repairs.empty());
  w.session().save("/somewhere/hall.vantage");
}

void MainWindowTest::zones_and_lines_are_drawn_moved_and_counted() {
  OpenWindow w;
  const WindowActions& a = w.window->actions_table();
  const Marks& marks = w.window->overlays()->marks();
  FloorPanel* panel = w.window->floor_panel();
  const Project& project = w.session().project();
  const Camera camera = *project.cameras[0].calibration;
  const auto widget_place_of = [&](double x_m, double y_m) {
    const Eigen::Vector2d pixel = camera.project({x_m, y_m, 0}).value();
    const QRectF area = w.window->cameras()->picture_area(0);
    return QPoint(qRound(area.left() + (pixel.x() + 0.5) * area.width() / camera.width_px()),
                  qRound(area.top() + (pixel.y() + 0.5) * area.height() / camera.height_px()));
  };
  QTRY_COMPARE(marks.people.size(), size_t{1});
  a.draw_zone->trigger();
  QVERIFY(panel->isVisible() && w.window->floor()->drawing() && a.stop->isEnabled());
  const std::pair<double, double> corners[] = {{-0.3, -0.3}, {0.3, -0.3}, {0.3, 0.3}};
  for (const auto& [x, y] : corners)
    QTest::mouseClick(w.window->cameras(), Qt::LeftButton, {}, widget_place_of(x, y));
  QTRY_COMPARE(marks.shapes.size(), size_t{1});
  QVERIFY2(project.zones.empty(), "not before it is ended");
  QTest::keyClick(w.window->cameras(), Qt::Key_Return);
  QVERIFY(!w.window->floor()->drawing());
  QCOMPARE(project.zones.size(), size_t{1});
  QCOMPARE(project.zones[0].corners_m.size(), size_t{3});
  for (size_t i = 0; i < 3; ++i)
    QVERIFY((project.zones[0].corners_m[i] - Eigen::Vector2d(corners[i].first, corners[i].second)).norm() <
            0.05);

  a.draw_line->trigger();
  w.key(Qt::Key_Escape);
  QVERIFY2(!w.window->floor()->drawing() && project.lines.empty(), "Escape forgets it");
  a.draw_line->trigger();
  QTest::keyClick(w.window->cameras(), Qt::Key_Return);
  QCOMPARE(project.lines.size(), size_t{1});  // in the middle, a metre long
  QTRY_COMPARE(panel->table()->rowCount(), 2);

  w.session().edit("rule", [](Project& changed) { changed.rules = {{"r", RuleKind::enters, "zone 1"}}; });
  QTRY_COMPARE(panel->table()->item(0, 0)->text(), QString("zone 1"));
  panel->table()->item(0, 0)->setText("shop");
  QCOMPARE(project.zones[0].name, std::string("shop"));
  QCOMPARE(project.rules[0].where, std::string("shop"));
  QCoreApplication::processEvents();
  panel->table()->item(1, 0)->setText("shop");
  QVERIFY2(project.lines[0].name == "line 1", "the name is taken");
  QVERIFY(w.window->messages()->text().contains("another zone or line"));

  a.move_corners->setChecked(true);
  QTest::mousePress(w.window->cameras(), Qt::LeftButton, {}, widget_place_of(0.3, 0.3));
  QTest::mouseMove(w.window->cameras(), widget_place_of(0.2, 0.4));
  QTest::mouseRelease(w.window->cameras(), Qt::LeftButton, {}, widget_place_of(0.2, 0.4));
  QVERIFY((project.zones[0].corners_m[2] - Eigen::Vector2d(0.2, 0.4)).norm() < 0.05);
  a.undo->trigger();
  QVERIFY((project.zones[0].corners_m[2] - Eigen::Vector2d(0.3, 0.3)).norm() < 0.05);
  a.move_corners->setChecked(false);
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
  QTRY_VERIFY(a.export_counts->isEnabled());
  QTRY_VERIFY(panel->table()->item(1, 2)->text().contains("to the left"));
  panel->choose(FloorShapeRef{true, 0});
  emit panel->chosen_by_hand();
  a.delete_shape->trigger();
  QVERIFY2(project.zones.empty() && project.rules.empty(), "with its rules");
  w.session().save("/somewhere/hall.vantage");
}

// Two who walk, and whose numbers the results exchange half way: the greedy tracker finds them, and so do
// the paths.
void MainWindowTest::two_trackers_are_compared() {
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
  QTRY_VERIFY(!w.window->shows_start_page());
  QVERIFY(!w.window->actions_table().compare_trackers->isEnabled());
  w.bridge()->on_tracks(some_tracks());
  QTRY_VERIFY(w.window->actions_table().compare_trackers->isEnabled());
  TrackersPanel* panel = w.window->trackers_panel();
  panel->choose(0, ComparedMethod::recorded);
  QTRY_COMPARE(panel->lanes(0)->lanes().size(), size_t{2});
  QCOMPARE(panel->table()->item(0, 1)->text(), QString("\u2013"));
  w.window->trackers()->load_truth(QString::fromStdString((at / "truth.csv").string()));
  QTRY_COMPARE(panel->table()->item(1, 1)->text(), QString("1.000"));
  QCOMPARE(panel->table()->item(0, 1)->text(), QString("0.500"));
  QCOMPARE(panel->table()->item(0, 5)->text(), QString("2"));  // switches
  QCOMPARE(panel->table()->item(1, 5)->text(), QString("0"));
  w.window->trackers()->load_truth("/missing.csv");
  QTRY_VERIFY(panel->findChild<QLabel*>()->text().contains("missing.csv"));
}

void MainWindowTest::the_height_map_is_shown_and_tuned() {
  OpenWindow w;
  w.session().set_parameter("heightmap", "iterations", 20);
  HeightMapPanel* panel = w.window->height_map();
  QVERIFY(!panel->isVisible());
  w.window->actions_table().layout_height_map->trigger();
  QVERIFY(panel->isVisible() && !w.window->cameras()->isVisible());
  const auto finished = [&](const char* iterations) {
    return panel->status_text().contains(iterations) && panel->status_text().contains("heads");
  };
  QTRY_VERIFY_WITH_TIMEOUT(finished("20 iterations"), 30'000);
  HeightMapCanvas* canvas = panel->canvas();
  QCOMPARE(panel->energy_plot()->curves().size(), size_t{1});
  QCOMPARE(panel->energy_plot()->curves()[0].points.size(), qsizetype{2});
  QVERIFY(panel->pixel_plot()->curves().empty());
  QTest::mouseClick(canvas, Qt::LeftButton, {}, canvas->picture_area().center().toPoint());
  QVERIFY(canvas->selected());
  QTRY_COMPARE(panel->pixel_plot()->curves().size(), size_t{6});  // cost, four messages, belief
  QVERIFY(panel->pixel_plot()->curves().back().aside);
  const QPoint before = *canvas->selected();
  canvas->setFocus();
  w.key(Qt::Key_Right, Qt::AltModifier);
  QCOMPARE(*canvas->selected(), before + QPoint(1, 0));
  // Tuned in the panel: by way of the session, so that it can be taken back.
  auto* iterations = panel->findChild<QDoubleSpinBox*>("heightmap.iterations");
  QVERIFY(iterations);
  iterations->setValue(30);
  QVERIFY(w.session().calls.contains("set_parameter heightmap.iterations 30"));
  QTRY_VERIFY_WITH_TIMEOUT(finished("30 iterations"), 30'000);
  w.window->actions_table().undo->trigger();
  QTRY_VERIFY_WITH_TIMEOUT(finished("20 iterations"), 30'000);
  w.window->actions_table().layout_both->trigger();
  QVERIFY(!panel->isVisible());
}

void MainWindowTest::newest_frame_wins() {
  SessionBridge bridge;
  QList<int64_t> shown;
  connect(&bridge, &SessionBridge::frame_ready, &bridge,
          [&](const FrameResultRef& result) { shown << result->frame; });
  for (int64_t frame = 0; frame < 50; ++frame) {
    auto result = std::make_shared<FrameResult>();
    result->frame = frame;
    bridge.on_frame(result);
  }
  QCoreApplication::processEvents();
  QCOMPARE(shown, QList<int64_t>{49});
}

void MainWindowTest::remembers_recent_projects() {
  QTemporaryDir folder;
  for (const char* name : {"a.vantage", "b.vantage", "a.vantage"}) {
    const QString path = folder.filePath(name);
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    add_recent_project(path);
  }
  const QStringList recent = recent_projects();
  QVERIFY(recent.size() >= 2);
  QCOMPARE(recent[0], folder.filePath("a.vantage"));
  QCOMPARE(recent[1], folder.filePath("b.vantage"));
}

}  // namespace vantage::ui
