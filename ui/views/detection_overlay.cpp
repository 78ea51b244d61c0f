#include "ui/views/detection_overlay.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <vector>

#include "core/detections/skeletons.h"
#include "ui/views/view_texts.h"
#include "ui/widgets/colors.h"

namespace vantage::ui {
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
  const QString score = QString::number(person.seen.score, 'f', 2);
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

}  // namespace vantage::ui
