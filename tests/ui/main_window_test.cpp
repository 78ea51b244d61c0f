#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDockWidget>
#include <QDoubleSpinBox>
#include <QFileInfo>
#include <QLabel>
#include <QLayout>
#include <QMenuBar>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>
#include <QSpinBox>
#include <QStatusBar>
#include <QTemporaryDir>
#include <QToolButton>
#include <atomic>
#include <chrono>
#include <thread>

#include "core/base/log.h"
#include "core/results/results_reader.h"
#include "tests/ui/support/open_window.h"
#include "tests/ui/support/patience.h"
#include "tests/ui/support/session_window.h"
#include "tests/ui/support/window_test.h"
#include "tests/unit/pipeline/failing_device.h"
#include "ui/main_window/check_control.h"
#include "ui/main_window/export_control.h"
#include "ui/main_window/file_control.h"
#include "ui/main_window/main_window.h"
#include "ui/main_window/playback_control.h"
#include "ui/main_window/preferences_dialog.h"
#include "ui/main_window/variants/variants_control.h"
#include "ui/main_window/window_state.h"
#include "ui/main_window/workspace.h"
#include "ui/panels/checks_panel.h"
#include "ui/panels/new_project_page.h"
#include "ui/panels/parameters_panel.h"
#include "ui/platform/session_bridge.h"
#include "ui/views/camera_grid.h"
#include "ui/views/scene_view.h"
#include "ui/widgets/action_button.h"
#include "ui/widgets/start_page.h"
#include "ui/widgets/track_lanes.h"
#include "ui/widgets/transport.h"

namespace vantage::ui {

class MainWindowTest final : public WindowTest {
  Q_OBJECT
 private slots:
  void starts_with_the_start_page();
  void range_is_marked_and_analysed();
  void the_button_says_what_it_will_do();
  void results_are_replaced_only_when_that_was_agreed_to();
  void nothing_of_the_last_project_is_shown_while_another_opens();
  void stop_says_so_at_once_and_continue_goes_on();
  void the_second_click_on_stop_starts_nothing();
  void timeline_drag_seeks();
  void parameter_edits_reach_the_session();
  void undo_and_redo();
  void a_copied_picture_says_what_it_is_of();
  void a_failed_check_stops_the_analysis();
  void a_check_says_how_far_it_is_and_is_cancelled();
  void checks_are_counted_in_the_toolbar();
  void dropped_files_make_a_project();
  void unsaved_changes_are_kept_and_offered();
  void a_report_of_a_problem_is_written();
  void errors_wait_in_the_message_bar();
  void a_failed_gpu_offers_the_cpu();
  void the_offer_of_the_cpu_stays_in_front();
  void the_cpu_goes_on_with_the_analysis();
  void demonstration_plays();
  void the_start_page_offers_what_can_be_begun();
  void the_demonstration_is_made_with_progress();
  void advice_of_checks_is_done_by_buttons();
  void an_empty_scene_clip_is_added();
  void empty_states_say_what_is_missing();
  void empty_docks_say_what_they_will_show();
  void preferences_act_at_once_and_are_taken_back();
  void preferences_choose_among_gpus();
  void the_sound_of_alarms_is_chosen_and_tested();
  void a_new_project_has_no_litres();
  void docks_give_way_to_a_new_project();
  void a_new_project_keeps_clear_of_messages();
  void newest_frame_wins();
  void a_project_is_forgotten_before_another_is_told();
  void remembers_recent_projects();
};

namespace {

CheckReport some_report(Verdict verdict) {
  CheckReport report;
  report.items = {
      {"decoding", "cam1", Verdict::passed, "5 of 5 frames", "every sampled frame decodes", "", -1},
      {"silhouettes", "cam3", verdict, "41 %", "at least 80 %", "Calibrate this camera again.", 12}};
  return report;
}

Error device_lost() {
  return {ErrorKind::device_lost, "the device is lost", "cuda:0", ""};
}

Error device_full() {
  return {ErrorKind::out_of_memory, "no memory of 34 MiB is left on the GPU", "cuda:0",
          "Close what else uses it, or choose larger voxels."};
}

// A real session over footage without faults.
class FootageWindow : public SessionWindow {
 public:
  FootageWindow() : SessionWindow(3, 12) {
    show({1280, 720});
    open();
  }
};

QPushButton* offer_of_cpu(const MainWindow& window) {
  return button(window.messages(), "Continue on the CPU");
}

// A real session whose device, the CPU in disguise, is lost at one frame.
class FailingWindow : public SessionWindow {
 public:
  static constexpr int64_t kFrames = 40, kLost = 20;

  FailingWindow() : SessionWindow(3, kFrames) {
    test::add_failing_device(registry_, kLost);
    SessionOptions options;
    options.backends.device = Device::cuda;
    show({1280, 720}, std::move(options));
    open();
  }
  StoredResults results() const { return read_results(project_.results_folder()).value_or(StoredResults()); }
};

}  // namespace

void MainWindowTest::starts_with_the_start_page() {
  OpenWindow w({}, false);
  QVERIFY(w.window->shows_start_page());
  QCOMPARE(w.window->windowTitle(), QString("Vantage"));
  w.window->open_project("/somewhere/hall.vantage");
  QTRY_VERIFY(w.window->state().open());
  QVERIFY(w.window->windowTitle().startsWith("Vantage: hall"));
  QCOMPARE(w.window->workspace()->cameras()->camera_count(), 4);
  QTRY_COMPARE(w.window->workspace()->transport()->frame_text(), QString("frame   0 of 100"));
  w.window->action("close")->trigger();
  QVERIFY(w.window->shows_start_page());
}

void MainWindowTest::range_is_marked_and_analysed() {
  OpenWindow w;
  QVERIFY(!w.window->action("analyse_range")->isEnabled());
  w.session().post(command::Seek{20});
  QCoreApplication::processEvents();
  w.key(Qt::Key_I);
  w.session().post(command::Seek{40});
  QCoreApplication::processEvents();
  w.key(Qt::Key_O);
  QCOMPARE(w.window->state().range().in, std::optional<int64_t>(20));
  QCOMPARE(w.window->state().range().out, std::optional<int64_t>(40));
  w.key(Qt::Key_R, Qt::ControlModifier);
  QCOMPARE(w.last(), QString("analyse 20:41"));
  QTRY_VERIFY(w.window->action("stop")->isEnabled());
  QVERIFY(w.window->action("analyse_range")->toolTip().contains("running"));
  w.key(Qt::Key_Escape);
  QCOMPARE(w.last(), QString("stop"));
  // An Out before the In starts a new range.
  w.session().post(command::Seek{10});
  QCoreApplication::processEvents();
  w.key(Qt::Key_O);
  QVERIFY(!w.window->state().range().in.has_value());
}

// The button says what it will do, then how far it is, and ends it.
void MainWindowTest::the_button_says_what_it_will_do() {
  OpenWindow w;
  ActionButton* button = w.window->workspace()->transport()->analyse_button();
  QTRY_COMPARE(button->words(), QString("Analyse all, 100 frames"));
  QVERIFY(button->isEnabled());
  w.session().post(command::Seek{20});
  QCoreApplication::processEvents();
  w.key(Qt::Key_I);
  QCOMPARE(button->words(), QString("Analyse range, 80 frames"));
  w.window->action("clear_range")->trigger();
  QCOMPARE(button->words(), QString("Analyse all, 100 frames"));
  w.session().set_speed(50, 1);
  button->click();
  QCOMPARE(w.last(), QString("analyse 0:100"));
  QTRY_COMPARE(button->words(), QString("Stop, 50 %, 0:01 left"));
  QCOMPARE(button->share(), 0.5);
  keep_picture(*w.window, "analyse_button");
  button->click();
  QCOMPARE(w.last(), QString("stop"));
  QTRY_COMPARE(button->words(), QString("Analyse all, 100 frames, a few seconds"));
  QCOMPARE(button->share(), -1.0);
  QCOMPARE(button->accessibleName(), button->words());
  // Where there is no room for it, it says less, and nothing is cut.
  button->resize(button->minimumSizeHint());
  QVERIFY(button->width() < button->sizeHint().width());
  // The speed that was measured is known at the next start.
  w.window->close();
  OpenWindow again;
  QTRY_COMPARE(again.window->workspace()->transport()->analyse_button()->words(),
               QString("Analyse all, 100 frames, a few seconds"));
}

void MainWindowTest::results_are_replaced_only_when_that_was_agreed_to() {
  OpenWindow w;
  const auto analyse = [&](const char* what) {
    w.session().post(command::Stop{});
    QTRY_VERIFY(w.window->action(what)->isEnabled());
    w.session().calls.clear();
    w.window->action(what)->trigger();
  };
  analyse("analyse_all");
  QVERIFY2(!question(*w.window), "nothing is replaced");
  QVERIFY(w.session().calls.contains("analyse 0:100"));
  QTRY_COMPARE(w.window->workspace()->timeline()->results_in(0, 100).current, int64_t{100});
  analyse("analyse_all");
  QVERIFY2(!question(*w.window), "they are in memory alone");
  auto tracks = std::make_shared<Tracks>();
  tracks->frame_rate = 25, tracks->frames = {0, 1, 2};
  w.bridge()->on_tracks(tracks);
  QTRY_VERIFY(w.window->state().tracks());
  analyse("analyse_all");
  QVERIFY(question(*w.window));
  QVERIFY(question(*w.window)->text().contains("All 100 frames are analysed already"));
  // Instead they are kept as a variant, of which the name is asked.
  QVERIFY(!w.window->part<VariantsPanel>()->isVisible());
  QPushButton* keep = button(question(*w.window), "&Keep Them First");
  QVERIFY(keep);
  keep->click();
  QVERIFY(w.session().calls.isEmpty());
  QTRY_VERIFY(!question(*w.window));
  QTRY_VERIFY(w.window->part<VariantsPanel>()->isVisible());
  w.session().post(command::SetParameter{"carving", "threshold", 0.5});
  QTRY_COMPARE(w.window->workspace()->timeline()->results_in(0, 100).out_of_date, int64_t{100});
  analyse("analyse_all");
  QVERIFY(question(*w.window)->text().contains("made with other settings"));
  question(*w.window)->checkBox()->setChecked(true);
  QVERIFY(agree(*w.window));
  QVERIFY(w.session().calls.contains("analyse 0:100"));
  analyse("analyse_all");
  QVERIFY2(w.session().calls.contains("analyse 0:100"), "it is not asked again");
  w.session().post(command::Save{"/somewhere/hall.vantage"});
  QTRY_VERIFY(!w.window->isWindowModified());
}

// By the menu of recent projects; what still arrives of the project before is dropped.
void MainWindowTest::nothing_of_the_last_project_is_shown_while_another_opens() {
  QTemporaryDir folder;
  QFile second(folder.filePath("second.vantage"));
  QVERIFY(second.open(QIODevice::WriteOnly));
  add_recent_project(second.fileName());
  OpenWindow w;
  w.session().post(command::Seek{64});
  auto tracks = std::make_shared<Tracks>();
  tracks->frame_rate = 25, tracks->frames = {0, 1, 2};
  w.bridge()->on_tracks(tracks);
  const Workspace& page = *w.window->workspace();
  QTRY_VERIFY(w.window->state().tracks() && w.window->state().shown()->result->frame == 64);
  QTRY_COMPARE(page.transport()->frame_text(), QString("frame  64 of 100"));
  const Project before = w.session().project();
  const ShownFrameRef late = w.window->state().shown();
  w.session().hold(true);
  QMenu* recent = nullptr;
  for (auto* menu : w.window->menuBar()->findChildren<QMenu*>())
    if (menu->title().remove('&') == "Open Recent") recent = menu;
  QVERIFY(recent);
  emit recent->aboutToShow();
  recent->actions().front()->trigger();
  const auto nothing = [&] {
    QCoreApplication::processEvents();
    QCOMPARE(page.cameras()->camera_count(), 0);
    QVERIFY(!page.cameras()->isVisible() && !page.scene()->isVisible());
    QCOMPARE(page.transport()->frame_text(), QString());
    QVERIFY(!w.window->state().shown() && !w.window->state().tracks());
    QVERIFY(!page.transport()->analyse_button()->words().contains("frames"));
    for (auto* label : w.window->statusBar()->findChildren<QLabel*>())
      if (label->accessibleName() == "Volume") QCOMPARE(label->text(), QString());
    QVERIFY(w.window->windowTitle().startsWith("Vantage: second"));
    QStringList said;
    for (auto* label : page.findChildren<QLabel*>())
      if (label->isVisible()) said << label->text();
    QVERIFY2(said.contains("Opening second…"), qPrintable(said.join(", ")));
  };
  nothing();
  keep_picture(*w.window, "opening");
  SessionStatus status;
  status.open = true, status.frame = 64, status.frame_count = 100, status.frame_rate = 25;
  w.bridge()->on_opened(before);
  w.bridge()->on_status(status);
  w.bridge()->on_tracks(tracks);
  w.bridge()->on_frame(late);
  nothing();
  w.session().let_go();
  QTRY_COMPARE(page.cameras()->camera_count(), 4);
  QVERIFY(page.cameras()->isVisible() && page.scene()->isVisible());
  QTRY_COMPARE(page.transport()->frame_text(), QString("frame   0 of 100"));
}

void MainWindowTest::stop_says_so_at_once_and_continue_goes_on() {
  OpenWindow w;
  ActionButton* at_transport = w.window->workspace()->transport()->analyse_button();
  const auto stops = [&] {
    QStringList shown;
    for (auto* one : w.window->findChildren<QAbstractButton*>())
      if (one->isVisible() && one->accessibleName().startsWith("Stop")) shown << one->accessibleName();
    return shown;
  };
  w.session().post(command::Seek{20});
  QCoreApplication::processEvents();
  w.key(Qt::Key_I);
  w.session().set_speed(50, 1);
  w.session().set_done(30);
  w.key(Qt::Key_R, Qt::ControlModifier);
  QCOMPARE(w.last(), QString("analyse 20:100"));
  QTRY_COMPARE(stops().size(), 1);
  w.session().hold(true);
  w.key(Qt::Key_Escape);
  QCOMPARE(w.last(), QString("stop"));
  QCOMPARE(at_transport->words(), QString("Stopping…"));
  QVERIFY(!at_transport->isEnabled());
  QCOMPARE(stops(), QStringList("Stopping…"));
  keep_picture(*w.window, "stopping");
  w.session().set_speed(50, 1);
  w.session().let_go();
  QTRY_COMPARE(at_transport->words(), QString("Continue, 50 frames, a few seconds"));
  QVERIFY(stops().isEmpty());
  keep_picture(*w.window, "continue");
  QTest::mouseClick(at_transport, Qt::LeftButton);
  QCOMPARE(w.last(), QString("analyse 50:100"));
  QTRY_VERIFY(w.window->action("stop")->isEnabled());
  w.key(Qt::Key_Escape);
  QTRY_COMPARE(at_transport->words(), QString("Continue, 20 frames, a few seconds"));
  w.key(Qt::Key_Return, Qt::ControlModifier);
  QCOMPARE(w.last(), QString("analyse 80:100"));
  QTRY_VERIFY(w.window->action("stop")->isEnabled());
  w.key(Qt::Key_Escape);
  // With other settings there is nothing to go on from.
  QTRY_VERIFY(!w.window->state().busy());
  w.session().post(command::SetParameter{"carving", "threshold", 0.5});
  QTRY_VERIFY(!w.window->action("continue_analysis")->isEnabled());
  QCOMPARE(at_transport->words(), QString("Analyse range, 80 frames, a few seconds"));
  w.session().post(command::Save{"/somewhere/hall.vantage"});
  QTRY_VERIFY(!w.window->isWindowModified());
}

void MainWindowTest::the_second_click_on_stop_starts_nothing() {
  OpenWindow w;
  ActionButton* at_transport = w.window->workspace()->transport()->analyse_button();
  w.session().set_done(30);
  w.window->action("analyse_all")->trigger();
  QTRY_VERIFY(at_transport->words().startsWith("Stop"));
  w.session().calls.clear();
  QTest::mouseClick(at_transport, Qt::LeftButton);
  QTRY_VERIFY(at_transport->words().startsWith("Continue"));
  QTest::mouseDClick(at_transport, Qt::LeftButton);
  QVERIFY2(w.session().calls.filter("analyse").isEmpty(), "the second click of two");
  QTest::mouseClick(at_transport, Qt::LeftButton);
  QCOMPARE(w.last(), QString("analyse 30:100"));
}

void MainWindowTest::timeline_drag_seeks() {
  OpenWindow w;
  Timeline* timeline = w.window->workspace()->timeline();
  QTest::mouseClick(timeline, Qt::LeftButton, {}, QPoint(qRound(timeline->x_of(50)), 12));
  QVERIFY(w.last().startsWith("seek "));
  const int64_t frame = w.last().mid(5).toLongLong();
  QVERIFY(std::abs(frame - 50) <= 1);
  QTRY_COMPARE(w.window->workspace()->transport()->frame_text(), QString("frame %1 of 100").arg(frame, 3));
}

void MainWindowTest::parameter_edits_reach_the_session() {
  OpenWindow w;
  ParameterEditor* editor = w.window->part<ParametersPanel>()->editor("carving", "threshold");
  QVERIFY(editor);
  const int middle = editor->findChild<QSlider*>()->maximum() / 2;
  editor->findChild<QSlider*>()->setValue(middle);
  QCOMPARE(w.last(), QString("set_parameter carving.threshold %1").arg(editor->value()));
  QTRY_VERIFY(w.window->isWindowModified());
  editor->findChild<QToolButton*>()->click();
  QCOMPARE(w.last(), QString("reset_parameter carving.threshold"));
  QTRY_COMPARE(editor->value(), editor->description().default_value);
  w.session().post(command::Save{"/somewhere/hall.vantage"});
}

void MainWindowTest::undo_and_redo() {
  OpenWindow w;
  QVERIFY(!w.window->action("undo")->isEnabled());
  w.session().post(command::SetParameter{"carving", "threshold", 0.5});
  QTRY_VERIFY(w.window->action("undo")->isEnabled());
  QCOMPARE(w.window->action("undo")->text(), QString("&Undo Carving.threshold"));
  ParameterEditor* editor = w.window->part<ParametersPanel>()->editor("carving", "threshold");
  QCOMPARE(editor->value(), 0.5);
  w.key(Qt::Key_Z, Qt::ControlModifier);
  QTRY_COMPARE(editor->value(), editor->description().default_value);
  QTRY_VERIFY(w.window->action("redo")->isEnabled());
  QCOMPARE(w.window->action("undo")->text(), QString("&Undo"));
  QCOMPARE(w.window->action("redo")->text(), QString("&Redo Carving.threshold"));
  QTRY_COMPARE(w.window->statusBar()->currentMessage(), QString("Undone: Carving.threshold"));
  w.key(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
  QTRY_COMPARE(editor->value(), 0.5);
  w.session().post(command::Save{"/somewhere/hall.vantage"});
  QTRY_VERIFY(!w.window->isWindowModified());
}

// Below the views is a line of its own.
void MainWindowTest::a_copied_picture_says_what_it_is_of() {
  OpenWindow w;
  w.window->workspace()->cameras()->setFocus();
  w.key(Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
  const QPixmap views = w.window->workspace()->picture();
  const QImage picture = QApplication::clipboard()->image();
  QCOMPARE(picture.width(), views.width());
  QVERIFY(picture.height() > views.height());
  const QImage line = picture.copy(0, views.height(), picture.width(), picture.height() - views.height());
  int words = 0;
  for (int y = 0; y < line.height(); ++y)
    for (int x = 0; x < line.width(); ++x) words += qGray(line.pixel(x, y)) > 200;
  QVERIFY2(words > 100, qPrintable(QString::number(words)));
}

void MainWindowTest::a_failed_check_stops_the_analysis() {
  std::atomic<Verdict> verdict = Verdict::failed;
  OpenWindow w({}, true, [&](const Project&, const CheckOptions&) { return some_report(verdict); });
  w.window->action("analyse_all")->trigger();
  QVERIFY(!w.window->action("analyse_all")->isEnabled());
  QTRY_VERIFY(w.window->messages()->text().contains("cam3, silhouettes: 41 %"));
  QVERIFY(w.window->part<ChecksPanel>()->isVisible());
  QVERIFY(!w.session().calls.contains("analyse 0:100"));
  // The choice to go on.
  QPushButton* anyway = nullptr;
  for (auto* button : w.window->messages()->findChildren<QPushButton*>())
    if (button->text() == "Analyse Anyway") anyway = button;
  QVERIFY(anyway);
  anyway->click();
  QVERIFY(w.session().calls.contains("analyse 0:100"));
  w.session().post(command::Stop{});
  w.session().calls.clear();
  verdict = Verdict::doubtful;
  QTRY_VERIFY(w.window->action("analyse_all")->isEnabled());
  w.window->action("analyse_all")->trigger();
  QTRY_VERIFY2(w.session().calls.contains("analyse 0:100"), "what is doubtful does not stop");
}

void MainWindowTest::a_check_says_how_far_it_is_and_is_cancelled() {
  std::atomic<int> ended = 0;
  OpenWindow w({}, true, [&](const Project&, const CheckOptions& options) {
    options.progress({"outlines", 3, 16});
    while (!options.stop.stop_requested()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    ++ended;
    return some_report(Verdict::failed);
  });
  w.window->action("analyse_all")->trigger();
  w.window->action("checks")->setChecked(true);
  auto* panel = w.window->part<ChecksPanel>();
  QTRY_VERIFY(panel->findChild<QLabel*>()->text().contains("Outlines of people, 3 of 16"));
  const ActionButton* button_of_analysis = w.window->workspace()->transport()->analyse_button();
  QCOMPARE(button_of_analysis->share(), 3.0 / 16);
  for (const auto* bar : w.window->findChildren<QProgressBar*>())
    QVERIFY2(!bar->isVisible(), "progress is shown in one place");
  QPushButton* cancel = nullptr;
  for (auto* button : panel->findChildren<QPushButton*>())
    if (button->text() == "Cancel") cancel = button;
  QVERIFY(cancel && !cancel->isHidden());
  cancel->click();
  QTRY_COMPARE(ended.load(), 1);
  QTRY_VERIFY(w.window->messages()->text().contains("was cancelled"));
  QVERIFY(cancel->isHidden() && button_of_analysis->share() < 0);
  QCOMPARE(panel->count(Verdict::failed), 0);
  QVERIFY2(!w.session().calls.contains("analyse 0:100"), "nothing is begun by itself");
  for (auto* button : w.window->messages()->findChildren<QPushButton*>())
    if (button->text() == "Analyse Anyway") QTest::mouseClick(button, Qt::LeftButton);
  QVERIFY(w.session().calls.contains("analyse 0:100"));
}

void MainWindowTest::checks_are_counted_in_the_toolbar() {
  OpenWindow w({}, true, [](const Project&, const CheckOptions&) { return some_report(Verdict::doubtful); });
  QVERIFY(w.window->action("checks")->icon().isNull());
  w.key(Qt::Key_F7, Qt::ControlModifier);
  QTRY_COMPARE(w.window->part<ChecksPanel>()->count(Verdict::doubtful), 1);
  QVERIFY(w.window->part<ChecksPanel>()->isVisible());
  QVERIFY(!w.window->action("checks")->icon().isNull());
  QPushButton* show = nullptr;
  for (auto* button : w.window->part<ChecksPanel>()->findChildren<QPushButton*>())
    if (button->toolTip() == "Show cam3 at its frame 12") show = button;
  QVERIFY(show);
  show->click();
  QCOMPARE(w.window->workspace()->cameras()->enlarged(), std::optional<int>(2));
  QCOMPARE(w.last(), QString("seek 12"));
  w.session().post(command::SetParameter{"carving", "threshold", 0.5});
  QTRY_VERIFY(w.window->part<ChecksPanel>()->findChild<QLabel*>()->text().contains("changed since"));
  OpenWindow without;
  QVERIFY2(!without.window->action("check")->isVisible(), "what is not there is not in the menus");
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
  QTRY_VERIFY(w.window->state().open());
  w.key(Qt::Key_N, Qt::ControlModifier);
  QVERIFY(w.window->new_project_page()->isVisible());
  QVERIFY2(w.window->new_project_page()->rows().empty(), "a new page begins empty");
  emit w.window->new_project_page()->cancelled();
  QVERIFY2(w.window->workspace()->cameras()->isVisible(), "the open project is still there");
}

void MainWindowTest::unsaved_changes_are_kept_and_offered() {
  OpenWindow w({}, true, {}, 1'700'000'000);
  QTRY_VERIFY(w.window->messages()->text().contains("Unsaved changes"));
  for (auto* button : w.window->messages()->findChildren<QPushButton*>())
    if (button->text() == "Restore Changes") button->click();
  QVERIFY(w.session().calls.contains("recover"));
  w.session().post(command::SetParameter{"carving", "threshold", 0.5});
  QTRY_VERIFY(w.session().calls.contains("autosave"));
}

void MainWindowTest::a_report_of_a_problem_is_written() {
  QTemporaryDir folder;
  OpenWindow w;
  log_warning("rtsp://me:secret@camera/ is slow");
  const QString file = folder.filePath("report.txt");
  w.window->part<ExportControl>()->write_report(file);
  QTRY_VERIFY(QFileInfo::exists(file));
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
  QVERIFY(w.window->messages()->text().contains("cam3"));
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
  const auto fail = [](OpenWindow& w, bool on_cpu, const Error& error) {
    w.session().set_on_cpu(on_cpu);
    QCoreApplication::processEvents();
    w.session().report(error);
    QCoreApplication::processEvents();
  };
  const Error lost = device_lost(), full = device_full();
  const auto offer = [](const OpenWindow& w) { return offer_of_cpu(*w.window); };
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

void MainWindowTest::the_offer_of_the_cpu_stays_in_front() {
  OpenWindow w;
  w.session().set_on_cpu(false);
  QCoreApplication::processEvents();
  const Error other{ErrorKind::io, "the disk is full", "/somewhere", "Make room."};
  for (const Error& error : {device_full(), device_lost(), other}) w.session().report(error);
  QTRY_COMPARE(w.window->messages()->count(), 2);  // one offer, by what the device said last
  QVERIFY(w.window->messages()->text().contains("the device is lost"));
  keep_picture(*w.window, "gpu_lost_and_more");
  w.window->messages()->show_next();
  QVERIFY(w.window->messages()->text().contains("the disk is full"));
  QVERIFY(button(w.window->messages(), "Log"));
  QVERIFY(!offer_of_cpu(*w.window));
  // Once the CPU has taken over, nothing offers it.
  w.session().set_on_cpu(true);
  QTRY_COMPARE(w.window->messages()->count(), 1);
  QVERIFY(w.window->messages()->text().contains("the disk is full"));
}

void MainWindowTest::the_cpu_goes_on_with_the_analysis() {
  FailingWindow w;
  QTRY_VERIFY(w.window->action("analyse_all")->isEnabled());
  w.window->action("analyse_all")->trigger();
  QTRY_VERIFY(offer_of_cpu(*w.window));
  QTRY_VERIFY(!w.results().frames.empty());
  QCOMPARE(w.results().frames.size(), static_cast<size_t>(FailingWindow::kLost));
  keep_picture(*w.window, "gpu_lost_for_real");
  offer_of_cpu(*w.window)->click();
  QTRY_COMPARE(w.results().frames.size(), static_cast<size_t>(FailingWindow::kFrames));
  QTRY_VERIFY(w.window->findChild<QLabel*>("backend")->text().contains("the GPU failed"));
  QCOMPARE(w.window->messages()->count(), 0);
  for (const StoredFrame& frame : w.results().frames)
    QCOMPARE(frame.continued, frame.frame >= FailingWindow::kLost);
  keep_picture(*w.window, "gpu_lost_for_real_continued");
}

void MainWindowTest::demonstration_plays() {
  OpenWindow w({}, false);
  w.window->action("demonstration")->trigger();
  QTRY_VERIFY(w.session().calls.contains("play"));
  QVERIFY(w.session().calls.contains("set_analyse_while_playing 1"));
  QVERIFY(w.window->messages()->text().startsWith("Space pauses."));
  QTRY_VERIFY(w.session().frame() > 2);
  w.session().post(command::Pause{});
  w.window->open_project("/somewhere/hall.vantage");
  QVERIFY2(w.session().calls.contains("set_analyse_while_playing 0"),
           "only the demonstration switches it on");
}

void MainWindowTest::the_start_page_offers_what_can_be_begun() {
  QTemporaryDir folder;
  for (const char* name : {"corridor", "lobby", "a project with a name that is far too long for its card"}) {
    QFile file(folder.filePath(QString(name) + ".vantage"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    add_recent_project(file.fileName());
  }
  QPixmap picture(288, 192);
  picture.fill(Qt::darkCyan);
  save_thumbnail(folder.filePath("lobby.vantage"), picture);
  OpenWindow w({}, false);
  w.window->resize(1366, 700);
  auto* page = w.window->findChild<StartPage*>();
  const auto named = [&](const QString& name) -> QAbstractButton* {
    for (auto* one : page->findChildren<QAbstractButton*>())
      if (one->isVisible() && one->accessibleName() == name) return one;
    return nullptr;
  };
  for (const char* name :
       {"Open", "New Project", "Live Camera", "Open Demonstration", "Guide", "Open lobby"}) {
    QVERIFY2(named(name), name);
    QVERIFY(named(name)->isEnabled() && !named(name)->toolTip().isEmpty());
    QVERIFY2(page->rect().contains({named(name)->mapTo(page, QPoint()), named(name)->size()}), name);
  }
  for (const Theme theme : {Theme::light, Theme::dark}) {
    w.window->choose_theme(theme);
    QCoreApplication::processEvents();
    keep_picture(*w.window, theme == Theme::dark ? "start_dark" : "start_light");
  }
  QTest::mouseClick(named("New Project"), Qt::LeftButton);
  QVERIFY(w.window->new_project_page()->isVisible());
  w.key(Qt::Key_Escape);
  QTRY_VERIFY(w.window->shows_start_page());
  named("Open lobby")->setFocus(Qt::TabFocusReason);
  w.key(Qt::Key_Space);
  QTRY_VERIFY(w.session().calls.contains("open " + folder.filePath("lobby.vantage")));
}

// Its button says how far it is; Stop ends it, and nothing is opened then.
void MainWindowTest::the_demonstration_is_made_with_progress() {
  std::atomic<bool> finished = false;
  const auto bridge = std::make_shared<SessionBridge>();
  FakeSession session(bridge, {});
  TraceRecorder trace;
  SpanReaders spans(&trace);
  WindowServices services = services_of(&session, bridge.get(), &spans);
  services.make_demonstration = [&](const std::function<void(double)>& progress,
                                    const StopSource& stop) -> Result<std::filesystem::path> {
    progress(0.34);
    while (!finished && !stop.stop_requested()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (stop.stop_requested()) return fail(ErrorKind::cancelled, "stopped");
    return "/made/demonstration.vantage";
  };
  const auto window = show_window(std::move(services), {1366, 700});
  QPushButton* make = button(window.get(), "Open Demonstration");
  QVERIFY(make);
  QTest::mouseClick(make, Qt::LeftButton);
  QTRY_COMPARE(make->text(), QString("Making the Demonstration, 34 %"));
  QVERIFY(!make->isEnabled() && button(window->statusBar(), "Stop"));
  keep_picture(*window, "making_demonstration");
  QTest::keyClick(window.get(), Qt::Key_Escape);
  QTRY_COMPARE(make->text(), QString("Open Demonstration"));
  QVERIFY(make->isEnabled() && !button(window->statusBar(), "Stop"));
  QVERIFY(session.calls.filter("open").isEmpty());
  finished = true;
  QTest::keyClick(window.get(), Qt::Key_D, Qt::ControlModifier);
  QTRY_VERIFY(session.calls.contains("open /made/demonstration.vantage"));
  QTRY_VERIFY(session.calls.contains("play"));
  session.post(command::Pause{});
}

// Texts are the window's; what it can do about a finding is a button beside it.
void MainWindowTest::advice_of_checks_is_done_by_buttons() {
  std::atomic<int> aligned = 0;
  const auto check = [](const Project&, const CheckOptions&) {
    CheckReport report;
    report.items = {
        {"offsets", "cam2", Verdict::doubtful, "cam2 appears to start 3 frames before cam1", "within 1 frame",
         "Find the offsets, or give them by hand.", -1, "vantage-cli sync --write"},
        {"empty scene", "cam3", Verdict::doubtful, "learnt from 80 pictures", "a clip",
         "Give a clip of the empty scene.", -1, "vantage-cli new --background"},
        {"decoding", "cam4", Verdict::doubtful, "4 of 5 frames", "every frame",
         "Copy the video again from where it was recorded.", 7}};
    return report;
  };
  OpenWindow w({}, true, check, 0, [&](const Project&, const AlignOptions&) -> Result<Alignment> {
    ++aligned;
    return fail(ErrorKind::not_found, "nothing moves");
  });
  w.key(Qt::Key_F7, Qt::ControlModifier);
  auto* panel = w.window->part<ChecksPanel>();
  QTRY_COMPARE(panel->count(Verdict::doubtful), 3);
  for (const auto* label : panel->findChildren<QLabel*>())
    QVERIFY2(!label->text().contains("vantage-cli"), qPrintable(label->text()));
  QTRY_VERIFY(button(panel, "Find Offsets") && button(panel, "Add Clip…"));
  QCOMPARE(panel->findChildren<QPushButton*>().size(), 2 + 3 + 2);  // head, Show, remedies
  keep_picture(*w.window, "check_remedies");
  button(panel, "Find Offsets")->setFocus(Qt::TabFocusReason);
  w.key(Qt::Key_Space);
  QTRY_COMPARE(aligned.load(), 1);
}

void MainWindowTest::an_empty_scene_clip_is_added() {
  FootageWindow w;
  QTRY_VERIFY(w.window->action("analyse_all")->isEnabled());
  auto* checks = w.window->part<CheckControl>();
  checks->use_clip("cam2", w.folder() + "/footage.vantage");
  QTRY_VERIFY(w.window->messages()->isVisible());
  QVERIFY(!w.window->state().status().unsaved);
  const QString clip = w.folder() + "/cam1_empty.mp4";
  checks->use_clip("cam2", clip);
  QTRY_VERIFY(w.window->state().status().unsaved);
  const auto holds = [&](const Project& project) {
    return project.cameras.size() > 1 && project.cameras[1].background == clip.toStdString();
  };
  QVERIFY(holds(w.saved(holds)));
}

void MainWindowTest::empty_states_say_what_is_missing() {
  FakeScene uncalibrated;
  uncalibrated.calibrated = false;
  OpenWindow first(uncalibrated);
  QTRY_COMPARE(first.window->workspace()->scene()->hint(),
               QString("3-D and people need a calibration. Solve one in the Calibrate dock: from a board "
                       "or, if the project detects people, from them."));
  FakeScene empty_room;
  empty_room.without_person = true;
  OpenWindow second(empty_room);
  QTRY_VERIFY(
      second.window->workspace()->scene()->hint().contains("cam1, cam2, cam3, cam4 have no foreground"));
  OpenWindow third;
  QTRY_VERIFY(third.window->workspace()->scene()->hint().isEmpty());
}

namespace {

// What the dock's panel says, in labels and in place of what an empty field would hold.
QString said_in(const QWidget& dock) {
  QStringList words;
  for (const QLabel* label : dock.findChildren<QLabel*>())
    if (label->isVisible()) words << label->text();
  for (const QPlainTextEdit* text : dock.findChildren<QPlainTextEdit*>())
    if (text->isVisible()) words << text->placeholderText() << text->toPlainText();
  for (const TrackLanes* lanes : dock.findChildren<TrackLanes*>())
    if (lanes->isVisible()) words << lanes->empty_text();
  return words.join(' ');
}

}  // namespace

void MainWindowTest::empty_docks_say_what_they_will_show() {
  OpenWindow w;
  const QList<QDockWidget*> docks = w.window->findChildren<QDockWidget*>();
  QVERIFY(docks.size() >= 15);
  for (QDockWidget* dock : docks) {
    dock->show();
    dock->raise();
    QCoreApplication::processEvents();
    keep_picture(*w.window, "dock-" + dock->objectName());
    const QString said = said_in(*dock);
    QVERIFY2(said.count(' ') >= 5, qPrintable(dock->windowTitle() + ": " + said));
  }
}

void MainWindowTest::preferences_act_at_once_and_are_taken_back() {
  OpenWindow w;
  w.window->apply_preferences({});
  QCOMPARE(stored_preferences(), Preferences{});
  PreferencesDialog dialog(stored_preferences(), {}, w.window.get());
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
  QVERIFY(w.window->action("theme_dark")->isChecked());
  QCOMPARE(stored_preferences().cache_mib, 512);
  dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::RestoreDefaults)->click();
  QCOMPARE(w.last(), QString("set_limits 2048 1024 4"));
  QCOMPARE(stored_preferences(), Preferences{});
}

void MainWindowTest::preferences_choose_among_gpus() {
  const auto backends = [](PreferencesDialog& dialog) -> QComboBox* {
    for (auto* field : dialog.findChildren<QComboBox*>())
      if (field->accessibleName() == "Analyse on") return field;
    return nullptr;
  };
  PreferencesDialog two({}, {"Left", "Right"}, nullptr);
  QVERIFY(backends(two));
  backends(two)->setCurrentIndex(backends(two)->findText("GPU 1, Right"));
  QCOMPARE(two.preferences().backend, QString("cuda:1"));
  Preferences of_another_day;
  of_another_day.backend = "cuda:1";
  PreferencesDialog one(of_another_day, {"Left"}, nullptr);
  QCOMPARE(one.preferences().backend, QString("cuda:1"));
  QCOMPARE(backends(one)->currentText(), QString("cuda:1, not available now"));
}

void MainWindowTest::the_sound_of_alarms_is_chosen_and_tested() {
  Preferences chosen;
  chosen.alarm = {"/nowhere/siren.wav", 30};
  PreferencesDialog dialog(chosen, {}, nullptr);
  dialog.show();
  QCOMPARE(dialog.preferences(), chosen);
  QSignalSpy changed(&dialog, &PreferencesDialog::changed);
  for (auto* field : dialog.findChildren<QSpinBox*>())
    if (field->accessibleName() == "Volume of alarms") field->setValue(55);
  QCOMPARE(changed.last()[0].value<Preferences>().alarm, (AlarmTone{"/nowhere/siren.wav", 55}));
  const auto words = [&] {
    for (auto* label : dialog.findChildren<QLabel*>())
      if (label->accessibleName() == "Result of the sound test") return label->text();
    return QString();
  };
  QPushButton* test = button(&dialog, "T&est");
  QVERIFY(test);
  test->click();
  QTRY_VERIFY(!words().isEmpty());
  auto* sounds = [&]() -> QComboBox* {
    for (auto* field : dialog.findChildren<QComboBox*>())
      if (field->accessibleName() == "Sound of alarms") return field;
    return nullptr;
  }();
  QVERIFY(sounds);
  QCOMPARE(sounds->currentText(), QString("siren.wav"));
  sounds->setCurrentIndex(0);
  emit sounds->activated(0);
  QCOMPARE(changed.last()[0].value<Preferences>().alarm, (AlarmTone{{}, 55}));
  store_preferences(changed.last()[0].value<Preferences>());
  QCOMPARE(stored_preferences().alarm, (AlarmTone{{}, 55}));
  store_preferences({});
}

// What the line below says is of the page above it.
void MainWindowTest::a_new_project_has_no_litres() {
  OpenWindow w;
  const auto litres = [&] {
    for (auto* label : w.window->statusBar()->findChildren<QLabel*>())
      if (label->accessibleName() == "Volume") return label->text();
    return QString();
  };
  w.session().post(command::Seek{3});
  QTRY_VERIFY(litres().contains("litres"));
  w.key(Qt::Key_N, Qt::ControlModifier);
  QCOMPARE(litres(), QString());
  w.session().post(command::Seek{4});
  QCoreApplication::processEvents();
  QVERIFY2(litres().isEmpty(), "a frame that comes late");
  w.key(Qt::Key_Escape);
  QTRY_VERIFY(litres().contains("litres"));
}

void MainWindowTest::docks_give_way_to_a_new_project() {
  OpenWindow w;
  w.window->action("parameters")->trigger();
  QTRY_VERIFY(w.window->part<ParametersPanel>()->isVisible());
  w.window->action("new_project")->trigger();
  QVERIFY(w.window->new_project_page()->isVisible());
  QVERIFY(!w.window->part<ParametersPanel>()->isVisible());
  QTest::keyClick(w.window->new_project_page(), Qt::Key_Escape);
  QTRY_VERIFY(w.window->part<ParametersPanel>()->isVisible());
  w.window->action("parameters")->trigger();
}

void MainWindowTest::a_new_project_keeps_clear_of_messages() {
  OpenWindow w({}, false);
  w.window->resize(900, 600);
  w.window->action("new_project")->trigger();
  NewProjectPage* page = w.window->new_project_page();
  MessageBar* messages = w.window->messages();
  const auto covered = [&] {
    QApplication::processEvents();
    const QRect bar(messages->mapTo(w.window.get(), QPoint()), messages->size());
    int count = 0;
    for (const QWidget* part : page->findChildren<QWidget*>())
      if ((qobject_cast<const QLabel*>(part) || qobject_cast<const QAbstractButton*>(part)) &&
          part->isVisible() && messages->isVisible())
        count += bar.intersects({part->mapTo(w.window.get(), QPoint()), part->size()});
    return count;
  };
  messages->post({Severity::failed, "hall.vantage: no such file. Check the path.", {}, {}});
  QCOMPARE(covered(), 0);
  messages->post({Severity::failed, QString("one that needs several lines ").repeated(12), {}, {}});
  QCOMPARE(covered(), 0);
  messages->clear();
  QCOMPARE(page->layout()->contentsMargins().top(), 0);
}

void MainWindowTest::newest_frame_wins() {
  SessionBridge bridge;
  QList<int64_t> shown;
  connect(&bridge, &SessionBridge::frame_ready, &bridge,
          [&](const ShownFrameRef& frame) { shown << frame->result->frame; });
  for (int64_t frame = 0; frame < 50; ++frame) {
    auto result = std::make_shared<FrameResult>();
    result->frame = frame;
    bridge.on_frame(std::make_shared<ShownFrame>(ShownFrame{.result = result}));
  }
  QCoreApplication::processEvents();
  QCOMPARE(shown, QList<int64_t>{49});
}

void MainWindowTest::a_project_is_forgotten_before_another_is_told() {
  const FakeScene scene;
  WindowState state;
  int forgotten = 0;
  Changes last;
  connect(&state, &WindowState::forgotten, this, [&] {
    ++forgotten;
    QVERIFY(!state.open() && state.project().cameras.empty() && state.range().empty());
    QVERIFY(!state.shown() && !state.tracks());
  });
  connect(&state, &WindowState::changed, this, [&](Changes what) { last = what; });
  Project project = scene.project();
  project.path = "/somewhere/hall.vantage";
  state.set_project(project);
  QCOMPARE(last, Change::project | Change::other_project);
  QVERIFY(state.project_change().recording);
  state.show(scene.shown(scene.result(3, true)));
  state.set_tracks(std::make_shared<const Tracks>());
  state.set_range({20, 40});
  project.boxes = {{"box 1", {}}};
  state.set_project(project);
  QCOMPARE(last, Changes(Change::project));
  QVERIFY(state.project_change().boxes && !state.project_change().recording);
  QVERIFY(state.shown() && state.tracks() && forgotten == 1);
  project.path = "/somewhere/copy.vantage";  // saved under another name
  state.set_project(project);
  QCOMPARE(last, Change::project | Change::other_project);
  QCOMPARE(forgotten, 2);
  state.close();
  QVERIFY(forgotten == 3 && !state.open() && last.testFlag(Change::other_project));
  state.show(scene.shown(scene.result(3, true)));
  state.set_tracks(std::make_shared<const Tracks>());
  QVERIFY2(!state.shown() && !state.tracks(), "they are late");
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

const TestPart<MainWindowTest> kMainWindowPart("main_window");

}  // namespace vantage::ui

#include "main_window_test.moc"
