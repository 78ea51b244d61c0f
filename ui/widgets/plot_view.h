// A small plot: lines over one axis, with marked places. It fits its values to its height; nothing is
// labelled but the axis' ends and the marks.
#pragma once

#include <QColor>
#include <QWidget>
#include <vector>

namespace vantage::ui {

struct PlotLine {
  std::vector<QPointF> points;  // by x
  QColor color;
  Qt::PenStyle style = Qt::SolidLine;
};

struct PlotMark {
  double x = 0;
  QString text;
  QColor color;
  Qt::PenStyle style = Qt::SolidLine;
};

struct PlotContent {
  std::vector<PlotLine> lines;
  std::vector<PlotMark> marks;
  double low = 0, high = 1;  // of the axis
  QString unit;              // behind its ends
};

class PlotView final : public QWidget {
  Q_OBJECT
 public:
  // `name` is read to people who do not see it; `hint` is shown while there is nothing to plot.
  PlotView(const QString& name, const QString& hint, QWidget* parent = nullptr);
  void set_content(PlotContent content);
  const PlotContent& content() const { return content_; }
  QSize sizeHint() const override { return {240, 110}; }
  QSize minimumSizeHint() const override { return {100, 90}; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QPointF place(const QPointF& value, const QRectF& area) const;
  PlotContent content_;
  QString hint_;
  double lowest_ = 0, highest_ = 1;
};

}  // namespace vantage::ui
