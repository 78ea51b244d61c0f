// The part of a recording's time that is seen: what is drawn over time shares one, so that all of it is
// zoomed and moved together.
//
// Zooming keeps the playhead where it is on the screen, if it is seen; else the place that is given. A
// playhead that leaves the part takes it along, unless the user moved the part away from it before.
#pragma once

#include <QObject>
#include <QString>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/project/recording_clock.h"

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

// The ticks of a ruler over a recording's time: every so many parts of a second, seconds, minutes, hours or
// days, by the time of day where the clock is known, else from the start.

struct RulerTick {
  double seconds = 0;  // from the start
  // "14:32", "14:32:05", "14:32:05.48"; at midnight the day, "Sat 2 May"; without a clock "0:32".
  QString label;
};

// Ascending, from from_s to to_s, both included; labels have room where each takes label_px at most.
std::vector<RulerTick> ruler_ticks(double from_s, double to_s, double px_per_s, double label_px,
                                   const std::optional<RecordingClock>& clock);

// Times as people read them.

// When the frames of a recording were taken: by the time of day where its clock is known, else from its
// start.
struct FrameTimes {
  double frame_rate = 0;  // 0: nothing is open
  std::optional<RecordingClock> clock;

  double seconds(int64_t frame) const;  // from the start
  // "14:32:05.480", with the day before it on other days than the first: "2 May 00:10:00.000"; without a
  // clock "0:32.480".
  QString text(int64_t frame) const;
  // "2026-05-01 14:32:05.480"; without a clock "+0:00:32.480".
  QString full_text(int64_t frame) const;
  bool operator==(const FrameTimes&) const = default;
};

// "0:32.480"; hours only where there are any: "1:02:05.480".
QString time_text(double seconds);
// "0:32", for ruler marks and remaining time.
QString short_time_text(double seconds);
// "18 MB", "2.0 GB", of 10^6 and 10^9 bytes.
QString bytes_text(int64_t bytes);
// "a few seconds", "about 40 s", "about 3 min", "about 2 h": how long something will take.
QString about_text(double seconds);
// Local time of day of an instant in seconds since 1970: "14:32:05.4".
QString clock_text(double utc_s);
// What can be typed as a time, for hints: "14:32:05, +0:12 or 12 s from the start, or a frame".
QString typed_times(const std::optional<RecordingClock>& clock);
// What was typed as a time in the window's language, as parse_time() and parse_span() read it: "02.05.2026
// 14:32:05,5" is "2026-05-02 14:32:05.5". What they read already stays.
std::string plain_time(QString typed);
// "2", "0.5", "-1" followed by the times sign.
QString rate_text(double rate);

}  // namespace vantage::ui
