#include "ui/views/marks.h"

#include <QCoreApplication>
#include <QPainterPath>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "ui/views/compared_marks.h"
#include "ui/views/overlays.h"
#include "ui/views/view_texts.h"
#include "ui/widgets/theme.h"

namespace vantage::ui {
namespace {

// Ground truth as in every view: a diamond at the feet, filled where it was set by hand in this frame, and a
// line up to the head, dashed where the height is not known.

constexpr double kHalf_px = 6;  // half the diamond

void draw_person(QPainter& painter, const MarkView& view, const MarkedTruth& person) {
  const QColor color = person.chosen ? QColor(kSelection) : QColor(Qt::white);
  const double height_m = person.height_m > 0 ? person.height_m : kStandingFigure_m;
  const std::array<Eigen::Vector3d, 2> upright = {
      person.position_in_world_m, person.position_in_world_m + height_m * Eigen::Vector3d::UnitZ()};
  draw_world_line(painter, view, upright, false,
                  {color, person.chosen ? 2.5 : 1.5, person.height_m > 0 ? Qt::SolidLine : Qt::DashLine});
  const auto at = widget_position(view, person.position_in_world_m);
  if (!at || !view.visible.contains(*at)) return;
  const QPolygonF diamond({*at + QPointF(0, -kHalf_px), *at + QPointF(kHalf_px, 0),
                           *at + QPointF(0, kHalf_px), *at + QPointF(-kHalf_px, 0)});
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(Qt::black, 4));
  painter.drawPolygon(diamond);
  painter.setPen(QPen(color, 2));
  if (person.key) painter.setBrush(color);
  painter.drawPolygon(diamond);
}

// The chosen person's first; those that would cover another are moved down, or left out.
void draw_truth_names(QPainter& painter, const MarkView& view, const std::vector<MarkedTruth>& people) {
  constexpr int kLinesDown = 2;
  const QFontMetricsF metrics(painter.font());
  std::vector<QRectF> taken;
  for (const bool chosen : {true, false})
    for (const MarkedTruth& person : people) {
      const auto at = widget_position(view, person.position_in_world_m);
      if (person.chosen != chosen || !at || !view.visible.contains(*at)) continue;
      const QString name = QCoreApplication::translate("Marks", "true %1").arg(person.id);
      const QPointF baseline = *at + QPointF(kHalf_px + 3, kHalf_px + 6);
      const QRectF wanted(baseline - QPointF(0, metrics.ascent()),
                          QSizeF(metrics.horizontalAdvance(name), metrics.height()));
      const std::optional<QRectF> place = free_position(wanted, taken, -kLinesDown);
      if (!place) continue;
      taken.push_back(*place);
      draw_haloed(painter, place->topLeft() + QPointF(0, metrics.ascent()), name,
                  chosen ? QColor(kSelection) : QColor(Qt::white));
    }
}

void draw_truth(QPainter& painter, const MarkView& view, const std::vector<MarkedTruth>& people) {
  painter.setRenderHint(QPainter::Antialiasing);
  for (const MarkedTruth& person : people) draw_person(painter, view, person);
  draw_truth_names(painter, view, people);
}

constexpr double kAboveHead_m = 0.12;
constexpr int kTrailShades = 6;

QString marks_tr(const char* text) {
  return QCoreApplication::translate("Marks", text);
}

// Qt's dashes are in widths, these in pixels.
QList<qreal> dashes_of(Qt::PenStyle style, double width_px) {
  if (style == Qt::DashLine) return {8 / width_px, 5 / width_px};
  return {2.5 / width_px, 3.5 / width_px};
}

// The halo surrounds each dash: both are made from one outline.
void stroke(QPainter& painter, const QPainterPath& path, const LineStyle& look) {
  QColor halo(Qt::black);
  halo.setAlphaF(static_cast<float>(look.color.alphaF() * 0.75));
  QPainterPathStroker stroker;
  stroker.setWidth(look.width_px);
  stroker.setJoinStyle(Qt::RoundJoin);
  stroker.setCapStyle(look.style == Qt::SolidLine ? Qt::RoundCap : Qt::FlatCap);
  if (look.style != Qt::SolidLine) {
    stroker.setDashPattern(dashes_of(look.style, look.width_px));
    const QPainterPath dashes = stroker.createStroke(path);
    painter.strokePath(dashes, QPen(halo, 2, Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin));
    return painter.fillPath(dashes, look.color);
  }
  painter.strokePath(path, QPen(halo, look.width_px + 2, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  painter.strokePath(path, QPen(look.color, look.width_px, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
}

QPainterPath path_of(const MarkView& view, std::span<const Eigen::Vector3d> points, bool closed) {
  QPainterPath path;
  for (const PixelStrip& strip : project_polyline(view.world, points, closed)) {
    path.moveTo(view.widget_from_view.map(QPointF(strip[0].x(), strip[0].y())));
    for (size_t i = 1; i < strip.size(); ++i)
      path.lineTo(view.widget_from_view.map(QPointF(strip[i].x(), strip[i].y())));
  }
  return path;
}

std::vector<Eigen::Vector3d> on_floor(const std::vector<Eigen::Vector2d>& line) {
  std::vector<Eigen::Vector3d> points;
  for (const Eigen::Vector2d& p : line) points.emplace_back(p.x(), p.y(), 0);
  return points;
}

// An ID to be drawn above `bottom`.
struct NumberPosition {
  const MarkedPerson* person;
  QPointF bottom;
  bool chosen;
  double distance_m;  // distance from the view's eye
};

QString label_of(const MarkedPerson& person) {
  return person.name.isEmpty() ? QString::number(person.id) : person.name;
}

std::optional<QRectF> number_place(const QFontMetricsF& metrics, const MarkView& view,
                                   const NumberPosition& number) {
  const double width = metrics.horizontalAdvance(label_of(*number.person)) + 10;
  const QSizeF size(std::max(width, metrics.height() + 2), metrics.height() + 2);
  if (!view.visible.adjusted(-2, -2, 2, size.height() + 40).contains(number.bottom)) return std::nullopt;
  const double bottom = std::max(number.bottom.y(), view.visible.top() + size.height() + 2);
  return QRectF(QPointF(number.bottom.x() - size.width() / 2, bottom - size.height()), size);
}

// In a pill of the person's colour.
void draw_number(QPainter& painter, const QRectF& pill, int64_t id, const QString& text) {
  const QColor color = person_color(id);
  painter.setPen(QPen(QColor(0, 0, 0, 190), 1));
  painter.setBrush(color);
  painter.drawRoundedRect(pill, pill.height() / 2, pill.height() / 2);
  painter.setPen(ink_on(color));
  painter.drawText(pill, Qt::AlignCenter, text);
}

// The ID and, where it covers no other, the height by the head; the rectangle then grows.
QString number_text(const QFontMetricsF& metrics, const MarkView& view, const MarkedPerson& person,
                    size_t index, std::vector<QRectF>* positions) {
  const QString number = label_of(person);
  if (person.by_head_m <= 0) return number;
  const QString text = marks_tr("%1: %2 m").arg(number).arg(person.by_head_m, 0, 'f', 2);
  QRectF& own = (*positions)[index];
  const QRectF before = std::exchange(own, QRectF());  // an empty one does not count as an obstacle
  const QRectF wide =
      before.adjusted(0, 0, metrics.horizontalAdvance(text) - metrics.horizontalAdvance(number), 0);
  const bool room = view.visible.contains(wide) && free_position(wide, *positions, 0);
  own = room ? wide : before;
  return room ? text : number;
}

// The chosen and the nearest first; the others give way. Heights come after all IDs.
void draw_numbers(QPainter& painter, const MarkView& view, std::vector<NumberPosition> numbers) {
  constexpr int kLinesUp = 2;
  std::stable_sort(numbers.begin(), numbers.end(), [](const NumberPosition& a, const NumberPosition& b) {
    return a.chosen != b.chosen ? a.chosen : a.distance_m < b.distance_m;
  });
  const QFont before = painter.font();
  QFont bold = before;
  bold.setBold(true);
  painter.setFont(bold);
  const QFontMetricsF metrics(bold);
  std::vector<QRectF> taken;
  std::vector<const MarkedPerson*> people;
  for (const NumberPosition& number : numbers) {
    const std::optional<QRectF> wanted = number_place(metrics, view, number);
    const std::optional<QRectF> position = wanted ? free_position(*wanted, taken, kLinesUp) : std::nullopt;
    if (!position || position->top() < view.visible.top()) continue;
    taken.push_back(*position);
    people.push_back(number.person);
  }
  for (size_t i = 0; i < people.size(); ++i) {
    const QString text = number_text(metrics, view, *people[i], i, &taken);
    draw_number(painter, taken[i], people[i]->id, text);
  }
  painter.setFont(before);
}

LineStyle look_of(const MarkedPerson& person) {
  if (person.id <= 0) return {QColor(kRejected), 1.5, Qt::SolidLine};
  return {person_color(person.id), 2, person_line(person.id)};
}

void draw_ring(QPainter& painter, const MarkView& view, const Eigen::Vector3d& position,
               const LineStyle& look) {
  draw_world_line(painter, view, circle_in_world_m(position, kRing_m), true, look);
}

// Around the person and its ring in every style: a choice is visible in every view.
void draw_choice(QPainter& painter, const MarkView& view, const MarkedPerson& person, bool first) {
  const LineStyle look{QColor(kSelection), first ? 3.0 : 2.0, first ? Qt::SolidLine : Qt::DashLine};
  draw_world_line(painter, view, circle_in_world_m(person.position_in_world_m, kRing_m * 1.35), true, look);
  if (!view.camera) return;
  const auto box = person_rectangle_px(view.world, person.position_in_world_m, person.height_m);
  if (!box) return;
  QPainterPath path;
  path.addRoundedRect(
      view.widget_from_view
          .mapRect(QRectF(QPointF(box->min().x(), box->min().y()), QPointF(box->max().x(), box->max().y())))
          .adjusted(-4, -4, 4, 4),
      5, 5);
  stroke(painter, path, look);
}

// Draws the text at the first of these points where it covers nothing and stays in the view, at most some
// lines above the first; left out where there is no space.
void draw_floor_name(QPainter& painter, const MarkView& view, std::span<const Eigen::Vector3d> points,
                     const QString& words, const QColor& color, std::vector<QRectF>* taken) {
  constexpr int kLinesUp = 3;
  const QFontMetricsF metrics(painter.font());
  const QSizeF size(metrics.horizontalAdvance(words) + 4, metrics.height());
  std::optional<QRectF> position;
  for (int lines = 0; !position && lines <= kLinesUp; lines += kLinesUp)
    for (const Eigen::Vector3d& point : points) {
      const auto at = widget_position(view, point);
      if (position || !at) continue;
      position = free_position({*at + QPointF(6, -6 - size.height()), size}, *taken, lines);
      if (position && !view.visible.contains(*position)) position.reset();
    }
  if (!position) return;
  taken->push_back(*position);
  draw_haloed(painter, position->bottomLeft() - QPointF(0, metrics.descent()), words, color);
}

void draw_shape(QPainter& painter, const MarkView& view, const MarkedShape& shape,
                std::vector<QRectF>* taken) {
  const QColor color = shape.chosen     ? QColor(kSelection)
                       : shape.doubtful ? QColor(kDoubtful)
                                        : QColor(Qt::white);
  const std::vector<Eigen::Vector3d> corners = on_floor(shape.corners_m);
  draw_world_line(painter, view, corners, shape.closed && corners.size() > 2,
                  {color, shape.chosen ? 2.5 : 2.0, shape.closed ? Qt::DashLine : Qt::SolidLine});
  if (!shape.closed && corners.size() == 2) {
    // A barb on the left side, which "to left" counts.
    const Eigen::Vector3d along = corners[1] - corners[0], middle = (corners[0] + corners[1]) / 2;
    const Eigen::Vector3d left = Eigen::Vector3d(-along.y(), along.x(), 0).normalized() * 0.3;
    const std::array<Eigen::Vector3d, 2> barb = {middle, middle + left};
    draw_world_line(painter, view, barb, false, {color, 2, Qt::SolidLine});
  }
  std::vector<Eigen::Vector3d> named = {Eigen::Vector3d::Zero()};  // the middle, else a corner
  for (const Eigen::Vector3d& corner : corners) {
    named[0] += corner / static_cast<double>(corners.size());
    named.push_back(corner);
    const auto at = shape.corners ? widget_position(view, corner) : std::nullopt;
    if (!at) continue;
    painter.setPen(QPen(Qt::black, 1.5));
    painter.setBrush(color);
    painter.drawRect(QRectF(*at - QPointF(4, 4), QSizeF(8, 8)));
  }
  if (!corners.empty())
    draw_floor_name(painter, view, named,
                    shape.doubtful ? QStringLiteral("\u25b2 ") + shape.name : shape.name, color, taken);
}

// Returns the position above which the person's ID is drawn.
std::optional<QPointF> draw_person(QPainter& painter, const MarkView& view, const MarkedPerson& person,
                                   PeopleStyle style) {
  const Eigen::Vector3d head = person.position_in_world_m +
                               Eigen::Vector3d(0, 0, view.from_above ? 0 : person.height_m + kAboveHead_m);
  std::optional<QPointF> top = widget_position(view, head);
  if (view.camera && style == PeopleStyle::box) {
    const auto box = person_rectangle_px(view.world, person.position_in_world_m, person.height_m);
    if (!box) return std::nullopt;
    const QRectF rectangle = view.widget_from_view.mapRect(
        QRectF(QPointF(box->min().x(), box->min().y()), QPointF(box->max().x(), box->max().y())));
    if (!rectangle.intersects(view.visible)) return std::nullopt;
    QPainterPath path;
    path.addRoundedRect(rectangle, 3, 3);
    stroke(painter, path, look_of(person));
    top = QPointF(rectangle.center().x(), rectangle.top() - 4);
  } else if (!view.camera || style == PeopleStyle::ring) {
    draw_ring(painter, view, person.position_in_world_m, look_of(person));
  }
  if (top && view.from_above) top->ry() += 8;  // in the middle of its ring
  return top;
}

void draw_people(QPainter& painter, const MarkView& view, const Marks& marks) {
  std::vector<NumberPosition> numbers;
  for (const MarkedPerson& person : marks.people) {
    const std::optional<QPointF> bottom = draw_person(painter, view, person, marks.people_style);
    if (bottom && person.id > 0)
      numbers.push_back({&person, *bottom,
                         person.id == marks.choice.first || person.id == marks.choice.second,
                         (person.position_in_world_m - view.eye_in_world_m).norm()});
  }
  draw_numbers(painter, view, std::move(numbers));
}

// Square, to differ from the first tracker's; `top`: the middle of its upper edge.
void draw_tag(QPainter& painter, const MarkView& view, const QPointF& top, const QString& text,
              const QColor& border, bool doubtful) {
  const QFontMetricsF metrics(painter.font());
  const QSizeF size(metrics.horizontalAdvance(text) + 10, metrics.height() + 2);
  const QRectF tag(top - QPointF(size.width() / 2, 0), size);
  if (!tag.intersects(view.visible)) return;
  painter.setPen(QPen(border, 1.5, doubtful ? Qt::SolidLine : Qt::DashLine));
  painter.setBrush(doubtful ? QColor(kDoubtful) : QColor(30, 30, 30, 220));
  painter.drawRect(tag);
  painter.setPen(doubtful ? Qt::black : Qt::white);
  painter.drawText(tag, Qt::AlignCenter, text);
}

void draw_second(QPainter& painter, const MarkView& view, const MarkedSecond& second) {
  constexpr double kAround_px = 5, kTag_px = 3, kWider = 1.5;
  const MarkedPerson& person = second.person;
  const QColor color = person_color(person.id);
  const LineStyle look{second.differs ? QColor(kDoubtful) : color, second.differs ? 2.0 : 1.5, Qt::DashLine};
  std::optional<QPointF> below;
  if (view.camera) {
    const auto box = person_rectangle_px(view.world, person.position_in_world_m, person.height_m);
    if (!box) return;
    const QRectF around =
        view.widget_from_view
            .mapRect(QRectF(QPointF(box->min().x(), box->min().y()), QPointF(box->max().x(), box->max().y())))
            .adjusted(-kAround_px, -kAround_px, kAround_px, kAround_px);
    QPainterPath path;
    path.addRect(around);
    if (!around.intersects(view.visible)) return;
    stroke(painter, path, look);
    below = QPointF(around.center().x(), std::min(around.bottom() + kTag_px, view.visible.bottom() - 18));
  } else {
    draw_world_line(painter, view, circle_in_world_m(person.position_in_world_m, kRing_m * kWider), true,
                    look);
    below = widget_position(view, person.position_in_world_m);
    if (below) below->ry() += 14;
  }
  const QString text = QString::number(person.id);
  if (below) draw_tag(painter, view, *below, second.differs ? "\u2260 " + text : text, color, second.differs);
}

void draw_switch(QPainter& painter, const MarkView& view, const MarkedSwitch& one) {
  const auto at = widget_position(view, one.position_in_world_m);
  if (!at || !view.visible.contains(*at)) return;
  draw_ring(painter, view, one.position_in_world_m, {QColor(kFailed), 3, Qt::SolidLine});
  draw_haloed(painter, *at + QPointF(12, 4), QStringLiteral("\u25b2 ") + one.words, QColor(kDoubtful));
}

// Fades towards its origin.
void draw_point(QPainter& painter, const MarkView& view, const MarkedPoint& point) {
  const auto at = widget_position(view, point.position_in_world_m);
  if (!at) return;
  const QColor color(point.chosen ? kSelection : kForegroundOverlay);
  QPainterPath cross;
  for (const QPointF& arm : {QPointF(5, 5), QPointF(5, -5)}) {
    cross.moveTo(*at - arm);
    cross.lineTo(*at + arm);
  }
  stroke(painter, cross, {color, 1.5, Qt::SolidLine});
  draw_haloed(painter, *at + QPointF(8, 4), point.name, color);
}

void draw_trail(QPainter& painter, const MarkView& view, const Trail& trail) {
  const size_t count = trail.floor_m.size();
  const std::vector<Eigen::Vector3d> points = on_floor(trail.floor_m);
  for (int shade = 0; shade < kTrailShades; ++shade) {
    const size_t from = count * static_cast<size_t>(shade) / kTrailShades;
    const size_t to = std::min(count, count * (static_cast<size_t>(shade) + 1) / kTrailShades + 1);
    if (to < from + 2) continue;
    QColor color = trail.id > 0 ? person_color(trail.id) : QColor(kRejected);
    color.setAlphaF(static_cast<float>(0.2 + 0.8 * (shade + 1) / kTrailShades));
    draw_world_line(painter, view, std::span(points).subspan(from, to - from), false,
                    {color, 2, person_line(trail.id)});
  }
}

void draw_skeleton(QPainter& painter, const MarkView& view, const MarkedSkeleton& skeleton) {
  const LineStyle look{skeleton.id > 0 ? person_color(skeleton.id) : QColor(kRejected), 2.5, Qt::SolidLine};
  for (const auto& limb : skeleton.limbs_in_world_m) draw_world_line(painter, view, limb, false, look);
}

// Draws text next to a line, at its lowest visible point that is free of other text.
void draw_line_text(QPainter& painter, const MarkView& view, const MarkedCoverage& part, const QColor& color,
                    std::vector<QRectF>* taken) {
  const QFontMetricsF metrics(painter.font());
  const QString text = marks_tr("seen by ≥ %1").arg(part.cameras);
  const QSizeF size(metrics.horizontalAdvance(text) + 8, metrics.height() + 2);
  const QRectF room = view.visible.adjusted(6, size.height() + 6, -size.width() - 6, -8);
  std::optional<QRectF> best;
  for (const CoverageLine& line : part.lines)
    for (const Eigen::Vector2d& p : line) {
      const auto at = widget_position(view, {p.x(), p.y(), 0});
      if (!at || !room.contains(*at) || (best && best->bottom() >= at->y())) continue;
      const QRectF words(QPointF(at->x(), at->y() - size.height()), size);
      if (std::none_of(taken->begin(), taken->end(), [&](const QRectF& r) { return r.intersects(words); }))
        best = words;
    }
  if (!best) return;
  taken->push_back(*best);
  draw_haloed(painter, best->bottomLeft() + QPointF(4, -5), text, color);
}

void draw_coverage(QPainter& painter, const MarkView& view, const std::vector<MarkedCoverage>& coverage,
                   std::vector<QRectF>* taken) {
  for (const bool needed : {true, false})  // the needed line's words come first
    for (const MarkedCoverage& part : coverage) {
      if (part.needed != needed) continue;
      QColor color(Qt::white);
      color.setAlphaF(needed ? 0.95F : 0.5F);
      for (const CoverageLine& line : part.lines)
        draw_world_line(painter, view, on_floor(line), false, {color, needed ? 2.0 : 1.0, Qt::DotLine});
      draw_line_text(painter, view, part, color, taken);
    }
}

void draw_region(QPainter& painter, const MarkView& view, const UprightBox& region,
                 std::vector<QRectF>* taken) {
  const auto corners = region.corners_in_world_m();
  draw_world_line(painter, view, std::span(corners).first(4), true, {Qt::white, 2, Qt::DashLine});
  const std::array<Eigen::Vector3d, 4> named = {corners[3], corners[2], corners[1], corners[0]};
  draw_floor_name(painter, view, named, marks_tr("region"), Qt::white, taken);
}

}  // namespace

std::optional<QPointF> widget_position(const MarkView& view, const Eigen::Vector3d& point_in_world_m) {
  const auto pixel = view.world.project(point_in_world_m);
  if (!pixel || !view.world.bounds_px.contains(*pixel)) return std::nullopt;
  return view.widget_from_view.map(QPointF(pixel->x(), pixel->y()));
}

void draw_world_line(QPainter& painter, const MarkView& view,
                     std::span<const Eigen::Vector3d> points_in_world_m, bool closed, const LineStyle& look) {
  const QPainterPath path = path_of(view, points_in_world_m, closed);
  // A vertical or horizontal line has an empty rectangle, which intersects nothing.
  const QRectF around = path.controlPointRect().adjusted(-1, -1, 1, 1);
  if (!path.isEmpty() && around.intersects(view.visible)) stroke(painter, path, look);
}

void draw_epipolar_lines(QPainter& painter, const MarkView& view, const MarkedEpipolarLines& pair) {
  QColor quiet(kForegroundOverlay);
  quiet.setAlphaF(0.45F);
  const auto draw = [&](size_t i, const LineStyle& look) {
    const LineSegment& line = pair.lines[i];
    const Eigen::Vector3d ends[2] = {Eigen::Map<const Eigen::Vector3d>(line.a_in_world_m),
                                     Eigen::Map<const Eigen::Vector3d>(line.b_in_world_m)};
    draw_world_line(painter, view, ends, false, look);
  };
  for (size_t i = 0; i < pair.lines.size(); ++i)
    if (i % 4 == 0) draw(i, {quiet, 1});  // all of them would hide the picture
  const auto chosen = static_cast<size_t>(pair.chosen);
  if (chosen < pair.lines.size()) draw(chosen, {QColor(kSelection), 2});
}

void draw_marks(QPainter& painter, const MarkView& view, const Marks& marks) {
  std::vector<QRectF> names;  // names of marks on the floor
  draw_coverage(painter, view, marks.coverage, &names);
  if (marks.region) draw_region(painter, view, *marks.region, &names);
  for (const MarkedShape& shape : marks.shapes) draw_shape(painter, view, shape, &names);
  for (const auto& run : marks.choice.way_m) {
    QColor way(kSelection);
    way.setAlphaF(0.55F);
    draw_world_line(painter, view, on_floor(run), false, {way, 1.5, Qt::SolidLine});
  }
  for (const Trail& trail : marks.trails) draw_trail(painter, view, trail);
  QColor quiet(kRejected);
  quiet.setAlphaF(0.75F);
  for (const MarkedPeak& peak : marks.rejected)
    draw_ring(painter, view, peak.position_in_world_m, {quiet, 1, Qt::DashLine});
  for (const MarkedPerson& person : marks.everybody)
    if (person.id > 0 && (person.id == marks.choice.first || person.id == marks.choice.second))
      draw_choice(painter, view, person, person.id == marks.choice.first);
  for (const MarkedSkeleton& skeleton : marks.skeletons) draw_skeleton(painter, view, skeleton);
  draw_people(painter, view, marks);
  if (marks.comparison) draw_compared_people(painter, view, *marks.comparison);
  for (const MarkedSecond& second : marks.second) draw_second(painter, view, second);
  for (const MarkedSwitch& one : marks.switches) draw_switch(painter, view, one);
  draw_boxes(painter, view, marks.boxes);
  draw_measures(painter, view, marks.measures);
  draw_truth(painter, view, marks.truth);
  if (const auto& asked = marks.question.position_in_world_m) {
    draw_ring(painter, view, *asked, {QColor(kSelection), 2, Qt::DashDotLine});
    if (const auto at = widget_position(view, *asked)) draw_question(painter, *at);
  }
  for (const MarkedPoint& point : marks.points)
    if (!view.camera) draw_point(painter, view, point);
}

int64_t person_at(const MarkView& view, const Marks& marks, const QPointF& position) {
  constexpr double kRoom_px = 6;
  int64_t nearest = 0;
  double nearest_m = std::numeric_limits<double>::infinity();
  for (const MarkedPerson& person : marks.everybody) {
    const auto box = person_rectangle_px(view.world, person.position_in_world_m, person.height_m);
    if (person.id <= 0 || !box) continue;
    const QRectF drawn =
        view.widget_from_view
            .mapRect(QRectF(QPointF(box->min().x(), box->min().y()), QPointF(box->max().x(), box->max().y())))
            .adjusted(-kRoom_px, -kRoom_px, kRoom_px, kRoom_px);
    const double distance_m = (person.position_in_world_m - view.eye_in_world_m).norm();
    if (drawn.contains(position) && distance_m < nearest_m) nearest = person.id, nearest_m = distance_m;
  }
  return nearest;
}

void draw_question(QPainter& painter, const QPointF& at) {
  const QColor yellow(kSelection);
  QPainterPath cross;
  cross.addEllipse(at, 3, 3);
  stroke(painter, cross, {yellow, 2, Qt::SolidLine});
  draw_haloed(painter, at + QPointF(6, -6), QStringLiteral("?"), yellow);
}

void draw_pointed(QPainter& painter, const MarkView& view, const Eigen::Vector3d& position_in_world_m,
                  bool figure) {
  const QColor yellow(kSelection);
  draw_ring(painter, view, position_in_world_m, {yellow, 2, Qt::SolidLine});
  const auto at = widget_position(view, position_in_world_m);
  if (!at) return;
  if (figure && !view.from_above) {
    const QPainterPath outline = path_of(
        view, standing_figure_in_world_m(position_in_world_m, kStandingFigure_m, view.eye_in_world_m), true);
    QColor fill = yellow;
    fill.setAlphaF(0.18F);
    painter.fillPath(outline, fill);
    stroke(painter, outline, {yellow, 1.5, Qt::SolidLine});
  }
  QPainterPath cross;
  cross.moveTo(*at - QPointF(6, 0));
  cross.lineTo(*at + QPointF(6, 0));
  cross.moveTo(*at - QPointF(0, 6));
  cross.lineTo(*at + QPointF(0, 6));
  stroke(painter, cross, {yellow, 2, Qt::SolidLine});
}

}  // namespace vantage::ui
