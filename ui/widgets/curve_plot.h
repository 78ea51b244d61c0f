// A few curves over one axis, drawn small: ticks in round numbers, a legend above, marked positions, values
// under the pointer. Points can be chosen, by a click or with Left and Right. A curve may have one more value
// that lies on no position of the axis ("no head"): it is drawn aside, at the right. The menu of the right
// button, or of the menu key, saves it to a file.
#pragma once

#include <QColor>
#include <QPointF>
#include <optional>
#include <utility>
#include <vector>

#include "ui/widgets/plot_axes.h"
#include "ui/widgets/plot_widget.h"

namespace vantage::ui {

struct Curve {
  QString name;
  QColor color;  // not valid: that of the text
  Qt::PenStyle style = Qt::SolidLine;
  double width_px = 1.5;
  std::vector<QPointF> points;  // x ascending
  std::optional<double> aside;
};

// A position on the axis, with a word at an upright line.
struct CurveMark {
  double x = 0;
  QString text;
  QColor color;  // not valid: that of quiet words
  Qt::PenStyle style = Qt::SolidLine;
};

class CurvePlot final : public SavedPlot {
  Q_OBJECT
 public:
  explicit CurvePlot(const QString& title, QWidget* parent = nullptr);
  void set_axis(const QString& x_name, const QString& aside_name);
  // `empty`: what is said where there are no curves.
  void set_curves(std::vector<Curve> curves, const QString& empty);
  void set_marks(std::vector<CurveMark> marks);
  // The first curve's points can be chosen; the chosen one is ringed.
  void set_choosable(bool choosable);
  void choose(std::optional<double> x);
  // Range of the axis. Empty: from the first to the last point.
  void set_range(std::optional<std::pair<double, double>> range);
  const std::vector<Curve>& curves() const { return curves_; }
  const std::vector<CurveMark>& marks() const { return marks_; }
  QSize sizeHint() const override { return {280, 170}; }
  QSize minimumSizeHint() const override { return {180, 80}; }

 signals:
  void point_chosen(double x);

 protected:
  void draw(QPainter& painter) const override;
  void draw_over(QPainter& painter) const override;
  QString why_not_saved() const override;
  std::string csv() const override;
  std::string svg() const override;
  std::unique_ptr<SavedPlot> copy() const override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void leaveEvent(QEvent* event) override;

 private:
  struct Frame : PlotArea {
    double aside_x = 0;
  };
  Frame frame() const;
  bool has_aside() const;
  void draw_chosen(QPainter& painter, const Frame& frame) const;
  void draw_legend(QPainter& painter) const;
  void draw_axes(QPainter& painter, const Frame& frame) const;
  void draw_curves(QPainter& painter, const Frame& frame) const;
  void draw_marks(QPainter& painter, const Frame& frame) const;
  void draw_pointed(QPainter& painter, const Frame& frame) const;
  void describe();
  QColor color_of(const Curve& curve) const;

  QString x_name_, aside_name_, empty_;
  std::vector<Curve> curves_;
  std::vector<CurveMark> marks_;
  std::optional<std::pair<double, double>> range_;
  std::optional<QPointF> pointer_;
  bool choosable_ = false;
  std::optional<double> chosen_;
};

}  // namespace vantage::ui
