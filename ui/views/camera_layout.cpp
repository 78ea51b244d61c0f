#include "ui/views/camera_layout.h"

#include <algorithm>
#include <cmath>

namespace vantage::ui {
namespace {

QSizeF fitted(const QSizeF& picture, const QSizeF& room) {
  const double scale = std::min(room.width() / picture.width(), room.height() / picture.height());
  return picture * std::max(scale, 1e-6);
}

// Keeps the visible part inside the picture; a picture smaller than the cell stays centred.
PictureZoom kept_inside(const QRectF& cell, const QSizeF& picture, PictureZoom zoom) {
  zoom.zoom = std::clamp(zoom.zoom, 1.0, 32.0);
  const QSizeF shown = fitted(picture, cell.size()) * zoom.zoom;
  const auto limit = [](double center, double room, double size) {
    const double half = room / size / 2;
    return half >= 0.5 ? 0.5 : std::clamp(center, half, 1 - half);
  };
  zoom.center = {limit(zoom.center.x(), cell.width(), shown.width()),
                 limit(zoom.center.y(), cell.height(), shown.height())};
  return zoom;
}

QSizeF aspect_size(double height_px, double aspect) {
  return {height_px * aspect, height_px};
}

// Number of rows of small cells below the large one, or of columns next to it, with heights.
struct WallSplit {
  static constexpr double kSmallest = 1.0 / 6;  // share of the large one

  bool better_than(const WallSplit& other) const {
    const bool fits = small_px >= kSmallest * large_px,
               other_fits = other.small_px >= kSmallest * other.large_px;
    if (other.lanes == 0 || fits != other_fits) return other.lanes == 0 || fits;
    return fits ? large_px > other.large_px : small_px > other.small_px;
  }

  bool below = false;
  int lanes = 0;  // 0: none yet
  double large_px = 0, small_px = 0;
};

// Along the rows the small ones fill the area, but are at most half as large as the large one, which gets the
// rest.
WallSplit wall_split(const QSizeF& area, int small_ones, double aspect, double gap, bool below, int lanes) {
  const int in_lane = (small_ones + lanes - 1) / lanes;
  const double along = below ? area.width() / aspect : area.height();  // in heights of pictures
  const double across = below ? area.height() : area.width() / aspect;
  const double lane_gap = below ? gap : gap / aspect, cell_gap = below ? gap / aspect : gap;
  double small = (along - cell_gap * (in_lane - 1)) / in_lane;
  double large = std::min(along, across - lanes * (small + lane_gap));
  if (small > large / 2) {
    large = std::min(along, (across - lanes * lane_gap) / (1 + lanes / 2.0));
    small = std::min(small, large / 2);
  }
  return {below, lanes, std::max(0.0, large), std::max(0.0, small)};
}

}  // namespace

std::vector<QRectF> grid_cells(const QRectF& area, int count, double aspect, double gap) {
  std::vector<QRectF> cells;
  if (count <= 0) return cells;
  int best_columns = 1;
  double best_scale = -1;
  for (int columns = 1; columns <= count; ++columns) {
    const int rows = (count + columns - 1) / columns;
    const double width = (area.width() - gap * (columns - 1)) / columns,
                 height = (area.height() - gap * (rows - 1)) / rows;
    const double scale = std::min(width / aspect, height);
    if (scale > best_scale + 1e-9) {
      best_scale = scale;
      best_columns = columns;
    }
  }
  // A single picture gets the whole area to zoom into.
  if (count == 1) return {area};
  const int rows = (count + best_columns - 1) / best_columns;
  const QSizeF size(best_scale * aspect, best_scale);
  const QPointF corner = area.center() - QPointF(best_columns * size.width() + gap * (best_columns - 1),
                                                 rows * size.height() + gap * (rows - 1)) /
                                             2;
  for (int i = 0; i < count; ++i)
    cells.emplace_back(corner + QPointF((i % best_columns) * (size.width() + gap),
                                        (i / best_columns) * (size.height() + gap)),
                       size);
  return cells;
}

std::vector<QRectF> wall_cells(const QRectF& area, int count, double aspect, double gap) {
  if (count <= 1) return grid_cells(area, count, aspect, gap);
  WallSplit best;
  for (const bool below : {false, true})
    for (int lanes = 1; lanes < count; ++lanes) {
      const WallSplit one = wall_split(area.size(), count - 1, aspect, gap, below, lanes);
      if (one.better_than(best)) best = one;
    }
  const int small_ones = count - 1, in_lane = (small_ones + best.lanes - 1) / best.lanes;
  const int columns = best.below ? in_lane : best.lanes, rows = best.below ? best.lanes : in_lane;
  const QSizeF large = aspect_size(best.large_px, aspect), small = aspect_size(best.small_px, aspect);
  const QSizeF block(columns * small.width() + gap * (columns - 1), rows * small.height() + gap * (rows - 1));
  // Both blocks are centred in the area, each on its side.
  const QSizeF all = best.below ? QSizeF(0, large.height() + gap + block.height())
                                : QSizeF(large.width() + gap + block.width(), 0);
  const auto centered = [&](const QSizeF& size, double before) {
    const QPointF middle = area.center();
    return best.below ? QPointF(middle.x() - size.width() / 2, middle.y() - all.height() / 2 + before)
                      : QPointF(middle.x() - all.width() / 2 + before, middle.y() - size.height() / 2);
  };
  std::vector<QRectF> cells = {{centered(large, 0), large}};
  const QPointF corner = centered(block, (best.below ? large.height() : large.width()) + gap);
  for (int i = 0; i < small_ones; ++i)
    cells.emplace_back(
        corner + QPointF((i % columns) * (small.width() + gap), (i / columns) * (small.height() + gap)),
        small);
  return cells;
}

QRectF picture_rect(const QRectF& cell, const QSizeF& picture, const PictureZoom& zoom) {
  if (picture.isEmpty() || cell.isEmpty()) return cell;
  const PictureZoom kept = kept_inside(cell, picture, zoom);
  const QSizeF shown = fitted(picture, cell.size()) * kept.zoom;
  const QPointF corner =
      cell.center() - QPointF(kept.center.x() * shown.width(), kept.center.y() * shown.height());
  return {corner, shown};
}

PictureZoom zoomed_about(const QRectF& cell, const QSizeF& picture, const PictureZoom& zoom,
                         const QPointF& position, double factor) {
  if (picture.isEmpty() || cell.isEmpty()) return zoom;
  const QRectF before = picture_rect(cell, picture, zoom);
  const QPointF in_picture((position.x() - before.left()) / before.width(),
                           (position.y() - before.top()) / before.height());
  PictureZoom next{std::clamp(zoom.zoom * factor, 1.0, 32.0), {}};
  const QSizeF shown = fitted(picture, cell.size()) * next.zoom;
  const QPointF off_middle = position - cell.center();
  next.center = in_picture - QPointF(off_middle.x() / shown.width(), off_middle.y() / shown.height());
  return kept_inside(cell, picture, next);
}

PictureZoom panned(const QRectF& cell, const QSizeF& picture, const PictureZoom& zoom, const QPointF& by) {
  if (picture.isEmpty() || cell.isEmpty()) return zoom;
  const QSizeF shown = fitted(picture, cell.size()) * zoom.zoom;
  PictureZoom next = zoom;
  next.center -= QPointF(by.x() / shown.width(), by.y() / shown.height());
  return kept_inside(cell, picture, next);
}

namespace {

constexpr double kBetter = 1.25, kBetterFor_s = 0.8, kLostFor_s = 0.3, kJump_s = 1;

double area_px(const Eigen::AlignedBox2d& box) {
  return box.isEmpty() ? 0 : box.volume();
}

}  // namespace

double seen_share(const Camera& camera, const MarkedPerson& person, std::span<const MarkedPerson> everybody) {
  const auto rectangle = [&](const MarkedPerson& one) {
    return person_rectangle_px(camera_view(camera), one.position_in_world_m,
                               one.height_m > 0 ? one.height_m : kStandingFigure_m);
  };
  const auto box = rectangle(person);
  if (!box || area_px(*box) <= 0) return 0;
  const Eigen::AlignedBox2d picture(Eigen::Vector2d::Zero(),
                                    Eigen::Vector2d(camera.width_px() - 1, camera.height_px() - 1));
  const Eigen::AlignedBox2d inside = box->intersection(picture);
  const auto distance_m = [&](const MarkedPerson& one) {
    return (one.position_in_world_m - camera.center_in_world_m()).norm();
  };
  double hidden_px = 0;
  for (const MarkedPerson& other : everybody) {
    if (other.id == person.id || distance_m(other) >= distance_m(person)) continue;
    if (const auto before = rectangle(other))
      hidden_px = std::max(hidden_px, area_px(before->intersection(inside)));
  }
  const double free = std::max(0.0, area_px(inside) - hidden_px) / area_px(*box);
  return free * std::min(1.0, box->sizes().y() / camera.height_px());
}

std::optional<int> CalmChoice::choose(std::span<const double> shares, double time_s) {
  if (shares.size() != count_) forget();
  count_ = shares.size();
  const double passed_s = std::abs(time_s - last_s_);
  last_s_ = time_s;
  const auto best = std::max_element(shares.begin(), shares.end());
  if (best == shares.end() || *best <= 0) return chosen_;
  const double now = chosen_ ? shares[*chosen_] : 0;
  if (chosen_ && *best <= kBetter * now) {
    better_for_s_ = 0;
    return chosen_;
  }
  better_for_s_ += passed_s;
  if (!chosen_ || passed_s > kJump_s || better_for_s_ >= (now > 0 ? kBetterFor_s : kLostFor_s)) {
    chosen_ = static_cast<int>(best - shares.begin());
    better_for_s_ = 0;
  }
  return chosen_;
}

}  // namespace vantage::ui
