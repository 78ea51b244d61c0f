#include "tests/ui/scene_view_test.h"

#include <QTest>

#include "tests/ui/support/fake_scene.h"
#include "ui/platform/host_surface.h"
#include "ui/views/scene_view.h"

namespace vantage::ui {
namespace {

struct Shown {
  FakeScene scene;
  SceneView view{[] { return std::make_unique<HostSurface>("test"); }};

  Shown() {
    view.resize(500, 400);
    view.set_project(scene.project());
    view.show();
    view.show_result(scene.result(0, true));
  }
  // Pixels of a saturated colour: the shell's viridis. Floor, frames and words are grey; frusta are thin.
  int colored(const QImage& picture, const QRect& area) {
    int count = 0;
    for (int y = area.top(); y <= area.bottom(); ++y)
      for (int x = area.left(); x <= area.right(); ++x) {
        const QColor color = picture.pixelColor(x, y);
        count += color.hsvSaturation() > 100 && color.value() > 60;
      }
    return count;
  }
};

}  // namespace

void SceneViewTest::draws_points_where_the_person_is() {
  Shown shown;
  const QImage with = shown.view.grabFramebuffer();
  QVERIFY(shown.view.point_count() > 100);
  shown.view.show_result(shown.scene.result(0, false));
  const QImage without = shown.view.grabFramebuffer();
  QCOMPARE(shown.view.point_count(), int64_t{0});
  const QRect all = with.rect().adjusted(0, 0, 0, -60);  // without the legend
  QVERIFY2(shown.colored(with, all) > shown.colored(without, all) + 500,
           qPrintable(QString("%1 and %2").arg(shown.colored(with, all)).arg(shown.colored(without, all))));
}

void SceneViewTest::hides_the_volume() {
  Shown shown;
  const QImage with = shown.view.grabFramebuffer();
  shown.view.set_volume_visible(false);
  const QImage without = shown.view.grabFramebuffer();
  QVERIFY(shown.colored(with, with.rect()) > shown.colored(without, without.rect()) + 500);
}

void SceneViewTest::looks_from_above() {
  Shown shown;
  shown.view.set_top(true);
  const QImage picture = shown.view.grabFramebuffer();
  // The person stands at (0.8, 0): right of the middle, at its height.
  const QPoint middle = picture.rect().center();
  const QRect right(middle.x(), middle.y() - 40, 70, 80), left(middle.x() - 70, middle.y() - 40, 70, 80);
  QVERIFY(shown.colored(picture, right) > 200);
  QVERIFY(shown.colored(picture, left) < 20);
}

void SceneViewTest::is_opaque() {
  Shown shown;
  const QImage picture = shown.view.grabFramebuffer();
  for (const QPoint place : {QPoint(5, 5), QPoint(250, 200), QPoint(490, 390)})
    QCOMPARE(qAlpha(picture.pixel(place)), 255);
}

}  // namespace vantage::ui
