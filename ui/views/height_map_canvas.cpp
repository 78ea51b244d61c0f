#include "ui/views/height_map_canvas.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "core/image/color_map.h"
#include "ui/views/view_texts.h"
#include "ui/widgets/colors.h"

namespace vantage::ui {
namespace {

constexpr double kScaleWidth = 66, kScaleBar = 16, kGap = 6, kMargin = 6;
constexpr int kHatchStep = 7, kHatchWidth = 2;  // on screen
constexpr double kBlended = 0.62;               // of the map over the picture
constexpr double kDark = 0.4;                   // of the picture beneath a map of its own

QRectF fitted(const QRectF& room, const QSizeF& size) {
  const double scale = std::min(room.width() / size.width(), room.height() / size.height());
  const QSizeF shown = size * scale;
  return {room.center().x() - shown.width() / 2, room.center().y() - shown.height() / 2, shown.width(),
          shown.height()};
}

// Of a share of the labels' range.
QColor range_color(double share) {
  const auto rgb = mapped_color(kViridis, share);
  return {rgb[0], rgb[1], rgb[2]};
}

}  // namespace

HeightMapCanvas::HeightMapCanvas(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("Height map"));
  setToolTip(tr("Click a pixel to see its data cost, messages and belief; Alt and the arrow keys move it"));
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setMinimumSize(240, 160);
  setAttribute(Qt::WA_OpaquePaintEvent);
}

void HeightMapCanvas::set_picture(const QImage& picture) {
  if (selected_ && !QRect(QPoint(), picture.size()).contains(*selected_)) selected_.reset();
  picture_ = picture;
  map_.reset();
  shown_picture_[0] = shown_picture_[1] = shown_map_ = {};
  update();
}

void HeightMapCanvas::set_map(const HeightStudyMap& map) {
  map_ = map;
  shown_map_ = {};
  update();
}

void HeightMapCanvas::clear() {
  selected_.reset();
  set_picture({});
}

void HeightMapCanvas::set_arrangement(HeightMapArrangement arrangement) {
  arrangement_ = arrangement;
  update();
}

void HeightMapCanvas::set_hatched(bool on) {
  hatched_ = on;
  shown_map_ = {};
  update();
}

void HeightMapCanvas::set_heads_shown(bool on) {
  heads_shown_ = on;
  update();
}

void HeightMapCanvas::set_hint(const QString& hint) {
  hint_ = hint;
  update();
}

void HeightMapCanvas::select(std::optional<QPoint> pixel_px) {
  selected_ = pixel_px;
  update();
}

std::optional<double> HeightMapCanvas::height_m(const QPoint& pixel_px) const {
  if (!map_) return std::nullopt;
  const HeightMap& map = map_->estimate.map;
  const int x = pixel_px.x() / map_->pixel_px, y = pixel_px.y() / map_->pixel_px;
  if (x < 0 || y < 0 || x >= map.width || y >= map.height) return std::nullopt;
  const auto height = static_cast<double>(map_->estimate.heights_m.view<float>().at(x, y));
  return std::isnan(height) ? std::nullopt : std::optional(height);
}

HeightMapCanvas::Areas HeightMapCanvas::areas() const {
  Areas a;
  const QRectF all = QRectF(rect()).adjusted(kMargin, kMargin, -kMargin, -kMargin);
  a.scale = QRectF(all.right() - kScaleWidth, all.top(), kScaleWidth, all.height());
  const QRectF room(all.left(), all.top(), all.width() - kScaleWidth - kGap, all.height());
  const QSizeF size = picture_.isNull() ? QSizeF(4, 3) : QSizeF(picture_.size());
  if (arrangement_ == HeightMapArrangement::blended) {
    a.picture = a.map = fitted(room, size);
    return a;
  }
  // Beside or above each other, whichever shows them larger.
  const QSizeF beside((room.width() - kGap) / 2, room.height());
  const QSizeF above(room.width(), (room.height() - kGap) / 2);
  const bool in_row = fitted({{}, beside}, size).width() >= fitted({{}, above}, size).width();
  const QSizeF one = in_row ? beside : above;
  a.picture = fitted(QRectF(room.topLeft(), one), size);
  a.map = a.picture.translated(in_row ? one.width() + kGap : 0, in_row ? 0 : one.height() + kGap);
  return a;
}

QRectF HeightMapCanvas::picture_area() const {
  return areas().picture;
}

std::optional<QPoint> HeightMapCanvas::pixel_at(const QPointF& place) const {
  if (picture_.isNull()) return std::nullopt;
  const Areas a = areas();
  for (const QRectF& area : {a.picture, a.map}) {
    if (!area.contains(place)) continue;
    const QPoint pixel(static_cast<int>((place.x() - area.left()) / area.width() * picture_.width()),
                       static_cast<int>((place.y() - area.top()) / area.height() * picture_.height()));
    return QPoint(std::min(pixel.x(), picture_.width() - 1), std::min(pixel.y(), picture_.height() - 1));
  }
  return std::nullopt;
}

// A pixel's middle is at a whole number.
QPointF HeightMapCanvas::place_of(const QRectF& area, double x_px, double y_px) const {
  return {area.left() + (x_px + 0.5) / picture_.width() * area.width(),
          area.top() + (y_px + 0.5) / picture_.height() * area.height()};
}

const QImage& HeightMapCanvas::scaled_picture(const QSize& size, bool dark) {
  QImage& shown = shown_picture_[dark];
  if (shown.size() == size) return shown;
  shown = picture_.scaled(size, Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
  if (dark) {
    shown = shown.convertToFormat(QImage::Format_Grayscale8).convertToFormat(QImage::Format_RGB32);
    QPainter(&shown).fillRect(shown.rect(), QColor(0, 0, 0, static_cast<int>(255 * (1 - kDark))));
  }
  return shown;
}

// At the size on screen, so that the hatching is as wide everywhere. Before two maps were compared every
// pixel counts as changing: then only heads are hatched.
const QImage& HeightMapCanvas::map_layer(const QSize& size) {
  if (shown_map_.size() == size) return shown_map_;
  shown_map_ = QImage(size, QImage::Format_ARGB32);
  const HeightMap& map = map_->estimate.map;
  const ImageView<const float> heights_m = map_->estimate.heights_m.view<float>();
  const ImageView<const uint8_t> unsettled = map.unsettled.view<uint8_t>();
  std::array<QRgb, 256> colors;
  for (size_t i = 0; i < colors.size(); ++i) colors[i] = range_color(static_cast<double>(i) / 255).rgb();
  const bool compared = map.checks.size() > 1;
  std::vector<int> columns;
  for (int x = 0; x < size.width(); ++x)
    columns.push_back(std::min(
        map.width - 1, static_cast<int>((x + 0.5) / size.width() * picture_.width()) / map_->pixel_px));
  for (int y = 0; y < size.height(); ++y) {
    const int my = std::min(map.height - 1,
                            static_cast<int>((y + 0.5) / size.height() * picture_.height()) / map_->pixel_px);
    auto* const row = reinterpret_cast<QRgb*>(shown_map_.scanLine(y));
    for (int x = 0; x < size.width(); ++x) {
      const int mx = columns[static_cast<size_t>(x)];
      const auto height_m = static_cast<double>(heights_m.at(mx, my));
      QRgb color = std::isnan(height_m)
                       ? 0  // no head
                       : colors[static_cast<size_t>(255 * std::clamp(map.scale.share(height_m), 0.0, 1.0))];
      const bool changing = unsettled.at(mx, my) && (compared || color != 0);
      if (hatched_ && changing && (x + y) % kHatchStep < kHatchWidth) color = qRgb(255, 255, 255);
      row[x] = color;
    }
  }
  return shown_map_;
}

void HeightMapCanvas::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), QColor(kViewBackground));
  if (picture_.isNull()) return draw_empty_state(painter, rect(), hint_);
  const Areas a = areas();
  const double ratio = devicePixelRatioF();
  const QSize size = (a.picture.size() * ratio).toSize();
  painter.drawImage(a.picture, scaled_picture(size, false));
  const bool blended = arrangement_ == HeightMapArrangement::blended;
  if (!blended) painter.drawImage(a.map, scaled_picture(size, true));
  if (map_) {
    painter.setOpacity(blended ? kBlended : 1);
    painter.drawImage(a.map, map_layer(size));
    painter.setOpacity(1);
  }
  painter.setRenderHint(QPainter::Antialiasing);
  std::vector<QRectF> panes = {a.picture};
  if (!blended) panes.push_back(a.map);
  for (const QRectF& pane : panes) {
    painter.setClipRect(pane);
    if (map_ && heads_shown_) draw_heads(painter, pane);
    if (pointed_) draw_cross(painter, pane, *pointed_, 0xffffffff);
    if (selected_) draw_cross(painter, pane, *selected_, kSelection);
  }
  painter.setClipping(false);
  if (map_) draw_scale(painter, a.scale);
  if (!hint_.isEmpty()) draw_empty_state(painter, a.map, hint_);
}

void HeightMapCanvas::draw_heads(QPainter& painter, const QRectF& area) const {
  const double scale = area.width() / picture_.width(), px = map_->pixel_px;
  for (const Head& head : map_->estimate.heads) {
    const QPointF center = place_of(area, (head.x_px + 0.5) * px - 0.5, (head.y_px + 0.5) * px - 0.5);
    const double radius = std::max(4.0, 1.25 * px * scale * std::sqrt(head.pixels / std::numbers::pi));
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(Qt::black, 4));
    painter.drawEllipse(center, radius, radius);
    painter.setPen(QPen(Qt::white, 2));
    painter.drawEllipse(center, radius, radius);
    draw_haloed(painter, center + QPointF(radius * 0.7 + 2, -radius * 0.7),
                QString::number(head.height_m, 'f', 2), Qt::white);
  }
}

void HeightMapCanvas::draw_cross(QPainter& painter, const QRectF& area, const QPoint& pixel,
                                 QRgb color) const {
  const QPointF at = place_of(area, pixel.x(), pixel.y());
  for (const auto& [ink, width] : {std::pair(QColor(Qt::black), 3.0), {QColor(color), 1.0}}) {
    painter.setPen(QPen(ink, width));
    for (const auto& [dx, dy] : {std::pair(1, 0), {-1, 0}, {0, 1}, {0, -1}})
      painter.drawLine(at + QPointF(4 * dx, 4 * dy), at + QPointF(11 * dx, 11 * dy));
  }
}

void HeightMapCanvas::draw_scale(QPainter& painter, const QRectF& area) const {
  const HeightLabels& scale = map_->estimate.map.scale;
  const double line = painter.fontMetrics().height();
  const QRectF bar(area.left(), area.top() + line, kScaleBar, area.height() - 2 * line);
  const auto y_of = [&](double label) {
    return bar.bottom() - label / std::max(1, scale.count - 1) * bar.height();
  };
  for (int y = 0; y <= static_cast<int>(bar.height()); ++y)
    painter.fillRect(QRectF(bar.left(), bar.bottom() - y, bar.width(), 1.5), range_color(y / bar.height()));
  painter.setPen(Qt::white);
  const int step = std::max(1, static_cast<int>(std::ceil(scale.count * 1.6 * line / bar.height())));
  for (int label = 0; label < scale.count; label += step)
    painter.drawText(QPointF(bar.right() + 5, y_of(label) + line / 3),
                     QString::number(scale.height_m(label), 'f', 2) + (label == 0 ? " m" : ""));
  if (!pointed_) return;
  if (const std::optional<double> height = height_m(*pointed_)) {
    const double y = y_of((*height - scale.lowest_m) / scale.step_m);
    painter.setBrush(Qt::white);
    painter.setPen(QPen(Qt::black, 1));
    painter.drawPolygon(QPolygonF({{bar.left() + 5, y}, {bar.left() - 4, y - 5}, {bar.left() - 4, y + 5}}));
  }
}

void HeightMapCanvas::choose(const QPoint& pixel_px) {
  select(pixel_px);
  emit pixel_selected(pixel_px);
}

void HeightMapCanvas::mouseMoveEvent(QMouseEvent* event) {
  pointed_ = pixel_at(event->position());
  if (event->buttons() & Qt::LeftButton && pointed_) choose(*pointed_);
  update();
  emit pointed(pointed_);
}

void HeightMapCanvas::mousePressEvent(QMouseEvent* event) {
  const std::optional<QPoint> pixel = pixel_at(event->position());
  if (event->button() == Qt::LeftButton && pixel) choose(*pixel);
}

void HeightMapCanvas::leaveEvent(QEvent*) {
  pointed_.reset();
  update();
  emit pointed(pointed_);
}

void HeightMapCanvas::keyPressEvent(QKeyEvent* event) {
  const int dx = event->key() == Qt::Key_Right ? 1 : event->key() == Qt::Key_Left ? -1 : 0;
  const int dy = event->key() == Qt::Key_Down ? 1 : event->key() == Qt::Key_Up ? -1 : 0;
  const bool moves = event->modifiers().testFlag(Qt::AltModifier) && (dx != 0 || dy != 0);
  if (!moves || picture_.isNull()) return QWidget::keyPressEvent(event);
  const QPoint from = selected_.value_or(picture_.rect().center());
  choose({std::clamp(from.x() + dx, 0, picture_.width() - 1),
          std::clamp(from.y() + dy, 0, picture_.height() - 1)});
}

}  // namespace vantage::ui
