#include "ui/panels/new_project_plan.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/widgets/colors.h"

namespace vantage::ui {
namespace {

constexpr double kMargin_px = 16;

// 1, 2 or 5 times a power of ten, so that it takes about a fifth of the width.
double bar_m(double width_m) {
  const double power = std::pow(10, std::floor(std::log10(width_m / 5)));
  const double times = width_m / 5 / power;
  return power * (times < 2 ? 1 : times < 5 ? 2 : 5);
}

}  // namespace

NewProjectPlan::NewProjectPlan(QWidget* parent) : QWidget(parent) {
  setFixedSize(sizeHint());
  setAccessibleName(tr("Plan of the cameras"));
}

void NewProjectPlan::show_layout(ScenePlan layout) {
  layout_ = std::move(layout);
  const QString text = QString::fromStdString(plan_text(*layout_));
  setAccessibleDescription(text);
  setToolTip(tr("The cameras from above, with their heights in metres. Shaded: what each sees of the floor; "
                "framed: the region that they see together.\n") +
             text);
  update();
}

void NewProjectPlan::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.fillRect(rect(), palette().base());
  painter.setPen(palette().color(QPalette::Mid));
  painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
  if (!layout_) return;
  Eigen::AlignedBox2d box;
  for (const ScenePlan::Standing& camera : layout_->cameras)
    box.extend(Eigen::Vector2d(camera.at_m.head<2>()));
  if (const auto& grid = layout_->common) {
    const Eigen::Vector2d low(grid->origin_in_world_m[0], grid->origin_in_world_m[1]);
    box.extend(low),
        box.extend(Eigen::Vector2d(low + grid->voxel_size_m * Eigen::Vector2d(grid->nx, grid->ny)));
  }
  if (box.sizes().maxCoeff() < 1)  // a single camera: what it sees
    for (const ScenePlan::Standing& camera : layout_->cameras)
      for (const Eigen::Vector2d& corner : camera.floor_m) box.extend(corner);
  const double width_m = std::max(box.sizes().x(), 1.0), height_m = std::max(box.sizes().y(), 1.0);
  const double scale =
      std::min((width() - 2 * kMargin_px - 56) / width_m, (height() - 2 * kMargin_px - 20) / height_m);
  const auto at = [&](const Eigen::Vector2d& m) {
    const Eigen::Vector2d off = m - box.center();
    return QPointF(width() / 2.0 + scale * off.x() - 14, height() / 2.0 - scale * off.y() - 6);
  };
  int number = 0;
  for (const ScenePlan::Standing& camera : layout_->cameras) {
    QColor shade = camera_color(number++);
    shade.setAlphaF(0.12F);
    QPolygonF area;
    for (const Eigen::Vector2d& corner : camera.floor_m) area << at(corner);
    painter.setPen(Qt::NoPen);
    painter.setBrush(shade);
    painter.drawPolygon(area);
  }
  if (const auto& grid = layout_->common) {
    const Eigen::Vector2d low(grid->origin_in_world_m[0], grid->origin_in_world_m[1]);
    painter.setPen(QPen(palette().color(QPalette::Text), 1.5));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(
        QRectF(at(low), at(low + grid->voxel_size_m * Eigen::Vector2d(grid->nx, grid->ny))).normalized());
  }
  number = 0;
  QFont small = font();
  small.setPointSizeF(std::max(7.0, 0.8 * small.pointSizeF()));
  painter.setFont(small);
  for (const ScenePlan::Standing& camera : layout_->cameras) {
    const QPointF place = at(camera.at_m.head<2>());
    painter.setPen(Qt::NoPen);
    painter.setBrush(camera_color(number++));
    painter.drawEllipse(place, 4.5, 4.5);
    painter.setPen(palette().color(QPalette::Text));
    painter.drawText(place + QPointF(7, 4), QStringLiteral("%1 m").arg(camera.at_m.z(), 0, 'f', 1));
  }
  const double bar = bar_m(width() / scale);
  const QPointF left(kMargin_px / 2, height() - 7.0);
  painter.drawLine(left, left + QPointF(bar * scale, 0));
  painter.drawText(left + QPointF(bar * scale + 5, 4), QStringLiteral("%1 m").arg(bar));
}

}  // namespace vantage::ui
