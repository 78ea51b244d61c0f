#include <QAction>
#include <QHelpEvent>
#include <QScrollBar>
#include <QSignalSpy>
#include <QToolTip>
#include <QWheelEvent>
#include <functional>
#include <set>

#include "core/export/case/handover.h"
#include "tests/ui/support/session_window.h"
#include "tests/ui/support/window_test.h"
#include "ui/main_window/workspace.h"
#include "ui/widgets/time_axis.h"
#include "ui/widgets/timeline.h"
#include "ui/widgets/track_lanes.h"

namespace vantage::ui {

// One part of the time, seen by seek bar and lanes: zoomed, moved, followed; what stands on it.
class TimeAxisTest final : public WindowTest {
  Q_OBJECT
 private slots:
  void zooming_keeps_the_playhead_in_its_place();
  void the_part_follows_the_playhead_unless_it_was_moved_away();
  void a_recording_that_grows_is_seen_as_before();
  void the_wheel_zooms_seek_bar_and_lanes_as_one();
  void the_bar_below_moves_the_part();
  void events_stand_on_it_by_their_standing();
  void people_who_are_there_stand_first_where_not_all_have_room();
  void keys_zoom_the_window();
  void exported_spans_are_shown();
  void the_picture_is_kept_from_frame_to_frame_and_never_stale();
  void lanes_are_kept_from_frame_to_frame_and_never_stale();
};

namespace {

void turn(QWidget* widget, const QPointF& at, int notches, Qt::KeyboardModifiers modifiers = {}) {
  QWheelEvent wheel(at, widget->mapToGlobal(at), {}, QPoint(0, 120 * notches), Qt::NoButton, modifiers,
                    Qt::NoScrollPhase, false);
  QCoreApplication::sendEvent(widget, &wheel);
}

QString tip_at(QWidget* widget, const QPoint& at) {
  QToolTip::hideText();
  QHelpEvent help(QEvent::ToolTip, at, widget->mapToGlobal(at));
  QCoreApplication::sendEvent(widget, &help);
  return QToolTip::text();
}

// Twenty people, each there for ten of 200 frames, one after the other.
std::vector<Lane> one_after_the_other() {
  std::vector<Lane> lanes;
  for (int64_t id = 1; id <= 20; ++id) lanes.push_back({id, {{10 * (id - 1), 10 * id - 1}}, true, true});
  return lanes;
}

class AxisWindow : public SessionWindow {
 public:
  explicit AxisWindow(const std::function<void(const Project&)>& before = {}) : SessionWindow(2, 60) {
    if (before) before(project_);
    show({1280, 720});
    open();
  }
  ~AxisWindow() { window.reset(); }
  Timeline* timeline() const { return window->workspace()->timeline(); }
};

}  // namespace

void TimeAxisTest::zooming_keeps_the_playhead_in_its_place() {
  TimeAxis axis;
  axis.set_extent(0, 2'160'000);
  axis.set_playhead(540'000);
  QVERIFY(axis.whole());
  const double at = axis.x_of(540'000, 100, 1000);
  while (axis.right() - axis.left() > TimeAxis::kMinFrames) {
    axis.zoom(2);
    QVERIFY(std::abs(axis.x_of(540'000, 100, 1000) - at) < 0.01);
  }
  QVERIFY2(axis.px_per_frame(1000) > 100, "single frames are seen");
  QCOMPARE(axis.frame_at(at, 100, 1000), int64_t{540'000});
  axis.zoom(2);
  QCOMPARE(axis.right() - axis.left(), TimeAxis::kMinFrames);
  // Where the playhead is not seen, what is pointed at stays.
  axis.show(1'000'000, 1'001'000);
  const double pointed = axis.x_of(1'000'250, 0, 1000);
  axis.zoom(4, 1'000'250);
  QVERIFY(std::abs(axis.x_of(1'000'250, 0, 1000) - pointed) < 0.01);
  for (int i = 0; i < 40; ++i) axis.zoom(0.5);
  QVERIFY(axis.whole());
  QCOMPARE(axis.left(), 0.0);
  QCOMPARE(axis.right(), 2'159'999.0);
}

void TimeAxisTest::the_part_follows_the_playhead_unless_it_was_moved_away() {
  TimeAxis axis;
  axis.set_extent(0, 1000);
  axis.show(0, 100);
  for (const int64_t frame : {50, 100, 101, 150, 900, 899}) {
    axis.set_playhead(frame);
    QVERIFY2(axis.shows(static_cast<double>(frame)), qPrintable(QString::number(frame)));
    QCOMPARE(axis.right() - axis.left(), 100.0);
  }
  axis.show(300, 400);
  axis.set_playhead(901);
  QCOMPARE(axis.left(), 300.0);
  axis.bring_into_view(901);
  QVERIFY(axis.shows(901));
}

void TimeAxisTest::a_recording_that_grows_is_seen_as_before() {
  TimeAxis axis;
  axis.set_extent(0, 100);
  axis.set_extent(0, 200);
  QCOMPARE(axis.right(), 199.0);
  axis.show(20, 60);
  axis.set_extent(0, 400);
  QVERIFY(axis.left() == 20 && axis.right() == 60);
  axis.set_extent(0, 30);
  QVERIFY(axis.left() == 0 && axis.right() == 29);
  axis.set_extent(0, 0);
  QCOMPARE(axis.frame_at(500, 0, 1000), int64_t{0});
}

void TimeAxisTest::the_wheel_zooms_seek_bar_and_lanes_as_one() {
  Timeline timeline;
  TrackLanes lanes("lanes", "none");
  for (QWidget* widget : std::initializer_list<QWidget*>{&timeline, &lanes}) widget->resize(800, 100);
  lanes.share(timeline.axis());
  lanes.set_lanes(one_after_the_other(), {});
  lanes.show();
  timeline.set_extent(200, 25);
  timeline.set_frame(50);
  const double at = timeline.x_of(50);
  turn(&timeline, {400, 10}, 2);
  QVERIFY(!timeline.axis()->whole());
  QVERIFY(std::abs(timeline.x_of(50) - at) < 0.01);
  const double seen = timeline.axis()->right() - timeline.axis()->left();
  turn(lanes.viewport(), {400, 30}, 2, Qt::ControlModifier);
  QVERIFY(timeline.axis()->right() - timeline.axis()->left() < seen);
  QVERIFY(std::abs(timeline.x_of(50) - at) < 0.01);
  // Plain, it scrolls the lanes; with Shift it moves the part.
  const double left = timeline.axis()->left();
  turn(lanes.viewport(), {400, 30}, -1);
  QCOMPARE(timeline.axis()->left(), left);
  QVERIFY(lanes.verticalScrollBar()->value() > 0);
  turn(lanes.viewport(), {400, 30}, -1, Qt::ShiftModifier);
  QVERIFY(timeline.axis()->left() > left);
}

void TimeAxisTest::the_bar_below_moves_the_part() {
  Timeline timeline;
  timeline.resize(Timeline::kLeft + 800 + Timeline::kRight, 90);
  timeline.set_extent(801, 25);
  QSignalSpy seeks(&timeline, &Timeline::seek_requested);
  timeline.axis()->show(0, 100);
  const auto press = [&](double share) {
    const QPoint at(qRound(Timeline::kLeft + share * 800), timeline.height() - 2);
    QTest::mouseClick(&timeline, Qt::LeftButton, {}, at);
  };
  press(0.5);
  QVERIFY(timeline.axis()->left() == 350 && timeline.axis()->right() == 450);
  press(1);
  QCOMPARE(timeline.axis()->right(), 800.0);
  QCOMPARE(seeks.count(), 0);
  timeline.axis()->show_all();
  press(0.5);
  QCOMPARE(seeks.count(), 1);
}

void TimeAxisTest::events_stand_on_it_by_their_standing() {
  Timeline timeline;
  timeline.resize(Timeline::kLeft + 800 + Timeline::kRight, 90);
  timeline.set_extent(801, 25);
  timeline.set_frame(400);
  timeline.set_events({{100, EventStanding::false_alarm, "door: a draught"},
                       {200, EventStanding::seen, "door: person 3 crosses"},
                       {300, EventStanding::fresh, "shop: person 4 enters"},
                       {300, EventStanding::seen, "door: person 4 crosses"}});
  const QImage picture = timeline.grab().toImage();
  const auto stem = [&](int64_t frame) { return picture.pixel(qRound(timeline.x_of(frame)), 24); };
  QCOMPARE((std::set<QRgb>{stem(100), stem(200), stem(300), stem(500)}.size()), size_t{4});
  const QString both = tip_at(&timeline, QPoint(qRound(timeline.x_of(300)), 20));
  QVERIFY2(both.contains("0:12.000  shop: person 4 enters (new)") &&
               both.contains("door: person 4 crosses (seen)"),
           qPrintable(both));
  QVERIFY(tip_at(&timeline, QPoint(qRound(timeline.x_of(100)), 20)).contains("a draught (false alarm)"));
  QVERIFY(!tip_at(&timeline, QPoint(qRound(timeline.x_of(500)), 20)).contains('\n'));
  // Only what is seen is drawn and told.
  timeline.axis()->show(150, 250);
  QVERIFY(timeline.describe(200).endsWith(", 1 event"));
}

void TimeAxisTest::people_who_are_there_stand_first_where_not_all_have_room() {
  TrackLanes lanes("lanes", "none");
  lanes.set_extent(0, 200);
  lanes.resize(800, 100);
  lanes.show();
  lanes.set_lanes(one_after_the_other(), {});
  lanes.set_frame(75);
  QCOMPARE(lanes.order().front(), int64_t{8});
  QCOMPARE(lanes.order().size(), size_t{20});
  QCOMPARE(lanes.order()[1], int64_t{1});
  QTest::keyClick(&lanes, Qt::Key_Down);
  QTest::keyClick(&lanes, Qt::Key_Down);
  QCOMPARE(lanes.chosen().first, int64_t{1});
  lanes.verticalScrollBar()->setValue(0);
  QTest::mouseClick(lanes.viewport(), Qt::LeftButton, {}, QPoint(30, 10));
  QCOMPARE(lanes.chosen().first, int64_t{8});
  lanes.set_present_first(false);
  QCOMPARE(lanes.order().front(), int64_t{1});
  lanes.set_present_first(true);
  lanes.resize(800, 500);
  QCOMPARE(lanes.order().front(), int64_t{1});
}

void TimeAxisTest::keys_zoom_the_window() {
  AxisWindow w;
  QTRY_COMPARE(w.timeline()->axis()->frames(), int64_t{60});
  const TimeAxis* axis = w.timeline()->axis();
  QTest::keyClick(w.window.get(), Qt::Key_Plus, Qt::ControlModifier);
  QCOMPARE(axis->right() - axis->left(), 59 / 2.0);
  QTest::keyClick(w.window.get(), Qt::Key_Right, Qt::ControlModifier);
  QVERIFY(axis->left() > 0);
  w.window->action("first")->trigger();
  QVERIFY2(axis->shows(0), "whoever goes somewhere sees where");
  QTest::keyClick(w.window.get(), Qt::Key_Minus, Qt::ControlModifier);
  QVERIFY(axis->whole());
  QTest::keyClick(w.window.get(), Qt::Key_Equal, Qt::ControlModifier);
  QVERIFY(!axis->whole());
  QTest::keyClick(w.window.get(), Qt::Key_0, Qt::ControlModifier | Qt::AltModifier);
  QVERIFY(axis->whole());
}

void TimeAxisTest::exported_spans_are_shown() {
  AxisWindow w([](const Project& project) {
    QVERIFY(add_exported_span(project.results_folder(), {20, 40, "a1", "/cases/seven"}).has_value());
  });
  QTRY_COMPARE(w.timeline()->axis()->frames(), int64_t{60});
  const auto tip = [&](int64_t frame) {
    return tip_at(w.timeline(), QPoint(qRound(w.timeline()->x_of(frame)), 20));
  };
  QVERIFY2(tip(30).contains("0:00.800 to 0:01.600: exported to /cases/seven"), qPrintable(tip(30)));
  QVERIFY(!tip(50).contains("exported"));
}

// Whatever is set, it looks as one that was made so; frames alone draw nothing but the playhead.
void TimeAxisTest::the_picture_is_kept_from_frame_to_frame_and_never_stale() {
  struct Step {
    const char* name;
    std::function<void(Timeline&)> apply;
  };
  std::vector<FrameSummary> frames(200, {FrameState::current, 2});
  const std::vector<Step> steps = {
      {"extent", [](Timeline& t) { t.set_extent(200, 25); }},
      {"frames", [&](Timeline& t) { t.set_frames(frames); }},
      {"events", [](Timeline& t) { t.set_events({{50, EventStanding::fresh, "one"}}); }},
      {"flags", [](Timeline& t) { t.set_flags({{120, "bag"}}); }},
      {"exported", [](Timeline& t) { t.set_exported({{20, 60, "case"}}); }},
      {"range", [](Timeline& t) { t.set_range({10, 90}); }},
      {"frame", [](Timeline& t) { t.set_frame(77); }},
      {"clock", [](Timeline& t) { t.set_clock(parse_clock("2026-05-01T14:00:00Z").value()); }},
      {"zoom", [](Timeline& t) { t.axis()->show(40, 80); }},
      {"people", [](Timeline& t) { t.set_people_shown(false); }},
      {"palette",
       [](Timeline& t) {
         QPalette other = t.palette();
         other.setColor(QPalette::PlaceholderText, Qt::red);
         t.setPalette(other);
       }},
      {"size", [](Timeline& t) { t.resize(700, t.sizeHint().height()); }},
  };
  Timeline kept;
  kept.resize(900, kept.sizeHint().height());
  static_cast<void>(kept.grab());
  for (size_t done = 1; done <= steps.size(); ++done) {
    steps[done - 1].apply(kept);
    Timeline made;
    made.resize(900, made.sizeHint().height());
    for (size_t i = 0; i < done; ++i) steps[i].apply(made);
    made.resize(kept.size());
    QVERIFY2(kept.grab().toImage() == made.grab().toImage(), steps[done - 1].name);
  }
  const int drawn = kept.pictures_drawn();
  for (int64_t frame = 45; frame < 75; ++frame) {
    kept.set_frame(frame);
    static_cast<void>(kept.grab());
  }
  QCOMPARE(kept.pictures_drawn(), drawn);
}

void TimeAxisTest::lanes_are_kept_from_frame_to_frame_and_never_stale() {
  std::vector<Lane> gaps = one_after_the_other();
  for (Lane& lane : gaps) lane.seen = {{0, 9}, {20, 59}, {120, 199}};
  TimeAxis shared;
  shared.set_extent(0, 200);
  const struct {
    const char* name;
    std::function<void(TrackLanes&)> apply;
  } steps[] = {
      {"extent", [](TrackLanes& l) { l.set_extent(0, 200); }},
      {"lanes", [&](TrackLanes& l) { l.set_lanes(one_after_the_other(), {}); }},
      {"other lanes", [&](TrackLanes& l) { l.set_lanes(gaps, {{3, 60, "join"}}); }},
      {"name", [&](TrackLanes& l) { l.set_lanes(gaps, {{3, 60, "join"}}, {{2, "Anna"}}); }},
      {"frame", [](TrackLanes& l) { l.set_frame(50); }},
      {"frame without some", [&](TrackLanes& l) { l.set_lanes(one_after_the_other(), {}); }},
      {"others are there", [](TrackLanes& l) { l.set_frame(150); }},
      {"order", [](TrackLanes& l) { l.set_present_first(false); }},
      {"choice", [](TrackLanes& l) { l.choose({2, 3}); }},
      {"scrolled", [](TrackLanes& l) { l.verticalScrollBar()->setValue(70); }},
      {"unsettled", [](TrackLanes& l) { l.set_settled_end(120); }},
      {"axis", [&](TrackLanes& l) { l.share(&shared); }},
      {"palette",
       [](TrackLanes& l) {
         QPalette other = l.palette();
         other.setColor(QPalette::WindowText, Qt::red);
         l.setPalette(other);
       }},
      {"size", [](TrackLanes& l) { l.resize(500, 90); }},
  };
  TrackLanes kept("lanes", "none");
  kept.resize(600, 120);
  static_cast<void>(kept.grab());
  for (size_t done = 1; done <= std::size(steps); ++done) {
    steps[done - 1].apply(kept);
    TrackLanes made("lanes", "none");
    made.resize(600, 120);
    static_cast<void>(made.grab());  // lays it out, too
    for (size_t i = 0; i < done; ++i) steps[i].apply(made);
    made.verticalScrollBar()->setValue(kept.verticalScrollBar()->value());
    QVERIFY2(kept.grab().toImage() == made.grab().toImage(), steps[done - 1].name);
  }
  shared.show(40, 80);
  const QImage zoomed = kept.grab().toImage();
  kept.set_lanes(one_after_the_other(), {});  // draws again
  QVERIFY2(kept.grab().toImage() == zoomed, "a part of the time");
  const int drawn = kept.pictures_drawn();
  for (int64_t frame = 150; frame < 159; ++frame) {
    kept.set_frame(frame);
    static_cast<void>(kept.grab());
  }
  QCOMPARE(kept.pictures_drawn(), drawn);
}

const TestPart<TimeAxisTest> kTimeAxisPart("time_axis");

}  // namespace vantage::ui

#include "time_axis_test.moc"
