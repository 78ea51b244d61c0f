#include <QLabel>
#include <QScreen>
#include <QSettings>
#include <QTest>
#include <array>

#include "tests/ui/support/open_window.h"
#include "tests/ui/support/window_test.h"
#include "ui/main_window/screens/screens_control.h"
#include "ui/views/camera_layout.h"
#include "ui/views/scene_view.h"

namespace vantage::ui {

// Views in windows of their own, and the wall that follows a person.
class ScreensTest final : public WindowTest {
  Q_OBJECT
 private slots:
  void the_next_screen_is_a_free_one();
  void a_view_leaves_the_window_and_comes_back();
  void keys_act_in_a_view_that_has_left();
  void where_views_stand_survives_a_restart();
  void windows_of_views_go_with_the_project();
  void the_large_cell_is_largest_and_none_overlap();
  void a_person_behind_another_is_seen_less();
  void the_choice_of_the_best_view_is_calm();
  void the_wall_enlarges_the_best_view();
};

namespace {

ViewWindow* window_of(const OpenWindow& w, const QWidget* view) {
  return w.window->part<ScreensControl>()->window_of(view);
}

// On the floor of FakeScene, followed.
MarkedPerson person_at_m(double x_m, double y_m, int64_t id = 1) {
  return {id, {x_m, y_m, 0}, 1.75};
}

}  // namespace

void ScreensTest::the_next_screen_is_a_free_one() {
  QCOMPARE(next_screen(1, 0, {}, 0), -1);
  QCOMPARE(next_screen(2, 0, {}, 0), 1);
  QCOMPARE(next_screen(2, 1, {}, 1), 0);
  QCOMPARE(next_screen(2, 0, {1}, 0), 1);  // two views share it
  QCOMPARE(next_screen(3, 0, {1}, 0), 2);
  QCOMPARE(next_screen(3, 0, {}, 1), 2);
  QCOMPARE(next_screen(3, 0, {}, 2), 1);
}

void ScreensTest::a_view_leaves_the_window_and_comes_back() {
  OpenWindow w;
  CameraGrid* cameras = w.window->workspace()->cameras();
  SceneView* scene = w.window->workspace()->scene();
  w.window->action("layout_cameras")->trigger();
  QVERIFY(!scene->isVisible());
  w.key(Qt::Key_1, Qt::ControlModifier | Qt::ShiftModifier);
  QVERIFY(window_of(w, cameras) && cameras->window() == window_of(w, cameras) && cameras->isVisible());
  QVERIFY2(scene->isVisible() && scene->window() == w.window.get(), "the scene has the room then");
  // The pictures are drawn there, too.
  QTRY_VERIFY(!cameras->grabFramebuffer().isNull());
  QCOMPARE(cameras->camera_count(), 4);
  w.window->action("scene_apart")->trigger();
  QVERIFY(window_of(w, scene) && scene->isVisible() && scene->window() != cameras->window());
  const QList<QLabel*> labels = w.window->workspace()->findChildren<QLabel*>();
  QVERIFY(std::any_of(labels.begin(), labels.end(), [](const QLabel* label) {
    return label->isVisible() && label->text().contains("windows of their own");
  }));
  window_of(w, cameras)->close();  // brings it back
  QVERIFY(!window_of(w, cameras) && cameras->window() == w.window.get() && cameras->isVisible());
  QVERIFY(!w.window->action("cameras_apart")->isChecked());
  w.window->action("scene_apart")->trigger();
  QVERIFY(!window_of(w, scene) && scene->window() == w.window.get() && !scene->isVisible());
  w.window->action("layout_both")->trigger();
  QVERIFY(scene->isVisible() && cameras->geometry().left() < scene->geometry().left());
  QTRY_VERIFY(!scene->grabFramebuffer().isNull());
}

void ScreensTest::keys_act_in_a_view_that_has_left() {
  OpenWindow w;
  CameraGrid* cameras = w.window->workspace()->cameras();
  w.window->action("cameras_apart")->trigger();
  QApplication::setActiveWindow(cameras->window());
  cameras->setFocus();
  QTRY_COMPARE(QApplication::focusWidget(), cameras);
  QTest::keyClick(cameras, Qt::Key_2);
  QCOMPARE(cameras->enlarged(), std::optional<int>(1));
  QTest::keyClick(cameras, Qt::Key_Space);
  QTRY_COMPARE(w.last(), QString("play"));
  QTest::keyClick(cameras, Qt::Key_1, Qt::ControlModifier | Qt::ShiftModifier);
  QVERIFY(!window_of(w, cameras));
}

void ScreensTest::where_views_stand_survives_a_restart() {
  {
    OpenWindow w;
    w.window->action("scene_apart")->trigger();
    w.window->action("wall")->trigger();
    w.window->close();
  }
  const QString kept = QSettings().value("screens/scene").toStringList().value(0);
  QVERIFY(!kept.isNull() && kept == QGuiApplication::primaryScreen()->name());
  {
    OpenWindow w;
    SceneView* scene = w.window->workspace()->scene();
    QVERIFY(window_of(w, scene) && scene->isVisible() && w.window->action("scene_apart")->isChecked());
    QVERIFY(w.window->workspace()->cameras()->wall());
    QVERIFY(!window_of(w, w.window->workspace()->cameras()));
  }
  QSettings().setValue("screens/scene", QStringList{"a screen that is gone", "fills", ""});
  OpenWindow w;
  QVERIFY(!window_of(w, w.window->workspace()->scene()) && !w.window->action("scene_apart")->isChecked());
  QVERIFY(w.window->workspace()->scene()->isVisible());
}

void ScreensTest::windows_of_views_go_with_the_project() {
  OpenWindow w;
  SceneView* scene = w.window->workspace()->scene();
  w.window->action("scene_apart")->trigger();
  QVERIFY(scene->isVisible());
  w.window->action("close")->trigger();
  QVERIFY(w.window->shows_start_page() && !scene->isVisible());
  QVERIFY(!w.window->action("scene_apart")->isEnabled());
  w.window->open_project("/somewhere/hall.vantage");
  QTRY_VERIFY(scene->isVisible() && scene->window() == window_of(w, scene));
}

void ScreensTest::the_large_cell_is_largest_and_none_overlap() {
  for (const QSizeF& size : {QSizeF(1920, 1080), QSizeF(1080, 1920), QSizeF(1100, 700)})
    for (const double aspect : {16.0 / 9, 4.0 / 3, 9.0 / 16})
      for (int count = 2; count <= 16; ++count) {
        const QRectF area(QPointF(10, 20), size);
        const std::vector<QRectF> cells = wall_cells(area, count, aspect, 2);
        QCOMPARE(cells.size(), static_cast<size_t>(count));
        for (size_t i = 0; i < cells.size(); ++i) {
          QVERIFY(area.adjusted(-1e-6, -1e-6, 1e-6, 1e-6).contains(cells[i]));
          QVERIFY(std::abs(cells[i].width() / cells[i].height() - aspect) < 1e-6);
          if (i > 0)
            QVERIFY(cells[i].width() >= cells[0].width() / 6 && cells[i].width() <= 1.001 * area.width());
          for (size_t j = 0; j < i; ++j)
            QVERIFY(!cells[i].adjusted(0.1, 0.1, -0.1, -0.1).intersects(cells[j]));
        }
        // Larger than where all are alike.
        QVERIFY2(cells[0].width() >= grid_cells(area, count, aspect, 2)[0].width() - 1e-6,
                 qPrintable(QString("%1 of %2").arg(count).arg(aspect)));
      }
}

void ScreensTest::a_person_behind_another_is_seen_less() {
  const Project project = FakeScene{}.project();
  const Camera& camera = *project.cameras[0].calibration;
  const Eigen::Vector3d eye = camera.center_in_world_m();
  const MarkedPerson person = person_at_m(0, 0);
  const double free = seen_share(camera, person, std::array{person});
  QVERIFY(free > 0.1 && free <= 1);
  // Between the camera and the person, and as far away on the other side.
  const MarkedPerson before = person_at_m(0.2 * eye.x(), 0.2 * eye.y(), 2),
                     behind = person_at_m(-0.2 * eye.x(), -0.2 * eye.y(), 3);
  QVERIFY(seen_share(camera, person, std::array{person, before}) < 0.6 * free);
  QCOMPARE(seen_share(camera, person, std::array{person, behind}), free);
  // Behind the camera, nobody.
  QCOMPARE(seen_share(camera, person_at_m(2 * eye.x(), 2 * eye.y()), {}), 0.0);
}

void ScreensTest::the_choice_of_the_best_view_is_calm() {
  const auto shares = [](double a, double b) { return std::array{a, b}; };
  CalmChoice choice;
  QVERIFY(!choice.choose(shares(0, 0), 0));
  QCOMPARE(choice.choose(shares(0.5, 0.4), 0.04), std::optional<int>(0));
  // A little better is no reason, however long; much better for a moment neither.
  for (int i = 2; i < 60; ++i) QCOMPARE(choice.choose(shares(0.4, 0.45), 0.04 * i), std::optional<int>(0));
  int changes = 0;
  std::optional<int> last = 0;
  for (int i = 60; i < 260; ++i) {
    const auto now = choice.choose(i / 5 % 2 == 0 ? shares(0.8, 0.2) : shares(0.2, 0.8), 0.04 * i);
    changes += now != last;
    last = now;
  }
  QCOMPARE(changes, 0);
  // Much better for long, also where it is played backwards.
  double time_s = 12;
  choice.choose(shares(0.5, 0.5), time_s);
  for (int i = 0; i < 19; ++i)
    QCOMPARE(choice.choose(shares(0.2, 0.5), time_s -= 0.04), std::optional<int>(0));
  for (int i = 0; i < 3; ++i) last = choice.choose(shares(0.2, 0.5), time_s -= 0.04);
  QCOMPARE(last, std::optional<int>(1));
  // Out of sight: sooner; after a jump: at once.
  for (int i = 0; i < 9; ++i) last = choice.choose(shares(0.2, 0), time_s += 0.04);
  QCOMPARE(last, std::optional<int>(0));
  QCOMPARE(choice.choose(shares(0.2, 0.5), 500), std::optional<int>(1));
  QCOMPARE(choice.choose(shares(0, 0), 500.04), std::optional<int>(1));
}

void ScreensTest::the_wall_enlarges_the_best_view() {
  OpenWindow w;
  CameraGrid* cameras = w.window->workspace()->cameras();
  const QRectF alike = cameras->picture_area(2);
  w.window->action("wall")->trigger();
  QVERIFY2(!cameras->largest(), "nobody is followed");
  QCOMPARE(cameras->picture_area(2), alike);
  // Near to one camera and far from the one across.
  const auto near_m = [&](size_t camera) {
    const Eigen::Vector3d eye = w.session().project().cameras[camera].calibration->center_in_world_m();
    return person_at_m(0.3 * eye.x(), 0.3 * eye.y());
  };
  const auto share = [&](size_t of, size_t near) {
    return seen_share(*w.session().project().cameras[of].calibration, near_m(near), {});
  };
  const auto best = [&](size_t near) {
    int found = 0;
    for (size_t i = 1; i < 4; ++i)
      if (share(i, near) > share(static_cast<size_t>(found), near)) found = static_cast<int>(i);
    return found;
  };
  cameras->follow(near_m(1), 1);
  QCOMPARE(cameras->largest(), std::optional<int>(best(1)));
  const int first = best(1), second = best(3);
  QVERIFY(first != second);
  cameras->follow(near_m(3), 100);
  QCOMPARE(cameras->largest(), std::optional<int>(second));
  cameras->follow(std::nullopt);
  QVERIFY(!cameras->largest());
  QCOMPARE(cameras->picture_area(2), alike);
}

const TestPart<ScreensTest> kScreensPart("screens");

}  // namespace vantage::ui

#include "screens_test.moc"
