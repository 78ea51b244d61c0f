// The part of a recording's time that is seen: what is drawn over time shares one, so that all of it is
// zoomed and moved together.
//
// Zooming keeps the playhead where it is on the screen, if it is seen; else the place that is given. A
// playhead that leaves the part takes it along, unless the user moved the part away from it before.
#pragma once

#include <QObject>
#include <cstdint>

class QWheelEvent;

namespace vantage::ui {

class TimeAxis final : public QObject {
  Q_OBJECT
 public:
  static constexpr double kMinFrames = 8;  // are seen at least

  explicit TimeAxis(QObject* parent = nullptr) : QObject(parent) {}

  // The recording's frames. All of it is seen when it was before, also where it grows.
  void set_extent(int64_t first_frame, int64_t end_frame);
  void set_playhead(int64_t frame);

  int64_t first_frame() const { return first_frame_; }
  int64_t end_frame() const { return end_frame_; }
  int64_t frames() const { return end_frame_ - first_frame_; }
  // The frames at the left and the right end of the part; between two frames where it begins or ends there.
  double left() const { return left_; }
  double right() const { return right_; }
  bool whole() const;
  bool shows(double frame) const { return frame >= left_ && frame <= right_; }

  // On a track that begins at left_px and is so wide.
  double x_of(double frame, double left_px, double width_px) const;
  double px_per_frame(double width_px) const;
  int64_t frame_at(double x, double left_px, double width_px) const;  // the nearest; of the part

  void show(double left, double right);
  // A factor of 2 shows half as many frames.
  void zoom(double factor, double otherwise_at);
  void zoom(double factor) { zoom(factor, (left_ + right_) / 2); }
  void move_by(double share);  // of the part
  void show_all();
  void bring_into_view(int64_t frame);
  // Zooms, or moves with Shift and with wheels that turn sideways, as over the frame.
  void turn(const QWheelEvent& wheel, double over_frame);

 signals:
  void changed();

 private:
  double last() const { return static_cast<double>(end_frame_ - 1); }

  int64_t first_frame_ = 0, end_frame_ = 0, playhead_ = 0;
  double left_ = 0, right_ = 0;
};

}  // namespace vantage::ui
