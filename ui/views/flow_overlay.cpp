#include "ui/views/flow_overlay.h"

#include <QCoreApplication>
#include <QPainterPath>
#include <algorithm>
#include <cmath>
#include <vector>

#include "core/display/flow_colors.h"
#include "core/optical_flow/flow_file.h"

namespace vantage::ui {
namespace {

constexpr int kImageColumns = 320;
constexpr double kMoving_px = 0.25;
constexpr int kWheel_px = 56;
constexpr double kLongestArrow =
    0.9;  // of the spacing, for a vector of full colour; never shorter than it is

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

}  // namespace vantage::ui
