#include "core/tracks/doubts/doubts.h"
#include "tests/ui/support/open_window.h"
#include "tests/ui/support/window_test.h"
#include "ui/main_window/doubts/doubts_control.h"
#include "ui/main_window/people_control.h"
#include "ui/widgets/timeline.h"

namespace vantage::ui {

// Doubtful identities, gone through and answered.
class DoubtsTest final : public WindowTest {
  Q_OBJECT
 private slots:
  void are_gone_through_and_answered_by_key();
  void people_who_passed_are_cut_in_one_step();
  void where_nobody_is_in_doubt_it_is_said();
};

namespace {

constexpr double kLooksRate = 10;

PathPoint seen_at(int64_t frame, double x_m, double y_m) {
  return {frame, x_m, y_m, 1.75, 0.9, true};
}

// Two who meet in frame 50, stand together and turn back; a third is lost in frame 30 and goes on as a fourth
// from frame 42 on.
std::vector<PersonPath> doubtful_paths() {
  std::vector<PersonPath> paths = {{1, {}}, {2, {}}, {3, {}}, {4, {}}};
  for (int64_t frame = 0; frame < 100; ++frame) {
    const double s = static_cast<double>(frame) / kLooksRate;
    const double away = s < 5 ? 5 - s : (s < 6 ? 0 : s - 6);
    paths[0].points.push_back(seen_at(frame, away, 0.12));
    paths[1].points.push_back(seen_at(frame, -away, -0.12));
    if (frame <= 30 || frame >= 42) paths[frame <= 30 ? 2 : 3].points.push_back(seen_at(frame, s - 5, 6));
  }
  return paths;
}

class DoubtsWindow : public OpenWindow {
 public:
  explicit DoubtsWindow(std::vector<PersonPath> paths) : paths_(std::move(paths)) { show_tracks(); }
  // As the session makes them after each change of the repairs.
  void show_tracks() {
    auto tracks = std::make_shared<Tracks>();
    tracks->frame_rate = kLooksRate;
    for (int64_t frame = 0; frame < 100; ++frame) tracks->frames.push_back(frame);
    tracks->known_frames = tracks->frames;
    RepairedPaths repaired = apply_repairs(paths_, session().project().repairs);
    unmet = repaired.unmet.size();
    tracks->paths = std::move(repaired.paths);
    tracks->index();
    bridge()->on_tracks(tracks);
    QCoreApplication::processEvents();
  }
  DoubtsControl* control() const { return window->part<DoubtsControl>(); }
  DoubtsPanel* panel() const { return window->part<DoubtsPanel>(); }
  const std::vector<IdentityRepair>& repairs() { return session().project().repairs; }
  size_t unmet = 0;

 private:
  const std::vector<PersonPath> paths_;
};

}  // namespace

void DoubtsTest::are_gone_through_and_answered_by_key() {
  DoubtsWindow w(doubtful_paths());
  QVERIFY(!w.window->action("doubt_right")->isEnabled());
  w.key(Qt::Key_N, Qt::ShiftModifier);  // the dock opens, and the first is gone to once they are known
  QTRY_VERIFY(w.control()->looked_at().has_value());
  QCOMPARE(w.control()->doubts().size(), size_t{2});
  QVERIFY(w.panel()->isVisible());
  QCOMPARE(w.control()->looked_at()->kind, DoubtKind::restart);
  QTRY_COMPARE(w.window->workspace()->timeline()->frame(), int64_t{30});
  QCOMPARE(w.window->part<PeopleControl>()->chosen(), (ChosenPeople{3, 4}));
  QVERIFY(w.panel()->question().contains("Are they one person?"));
  QVERIFY(!w.window->action("doubt_cut")->isEnabled());
  QCOMPARE(w.window->action("doubt_other")->iconText(), QString("Join"));
  keep_picture(*w.window, "doubts");

  w.key(Qt::Key_X, Qt::ShiftModifier);
  QTRY_COMPARE(w.repairs().size(), size_t{1});
  QCOMPARE(w.repairs()[0].kind, RepairKind::join);
  w.show_tracks();
  QTRY_COMPARE(w.control()->doubts().size(), size_t{1});
  QVERIFY(!w.control()->looked_at());

  w.key(Qt::Key_N, Qt::ShiftModifier);
  QTRY_VERIFY(w.control()->looked_at().has_value());
  QCOMPARE(w.control()->looked_at()->kind, DoubtKind::passage);
  QCOMPARE(w.window->action("doubt_other")->iconText(), QString("Swap"));
  w.key(Qt::Key_O, Qt::ShiftModifier);
  QTRY_COMPARE(w.repairs().size(), size_t{2});
  QCOMPARE(w.repairs()[1].kind, RepairKind::same);
  w.show_tracks();
  QCOMPARE(w.unmet, size_t{0});
  QTRY_VERIFY(w.control()->doubts().empty());
  QVERIFY(w.panel()->summary().startsWith("0 in doubt"));
  QVERIFY(!w.window->action("next_doubt")->isEnabled());

  w.window->action("undo")->trigger();
  QTRY_COMPARE(w.repairs().size(), size_t{1});
  w.show_tracks();
  QTRY_COMPARE(w.control()->doubts().size(), size_t{1});
}

void DoubtsTest::people_who_passed_are_cut_in_one_step() {
  std::vector<PersonPath> paths = doubtful_paths();
  paths.resize(2);
  DoubtsWindow w(paths);
  w.window->action("doubts_dock")->trigger();
  QTRY_COMPARE(w.control()->doubts().size(), size_t{1});
  w.window->action("previous_doubt")->trigger();
  QTRY_VERIFY(w.control()->looked_at().has_value());
  w.key(Qt::Key_K, Qt::ShiftModifier);
  QTRY_COMPARE(w.repairs().size(), size_t{2});
  w.show_tracks();
  QCOMPARE(w.unmet, size_t{0});
  QTRY_VERIFY(w.control()->doubts().empty());
  w.window->action("undo")->trigger();
  QTRY_VERIFY(w.repairs().empty());
}

void DoubtsTest::where_nobody_is_in_doubt_it_is_said() {
  std::vector<PersonPath> paths = doubtful_paths();
  paths.resize(1);
  DoubtsWindow w(paths);
  w.window->action("doubts_dock")->trigger();
  QTRY_VERIFY(w.panel()->summary().startsWith("0 in doubt"));
  QVERIFY(!w.window->action("next_doubt")->isEnabled());
  QVERIFY(w.window->action("next_doubt")->toolTip().contains("No identity is in doubt"));
}

const TestPart<DoubtsTest> kDoubtsPart("doubts");

}  // namespace vantage::ui

#include "doubts_test.moc"
