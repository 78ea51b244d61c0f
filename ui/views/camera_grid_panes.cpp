// Where the cameras lie in the grid, each alone or as two panes of compared runs, and how the world lies in
// them.
#include <algorithm>
#include <numeric>
#include <utility>

#include "ui/views/camera_grid.h"

namespace vantage::ui {
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
    const QSizeF size = picture_size(cameras_[static_cast<size_t>(camera)]);
    aspect += (split() ? 2 : 1) * size.width() / size.height();
  }
  const int count = static_cast<int>(shown.size());
  if (count > 0) aspect /= count;
  if (!largest()) return grid_cells(rect(), count, count == 0 ? 1 : aspect, kGap);
  const std::vector<QRectF> places = wall_cells(rect(), count, aspect, kGap);
  std::vector<QRectF> cells;
  for (const int camera : shown)
    cells.push_back(places[static_cast<size_t>(cells_of_[static_cast<size_t>(camera)])]);
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

// The two that change places; all others stay.
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
  const View& view = cameras_[static_cast<size_t>(pane.camera)];
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

// Transforms from the picture's pixels, whose (0, 0) is the centre of the first, to the widget.
QTransform CameraGrid::widget_from_picture(Pane pane) const {
  const QSizeF size = picture_size(cameras_[static_cast<size_t>(pane.camera)]);
  const QRectF area = picture_area(pane);
  const double x = area.width() / size.width(), y = area.height() / size.height();
  return {x, 0, 0, y, area.left() + x / 2, area.top() + y / 2};
}

MarkView CameraGrid::mark_view(Pane pane) const {
  const View& view = cameras_[static_cast<size_t>(pane.camera)];
  MarkView there{camera_view(*view.calibration), widget_from_picture(pane), visible_part(pane),
                 view.calibration->center_in_world_m()};
  there.pane = pane.side;
  // No farther than what the zoom shows, with room around it.
  const QSizeF room = there.visible.size();
  const QRectF seen = there.widget_from_view.inverted().mapRect(
      there.visible.adjusted(-room.width(), -room.height(), room.width(), room.height()));
  there.world.bounds_px = Eigen::AlignedBox2d(Eigen::Vector2d(seen.left(), seen.top()),
                                              Eigen::Vector2d(seen.right(), seen.bottom()));
  return there;
}

}  // namespace vantage::ui
