#include "core/display/marked_view.h"

#include <algorithm>
#include <vector>

namespace vantage {
namespace {

constexpr double kLineShare = 1.0 / 400, kTextShare = 1.0 / 36;  // of the picture's height
constexpr double kRing_m = 0.28;                                 // about a person

}  // namespace

MarkColor person_rgb(int64_t id) {
  // Five of Okabe and Ito's, and five that lie as far from them as those from each other, also for people who
  // see no red or no green; all are seen on the views' ground and on white.
  static constexpr std::array<uint32_t, 10> kColors = {0xe69f00, 0x009e73, 0x0072b2, 0xd55e00, 0xcc79a7,
                                                       0x6450f0, 0xa0c878, 0xc8283c, 0x008cf0, 0xf0a0b4};
  const uint32_t color = kColors[static_cast<size_t>(id < 1 ? 0 : id - 1) % kColors.size()];
  return {static_cast<uint8_t>(color >> 16), static_cast<uint8_t>(color >> 8), static_cast<uint8_t>(color)};
}

MarkSizes MarkSizes::of(int picture_height_px) {
  return {std::max(1.5, kLineShare * picture_height_px),
          std::max(12, static_cast<int>(kTextShare * picture_height_px))};
}

void MarkedView::draw_floor_line(std::span<const Eigen::Vector2d> floor_m, bool closed,
                                 const MarkColor& color) const {
  std::vector<Eigen::Vector3d> points;
  for (const Eigen::Vector2d& point : floor_m) points.emplace_back(point.x(), point.y(), 0);
  for (const PixelStrip& strip : project_polyline(view, points, closed))
    surface.polyline(strip, sizes.line_px, color);
}

void MarkedView::draw_shapes(std::span<const FloorZone> zones, std::span<const FloorLine> lines) const {
  for (const FloorZone& zone : zones) draw_floor_line(zone.corners_m, true, shape_color);
  for (const FloorLine& line : lines) {
    const std::array<Eigen::Vector2d, 2> ends = {line.from_m, line.to_m};
    draw_floor_line(ends, false, shape_color);
  }
}

void MarkedView::draw_trails(std::span<const Trail> trails) const {
  for (const Trail& trail : trails) draw_floor_line(trail.floor_m, false, person_rgb(trail.id));
}

void MarkedView::draw_box(const Eigen::AlignedBox2d& box_px, const MarkColor& color,
                          const std::string& label) const {
  const Eigen::Vector2d a = box_px.min(), b = box_px.max();
  const std::array<Eigen::Vector2d, 5> corners = {a, {b.x(), a.y()}, b, {a.x(), b.y()}, a};
  surface.polyline(corners, sizes.line_px, color);
  if (label.empty() || !a.allFinite() || b.x() < 0 || b.y() < 0) return;
  // The label of a person whom the picture's edge cuts stays inside.
  const int above = static_cast<int>(a.y()) - sizes.text_px - sizes.text_px / 3;
  surface.label(label, std::max(0, static_cast<int>(a.x())), std::max(0, above), sizes.text_px);
}

void MarkedView::draw_person(const Eigen::Vector3d& place_in_world_m, double height_m, const MarkColor& color,
                             const std::string& label) const {
  if (const auto box = person_rectangle_px(view, place_in_world_m, height_m)) draw_box(*box, color, label);
}

void MarkedView::draw_ring(const Eigen::Vector2d& place_m, const MarkColor& color,
                           const std::string& label) const {
  const Eigen::Vector3d place(place_m.x(), place_m.y(), 0);
  for (const PixelStrip& strip : project_polyline(view, circle_in_world_m(place, kRing_m), true))
    surface.polyline(strip, 2 * sizes.line_px, color);
  if (const auto at = view.project(place + Eigen::Vector3d(kRing_m, 0, 0)))
    surface.label(label, static_cast<int>(at->x()) + 4, static_cast<int>(at->y()) - sizes.text_px / 2,
                  sizes.text_px);
}

}  // namespace vantage
