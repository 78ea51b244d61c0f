#include <QApplication>

#include "core/foreground/ignored_painter.h"
#include "core/pipeline/artifacts.h"
#include "tests/ui/support/floor_window.h"
#include "tests/ui/support/session_window.h"
#include "tests/ui/support/window_test.h"
#include "ui/main_window/cameras/ignored_control.h"
#include "ui/main_window/measure/measure_control.h"
#include "ui/main_window/workspace.h"
#include "ui/views/camera_grid.h"
#include "ui/widgets/message_bar.h"

namespace vantage::ui {

// Parts of the pictures that do not count, drawn over real footage: by mouse and keys, undone, removed, kept.
class IgnoredTest final : public WindowTest {
  Q_OBJECT
 private slots:
  void a_polygon_is_drawn_undone_and_kept();
  void it_is_closed_by_key_corner_and_double_click();
  void regions_are_chosen_and_removed();
  void what_is_no_region_is_refused_and_loses_nothing();
  void other_tools_and_the_switch_end_it();
};

namespace {

class IgnoredWindow : public SessionWindow {
 public:
  IgnoredWindow() : SessionWindow(2, 12) {
    show({1366, 768});
    open();
    QTRY_VERIFY(window->state().shown());
  }
  ~IgnoredWindow() { window.reset(); }

  CameraGrid* cameras() const { return window->workspace()->cameras(); }
  IgnoredControl& control() const { return *window->part<IgnoredControl>(); }
  const IgnoredRegions& regions(size_t camera) const {
    return window->state().project().cameras[camera].ignored;
  }
  QPointF at(int camera, double x, double y) const {
    const QRectF area = cameras()->picture_area(camera);
    return {area.left() + (x + 0.5) * area.width() / test::kWidth,
            area.top() + (y + 0.5) * area.height() / test::kHeight};
  }
  void key(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) const {
    QTest::keyClick(QApplication::focusWidget() ? QApplication::focusWidget() : window.get(), key, modifiers);
    QCoreApplication::processEvents();
  }
  void start() const {
    cameras()->setFocus();
    key(Qt::Key_I, Qt::ShiftModifier);
    QVERIFY(control().drawing());
  }
  void corners(int camera, const std::vector<QPointF>& corners) const {
    for (const QPointF& corner : corners) click(cameras(), at(camera, corner.x(), corner.y()));
  }
  void draw(int camera, double left, double top, double right, double bottom) const {
    corners(camera, {{left, top}, {right, top}, {right, bottom}, {left, bottom}});
    key(Qt::Key_Return);
  }
  // Of the shown frame's foreground, once it is analysed with this project; -1: it has none.
  int level(size_t camera, int x, int y) const {
    const auto& shown = window->state().shown();
    const ForegroundArtifact* foreground = shown ? shown->result->foreground() : nullptr;
    if (!foreground || !foreground->cameras[camera].indicator) return -1;
    return foreground->cameras[camera].indicator.view<uint8_t>().at(x, y);
  }
};

bool near(const IgnoredRegion& region, const std::vector<QPointF>& corners) {
  bool same = region.corners_px.size() == corners.size();
  for (size_t i = 0; same && i < corners.size(); ++i)
    same = std::abs(region.corners_px[i].x() - corners[i].x()) < 0.6 &&
           std::abs(region.corners_px[i].y() - corners[i].y()) < 0.6;
  return same;
}

}  // namespace

void IgnoredTest::a_polygon_is_drawn_undone_and_kept() {
  IgnoredWindow w;
  w.start();
  const std::vector<QPointF> wanted = {{10, 8}, {40, 8}, {40, 20}};
  w.corners(1, wanted);
  QCOMPARE(w.cameras()->ignored().drawn.size(), 3);
  QCOMPARE(w.cameras()->ignored().drawn_camera, 1);
  w.key(Qt::Key_Return);
  QTRY_COMPARE(w.regions(1).size(), size_t{1});
  QVERIFY(near(w.regions(1)[0], wanted));
  QVERIFY(w.regions(0).empty());
  QTRY_COMPARE(w.cameras()->ignored().regions.size(), size_t{1});
  QCOMPARE(w.cameras()->ignored().drawn_camera, -1);
  QVERIFY2(w.control().drawing(), "for the next one");
  // The frame is analysed again: undecided there.
  QTRY_COMPARE(w.level(1, 35, 11), int{kIgnoredLevel});
  QVERIFY(w.level(1, 12, 18) != kIgnoredLevel);
  keep_picture(*w.window, "ignored");
  QCOMPARE(w.window->action("undo")->text(), QString("&Undo Ignore a part of cam2"));
  w.window->action("undo")->trigger();
  QTRY_VERIFY(w.regions(1).empty());
  QTRY_VERIFY(w.level(1, 35, 11) >= 0 && w.level(1, 35, 11) != kIgnoredLevel);
  QVERIFY(w.cameras()->ignored().regions.empty());
  w.window->action("redo")->trigger();
  QTRY_COMPARE(w.regions(1).size(), size_t{1});
  const Project saved =
      w.saved([](const Project& project) { return project.cameras[1].ignored.size() == 1; });
  QVERIFY(saved.cameras[1].ignored == w.regions(1));
}

void IgnoredTest::it_is_closed_by_key_corner_and_double_click() {
  IgnoredWindow w;
  w.start();
  // Backspace removes the last corner, Esc the polygon, and then the tool ends.
  w.corners(0, {{10, 8}, {40, 8}, {40, 60}});
  w.key(Qt::Key_Backspace);
  QCOMPARE(w.cameras()->ignored().drawn.size(), 2);
  w.corners(0, {{40, 20}, {10, 20}, {10, 8}});  // the first one again
  QTRY_COMPARE(w.regions(0).size(), size_t{1});
  QVERIFY(near(w.regions(0)[0], {{10, 8}, {40, 8}, {40, 20}, {10, 20}}));
  w.corners(0, {{60, 30}, {80, 30}});
  click(w.cameras(), w.at(0, 80, 50));
  send(w.cameras(), QEvent::MouseButtonDblClick, w.at(0, 80, 50), Qt::LeftButton, Qt::LeftButton);
  QTRY_COMPARE(w.regions(0).size(), size_t{2});
  QCOMPARE(w.regions(0)[1].corners_px.size(), size_t{3});
  w.corners(0, {{60, 55}, {80, 55}});
  w.key(Qt::Key_Escape);
  QVERIFY(w.cameras()->ignored().drawn.isEmpty() && w.control().drawing());
  w.key(Qt::Key_Escape);
  QVERIFY(!w.control().drawing());
  QCOMPARE(w.regions(0).size(), size_t{2});
  QVERIFY2(!w.cameras()->enlarged(), "a double-click was the tool's");
}

void IgnoredTest::regions_are_chosen_and_removed() {
  IgnoredWindow w;
  QAction* const remove = w.window->action("remove_ignored_region");
  QVERIFY(!remove->isEnabled() && !w.window->action("next_ignored_region")->isEnabled());
  w.start();
  w.draw(0, 10, 8, 30, 20);
  QTRY_COMPARE(w.regions(0).size(), size_t{1});
  w.draw(1, 50, 30, 80, 50);
  QTRY_COMPARE(w.regions(1).size(), size_t{1});
  QCOMPARE(w.control().chosen(), (IgnoredControl::Chosen{1, 0}));
  w.corners(0, {{20, 14}});  // on the first: chosen, and no corner
  QCOMPARE(w.control().chosen(), (IgnoredControl::Chosen{0, 0}));
  QVERIFY(w.cameras()->ignored().drawn.isEmpty());
  QVERIFY(w.cameras()->ignored().regions[0].chosen && !w.cameras()->ignored().regions[1].chosen);
  w.key(Qt::Key_Escape);
  w.key(Qt::Key_G, Qt::ShiftModifier);
  QCOMPARE(w.control().chosen(), (IgnoredControl::Chosen{1, 0}));
  w.key(Qt::Key_G, Qt::ShiftModifier);
  QCOMPARE(w.control().chosen(), (IgnoredControl::Chosen{0, 0}));
  w.key(Qt::Key_Backspace, Qt::AltModifier | Qt::ShiftModifier);
  QTRY_VERIFY(w.regions(0).empty());
  QCOMPARE(w.regions(1).size(), size_t{1});
  QTRY_VERIFY(!remove->isEnabled());
  w.window->action("undo")->trigger();
  QTRY_COMPARE(w.regions(0).size(), size_t{1});
}

void IgnoredTest::what_is_no_region_is_refused_and_loses_nothing() {
  IgnoredWindow w;
  w.start();
  w.corners(0, {{10, 8}, {40, 8}});
  w.key(Qt::Key_Return);
  QCOMPARE(w.cameras()->ignored().drawn.size(), 2);
  w.corners(1, {{10, 8}});  // another camera's: begins there
  QCOMPARE(w.cameras()->ignored().drawn_camera, 1);
  QCOMPARE(w.cameras()->ignored().drawn.size(), 1);
  QVERIFY(w.regions(0).empty() && w.regions(1).empty());
}

void IgnoredTest::other_tools_and_the_switch_end_it() {
  IgnoredWindow w;
  w.start();
  w.draw(0, 10, 8, 30, 20);
  QTRY_COMPARE(w.regions(0).size(), size_t{1});
  w.corners(0, {{60, 30}});
  w.window->action("draw_zone")->trigger();
  QVERIFY(!w.control().drawing());
  QVERIFY(w.cameras()->ignored().drawn.isEmpty());
  w.key(Qt::Key_Escape);
  QCOMPARE(w.cameras()->ignored().regions.size(), size_t{1});
  w.key(Qt::Key_I, Qt::ControlModifier);
  QVERIFY2(w.cameras()->ignored().regions.empty(), "hidden");
  w.start();
  QCOMPARE(w.cameras()->ignored().regions.size(), size_t{1});
  w.key(Qt::Key_I, Qt::ShiftModifier);
  QVERIFY(!w.control().drawing() && w.cameras()->ignored().regions.empty());
}

const TestPart<IgnoredTest> kIgnoredPart("ignored");

}  // namespace vantage::ui

#include "ignored_test.moc"
