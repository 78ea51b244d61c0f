#include <QLabel>
#include <QPushButton>
#include <QTemporaryDir>

#include "tests/ui/support/open_window.h"
#include "tests/ui/support/patience.h"
#include "tests/ui/support/window_test.h"
#include "tests/unit/pipeline/footage.h"
#include "ui/main_window/preferences_dialog.h"
#include "ui/main_window/result_text.h"
#include "ui/main_window/workspace.h"
#include "ui/panels/instant_view.h"
#include "ui/panels/proposal_card.h"
#include "ui/panels/sync_panel.h"
#include "ui/platform/instant_pictures.h"
#include "ui/platform/video_probe.h"
#include "ui/widgets/message_bar.h"

namespace vantage::ui {

class SynchronisationTest final : public WindowTest {
  Q_OBJECT
 private slots:
  void offsets_are_found_applied_and_set_by_hand();
  void marks_reckon_with_each_cameras_own_rate();
  void a_watched_camera_is_proposed_applied_and_dismissed();
  void an_instant_is_read_before_and_after();
  void corners_tell_offsets();
};

namespace {

// Mean over the pixels, in 8-bit steps.
double difference_of(const QImage& a, const QImage& b) {
  double sum = 0;
  for (int y = 0; y < a.height(); ++y)
    for (int x = 0; x < a.width(); ++x) sum += std::abs(qGray(a.pixel(x, y)) - qGray(b.pixel(x, y)));
  return sum / (a.width() * a.height());
}

}  // namespace

void SynchronisationTest::offsets_are_found_applied_and_set_by_hand() {
  const auto align = [](const Project& project, const AlignOptions&) -> Result<Alignment> {
    Alignment found;
    found.method = "lines";
    found.frames = 200;
    found.estimate.cameras.resize(project.cameras.size());
    found.frame_rates.assign(project.cameras.size(), 25);
    for (CameraAlignment& camera : found.estimate.cameras) camera.offset_frames = 0, camera.confidence = 0.99;
    found.estimate.cameras[2].offset_frames = -11;
    found.estimate.cameras[3].offset_frames.reset();
    found.estimate.cameras[3].reason = "too quiet";
    PairEstimate& pair = found.estimate.pairs.emplace_back();
    pair.second = 2, pair.offset_frames = -11, pair.curve_lag = -20;
    pair.curve.assign(41, 0.1f);
    return found;
  };
  OpenWindow w({}, true, {}, 0, align);
  Project project;
  QObject::connect(w.bridge(), &SessionBridge::opened, [&](const Project& opened) { project = opened; });
  const auto offset = [&](size_t camera) {
    return camera < project.cameras.size() ? project.cameras[camera].offset_frames : 1e9;
  };
  w.key(Qt::Key_F12, Qt::ControlModifier);
  QTRY_VERIFY(w.window->messages()->text().contains("cam3 started 11 frames (0.44 s) after cam1"));
  SyncPanel* panel = w.window->part<SyncPanel>();
  QVERIFY(panel->isVisible());
  QCOMPARE(panel->shown_pair(), 0);
  button(w.window->messages(), "Apply")->click();
  QTRY_COMPARE(offset(2), -11.0);
  QVERIFY(project.cameras[2].offset_confirmed);
  QTRY_VERIFY(!w.window->messages()->isVisible());
  QVERIFY2(!project.cameras[3].offset_confirmed, "where nothing was found nothing is confirmed");
  for (auto* one : panel->findChildren<QPushButton*>())
    if (one->toolTip() == "Move cam3 by +0.1 frames") one->click();
  QTRY_COMPARE(offset(2), -10.9);
  // The same instant: frame 20 of cam1 is frame 23 of cam2.
  panel->set_instant({20, -1, -1, -1});
  for (auto* one : panel->findChildren<QPushButton*>())
    if (one->toolTip().startsWith("Mark what cam1")) one->click();
  panel->set_instant({-1, 23, -1, -1});
  for (auto* one : panel->findChildren<QPushButton*>())
    if (one->toolTip().startsWith("Mark what cam2")) one->click();
  QCOMPARE(panel->marks(1).size(), size_t{1});
  button(panel, "Use Marks")->click();
  QTRY_COMPARE(offset(1), 3.0);
  OpenWindow without;
  QVERIFY2(!without.window->action("find_offsets")->isVisible(), "what is not there is not in the menus");
}

void SynchronisationTest::marks_reckon_with_each_cameras_own_rate() {
  QTemporaryDir folder;
  const auto file = [&](int camera, double frame_rate) {
    const std::string path = folder.filePath(QString("cam%1.mp4").arg(camera)).toStdString();
    VideoWriterOptions options;
    options.frame_rate = frame_rate;
    auto writer = VideoWriter::open(path, test::footage_picture(camera, 0, false).format(), options).value();
    for (int64_t frame = 0; frame < 4; ++frame)
      if (!writer->write(test::footage_picture(camera, frame, false))) return std::string();
    return writer->finish() ? path : std::string();
  };
  const auto align = [](const Project&, const AlignOptions&) -> Result<Alignment> { return Alignment{}; };
  OpenWindow w({}, true, {}, 0, align);
  Project project;
  QObject::connect(w.bridge(), &SessionBridge::opened, [&](const Project& opened) { project = opened; });
  Project filmed = FakeScene{}.project();
  filmed.cameras[0].video = file(0, 25);
  filmed.cameras[1].video = file(1, 50);
  filmed.cameras[2].frame_rate = 12.5;  // whatever its file says
  w.session().post(command::OpenProject{filmed});
  QTRY_COMPARE(project.cameras.size(), size_t{4});
  w.window->action("synchronisation")->trigger();
  SyncPanel* panel = w.window->part<SyncPanel>();
  QTRY_VERIFY(panel->isVisible());
  const auto mark = [&](const QString& camera, const std::vector<int64_t>& moment) {
    panel->set_instant(moment);
    for (auto* one : panel->findChildren<QPushButton*>())
      if (one->toolTip().startsWith("Mark what " + camera)) one->click();
  };
  // Frame 20 of cam1 is at 0.8 s: 40 frames of cam2, 10 of cam3.
  mark("cam1", {20, -1, -1, -1});
  mark("cam2", {-1, 43, -1, -1});
  mark("cam3", {-1, -1, 6, -1});
  button(panel, "Use Marks")->click();
  QTRY_COMPARE(project.cameras[1].offset_frames, 3.0);
  QCOMPARE(project.cameras[2].offset_frames, -4.0);
}

void SynchronisationTest::a_watched_camera_is_proposed_applied_and_dismissed() {
  const auto agreement = [](const Project& project,
                            const OffsetAgreementOptions& options) -> Result<std::vector<SilhouetteShare>> {
    std::vector<SilhouetteShare> shares(project.cameras.size());
    const bool changed = !project.cameras[2].offset_changes.empty();
    const bool there = options.first_frame == 40 && options.last_frame == 60;
    for (SilhouetteShare& share : shares) share = {100, !there ? 0 : changed ? 90 : 60};
    return shares;
  };
  OpenWindow w({}, true, {}, 0, {}, agreement);
  QVERIFY(w.session().calls.contains("set_offset_watch 1"));
  QVERIFY(!w.window->action("apply_offset")->isEnabled() && !w.window->action("dismiss_offset")->isEnabled());
  const OffsetProposal lost{2, -6, 60, 0.99, 40};
  w.session().propose(lost);
  QTRY_VERIFY(w.window->messages()->text().contains(
      "cam3 appears to have lost 6 frames (0.24 s) at frame 40; confidence 0.99"));
  ProposalCard* card = w.window->part<ProposalCard>();
  QVERIFY2(!card->isVisible(), "the dock stays closed until somebody wants it");
  button(w.window->messages(), "Show")->click();
  QTRY_VERIFY(card->isVisible());
  QTRY_COMPARE(card->agreement(),
               QString("The cameras together explain 60 % of its silhouettes now, 90 % as proposed."));
  QCOMPARE(w.window->workspace()->cameras()->states().at(2).words, QString("offset?"));
  w.window->workspace()->cameras()->setFocus();
  w.key(Qt::Key_F12, Qt::ControlModifier | Qt::ShiftModifier);
  QVERIFY(w.session().calls.contains("apply_offset 2 -6"));
  QTRY_VERIFY(!card->isVisible());
  QCOMPARE(w.window->workspace()->cameras()->states().at(2).standing, CameraStanding::good);
  QTRY_VERIFY(w.window->messages()->text().contains("cam3 is back in step"));
  button(w.window->messages(), "Undo")->click();
  QTRY_COMPARE(w.session().project().cameras[2].offset_frames, 0.0);
  // Another one, which never was in step, is left as it is.
  w.session().propose({1, 9, 80, 0.97, 0});
  QTRY_VERIFY(card->words().contains("cam2 appears to have started 9 frames (0.36 s) before cam1"));
  w.key(Qt::Key_F12, Qt::ShiftModifier);
  QTRY_VERIFY(!card->isVisible());
  QVERIFY(!w.session().calls.contains("apply_offset 1 9"));
  QVERIFY(!w.window->action("apply_offset")->isEnabled());
}

void SynchronisationTest::an_instant_is_read_before_and_after() {
  QTemporaryDir folder;
  Project project = test::make_footage(folder.path().toStdString(), 2, 20);
  project.cameras[1].offset_frames = 3;
  ProjectCamera proposed = project.cameras[1];
  proposed.offset_changes = {{4, 5}};
  const auto read = read_instant(project, 1, proposed, 6, {});
  QVERIFY2(read, read ? "" : read.error().message().c_str());
  QCOMPARE(read->frame_now, int64_t{9});
  QCOMPARE(read->frame_proposed, int64_t{14});
  const auto frame = [](int camera, int64_t n) { return to_image(test::footage_picture(camera, n, false)); };
  QVERIFY(difference_of(read->base, frame(0, 6)) < 3);
  QVERIFY(difference_of(read->now, frame(1, 9)) < 3);
  QVERIFY(difference_of(read->proposed, frame(1, 14)) < 3);
  QVERIFY(difference_of(frame(1, 9), frame(1, 14)) > 6);
  QVERIFY(!read->lines.first.empty() && read->lines.first.size() == read->lines.second.size());
  const auto early = read_instant(project, 1, proposed, 15, {});
  QVERIFY2(early && early->proposed.isNull(), "behind the camera's end");
}

void SynchronisationTest::corners_tell_offsets() {
  Project project = FakeScene{}.project();
  project.cameras[1].offset_frames = 12;
  project.cameras[2].offset_frames = -2.5;
  QCOMPARE(start_offset_text(project, 0, 25), QString());
  QCOMPARE(start_offset_text(project, 1, 25), QString("started 12 frames (0.48 s) before cam1"));
  QCOMPARE(start_offset_text(project, 2, 25), QString("started 2.5 frames (0.10 s) after cam1"));
  QCOMPARE(start_offset_text(project, 3, 25), QString("started with cam1"));
  FrameTimings timings;
  timings.stages_ms = {{"carving", 20.04}, {"heads", 7}, {"video", 3}, {"flow", 0.01}};
  timings.decode_ms[1] = 2.5;
  timings.latency_ms = 41.26;
  QCOMPARE(stage_text(timings), QStringList({"video 3.0 ms", "carving 20.0 ms", "heads 7.0 ms",
                                             "together 30.0 ms", "after the last bytes 41.3 ms"}));
  QCOMPARE(camera_text(project, 1, 25, FakeScene{}.result(9, true).get(), timings),
           QStringList({"frame 9", "started 12 frames (0.48 s) before cam1", "decode 2.5 ms"}));
}

const TestPart<SynchronisationTest> kSynchronisationPart("synchronisation");

}  // namespace vantage::ui

#include "synchronisation_test.moc"
