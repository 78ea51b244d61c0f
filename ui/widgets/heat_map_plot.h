// Heat maps over two parameters side by side, of the same cells: a figure on the tuning span and on the test
// span, say. A cell is chosen by a click or with the arrows, in both; its tooltip says what it is. The menu
// of the right button, or of the menu key, saves them to a file.
#pragma once

#include <optional>
#include <vector>

#include "core/display/heat_map.h"
#include "ui/widgets/plot_widget.h"

namespace vantage::ui {

class HeatMapPlot final : public SavedPlot {
  Q_OBJECT
 public:
  explicit HeatMapPlot(const QString& title, QWidget* parent = nullptr);

  // `tips`: by cell; empty for one that is not known.
  void set_maps(std::vector<HeatMap> maps, std::vector<QString> tips);
  void choose(std::optional<size_t> cell);
  const std::vector<HeatMap>& maps() const { return maps_; }
  std::optional<size_t> chosen() const { return chosen_; }
  QRectF cell_area(size_t map, size_t cell) const;  // in pixels of the widget
  QString tip(size_t cell) const;                   // empty: not known
  QSize sizeHint() const override { return {320, 180}; }
  QSize minimumSizeHint() const override { return {200, 110}; }

 signals:
  void cell_chosen(size_t cell);

 protected:
  void draw(QPainter& painter) const override;
  void draw_over(QPainter& painter) const override;
  QString why_not_saved() const override;
  std::string csv() const override { return heat_map_csv(maps_); }
  std::string svg() const override { return heat_map_svg(maps_); }
  std::unique_ptr<SavedPlot> copy() const override;
  bool event(QEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  bool known(size_t cell) const { return cell < tips_.size() && !tips_[cell].isEmpty(); }
  QRectF map_area(size_t map) const;    // with its names
  QRectF cells_area(size_t map) const;  // of the cells alone
  std::optional<size_t> cell_at(const QPointF& place) const;
  void draw_map(QPainter& painter, size_t map) const;
  void describe();

  std::vector<HeatMap> maps_;
  std::vector<QString> tips_;
  std::optional<size_t> chosen_;
};

}  // namespace vantage::ui
