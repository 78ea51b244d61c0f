// Recorded spans over time, a lane a thread or stream and camera. The wheel zooms at the pointer (with Shift
// it moves), dragging moves, a click selects a span and keeps it in view; + and - zoom, the arrow keys move,
// 0 shows all.
#pragma once

#include <QAbstractScrollArea>
#include <optional>
#include <vector>

#include "core/base/trace.h"

namespace vantage::ui {

class SpanTimeline final : public QAbstractScrollArea {
  Q_OBJECT
 public:
  explicit SpanTimeline(QWidget* parent = nullptr);

  // The shown part stays at its position in time; before the first zoom or move the newest kNewest_ns are
  // shown.
  void set_spans(std::vector<TraceSpan> spans);
  void set_cameras(std::vector<std::string> names);  // by index, as lanes call them
  const std::vector<std::string>& cameras() const { return cameras_; }
  void show_all();
  void follow();  // the newest again

  const std::vector<TraceSpan>& spans() const { return spans_; }
  const std::vector<TraceLane>& lanes() const { return lanes_; }
  std::optional<TraceSpan> selected() const { return selected_; }
  // The rectangle of a span on the viewport; none when it is not in view.
  std::optional<QRectF> place_of(size_t span) const;
  double shown_ns() const { return end_ns_ - begin_ns_; }
  bool following() const { return following_; }

 signals:
  void span_selected(const vantage::TraceSpan& span);
  void following_changed(bool following);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  bool event(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool viewportEvent(QEvent* event) override;

 private:
  void set_range(double begin_ns, double end_ns, bool following);
  void zoom(double factor, double at_x);
  void move(double by_ns);
  void update_scroll();
  double x_of(double time_ns) const;
  double time_at(double x) const;
  double names_width() const;
  double lane_height(const TraceLane& lane) const;
  std::optional<size_t> span_at(const QPointF& place) const;
  void draw_axis(QPainter& painter) const;
  void draw_lane(QPainter& painter, const TraceLane& lane, double top) const;
  void draw_span(QPainter& painter, const QRectF& place, const TraceSpan& span) const;

  std::vector<TraceSpan> spans_;
  std::vector<TraceLane> lanes_;
  std::vector<std::string> cameras_;
  double begin_ns_ = 0, end_ns_ = 1e9;
  bool following_ = true;
  std::optional<TraceSpan> selected_;
  std::optional<QPointF> pressed_;
  bool dragged_ = false;
};

}  // namespace vantage::ui
