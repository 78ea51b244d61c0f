#include "ui/main_window/floor_shapes.h"

#include <QKeyEvent>
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/main_window/floor_control.h"
#include "ui/main_window/overlay_control.h"
#include "ui/views/camera_grid.h"
#include "ui/views/scene_view.h"
#include "ui/widgets/message_bar.h"

namespace vantage::ui {

std::string free_name(const Project& project, bool zone) {
  const auto used = [&](const std::string& name) {
    const auto same = [&](const auto& shape) { return shape.name == name; };
    return std::any_of(project.zones.begin(), project.zones.end(), same) ||
           std::any_of(project.lines.begin(), project.lines.end(), same);
  };
  for (int number = 1;; ++number)
    if (std::string name = (zone ? "zone " : "line ") + std::to_string(number); !used(name)) return name;
}

FloorZone* zone_named(Project& project, const std::string& name) {
  const auto found = std::find_if(project.zones.begin(), project.zones.end(),
                                  [&](const FloorZone& zone) { return zone.name == name; });
  return found == project.zones.end() ? nullptr : &*found;
}
FloorLine* line_named(Project& project, const std::string& name) {
  const auto found = std::find_if(project.lines.begin(), project.lines.end(),
                                  [&](const FloorLine& line) { return line.name == name; });
  return found == project.lines.end() ? nullptr : &*found;
}

bool has_extent(bool zone, const std::vector<Eigen::Vector2d>& corners_m) {
  constexpr double kMin_m = 0.01;
  if (!zone) return (corners_m[1] - corners_m[0]).norm() > kMin_m;
  double twice_area = 0;
  for (size_t i = 0; i < corners_m.size(); ++i) {
    const Eigen::Vector2d &a = corners_m[i], &b = corners_m[(i + 1) % corners_m.size()];
    twice_area += a.x() * b.y() - a.y() * b.x();
  }
  return std::abs(twice_area) > 2 * kMin_m * kMin_m;
}

// Drawing zones and lines with the mouse, and moving their corners.

void FloorControl::update_tool() {
  FloorTool* tool = drawn_ || move_corners_->isChecked() ? this : nullptr;
  parts().cameras->set_floor_tool(tool);
  parts().scene->set_floor_tool(tool);
  for (QWidget* view : {static_cast<QWidget*>(parts().cameras), static_cast<QWidget*>(parts().scene)})
    drawn_ ? view->setCursor(Qt::CrossCursor) : view->unsetCursor();
}

void FloorControl::draw_for(const QString& name, bool zone, TakeCorners take) {
  start_drawing({zone, {}, name, std::move(take)});
}

void FloorControl::show_also(std::optional<MarkedShape> shape) {
  if (!also_ && !shape) return;
  also_ = std::move(shape);
  show_shapes();
}

void FloorControl::end_tool() {
  cancel();
  move_corners_->setChecked(false);
}

void FloorControl::start_drawing(Drawn drawn) {
  emit tool_begun();
  dragged_.reset();
  drawn_ = std::move(drawn);
  if (!drawn_->take) emit dock_wanted();
  if (!parts().scene->hasFocus())
    (parts().cameras->isVisible() ? static_cast<QWidget*>(parts().cameras) : parts().scene)->setFocus();
  update_tool();
  show_shapes();
  emit availability_changed();
}

void FloorControl::cancel() {
  if (!drawing()) return;
  drawn_.reset();
  dragged_.reset();
  update_tool();
  show_shapes();
  emit availability_changed();
}

// Without a corner: one in the middle, to be moved or set by numbers.
void FloorControl::finish_drawing() {
  if (!drawn_) return;
  Drawn drawn = *drawn_;
  if (drawn.corners_m.empty()) drawn.corners_m = first_corners(drawn.zone);
  if (drawn.corners_m.size() < (drawn.zone ? 3U : 2U)) return;
  cancel();
  if (!drawn.take)
    add_shape(drawn.zone, std::move(drawn.corners_m));
  else if (takes(drawn.zone, drawn.corners_m))
    drawn.take(drawn.corners_m);
}

std::vector<Eigen::Vector2d> FloorControl::first_corners(bool zone) const {
  const Result<VoxelGrid> grid = project().effective_grid();
  Eigen::Vector2d middle(0, 0);
  if (grid)
    middle = Eigen::Vector2d(grid->origin_in_world_m[0], grid->origin_in_world_m[1]) +
             grid->voxel_size_m / 2 * Eigen::Vector2d(grid->nx, grid->ny);
  const Eigen::Vector2d x(0.5, 0), y(0, 0.5);
  if (!zone) return {middle - x, middle + x};
  return {middle - x - y, middle + x - y, middle + x + y, middle - x + y};
}

// Reports a shape without extent, which is not taken.
bool FloorControl::takes(bool zone, const std::vector<Eigen::Vector2d>& corners_m) {
  if (has_extent(zone, corners_m)) return true;
  parts().messages->post({Severity::failed, zone ? tr("This zone has no area.")
                                                 : tr("Both ends of this line are at the same point.")});
  show_project();
  return false;
}

void FloorControl::add_shape(bool zone, std::vector<Eigen::Vector2d> corners_m) {
  if (!takes(zone, corners_m)) return;
  const std::string name = free_name(project(), zone);
  warn_about_ = name;
  post(command::Edit{"draw " + name, [=](Project& project) {
                       // The one drawn just before may have that name by now.
                       const bool taken = zone_named(project, name) || line_named(project, name);
                       const std::string free = taken ? free_name(project, zone) : name;
                       if (zone)
                         project.zones.push_back({free, corners_m});
                       else
                         project.lines.push_back({free, corners_m[0], corners_m[1]});
                     }});
  shapes_->setChecked(true);
}

bool FloorControl::press(const FloorPosition& position) {
  if (drawn_) {
    std::vector<Eigen::Vector2d>& corners = drawn_->corners_m;
    const bool closes =
        drawn_->zone && corners.size() > 2 && (corners.front() - position.at_m).norm() < position.reach_m;
    if (!closes) corners.push_back(position.at_m);
    if (closes || (!drawn_->zone && corners.size() == 2))
      finish_drawing();
    else
      show_shapes();
    return press_taken_ = true;
  }
  dragged_.reset();
  double nearest_m = position.reach_m;
  for (const FloorShapeRef& shape : shapes()) {
    const std::vector<Eigen::Vector2d> corners = corners_of(project(), shape);
    for (size_t i = 0; i < corners.size(); ++i)
      if (const double away_m = (corners[i] - position.at_m).norm(); away_m < nearest_m) {
        nearest_m = away_m;
        dragged_ = Dragged{shape, i, corners};
      }
  }
  if (dragged_) {
    panel_->choose(dragged_->shape);
    emit availability_changed();
  }
  return press_taken_ = dragged_.has_value();
}

void FloorControl::drag(const FloorPosition& position) {
  if (!dragged_) return;
  dragged_->corners_m[dragged_->corner] = position.at_m;
  show_shapes();
}

void FloorControl::release() {
  if (!dragged_) return;
  const Dragged dragged = *dragged_;  // stays to be seen until the project has it
  const bool moved = dragged.corners_m != corners_of(project(), dragged.shape);
  moved ? set_corners(dragged.shape, dragged.corners_m) : cancel();
}

void FloorControl::abandon() {
  if (!drawn_) cancel();
}

// The first of the two clicks has set the last corner, or taken one; outside the floor it did neither.
bool FloorControl::double_click() {
  if (drawn_ && !drawn_->corners_m.empty()) finish_drawing();
  return drawn_ || press_taken_;
}

void FloorControl::point_at(const std::optional<Eigen::Vector3d>& position_in_world_m) {
  if (!drawn_ && !pointed_) return;
  pointed_.reset();
  if (drawn_ && position_in_world_m) pointed_ = position_in_world_m->head<2>();
  show_shapes();
}

bool FloorControl::eventFilter(QObject* watched, QEvent* event) {
  if (!drawn_ || event->type() != QEvent::KeyPress) return QObject::eventFilter(watched, event);
  const int key = static_cast<QKeyEvent*>(event)->key();
  if (key == Qt::Key_Return || key == Qt::Key_Enter) {
    finish_drawing();
    return true;
  }
  if (key != Qt::Key_Backspace || drawn_->corners_m.empty()) return QObject::eventFilter(watched, event);
  drawn_->corners_m.pop_back();
  show_shapes();
  return true;
}

}  // namespace vantage::ui
