#include "ui/views/compared_marks.h"

#include <algorithm>
#include <cmath>

#include "ui/views/view_texts.h"

namespace vantage::ui {
namespace {

constexpr double kWipeReach_px = 6;
constexpr int kTint = 115;  // at most 255: the picture stays visible

// Both in one picture: differences are coloured, the rest is dimmed.
bool at_once(const MarkedComparison& marked, int pane) {
  return pane < 0 && (marked.style == CompareStyle::difference || marked.style == CompareStyle::side_by_side);
}

QImage tinted(const QImage& bits, QRgb first, QRgb second, QRgb both) {
  const auto see_through = [](QRgb color) { return (color & 0x00ffffffU) | (unsigned{kTint} << 24); };
  QImage image = bits;
  image.setColorTable(
      {0, first ? see_through(first) : 0, second ? see_through(second) : 0, both ? see_through(both) : 0});
  return image;
}

// The name of a person, above or below the position.
struct TagOfSide {
  QPointF at;
  bool below, differs;
  QString text;
  QColor color;
};

// Differing people come first; a tag that would cover another is moved away from its box, or left out.
void draw_tags(QPainter& painter, const QRectF& visible, const std::vector<TagOfSide>& tags,
               std::vector<QRectF>* taken) {
  constexpr int kLines = 3;
  const QFontMetricsF metrics(painter.font());
  for (const bool differing : {true, false})
    for (const TagOfSide& tag : tags) {
      if (tag.differs != differing) continue;
      const QSizeF size(metrics.horizontalAdvance(tag.text) + 8, metrics.height());
      const double top = tag.below ? std::min(tag.at.y(), visible.bottom() - size.height())
                                   : std::max(tag.at.y() - size.height(), visible.top());
      const QRectF wanted(QPointF(tag.at.x() - size.width() / 2, top), size);
      const std::optional<QRectF> place = free_position(wanted, *taken, tag.below ? -kLines : kLines);
      if (!place) continue;
      taken->push_back(*place);
      painter.setPen(QPen(QColor(0, 0, 0, 190), 1));
      painter.setBrush(tag.color);
      painter.drawRect(*place);
      painter.setPen(Qt::black);
      painter.drawText(*place, Qt::AlignCenter, tag.text);
    }
}

// Draws a box with a black halo and returns it. Nothing: it is not visible.
std::optional<QRectF> draw_box_of_side(QPainter& painter, const MarkView& view, const MarkedPerson& person,
                                       const LineStyle& look) {
  const auto box = person_rectangle_px(view.world, person.position_in_world_m, person.height_m);
  if (!box) return std::nullopt;
  const QRectF drawn = view.widget_from_view.mapRect(
      QRectF(QPointF(box->min().x(), box->min().y()), QPointF(box->max().x(), box->max().y())));
  if (!drawn.intersects(view.visible)) return std::nullopt;
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(QColor(0, 0, 0, 190), look.width_px + 2));
  painter.drawRoundedRect(drawn, 3, 3);
  QPen pen(look.color, look.width_px, look.style, Qt::FlatCap);
  if (look.style == Qt::DashLine) pen.setDashPattern({8 / look.width_px, 5 / look.width_px});
  painter.setPen(pen);
  painter.drawRoundedRect(drawn, 3, 3);
  return drawn;
}

void draw_person_of_side(QPainter& painter, const MarkView& view, const ComparedPerson& one, int side,
                         bool both, std::vector<TagOfSide>* tags) {
  const bool agreed = both && !one.differs;
  if (agreed && side == 1) return;  // A's is drawn for both
  const QColor color(agreed ? kRejected : kSideColors[static_cast<size_t>(side)]);
  const LineStyle look{color, one.differs ? 3.0 : 1.5, side == 0 ? Qt::SolidLine : Qt::DashLine};
  std::optional<QPointF> at;
  const bool below = both && side == 1;
  if (view.camera) {
    if (const auto box = draw_box_of_side(painter, view, one.person, look))
      at = QPointF(box->center().x(), below ? box->bottom() + 2 : box->top() - 2);
  } else {
    const Eigen::Vector3d& position = one.person.position_in_world_m;
    draw_world_line(painter, view, circle_in_world_m(position, kRing_m * (side == 0 ? 1 : 1.3)), true, look);
    at = widget_position(view, position);
    if (at) at->ry() += below ? 8 : -8;
  }
  if (!at) return;
  const QString id = one.person.id > 0 ? QString::number(one.person.id) : QStringLiteral("\u2013");
  const QString who = agreed ? id : QStringLiteral("%1 %2").arg(QChar("AB"[side])).arg(id);
  tags->push_back({*at, below, one.differs, one.differs ? QStringLiteral("\u2260 ") + who : who, color});
}

void draw_divider(QPainter& painter, const QRectF& visible, double share) {
  const double x = visible.left() + share * visible.width(), y = visible.center().y();
  painter.setPen(QPen(QColor(0, 0, 0, 190), 4));
  painter.drawLine(QPointF(x, visible.top()), QPointF(x, visible.bottom()));
  painter.setPen(QPen(Qt::white, 2));
  painter.drawLine(QPointF(x, visible.top()), QPointF(x, visible.bottom()));
  painter.setPen(QPen(Qt::black, 1.5));
  painter.setBrush(Qt::white);
  painter.drawEllipse(QPointF(x, y), 8, 8);
  for (const double way : {-1.0, 1.0}) {
    const QPointF tip(x + way * 5.5, y);
    painter.drawPolyline(QPolygonF({tip + QPointF(-way * 3, -3), tip, tip + QPointF(-way * 3, 3)}));
  }
}

}  // namespace

ComparedMasks tint_masks(const std::array<QImage, 2>& masks) {
  ComparedMasks made;
  for (size_t side = 0; side < 2; ++side)
    if (!masks[side].isNull())
      made.sides[side] =
          tinted(masks[side], side == 0 ? kSideColors[0] : 0, side == 1 ? kSideColors[1] : 0, 0);
  if (masks[0].isNull() || masks[1].isNull() || masks[0].size() != masks[1].size()) return made;
  QImage both = masks[0];
  for (int y = 0; y < both.height(); ++y) {
    uchar* to = both.scanLine(y);
    const uchar* from = masks[1].constScanLine(y);
    for (int x = 0; x < both.width(); ++x) to[x] |= from[x];
  }
  made.both = tinted(both, kSideColors[0], kSideColors[1], kRejected);
  return made;
}

QRectF area_of_side(const MarkedComparison& marked, const QRectF& visible, int pane, int side) {
  if (pane >= 0) return pane == side ? visible : QRectF();
  if (marked.style == CompareStyle::blink) return marked.turn == side ? visible : QRectF();
  if (marked.style != CompareStyle::wipe) return visible;
  const double divider = marked.wipe * visible.width();
  return side == 0 ? visible.adjusted(0, 0, divider - visible.width(), 0)
                   : visible.adjusted(divider, 0, 0, 0);
}

void draw_compared_people(QPainter& painter, const MarkView& view, const MarkedComparison& marked) {
  if (marked.place_in_world_m)
    draw_world_line(painter, view, circle_in_world_m(*marked.place_in_world_m, 2 * kRing_m), true,
                    {QColor(kSelection), 3, Qt::SolidLine});
  std::vector<QRectF> taken;
  for (int side = 0; side < 2; ++side) {
    const QRectF area = area_of_side(marked, view.visible, view.pane, side);
    if (area.isEmpty()) continue;
    std::vector<TagOfSide> tags;
    painter.save();
    painter.setClipRect(area, Qt::IntersectClip);
    for (const bool differing : {false, true})  // on top
      for (const ComparedPerson& one : marked.sides[static_cast<size_t>(side)].people)
        if (one.differs == differing)
          draw_person_of_side(painter, view, one, side, at_once(marked, view.pane), &tags);
    draw_tags(painter, view.visible, tags, &taken);
    painter.restore();
  }
}

void draw_compared_masks(QPainter& painter, const QRectF& picture, const QRectF& visible, int pane,
                         const ComparedMasks& masks, const MarkedComparison& marked) {
  if (at_once(marked, pane) && !masks.both.isNull()) return painter.drawImage(picture, masks.both);
  for (int side = 0; side < 2; ++side) {
    const QRectF area = area_of_side(marked, visible, pane, side);
    const QImage& mask = masks.sides[static_cast<size_t>(side)];
    if (area.isEmpty() || mask.isNull()) continue;
    painter.save();
    painter.setClipRect(area, Qt::IntersectClip);
    painter.drawImage(picture, mask);
    painter.restore();
  }
}

double draw_compared_names(QPainter& painter, const QRectF& visible, int pane, const MarkedComparison& marked,
                           bool above) {
  constexpr double kEdge_px = 8, kLeast_px = 40;
  const double height = QFontMetricsF(painter.font()).height() + 6;
  const double y = above ? visible.top() + kEdge_px : visible.bottom() - kEdge_px - height;
  if (pane < 0 && marked.style == CompareStyle::wipe) draw_divider(painter, visible, marked.wipe);
  double behind = visible.left();  // width of the previous name
  for (int side = 0; side < 2; ++side) {
    const QRectF area = area_of_side(marked, visible, pane, side);
    const double left = std::max(area.left(), behind) + kEdge_px;
    const double room = area.right() - left - kEdge_px;
    if (area.isEmpty() || room < kLeast_px) continue;
    const QRectF label = draw_label(painter, {left, y}, marked.sides[static_cast<size_t>(side)].name,
                                    QColor(kSideColors[static_cast<size_t>(side)]), room);
    if (at_once(marked, pane)) behind = label.right();
  }
  return height;
}

bool WipeHandle::is_at(const MarkedComparison* marked, const QRectF& visible, const QPointF& place) {
  return marked && marked->style == CompareStyle::wipe && visible.contains(place) &&
         std::abs(place.x() - visible.left() - marked->wipe * visible.width()) <= kWipeReach_px;
}

bool WipeHandle::press(const MarkedComparison* marked, const QRectF& visible, const QPointF& place) {
  held_ = is_at(marked, visible, place);
  visible_ = visible;
  return held_;
}

double WipeHandle::drag(const QPointF& place) const {
  return std::clamp((place.x() - visible_.left()) / std::max(1.0, visible_.width()), 0.0, 1.0);
}

}  // namespace vantage::ui
