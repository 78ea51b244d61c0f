#include "ui/views/overlays.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainterPath>
#include <QStringList>
#include <algorithm>
#include <cmath>
#include <vector>

#include "core/detections/skeletons.h"
#include "core/display/flow_colors.h"
#include "core/metrics/masks/mask_painting.h"
#include "core/optical_flow/flow_file.h"
#include "ui/views/view_texts.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/theme.h"

namespace vantage::ui {
namespace {

constexpr int kImageColumns = 320;
constexpr double kMoving_px = 0.25;
constexpr int kWheel_px = 56;
constexpr double kLongestArrow =
    0.9;  // share of the spacing, for a vector of full colour; arrows are never shorter than the vector

QString flow_tr(const char* text) {
  return QCoreApplication::translate("FlowOverlay", text);
}

bool known(const ImageView<const float>& vectors, int x, int y) {
  return is_known_flow(vectors.at(2 * x, y)) && is_known_flow(vectors.at(2 * x + 1, y));
}

QRgb color_of(double dx, double dy, double full_px) {
  const auto [red, green, blue, alpha] = flow_rgba(dx, dy, full_px);
  return qRgba(red, green, blue, alpha);
}

}  // namespace

QImage flow_image(const FlowField& field, double full_px) {
  const int step = std::max(1, (field.width + kImageColumns - 1) / kImageColumns);
  QImage image((field.width + step - 1) / step, (field.height + step - 1) / step, QImage::Format_ARGB32);
  const ImageView<const float> vectors = field.vectors.view<float>();
  for (int row = 0; row < image.height(); ++row) {
    auto* out = reinterpret_cast<QRgb*>(image.scanLine(row));
    const int y = std::min(row * step + step / 2, field.height - 1);
    for (int column = 0; column < image.width(); ++column) {
      const int x = std::min(column * step + step / 2, field.width - 1);
      out[column] = known(vectors, x, y) ? color_of(vectors.at(2 * x, y), vectors.at(2 * x + 1, y), full_px)
                                         : qRgba(0, 0, 0, 0);
    }
  }
  return image;
}

void draw_flow_arrows(QPainter& painter, const QTransform& widget_from_picture, const QRectF& visible,
                      const FlowField& field, int spacing_px, double full_px) {
  const double scale = std::max(1.0, kLongestArrow * spacing_px / full_px);
  const ImageView<const float> vectors = field.vectors.view<float>();
  QPainterPath lines;
  for (int y = spacing_px / 2; y < field.height; y += spacing_px)
    for (int x = spacing_px / 2; x < field.width; x += spacing_px) {
      if (!known(vectors, x, y)) continue;
      const QPointF vector(vectors.at(2 * x, y), vectors.at(2 * x + 1, y));
      if (std::hypot(vector.x(), vector.y()) < 2 * kMoving_px) continue;
      const QPointF tail = widget_from_picture.map(QPointF(x, y)),
                    tip = widget_from_picture.map(QPointF(x, y) + scale * vector);
      if (!visible.contains(tail)) continue;
      const QPointF back = (tail - tip) * 0.35, across(-back.y() * 0.6, back.x() * 0.6);
      lines.moveTo(tail);
      lines.lineTo(tip);
      lines.moveTo(tip + back + across);
      lines.lineTo(tip);
      lines.lineTo(tip + back - across);
    }
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(QColor(0, 0, 0, 160), 2.4));
  painter.drawPath(lines);
  painter.setPen(QPen(Qt::white, 1.2));
  painter.drawPath(lines);
}

void draw_flow_wheel(QPainter& painter, const QRectF& area, double full_px) {
  static const QImage wheel = [] {
    QImage image(2 * kWheel_px, 2 * kWheel_px, QImage::Format_ARGB32);
    for (int y = 0; y < image.height(); ++y)
      for (int x = 0; x < image.width(); ++x) {
        const double dx = (x + 0.5) / kWheel_px - 1, dy = (y + 0.5) / kWheel_px - 1;
        uint8_t rgb[3];
        flow_color(dx, dy, rgb);
        image.setPixel(x, y, std::hypot(dx, dy) <= 1 ? qRgb(rgb[0], rgb[1], rgb[2]) : qRgba(0, 0, 0, 0));
      }
    return image;
  }();
  if (area.width() < 3 * kWheel_px || area.height() < 3 * kWheel_px) return;
  const QString words = flow_tr("%1 px a frame").arg(full_px);
  const QFontMetricsF metrics(painter.font());
  const double width = std::max<double>(kWheel_px, metrics.horizontalAdvance(words)) + 12;
  const QRectF ground(area.right() - width - 8, area.top() + 8, width, kWheel_px + metrics.height() + 14);
  painter.setPen(Qt::NoPen);
  painter.setBrush(QColor(0, 0, 0, 170));
  painter.drawRoundedRect(ground, 4, 4);
  painter.drawImage(QRectF(ground.center().x() - kWheel_px / 2.0, ground.top() + 6, kWheel_px, kWheel_px),
                    wheel);
  painter.setPen(Qt::white);
  painter.drawText(QRectF(ground.left(), ground.bottom() - metrics.height() - 4, width, metrics.height()),
                   Qt::AlignCenter, words);
}

QString flow_text(const FlowField& field, const QPointF& pixel) {
  const int x = qRound(pixel.x()), y = qRound(pixel.y());
  if (!field || x < 0 || y < 0 || x >= field.width || y >= field.height) return {};
  const ImageView<const float> vectors = field.vectors.view<float>();
  if (!known(vectors, x, y)) return {};
  const double dx = vectors.at(2 * x, y), dy = vectors.at(2 * x + 1, y);
  QString words = flow_tr("flow %1 px (%2 %3, %4 %5)")
                      .arg(std::hypot(dx, dy), 0, 'f', 1)
                      .arg(std::abs(dx), 0, 'f', 1)
                      .arg(dx < 0 ? flow_tr("left") : flow_tr("right"))
                      .arg(std::abs(dy), 0, 'f', 1)
                      .arg(dy < 0 ? flow_tr("up") : flow_tr("down"));
  if (field.confidence)
    words += flow_tr(", confidence %1").arg(field.confidence.view<uint8_t>().at(x, y) / 255.0, 0, 'f', 2);
  return words;
}

namespace {

constexpr int kTintOfMask = 90;  // at most 255: the picture stays visible
constexpr int kTintOfOne = 150, kStripe_px = 3;
constexpr double kMaskCorner_px = 3.5;

void draw_outlined(QPainter& painter, const QPolygonF& line, bool closed, Qt::PenStyle style) {
  painter.setBrush(Qt::NoBrush);
  for (const QPen& pen : {QPen(QColor(0, 0, 0, 190), 3.5), QPen(QColor(kSelection), 1.5, style)}) {
    painter.setPen(pen);
    closed ? painter.drawPolygon(line) : painter.drawPolyline(line);
  }
}

// A polygon that is being drawn.
void draw_unfinished(QPainter& painter, const QPolygonF& corners) {
  if (corners.isEmpty()) return;
  draw_outlined(painter, corners, false, Qt::SolidLine);
  if (corners.size() > 2) draw_outlined(painter, {corners.last(), corners.first()}, false, Qt::DashLine);
  painter.setBrush(QColor(kSelection));
  painter.setPen(QPen(Qt::black, 1));
  for (const QPointF& corner : corners) painter.drawEllipse(corner, kMaskCorner_px, kMaskCorner_px);
}

void draw_brush(QPainter& painter, const QTransform& widget_from_picture, const MarkedBrush& brush) {
  const double scale = widget_from_picture.m11();
  const QPointF at = widget_from_picture.map(brush.at);
  const double radius = std::max(1.5, brush.radius_px * scale);
  painter.setBrush(Qt::NoBrush);
  for (const QPen& pen :
       {QPen(QColor(0, 0, 0, 190), 3), QPen(Qt::white, 1.2, brush.erases ? Qt::DashLine : Qt::SolidLine)}) {
    painter.setPen(pen);
    painter.drawEllipse(at, radius, radius);
  }
}

}  // namespace

QImage painted_mask(const ImageView<const uint8_t>& mask) {
  QImage image(mask.width, mask.height, QImage::Format_ARGB32_Premultiplied);
  const QColor color(kSelection);
  const QRgb edge = qPremultiply(qRgba(color.red(), color.green(), color.blue(), 255));
  const QRgb tint = qPremultiply(qRgba(color.red(), color.green(), color.blue(), kTintOfMask));
  const auto inside = [&](int x, int y) {
    return x >= 0 && y >= 0 && x < mask.width && y < mask.height && mask.row(y)[x] > kMaskThreshold;
  };
  for (int y = 0; y < mask.height; ++y) {
    auto* to = reinterpret_cast<QRgb*>(image.scanLine(y));
    for (int x = 0; x < mask.width; ++x) {
      if (mask.row(y)[x] <= kMaskThreshold)
        to[x] = 0;
      else
        to[x] = inside(x - 1, y) && inside(x + 1, y) && inside(x, y - 1) && inside(x, y + 1) ? tint : edge;
    }
  }
  return image;
}

QImage compared_masks(const ImageView<const uint8_t>& ours, const ImageView<const uint8_t>& theirs) {
  QImage image = painted_mask(ours);
  const auto tint = [](QRgb color) {
    return qPremultiply(qRgba(qRed(color), qGreen(color), qBlue(color), kTintOfOne));
  };
  const QRgb only_ours = tint(kDoubtful), only_theirs = tint(kForegroundOverlay);
  for (int y = 0; y < ours.height; ++y) {
    auto* to = reinterpret_cast<QRgb*>(image.scanLine(y));
    for (int x = 0; x < ours.width; ++x) {
      const bool our = ours.row(y)[x] > kMaskThreshold, their = theirs.row(y)[x] > kMaskThreshold;
      if (our && !their) to[x] = only_ours;
      if (their && !our) to[x] = (x + y) / kStripe_px % 2 == 0 ? only_theirs : 0;
    }
  }
  return image;
}

void draw_painted_mask(QPainter& painter, const QTransform& widget_from_picture, const QRectF& picture,
                       const QRectF& visible, int camera, const PaintedMasks& painted) {
  const auto index = static_cast<size_t>(camera);
  painter.save();
  painter.setClipRect(visible, Qt::IntersectClip);
  painter.setRenderHint(QPainter::Antialiasing);
  if (index < painted.masks.size() && !painted.masks[index].isNull())
    painter.drawImage(picture, painted.masks[index]);
  if (painted.polygon_camera == camera) draw_unfinished(painter, widget_from_picture.map(painted.polygon));
  if (painted.brush && painted.brush->camera == camera)
    draw_brush(painter, widget_from_picture, *painted.brush);
  painter.restore();
}

void draw_ignored(QPainter& painter, const QTransform& widget_from_picture, const QRectF& visible, int camera,
                  const MarkedIgnored& ignored) {
  painter.save();
  painter.setClipRect(visible, Qt::IntersectClip);
  painter.setRenderHint(QPainter::Antialiasing);
  for (const MarkedIgnored::Region& region : ignored.regions) {
    if (region.camera != camera) continue;
    const QPolygonF corners = widget_from_picture.map(region.pixels);
    painter.setPen(Qt::NoPen);
    // Dark under light, so that the hatching is seen on any picture.
    painter.setBrush(QColor(0, 0, 0, 110));
    painter.drawPolygon(corners);
    painter.setBrush(QBrush(QColor(255, 255, 255, 170), Qt::BDiagPattern));
    painter.drawPolygon(corners);
    if (region.chosen) {
      draw_outlined(painter, corners, true, Qt::SolidLine);
      continue;
    }
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(QColor(255, 255, 255, 170), 1));
    painter.drawPolygon(corners);
  }
  if (ignored.drawn_camera == camera) draw_unfinished(painter, widget_from_picture.map(ignored.drawn));
  painter.restore();
}

namespace {

constexpr int kDimmedAlpha = 120;
constexpr double kJoint_px = 2;

QString detection_tr(const char* text) {
  return QCoreApplication::translate("DetectionOverlay", text);
}

QColor color_of(const MarkedDetection& person) {
  QColor color(kDoubtful);
  if (person.strength != DetectionStrength::shown) color.setAlpha(kDimmedAlpha);
  return color;
}

QRectF box_of(const PersonDetection& seen, const QTransform& widget_from_picture) {
  return widget_from_picture.mapRect(QRectF(seen.left_px, seen.top_px, seen.width_px, seen.height_px));
}

void draw_box(QPainter& painter, const QRectF& box, const MarkedDetection& person, bool dashed) {
  painter.setBrush(Qt::NoBrush);
  if (person.strength == DetectionStrength::shown) {
    painter.setPen(QPen(Qt::black, 3));
    painter.drawRect(box);
  }
  QPen pen(color_of(person), 1, Qt::SolidLine, Qt::FlatCap);
  if (dashed) pen.setDashPattern({4, 4});
  painter.setPen(pen);
  painter.drawRect(box);
}

// A joint of score 0 was not seen.
void draw_joints(QPainter& painter, const QTransform& widget_from_picture, const MarkedDetection& person) {
  const std::vector<Keypoint>& joints = person.seen.keypoints;
  const auto at = [&](size_t i) { return widget_from_picture.map(QPointF(joints[i].x_px, joints[i].y_px)); };
  painter.setPen(QPen(color_of(person), 1));
  if (const Skeleton* skeleton = joints.empty() ? nullptr : skeleton_of_size(joints.size()))
    for (const SkeletonLimb& limb : limbs_of(*skeleton))
      if (joints[limb.joints[0]].score > 0 && joints[limb.joints[1]].score > 0)
        painter.drawLine(at(limb.joints[0]), at(limb.joints[1]));
  painter.setPen(Qt::NoPen);
  painter.setBrush(color_of(person));
  for (size_t i = 0; i < joints.size(); ++i)
    if (joints[i].score > 0) painter.drawEllipse(at(i), kJoint_px, kJoint_px);
}

QString score_text(const MarkedDetection& person) {
  const QString score = number_text(person.seen.score, 'f', 2);
  return person.strength == DetectionStrength::no_evidence ? detection_tr("%1, no evidence").arg(score)
                                                           : score;
}

}  // namespace

void draw_detections(QPainter& painter, const QTransform& widget_from_picture, const QRectF& visible,
                     const MarkedDetections& detections) {
  const QFontMetricsF metrics(painter.font());
  std::vector<QRectF> taken;
  for (const MarkedDetection& person : detections.people) {
    const QRectF box = box_of(person.seen, widget_from_picture);
    if (!box.intersects(visible)) continue;
    draw_joints(painter, widget_from_picture, person);
    draw_box(painter, box, person, detections.age_frames > 0);
    const QString words = score_text(person);
    QRectF room(box.left(), box.bottom() + 1, metrics.horizontalAdvance(words), metrics.height());
    if (room.bottom() > visible.bottom()) room.moveBottom(visible.bottom() - 1);
    if (room.left() < visible.left()) room.moveLeft(visible.left() + 1);
    if (room.right() > visible.right()) room.moveRight(visible.right() - 1);
    const auto position = free_position(room, taken, 2);
    if (!position) continue;
    taken.push_back(*position);
    draw_haloed(painter, QPointF(position->left(), position->bottom() - metrics.descent()), words,
                color_of(person));
  }
}

QString age_text(const MarkedDetections& detections) {
  if (detections.age_frames <= 0 || detections.people.empty()) return {};
  return detections.age_frames == 1 ? detection_tr("boxes of the previous frame")
                                    : detection_tr("boxes of %1 frames ago").arg(detections.age_frames);
}

namespace {

constexpr double kBoardCorner_px = 3.5;
// The palette's green, which nothing else in a picture has, transparent.
constexpr QColor kCovered(0, 158, 115, 90);
constexpr double kKeptFrame_px = 6;
constexpr double kWordsScale = 1.5;

void draw_coverage(QPainter& painter, const QTransform& widget_from_picture, const MarkedBoard& board) {
  const double width = board.picture.width() / kCoverageColumns,
               height = board.picture.height() / kCoverageRows;
  for (int row = 0; row < kCoverageRows; ++row)
    for (int column = 0; column < kCoverageColumns; ++column) {
      const QRectF part(column * width - 0.5, row * height - 0.5, width, height);
      const bool reached = board.coverage[row * kCoverageColumns + column] > 0;
      painter.setPen(QPen(QColor(255, 255, 255, 90), 1, Qt::DotLine));
      painter.setBrush(reached ? QBrush(kCovered) : QBrush(Qt::NoBrush));
      painter.drawRect(widget_from_picture.mapRect(part));
    }
}

// As many lines as the width requires, the last one at the bottom.
void draw_words(QPainter& painter, const QRectF& visible, const QString& text) {
  constexpr double kMargin_px = 12;
  QFont font = painter.font();
  font.setPointSizeF(font.pointSizeF() * kWordsScale);
  painter.setFont(font);
  const QFontMetricsF metrics(font);
  QStringList lines;
  for (const QString& word : text.split(' ')) {
    const QString longer = lines.isEmpty() ? word : lines.last() + ' ' + word;
    if (!lines.isEmpty() && metrics.horizontalAdvance(longer) <= visible.width() - 2 * kMargin_px)
      lines.last() = longer;
    else
      lines << word;
  }
  QPointF baseline = visible.bottomLeft() + QPointF(kMargin_px, -kMargin_px - metrics.descent());
  baseline.ry() -= metrics.lineSpacing() * static_cast<double>(lines.size() - 1);
  for (const QString& line : lines) {
    draw_haloed(painter, baseline, line, Qt::white);
    baseline.ry() += metrics.lineSpacing();
  }
}

}  // namespace

void draw_board(QPainter& painter, const QTransform& widget_from_picture, const QRectF& visible,
                const MarkedBoard& board) {
  if (board.picture.isEmpty()) return;
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setClipRect(visible, Qt::IntersectClip);
  draw_coverage(painter, widget_from_picture, board);
  const QColor color(board.resting ? kSelection : kDoubtful);
  painter.setPen(QPen(Qt::black, 1));
  painter.setBrush(board.resting ? QBrush(color) : QBrush(Qt::NoBrush));
  for (const QPointF& corner : widget_from_picture.map(board.corners)) {
    painter.setPen(QPen(QColor(0, 0, 0, 190), 3));
    painter.drawEllipse(corner, kBoardCorner_px, kBoardCorner_px);
    painter.setPen(QPen(color, 1.5));
    painter.drawEllipse(corner, kBoardCorner_px, kBoardCorner_px);
  }
  if (board.kept) {
    painter.setPen(QPen(QColor(kSelection), kKeptFrame_px));
    painter.setBrush(Qt::NoBrush);
    const double inside = kKeptFrame_px / 2;
    painter.drawRect(visible.adjusted(inside, inside, -inside, -inside));
  }
  draw_words(painter, visible, board.words);
  painter.restore();
}

namespace {

// Moved into the view: a truncated size cannot be read.
void draw_inside(QPainter& painter, const MarkView& view, QPointF baseline, const QString& text,
                 const QColor& color) {
  constexpr double kMargin_px = 3;
  const double last =
      view.visible.right() - QFontMetricsF(painter.font()).horizontalAdvance(text) - kMargin_px;
  baseline.setX(std::max(std::min(baseline.x(), last), view.visible.left() + kMargin_px));
  draw_haloed(painter, baseline, text, color);
}

void draw_box(QPainter& painter, const MarkView& view, const MarkedBox& mark) {
  const auto corners = mark.box.corners_in_world_m();
  const LineStyle look{mark.chosen ? QColor(Qt::white) : QColor(kRejected), mark.chosen ? 2.0 : 1.0,
                       Qt::SolidLine};
  for (const auto& [from, to] : kBoxEdges) {
    const std::array<Eigen::Vector3d, 2> edge = {corners[from], corners[to]};
    draw_world_line(painter, view, edge, false, look);
  }
  if (const auto at = widget_position(view, corners[6]); at && view.visible.contains(*at))
    draw_inside(painter, view, *at + QPointF(6, -6), mark.text, look.color);
}

void draw_measure(QPainter& painter, const MarkView& view, const MarkedMeasure& measure) {
  constexpr double kDot_px = 3.5;
  const QColor color(measure.chosen ? kSelection : kForegroundOverlay);
  draw_world_line(painter, view, measure.points_m, false, {color, measure.chosen ? 2.5 : 2.0, Qt::SolidLine});
  painter.setPen(QPen(Qt::black, 1));
  painter.setBrush(color);
  for (const Eigen::Vector3d& point : measure.points_m)
    if (const auto at = widget_position(view, point)) painter.drawEllipse(*at, kDot_px, kDot_px);
  // A distance and a height in their middle, an angle at its corner.
  const size_t last = measure.points_m.size() - 1;
  const Eigen::Vector3d middle =
      last == 2 ? measure.points_m[1] : Eigen::Vector3d((measure.points_m[0] + measure.points_m[last]) / 2);
  if (const auto at = widget_position(view, middle); at && view.visible.contains(*at))
    draw_inside(painter, view, *at + QPointF(8, -6), measure.text, color);
}

}  // namespace

void draw_boxes(QPainter& painter, const MarkView& view, const std::vector<MarkedBox>& boxes) {
  for (const MarkedBox& box : boxes) draw_box(painter, view, box);
}

void draw_measures(QPainter& painter, const MarkView& view, const std::vector<MarkedMeasure>& measures) {
  painter.setRenderHint(QPainter::Antialiasing);
  for (const MarkedMeasure& measure : measures) draw_measure(painter, view, measure);
}

}  // namespace vantage::ui
