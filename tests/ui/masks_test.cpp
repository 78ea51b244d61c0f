#include <QSpinBox>
#include <QTableWidget>
#include <QWheelEvent>

#include "core/image/image_files.h"
#include "core/metrics/masks/masks.h"
#include "core/run/mask_scores.h"
#include "core/run/sweep_project.h"
#include "tests/ui/support/floor_window.h"
#include "tests/ui/support/session_window.h"
#include "tests/ui/support/window_test.h"
#include "ui/main_window/sweep/sweep_control.h"
#include "ui/main_window/sweep/sweep_panel.h"
#include "ui/main_window/truth/mask_control.h"
#include "ui/main_window/truth/mask_merge_control.h"
#include "ui/main_window/truth/mask_panel.h"
#include "ui/main_window/truth/truth_control.h"
#include "ui/main_window/workspace.h"
#include "ui/views/camera_grid.h"
#include "ui/widgets/message_bar.h"

namespace vantage::ui {

// Masks painted over the pictures of real footage: tools, undo, files, carried by optical flow, IoU of the
// foreground as one paints and tunes.
class MasksTest final : public WindowTest {
  Q_OBJECT
 private slots:
  void a_brush_paints_a_file_and_undo_takes_it_back();
  void polygons_are_closed_filled_grown_and_erased();
  void masks_are_carried_by_the_flow_and_stay();
  void the_foreground_is_measured_as_one_paints_and_tunes();
  void every_painted_frame_is_measured_and_swept();
  void the_wheel_and_keys_change_the_size_and_leave_the_zoom();
  void wrong_clicks_and_keys_lose_nothing();
  void folders_come_in_and_go_out();
  void masks_of_two_painters_are_merged_and_undone();
  void under_another_name_the_masks_come_along();
  void what_cannot_be_painted_says_why();
};

namespace {

namespace fs = std::filesystem;

class MaskWindow : public SessionWindow {
 public:
  MaskWindow() : SessionWindow(2, 12) {
    show({1366, 768}, {}, [this](WindowServices& services) {
      services.carry_masks = [this](const Project& project, const std::map<std::string, Image>& masks,
                                    int64_t from, int64_t to, const StopSource& stop) {
        return carry_masks(project, registry_, masks, from, to, stop);
      };
      services.score_masks = [this](const Project& project, const DrawnMasks& drawn, const auto& progress,
                                    const StopSource& stop) {
        return score_project_masks(project, &registry_, drawn, progress, stop);
      };
      services.sweep = [this](const Project& project, const SweepRequest& request, const auto& measured,
                              const StopSource& stop) {
        return sweep_project(project, &registry_, "CPU", request, measured, stop);
      };
    });
    open();
    QTRY_VERIFY(window->state().shown());
    QTRY_VERIFY(control().store().loaded());
  }
  ~MaskWindow() { window.reset(); }

  MaskControl& control() const { return *window->part<MaskControl>(); }
  MaskPanel& panel() const { return *control().panel(); }
  CameraGrid* cameras() const { return window->workspace()->cameras(); }
  fs::path masks_folder() const { return drawn_masks_folder(project_.path); }

  void use(const char* tool) {
    if (!window->action(tool)->isChecked()) window->action(tool)->trigger();
    QTRY_VERIFY(control().painting() && panel().isVisible());
    QCoreApplication::processEvents();  // the views have given way to the dock
  }
  void go(int64_t frame) {
    session->post(command::Seek{frame});
    QTRY_COMPARE(window->state().shown()->result->frame, frame);
    QTRY_VERIFY(control().store().frame() == frame && control().store().loaded());
  }
  QPointF at(int camera, double x, double y) const {
    const QRectF area = cameras()->picture_area(camera);
    return {area.left() + (x + 0.5) * area.width() / test::kWidth,
            area.top() + (y + 0.5) * area.height() / test::kHeight};
  }
  void stroke(int camera, const QPointF& from, const QPointF& to) const {
    press(cameras(), at(camera, from.x(), from.y()));
    move(cameras(), at(camera, to.x(), to.y()));
    release(cameras(), at(camera, to.x(), to.y()));
  }
  int64_t painted(const std::string& camera) const {
    const Image mask = control().store().mask(camera);
    if (!mask) return -1;
    int64_t count = 0;
    for (int y = 0; y < mask.height(); ++y)
      for (int x = 0; x < mask.width(); ++x) count += mask.view<uint8_t>().row(y)[x] == kInMask;
    return count;
  }
  bool on_disk(const std::string& camera, int64_t frame) const {
    return fs::exists(mask_file(masks_folder(), camera, frame));
  }
  // The box of the footage, by its corners.
  static int box_left(int camera, int64_t frame) {
    return 24 + static_cast<int>(12 * std::sin(0.2 * static_cast<double>(frame) + camera));
  }
  static Image box_of(int camera, int64_t frame) {
    Image mask = empty_mask(test::kWidth, test::kHeight, HostPool::shared()).value();
    const double left = box_left(camera, frame);
    const std::vector<Eigen::Vector2d> corners = {
        {left - 0.5, 11.5}, {left + 29.5, 11.5}, {left + 29.5, 51.5}, {left - 0.5, 51.5}};
    paint_polygon(mask.writable_view<uint8_t>(), corners, Paint::add);
    return mask;
  }
  void draw_box(int camera, int64_t frame) {
    use("paint_polygon");
    const double left = box_left(camera, frame) - 0.4, right = left + 29.8;
    for (const QPointF& corner :
         {QPointF(left, 11.6), QPointF(right, 11.6), QPointF(right, 51.4), QPointF(left, 51.4)})
      click(cameras(), at(camera, corner.x(), corner.y()));
    window->action("close_polygon")->trigger();
  }
  double iou_with_box(int camera, int64_t frame) const {
    const Image mask = control().store().mask("cam" + std::to_string(camera + 1));
    if (!mask) return -1;
    return overlap_of(mask.view<uint8_t>(), box_of(camera, frame).view<uint8_t>()).iou();
  }
  std::map<std::string, Image> carried(const std::map<std::string, Image>& masks, int64_t from,
                                       int64_t to) const {
    return carry_masks(window->state().project(), registry_, masks, from, to, {}).value();
  }
  void wheel(double notches, Qt::KeyboardModifiers modifiers = {}) const {
    const QPointF where = at(0, 48, 32);
    QWheelEvent event(where, cameras()->mapToGlobal(where), {}, QPoint(0, static_cast<int>(120 * notches)),
                      Qt::NoButton, modifiers, Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(cameras(), &event);
  }
};

}  // namespace

void MasksTest::a_brush_paints_a_file_and_undo_takes_it_back() {
  MaskWindow w;
  QVERIFY(!w.window->action("undo")->isEnabled());
  w.use("paint_brush");
  w.panel().radius()->setValue(5);
  w.stroke(0, {30, 20}, {50, 20});
  const int64_t first = w.painted("cam1");
  QVERIFY2(first > 250 && first < 320, qPrintable(QString::number(first)));
  QCOMPARE(w.painted("cam2"), int64_t{-1});
  QTRY_VERIFY(w.on_disk("cam1", 0));
  keep_picture(*w.window, "masks");
  w.stroke(0, {30, 40}, {50, 40});
  const int64_t second = w.painted("cam1");
  QVERIFY(second > first);
  QTRY_COMPARE(w.window->action("undo")->text(), QString("&Undo Mask of cam1 in frame 0"));
  w.window->action("undo")->trigger();
  QTRY_COMPARE(w.painted("cam1"), first);
  w.window->action("undo")->trigger();
  QTRY_COMPARE(w.painted("cam1"), int64_t{-1});
  QTRY_VERIFY(!w.on_disk("cam1", 0));
  w.window->action("redo")->trigger();
  QTRY_COMPARE(w.painted("cam1"), first);
  w.window->action("redo")->trigger();
  QTRY_COMPARE(w.painted("cam1"), second);
  QTRY_VERIFY(!w.window->action("redo")->isEnabled());
  // In another frame Undo goes to where the step was.
  w.go(3);
  QCOMPARE(w.painted("cam1"), int64_t{-1});
  w.window->action("undo")->trigger();
  QTRY_COMPARE(w.window->state().shown()->result->frame, int64_t{0});
  QTRY_COMPARE(w.painted("cam1"), first);
  // What the project did since comes first, also where masks are painted.
  w.session->post(command::SetParameter{"foreground", "distance_high", 100});
  QTRY_VERIFY(w.window->isWindowModified());
  w.window->action("undo")->trigger();
  QTRY_VERIFY(!w.window->isWindowModified());
  QCOMPARE(w.painted("cam1"), first);
  w.window->action("paint_brush")->trigger();
  w.window->action("truth_dock")->trigger();
  QTRY_VERIFY(!w.panel().isVisible());
  // What was painted is there in the next window.
  w.open();
  QTRY_COMPARE(w.painted("cam1"), first);
}

void MasksTest::polygons_are_closed_filled_grown_and_erased() {
  MaskWindow w;
  w.draw_box(0, 0);
  QCOMPARE(w.painted("cam1"), int64_t{30 * 40});
  QCOMPARE(w.iou_with_box(0, 0), 1.0);
  // By a double click; the first corner closes, too.
  for (const auto& [x, y] : {std::pair(60, 10), std::pair(80, 10), std::pair(80, 30)})
    click(w.cameras(), w.at(1, x, y));
  send(w.cameras(), QEvent::MouseButtonDblClick, w.at(1, 80, 30), Qt::LeftButton, Qt::LeftButton);
  QTRY_VERIFY2(std::abs(w.painted("cam2") - 231) < 15, qPrintable(QString::number(w.painted("cam2"))));
  for (const auto& [x, y] : {std::pair(20, 10), std::pair(40, 10), std::pair(40, 30), std::pair(20, 10)})
    click(w.cameras(), w.at(1, x, y));
  QTRY_VERIFY2(std::abs(w.painted("cam2") - 462) < 40, qPrintable(QString::number(w.painted("cam2"))));
  // A hole, by the brush that erases, and filled again.
  w.use("paint_brush");
  w.panel().radius()->setValue(4);
  w.window->action("paint_erase")->trigger();
  w.stroke(0, {38, 30}, {38, 30});
  QTRY_VERIFY(w.painted("cam1") < 1200);
  w.window->action("paint_erase")->trigger();
  w.use("paint_fill");
  click(w.cameras(), w.at(0, 38, 30));
  QTRY_COMPARE(w.painted("cam1"), int64_t{1200});
  // The box by its colour alone.
  w.window->action("remove_mask")->trigger();
  QTRY_COMPARE(w.painted("cam1"), int64_t{-1});
  w.use("paint_grow");
  w.panel().tolerance()->setValue(60);
  click(w.cameras(), w.at(0, 38, 30));
  QTRY_VERIFY2(w.iou_with_box(0, 0) > 0.95, qPrintable(QString::number(w.iou_with_box(0, 0))));
}

void MasksTest::masks_are_carried_by_the_flow_and_stay() {
  MaskWindow w;
  w.draw_box(0, 0);
  w.draw_box(1, 0);
  std::map<std::string, Image> expected = {{"cam1", w.control().store().mask("cam1")},
                                           {"cam2", w.control().store().mask("cam2")}};
  for (int64_t frame = 1; frame <= 3; ++frame) {
    w.window->action("carry_masks")->trigger();
    QTRY_COMPARE(w.window->state().shown()->result->frame, frame);
    QTRY_VERIFY(w.control().store().loaded() && w.painted("cam1") > 0 && w.painted("cam2") > 0);
    expected = w.carried(expected, frame - 1, frame);
    for (const auto& [camera, mask] : expected)
      QCOMPARE(overlap_of(w.control().store().mask(camera).view<uint8_t>(), mask.view<uint8_t>()).iou(), 1.0);
  }
  QVERIFY(
      overlap_of(w.control().store().mask("cam1").view<uint8_t>(), MaskWindow::box_of(0, 0).view<uint8_t>())
          .iou() < 1);
  QTRY_VERIFY(w.on_disk("cam1", 3) && w.on_disk("cam2", 3));
  // Those that are there already stay.
  const int64_t there = w.painted("cam1");
  w.go(2);
  w.window->action("carry_masks")->trigger();
  QTRY_COMPARE(w.window->state().shown()->result->frame, int64_t{3});
  QTRY_COMPARE(w.painted("cam1"), there);
  QVERIFY2(w.window->messages()->text().contains("already"), qPrintable(w.window->messages()->text()));
  // Two frames at once, as one step to undo.
  w.panel().step()->setValue(2);
  w.window->action("carry_masks")->trigger();
  QTRY_COMPARE(w.window->state().shown()->result->frame, int64_t{5});
  QTRY_VERIFY(w.painted("cam1") > 0 && w.painted("cam2") > 0);
  w.window->action("undo")->trigger();
  QTRY_VERIFY(w.painted("cam1") == -1 && w.painted("cam2") == -1);
  QTRY_VERIFY(!w.on_disk("cam1", 5));
}

void MasksTest::the_foreground_is_measured_as_one_paints_and_tunes() {
  MaskWindow w;
  w.go(6);
  w.draw_box(0, 6);
  QTRY_VERIFY2(w.control().scores().size() == 1, qPrintable(w.panel().text()));
  const auto iou = [&] { return w.control().scores().empty() ? -1 : w.control().scores()[0].overlap.iou(); };
  const double exact = iou();
  QVERIFY2(exact > 0.7, qPrintable(QString::number(exact)));
  QVERIFY2(w.panel().text().contains("IoU in this frame " + QString::number(exact, 'f', 3)),
           qPrintable(w.panel().text()));
  QCOMPARE(w.panel().cameras()->item(0, 2)->text(), QString::number(exact, 'f', 3));
  keep_picture(*w.window, "masks_iou");
  // Painted where nobody is: worse at once.
  w.use("paint_brush");
  w.panel().radius()->setValue(8);
  w.stroke(0, {80, 10}, {80, 50});
  QTRY_VERIFY2(iou() < exact - 0.1, qPrintable(w.panel().text()));
  w.window->action("undo")->trigger();
  QTRY_COMPARE(iou(), exact);
  // A threshold that finds little.
  w.session->post(command::SetParameter{"foreground", "distance_high", 100});
  QTRY_VERIFY2(iou() >= 0 && iou() < exact - 0.1, qPrintable(w.panel().text()));
  w.session->post(command::SetParameter{"foreground", "distance_high", std::nullopt});
  QTRY_COMPARE(iou(), exact);
}

void MasksTest::every_painted_frame_is_measured_and_swept() {
  MaskWindow w;
  for (const int64_t frame : {2, 5, 8}) {
    w.go(frame);
    w.draw_box(0, frame);
  }
  w.use("paint_brush");
  w.stroke(0, {80, 10}, {80, 50});  // frame 8 fits worse
  QTRY_VERIFY(w.control().scores().size() == 3 && worst_frames(w.control().scores())[0].first == 8);
  QTRY_VERIFY(w.control().store().saved() && w.window->action("measure_masks")->isEnabled());
  w.window->action("measure_masks")->trigger();
  QVERIFY(w.control().running());
  QTRY_VERIFY(!w.control().running());
  QCOMPARE(w.control().scores().size(), size_t{3});
  QTRY_VERIFY2(w.panel().text().contains("(masks: 3, frames: 3)"), qPrintable(w.panel().text()));
  const int64_t worst = worst_frames(w.control().scores())[0].first;
  QCOMPARE(w.panel().frames()->item(0, 0)->text(), QString::number(worst));
  w.go(0);
  w.window->action("worst_mask")->trigger();
  QTRY_COMPARE(w.window->state().shown()->result->frame, worst);
  w.window->action("worst_mask")->trigger();
  QTRY_VERIFY(w.window->state().shown()->result->frame != worst);
  emit w.panel().frames()->cellDoubleClicked(0, 0);
  QTRY_COMPARE(w.window->state().shown()->result->frame, worst);
  // The same figure by a sweep at the present value.
  const double mean = mean_iou(w.control().scores()).value_or(-1);
  auto* sweep = w.window->part<SweepControl>();
  w.window->action("sweep_dock")->trigger();
  QTRY_VERIFY(sweep->panel()->isVisible());
  QCOMPARE(sweep->panel()->form()->metric(), QString("iou"));
  sweep->panel()->form()->set_spans("0 to 11", {});
  sweep->panel()->form()->choose("foreground.distance_high", 5.5, 100, 2);
  QTRY_VERIFY(w.window->action("sweep")->isEnabled());
  w.window->action("sweep")->trigger();
  QTRY_COMPARE(sweep->measured().size(), size_t{2});
  QVERIFY2(std::abs(sweep->measured().at(0).tune.whole[0] - mean) < 1e-9,
           qPrintable(QString("%1 and %2").arg(sweep->measured().at(0).tune.whole[0]).arg(mean)));
  QVERIFY(sweep->measured().at(1).tune.whole[0] < mean);
  QTRY_VERIFY(sweep->panel()->text().startsWith("Best on the tuning span: foreground.distance_high 5.5"));
}

void MasksTest::the_wheel_and_keys_change_the_size_and_leave_the_zoom() {
  MaskWindow w;
  w.use("paint_brush");
  w.panel().radius()->setValue(10);
  const QRectF before = w.cameras()->picture_area(0);
  w.wheel(1);
  QCOMPARE(w.panel().radius()->value(), 12);
  w.wheel(-1);
  QCOMPARE(w.panel().radius()->value(), 10);
  QCOMPARE(w.cameras()->picture_area(0), before);
  w.wheel(1, Qt::ControlModifier);
  QCOMPARE(w.panel().radius()->value(), 10);
  QVERIFY(w.cameras()->picture_area(0).width() > before.width());
  QTest::keyClick(w.cameras(), Qt::Key_BracketLeft);
  QTRY_COMPARE(w.panel().radius()->value(), 8);
  QTest::keyClick(w.cameras(), Qt::Key_BracketRight);
  QTRY_COMPARE(w.panel().radius()->value(), 10);
  w.panel().radius()->setValue(1);
  w.wheel(-3);
  QCOMPARE(w.panel().radius()->value(), 1);
  w.use("paint_grow");
  w.panel().tolerance()->setValue(30);
  w.wheel(1);
  QCOMPARE(w.panel().tolerance()->value(), 35);
  // Without a tool the wheel zooms.
  w.window->action("stop")->trigger();
  QVERIFY(!w.control().painting());
  const QRectF zoomed = w.cameras()->picture_area(0);
  w.wheel(1);
  QVERIFY(w.cameras()->picture_area(0).width() > zoomed.width());
}

void MasksTest::wrong_clicks_and_keys_lose_nothing() {
  MaskWindow w;
  w.use("paint_polygon");
  click(w.cameras(), w.at(0, 10, 10));
  click(w.cameras(), w.at(0, 30, 10));
  // A double click with two corners, and corners in another picture: no mask.
  send(w.cameras(), QEvent::MouseButtonDblClick, w.at(0, 30, 10), Qt::LeftButton, Qt::LeftButton);
  QCOMPARE(w.painted("cam1"), int64_t{-1});
  click(w.cameras(), w.at(0, 10, 10));
  click(w.cameras(), w.at(1, 30, 10));
  // Escape drops the polygon first, then ends the tool.
  w.window->action("stop")->trigger();
  QVERIFY(w.control().painting());
  w.window->action("stop")->trigger();
  QVERIFY(!w.control().painting());
  // Escape within a stroke: nothing of it is kept.
  w.use("paint_brush");
  press(w.cameras(), w.at(0, 30, 30));
  move(w.cameras(), w.at(0, 50, 30));
  w.window->action("stop")->trigger();
  release(w.cameras(), w.at(0, 50, 30));
  QCOMPARE(w.painted("cam1"), int64_t{-1});
  // A stroke that begins beside the pictures.
  w.use("paint_brush");
  const QRectF area = w.cameras()->picture_area(0);
  click(w.cameras(), {area.left() - 5, area.top() - 5});
  QCOMPARE(w.painted("cam1"), int64_t{-1});
  // Frames that change under the mouse: the stroke belongs to none.
  press(w.cameras(), w.at(0, 30, 30));
  w.go(4);
  release(w.cameras(), w.at(0, 30, 30));
  QCOMPARE(w.painted("cam1"), int64_t{-1});
  QVERIFY(w.control().store().drawn().empty());
  // Other tools end it, and it ends them.
  w.window->action("draw_truth")->trigger();
  QVERIFY(!w.control().painting());
  w.use("paint_fill");
  QVERIFY(!w.window->part<TruthControl>()->drawing());
  click(w.cameras(), w.at(0, 30, 30));  // fills all: there is one area
  QTRY_COMPARE(w.painted("cam1"), int64_t{test::kWidth * test::kHeight});
  w.window->action("close")->trigger();
  QVERIFY(!w.control().painting());
  QTRY_VERIFY2(w.on_disk("cam1", 4), "what was painted is written though the project was closed");
}

void MasksTest::folders_come_in_and_go_out() {
  MaskWindow w;
  const fs::path theirs = fs::path(w.folder().toStdString()) / "theirs";
  fs::create_directories(theirs);
  QVERIFY(write_png_gray(theirs / "cam2_frame_0003.png", MaskWindow::box_of(1, 3)).has_value());
  QVERIFY(write_png_gray(theirs / "roof_frame_0003.png", MaskWindow::box_of(1, 3)).has_value());
  w.window->action("truth_dock")->trigger();
  w.control().import_from(QString::fromStdString(theirs.string()));
  QTRY_VERIFY2(w.window->messages()->text().contains("1 mask imported"),
               qPrintable(w.window->messages()->text()));
  w.go(3);
  QTRY_COMPARE(w.painted("cam2"), int64_t{30 * 40});
  const fs::path out = fs::path(w.folder().toStdString()) / "out";
  w.control().export_to(QString::fromStdString(out.string()));
  QTRY_VERIFY(fs::exists(mask_file(out, "cam2", 3)));
  fs::create_directories(theirs / "empty");
  w.control().import_from(QString::fromStdString((theirs / "empty").string()));
  QTRY_VERIFY2(w.window->messages()->text().contains("holds no masks"),
               qPrintable(w.window->messages()->text()));
  QVERIFY(fs::exists(mask_file(w.masks_folder(), "cam2", 3)));
}

void MasksTest::masks_of_two_painters_are_merged_and_undone() {
  MaskWindow w;
  const fs::path theirs = fs::path(w.folder().toStdString()) / "theirs";
  w.go(3);
  w.draw_box(0, 3);
  QTRY_VERIFY(w.on_disk("cam1", 3));
  const int64_t own = w.painted("cam1");
  QVERIFY(write_mask(theirs, "cam1", 3, MaskWindow::box_of(0, 9)).has_value());
  QVERIFY(write_mask(theirs, "cam2", 3, MaskWindow::box_of(1, 3)).has_value());
  auto* merging = w.window->part<MaskMergeControl>();
  QVERIFY(!merging->panel()->isVisible());
  merging->merge_from(QString::fromStdString(theirs.string()));
  QTRY_VERIFY2(w.window->messages()->text().contains("1 mask added"),
               qPrintable(w.window->messages()->text()));
  QVERIFY(w.window->messages()->text().contains("1 disagree, most of all that of cam1 in frame 3"));
  QTRY_COMPARE(w.painted("cam2"), int64_t{30 * 40});
  QVERIFY(merging->panel()->isVisible());
  QCOMPARE(merging->panel()->table()->rowCount(), 1);
  QCOMPARE(w.painted("cam1"), own);
  const MaskDifference differ = merging->disagreements()[0].difference;
  w.window->action("take_mask_union")->trigger();
  QTRY_COMPARE(w.painted("cam1"), own + differ.only_theirs);
  QVERIFY(!merging->panel()->isVisible());
  QVERIFY(!w.window->action("take_mask_union")->isEnabled());
  w.window->action("undo")->trigger();  // the union
  QTRY_COMPARE(w.painted("cam1"), own);
  w.window->action("undo")->trigger();  // those that came in
  QTRY_COMPARE(w.painted("cam2"), int64_t{-1});
  QTRY_VERIFY(!w.on_disk("cam2", 3));
  // Again, and left as they are.
  merging->merge_from(QString::fromStdString(theirs.string()));
  QTRY_VERIFY(merging->panel()->isVisible());
  w.window->action("leave_masks")->trigger();
  QTRY_VERIFY(!merging->panel()->isVisible());
  QCOMPARE(w.painted("cam1"), own);
}

void MasksTest::under_another_name_the_masks_come_along() {
  MaskWindow w;
  w.go(3);
  w.draw_box(0, 3);
  const int64_t own = w.painted("cam1");
  QVERIFY(own > 0);
  QTRY_VERIFY(w.control().store().saved());
  const fs::path former = w.masks_folder(), other = former.parent_path().parent_path() / "other.vantage";
  w.session->post(command::Save{other});
  QTRY_COMPARE(w.window->state().project().path, other);
  QVERIFY(fs::exists(mask_file(drawn_masks_folder(other), "cam1", 3)));
  w.session->post(command::Seek{3});
  QTRY_VERIFY(w.control().store().loaded() && w.painted("cam1") == own);
  QVERIFY2(fs::exists(mask_file(former, "cam1", 3)), "the former project's stays");
}

void MasksTest::what_cannot_be_painted_says_why() {
  OpenWindow w;
  w.session().post(command::OpenProject{FakeScene().project()});  // never saved
  QTRY_VERIFY(!w.window->action("paint_brush")->isEnabled());
  QVERIFY(w.window->action("paint_brush")->toolTip().contains("Save the project first"));
  QVERIFY(w.window->action("export_masks")->toolTip().contains("No mask was painted yet"));
  w.window->action("truth_dock")->trigger();
  w.window->part<TruthControl>()->show_page(w.window->part<MaskControl>()->panel());
  QTRY_VERIFY(w.window->part<MaskControl>()->panel()->text().contains("Save the project first"));
}

const TestPart<MasksTest> kMasksPart("masks");

}  // namespace vantage::ui

#include "masks_test.moc"
