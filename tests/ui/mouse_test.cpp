#include <QDoubleSpinBox>
#include <QTableWidget>
#include <functional>

#include "tests/ui/support/floor_window.h"
#include "tests/ui/support/patience.h"
#include "tests/ui/support/window_test.h"
#include "ui/main_window/boxes/box_control.h"
#include "ui/main_window/floor_control.h"
#include "ui/main_window/measure/measure_control.h"
#include "ui/main_window/overlay_control.h"
#include "ui/panels/floor_panel.h"
#include "ui/views/box_editor.h"
#include "ui/views/scene_view.h"
#include "ui/widgets/timeline.h"

namespace vantage::ui {

// Presses and releases, and what happens between the two.
class MouseTest final : public WindowTest {
  Q_OBJECT
 private slots:
  void two_clicks_draw_a_line_in_every_view();
  void a_zone_ends_by_a_click_on_its_first_corner();
  void a_tool_that_ends_between_press_and_release_lets_go_data();
  void a_tool_that_ends_between_press_and_release_lets_go();
  void a_click_on_a_corner_changes_nothing();
  void other_buttons_end_no_drawing();
  void the_same_shape_is_deleted_once();
  void a_box_handle_lets_go_of_what_is_gone();
  void two_clicks_measure_in_the_scene();
  void a_box_is_dragged_in_a_picture();
  void a_click_on_another_box_chooses_it();
  void a_drag_in_a_picture_ends_with_what_is_gone_data();
  void a_drag_in_a_picture_ends_with_what_is_gone();
  void handles_show_by_the_pointer_and_leave_tools_alone();
  void keys_move_a_box_by_a_millimetre();
  void a_click_on_a_handle_leaves_the_region();
  void a_hidden_timeline_is_dragged_no_more();
};

namespace {

using Place = QPointF (FloorWindow::*)(double, double);

}  // namespace

void MouseTest::two_clicks_draw_a_line_in_every_view() {
  FloorWindow w;
  const auto draws = [&](QWidget* view, Place position, size_t lines) {
    w.key(Qt::Key_L, Qt::ShiftModifier);
    QVERIFY(w.window->part<FloorControl>()->drawing());
    // With the dock that this brings up.
    const QPointF from = (w.*position)(-0.3, 0.1), to = (w.*position)(0.4, 0.2);
    click(view, from);
    QVERIFY(w.window->part<FloorControl>()->drawing());
    click(view, to);
    QVERIFY(!w.window->part<FloorControl>()->drawing());
    QCOMPARE(w.project().lines.size(), lines);
    QVERIFY((w.project().lines.back().from_m - Eigen::Vector2d(-0.3, 0.1)).norm() < 0.02);
    QVERIFY((w.project().lines.back().to_m - Eigen::Vector2d(0.4, 0.2)).norm() < 0.02);
    QCoreApplication::processEvents();
  };
  draws(w.cameras(), &FloorWindow::in_camera, 1);
  draws(w.scene(), &FloorWindow::in_scene, 2);
  QVERIFY(w.project().lines[0].name != w.project().lines[1].name);
}

void MouseTest::a_zone_ends_by_a_click_on_its_first_corner() {
  FloorWindow w;
  const auto draws = [&](QWidget* view, Place position, size_t zones) {
    w.window->action("draw_zone")->trigger();
    QCoreApplication::processEvents();
    const QPointF corners[] = {(w.*position)(-0.3, -0.3), (w.*position)(0.3, -0.3), (w.*position)(0.3, 0.3),
                               (w.*position)(-0.3, -0.3)};
    for (const QPointF& corner : corners) click(view, corner);
    QVERIFY(!w.window->part<FloorControl>()->drawing());
    QCOMPARE(w.project().zones.size(), zones);
    QCOMPARE(w.project().zones.back().corners_m.size(), size_t{3});
    QCoreApplication::processEvents();
  };
  draws(w.cameras(), &FloorWindow::in_camera, 1);
  draws(w.scene(), &FloorWindow::in_scene, 2);
}

void MouseTest::a_tool_that_ends_between_press_and_release_lets_go_data() {
  QTest::addColumn<QString>("by");
  for (const char* by : {"switch", "Escape", "undo", "layout", "close", "dialog"}) QTest::newRow(by) << by;
}

// Whatever ends it, nothing is moved, and the next mouse in the view is nobody's drag.
void MouseTest::a_tool_that_ends_between_press_and_release_lets_go() {
  QFETCH(QString, by);
  for (const bool in_scene : {false, true}) {
    FloorWindow w;
    w.add_zones();
    const Place position = in_scene ? &FloorWindow::in_scene : &FloorWindow::in_camera;
    QWidget* view = in_scene ? static_cast<QWidget*>(w.scene()) : w.cameras();
    const QPointF corner = (w.*position)(0.3, 0.3), away = (w.*position)(0.2, 0.4);
    w.window->action("move_corners")->setChecked(true);
    view->setFocus();
    press(view, corner);
    move(view, away);
    QVERIFY(w.window->part<FloorControl>()->drawing());
    if (by == "switch") w.window->action("move_corners")->setChecked(false);
    if (by == "Escape") w.key(Qt::Key_Escape);
    if (by == "undo") {
      w.session().post(command::Edit{"box", [](Project& changed) { changed.boxes = {{"box 1", {}}}; }});
      w.window->action("undo")->trigger();
      QCoreApplication::processEvents();
    }
    if (by == "layout")
      (in_scene ? w.window->action("layout_cameras") : w.window->action("layout_scene"))->trigger();
    if (by == "close") {
      w.session().post(command::Save{"/somewhere/hall.vantage"});
      QTRY_VERIFY(!w.window->isWindowModified());
      w.window->action("close")->trigger();
      QVERIFY(w.window->shows_start_page());
    }
    if (by == "dialog") move(view, away, Qt::NoButton);  // the release went there
    QVERIFY(!w.window->part<FloorControl>()->drawing());
    const QStringList before = w.session().calls;
    move(view, (w.*position)(0.1, 0.5));
    release(view, away);
    QCoreApplication::processEvents();
    QCOMPARE(w.session().calls.filter("corners"), before.filter("corners"));
    if (by == "close") continue;
    QVERIFY((w.project().zones[0].corners_m[2] - Eigen::Vector2d(0.3, 0.3)).norm() < 1e-9);
    w.session().post(command::Save{"/somewhere/hall.vantage"});
  }
}

void MouseTest::a_click_on_a_corner_changes_nothing() {
  FloorWindow w;
  w.add_zones();
  w.window->action("move_corners")->setChecked(true);
  const QStringList before = w.session().calls;
  click(w.cameras(), w.in_camera(0.3, 0.3));
  QCOMPARE(w.session().calls, before);
  QVERIFY(!w.window->part<FloorControl>()->drawing());
  // Beside the corners the view has the mouse: no corner follows.
  press(w.cameras(), w.in_camera(0, 0.1));
  move(w.cameras(), w.in_camera(0.2, 0.1));
  release(w.cameras(), w.in_camera(0.2, 0.1));
  QCOMPARE(w.session().calls, before);
  w.session().post(command::Save{"/somewhere/hall.vantage"});
}

void MouseTest::other_buttons_end_no_drawing() {
  FloorWindow w;
  w.window->action("draw_zone")->trigger();
  const QPointF corners[] = {w.in_camera(-0.3, -0.3), w.in_camera(0.3, -0.3), w.in_camera(0.3, 0.3)};
  for (const QPointF& corner : corners) click(w.cameras(), corner);
  send(w.cameras(), QEvent::MouseButtonDblClick, corners[2], Qt::RightButton, Qt::RightButton);
  QVERIFY(w.window->part<FloorControl>()->drawing());
  QVERIFY(!w.cameras()->enlarged());
  send(w.cameras(), QEvent::MouseButtonDblClick, corners[2], Qt::LeftButton, Qt::LeftButton);
  QVERIFY(!w.window->part<FloorControl>()->drawing());
  QCOMPARE(w.project().zones.size(), size_t{1});
  // A double click before the first corner, off the floor, makes no zone.
  w.window->action("draw_zone")->trigger();
  send(w.cameras(), QEvent::MouseButtonDblClick, {1, 1}, Qt::LeftButton, Qt::LeftButton);
  QVERIFY(w.window->part<FloorControl>()->drawing());
  QCOMPARE(w.project().zones.size(), size_t{1});
  w.session().post(command::Save{"/somewhere/hall.vantage"});
}

// The second comes before the window knows of the first.
void MouseTest::the_same_shape_is_deleted_once() {
  FloorWindow w;
  w.add_zones();
  w.window->part<FloorPanel>()->choose(FloorShapeRef{true, 0});
  emit w.window->part<FloorPanel>()->chosen_by_hand();
  w.window->action("delete_shape")->trigger();
  w.window->action("delete_shape")->trigger();
  QCOMPARE(w.project().zones.size(), size_t{1});
  QCOMPARE(w.project().zones[0].name, std::string("second"));
  w.session().post(command::Save{"/somewhere/hall.vantage"});
}

void MouseTest::a_box_handle_lets_go_of_what_is_gone() {
  FloorWindow w;
  w.add_box({{0, 0, 0}, {1, 0.6, 1.8}, 0});
  const QPointF side = w.in_scene(0.5, 0), away = w.in_scene(0.8, 0);
  press(w.scene(), side);
  move(w.scene(), away);
  QVERIFY(w.window->part<OverlayControl>()->marks().boxes.size() == 1 &&
          w.window->part<OverlayControl>()->marks().boxes[0].box.size_m.x() > 1.1);
  const QStringList before = w.session().calls;
  w.window->action("box")->setChecked(false);
  QVERIFY(w.window->part<OverlayControl>()->marks().boxes.empty());
  move(w.scene(), w.in_scene(0.9, 0));
  release(w.scene(), away);
  QCOMPARE(w.session().calls, before);
  QCOMPARE(w.project().boxes[0].box.size_m.x(), 1.0);
  w.session().post(command::Save{"/somewhere/hall.vantage"});
}

void MouseTest::two_clicks_measure_in_the_scene() {
  FloorWindow w;
  w.window->action("measure_distance")->trigger();
  QCoreApplication::processEvents();  // the dock that this brings up
  const QPointF from = w.in_scene(-0.4, 0), to = w.in_scene(0.6, 0);
  click(w.scene(), from);
  click(w.scene(), to);
  const auto& measures = w.window->part<OverlayControl>()->marks().measures;
  QTRY_COMPARE(measures.size(), size_t{1});
  QTRY_VERIFY(measures[0].text.endsWith(" m"));
  QVERIFY((measures[0].points_m[1] - measures[0].points_m[0]).norm() - 1 < 0.02);
  // A height is none of the scene's: the mouse is the view's own.
  w.window->action("measure_height")->trigger();
  QVERIFY(!w.scene()->has_tool() && w.cameras()->has_tool());
  w.session().post(command::Save{"/somewhere/hall.vantage"});
}

void MouseTest::a_box_is_dragged_in_a_picture() {
  FloorWindow w;
  w.add_box({{0, 0, 0}, {0.6, 0.4, 1.2}, 0});
  const auto drag = [&](const Eigen::Vector3d& from, const Eigen::Vector3d& to) {
    press(w.cameras(), w.in_picture(from));
    move(w.cameras(), w.in_picture((from + to) / 2));
    move(w.cameras(), w.in_picture(to));
    release(w.cameras(), w.in_picture(to));
    QCoreApplication::processEvents();
  };
  const QStringList before = w.session().calls;
  drag({0, 0, 1.2}, {0, 0, 1.5});
  QCOMPARE(w.session().calls.size(), before.size() + 1);  // one edit, one step of undo
  QVERIFY2(std::abs(w.project().boxes[0].box.size_m.z() - 1.5) < 1e-3, qPrintable(w.last()));
  drag({0.3, 0, 0}, {0.5, 0, 0});
  QVERIFY(std::abs(w.project().boxes[0].box.size_m.x() - 0.8) < 1e-3);
  QVERIFY(std::abs(w.project().boxes[0].box.base_in_world_m.x() - 0.1) < 1e-3);
  w.window->action("undo")->trigger();
  QTRY_COMPARE(w.window->part<OverlayControl>()->marks().boxes[0].box.size_m.x(), 0.6);
  // The other views show it while it is dragged, by numbers too.
  w.window->action("edit_numbers")->setChecked(true);
  press(w.cameras(), w.in_picture({0, 0, 0}));
  move(w.cameras(), w.in_picture({0.25, 0.1, 0}));
  const MarkedBox dragged = w.window->part<OverlayControl>()->marks().boxes[0];
  QVERIFY(std::abs(dragged.box.base_in_world_m.x() - 0.25) < 1e-3);
  QVERIFY2(dragged.text.startsWith("0.600 \u00d7 0.400 \u00d7 1.5"), qPrintable(dragged.text));
  const auto* x = w.window->part<BoxControl>()->editor()->findChild<QDoubleSpinBox*>();
  QCOMPARE(x->value(), 0.25);
  QCOMPARE(w.project().boxes[0].box.base_in_world_m.x(), 0.0);
  // Esc: as it was, and the release is nobody's.
  const QStringList edits = w.session().calls.filter("edit");
  w.cameras()->setFocus();
  w.key(Qt::Key_Escape);
  release(w.cameras(), w.in_picture({0.25, 0.1, 0}));
  QCOMPARE(w.session().calls.filter("edit"), edits);
  QCOMPARE(w.window->part<OverlayControl>()->marks().boxes[0].box.base_in_world_m.x(), 0.0);
  QCOMPARE(x->value(), 0.0);
  w.session().post(command::Save{"/somewhere/hall.vantage"});
}

void MouseTest::a_click_on_another_box_chooses_it() {
  FloorWindow w;
  const UprightBox first{{-0.2, 0, 0}, {0.3, 0.3, 0.6}, 0}, second{{0.3, 0.2, 0}, {0.3, 0.3, 0.4}, 0};
  w.session().post(command::Edit{
      "boxes", [&](Project& changed) { changed.boxes = {{"box 1", first}, {"box 2", second}}; }});
  QCoreApplication::processEvents();
  w.window->action("box")->setChecked(true);
  auto* control = w.window->part<BoxControl>();
  const auto chosen = [&] { return QString::fromStdString(control->chosen()->name); };
  QCOMPARE(chosen(), "box 1");
  const QStringList before = w.session().calls;
  // On upright edges, away from all handles.
  const QPointF of_second = w.in_picture({0.45, 0.35, 0.25}), of_first = w.in_picture({-0.35, 0.15, 0.4});
  QVERIFY(w.cameras()->picture_area(0).contains(of_second) &&
          w.cameras()->picture_area(0).contains(of_first));
  click(w.cameras(), of_second + QPointF(40, 0));
  QCOMPARE(chosen(), "box 1");
  click(w.cameras(), of_second);
  QCOMPARE(chosen(), "box 2");
  click(w.cameras(), of_first);
  QCOMPARE(chosen(), "box 1");
  // A drag that begins there moves the picture.
  press(w.cameras(), of_second);
  move(w.cameras(), of_second + QPointF(40, 10));
  release(w.cameras(), of_second + QPointF(40, 10));
  QCOMPARE(chosen(), "box 1");
  // From above, on an edge that is far from the handles of the first.
  click(w.scene(), w.in_scene(0.45, 0.3));
  QCOMPARE(chosen(), "box 2");
  QCOMPARE(w.session().calls.filter("edit"), before.filter("edit"));  // choosing changes no project
}

void MouseTest::a_drag_in_a_picture_ends_with_what_is_gone_data() {
  QTest::addColumn<QString>("what");
  QTest::addColumn<QString>("by");
  for (const char* what : {"box", "ruler"})
    for (const char* by : {"Escape", "layout", "camera", "tool", "close", "dialog"})
      QTest::newRow(qPrintable(QString("%1, %2").arg(what, by))) << what << by;
}

// Whatever ends it, neither box nor measure comes of it, and the next mouse in the view is nobody's drag.
void MouseTest::a_drag_in_a_picture_ends_with_what_is_gone() {
  QFETCH(QString, what);
  QFETCH(QString, by);
  FloorWindow w;
  w.add_box({{0, 0, 0}, {0.6, 0.4, 1.2}, 0});
  if (what == "ruler") w.window->action("measure_distance")->trigger();
  QCoreApplication::processEvents();
  w.cameras()->setFocus();
  press(w.cameras(), w.in_picture({0, 0, 0}));
  move(w.cameras(), w.in_picture({0.3, 0.2, 0}));
  const QPointF away = w.in_picture({0.2, 0.3, 0});
  if (by == "Escape") w.key(Qt::Key_Escape);
  if (by == "layout") w.window->action("layout_scene")->trigger();
  if (by == "camera") w.cameras()->enlarge(1);
  if (by == "tool") w.window->action("click_points")->trigger();
  if (by == "close") {
    w.session().post(command::Save{"/somewhere/hall.vantage"});
    QTRY_VERIFY(!w.window->isWindowModified());
    w.window->action("close")->trigger();
    QVERIFY(w.window->shows_start_page());
  }
  if (by == "dialog") move(w.cameras(), away, Qt::NoButton);  // the release went there
  const QStringList edits = w.session().calls.filter("edit");
  move(w.cameras(), away);
  release(w.cameras(), away);
  QCoreApplication::processEvents();
  QCOMPARE(w.session().calls.filter("edit"), edits);
  QCOMPARE(w.window->part<MeasureList>()->table()->rowCount(), 0);
  if (by == "close") return;
  QCOMPARE(w.project().boxes[0].box.base_in_world_m, Eigen::Vector3d(0, 0, 0));
  w.session().post(command::Save{"/somewhere/hall.vantage"});
}

void MouseTest::handles_show_by_the_pointer_and_leave_tools_alone() {
  FloorWindow w;
  w.add_box({{0, 0, 0}, {0.6, 0.4, 1.2}, 0});
  move(w.cameras(), w.in_picture({0, 0, 1.2}), Qt::NoButton);
  QCOMPARE(w.cameras()->cursor().shape(), Qt::SizeVerCursor);
  move(w.cameras(), w.in_picture({0, 0, 0}), Qt::NoButton);
  QCOMPARE(w.cameras()->cursor().shape(), Qt::SizeAllCursor);
  // A zone's corner is set over the handle, and the tool's pointer stays.
  w.window->action("draw_zone")->trigger();
  QCoreApplication::processEvents();
  QCOMPARE(w.cameras()->cursor().shape(), Qt::CrossCursor);
  const QStringList calls = w.session().calls;
  press(w.cameras(), w.in_picture({0, 0, 0}));
  move(w.cameras(), w.in_picture({0.2, 0, 0}));
  release(w.cameras(), w.in_picture({0.2, 0, 0}));
  QCOMPARE(w.session().calls, calls);
  QCOMPARE(w.cameras()->cursor().shape(), Qt::CrossCursor);
  w.key(Qt::Key_Escape);
  QCOMPARE(w.cameras()->cursor().shape(), Qt::ArrowCursor);
  w.session().post(command::Save{"/somewhere/hall.vantage"});
}

void MouseTest::keys_move_a_box_by_a_millimetre() {
  FloorWindow w;
  QVERIFY(!w.window->action("nudge_x_up")->isEnabled());
  w.add_box({{0, 0, 0}, {0.6, 0.4, 1.2}, 90});
  w.key(Qt::Key_Right, Qt::AltModifier);
  w.key(Qt::Key_Right, Qt::AltModifier);
  QVERIFY((w.project().boxes[0].box.base_in_world_m - Eigen::Vector3d(0, 0.002, 0)).norm() <
          1e-12);  // its own x
  w.key(Qt::Key_PageUp, Qt::AltModifier | Qt::ShiftModifier);
  QVERIFY(std::abs(w.project().boxes[0].box.base_in_world_m.z() - 0.01) < 1e-12);
  w.key(Qt::Key_End, Qt::AltModifier);
  QVERIFY(std::abs(w.project().boxes[0].box.turn_degrees - 89.9) < 1e-9);
  w.session().post(command::Save{"/somewhere/hall.vantage"});
}

void MouseTest::a_click_on_a_handle_leaves_the_region() {
  FloorWindow w;
  QTRY_VERIFY(w.window->action("edit_region")->isEnabled());
  w.window->action("edit_region")->setChecked(true);
  const auto region = w.window->part<OverlayControl>()->marks().region;
  QVERIFY(region.has_value());
  const QStringList before = w.session().calls;
  const Eigen::Vector3d middle = region->base_in_world_m;
  click(w.scene(), w.in_scene(middle.x() + region->size_m.x() / 2, middle.y()));
  QCOMPARE(w.session().calls, before);
  w.window->action("edit_region")->setChecked(false);
}

void MouseTest::a_hidden_timeline_is_dragged_no_more() {
  FloorWindow w;
  Timeline* timeline = w.window->workspace()->timeline();
  press(timeline, {timeline->x_of(50), 12});
  QVERIFY(timeline->dragging());
  timeline->hide();
  QVERIFY(!timeline->dragging());
  timeline->show();
  press(timeline, {timeline->x_of(20), 12});
  move(timeline, {timeline->x_of(70), 12}, Qt::NoButton);
  QVERIFY2(!timeline->dragging(), "a dialog took the release");
  QCOMPARE(timeline->frame(), 20);
}

const TestPart<MouseTest> kMousePart("mouse");

}  // namespace vantage::ui

#include "mouse_test.moc"
