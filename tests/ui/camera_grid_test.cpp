#include "tests/ui/camera_grid_test.h"

#include <QSignalSpy>
#include <QTest>
#include <cmath>

#include "tests/ui/support/fake_scene.h"
#include "ui/platform/host_surface.h"
#include "ui/views/camera_grid.h"

namespace vantage::ui {
namespace {

struct Shown {
  FakeScene scene;
  CameraGrid grid{[] { return std::make_unique<HostSurface>("test"); }};

  explicit Shown(FakeScene made = {}) : scene(made) {
    grid.resize(640, 480);
    grid.set_cameras(scene.project().cameras);
    grid.show();
    grid.show_result(scene.result(10, true));
  }
  QColor at(const QPointF& place) { return grid.grabFramebuffer().pixelColor(place.toPoint()); }
  // Where the person's middle is drawn.
  QPointF person(int camera) {
    const Camera model = *scene.project().cameras[static_cast<size_t>(camera)].calibration;
    const Eigen::Vector2d pixel = *model.project(scene.person_in_world_m(10));
    const QRectF area = grid.picture_area(camera);
    return {area.left() + (pixel.x() + 0.5) / model.width_px() * area.width(),
            area.top() + (pixel.y() + 0.5) / model.height_px() * area.height()};
  }
};

// BT.601, limited range, of the ellipsoid's cloth (150, 105, 160).
constexpr int kClothRed = 207, kClothBlue = 110;

}  // namespace

void CameraGridTest::shows_every_camera_in_its_colours() {
  Shown shown;
  shown.grid.set_foreground_visible(false);
  for (int camera = 0; camera < 4; ++camera) {
    const QColor color = shown.at(shown.person(camera));
    QVERIFY2(std::abs(color.red() - kClothRed) <= 2, qPrintable(color.name()));
    QVERIFY2(std::abs(color.blue() - kClothBlue) <= 2, qPrintable(color.name()));
  }
}

void CameraGridTest::overlay_is_switched_at_once() {
  Shown shown;
  const QColor tinted = shown.at(shown.person(0));
  // 35 % of #56B4E9 over the cloth.
  QVERIFY(std::abs(tinted.red() - (0.65 * kClothRed + 0.35 * 0x56)) <= 3);
  QVERIFY(std::abs(tinted.blue() - (0.65 * kClothBlue + 0.35 * 0xe9)) <= 3);
  shown.grid.set_bare(true);
  QVERIFY(std::abs(shown.at(shown.person(0)).red() - kClothRed) <= 2);
  shown.grid.set_bare(false);
  QCOMPARE(shown.at(shown.person(0)), tinted);
  shown.grid.set_foreground_visible(false);
  QVERIFY(shown.at(shown.person(0)) != tinted);
}

void CameraGridTest::enlarges_one_camera() {
  Shown shown;
  shown.grid.set_foreground_visible(false);
  const QRectF small = shown.grid.picture_area(2);
  QSignalSpy changes(&shown.grid, &CameraGrid::enlarged_changed);
  shown.grid.enlarge(2);
  QCOMPARE(changes.count(), 1);
  QVERIFY(shown.grid.picture_area(2).width() > 1.9 * small.width());
  QVERIFY(std::abs(shown.at(shown.person(2)).red() - kClothRed) <= 2);
  shown.grid.enlarge(7);  // no such camera
  QCOMPARE(shown.grid.enlarged(), std::optional<int>(2));
  shown.grid.enlarge(std::nullopt);
  QCOMPARE(shown.grid.picture_area(2), small);
}

void CameraGridTest::says_why_a_frame_is_missing() {
  FakeScene scene;
  scene.without_picture = 1;
  Shown shown(scene);
  const QImage picture = shown.grid.grabFramebuffer();
  const QRectF area = shown.grid.picture_area(1).adjusted(10, 40, -10, -10);
  int words = 0;
  for (int y = static_cast<int>(area.top()); y < area.bottom(); ++y)
    for (int x = static_cast<int>(area.left()); x < area.right(); ++x)
      words += picture.pixelColor(x, y).lightness() > 100;
  QVERIFY2(words > 50, "no words where the picture would be");
  QVERIFY2(words < area.width() * area.height() / 4, "something else than words there");
}

void CameraGridTest::pointing_at_the_floor_names_the_place() {
  Shown shown;
  std::optional<Eigen::Vector3d> place;
  connect(&shown.grid, &CameraGrid::pointed, &shown.grid,
          [&](const std::optional<Eigen::Vector3d>& p) { place = p; });
  const Camera model = *shown.scene.project().cameras[0].calibration;
  const Eigen::Vector3d wanted(0.5, -0.25, 0);
  const Eigen::Vector2d pixel = *model.project(wanted);
  const QRectF area = shown.grid.picture_area(0);
  const QPointF mouse(area.left() + (pixel.x() + 0.5) / model.width_px() * area.width(),
                      area.top() + (pixel.y() + 0.5) / model.height_px() * area.height());
  QMouseEvent move(QEvent::MouseMove, mouse, shown.grid.mapToGlobal(mouse), Qt::NoButton, Qt::NoButton, {});
  QCoreApplication::sendEvent(&shown.grid, &move);
  QVERIFY(place.has_value());
  QVERIFY((*place - wanted).norm() < 1e-3);
}

}  // namespace vantage::ui
