#include "ui/views/height_map_canvas.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "core/image/color_map.h"
#include "ui/platform/gl_state.h"
#include "ui/views/view_texts.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/theme.h"

namespace vantage::ui {
namespace {

constexpr double kScaleWidth = 66, kScaleBar = 16, kMapGap = 6, kMargin = 6;
constexpr float kBlended = 0.62f;  // opacity of the map over the picture

QRectF fitted(const QRectF& room, const QSizeF& size) {
  const double scale = std::min(room.width() / size.width(), room.height() / size.height());
  const QSizeF shown = size * scale;
  return {room.center().x() - shown.width() / 2, room.center().y() - shown.height() / 2, shown.width(),
          shown.height()};
}

// The colour of a share of the labels' range.
QColor range_color(double share) {
  const auto rgb = mapped_color(kViridis, share);
  return {rgb[0], rgb[1], rgb[2]};
}

}  // namespace

HeightMapCanvas::HeightMapCanvas(SurfaceFactory surfaces, QWidget* parent)
    : GlView(std::move(surfaces), parent) {
  setAccessibleName(tr("Height map"));
  setToolTip(tr("Click a pixel to see its data cost, messages and belief; Alt and the arrow keys move it"));
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setMinimumSize(240, 160);
}

HeightMapCanvas::~HeightMapCanvas() {
  end_gl();
}

void HeightMapCanvas::set_picture(const FrameResultRef& result, int reference) {
  const Picture& picture = result->frames()->cameras.at(reference).picture;
  size_ = QSize(picture.width(), picture.height());
  if (selected_ && !QRect(QPoint(), size_).contains(*selected_)) selected_.reset();
  reference_ = reference;
  show_only_picture(result);
}

void HeightMapCanvas::show_only_picture(const FrameResultRef& result) {
  result_ = result;
  map_.reset();
  update();
}

// Draws the frame's pictures with this map.
void HeightMapCanvas::set_map(const HeightStudyMap& map) {
  if (!result_) return;
  auto artifact = std::make_shared<HeightMapArtifact>();
  artifact->estimate = map.estimate;
  auto mapped = std::make_shared<FrameResult>();
  mapped->frame = result_->frame;
  mapped->artifacts.video = result_->artifacts.video;
  mapped->artifacts.display = result_->artifacts.display;
  mapped->artifacts.heightmap = std::move(artifact);
  result_ = std::move(mapped);
  map_ = map;
  update();
}

void HeightMapCanvas::clear() {
  selected_.reset();
  size_ = {};
  show_only_picture(nullptr);
}

void HeightMapCanvas::set_arrangement(HeightMapArrangement arrangement) {
  arrangement_ = arrangement;
  update();
}

void HeightMapCanvas::set_hatched(bool on) {
  hatched_ = on;
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
  const QRectF room(all.left(), all.top(), all.width() - kScaleWidth - kMapGap, all.height());
  const QSizeF size = size_.isEmpty() ? QSizeF(4, 3) : QSizeF(size_);
  if (arrangement_ == HeightMapArrangement::blended) {
    a.picture = a.map = fitted(room, size);
    return a;
  }
  // Pictures are next to or above each other, whichever is larger.
  const QSizeF beside((room.width() - kMapGap) / 2, room.height());
  const QSizeF above(room.width(), (room.height() - kMapGap) / 2);
  const bool in_row = fitted({{}, beside}, size).width() >= fitted({{}, above}, size).width();
  const QSizeF one = in_row ? beside : above;
  a.picture = fitted(QRectF(room.topLeft(), one), size);
  a.map = a.picture.translated(in_row ? one.width() + kMapGap : 0, in_row ? 0 : one.height() + kMapGap);
  return a;
}

QRectF HeightMapCanvas::picture_area() const {
  return areas().picture;
}

std::optional<QPoint> HeightMapCanvas::pixel_at(const QPointF& position) const {
  if (size_.isEmpty()) return std::nullopt;
  const Areas a = areas();
  for (const QRectF& area : {a.picture, a.map}) {
    if (!area.contains(position)) continue;
    const QPoint pixel(static_cast<int>((position.x() - area.left()) / area.width() * size_.width()),
                       static_cast<int>((position.y() - area.top()) / area.height() * size_.height()));
    return QPoint(std::min(pixel.x(), size_.width() - 1), std::min(pixel.y(), size_.height() - 1));
  }
  return std::nullopt;
}

// A pixel's centre is at an integer coordinate.
QPointF HeightMapCanvas::place_of(const QRectF& area, double x_px, double y_px) const {
  return {area.left() + (x_px + 0.5) / size_.width() * area.width(),
          area.top() + (y_px + 0.5) / size_.height() * area.height()};
}

void HeightMapCanvas::make_gl() {
  if (const Status ready = painter_.prepare(); !ready)
    emit surface_failed(QString::fromStdString(ready.error().message()));
}

void HeightMapCanvas::release_gl() {
  for (Texture* texture : {&picture_, &levels_, &unsettled_}) {
    if (texture->name != 0) gl().glDeleteTextures(1, &texture->name);
    *texture = {};
  }
  drawn_.reset();
  painter_.release();
}

void HeightMapCanvas::fill_textures() {
  if (!surface() || (drawn_ == result_ && drawn_reference_ == reference_)) return;
  const auto fill = [&](Texture& texture, DisplayLayer layer) {
    if (texture.name == 0) gl().glGenTextures(1, &texture.name);
    const Result<DrawnSize> drawn = surface()->draw(texture.name, *result_, reference_, layer);
    if (!drawn) emit surface_failed(QString::fromStdString(drawn.error().message()));
    texture.size = drawn.value_or(DrawnSize{});
  };
  const bool same_picture =
      drawn_ && result_ && drawn_->frames() == result_->frames() && drawn_reference_ == reference_;
  drawn_ = result_;
  drawn_reference_ = reference_;
  if (!result_) return;
  if (!same_picture || picture_.size.width_px == 0) fill(picture_, DisplayLayer::picture);
  fill(levels_, DisplayLayer::heights);
  fill(unsettled_, DisplayLayer::unsettled);
}

void HeightMapCanvas::draw_pictures() {
  fill_textures();
  if (!result_ || picture_.size.width_px == 0) return;
  const double ratio = devicePixelRatioF();
  const int height_px = qRound(height() * ratio);
  const auto job_at = [&](const QRectF& area) {
    const QRectF there(area.topLeft() * ratio, area.size() * ratio);
    return CameraPainter::Job{there, there, picture_.name};
  };
  const Areas a = areas();
  const bool blended = arrangement_ == HeightMapArrangement::blended;
  CameraPainter::Job map = job_at(a.map);
  map.subdued = !blended;
  // Before two maps were compared every pixel counts as changing: only heads are hatched then.
  if (map_ && levels_.size.width_px > 0)
    map.heights = {levels_.name,
                   map_->estimate.level_count,
                   QSizeF(size_) / map_->pixel_px,
                   blended ? kBlended : 1,
                   hatched_ && unsettled_.size.width_px > 0 ? unsettled_.name : 0,
                   map_->estimate.map.checks.size() > 1};
  painter_.draw(map, height_px);
  if (!blended) painter_.draw(job_at(a.picture), height_px);
}

void HeightMapCanvas::paintGL() {
  clear_view();
  draw_pictures();
  draw_to_whole_view();
  ViewPainter painter(*this);
  draw_text(*painter);
}

void HeightMapCanvas::draw_text(QPainter& painter) {
  if (size_.isEmpty()) return draw_empty_state(painter, rect(), hint_);
  const Areas a = areas();
  std::vector<QRectF> panes = {a.picture};
  if (arrangement_ == HeightMapArrangement::side_by_side) panes.push_back(a.map);
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
  const double scale = area.width() / size_.width(), px = map_->pixel_px;
  const QFontMetricsF metrics(painter.font());
  std::vector<QRectF> taken;
  for (const HeightMapHead& head : map_->estimate.heads) {
    const QPointF center = place_of(area, (head.x_px + 0.5) * px - 0.5, (head.y_px + 0.5) * px - 0.5);
    const double radius = std::max(4.0, 1.25 * px * scale * std::sqrt(head.pixels / std::numbers::pi));
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(Qt::black, 4));
    painter.drawEllipse(center, radius, radius);
    painter.setPen(QPen(Qt::white, 2));
    painter.drawEllipse(center, radius, radius);
    const QString height = number_text(head.height_m, 'f', 2);
    const QPointF baseline = center + QPointF(radius * 0.7 + 2, -radius * 0.7);
    const QRectF words(baseline - QPointF(0, metrics.ascent()),
                       QSizeF(metrics.horizontalAdvance(height), metrics.ascent()));
    if (!free_position(words, taken, 0))
      continue;  // heights that find no space are left out; pointing shows them
    taken.push_back(words);
    draw_haloed(painter, baseline, height, Qt::white);
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
                     number_text(scale.height_m(label), 'f', 2) + (label == 0 ? " m" : ""));
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
  if (!moves || size_.isEmpty()) return QWidget::keyPressEvent(event);
  const QPoint from = selected_.value_or(QRect(QPoint(), size_).center());
  choose({std::clamp(from.x() + dx, 0, size_.width() - 1), std::clamp(from.y() + dy, 0, size_.height() - 1)});
}

}  // namespace vantage::ui
