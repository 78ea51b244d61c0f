#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QDirIterator>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMainWindow>
#include <QMenu>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QStyleOptionComboBox>
#include <QTabWidget>
#include <QToolButton>
#include <QTreeWidget>
#include <QtEndian>
#include <memory>
#include <utility>

#include "core/tracks/counting/rules.h"
#include "core/video/live/live_address.h"
#include "tests/support/played_onvif.h"
#include "tests/ui/support/contrast.h"
#include "tests/ui/support/live_window.h"
#include "tests/ui/support/open_window.h"
#include "tests/ui/support/patience.h"
#include "tests/ui/support/window_test.h"
#include "ui/main_window/events_control.h"
#include "ui/main_window/preferences_dialog.h"
#include "ui/main_window/workspace.h"
#include "ui/panels/add_camera_dialog.h"
#include "ui/panels/events_panel.h"
#include "ui/panels/health_panel.h"
#include "ui/panels/proposal_card.h"
#include "ui/panels/rules_dialog.h"
#include "ui/platform/host_surface.h"
#include "ui/platform/local_camera.h"
#include "ui/platform/video_probe.h"
#include "ui/views/camera_grid.h"
#include "ui/widgets/live_badge.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/theme.h"
#include "ui/widgets/timeline.h"
#include "ui/widgets/transport.h"

namespace vantage::ui {

// The window on live cameras: test cameras on the loopback interface.
class LiveTest final : public WindowTest {
  Q_OBJECT
 private slots:
  void figures_become_states_and_sentences();
  void an_overloaded_machine_is_told_from_a_bad_network();
  void what_keeps_the_analysis_is_said_once();
  void the_badge_says_live_or_how_long_ago();
  void cameras_are_watched_paused_and_written();
  void a_camera_is_tested_and_added_without_its_password();
  void cameras_of_the_network_are_listed();
  void frames_of_local_cameras_become_pictures();
  void events_are_listed_marked_and_gone_through();
  void what_is_judged_is_on_screen();
  void rules_make_events_of_live_cameras();
  void who_stays_for_hours_alarms_once();
  void rules_are_tried_before_they_are_armed();
  void rules_are_sentences_with_fields();
  void events_are_counted_alike_everywhere();
  void the_chime_is_a_sound();
  void alarms_that_do_not_sound_say_so_once();
  void a_cut_camera_is_told_where_it_is_looked_for();
  void a_live_camera_out_of_step_is_proposed_applied_and_taken_back();
  void a_card_is_as_high_as_what_it_says();
  void health_without_cameras_offers_one();
  void a_turned_cameras_view_is_said_to_be_right();
};

namespace {

bool says(const QWidget& widget, const QString& words) {
  const auto labels = widget.findChildren<QLabel*>();
  return std::any_of(labels.begin(), labels.end(),
                     [&](QLabel* label) { return label->text().contains(words); });
}

// The control alone, on a state that the test changes.
struct LoneEvents {
  LoneEvents() { QObject::connect(&state, &WindowState::changed, &control, &EventsControl::refresh); }
  EventsPanel& panel() const { return *static_cast<EventsPanel*>(panel_owner.get()); }
  void set_live(const LiveStatus& live) {
    SessionStatus status;
    status.live = std::make_shared<LiveStatus>(live);
    state.set_status(status);
  }
  void set_alarm(const AlarmTone& tone) {
    Preferences preferences;
    preferences.alarm = tone;
    control.apply(preferences);
  }

  QMainWindow window;
  const SurfaceFactory surfaces = [] { return std::make_unique<HostSurface>("test"); };
  WindowServices services;
  WindowState state;
  MessageBar messages{&window};
  Workspace workspace{surfaces, {}};
  WindowMenus menus{window, {}};
  WindowParts parts{.window = &window,
                    .services = services,
                    .state = state,
                    .menus = &menus,
                    .messages = &messages,
                    .status_line = nullptr,
                    .workspace = &workspace,
                    .cameras = workspace.cameras(),
                    .scene = workspace.scene(),
                    .height_map = workspace.height_map(),
                    .timeline = workspace.timeline(),
                    .transport = workspace.transport(),
                    .held = workspace.held(),
                    .log = nullptr,
                    .timings = nullptr};
  EventsControl control{parts};
  const std::unique_ptr<QWidget> panel_owner{control.dock()->panel};
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
  const CameraState unchecked = state([](CameraHealth& h) { h.certificate_checked = false; });
  QCOMPARE(unchecked.standing, CameraStanding::good);
  QCOMPARE(unchecked.words, QString("unverified"));
  QVERIFY(unchecked.sentence.contains("#sha256="));
  QCOMPARE(state([](CameraHealth& h) { h.certificate_checked = true; }).words, QString("good"));
  LiveHealth all;
  all.cameras = {healthy()};
  QVERIFY(!live_summary(all).contains("time code"));
  all.code_p50_ms = 104, all.code_p95_ms = 148;
  const QString summary = live_summary(all);
  QVERIFY2(summary.contains(
               "By the time code in the pictures: results 104 ms after capture (95 % within 148 ms)."),
           qPrintable(summary));
}

void LiveTest::an_overloaded_machine_is_told_from_a_bad_network() {
  LiveHealth health;
  health.cameras = {healthy(), healthy()};
  health.cameras[1].name = "cam2";
  health.rate = 25, health.bound_ms = 200, health.processor_share = 0.3;
  std::vector<RecentFaults> recent(2);
  QVERIFY(machine_state(health, recent) == CameraState());
  // The same late pictures: by an idle machine it is the network, by a busy one the machine.
  health.cameras[1].delivered_rate = 12;
  recent[0].late = 40, recent[1].reconnections = 2;
  const CameraState network = machine_state(health, recent);
  QCOMPARE(network.words, QString("network"));
  QVERIFY2(network.sentence.contains("cam1 is late, cam2 reconnected 2 times") &&
               network.sentence.contains("its processors are 30 % busy") &&
               network.sentence.contains("Check these cameras"),
           qPrintable(network.sentence));
  health.processor_share = 0.97;
  QCOMPARE(machine_state(health, recent).words, QString("overloaded"));
  // Cameras that ended their streams are no sign of a busy machine.
  LiveHealth ended = health;
  for (CameraHealth& camera : ended.cameras) camera.here = false, camera.age_s = 6;
  const CameraState gone = machine_state(ended, recent);
  QVERIFY2(gone.words == "network" &&
               gone.sentence.contains("cam1 is not connected, cam2 is not connected") &&
               !gone.sentence.contains("busy"),
           qPrintable(gone.sentence));
  health.thinning = 14;
  const CameraState machine = machine_state(health, recent);
  QVERIFY2(
      machine.sentence.contains("97 % busy, 1 of 14 frame sets is analysed, one in 0.6 s, where IDs break") &&
          machine.sentence.contains("smaller streams") && !machine.sentence.contains("network"),
      qPrintable(machine.sentence));
  // A camera's own sentence names the same cause.
  const auto sentence = [&](bool overloaded) {
    return camera_state(health.cameras[1], recent[1], health.bound_ms, overloaded).sentence;
  };
  QVERIFY(sentence(false).contains("check the network"));
  QVERIFY(sentence(true).contains("this machine is overloaded") && !sentence(true).contains("network"));
  // A slow analysis on a machine that is not busy, as with one slow device.
  health.cameras = {healthy(), healthy()};
  health.processor_share = 0.3;
  QCOMPARE(machine_state(health, std::vector<RecentFaults>(2)).words, QString("slow"));
  QAction add;
  HealthPanel panel(&add);
  panel.show_health(health);
  QVERIFY(says(panel, "1 of 14 frame sets is analysed"));
  health.thinning = 1;
  panel.show_health(health);
  QVERIFY(panel.machine() == CameraState());
}

// The message stays until it is dismissed, and does not come again with other figures.
void LiveTest::what_keeps_the_analysis_is_said_once() {
  OpenWindow w;
  SessionStatus status;
  status.open = true;
  LiveStatus live;
  live.health.cameras = {healthy()};
  live.health.rate = 25, live.health.thinning = 14, live.health.processor_share = 0.3;
  const auto show = [&] {
    status.live = std::make_shared<LiveStatus>(live);
    w.bridge()->on_status(status);
    QCoreApplication::processEvents();
  };
  MessageBar* messages = w.window->messages();
  messages->clear();
  show();
  QTRY_VERIFY(messages->text().contains("1 of 14 frame sets is analysed"));
  messages->dismiss();
  live.health.thinning = 12;
  show();
  QCOMPARE(messages->count(), 0);
  QVERIFY(w.window->part<HealthPanel>()->machine().sentence.contains("1 of 12"));
}

void LiveTest::the_badge_says_live_or_how_long_ago() {
  LiveBadge badge;
  LiveStatus status;
  status.health.analysed = 1, status.health.latency_ms = 87.4;
  badge.show_status(status);
  QCOMPARE(badge.text(), QString("LIVE  87 ms"));
  const auto red = [&] {
    badge.resize(badge.sizeHint());
    return badge.grab().toImage().pixelColor(4, badge.height() / 2).red() > 190 &&
           badge.grab().toImage().pixelColor(4, badge.height() / 2).green() < 80;
  };
  status.health.cameras = {healthy(), healthy(), healthy(), healthy()};
  badge.show_status(status);
  QCOMPARE(badge.text(), QString("LIVE  87 ms"));
  QVERIFY(red());
  status.health.cameras[1].here = false, status.health.cameras[1].name = "cam2";
  status.health.cameras[3].age_s = 4;  // connected, but silent
  badge.show_status(status);
  QCOMPARE(badge.text(), QString("LIVE, 2 of 4 cameras"));
  QVERIFY(!red() && badge.toolTip().contains("cam2, cam1"));
  status.following = false, status.behind_s = 3.26;
  badge.show_status(status);
  QCOMPARE(badge.text(), QString("3 s ago"));
  status.behind_s = 75;
  badge.show_status(status);
  QCOMPARE(badge.text(), QString("1:15 min ago"));
}

void LiveTest::cameras_are_watched_paused_and_written() {
  LiveWindow w;
  QTRY_VERIFY(w.badge().startsWith("LIVE") && w.badge().endsWith("ms"));
  QCOMPARE(w.window->workspace()->cameras()->camera_count(), 2);
  QVERIFY(w.window->part<HealthPanel>()->isVisible());
  QVERIFY(!w.window->action("mark_in")->isEnabled() &&
          w.window->action("mark_in")->toolTip().contains("live cameras"));
  QVERIFY(!w.window->action("check")->isEnabled());
  QVERIFY(w.window->action("play")->isEnabled() && w.window->action("last")->isEnabled());
  w.window->action("play")->trigger();
  QTRY_VERIFY(w.badge().endsWith("ago"));
  w.window->action("last")->trigger();
  QTRY_VERIFY(w.badge().startsWith("LIVE"));
  w.window->action("analyse_all")->trigger();
  QTRY_VERIFY(w.window->action("stop")->isEnabled());
  QVERIFY(!w.window->action("analyse_all")->isEnabled());
  w.window->action("stop")->trigger();
  QTRY_VERIFY(!w.window->state().busy());
  QVERIFY(std::filesystem::exists(w.project().results_folder() / "results.jsonl"));
  w.window->action("record")->trigger();
  QTRY_VERIFY(w.window->action("record")->isChecked());
  w.window->action("record")->trigger();
  QTRY_VERIFY(!w.window->action("record")->isChecked());
  QCOMPARE(QDir(w.folder()).entryList({"live-*.vantage"}).size(), 1);
  QVERIFY(!w.window->action("analyse_while_playing")->isEnabled());
  w.window->action("close")->trigger();
  QVERIFY(w.window->shows_start_page());
  QVERIFY2(w.window->action("analyse_while_playing")->isEnabled(), "recordings have it again");
  QTRY_VERIFY(w.badge().isEmpty());
}

// The password is nowhere but in the store: not in field, title, log, project or results.
void LiveTest::a_camera_is_tested_and_added_without_its_password() {
  const QString secret = "s3cr3t-word";
  LiveWindow w("ann", secret.toStdString());
  const QString address = QString::fromStdString(w.server->address(0)),
                with_password = QString(address).replace("rtsp://", "rtsp://ann:" + secret + "@");
  const auto store = make_credential_file((w.folder() + "/cameras.json").toStdString());
  std::shared_ptr<CredentialStore> shared =
      make_credential_file((w.folder() + "/cameras.json").toStdString());
  {
    AddCameraDialog dialog({shared, {}}, Project());
    dialog.show();
    dialog.set_address(QString(with_password).replace(secret, "wrong"));
    dialog.test();
    QTRY_VERIFY(dialog.result_text().contains("password"));
    QVERIFY(dialog.preview().isNull());
    dialog.set_address(with_password);
    for (const QLineEdit* field : dialog.findChildren<QLineEdit*>())
      QVERIFY(field->echoMode() == QLineEdit::Password || !field->text().contains(secret));
    dialog.test();
    QTRY_VERIFY(dialog.result_text().startsWith("It works"));
    QCOMPARE(dialog.preview().size(), QSize(test::kWidth, test::kHeight));
    QSignalSpy spy(&dialog, &AddCameraDialog::added);
    dialog.findChild<QDialogButtonBox*>()->buttons().back()->setFocus();
    for (QAbstractButton* button : dialog.findChild<QDialogButtonBox*>()->buttons())
      if (button->text() == "Add") button->click();
    QTRY_COMPARE(spy.count(), 1);
    const auto added = spy.front().front().value<AddedCamera>();
    QCOMPARE(QString::fromStdString(added.address), address);
    QCOMPARE(added.name, std::string("cam1"));
  }
  const auto kept = store->find(address.toStdString());
  QVERIFY(kept && *kept && (*kept)->password == secret.toStdString());
  // The session finds it there.
  w.open();
  QTRY_VERIFY(w.badge().startsWith("LIVE") && w.badge().endsWith("ms"));
  w.window->action("analyse_all")->trigger();
  QTRY_VERIFY(w.window->action("stop")->isEnabled());
  w.window->action("stop")->trigger();
  QTRY_VERIFY(!w.window->action("stop")->isEnabled());
  QVERIFY(!w.window->windowTitle().contains(secret));
  for (const QPlainTextEdit* text : w.window->findChildren<QPlainTextEdit*>())
    QVERIFY(!text->toPlainText().contains(secret));
  int files = 0;
  QDirIterator all(w.folder(), QDir::Files, QDirIterator::Subdirectories);
  while (all.hasNext()) {
    QFile file(all.next());
    if (file.fileName().endsWith("cameras.json") || !file.open(QIODevice::ReadOnly)) continue;
    QVERIFY2(!file.readAll().contains(secret.toUtf8()), qPrintable(file.fileName()));
    ++files;
  }
  QVERIFY(files > 4);
}

void LiveTest::cameras_of_the_network_are_listed() {
  test::PlayedDevice device;
  AddCameraDialog dialog({nullptr, {}, device.options()}, Project());
  dialog.show();
  auto* find = dialog.findChild<QPushButton*>("find_cameras");
  auto* found = dialog.findChild<QComboBox*>("found_cameras");
  const QList<QLineEdit*> fields = dialog.findChildren<QLineEdit*>();
  const auto field = [&](const QString& name) {
    return *std::ranges::find_if(fields, [&](const QLineEdit* one) { return one->accessibleName() == name; });
  };
  find->click();
  QTRY_COMPARE(found->count(), 1);
  QVERIFY2(found->itemText(0).contains("not authorized"), qPrintable(found->itemText(0)));
  field("User name")->setText(test::kOnvifUser);
  field("Password")->setText(test::kOnvifPassword);
  find->click();
  QTRY_COMPARE(found->count(), 2);
  QCOMPARE(found->itemText(0), QString("Front Door,, main stream: 2560×1440 px, H264"));
  found->setFocus();
  QTest::keyClick(found, Qt::Key_Down);
  QTest::keyClick(found, Qt::Key_Down);
  QCOMPARE(field("Address")->text(), QString("rtsp://127.0.0.1:554/second?a=1&b=2"));
}

void LiveTest::frames_of_local_cameras_become_pictures() {
  constexpr int kLuma = 90, kCb = 140, kCr = 110;
  QVideoFrame frame(QVideoFrameFormat(QSize(34, 18), QVideoFrameFormat::Format_NV12));
  QVERIFY(frame.map(QVideoFrame::WriteOnly));
  for (int y = 0; y < 18; ++y) std::memset(frame.bits(0) + y * frame.bytesPerLine(0), kLuma, 34);
  for (int y = 0; y < 9; ++y)
    for (int x = 0; x < 17; ++x) {
      uchar* pair = frame.bits(1) + y * frame.bytesPerLine(1) + 2 * x;
      pair[0] = kCb, pair[1] = kCr;
    }
  frame.unmap();
  const auto copied = picture_of(frame, HostPool::shared());
  QVERIFY(copied);
  QCOMPARE(copied->format().layout, PictureLayout::nv12);
  QCOMPARE(int{copied->plane(0).at(33, 17)}, kLuma);
  QCOMPARE(int{copied->plane(1).at(32, 8)}, kCb);
  QCOMPARE(int{copied->plane(1).at(33, 8)}, kCr);
  // Through RGB and back: what was red stays red.
  QVideoFrame red(QVideoFrameFormat(QSize(32, 16), QVideoFrameFormat::Format_BGRX8888));
  QVERIFY(red.map(QVideoFrame::WriteOnly));
  for (int y = 0; y < 16; ++y)
    for (int x = 0; x < 32; ++x) {
      uchar* pixel = red.bits(0) + y * red.bytesPerLine(0) + 4 * x;
      pixel[0] = 20, pixel[1] = 40, pixel[2] = 200, pixel[3] = 255;
    }
  red.unmap();
  const auto converted = picture_of(red, HostPool::shared());
  QVERIFY(converted);
  const QColor back(to_image(*converted).pixel(5, 5));
  QVERIFY(std::abs(back.red() - 200) <= 3 && std::abs(back.green() - 40) <= 3 &&
          std::abs(back.blue() - 20) <= 3);
  const LocalCamera camera{"/dev/video7", "A camera", {{1280, 720, 30, "Jpeg"}}};
  QCOMPARE(local_camera_address(camera, &camera.formats[0]), QString("device:///dev/video7?1280x720@30"));
  QVERIFY(parse_live_address(local_camera_address(camera, nullptr).toStdString()));
  AddCameraDialog dialog({nullptr, [] { return std::vector<LocalCamera>(); }}, Project());
  dialog.findChild<QTabWidget*>()->setCurrentIndex(1);
  const auto labels = dialog.findChildren<QLabel*>();
  QVERIFY(std::any_of(labels.begin(), labels.end(),
                      [](const QLabel* l) { return l->text().startsWith("No camera is connected"); }));
}

void LiveTest::events_are_listed_marked_and_gone_through() {
  EventsPanel panel;
  panel.show();
  QVERIFY(panel.summary().startsWith("No events"));
  QVERIFY(!panel.next_new());
  const auto event = [](int64_t frame) {
    ShownEvent made;
    made.key = {"door", frame, frame}, made.time = QString::number(frame), made.words = "door";
    return made;
  };
  // Five entries of four people in a line, and two more events.
  std::vector<ShownItem> items = {
      {event(0), event(1), event(2), event(3), event(4)}, {event(20)}, {event(30)}};
  items[1][0].mark.standing = EventStanding::seen;
  panel.show_events(items, {7, 23}, {});
  QCOMPARE(panel.summary(), QString("6 new of 7 events in 3 lines, over 0:23."));
  panel.set_rate({2, 600, true});
  QCOMPARE(panel.summary(), QString("6 new of 7 events in 3 lines; 2 in the last 10:00."));
  panel.show_events(items, {7, 6207}, {"shop lies beyond the cameras' coverage"});
  QCOMPARE(panel.summary(), QString("6 new of 7 events in 3 lines. 4.1 events an hour."));
  QCOMPARE(panel.next_new(), std::optional(EventIndex{0, 0}));
  QSignalSpy chosen(&panel, &EventsPanel::chosen), judged(&panel, &EventsPanel::judged);
  const auto press = [&](const QString& name) {
    for (QPushButton* button : panel.findChildren<QPushButton*>())
      if (button->accessibleName() == name) button->click();
  };
  const auto judgements = [&](int at) { return judged[at][0].value<std::vector<JudgedEvent>>(); };
  // One alone: the line is unfolded, and the others of it stay new.
  QTreeWidget* list = panel.list();
  panel.choose({0, 0});
  QCOMPARE(chosen.count(), 1);
  QVERIFY(panel.unfolded(0));
  QCOMPARE(list->currentItem(), list->topLevelItem(0)->child(0));
  panel.choose({0, 2});
  QCOMPARE(list->currentItem(), list->topLevelItem(0)->child(2));
  press("False Alarm");
  QCOMPARE(judged.count(), 1);
  QCOMPARE(judgements(0).size(), size_t{1});
  QCOMPARE(judgements(0)[0].place, (EventIndex{0, 2}));
  QCOMPARE(judgements(0)[0].mark.standing, EventStanding::false_alarm);
  QVERIFY2(list->topLevelItem(0)->text(0).contains("5 events, 4 new, 1 false alarm"),
           qPrintable(list->topLevelItem(0)->text(0)));
  QVERIFY(list->topLevelItem(0)->child(2)->text(0).contains("false alarm"));
  QVERIFY(panel.summary().startsWith("5 new of 7 events"));
  QCOMPARE(panel.next_new(), std::optional(EventIndex{0, 3}));
  // As a whole; it stays what was chosen when the list grows, and a note of one stays that one's.
  for (QLineEdit* note : panel.findChildren<QLineEdit*>()) {
    note->setText("the postman");
    QTest::keyClick(note, Qt::Key_Return);
  }
  QVERIFY(list->topLevelItem(0)->child(2)->text(0).contains("the postman"));
  items[0][2].mark = {EventStanding::false_alarm, "the postman"};
  list->setCurrentItem(list->topLevelItem(0));
  items.push_back({event(40)});
  panel.show_events(items, {8, 5760}, {});
  QCOMPARE(list->currentItem(), list->topLevelItem(0));
  QVERIFY(panel.unfolded(0));
  judged.clear();
  press("Seen");
  QCOMPARE(judgements(0).size(), size_t{5});
  QVERIFY(judgements(0)[2].mark.note == "the postman" && judgements(0)[1].mark.note.empty());
  QCOMPARE(panel.summary(), QString("2 new of 8 events in 4 lines. 5.0 events an hour."));
  QCOMPARE(panel.next_new(), std::optional(EventIndex{2, 0}));
  // Another window keeps the marks: nothing is judged here, by no way.
  judged.clear();
  panel.set_read_only("Anna has it.");
  press("False Alarm");
  for (QLineEdit* note : panel.findChildren<QLineEdit*>()) emit note->returnPressed();
  QCOMPARE(judged.count(), 0);
  panel.set_read_only({});
  press("False Alarm");
  QCOMPARE(judged.count(), 1);
}

// Events of several people that share a line: by keys and by mouse one is judged at a time, and all of them
// only by the line that says how many they are.
void LiveTest::what_is_judged_is_on_screen() {
  EventsPanel panel;
  panel.resize(360, 1000);
  panel.show();
  QTreeWidget* list = panel.list();
  const auto event = [](int64_t frame) {
    return ShownEvent{
        static_cast<size_t>(frame), {"door", frame, frame}, QString::number(frame), "door", {}, {}};
  };
  panel.show_events({{event(1), event(2), event(3)}, {event(20)}, {event(30), event(31)}}, {6, 100}, {});
  QSignalSpy judged(&panel, &EventsPanel::judged);
  const auto last_judged = [&] { return judged.back()[0].value<std::vector<JudgedEvent>>(); };
  const auto button = [&](const QString& name) {
    for (QPushButton* one : panel.findChildren<QPushButton*>())
      if (one->accessibleName() == name) return one;
    return static_cast<QPushButton*>(nullptr);
  };
  const auto press = [&](Qt::Key key) { QTest::keyClick(list, key); };
  list->setFocus();
  // From above a group begins with its first event, from below with its last.
  press(Qt::Key_Down);
  if (!list->currentItem()) press(Qt::Key_Down);
  QCOMPARE(list->currentItem(), list->topLevelItem(0)->child(0));
  press(Qt::Key_S);
  QCOMPARE(last_judged().size(), size_t{1});
  QCOMPARE(last_judged()[0].place, (EventIndex{0, 0}));
  for (int i = 0; i < 4; ++i) press(Qt::Key_Down);
  QCOMPARE(list->currentItem(), list->topLevelItem(2)->child(0));
  list->topLevelItem(0)->setExpanded(false);
  for (int i = 0; i < 3; ++i) press(Qt::Key_Up);
  QCOMPARE(list->currentItem(), list->topLevelItem(0)->child(2));
  // The group's own line judges it, and says so; folded it judges nothing.
  press(Qt::Key_Left);
  QCOMPARE(list->currentItem(), list->topLevelItem(0));
  QCOMPARE(button("Seen")->text().remove('&'), QString("Seen: all 3"));
  press(Qt::Key_Left);
  QVERIFY(!panel.unfolded(0));
  judged.clear();
  press(Qt::Key_X);
  QCOMPARE(judged.count(), 0);
  QCOMPARE(list->currentItem(), list->topLevelItem(0)->child(0));
  press(Qt::Key_X);
  QCOMPARE(last_judged().size(), size_t{1});
  // By mouse: a click on a folded line reaches its first event, another one the line itself.
  panel.choose({1, 0});
  list->topLevelItem(2)->setExpanded(false);
  const auto click = [&] {
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {},
                      list->visualItemRect(list->topLevelItem(2)).center());
  };
  click();
  QTRY_COMPARE(list->currentItem(), list->topLevelItem(2)->child(0));
  QVERIFY(list->topLevelItem(2)->child(0)->isSelected() && list->selectedItems().size() == 1);
  QTest::mouseClick(button("Seen"), Qt::LeftButton);
  QCOMPARE(last_judged().size(), size_t{1});
  QCOMPARE(last_judged()[0].place, (EventIndex{2, 0}));
  click();
  QCOMPARE(list->currentItem(), list->topLevelItem(2));
  QCOMPARE(button("False Alarm")->text().remove('&'), QString("False Alarm: all 2"));
  QTest::mouseClick(button("False Alarm"), Qt::LeftButton);
  QCOMPARE(last_judged().size(), size_t{2});
}

void LiveTest::rules_make_events_of_live_cameras() {
  LiveWindow w("", "", [](Project& project) {
    project.zones = {{"all", {{-9, -9}, {9, -9}, {9, 9}, {-9, 9}}}};
    project.rules = {{.name = "somebody", .kind = RuleKind::more_than, .where = "all", .limit = 0}};
  });
  w.window->action("events")->trigger();
  QTRY_VERIFY(w.window->part<EventsPanel>()->list()->topLevelItemCount() > 0);
  QVERIFY(w.window->part<EventsPanel>()->list()->topLevelItem(0)->text(0).contains("somebody"));
  const auto labels = w.window->part<EventsPanel>()->findChildren<QLabel*>();
  QVERIFY(std::any_of(labels.begin(), labels.end(),
                      [](const QLabel* l) { return l->text().startsWith("all is not fully covered"); }));
  QVERIFY(w.window->action("next_event")->isEnabled());
  // From the pictures, not only from the list.
  w.window->part<EventsPanel>()->list()->setCurrentItem(nullptr);
  w.window->workspace()->cameras()->setFocus();
  QTest::keyClick(w.window->workspace()->cameras(), Qt::Key_N);
  QTRY_VERIFY(w.window->part<EventsPanel>()->list()->currentItem());
  // In the list S and X judge, though they are commands of the window elsewhere.
  QTreeWidget* list = w.window->part<EventsPanel>()->list();
  QSignalSpy judged(w.window->part<EventsPanel>(), &EventsPanel::judged);
  const bool standing = w.window->action("figure")->isChecked();
  list->setFocus();
  for (const auto& [key, meant] :
       {std::pair{Qt::Key_S, EventStanding::seen}, {Qt::Key_X, EventStanding::false_alarm}}) {
    judged.clear();
    QTest::keyClick(list, key);
    QCOMPARE(judged.count(), 1);
    QCOMPARE(judged.at(0).at(0).value<std::vector<JudgedEvent>>().front().mark.standing, meant);
  }
  QCOMPARE(w.window->action("figure")->isChecked(), standing);
  const QString pictures = qEnvironmentVariable("VANTAGE_SCREENSHOTS");  // a folder to look at what was made
  if (!pictures.isEmpty()) w.window->grab().save(QDir(pictures).filePath("live_events.png"));
}

// On a clock that runs as fast as the test can turn it.
void LiveTest::who_stays_for_hours_alarms_once() {
  LoneEvents lone;
  EventsPanel& panel = lone.panel();
  MessageBar& messages = lone.messages;
  Project project;
  project.zones = {{"shop", {{0, 0}, {3, 0}, {3, 3}, {0, 3}}}};
  project.rules = {{.name = "full", .kind = RuleKind::more_than, .where = "shop", .limit = 0}};
  lone.state.set_project(project);
  LiveStatus status;
  status.health.rate = 2;
  auto rules = RuleWatch::make(project.rules, project.zones, {}, status.health.rate);
  QVERIFY(rules);
  LiveEvents events;
  const auto go_on = [&](int64_t from, int64_t to, int64_t who) {
    for (int64_t set = from; set < to; ++set) {
      std::vector<FloorPerson> people;
      if (who > 0) people.push_back({who, 1, 1, 1.7, 0.9});
      events.add(rules->add(set, people));
      status.events = events.events();
      lone.set_live(status);
    }
  };
  constexpr int64_t kHour = 7200;
  go_on(0, 10, 1);
  QTRY_COMPARE(panel.list()->topLevelItemCount(), 1);
  QCOMPARE(messages.count(), 1);
  messages.clear();
  go_on(10, 2 * kHour, 1);
  go_on(2 * kHour, 2 * kHour + 20, 0);
  QTest::qWait(100);  // what would still be delivered
  QCOMPARE(panel.list()->topLevelItemCount(), 1);
  QCOMPARE(messages.count(), 0);
  go_on(2 * kHour + 20, 2 * kHour + 40, 2);
  QTRY_COMPARE(panel.list()->topLevelItemCount(), 2);
  QCOMPARE(messages.count(), 1);
  // The list is bounded: what goes at its other end alarms nobody.
  messages.clear();
  std::vector<FloorEvent> many;
  for (int64_t i = 0; i < static_cast<int64_t>(LiveEvents::kMax) - 1; ++i)
    many.push_back({"full", 7, 3 * kHour + i, 3 * kHour + i, {}, 0, 0, 0});
  events.add(many);
  status.events = events.events();
  lone.set_live(status);
  QTRY_COMPARE(messages.count(), 1);
  // A line lasts 10 s, 21 sets: the one before, and these in 24 lines.
  QTRY_COMPARE(panel.list()->topLevelItemCount(), 25);
  QVERIFY2(panel.summary().contains("500 events in 25 lines"), qPrintable(panel.summary()));
  messages.clear();
  many.clear();  // the first event of an item goes as well; these join the last
  for (int64_t i = 0; i < 2; ++i) many.push_back({"full", 8, 3 * kHour + i, 3 * kHour + 499, {}, 0, 0, 0});
  events.add(many);
  status.events = events.events();
  lone.set_live(status);
  QTRY_COMPARE(panel.list()->topLevelItemCount(), 24);
  QCOMPARE(messages.count(), 0);
}

void LiveTest::the_chime_is_a_sound() {
  const QByteArray wave = chime_wave();
  const auto number = [&](qsizetype at) {
    return qFromLittleEndian<quint32>(reinterpret_cast<const uchar*>(wave.constData()) + at);
  };
  QVERIFY(wave.startsWith("RIFF") && wave.mid(8, 8) == "WAVEfmt " && wave.mid(36, 4) == "data");
  QCOMPARE(number(4), quint32(wave.size() - 8));
  QCOMPARE(number(40), quint32(wave.size() - 44));
  QCOMPARE(number(24), quint32(44100));
  const auto* samples = reinterpret_cast<const qint16*>(wave.constData() + 44);
  const auto count = static_cast<size_t>((wave.size() - 44) / 2);
  const auto loudest = [&](size_t from, size_t to) {
    int most = 0;
    for (size_t i = from; i < to; ++i) most = std::max(most, std::abs(int(samples[i])));
    return most;
  };
  QVERIFY(loudest(0, count / 2) > 15000 && loudest(count / 2, count) > 15000);
  QVERIFY2(loudest(0, count) < 32767, "not clipped");
  QVERIFY2(loudest(count - 20, count) < 100 && loudest(0, 5) < 4000, "no click at its ends");
  // With an audio output it sounds, without one it says so; it never fails otherwise.
  AlarmSound sound;
  QSignalSpy started(&sound, &AlarmSound::started), failed(&sound, &AlarmSound::failed);
  sound.play();
  QTRY_COMPARE(started.count() + failed.count(), 1);
  if (failed.count() == 1) QVERIFY(failed[0][0].toString().contains("alarms are silent"));
}

void LiveTest::alarms_that_do_not_sound_say_so_once() {
  LoneEvents lone;
  EventsPanel& panel = lone.panel();
  MessageBar& messages = lone.messages;
  LiveStatus status;
  status.health.rate = 2;
  LiveEvents events;
  const auto alarm = [&](int64_t set) {
    messages.clear();
    const FloorEvent event{"full", 7, set, set, {}, 0, 0, 0};
    events.add({&event, 1});
    status.events = events.events();
    lone.set_live(status);
  };
  const auto messages_hold = [&](const QString& words) {
    bool held = false;
    for (int i = 0; i < messages.count(); ++i, messages.show_next()) held |= messages.text().contains(words);
    return held;
  };
  alarm(0);
  QTRY_COMPARE(messages.count(), 1);
  QVERIFY2(!messages_hold("cannot be read"), "the sound is off");
  panel.findChild<QCheckBox*>()->setChecked(true);
  lone.set_alarm({"/nowhere/siren.wav", 50});
  alarm(100);
  QTRY_VERIFY(messages_hold("/nowhere/siren.wav"));
  alarm(200);
  QTRY_COMPARE(panel.list()->topLevelItemCount(), 3);
  QVERIFY2(!messages_hold("siren"), "told already");
  lone.set_alarm({"/nowhere/bell.wav", 50});
  alarm(300);
  QTRY_VERIFY(messages_hold("bell.wav"));
}

void LiveTest::rules_are_tried_before_they_are_armed() {
  Project project;
  project.zones = {{"shop", {{1, -1}, {3, -1}, {3, 1}, {1, 1}}}};
  auto tracks = std::make_shared<Tracks>();
  tracks->frame_rate = 10;
  PersonPath path{1, {}};
  for (int f = 0; f < 360; ++f) {
    tracks->frames.push_back(f), tracks->known_frames.push_back(f);
    PathPoint point;
    point.frame = f, point.x_m = 0.01 * f;
    path.points.push_back(point);
  }
  tracks->paths = {path};
  RulesDialog dialog(project, {tracks, {}, {}});
  dialog.add_rule({.name = "in", .kind = RuleKind::enters, .where = "shop"});
  QCOMPARE(dialog.tried(0), QString("1 in 0:36"));
  dialog.add_rule({.name = "gone", .kind = RuleKind::crosses, .where = "door"});
  QVERIFY2(dialog.tried(1).contains("there is no line"), qPrintable(dialog.tried(1)));
  QCOMPARE(dialog.rules().front(), (FloorRule{.name = "in", .kind = RuleKind::enters, .where = "shop"}));
  QCOMPARE(dialog.moments(0)->menu()->actions().size(), 1);
  QSignalSpy chosen(&dialog, &RulesDialog::moment_chosen);
  dialog.moments(0)->menu()->actions().front()->trigger();
  QCOMPARE(chosen.takeFirst().front().toLongLong(), 100);
  // Of live cameras what can be shown counts, over the time that it lasts.
  const auto time = [](int64_t frame) { return QStringLiteral("at %1").arg(frame); };
  RulesDialog kept(project, {tracks, time, 60}), late(project, {tracks, time, 240});
  for (RulesDialog* one : {&kept, &late})
    one->add_rule({.name = "in", .kind = RuleKind::enters, .where = "shop"});
  QCOMPARE(kept.tried(0), QString("1 in the last 0:30"));
  QCOMPARE(kept.moments(0)->menu()->actions().front()->text(), QString("at 100  person 1"));
  QCOMPARE(late.tried(0), QString("0 in the last 0:12"));
  QVERIFY(!late.moments(0)->isEnabled());
  RulesDialog untried(project, {});
  untried.add_rule({.name = "in", .kind = RuleKind::enters, .where = "shop"});
  QVERIFY(untried.tried(0).isEmpty());
}

namespace {

template <typename Field>
Field* field_of(const QWidget& dialog, const QString& name, int which = 0) {
  for (Field* one : dialog.findChildren<Field*>())
    if (one->accessibleName() == name && which-- == 0) return one;
  return nullptr;
}

// Its text is as wide as the field lets it be seen.
bool shows_its_text(const QWidget& field) {
  const auto* box = qobject_cast<const QComboBox*>(&field);
  const auto* number = qobject_cast<const QDoubleSpinBox*>(&field);
  const auto* line = qobject_cast<const QLineEdit*>(&field);
  if (number) line = number->findChild<QLineEdit*>();
  const QString text = box ? box->currentText() : line ? line->text() : QString();
  QStyleOptionComboBox option;
  if (box) option.initFrom(box), option.editable = false;
  const int room = box ? box->style()
                             ->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, box)
                             .width()
                       : line->contentsRect().width();
  return room >= field.fontMetrics().horizontalAdvance(text);
}

}  // namespace

// What a rule has is there, wide enough to be read, and what its kind does not have is not.
void LiveTest::rules_are_sentences_with_fields() {
  Project project;
  project.zones = {{"the loading bay at the back", {{1, -1}, {3, -1}, {3, 1}, {1, 1}}}, {"shop", {}}};
  project.lines = {{"gate", {0, 0}, {1, 0}}};
  project.rules = {
      {.name = "in", .kind = RuleKind::enters, .where = "shop", .delay_s = 2},
      {.name = "long", .kind = RuleKind::stays_longer, .where = "shop", .limit = 10.25, .clear_s = 0.5},
      {.name = "full", .kind = RuleKind::more_than, .where = "the loading bay at the back", .limit = 4},
      {.name = "out", .kind = RuleKind::crosses, .where = "gate", .way = CrossingWay::to_right, .delay_s = 1},
      {.name = "runs", .kind = RuleKind::faster_than, .limit = 2.5},
      {.name = "lost", .kind = RuleKind::crosses, .where = "a line of before"}};
  project.zones[1].corners_m = project.zones[0].corners_m;
  auto tracks = std::make_shared<Tracks>();
  tracks->frame_rate = 10;
  for (int64_t frame = 0; frame < 200; ++frame)
    tracks->frames.push_back(frame), tracks->known_frames.push_back(frame);
  RulesDialog dialog(project, {tracks, {}, {}});
  dialog.show();
  QVERIFY(QTest::qWaitForWindowExposed(&dialog));
  QVERIFY2(dialog.width() < 1366 && dialog.height() < 768, qPrintable(QString::number(dialog.width())));
  QCOMPARE(dialog.rules(), project.rules);  // nothing is lost by looking
  const auto shown = [&](const QString& name, int rule) {
    return field_of<QWidget>(dialog, name, rule)->isVisible();
  };
  for (int rule = 0; rule < 6; ++rule) {
    const RuleKind kind = project.rules[rule].kind;
    QCOMPARE(shown("Way", rule), kind == RuleKind::crosses);
    QCOMPARE(shown("Limit", rule), kind != RuleKind::crosses && kind != RuleKind::enters);
    for (const char* name : {"After", "Over after"}) QCOMPARE(shown(name, rule), kind != RuleKind::crosses);
    for (const char* name : {"Name", "What", "Limit", "Where", "Way", "After", "Over after"}) {
      auto* field = field_of<QWidget>(dialog, name, rule);
      QVERIFY2(!field->isVisible() || shows_its_text(*field), name);
      QVERIFY2(field->isEnabled(), name);
    }
    QVERIFY(dialog.moments(rule)->isVisible());
  }
  QVERIFY2(dialog.tried(5).contains("a line of before"), qPrintable(dialog.tried(5)));
  const QString pictures = qEnvironmentVariable("VANTAGE_SCREENSHOTS");  // a folder to look at what was made
  for (const Theme theme : {Theme::light, Theme::dark}) {
    apply_theme(theme);
    RulesDialog themed(project, {tracks, {}, {}});
    const QPalette count = themed.moments(0)->palette();
    const float ratio = contrast(count.color(QPalette::Disabled, QPalette::ButtonText),
                                 count.color(QPalette::Disabled, QPalette::Button));
    QVERIFY2(ratio >= 4.5F && !themed.moments(0)->isEnabled(), qPrintable(QString::number(ratio)));
    const QString name = theme == Theme::light ? "rules_light.png" : "rules_dark.png";
    if (!pictures.isEmpty()) themed.grab().save(QDir(pictures).filePath(name));
  }
  apply_theme(Theme::system);
  // The first rule of all has the width of its sentence, too; one without a place says so.
  for (const bool drawn : {true, false}) {
    Project none = project;
    none.rules.clear();
    if (!drawn) none.zones.clear();
    RulesDialog first(none, {tracks, {}, {}});
    first.show();
    QVERIFY(QTest::qWaitForWindowExposed(&first));
    for (QPushButton* one : first.findChildren<QPushButton*>())
      if (one->text() == "&Add Rule") QTest::mouseClick(one, Qt::LeftButton);
    QCOMPARE(first.rules().size(), size_t{1});
    const auto* area = first.findChild<QScrollArea*>();
    QTRY_VERIFY(area->widget()->width() >= area->widget()->minimumSizeHint().width() &&
                area->horizontalScrollBar()->maximum() == 0 &&
                field_of<QWidget>(first, "Where")->isVisible());
    if (!drawn) QCOMPARE(first.tried(0), QString("no zone is chosen"));
  }
  // By keyboard: from the name to what happens, which becomes a crossing.
  QApplication::setActiveWindow(&dialog);
  auto* what = field_of<QComboBox>(dialog, "What");
  field_of<QLineEdit>(dialog, "Name")->setFocus();
  for (int i = 0; i < 3 && !what->hasFocus(); ++i) QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
  QVERIFY(what->hasFocus());
  for (int i = 0; i < 4; ++i) QTest::keyClick(what, Qt::Key_Down);
  QVERIFY(shown("Way", 0) && !shown("After", 0));
  QTest::keyClick(what, Qt::Key_Tab);
  QCOMPARE(QApplication::focusWidget(), field_of<QWidget>(dialog, "Where"));  // no limit comes first
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Down);
  QCOMPARE(dialog.rules()[0], (FloorRule{.name = "in",
                                         .kind = RuleKind::crosses,
                                         .where = "gate",
                                         .way = CrossingWay::to_left,
                                         .delay_s = 2}));
  // By mouse: another rule, typed over, and one that goes.
  for (QPushButton* one : dialog.findChildren<QPushButton*>())
    if (one->text() == "&Add Rule") QTest::mouseClick(one, Qt::LeftButton);
  QCOMPARE(dialog.rules().size(), size_t{7});
  QCOMPARE(QApplication::focusWidget(), field_of<QWidget>(dialog, "Name", 6));
  QTest::keyClicks(QApplication::focusWidget(), "!");
  QCOMPARE(dialog.rules()[6].name, std::string("rule 7!"));
  QTest::mouseClick(field_of<QToolButton>(dialog, "Remove Rule", 1), Qt::LeftButton);
  QCOMPARE(dialog.rules().size(), size_t{6});
  QCOMPARE(dialog.rules()[1], project.rules[2]);
  auto* limit = field_of<QDoubleSpinBox>(dialog, "Limit", 2);  // of the third, as the second is still there
  limit->setFocus();
  limit->selectAll();
  QTest::keyClicks(limit, "12");
  QCOMPARE(dialog.rules()[1].limit, 12.0);
}

// Four people come in every 9 s for six minutes: no line of the list lasts longer than 10 s, and the list,
// the rules' dialog and the timeline count the same.
void LiveTest::events_are_counted_alike_everywhere() {
  constexpr int kEntries = 40, kApart = 90, kEnters = 20, kLeaves = 80;
  Project project;
  project.zones = {{"shop", {{1, -1}, {3, -1}, {3, 1}, {1, 1}}}};
  project.rules = {{.name = "in", .kind = RuleKind::enters, .where = "shop"}};
  auto tracks = std::make_shared<Tracks>();
  tracks->frame_rate = 10;
  for (int64_t id = 1; id <= 4; ++id) tracks->paths.push_back({id, {}});
  for (int64_t frame = 0; frame < kEntries * kApart; ++frame) {
    tracks->frames.push_back(frame), tracks->known_frames.push_back(frame);
    for (int64_t i = 0; i < 4; ++i) {
      const bool inside = frame / kApart % 4 == i && frame % kApart >= kEnters && frame % kApart < kLeaves;
      tracks->paths[i].points.push_back({frame, inside ? 1.5 : -2, 0, 1.7, 0.9, true});
    }
  }
  LoneEvents lone;
  EventsPanel& panel = lone.panel();
  const Timeline& timeline = *lone.workspace.timeline();
  lone.workspace.timeline()->resize(640, 80);
  lone.workspace.timeline()->set_extent(kEntries * kApart, 10);
  lone.state.set_project(project);
  lone.state.set_tracks(tracks);
  QTRY_COMPARE(panel.list()->topLevelItemCount(), kEntries / 2);
  QVERIFY2(panel.summary().startsWith("40 new of 40 events in 20 lines, over 6:00."),
           qPrintable(panel.summary()));
  RulesDialog dialog(project, {tracks, {}, {}});
  QCOMPARE(dialog.tried(0), QString("40 in 6:00"));
  const auto events =
      find_events({tracks->paths, tracks->known_frames, 10}, project.rules, project.zones, project.lines);
  QVERIFY(events && events->size() == size_t{kEntries});
  for (const FloorEvent& event : *events)
    QVERIFY2(timeline.describe(event.raised_frame).contains("1 event"),
             qPrintable(timeline.describe(event.raised_frame)));
}

void LiveTest::a_cut_camera_is_told_where_it_is_looked_for() {
  LiveWindow w;
  const auto standing = [&](size_t camera) {
    const auto& states = w.window->part<HealthPanel>()->states();
    return states.size() == 2 ? states[camera].standing : CameraStanding::away;
  };
  QTRY_VERIFY(standing(0) != CameraStanding::away && standing(1) != CameraStanding::away);
  w.server->set_away(1, true);
  QTRY_VERIFY(standing(1) == CameraStanding::away);
  QVERIFY(!w.window->part<HealthPanel>()->states()[1].sentence.isEmpty());
  QVERIFY(w.window->part<HealthPanel>()->summary().startsWith("1 of 2 cameras deliver"));
  QTRY_COMPARE(w.badge(), QString("LIVE, 1 of 2 cameras"));
  QVERIFY(standing(0) != CameraStanding::away);
  w.server->set_away(1, false);
  QTRY_VERIFY(standing(1) != CameraStanding::away);
}

void LiveTest::a_live_camera_out_of_step_is_proposed_applied_and_taken_back() {
  LiveWindow w;
  QTRY_VERIFY(w.badge().startsWith("LIVE"));
  const HealthPanel& health = *w.window->part<HealthPanel>();
  const ProposalCard* card = w.window->part<ProposalCard>();
  MessageBar* messages = w.window->messages();
  OffsetProposal late{1, 0, 40, 0.97, 0, 1.2};
  w.propose(late);
  QTRY_VERIFY(messages->text().contains("cam2 appears to be 1.20 s behind cam1; confidence 0.97"));
  button(messages, "Show")->click();
  QTRY_VERIFY(card->isVisible() && w.window->action("apply_offset")->isEnabled());
  QVERIFY(card->words().contains("1.20 s behind"));
  w.window->action("apply_offset")->trigger();
  QTRY_VERIFY(says(health, "corrected by +1.200 s"));
  QTRY_VERIFY(!card->isVisible() && !w.window->action("apply_offset")->isEnabled());
  QTRY_VERIFY(messages->text().contains("cam2 is back in step"));
  button(messages, "Undo")->click();
  QTRY_VERIFY(!says(health, "corrected by"));
  // What a project cannot hold is refused, and changes nothing.
  messages->clear();
  late.delay_s = 12;
  w.propose(late);
  QTRY_VERIFY(w.window->action("apply_offset")->isEnabled());
  messages->clear();
  w.window->action("apply_offset")->trigger();
  QTRY_VERIFY(messages->text().contains("wait for each other for 10 s at most"));
  QVERIFY(!says(health, "corrected by"));
  QTRY_VERIFY(w.badge().startsWith("LIVE"));
}

void LiveTest::health_without_cameras_offers_one() {
  OpenWindow w;
  w.window->action("health")->trigger();
  QCoreApplication::processEvents();
  const auto* panel = w.window->part<HealthPanel>();
  QToolButton* offered = nullptr;
  for (auto* button : panel->findChildren<QToolButton*>())
    if (button->isVisible() && button->defaultAction() == w.window->action("add_camera")) offered = button;
  QVERIFY(offered);
  QTest::mouseClick(offered, Qt::LeftButton);
  auto* dialog = w.window->findChild<AddCameraDialog*>();
  QVERIFY(dialog && dialog->isVisible());
  dialog->close();
}

void LiveTest::a_card_is_as_high_as_what_it_says() {
  QAction add;
  HealthPanel panel(&add);
  panel.resize(300, 500);
  panel.show();
  QVERIFY(QTest::qWaitForWindowExposed(&panel, kWait_ms));
  LiveHealth health;
  health.cameras = {healthy(), healthy()};
  health.cameras[1].name = "cam2";
  const auto heights = [&] {
    panel.show_health(health);
    QList<int> of_cards;
    for (const QWidget* card : panel.findChildren<QWidget*>())
      if (card->accessibleName().contains(": ")) of_cards << card->height();
    return of_cards;
  };
  const auto settled = [&] {
    QList<int> before;
    static_cast<void>(QTest::qWaitFor(
        [&] {
          const QList<int> last = std::exchange(before, heights());
          return before == last;
        },
        kWait_ms));
    return before;
  };
  const QList<int> quiet = settled();
  health.cameras[0].picture = "the camera has been turned, and its places on the floor are no longer right";
  health.cameras[0].turned = true;
  QTRY_VERIFY(heights()[0] > quiet[0] && heights()[1] == quiet[1]);
  health.cameras[0] = health.cameras[1];
  QCOMPARE(heights(), quiet);  // at once
  health.cameras[0].detector = "cam1: its detector reports people twice";
  QTRY_VERIFY(heights()[0] > quiet[0] && heights()[1] == quiet[1]);
  QVERIFY(says(panel, "reports people twice"));
}

void LiveTest::a_turned_cameras_view_is_said_to_be_right() {
  QAction add;
  HealthPanel panel(&add);
  const auto offered = [&] {
    QStringList names;
    for (const QPushButton* one : panel.findChildren<QPushButton*>())
      if (!one->isHidden()) names << one->accessibleName();
    return names;
  };
  LiveHealth health;
  health.cameras = {healthy(), healthy()};
  health.cameras[1].name = "cam2";
  panel.show_health(health);
  QVERIFY(offered().isEmpty());
  health.cameras[1].picture = "the camera has been turned";
  health.cameras[1].turned = true;
  panel.show_health(health);
  QCOMPARE(offered(), QStringList{"The view of cam2 is right"});
  QSignalSpy accepted(&panel, &HealthPanel::view_accepted);
  for (QPushButton* one : panel.findChildren<QPushButton*>())
    if (!one->isHidden()) one->click();
  QCOMPARE(accepted, (QList<QList<QVariant>>{{1}}));

  LiveWindow w;
  QTRY_VERIFY(w.badge().startsWith("LIVE"));
  emit w.window->part<HealthPanel>()->view_accepted(1);
  QMessageBox* question = w.window->findChild<QMessageBox*>();
  QVERIFY(question && question->text().contains("cam2"));
  question->button(QMessageBox::Cancel)->click();
  QTRY_VERIFY(!w.window->findChild<QMessageBox*>());
  emit w.window->part<HealthPanel>()->view_accepted(1);
  button(w.window->findChild<QMessageBox*>(), "&Keep This View")->click();
  const auto noted = [&] {
    const auto labels = w.window->findChildren<QLabel*>();
    return std::any_of(labels.begin(), labels.end(), [](QLabel* label) {
      return label->toolTip().contains("cam2: its present view is its reference view");
    });
  };
  QTRY_VERIFY(noted());
}

const TestPart<LiveTest> kLivePart("live");

}  // namespace vantage::ui

#include "live_test.moc"
