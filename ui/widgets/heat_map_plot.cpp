#include "ui/widgets/heat_map_plot.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/widgets/action_button.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/theme.h"

namespace vantage::ui {
namespace {

constexpr double kSide = 4, kBetween = 8;
constexpr QRgb kBestFrame = kFailed, kChoiceFrame = 0xff000000;

QColor color_of_cell(const std::array<uint8_t, 3>& color) {
  return {color[0], color[1], color[2]};
}

double widest(const QFontMetricsF& metrics, const std::vector<std::string>& texts) {
  double width = 0;
  for (const std::string& text : texts)
    width = std::max(width, metrics.horizontalAdvance(QString::fromStdString(text)));
  return width;
}

}  // namespace

HeatMapPlot::HeatMapPlot(const QString& title, QWidget* parent) : SavedPlot(title, parent) {
  set_takes_moves(this, true);
}

void HeatMapPlot::set_maps(std::vector<HeatMap> maps, std::vector<QString> tips) {
  maps_ = std::move(maps), tips_ = std::move(tips);
  if (chosen_ && !known(*chosen_)) chosen_.reset();
  describe();
}

void HeatMapPlot::choose(std::optional<size_t> cell) {
  chosen_ = cell && known(*cell) ? cell : std::nullopt;
  describe();
}

QString HeatMapPlot::tip(size_t cell) const {
  return known(cell) ? tips_[cell] : QString();
}

void HeatMapPlot::describe() {
  QString words;
  if (!maps_.empty() && maps_.front().best) words = tr("best: %1").arg(tip(*maps_.front().best));
  if (chosen_) words += (words.isEmpty() ? QString() : "; ") + tr("chosen: %1").arg(tip(*chosen_));
  setAccessibleDescription(words);
  update();
}

QRectF HeatMapPlot::map_area(size_t map) const {
  const double count = std::max<double>(1, static_cast<double>(maps_.size()));
  const double each = (width() - 2 * kSide - (count - 1) * kBetween) / count;
  return {kSide + static_cast<double>(map) * (each + kBetween), 0, each, static_cast<double>(height())};
}

// Above: the title and the columns' values; below, once for all, what rows and columns are.
QRectF HeatMapPlot::cells_area(size_t map) const {
  const QFontMetricsF metrics(font());
  const QRectF area = map_area(map);
  const double left = widest(metrics, maps_[map].rows) + 5, line = metrics.height();
  return {area.left() + left, 2 * line + 4, std::max(8.0, area.width() - left),
          std::max(8.0, area.height() - 3 * line - 8)};
}

QRectF HeatMapPlot::cell_area(size_t map, size_t cell) const {
  const QRectF cells = cells_area(map);
  const HeatMap& one = maps_[map];
  const double width = cells.width() / static_cast<double>(one.columns.size());
  const double height = cells.height() / static_cast<double>(one.rows.size());
  return {cells.left() + static_cast<double>(one.column(cell)) * width,
          cells.top() + static_cast<double>(one.row(cell)) * height, width, height};
}

std::optional<size_t> HeatMapPlot::cell_at(const QPointF& place) const {
  for (size_t map = 0; map < maps_.size(); ++map)
    for (size_t cell = 0; cell < maps_[map].values.size(); ++cell)
      if (known(cell) && cell_area(map, cell).contains(place)) return cell;
  return std::nullopt;
}

bool HeatMapPlot::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const std::optional<size_t> cell = cell_at(help->pos());
  QToolTip::showText(help->globalPos(),
                     cell ? tips_[*cell]
                          : tr("Click a cell, or press the arrows, to choose it; right button or menu key: "
                               "save the heat map"),
                     this);
  return true;
}

void HeatMapPlot::draw_over(QPainter& painter) const {
  painter.setBrush(Qt::NoBrush);
  if (!chosen_) return;
  for (size_t map = 0; map < maps_.size(); ++map) {
    const QRectF area = cell_area(map, *chosen_);
    painter.setPen(QPen(QColor(kChoiceFrame), 3));
    painter.drawRect(area.adjusted(1.5, 1.5, -1.5, -1.5));
    painter.setPen(QPen(QColor(kSelection), 1.5));
    painter.drawRect(area.adjusted(1.5, 1.5, -1.5, -1.5));
  }
}

void HeatMapPlot::draw(QPainter& painter) const {
  painter.setRenderHint(QPainter::Antialiasing);
  painter.fillRect(rect(), palette().base());
  if (maps_.empty()) return;
  for (size_t map = 0; map < maps_.size(); ++map) draw_map(painter, map);
  const QFontMetricsF metrics(painter.font());
  painter.setPen(palette().color(QPalette::PlaceholderText));
  const QString words =
      tr("down %1, across %2; darker is better")
          .arg(QString::fromStdString(maps_.front().y_label), QString::fromStdString(maps_.front().x_label));
  painter.drawText(QRectF(kSide, height() - metrics.height() - 2, width() - 2 * kSide, metrics.height()),
                   Qt::AlignLeft | Qt::AlignVCenter,
                   metrics.elidedText(words, Qt::ElideMiddle, width() - 2 * kSide));
}

void HeatMapPlot::draw_map(QPainter& painter, size_t map) const {
  const HeatMap& one = maps_[map];
  const QFontMetricsF metrics(painter.font());
  const QRectF area = map_area(map), cells = cells_area(map);
  const double line = metrics.height();
  painter.setPen(palette().color(QPalette::Text));
  painter.drawText(QRectF(area.left(), 1, area.width(), line), Qt::AlignLeft,
                   metrics.elidedText(QString::fromStdString(one.title), Qt::ElideRight, area.width()));
  painter.setPen(palette().color(QPalette::PlaceholderText));
  // As many values of the columns as have room.
  const double step = cells.width() / static_cast<double>(one.columns.size());
  const auto every = static_cast<size_t>(std::max(1.0, std::ceil((widest(metrics, one.columns) + 4) / step)));
  for (size_t x = 0; x < one.columns.size(); x += every)
    painter.drawText(QRectF(cells.left() + (static_cast<double>(x) + 0.5) * step - 40, line + 2, 80, line),
                     Qt::AlignHCenter, QString::fromStdString(one.columns[x]));
  const double row = cells.height() / static_cast<double>(one.rows.size());
  const auto every_row = static_cast<size_t>(std::max(1.0, std::ceil(line / row)));
  for (size_t y = 0; y < one.rows.size(); y += every_row)
    painter.drawText(QRectF(area.left(), cells.top() + (static_cast<double>(y) + 0.5) * row - line / 2,
                            cells.left() - area.left() - 4, line),
                     Qt::AlignRight | Qt::AlignVCenter, QString::fromStdString(one.rows[y]));
  for (size_t cell = 0; cell < one.values.size(); ++cell) {
    if (!std::isfinite(one.values[cell])) continue;
    const QRectF at = cell_area(map, cell).adjusted(0.5, 0.5, -0.5, -0.5);
    const auto color = heat_color(one, one.values[cell]);
    painter.fillRect(at, color_of_cell(color));
    const QString figure = number_text(one.values[cell], 'g', 3);
    if (metrics.horizontalAdvance(figure) <= at.width() - 2 && line <= at.height()) {
      painter.setPen(vantage::is_dark(color) ? Qt::white : Qt::black);
      painter.drawText(at, Qt::AlignCenter, figure);
    }
  }
  if (!one.best) return;
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(QColor(kBestFrame), 2, Qt::DashLine));
  painter.drawRect(cell_area(map, *one.best).adjusted(4, 3, -4, -3));
}

void HeatMapPlot::mousePressEvent(QMouseEvent* event) {
  QWidget::mousePressEvent(event);
  if (event->button() != Qt::LeftButton) return;
  setFocus(Qt::MouseFocusReason);
  if (const std::optional<size_t> cell = cell_at(event->position())) emit cell_chosen(*cell);
  event->accept();
}

void HeatMapPlot::keyPressEvent(QKeyEvent* event) {
  const int key = event->key();
  const int right = (key == Qt::Key_Right) - (key == Qt::Key_Left);
  const int down = (key == Qt::Key_Down) - (key == Qt::Key_Up);
  if (right == 0 && down == 0) return QWidget::keyPressEvent(event);
  if (maps_.empty()) return;
  const HeatMap& map = maps_.front();
  if (!chosen_) {
    const size_t first = map.best.value_or(0);
    if (known(first)) emit cell_chosen(first);
    return;
  }
  const auto column = static_cast<int>(map.column(*chosen_)) + right;
  const auto row = static_cast<int>(map.row(*chosen_)) + down;
  if (column < 0 || row < 0 || column >= static_cast<int>(map.columns.size()) ||
      row >= static_cast<int>(map.rows.size()))
    return;
  const size_t next = static_cast<size_t>(row) * map.columns.size() + static_cast<size_t>(column);
  if (known(next)) emit cell_chosen(next);
}

QString HeatMapPlot::why_not_saved() const {
  return common_range(maps_) ? QString() : tr("Nothing was measured yet.");
}

std::unique_ptr<SavedPlot> HeatMapPlot::copy() const {
  auto same = std::make_unique<HeatMapPlot>(title());
  same->maps_ = maps_;
  return same;
}

}  // namespace vantage::ui
