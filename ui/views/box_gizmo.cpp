#include "ui/views/box_gizmo.h"

#include <cmath>
#include <utility>

#include "ui/widgets/colors.h"

namespace vantage::ui {
namespace {

constexpr double kReach_px = 11;

}  // namespace

void BoxGizmo::set_box(std::optional<UprightBox> box, bool turns) {
  if (held_ && box && turns == turns_) return;
  held_.reset();
  box_ = box;
  turns_ = turns;
  if (!box_) hovered_.reset();
}

bool BoxGizmo::offers(BoxHandle handle, bool from_above) const {
  if (handle == BoxHandle::turn) return turns_;
  return handle != BoxHandle::top || !from_above;  // from above there is no height
}

void BoxGizmo::draw(QPainter& painter, const MarkView& view) const {
  if (!box_) return;
  for (const BoxHandle handle : kBoxHandles) {
    if (!offers(handle, view.from_above)) continue;
    const auto at = widget_position(view, handle_in_world_m(*box_, handle));
    if (!at) continue;
    const bool active = held_ ? held_->handle == handle : hovered_ == handle;
    const double radius = handle == BoxHandle::move ? 7 : 5;
    painter.setPen(QPen(Qt::black, 1.5));
    painter.setBrush(active ? QColor(kSelection) : QColor(Qt::white));
    if (handle == BoxHandle::turn) {
      painter.setBrush(Qt::NoBrush);
      painter.drawEllipse(*at, radius + 1.5, radius + 1.5);
      painter.setPen(QPen(active ? QColor(kSelection) : QColor(Qt::white), 2));
    }
    painter.drawEllipse(*at, radius, radius);
    if (handle != BoxHandle::move) continue;
    painter.drawLine(*at - QPointF(4, 0), *at + QPointF(4, 0));
    painter.drawLine(*at - QPointF(0, 4), *at + QPointF(0, 4));
  }
}

std::optional<BoxHandle> BoxGizmo::handle_at(const MarkView& view, const QPointF& position) const {
  std::optional<BoxHandle> nearest;
  double best = kReach_px;
  for (const BoxHandle handle : kBoxHandles) {
    if (!box_ || !offers(handle, view.from_above)) continue;
    const auto at = widget_position(view, handle_in_world_m(*box_, handle));
    if (!at) continue;
    const double distance = std::hypot(at->x() - position.x(), at->y() - position.y());
    if (distance < best) best = distance, nearest = handle;
  }
  return nearest;
}

bool BoxGizmo::hover(const MarkView& view, const QPointF& position) {
  const auto before = hovered_;
  hovered_ = handle_at(view, position);
  return hovered_ != before;
}

bool BoxGizmo::press(const MarkView& view, const QPointF& position, const Ray& ray) {
  const auto handle = handle_at(view, position);
  if (handle) held_ = Held{*handle, *box_, ray, false};
  return handle.has_value();
}

std::optional<UprightBox> BoxGizmo::drag(const Ray& ray) {
  if (!held_) return std::nullopt;
  const std::optional<UprightBox> now = dragged(held_->box, held_->handle, held_->ray, ray);
  if (now) box_ = now, held_->moved = true;
  return now;
}

std::optional<UprightBox> BoxGizmo::release() {
  const std::optional<Held> held = std::exchange(held_, std::nullopt);
  return held && held->moved ? box_ : std::nullopt;
}

void BoxGizmo::give_up() {
  if (const std::optional<Held> held = std::exchange(held_, std::nullopt)) box_ = held->box;
}

}  // namespace vantage::ui
