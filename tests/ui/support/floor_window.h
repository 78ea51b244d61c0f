// A window whose views are clicked into where the floor is.
#pragma once

#include <QMouseEvent>
#include <QTableWidget>
#include <functional>

#include "tests/ui/support/open_window.h"
#include "ui/panels/floor_panel.h"
#include "ui/views/scene_view.h"

namespace vantage::ui {

inline void send(QWidget* to, QEvent::Type type, const QPointF& at, Qt::MouseButton button,
                 Qt::MouseButtons held = {}) {
  QMouseEvent event(type, at, to->mapToGlobal(at), button, held, {});
  QCoreApplication::sendEvent(to, &event);
}
inline void press(QWidget* in, const QPointF& at) {
  send(in, QEvent::MouseButtonPress, at, Qt::LeftButton, Qt::LeftButton);
}
inline void move(QWidget* in, const QPointF& at, Qt::MouseButtons held = Qt::LeftButton) {
  send(in, QEvent::MouseMove, at, Qt::NoButton, held);
}
inline void release(QWidget* in, const QPointF& at) {
  send(in, QEvent::MouseButtonRelease, at, Qt::LeftButton);
}
inline void click(QWidget* in, const QPointF& at) {
  press(in, at);
  release(in, at);
}

class FloorWindow : public OpenWindow {
 public:
  CameraGrid* cameras() const { return window->workspace()->cameras(); }
  SceneView* scene() const { return window->workspace()->scene(); }
  const Project& project() { return session().project(); }

  // Where a position on the floor is in the first camera's picture.
  QPointF in_camera(double x_m, double y_m) { return in_picture({x_m, y_m, 0}); }
  QPointF in_picture(const Eigen::Vector3d& point_in_world_m) {
    const Camera camera = *project().cameras[0].calibration;
    const Eigen::Vector2d pixel = camera.project(point_in_world_m).value();
    const QRectF area = cameras()->picture_area(0);
    return {area.left() + (pixel.x() + 0.5) * area.width() / camera.width_px(),
            area.top() + (pixel.y() + 0.5) * area.height() / camera.height_px()};
  }
  // From above positions are linear in pixels: two of them tell where the others are.
  QPointF in_scene(double x_m, double y_m) {
    if (!scene()->top()) window->action("top")->trigger();
    scene()->grabFramebuffer();
    std::optional<Eigen::Vector3d> floor;
    const auto watched = QObject::connect(scene(), &SceneView::pointed, [&](const auto& at) { floor = at; });
    move(scene(), {100, 100}, Qt::NoButton);
    const Eigen::Vector3d a = floor.value();
    move(scene(), {200, 200}, Qt::NoButton);
    const Eigen::Vector3d b = floor.value();
    QObject::disconnect(watched);
    return {100 + 100 * (x_m - a.x()) / (b.x() - a.x()), 100 + 100 * (y_m - a.y()) / (b.y() - a.y())};
  }
  // Shown, with its handles.
  void add_box(const UprightBox& box) {
    session().post(command::Edit{"box", [box](Project& changed) { changed.boxes = {{"box 1", box}}; }});
    QCoreApplication::processEvents();
    window->action("box")->setChecked(true);
  }
  void add_zones() {
    session().post(command::Edit{"zones", [](Project& changed) {
                                   changed.zones = {{"first", {{-0.3, -0.3}, {0.3, -0.3}, {0.3, 0.3}}},
                                                    {"second", {{0.5, 0.5}, {0.9, 0.5}, {0.9, 0.9}}}};
                                 }});
    QTRY_COMPARE(window->part<FloorPanel>()->table()->rowCount(), 2);
  }
};

}  // namespace vantage::ui
