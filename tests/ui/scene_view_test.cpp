#include <QMouseEvent>
#include <QObject>
#include <QTest>
#include <cmath>

#include "core/display/depth_picture.h"
#include "core/display/shell_points.h"
#include "tests/ui/support/fake_scene.h"
#include "tests/ui/support/window_test.h"
#include "ui/platform/host_surface.h"
#include "ui/views/scene_view.h"
#include "ui/widgets/theme.h"

namespace vantage::ui {

class SceneViewTest final : public QObject {
  Q_OBJECT
 private slots:
  void draws_points_where_the_person_is();
  void hides_the_volume();
  void looks_from_above();
  void skeletons_are_lines_in_the_persons_colour();
  void people_have_rings_numbers_and_colours();
  void figures_draw_the_same_scene();
  void a_box_is_dragged_by_its_handles();
  void is_opaque();
};

namespace {

struct ShownScene {
  FakeScene scene;
  SceneView view{[] { return std::make_unique<HostSurface>("test"); }};

  ShownScene() {
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
  ShownScene shown;
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
  ShownScene shown;
  const QImage with = shown.view.grabFramebuffer();
  shown.view.set_volume_visible(false);
  const QImage without = shown.view.grabFramebuffer();
  QVERIFY(shown.colored(with, with.rect()) > shown.colored(without, without.rect()) + 500);
}

void SceneViewTest::looks_from_above() {
  ShownScene shown;
  shown.view.set_top(true);
  const QImage picture = shown.view.grabFramebuffer();
  // The person stands at (0.8, 0): right of the middle, at its height.
  const QPoint middle = picture.rect().center();
  const QRect right(middle.x(), middle.y() - 40, 70, 80), left(middle.x() - 70, middle.y() - 40, 70, 80);
  QVERIFY(shown.colored(picture, right) > 200);
  QVERIFY(shown.colored(picture, left) < 20);
}

void SceneViewTest::skeletons_are_lines_in_the_persons_colour() {
  ShownScene shown;
  shown.view.set_volume_visible(false);
  const QImage before = shown.view.grabFramebuffer();
  Marks marks;
  marks.skeletons = {{4, {{{Eigen::Vector3d(0.8, 0, 0.1), Eigen::Vector3d(0.8, 0, 1.7)}}}}};
  shown.view.set_marks(marks);
  const QImage with = shown.view.grabFramebuffer();
  QVERIFY(shown.colored(with, with.rect()) > shown.colored(before, before.rect()) + 50);
}

void SceneViewTest::people_have_rings_numbers_and_colours() {
  ShownScene shown;
  shown.view.set_volume_visible(false);
  const QImage before = shown.view.grabFramebuffer();
  Marks marks;
  marks.people = marks.everybody = {{4, {0.8, 0, 0}, 1.8}};
  shown.view.set_marks(marks);
  const QImage with = shown.view.grabFramebuffer();
  QVERIFY(shown.colored(with, with.rect()) > shown.colored(before, before.rect()) + 100);
  // The shell takes the person's colour, and viridis when asked.
  shown.view.set_volume_visible(true);
  const auto vermilion = [&] {
    const QImage picture = shown.view.grabFramebuffer();
    int count = 0;
    for (int y = 0; y < picture.height(); ++y)
      for (int x = 0; x < picture.width(); ++x) {
        const QColor color = picture.pixelColor(x, y);
        count += std::abs(color.hsvHue() - person_color(4).hsvHue()) < 12 && color.hsvSaturation() > 150;
      }
    return count;
  };
  const int by_person = vermilion();
  shown.view.set_color_by_person(false);
  QVERIFY2(by_person > vermilion() + 400, qPrintable(QString::number(by_person)));
}

// A figure's scene is that of the window: the same colours at the same pixels, but for edges and letters.
void SceneViewTest::figures_draw_the_same_scene() {
  ShownScene shown;
  Marks marks;
  marks.everybody = {{4, shown.scene.person_in_world_m(0), 1.8}};
  shown.view.set_marks(marks);
  const QImage window = shown.view.grabFramebuffer();
  const Project project = shown.scene.project();
  const FrameResultRef result = shown.scene.result(0, true);
  const CarvedVolume& volume = *result->volume();
  const std::vector<Camera> cameras = project.calibrations();
  const FloorArea floor = floor_area(cameras, &volume.grid);
  OrbitCamera eye;
  frame_scene(floor, cameras, &eye);
  DepthPicture picture(eye.projection(window.width(), window.height()));
  picture.add_lines(floor_segments(floor).metres, kSceneMetre, 1);
  picture.add_lines(floor_segments(floor).axes, kSceneAxis, 1);
  picture.add_lines(box_segments(volume.grid), kSceneBox, 1);
  for (size_t i = 0; i < cameras.size(); ++i)
    picture.add_lines(frustum_segments(cameras[i], frustum_length_m(floor)), camera_rgb(static_cast<int>(i)),
                      kFrustumLine_px);
  const std::span<const uint32_t> ids(volume.shell_ids.get()->view<uint32_t>().data,
                                      static_cast<size_t>(volume.counts.get()->shell));
  const std::vector<ShellPerson> people = {{marks.everybody[0].position_in_world_m.x(),
                                            marks.everybody[0].position_in_world_m.y(), person_rgb(4)}};
  for (const ShellPoint& point : shell_points(volume.grid, ids, {}))
    picture.add_ball(Eigen::Vector3f(point.x_m, point.y_m, point.z_m).cast<double>(),
                     kShellBallSize * volume.grid.voxel_size_m,
                     shell_color_by_person(double(point.x_m), double(point.y_m), people));
  Canvas canvas = Canvas::make(window.width(), window.height(), kSceneGround).value();
  picture.draw(canvas.whole(), kSceneGround, canvas);
  const Image drawn = canvas.image().value();
  int apart = 0, bright = 0, bright_apart = 0;
  for (int y = 0; y < window.height() - 60; ++y)  // without the legend
    for (int x = 0; x < window.width(); ++x) {
      const QColor a = window.pixelColor(x, y);
      const uint8_t* b = drawn.view<uint8_t>().row(y) + 3 * x;
      const int most =
          std::max({std::abs(a.red() - b[0]), std::abs(a.green() - b[1]), std::abs(a.blue() - b[2])});
      const bool person = b[0] > 90 && b[2] < 30;  // the shell, in the person's vermilion
      apart += most > 40;
      bright += person;
      bright_apart += person && most > 40;
    }
  QVERIFY2(bright > 300, qPrintable(QString::number(bright)));
  QVERIFY2(bright_apart < bright / 10, qPrintable(QString("%1 of %2").arg(bright_apart).arg(bright)));
  QVERIFY2(apart < window.width() * window.height() / 25, qPrintable(QString::number(apart)));
}

void SceneViewTest::a_box_is_dragged_by_its_handles() {
  ShownScene shown;
  shown.view.set_top(true);
  shown.view.gizmo()->set_box(UprightBox{{0.2, -0.1, 0}, {1, 0.6, 1.8}, 0}, true);
  shown.view.grabFramebuffer();
  const auto mouse = [&](QEvent::Type type, const QPointF& at, Qt::MouseButton button) {
    QMouseEvent event(type, at, shown.view.mapToGlobal(at), button, button, {});
    QCoreApplication::sendEvent(&shown.view, &event);
  };
  // From above, positions on the floor are linear in pixels: two of them tell where the others are.
  std::optional<Eigen::Vector3d> floor;
  connect(&shown.view, &SceneView::pointed, &shown.view, [&](const auto& position) { floor = position; });
  mouse(QEvent::MouseMove, {100, 100}, Qt::NoButton);
  const Eigen::Vector3d a = floor.value();
  mouse(QEvent::MouseMove, {300, 200}, Qt::NoButton);
  const Eigen::Vector3d b = floor.value();
  const auto pixel = [&](double x, double y) {
    return QPointF(100 + 200 * (x - a.x()) / (b.x() - a.x()), 100 + 100 * (y - a.y()) / (b.y() - a.y()));
  };
  std::optional<UprightBox> box;
  bool done = false;
  connect(shown.view.gizmo(), &BoxGizmo::edited, &shown.view, [&](const UprightBox& edited, bool finished) {
    box = edited;
    done = finished;
  });
  mouse(QEvent::MouseButtonPress, pixel(0.7, -0.1), Qt::LeftButton);  // the side with the larger x
  mouse(QEvent::MouseMove, pixel(1.0, 0.4), Qt::LeftButton);
  QVERIFY(box.has_value());
  QVERIFY(!done);
  mouse(QEvent::MouseButtonRelease, pixel(1.0, 0.4), Qt::LeftButton);
  QVERIFY(done);
  QVERIFY2(std::abs(box->size_m.x() - 1.3) < 0.01, qPrintable(QString::number(box->size_m.x())));
  QCOMPARE(box->size_m.y(), 0.6);
  QVERIFY(std::abs(box->base_in_world_m.x() - 0.35) < 0.01);
  // Beside the handles the scene is panned, not the box.
  box.reset();
  mouse(QEvent::MouseButtonPress, pixel(-1.5, -1.2), Qt::LeftButton);
  mouse(QEvent::MouseMove, pixel(-1.2, -1.2), Qt::LeftButton);
  mouse(QEvent::MouseButtonRelease, pixel(-1.2, -1.2), Qt::LeftButton);
  QVERIFY(!box.has_value());
}

void SceneViewTest::is_opaque() {
  ShownScene shown;
  const QImage picture = shown.view.grabFramebuffer();
  for (const QPoint position : {QPoint(5, 5), QPoint(250, 200), QPoint(490, 390)})
    QCOMPARE(qAlpha(picture.pixel(position)), 255);
}

const TestPart<SceneViewTest> kSceneViewPart("scene_view");

}  // namespace vantage::ui

#include "scene_view_test.moc"
