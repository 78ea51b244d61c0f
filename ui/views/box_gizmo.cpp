#include "ui/views/box_gizmo.h"

#include <QWidget>
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "ui/widgets/theme.h"

namespace vantage::ui {
namespace {

constexpr double kReach_px = 11, kEdgeReach_px = 5;

double distance_px(const QPointF& from, const QPointF& to, const QPointF& at) {
  const QPointF along = to - from, off = at - from;
  const double length2 = QPointF::dotProduct(along, along);
  const double share = length2 > 0 ? std::clamp(QPointF::dotProduct(off, along) / length2, 0.0, 1.0) : 0;
  const QPointF aside = off - share * along;
  return std::hypot(aside.x(), aside.y());
}

// Distance to the edges as drawn, through the lens.
double distance_to_edges_px(const MarkView& view, const UprightBox& box, const QPointF& at) {
  const auto corners = box.corners_in_world_m();
  double nearest = INFINITY;
  for (const auto& [from, to] : kBoxEdges) {
    const std::array<Eigen::Vector3d, 2> edge = {corners[from], corners[to]};
    for (const PixelStrip& strip : project_polyline(view.world, edge, false))
      for (size_t i = 0; i + 1 < strip.size(); ++i) {
        const QPointF a = view.widget_from_view.map(QPointF(strip[i].x(), strip[i].y())),
                      b = view.widget_from_view.map(QPointF(strip[i + 1].x(), strip[i + 1].y()));
        nearest = std::min(nearest, distance_px(a, b, at));
      }
  }
  return nearest;
}

// The cursor whose arrows are closest to a direction on the screen.
Qt::CursorShape arrows_along(const QPointF& direction) {
  constexpr Qt::CursorShape kShapes[] = {Qt::SizeHorCursor, Qt::SizeFDiagCursor, Qt::SizeVerCursor,
                                         Qt::SizeBDiagCursor};
  const double eighths = std::atan2(direction.y(), direction.x()) / (M_PI / 4);
  return kShapes[(std::lround(eighths) + 8) % 4];
}

}  // namespace

BoxGizmo::BoxGizmo(QWidget* view) : QObject(view), view_(view) {}

void BoxGizmo::set_box(std::optional<UprightBox> box, bool turns) {
  if (held_ && box && turns == turns_) return;
  const bool lost = std::exchange(held_, std::nullopt).has_value();
  box_ = box;
  turns_ = turns;
  if (!box_) leave();
  view_->update();
  if (lost) emit given_up();
}

bool BoxGizmo::offers(BoxHandle handle, bool from_above) const {
  switch (handle) {
    case BoxHandle::turn:
      return turns_;
    case BoxHandle::lift:
      return turns_ && !from_above;
    case BoxHandle::top:
      return !from_above;  // a view from above shows no height
    default:
      return true;
  }
}

std::optional<QPointF> BoxGizmo::shown_at(const MarkView& view, BoxHandle handle) const {
  if (!box_ || !offers(handle, view.from_above)) return std::nullopt;
  const auto at = widget_position(view, handle_in_world_m(*box_, handle));
  return at && view.visible.contains(*at) ? at : std::nullopt;
}

void BoxGizmo::draw(QPainter& painter, const MarkView& view) const {
  painter.setRenderHint(QPainter::Antialiasing);
  if (const auto lift = shown_at(view, BoxHandle::lift), top = shown_at(view, BoxHandle::top); lift && top) {
    painter.setPen(QPen(Qt::black, 3));
    painter.drawLine(*top, *lift);
    painter.setPen(QPen(Qt::white, 1.5));
    painter.drawLine(*top, *lift);
  }
  for (const BoxHandle handle : kBoxHandles)
    if (const auto at = shown_at(view, handle)) draw_handle(painter, *at, handle);
}

// Draws a handle: a ring turns, a cross moves, an arrow lifts, a disc moves a side.
void BoxGizmo::draw_handle(QPainter& painter, const QPointF& at, BoxHandle handle) const {
  const bool active = held_ ? held_->handle == handle : hovered_ == handle;
  const QColor color = active ? QColor(kSelection) : QColor(Qt::white);
  const double radius = handle == BoxHandle::move ? 7 : 5;
  painter.setPen(QPen(Qt::black, 1.5));
  painter.setBrush(color);
  if (handle == BoxHandle::lift) {
    const QPointF arrow[] = {at + QPointF(0, -8), at + QPointF(7, 5), at + QPointF(-7, 5)};
    painter.drawPolygon(arrow, 3);
    return;
  }
  if (handle == BoxHandle::turn) {
    painter.setBrush(Qt::NoBrush);
    painter.drawEllipse(at, radius + 1.5, radius + 1.5);
    painter.setPen(QPen(color, 2));
  }
  painter.drawEllipse(at, radius, radius);
  if (handle != BoxHandle::move) return;
  painter.drawLine(at - QPointF(4, 0), at + QPointF(4, 0));
  painter.drawLine(at - QPointF(0, 4), at + QPointF(0, 4));
}

std::optional<BoxHandle> BoxGizmo::handle_at(const MarkView& view, const QPointF& position) const {
  std::optional<BoxHandle> nearest;
  double best = kReach_px;
  for (const BoxHandle handle : kBoxHandles) {
    const auto at = shown_at(view, handle);
    if (!at) continue;
    const double distance = std::hypot(at->x() - position.x(), at->y() - position.y());
    if (distance < best) best = distance, nearest = handle;
  }
  return nearest;
}

Qt::CursorShape BoxGizmo::cursor_for(const MarkView& view, BoxHandle handle) const {
  constexpr double kStep_m = 0.01;
  const auto axis = handle_axis(*box_, handle);
  if (!axis) return handle == BoxHandle::turn ? Qt::PointingHandCursor : Qt::SizeAllCursor;
  const Eigen::Vector3d at = handle_in_world_m(*box_, handle);
  const auto here = widget_position(view, at), there = widget_position(view, at + kStep_m * *axis);
  return here && there ? arrows_along(*there - *here) : Qt::SizeAllCursor;
}

const NamedBox* BoxGizmo::other_at(const MarkView& view, const QPointF& position) const {
  const NamedBox* found = nullptr;
  double nearest = kEdgeReach_px;
  for (const NamedBox& other : others_)
    if (const double px = distance_to_edges_px(view, other.box, position); px < nearest)
      nearest = px, found = &other;
  return found;
}

bool BoxGizmo::click(const MarkView& view, const QPointF& position) {
  const NamedBox* other = other_at(view, position);
  if (!other) return false;
  emit chosen(std::string(other->name));
  return true;
}

void BoxGizmo::hover(const MarkView& view, const QPointF& position) {
  const auto handle = handle_at(view, position);
  if (!handle) {
    leave();
    over_other_ = other_at(view, position) != nullptr;
    if (over_other_) view_->setCursor(Qt::PointingHandCursor);
    return;
  }
  over_other_ = false;
  view_->setCursor(cursor_for(view, *handle));
  if (std::exchange(hovered_, handle) != handle) view_->update();
}

void BoxGizmo::leave() {
  if (std::exchange(over_other_, false)) view_->unsetCursor();
  if (!hovered_) return;
  hovered_.reset();
  view_->unsetCursor();
  view_->update();
}

bool BoxGizmo::press(const MarkView& view, const QPointF& position, const Ray& ray) {
  const auto handle = handle_at(view, position);
  if (!handle) return false;
  held_ = Held{*handle, *box_, ray, false};
  view_->update();
  emit taken();
  return true;
}

void BoxGizmo::drag(const Ray& ray) {
  if (!held_) return;
  const std::optional<UprightBox> now = dragged(held_->box, held_->handle, held_->ray, ray);
  if (!now) return;
  box_ = now, held_->moved = true;
  view_->update();
  emit edited(*now, false);
}

void BoxGizmo::release() {
  const std::optional<Held> held = std::exchange(held_, std::nullopt);
  if (!held) return;
  view_->update();
  held->moved ? emit edited(*box_, true) : emit given_up();
}

void BoxGizmo::give_up() {
  const std::optional<Held> held = std::exchange(held_, std::nullopt);
  if (!held) return;
  box_ = held->box;
  view_->update();
  emit given_up();
}

void BoxGizmo::put_away() {
  give_up();
  leave();
}

}  // namespace vantage::ui
