// The mouse over the cameras: zoom, drag, click, position on the floor; and tracking a person.

#include <QContextMenuEvent>
#include <QLineF>
#include <QMouseEvent>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "ui/views/camera_grid.h"
#include "ui/views/view_texts.h"

namespace vantage::ui {
namespace {

constexpr double kClick_px = 4;           // a longer movement is a drag
constexpr double kFollowedHeight = 0.45;  // share of the view
constexpr double kMaxFollowingZoom = 4;

}  // namespace

void CameraGrid::set_floor_tool(FloorTool* tool) {
  tool_.set_tool(tool);
  if (tool) gizmo_->put_away();
  update();
}

void CameraGrid::set_picture_tool(PictureTool* tool) {
  picture_tool_.set_tool(tool);
  if (tool) gizmo_->put_away();
  update();
}

void CameraGrid::mousePressEvent(QMouseEvent* event) {
  if (mouse_held()) return;
  if (event->button() == Qt::RightButton && !has_tool()) menu_press_ = event->position();
  if (event->button() != Qt::LeftButton && event->button() != Qt::MiddleButton) return;
  if (event->button() == Qt::LeftButton && picture_tool_.press(picture_at(event->position()))) return;
  if (event->button() == Qt::LeftButton && tool_.has_tool() && tool_.press(floor_at(event->position())))
    return;
  if (event->button() == Qt::LeftButton && press_wipe(event->position())) return;
  if (event->button() == Qt::LeftButton && press_box(event->position())) return;
  press_ = drag_ = event->position();
}

// While a tool has the mouse, the divider is in its way.
bool CameraGrid::press_wipe(const QPointF& position) {
  const std::optional<Pane> pane = pane_at(position);
  return pane && !has_tool() && wipe_.press(marks_.comparison.get(), visible_part(*pane), position);
}

bool CameraGrid::press_box(const QPointF& position) {
  const std::optional<Pane> pane = pane_at(position);
  const auto ray = pane && !has_tool() ? ray_at(*pane, position) : std::nullopt;
  if (!ray || !gizmo_->press(mark_view(*pane), position, *ray)) return false;
  gizmo_pane_ = *pane;
  emit pointed(std::nullopt);  // marks there would hide the box
  return true;
}

void CameraGrid::mouseMoveEvent(QMouseEvent* event) {
  // The release was lost: a dialog or another layout took the mouse.
  if (event->buttons() == Qt::NoButton) let_go();
  if (picture_tool_.held()) {
    picture_tool_.drag(picture_at(event->position()));
    return point_at(event->position());
  }
  if (tool_.held()) {
    tool_.drag(floor_at(event->position()));
    return point_at(event->position());
  }
  if (wipe_.held()) {
    emit wipe_dragged(wipe_.drag(event->position()));
    return;
  }
  if (gizmo_->held()) {
    if (const auto ray = ray_through(gizmo_pane_, event->position())) gizmo_->drag(*ray);
    return;
  }
  if (!drag_) return point_at(event->position());
  if (const std::optional<Pane> pane = pane_at(*drag_)) {
    View& view = cameras_[pane->camera];
    view.zoom = panned(cell_of(*pane), picture_size(view), view.zoom, event->position() - *drag_);
    update();
  }
  drag_ = event->position();
}

void CameraGrid::mouseReleaseEvent(QMouseEvent* event) {
  if (mouse_held() && event->button() != Qt::LeftButton) return;
  if (event->button() == Qt::RightButton) {
    const auto menu_press = std::exchange(menu_press_, std::nullopt);
    if (menu_press && QLineF(*menu_press, event->position()).length() <= kClick_px) {
      emit pixel_pointed(picture_at(*menu_press));
      emit menu_wanted(floor_point(*menu_press), event->globalPosition().toPoint());
    }
    return;
  }
  drag_.reset();
  if (picture_tool_.held()) return picture_tool_.release();
  if (tool_.held()) return tool_.release();
  if (wipe_.held()) return wipe_.let_go();
  if (gizmo_->held()) return gizmo_->release();
  const auto press = std::exchange(press_, std::nullopt);
  if (!press || event->button() != Qt::LeftButton || has_tool() ||
      QLineF(*press, event->position()).length() > kClick_px)
    return;
  const std::optional<Pane> pane = pane_at(*press);
  if (!pane || !cameras_[pane->camera].calibration) return;
  if (gizmo_->click(mark_view(*pane), *press)) return;
  emit person_clicked(person_at(mark_view(*pane), marks_, *press),
                      event->modifiers().testFlag(Qt::ControlModifier));
}

void CameraGrid::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  let_go();
  if (picture_tool_.double_click() || tool_.double_click() || press_wipe(event->position()) ||
      press_box(event->position()))
    return;
  const std::optional<Pane> pane = pane_at(event->position());
  enlarge(enlarged_ || !pane ? std::nullopt : std::optional(pane->camera));
}

// For the menu key; the right button's menu opens at its release.
void CameraGrid::contextMenuEvent(QContextMenuEvent* event) {
  if (event->reason() == QContextMenuEvent::Keyboard) emit menu_wanted(pointed_, event->globalPos());
}

void CameraGrid::let_go() {
  press_.reset();
  menu_press_.reset();
  drag_.reset();
  tool_.give_up();
  picture_tool_.give_up();
  gizmo_->give_up();
  wipe_.let_go();
}

// A hidden view gets no release.
void CameraGrid::hideEvent(QHideEvent* event) {
  let_go();
  GlView::hideEvent(event);
}

void CameraGrid::wheelEvent(QWheelEvent* event) {
  const std::optional<Pane> pane = pane_at(event->position());
  if (!pane) return;
  const bool to_zoom = event->modifiers().testFlag(Qt::ControlModifier);
  if (!to_zoom && picture_tool_.has_tool() && picture_tool_.tool()->wheel(event->angleDelta().y() / 120.0))
    return event->accept();
  View& view = cameras_[pane->camera];
  view.zoom = zoomed_about(cell_of(*pane), picture_size(view), view.zoom, event->position(),
                           std::pow(1.2, event->angleDelta().y() / 120.0));
  event->accept();
  update();
}

std::optional<Ray> CameraGrid::ray_at(Pane pane, const QPointF& position) const {
  return picture_area(pane).contains(position) ? ray_through(pane, position) : std::nullopt;
}

std::optional<Ray> CameraGrid::ray_through(Pane pane, const QPointF& position) const {
  const View& view = cameras_[pane.camera];
  if (!view.calibration) return std::nullopt;
  const QPointF pixel = widget_from_picture(pane).inverted().map(position);
  return view.calibration->ray({pixel.x(), pixel.y()});
}

std::optional<PicturePosition> CameraGrid::picture_at(const QPointF& position) const {
  const std::optional<Pane> pane = pane_at(position);
  if (!pane || !picture_area(*pane).contains(position)) return std::nullopt;
  const QTransform picture_from_widget = widget_from_picture(*pane).inverted();
  const QPointF pixel = picture_from_widget.map(position);
  return PicturePosition{pane->camera, {pixel.x(), pixel.y()}, kFloorReach_px * picture_from_widget.m11()};
}

std::optional<FloorPosition> CameraGrid::floor_at(const QPointF& position) const {
  const std::optional<Pane> pane = pane_at(position);
  const auto ray = pane ? ray_at(*pane, position) : std::nullopt;
  if (!ray) return std::nullopt;
  return floor_position(*ray, ray_at(*pane, position + QPointF(kFloorReach_px, 0)));
}

// ---- following

void CameraGrid::follow(std::optional<MarkedPerson> person, double time_s) {
  if (!person && !followed_) return;
  const bool following = followed_.has_value();
  if (!person || !followed_ || person->id != followed_->id) best_view_.forget();
  followed_ = person;
  followed_time_s_ = time_s;
  if (person && wall_) arrange_wall();
  for (size_t i = 0; i < cameras_.size(); ++i) {
    View& view = cameras_[i];
    if (!following) view.zoom_before = view.zoom;
    if (!person)
      view.zoom = view.zoom_before;
    else if (view.calibration)
      zoom_to(view, *person, cell_of(static_cast<int>(i)).size());
  }
  update();
}

// Shows the complete picture where the camera does not see the person.
void CameraGrid::zoom_to(View& view, const MarkedPerson& person, const QSizeF& cell) {
  view.zoom = {};
  const QSizeF picture = picture_size(view);
  const auto box =
      person_rectangle_px(camera_view(*view.calibration), person.position_in_world_m, person.height_m);
  if (!box || picture.isEmpty() || cell.isEmpty()) return;
  const Eigen::Vector2d middle = box->center();
  if (middle.x() < 0 || middle.y() < 0 || middle.x() >= picture.width() || middle.y() >= picture.height())
    return;
  const double scale = std::min(cell.width() / picture.width(), cell.height() / picture.height());
  const double height_px = std::max(1.0, box->sizes().y() * scale);
  view.zoom.zoom = std::clamp(kFollowedHeight * cell.height() / height_px, 1.0, kMaxFollowingZoom);
  view.zoom.center = {(middle.x() + 0.5) / picture.width(), (middle.y() + 0.5) / picture.height()};
}

std::optional<Eigen::Vector3d> CameraGrid::floor_point(const QPointF& position) const {
  const std::optional<Pane> pane = pane_at(position);
  const auto ray = pane ? ray_at(*pane, position) : std::nullopt;
  return ray ? intersect_horizontal_plane(*ray, 0) : std::nullopt;
}

void CameraGrid::point_at(const QPointF& position) {
  QString flow;
  int64_t person = 0;
  const std::optional<Pane> pane = pane_at(position);
  const bool on_divider =
      pane && !has_tool() && WipeHandle::is_at(marks_.comparison.get(), visible_part(*pane), position);
  if (std::exchange(over_divider_, on_divider) && !on_divider) unsetCursor();
  if (pane) {
    if (const FlowField* field = flow_of(pane->camera))
      flow = flow_text(*field, widget_from_picture(*pane).inverted().map(position));
    if (cameras_[pane->camera].calibration) {
      const MarkView there = mark_view(*pane);
      person = person_at(there, marks_, position);
      has_tool() || on_divider ? gizmo_->leave() : gizmo_->hover(there, position);
    }
  }
  if (on_divider) setCursor(Qt::SplitHCursor);
  emit flow_pointed(flow);
  emit person_pointed(person);
  emit pixel_pointed(picture_at(position));
  emit pointed(floor_point(position));
}

void CameraGrid::leaveEvent(QEvent*) {
  gizmo_->leave();
  emit flow_pointed({});
  emit person_pointed(0);
  emit pixel_pointed(std::nullopt);
  emit pointed(std::nullopt);
}

// Layout of the cameras in the grid, each alone or as two panes of compared runs, and the projection of the
// world into them.

namespace {

constexpr double kGap = 2;

}  // namespace

std::vector<int> CameraGrid::visible() const {
  if (enlarged_) return {*enlarged_};
  std::vector<int> all(cameras_.size());
  for (size_t i = 0; i < all.size(); ++i) all[i] = static_cast<int>(i);
  return all;
}

QSizeF CameraGrid::picture_size(const View& view) const {
  if (view.picture_size.width_px > 0) return QSizeF(view.picture_size.width_px, view.picture_size.height_px);
  if (view.no_video) return *view.no_video;
  if (view.calibration) return QSizeF(view.calibration->width_px(), view.calibration->height_px());
  return {4, 3};
}

bool CameraGrid::split() const {
  return marks_.comparison && marks_.comparison->style == CompareStyle::side_by_side;
}

std::vector<CameraGrid::Pane> CameraGrid::panes() const {
  std::vector<Pane> all;
  for (const int camera : visible()) {
    if (!split()) all.emplace_back(camera);
    for (int side = 0; split() && side < 2; ++side) all.emplace_back(camera, side);
  }
  return all;
}

std::vector<QRectF> CameraGrid::cells() const {
  const std::vector<int> shown = visible();
  double aspect = 0;
  for (const int camera : shown) {
    const QSizeF size = picture_size(cameras_[camera]);
    aspect += (split() ? 2 : 1) * size.width() / size.height();
  }
  const int count = static_cast<int>(shown.size());
  if (count > 0) aspect /= count;
  if (!largest()) return grid_cells(rect(), count, count == 0 ? 1 : aspect, kGap);
  const std::vector<QRectF> places = wall_cells(rect(), count, aspect, kGap);
  std::vector<QRectF> cells;
  for (const int camera : shown) cells.push_back(places[cells_of_[camera]]);
  return cells;
}

std::optional<int> CameraGrid::largest() const {
  if (!wall_ || !followed_ || enlarged_ || cells_of_.size() != cameras_.size()) return std::nullopt;
  const auto large = std::find(cells_of_.begin(), cells_of_.end(), 0);
  return large == cells_of_.end() ? std::nullopt : std::optional(static_cast<int>(large - cells_of_.begin()));
}

void CameraGrid::set_wall(bool wall) {
  if (std::exchange(wall_, wall) == wall) return;
  let_go();
  cells_of_.clear();
  best_view_.forget();
  if (followed_) follow(followed_, followed_time_s_);
  update();
}

// Swaps two cameras; all others keep their cells.
void CameraGrid::arrange_wall() {
  std::vector<double> shares;
  for (const View& view : cameras_)
    shares.push_back(view.calibration ? seen_share(*view.calibration, *followed_, marks_.everybody) : 0);
  const std::optional<int> best = best_view_.choose(shares, followed_time_s_);
  if (!best) return;
  if (cells_of_.size() != cameras_.size()) {
    cells_of_.resize(cameras_.size());
    std::iota(cells_of_.begin(), cells_of_.end(), 0);
  }
  const auto large = std::find(cells_of_.begin(), cells_of_.end(), 0);
  std::iter_swap(large, cells_of_.begin() + *best);
}

QRectF CameraGrid::cell_of(Pane pane) const {
  const std::vector<int> shown = visible();
  const std::vector<QRectF> positions = cells();
  for (size_t i = 0; i < shown.size(); ++i) {
    if (shown[i] != pane.camera) continue;
    const QRectF cell = positions[i];
    if (!split()) return cell;
    const double half = (cell.width() - kGap) / 2;
    return {cell.left() + (pane.side == 1 ? half + kGap : 0), cell.top(), half, cell.height()};
  }
  return {};
}

QRectF CameraGrid::picture_area(Pane pane) const {
  const View& view = cameras_[pane.camera];
  return picture_rect(cell_of(pane), picture_size(view), view.zoom);
}

QRectF CameraGrid::visible_part(Pane pane) const {
  return picture_area(pane).intersected(cell_of(pane));
}

std::optional<CameraGrid::Pane> CameraGrid::pane_at(const QPointF& position) const {
  for (const Pane pane : panes())
    if (cell_of(pane).contains(position)) return pane;
  return std::nullopt;
}

// Transforms from the picture's pixels to the widget; (0, 0) is the centre of the first pixel.
QTransform CameraGrid::widget_from_picture(Pane pane) const {
  const QSizeF size = picture_size(cameras_[pane.camera]);
  const QRectF area = picture_area(pane);
  const double x = area.width() / size.width(), y = area.height() / size.height();
  return {x, 0, 0, y, area.left() + x / 2, area.top() + y / 2};
}

MarkView CameraGrid::mark_view(Pane pane) const {
  const View& view = cameras_[pane.camera];
  MarkView there{camera_view(*view.calibration), widget_from_picture(pane), visible_part(pane),
                 view.calibration->center_in_world_m()};
  there.pane = pane.side;
  // Limited to the visible part, with a margin.
  const QSizeF room = there.visible.size();
  const QRectF seen = there.widget_from_view.inverted().mapRect(
      there.visible.adjusted(-room.width(), -room.height(), room.width(), room.height()));
  there.world.bounds_px = Eigen::AlignedBox2d(Eigen::Vector2d(seen.left(), seen.top()),
                                              Eigen::Vector2d(seen.right(), seen.bottom()));
  return there;
}

}  // namespace vantage::ui
