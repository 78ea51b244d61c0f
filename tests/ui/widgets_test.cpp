#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QObject>
#include <QPaintEngine>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSlider>
#include <QSplitter>
#include <QStyle>
#include <QStyleOptionButton>
#include <QTemporaryDir>
#include <QToolBar>
#include <QToolButton>
#include <QVBoxLayout>
#include <QWheelEvent>
#include <cmath>
#include <functional>
#include <future>
#include <map>
#include <set>
#include <thread>

#include "core/base/file.h"
#include "core/base/log.h"
#include "core/base/trace.h"
#include "tests/ui/support/contrast.h"
#include "tests/ui/support/patience.h"
#include "tests/ui/support/window_test.h"
#include "ui/panels/log_panel.h"
#include "ui/panels/parameters_panel.h"
#include "ui/panels/timings_panel.h"
#include "ui/platform/background_job.h"
#include "ui/views/camera_layout.h"
#include "ui/views/compared_marks.h"
#include "ui/views/marks.h"
#include "ui/views/view_texts.h"
#include "ui/widgets/action_button.h"
#include "ui/widgets/curve_plot.h"
#include "ui/widgets/form.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/span_timeline.h"
#include "ui/widgets/theme.h"
#include "ui/widgets/time_axis.h"
#include "ui/widgets/timeline.h"

namespace vantage::ui {

class WidgetsTest final : public QObject {
  Q_OBJECT
 private slots:
  void message_bar_shows_one_and_counts_the_others();
  void message_bar_puts_failures_first_and_repeats_nothing();
  void message_bar_button_acts_and_dismisses();
  void timeline_maps_frames_to_places_and_back();
  void timeline_drag_seeks();
  void timeline_strip_tells_states_apart();
  void times_read_well();
  void pictures_share_the_room();
  void zoom_keeps_the_place_under_the_mouse();
  void parameter_slider_has_its_scale();
  void parameter_is_marked_and_reset_singly();
  void parameters_panel_hides_expert_ones_and_searches();
  void log_panel_takes_lines_from_any_thread();
  void timings_are_summarised();
  void timings_stay_after_the_work();
  void only_frames_of_a_run_have_a_latency();
  void timings_are_looked_at_and_compared();
  void labels_give_way();
  void names_in_pictures_do_not_cover_each_other();
  void names_on_the_floor_lie_apart();
  void thirty_people_look_different();
  void the_accent_colour_is_not_for_switches();
  void hints_are_readable();
  void empty_boxes_are_seen();
  void icons_are_drawn();
  void the_wheel_changes_no_value_in_passing();
  void a_new_job_waits_off_the_gui_thread();
  void plots_are_saved_as_values_and_pictures();
};

namespace {

struct TuneParameters {
  double threshold = 0.7;
  double rate = 0.002;
  int frames = 25;
  bool on = true;
};

ParameterTable tune_table() {
  using P = TuneParameters;
  using enum ParameterOption;
  return ParameterTable::make<P>(
      "tune", "Tuning",
      {real<&P::threshold>("Threshold", "", 0, 1, "What counts."),
       real<&P::rate>("Rate", "", 1e-4, 1, "How fast it learns.", expert, logarithmic),
       integer<&P::frames>("Frames", "frames", 1, 100, "How many."),
       boolean<&P::on>("Shadows", "Removed.", expert)});
}

const ParameterTable& shared_table() {
  static const ParameterTable table = tune_table();
  return table;
}

}  // namespace

void WidgetsTest::message_bar_shows_one_and_counts_the_others() {
  QWidget area;
  area.resize(900, 400);
  MessageBar bar(&area);
  area.show();
  QVERIFY(!bar.isVisible());
  for (const char* text : {"first", "second", "third"}) bar.post({Severity::note, text, {}, {}});
  QVERIFY(bar.isVisible());
  QCOMPARE(bar.text(), QString("third"));
  QCOMPARE(bar.count(), 3);
  const auto others = [&](const QString& words) -> QToolButton* {
    for (auto* one : bar.findChildren<QToolButton*>())
      if (one->isVisible() && one->text() == words) return one;
    return nullptr;
  };
  QVERIFY(others("2 more"));
  for (const char* next : {"second", "first", "third", "second"}) {
    others("2 more")->click();
    QCOMPARE(bar.text(), QString(next));
  }
  bar.dismiss();
  QCOMPARE(bar.text(), QString("first"));
  QVERIFY(others("1 more"));
  bar.dismiss();
  bar.dismiss();
  QVERIFY(!bar.isVisible());
  QVERIFY(area.rect().contains(bar.geometry()));
}

void WidgetsTest::message_bar_puts_failures_first_and_repeats_nothing() {
  QWidget area;
  MessageBar bar(&area);
  bar.post({Severity::failed, "urgent", {}, {}});
  bar.post({Severity::note, "note", {}, {}});
  QCOMPARE(bar.text(), QString("urgent"));  // a note does not hide a failure
  bar.post({Severity::failed, "urgent", {}, {}});
  QCOMPARE(bar.count(), 2);
  bar.post({Severity::failed, "to be mended", "Mend", [] {}});
  bar.post({Severity::doubtful, "doubt", {}, {}});
  bar.post({Severity::doubtful, "to be looked at", "Show", [] {}});
  bar.post({Severity::failed, "the newest", {}, {}, "Log", [] {}});
  // What can be mended is not hidden by what can only be read, also when somebody leafed.
  QCOMPARE(bar.text(), QString("to be mended"));
  bar.show_next();
  bar.post({Severity::failed, "the very newest", {}, {}});
  for (const char* next :
       {"to be mended", "the very newest", "the newest", "urgent", "to be looked at", "doubt", "note"}) {
    QCOMPARE(bar.text(), QString(next));
    bar.dismiss();
  }
}

void WidgetsTest::message_bar_button_acts_and_dismisses() {
  QWidget area;
  area.show();
  MessageBar bar(&area);
  int acted = 0;
  bar.post({Severity::failed, "broken", "Mend", [&] { ++acted; }});
  auto* button = bar.findChild<QPushButton*>();
  QVERIFY(button->isVisible());
  button->click();
  QCOMPARE(acted, 1);
  QVERIFY(!bar.isVisible());
}

void WidgetsTest::timeline_maps_frames_to_places_and_back() {
  Timeline timeline;
  timeline.resize(800, 42);
  timeline.set_extent(5000, 25);
  for (const int64_t frame : {0, 1, 777, 2500, 4999}) {
    const double width_of_frame = timeline.x_of(1) - timeline.x_of(0);
    const int64_t back = timeline.frame_at(timeline.x_of(frame));
    QVERIFY(std::abs(static_cast<double>(back - frame)) * width_of_frame < 1);
  }
  QCOMPARE(timeline.frame_at(-100), int64_t{0});
  QCOMPARE(timeline.frame_at(10'000), int64_t{4999});
}

void WidgetsTest::timeline_drag_seeks() {
  Timeline timeline;
  timeline.resize(800, 42);
  timeline.set_extent(100, 25);
  QSignalSpy seeks(&timeline, &Timeline::seek_requested);
  const auto place = [&](int64_t frame) { return QPoint(qRound(timeline.x_of(frame)), 10); };
  QTest::mousePress(&timeline, Qt::LeftButton, {}, place(20));
  QCOMPARE(seeks.last()[0].toLongLong(), 20);
  QVERIFY(timeline.dragging());
  QMouseEvent move(QEvent::MouseMove, place(60), timeline.mapToGlobal(place(60)), Qt::NoButton,
                   Qt::LeftButton, {});
  QCoreApplication::sendEvent(&timeline, &move);
  QCOMPARE(seeks.last()[0].toLongLong(), 60);
  QCOMPARE(timeline.frame(), int64_t{60});
  QTest::mouseRelease(&timeline, Qt::LeftButton, {}, place(60));
  QVERIFY(!timeline.dragging());
  QCOMPARE(seeks.count(), 2);
}

void WidgetsTest::timeline_strip_tells_states_apart() {
  Timeline timeline;
  timeline.resize(800, 84);
  timeline.set_extent(99, 25);
  std::vector<FrameSummary> frames(99);
  std::fill(frames.begin() + 33, frames.begin() + 66, FrameSummary{FrameState::out_of_date, 2});
  std::fill(frames.begin() + 66, frames.end(), FrameSummary{FrameState::current, 4});
  std::fill(frames.begin() + 80, frames.end(), FrameSummary{FrameState::current, -1});
  timeline.set_frames(frames);
  const QImage picture = timeline.grab().toImage();
  // The colours inside each third of the strip: solid has one, hatching and dots have more.
  const auto colors = [&](int64_t from, int64_t to) {
    std::set<QRgb> seen;
    for (int x = qRound(timeline.x_of(from)); x < qRound(timeline.x_of(to)); ++x)
      for (int y = 25; y < 30; ++y) seen.insert(picture.pixel(x, y));
    return seen;
  };
  QCOMPARE(colors(70, 95).size(), size_t{1});
  QVERIFY(colors(36, 62).size() > 1);
  QVERIFY(colors(4, 30).size() > 1);
  QVERIFY(!colors(36, 62).contains(*colors(70, 95).begin()));
  QVERIFY(!colors(4, 30).contains(*colors(70, 95).begin()));
  // The people strip: as high as there are people, empty where their number is unknown.
  const auto height_at = [&](int64_t frame) {
    const int x = qRound(timeline.x_of(frame));
    const QRgb empty = picture.pixel(qRound(timeline.x_of(10)), 60);
    int pixels = 0;
    for (int y = 40; y < 73; ++y) pixels += picture.pixel(x, y) != empty;
    return pixels;
  };
  QVERIFY(height_at(50) > 8);
  QVERIFY(height_at(72) > 3 * height_at(50) / 2);
  QCOMPARE(height_at(90), 0);
  QVERIFY(timeline.describe(72).contains("4 people"));
  QVERIFY(!timeline.describe(90).contains("people"));
  QVERIFY(!timeline.describe(72).contains("event"));
  const EventTick early{20, {}, {}}, late{72, {}, {}};
  timeline.set_events({early, late, late, late});
  QVERIFY2(timeline.describe(72).endsWith("4 people, 3 events"), qPrintable(timeline.describe(72)));
  QVERIFY(timeline.describe(20).endsWith("1 event"));
}

void WidgetsTest::times_read_well() {
  QCOMPARE(time_text(0), QString("0:00.000"));
  QCOMPARE(time_text(32.48), QString("0:32.480"));
  QCOMPARE(time_text(59.9996), QString("1:00.000"));
  QCOMPARE(time_text(3725.48), QString("1:02:05.480"));
  QCOMPARE(short_time_text(75), QString("1:15"));
}

void WidgetsTest::pictures_share_the_room() {
  const QRectF area(0, 0, 1120, 840);
  const std::vector<QRectF> four = grid_cells(area, 4, 4.0 / 3.0, 2);
  QCOMPARE(four.size(), size_t{4});
  QVERIFY(std::abs(four[0].height() - 419.0) < 1e-9);
  QVERIFY(std::abs(four[0].width() / four[0].height() - 4.0 / 3.0) < 1e-9);
  QVERIFY(std::abs(four[3].left() - four[0].right() - 2) < 1e-9);
  QVERIFY(std::abs(four[0].left() - (1120 - four[3].right())) < 1e-9);  // in the middle
  // Portrait pictures stand side by side.
  const std::vector<QRectF> portraits = grid_cells(area, 3, 9.0 / 16.0, 0);
  QCOMPARE(portraits[1].top(), portraits[0].top());
  QVERIFY(std::abs(portraits[1].width() - 1120.0 / 3) < 1e-9);
  QCOMPARE(grid_cells(area, 1, 1, 2), std::vector<QRectF>{area});
  QVERIFY(grid_cells(area, 0, 1, 2).empty());
  const QRectF shown = picture_rect(QRectF(10, 20, 400, 400), QSizeF(640, 320), {});
  QCOMPARE(shown, QRectF(10, 120, 400, 200));
}

void WidgetsTest::zoom_keeps_the_place_under_the_mouse() {
  const QRectF cell(0, 0, 600, 400);
  const QSizeF picture(600, 400);
  const QPointF mouse(450, 100);
  const PictureZoom zoom = zoomed_about(cell, picture, {}, mouse, 2);
  const QRectF shown = picture_rect(cell, picture, zoom);
  QCOMPARE(shown.size(), QSizeF(1200, 800));
  QCOMPARE((mouse - shown.topLeft()) / 2, mouse);
  // Dragging never leaves a gap, and zooming out ends at the whole picture.
  const PictureZoom far = panned(cell, picture, zoom, QPointF(5000, 5000));
  QCOMPARE(picture_rect(cell, picture, far).topLeft(), QPointF(0, 0));
  QCOMPARE(picture_rect(cell, picture, zoomed_about(cell, picture, zoom, mouse, 0.01)), cell);
}

void WidgetsTest::parameter_slider_has_its_scale() {
  const ParameterTable table = tune_table();
  ParameterEditor linear("tune", *table.find("threshold")), logarithmic("tune", *table.find("rate"));
  linear.findChild<QSlider*>()->setValue(500);
  QCOMPARE(linear.value(), 0.5);
  logarithmic.findChild<QSlider*>()->setValue(500);
  QVERIFY(std::abs(logarithmic.value() - 0.01) < 1e-3);  // the middle of 1e-4 to 1 in decades
  logarithmic.set_value(1e-4);
  QCOMPARE(logarithmic.findChild<QSlider*>()->value(), 0);
}

void WidgetsTest::parameter_is_marked_and_reset_singly() {
  const ParameterTable table = tune_table();
  ParameterEditor editor("tune", *table.find("frames"));
  editor.show();
  QSignalSpy edits(&editor, &ParameterEditor::edited), resets(&editor, &ParameterEditor::reset_requested);
  auto* reset = editor.findChild<QToolButton*>();
  QVERIFY(!reset->isVisible());
  editor.set_value(30);
  QCOMPARE(edits.count(), 0);  // only people's edits are told
  QVERIFY(reset->isVisible());
  reset->click();
  QCOMPARE(resets.count(), 1);
  editor.findChild<QSlider*>()->setValue(1000);
  QCOMPARE(edits.count(), 1);
  QCOMPARE(editor.value(), 100.0);
  QVERIFY(editor.toolTip().contains("How many."));
}

void WidgetsTest::parameters_panel_hides_expert_ones_and_searches() {
  ParametersPanel panel;
  panel.show();
  panel.set_parameters(ParameterStore({&shared_table()}));
  QVERIFY(panel.editor("tune", "threshold")->isVisible());
  QVERIFY(!panel.editor("tune", "rate")->isVisible());
  panel.show_expert(true);
  QVERIFY(panel.editor("tune", "rate")->isVisible());
  panel.show_expert(false);
  panel.findChild<QLineEdit*>()->setText("learns");
  QVERIFY(panel.editor("tune", "rate")->isVisible());  // the search looks at expert ones too
  QVERIFY(!panel.editor("tune", "threshold")->isVisible());
  for (const QWidget* widget : panel.findChildren<QWidget*>())
    if (widget->focusPolicy() != Qt::NoFocus &&
        (qobject_cast<const QSlider*>(widget) || qobject_cast<const QToolButton*>(widget)))
      QVERIFY2(!widget->accessibleName().isEmpty() || widget->objectName().startsWith("qt_"),
               widget->metaObject()->className());
}

void WidgetsTest::log_panel_takes_lines_from_any_thread() {
  LogPanel panel;
  std::thread([] { log_warning("rtsp://me:secret@camera/1 is slow"); }).join();
  QTRY_VERIFY(panel.text().contains("is slow"));
  QVERIFY(!panel.text().contains("secret"));
}

void WidgetsTest::timings_are_summarised() {
  TraceRecorder trace;
  SpanReaders spans(&trace);
  TimingsPanel panel(&spans);
  for (int i = 0; i < 10; ++i)
    trace.record({.name = i % 2 ? "carving" : "foreground",
                  .lane = "cpu",
                  .start_ns = trace_now_ns(),
                  .duration_ns = 1'000'000});
  panel.refresh();
  QCOMPARE(panel.row_count(), 2);
}

void WidgetsTest::timings_stay_after_the_work() {
  TraceRecorder trace;
  SpanReaders spans(&trace);
  TimingsPanel panel(&spans);
  constexpr int64_t kSecond = 1'000'000'000;
  trace.record({.name = "decode", .lane = "cpu", .start_ns = -60 * kSecond, .duration_ns = kSecond});
  panel.refresh();
  QCOMPARE(panel.row_count(), 1);  // done a minute ago and still there
  trace.record({.name = "carving", .lane = "cpu", .start_ns = trace_now_ns(), .duration_ns = kSecond});
  panel.refresh();
  QCOMPARE(panel.row_count(), 1);  // until newer work is more than 10 s ahead of it
  QCOMPARE(panel.cell(0, 0), QString("carving"));
}

// The latency of a kept preview, shown seconds after its pictures were decoded, says nothing.
void WidgetsTest::only_frames_of_a_run_have_a_latency() {
  TraceRecorder trace;
  SpanReaders spans(&trace);
  TimingsPanel panel(&spans);
  constexpr int64_t kMillisecond = 1'000'000;
  const auto span = [&](const char* name, int64_t frame, int64_t start_ns) {
    trace.record(
        {.name = name, .lane = name, .frame = frame, .start_ns = start_ns, .duration_ns = kMillisecond});
  };
  const auto told = [&](const char* words) {
    panel.refresh();
    return panel.summary().contains(words);
  };
  const int64_t early = trace_now_ns() - 5000 * kMillisecond;
  span("decode", 1, early);
  span("carving", 1, early + 4000 * kMillisecond);
  span("decode", 2, early);
  QVERIFY2(!told("p95"), qPrintable(panel.summary()));
  QVERIFY(!panel.timings_of(1).latency_ms);
  QCOMPARE(panel.timings_of(1).stages_ms.at("carving"), 1.0);

  panel.set_running(true);
  const int64_t now = trace_now_ns();
  span("carving", 2, now);  // its pictures were there before
  QVERIFY2(!told("p95"), qPrintable(panel.summary()));
  for (const int64_t frame : {3, 4}) {
    span("decode", frame, now);
    span("carving", frame, now + 6 * kMillisecond);
  }
  QVERIFY2(told("From the last camera's bytes to the result: p50 7.00, p95 7.00, max 7.00."),
           qPrintable(panel.summary()));
  QCOMPARE(panel.timings_of(4).latency_ms.value_or(0), 7.0);
  QVERIFY(!panel.timings_of(2).latency_ms);

  // Its figures stay to be read; what is looked at afterwards changes nothing.
  QTest::qWait(10);
  panel.set_running(false);
  span("carving", 4, trace_now_ns() + 1000 * kMillisecond);
  QVERIFY2(told("max 7.00"), qPrintable(panel.summary()));
}

void WidgetsTest::timings_are_looked_at_and_compared() {
  TraceRecorder trace;
  SpanReaders spans(&trace);
  TimingsPanel panel(&spans);
  panel.set_running(true);
  panel.set_launches([](const std::string& kernel) -> std::optional<LaunchShape> {
    if (kernel != "carve_blocks") return std::nullopt;
    return LaunchShape{{132, 2, 1}, {256, 1, 1}, 80, 2048};
  });
  const int64_t now = trace_now_ns();
  trace.record({.name = "decode",
                .lane = "decode cam1",
                .camera = 0,
                .frame = 3,
                .start_ns = now,
                .duration_ns = 2'000'000});
  trace.record({.name = "carving",
                .lane = "carving",
                .frame = 3,
                .start_ns = now + 3'000'000,
                .duration_ns = 5'000'000});
  trace.record({.name = "carve_blocks",
                .lane = "carving",
                .frame = 3,
                .kind = SpanKind::kernel,
                .start_ns = now + 4'000'000,
                .duration_ns = 1'000'000,
                .bytes = 3'000'000});
  trace.record({.name = "learn",
                .lane = "foreground",
                .camera = 1,
                .frame = 3,
                .start_ns = now + 2'000'000,
                .duration_ns = 500'000});
  panel.set_cameras({"cam1", "door"});
  panel.resize(500, 600);
  panel.show();
  panel.refresh();
  QVERIFY(QTest::qWaitForWindowExposed(&panel, kWait_ms));
  SpanTimeline* timeline = panel.timeline();
  QCOMPARE(timeline->lanes().size(), size_t{3});
  QCOMPARE(timeline->lanes()[2].name, std::string("foreground, door"));
  QCOMPARE(timeline->lanes()[1].rows, 2);  // the kernel lies within the stage
  QCOMPARE(panel.timings_of(3).latency_ms.value_or(0), 8.0);
  // Zooming stops what moves; a click tells the figures.
  const double before = timeline->shown_ns();
  timeline->setFocus();
  for (int i = 0; i < 8; ++i) QTest::keyClick(timeline, Qt::Key_Plus);
  QVERIFY(timeline->shown_ns() < 0.1 * before && !timeline->following());
  panel.set_live(true);
  QVERIFY(timeline->following());
  const std::optional<QRectF> place = timeline->place_of(2), of_camera = timeline->place_of(3);
  QVERIFY(place && of_camera);
  QTest::mouseClick(timeline->viewport(), Qt::LeftButton, {}, of_camera->center().toPoint());
  QVERIFY2(panel.details().contains("frame 3, door"), qPrintable(panel.details()));
  QTest::mouseClick(timeline->viewport(), Qt::LeftButton, {}, place->center().toPoint());
  QVERIFY(timeline->selected());
  QVERIFY2(!timeline->following(), "what was chosen does not run away");
  QCOMPARE(timeline->selected()->name, std::string("carve_blocks"));
  for (const char* figure :
       {"3.00 GB/s", "132 \u00d7 2 blocks of 256 threads", "80 registers a thread", "2.0 KiB shared a block"})
    QVERIFY2(panel.details().contains(QString::fromUtf8(figure)), qPrintable(panel.details()));
  // Against timings in which everything took twice as long.
  std::vector<TraceSpan> slower = trace.snapshot();
  for (TraceSpan& span : slower) span.duration_ns *= 2;
  panel.compare_with(read_timings(timings_json(slower, 0), "test").value(), "test");
  QCOMPARE(panel.cell(0, 8), QString("-50 %"));
  QVERIFY2(panel.summary().contains("Compared with test"), qPrintable(panel.summary()));
  QCOMPARE(panel.position_of_column(8), 4);  // beside the mean and what it was
  panel.compare_with(std::nullopt, {});
  QCOMPARE(panel.cell(0, 8), QString());
  QCOMPARE(panel.position_of_column(8), 8);
  QVERIFY(!panel.summary().contains("Compared"));
}

void WidgetsTest::labels_give_way() {
  const QRectF wanted(100, 50, 30, 15);
  std::vector<QRectF> taken;
  for (const double top : {50.0, 34.0, 18.0}) {
    const std::optional<QRectF> place = free_position(wanted, taken, 2);
    QVERIFY(place);
    QCOMPARE(*place, QRectF(100, top, 30, 15));
    taken.push_back(*place);
  }
  QVERIFY(!free_position(wanted, taken, 2));
  QVERIFY(!free_position(wanted.translated(20, 0), taken, 0));
  QVERIFY(free_position(wanted.translated(31, 0), taken, 0));
  QCOMPARE(*free_position(wanted, taken, -1), QRectF(100, 66, 30, 15));
}

namespace {

// Drawn on a plan of 100 px a metre.
QImage plan_with(const Marks& marks) {
  QImage image(400, 400, QImage::Format_RGB32);
  image.fill(Qt::black);
  QPainter painter(&image);
  MarkView view;
  view.world.project = [](const Eigen::Vector3d& p) {
    return std::optional(Eigen::Vector2d(200 + 100 * p.x(), 200 - 100 * p.y()));
  };
  view.world.bounds_px = {Eigen::Vector2d(-400, -400), Eigen::Vector2d(800, 800)};
  view.visible = image.rect();
  view.eye_in_world_m = {0, 0, 10};
  view.camera = false, view.from_above = true;
  draw_marks(painter, view, marks);
  return image;
}

int count_pixels(const QImage& image, int from_x, const std::function<bool(QRgb)>& wanted) {
  int count = 0;
  for (int y = 0; y < image.height(); ++y)
    for (int x = from_x; x < image.width(); ++x) count += wanted(image.pixel(x, y)) ? 1 : 0;
  return count;
}

}  // namespace

// Two people a few pixels apart: both names can be read.
void WidgetsTest::names_in_pictures_do_not_cover_each_other() {
  const auto compared = [](const std::vector<int64_t>& ids) {
    auto comparison = std::make_shared<MarkedComparison>();
    for (const int64_t id : ids)
      comparison->sides[0].people.push_back({{id, {0.02 * static_cast<double>(id % 10), 0, 0}, 1.7}, true});
    Marks marks;
    marks.comparison = comparison;
    return count_pixels(plan_with(marks), 0, [](QRgb color) { return color == kSideColors[0]; });
  };
  const int one = compared({1000000}), both = compared({1000000, 1000001});
  QVERIFY2(one > 500 && both > 1.5 * one, qPrintable(QString("%1, both %2").arg(one).arg(both)));
  const auto true_people = [](const std::vector<int64_t>& ids) {
    Marks marks;
    for (const int64_t id : ids)
      marks.truth.push_back({id, {0.02 * static_cast<double>(id % 10), 0, 0}, 1.7});
    return count_pixels(plan_with(marks), 212, [](QRgb color) { return qGray(color) > 160; });
  };
  const int name = true_people({1000000}), names = true_people({1000000, 1000001});
  QVERIFY2(name > 50 && names > 1.8 * name, qPrintable(QString("%1, both %2").arg(name).arg(names)));
}

namespace {

// Where words are drawn, without a picture.
class WordsEngine final : public QPaintEngine {
 public:
  WordsEngine() : QPaintEngine(AllFeatures) {}
  std::map<QString, QRectF> places;  // by the words
  bool begin(QPaintDevice*) override { return true; }
  bool end() override { return true; }
  void updateState(const QPaintEngineState&) override {}
  void drawPixmap(const QRectF&, const QPixmap&, const QRectF&) override {}
  void drawPath(const QPainterPath&) override {}
  void drawPolygon(const QPointF*, int, PolygonDrawMode) override {}
  void drawTextItem(const QPointF& at, const QTextItem& item) override {
    places[item.text()] = {at.x(), at.y() - item.ascent(), item.width(), item.ascent() + item.descent()};
  }
  Type type() const override { return User; }
};

class WordsDevice final : public QPaintDevice {
 public:
  mutable WordsEngine engine;
  QPaintEngine* paintEngine() const override { return &engine; }
  int metric(PaintDeviceMetric metric) const override {
    switch (metric) {
      case PdmWidth:
      case PdmHeight:
        return 400;
      case PdmDpiX:
      case PdmDpiY:
      case PdmPhysicalDpiX:
      case PdmPhysicalDpiY:
        return 96;
      case PdmDepth:
        return 32;
      default:
        return QPaintDevice::metric(metric);
    }
  }
};

// The floor from above, 100 pixels a metre.
MarkView floor_view() {
  MarkView view;
  view.world = {[](const Eigen::Vector3d& p) {
                  return std::optional(Eigen::Vector2d(200 + 100 * p.x(), 200 - 100 * p.y()));
                },
                Eigen::AlignedBox2d(Eigen::Vector2d(-400, -400), Eigen::Vector2d(800, 800))};
  view.visible = {0, 0, 400, 400};
  view.eye_in_world_m = {0, 0, 5};
  view.from_above = true;
  return view;
}

}  // namespace

// The region, a zone in it and a line through both: their middles and a corner are the same.
void WidgetsTest::names_on_the_floor_lie_apart() {
  Marks marks;
  UprightBox region;
  region.base_in_world_m = {0.1, -0.1, 0}, region.size_m = {0.2, 0.2, 2};
  marks.region = region;
  const std::vector<Eigen::Vector2d> square = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
  marks.shapes = {{.name = "zone 1", .corners_m = square},
                  {.name = "zone 2", .corners_m = square},
                  {.name = "line 1", .corners_m = {{-1, 0}, {1, 0}}, .closed = false}};
  WordsDevice device;
  QPainter painter(&device);
  draw_marks(painter, floor_view(), marks);
  painter.end();
  const auto& places = device.engine.places;
  QCOMPARE(places.size(), size_t{4});
  for (auto one = places.begin(); one != places.end(); ++one)
    for (auto other = std::next(one); other != places.end(); ++other)
      QVERIFY2(!one->second.intersects(other->second), qPrintable(one->first + " and " + other->first));
}

namespace {

// CIE L*a*b* of a colour as it is seen with a colour vision deficiency: matrices of G. Machado et al., TVCG
// 2009, full severity.
Eigen::Vector3d seen_lab(const QColor& color, const Eigen::Matrix3d& seen) {
  const auto linear = [](double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
  const Eigen::Vector3d rgb =
      (seen * Eigen::Vector3d(linear(color.redF()), linear(color.greenF()), linear(color.blueF())))
          .cwiseMax(0)
          .cwiseMin(1);
  Eigen::Matrix3d xyz_from_rgb;
  xyz_from_rgb << 0.4339, 0.3762, 0.1899, 0.2126, 0.7152, 0.0722, 0.0178, 0.1095, 0.8728;  // white: 1, 1, 1
  const Eigen::Vector3d f = (xyz_from_rgb * rgb).unaryExpr([](double t) {
    return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116;
  });
  return {116 * f.y() - 16, 500 * (f.x() - f.y()), 200 * (f.y() - f.z())};
}

}  // namespace

void WidgetsTest::thirty_people_look_different() {
  std::set<std::pair<QRgb, Qt::PenStyle>> looks;
  for (int64_t id = 1; id <= 30; ++id) looks.insert({person_color(id).rgb(), person_line(id)});
  QCOMPARE(looks.size(), size_t{30});
  Eigen::Matrix3d no_red, no_green;
  no_red << 0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998;
  no_green << 0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940, 0.968881;
  constexpr double kApart = 16;  // the five of Okabe and Ito that are among them lie 17.9 apart
  for (int64_t one = 1; one <= 10; ++one) {
    for (const QColor& ground : {QColor(kViewBackground), QColor(Qt::white)})
      QVERIFY(contrast(person_color(one), ground) > 1.85F);
    QVERIFY(contrast(person_color(one), ink_on(person_color(one))) > 4.2F);
    for (int64_t other = one + 1; other <= 10; ++other)
      for (const Eigen::Matrix3d& seen : {Eigen::Matrix3d(Eigen::Matrix3d::Identity()), no_red, no_green}) {
        const double apart = (seen_lab(person_color(one), seen) - seen_lab(person_color(other), seen)).norm();
        QVERIFY2(apart > kApart, qPrintable(QString("%1 and %2: %3").arg(one).arg(other).arg(apart)));
      }
  }
}

// Switches that are on are marked, and the one button that a window is for has the accent.
void WidgetsTest::the_accent_colour_is_not_for_switches() {
  for (const Theme theme : {Theme::dark, Theme::light}) {
    apply_theme(theme);
    const auto share_like = [](QWidget& widget, const QColor& color) {
      const QImage seen = widget.grab().toImage();
      int like = 0;
      for (int y = 0; y < seen.height(); ++y)
        for (int x = 0; x < seen.width(); ++x) {
          const QColor at = seen.pixelColor(x, y);
          like += std::abs(at.red() - color.red()) + std::abs(at.green() - color.green()) +
                      std::abs(at.blue() - color.blue()) <
                  60;
        }
      return static_cast<double>(like) / (seen.width() * seen.height());
    };
    const QColor accent = QApplication::palette().color(QPalette::Highlight);
    QToolBar bar;
    QAction* action = bar.addAction("People");
    action->setCheckable(true);
    bar.resize(200, 40);
    bar.show();
    const QImage off = bar.widgetForAction(action)->grab().toImage();
    action->setChecked(true);
    QVERIFY2(bar.widgetForAction(action)->grab().toImage() != off, "the mark is seen");
    QVERIFY(share_like(*bar.widgetForAction(action), accent) < 0.15);
    ActionButton analyse;
    QAction all("Analyse");
    analyse.setDefaultAction(&all);
    analyse.resize(analyse.sizeHint());
    QVERIFY(share_like(analyse, accent) > 0.4);
    analyse.set_share(0.5);  // it stops what is being done
    QVERIFY(share_like(analyse, accent) < 0.15);
    QSplitter splitter;
    splitter.addWidget(new QWidget), splitter.addWidget(new QWidget);
    splitter.resize(200, 100);
    splitter.show();
    const QImage handle = splitter.handle(1)->grab().toImage();
    const QColor color = handle.pixelColor(handle.rect().center());
    for (const QColor& ground : {QColor(kViewBackground), QApplication::palette().color(QPalette::Window)})
      QVERIFY2(contrast(color, ground) > 1.9F, qPrintable(color.name() + " on " + ground.name()));
  }
  apply_theme(Theme::system);
}

// Explanations are read on every ground: 4.5 to 1, as WCAG 2 asks of text.
void WidgetsTest::hints_are_readable() {
  for (const Theme theme : {Theme::dark, Theme::light}) {
    apply_theme(theme);
    const QPalette palette = QApplication::palette();
    for (const auto ground : {QPalette::Window, QPalette::Base, QPalette::AlternateBase, QPalette::Button}) {
      const float ratio = contrast(palette.color(QPalette::PlaceholderText), palette.color(ground));
      QVERIFY2(ratio >= 4.5F, qPrintable(QString::number(ratio)));
    }
  }
}

// An empty box is seen on its ground: 3 to 1, as WCAG 2 asks of controls.
void WidgetsTest::empty_boxes_are_seen() {
  for (const Theme theme : {Theme::dark, Theme::light}) {
    apply_theme(theme);
    QCheckBox box("on");
    box.resize(box.sizeHint());
    QStyleOptionButton option;
    option.initFrom(&box);
    const QRect frame = box.style()->subElementRect(QStyle::SE_CheckBoxIndicator, &option, &box);
    const QImage seen = box.grab().toImage();
    const float ratio = contrast(seen.pixelColor(frame.left(), frame.center().y()),
                                 seen.pixelColor(frame.right() + 2, frame.bottom()));
    QVERIFY2(ratio >= 3, qPrintable(QString::number(ratio)));
  }
  apply_theme(Theme::system);
}

// Qt's reader of SVG is a package of its own in some releases; without it every button is bare.
void WidgetsTest::the_wheel_changes_no_value_in_passing() {
  apply_theme(Theme::system);
  QScrollArea page;
  auto* form = new QWidget;
  auto* rows = new QVBoxLayout(form);
  QSpinBox* number = number_field(0, 9, 5);
  auto* choice = new QComboBox;
  choice->addItems({"one", "two", "three"});
  choice->setCurrentIndex(1);
  rows->addWidget(number), rows->addWidget(choice);
  form->setMinimumHeight(2000);
  page.setWidget(form);
  page.resize(300, 200);
  page.show();
  QVERIFY(QTest::qWaitForWindowExposed(&page));
  page.activateWindow();
  page.setFocus();
  for (QWidget* field : {static_cast<QWidget*>(number), static_cast<QWidget*>(choice)}) {
    page.ensureWidgetVisible(field);
    const int before = page.verticalScrollBar()->value();
    const QPointF at = field->rect().center();
    QWheelEvent down(at, field->mapToGlobal(at), {}, {0, -120}, Qt::NoButton, {}, Qt::NoScrollPhase, false);
    QSpontaneKeyEvent::setSpontaneous(&down);  // only such ones go on to the page
    qApp->notify(field, &down);
    QVERIFY(!field->hasFocus());
    QCOMPARE_GT(page.verticalScrollBar()->value(), before);
  }
  QVERIFY(number->value() == 5 && choice->currentIndex() == 1);
  number->setFocus();
  QTRY_VERIFY(number->hasFocus());
  const QPointF at = number->rect().center();
  QWheelEvent up(at, number->mapToGlobal(at), {}, {0, 120}, Qt::NoButton, {}, Qt::NoScrollPhase, false);
  QApplication::sendEvent(number, &up);
  QCOMPARE(number->value(), 6);
}

void WidgetsTest::icons_are_drawn() {
  colored_pixmap("close", Qt::white, 16);  // the resources are registered with the first icon
  const QStringList files = QDir(":/icons").entryList({"*.svg"});
  QVERIFY(!files.isEmpty());
  for (const QString& file : files) {
    const QImage drawn = colored_pixmap(file.chopped(4), Qt::white, 24).toImage();
    QVERIFY2(!drawn.isNull(), qPrintable(file));
    bool seen = false;
    for (int y = 0; y < drawn.height(); ++y)
      for (int x = 0; x < drawn.width(); ++x) seen = seen || drawn.pixelColor(x, y).alpha() > 128;
    QVERIFY2(seen, qPrintable(file));
  }
}

// The first one ends only after the second was asked for.
void WidgetsTest::a_new_job_waits_off_the_gui_thread() {
  std::promise<void> asked;
  QStringList done;  // of one thread at a time
  bool first = false, second = false;
  BackgroundJob job;
  job.start([&](const StopSource& stop) {
    asked.get_future().wait();
    done << (stop.stop_requested() ? "first, stopped" : "first");
    return [&] { first = true; };
  });
  job.start([&](const StopSource&) {
    done << "second";
    return [&] { second = true; };
  });
  QVERIFY(job.running());
  asked.set_value();
  QTRY_VERIFY(second);
  QVERIFY(!first && !job.running());
  QCOMPARE(done, (QStringList{"first, stopped", "second"}));
}

void WidgetsTest::plots_are_saved_as_values_and_pictures() {
  const QTemporaryDir folder;
  CurvePlot plot("Costs");
  plot.resize(280, 170);
  plot.set_axis("m", "no head");
  const QString csv = folder.filePath("costs.csv");
  QVERIFY(!plot.save(csv));
  QVERIFY(!QFile::exists(csv));
  plot.set_curves({{"raw, first", Qt::red, Qt::SolidLine, 3, {{0, 1}, {0.5, 2.25}}, 7.5},
                   {"kept", {}, Qt::DashLine, 1.5, {{0, 3}}, {}}},
                  {});
  QVERIFY(plot.save(csv).has_value());
  QCOMPARE(QString::fromStdString(read_file(csv.toStdString()).value()),
           QString("curve,m,value\n\"raw, first\",0,1\n\"raw, first\",0.5,2.25\n\"raw, first\",no "
                   "head,7.5\nkept,0,3\n"));
  QVERIFY(plot.save(folder.filePath("costs.png")).has_value());
  const QImage drawn(folder.filePath("costs.png"));
  QCOMPARE(drawn.size(), QSize(1280, 800));
  QCOMPARE(drawn.pixelColor(1278, 400), QColor(Qt::white));
  int red = 0;
  for (int y = 0; y < drawn.height(); ++y)
    for (int x = 0; x < drawn.width(); ++x) red += drawn.pixelColor(x, y) == QColor(Qt::red);
  QVERIFY2(red > 500, qPrintable(QString::number(red)));
  QVERIFY(plot.save(folder.filePath("costs.PDF")).has_value());
  QVERIFY(read_file(folder.filePath("costs.PDF").toStdString()).value().rfind("%PDF-", 0) == 0);
  QVERIFY(plot.save(folder.filePath("costs.svg")).has_value());
  const std::string svg = read_file(folder.filePath("costs.svg").toStdString()).value();
  QVERIFY(svg.rfind("<svg ", 0) == 0);
  for (const char* part : {">Costs<", ">m<", ">raw, first; no head: 7.5<", ">kept<"})
    QVERIFY2(svg.find(part) != std::string::npos, part);
  const Status refused = plot.save(folder.filePath("costs.doc"));
  QVERIFY(!refused && QString::fromStdString(refused.error().message()).contains(".svg, .pdf or .png"));
  QVERIFY(!plot.save(folder.filePath("nowhere/costs.csv")));
  // By the menu, also with the key.
  plot.show();
  QContextMenuEvent asked(QContextMenuEvent::Keyboard, {20, 20}, plot.mapToGlobal(QPoint(20, 20)));
  QCoreApplication::sendEvent(&plot, &asked);
  auto* menu = plot.findChild<QMenu*>("plot_menu");
  QVERIFY(menu && menu->actions().front()->isEnabled());
  menu->close();
}

const TestPart<WidgetsTest> kWidgetsPart("widgets");

}  // namespace vantage::ui

#include "widgets_test.moc"
