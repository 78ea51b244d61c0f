#include "ui/widgets/time_axis.h"

#include <QDateTime>
#include <QLocale>
#include <QObject>
#include <QRegularExpression>
#include <QWheelEvent>
#include <algorithm>
#include <array>
#include <cmath>

#include "ui/widgets/numbers.h"

namespace vantage::ui {
namespace {

constexpr double kNotch = 120, kZoomOfNotch = 1.25, kMoveOfNotch = 0.1;
constexpr double kNearlyAll = 0.5;  // frames that are left out
constexpr double kAhead = 0.1;      // of the part, before a playhead that was brought into view

}  // namespace

void TimeAxis::set_extent(int64_t first_frame, int64_t end_frame) {
  end_frame = std::max(end_frame, first_frame);
  if (first_frame == first_frame_ && end_frame == end_frame_) return;
  const bool all = whole();
  first_frame_ = first_frame, end_frame_ = end_frame;
  if (all)
    left_ = static_cast<double>(first_frame_), right_ = std::max(left_, last());
  else
    show(left_, right_);
  emit changed();
}

bool TimeAxis::whole() const {
  return left_ <= static_cast<double>(first_frame_) && right_ >= last();
}

void TimeAxis::set_playhead(int64_t frame) {
  const bool followed = shows(static_cast<double>(playhead_));
  playhead_ = frame;
  if (followed) bring_into_view(frame);
}

double TimeAxis::x_of(double frame, double left_px, double width_px) const {
  return right_ > left_ ? left_px + (frame - left_) / (right_ - left_) * width_px : left_px;
}

double TimeAxis::px_per_frame(double width_px) const {
  return right_ > left_ ? width_px / (right_ - left_) : width_px;
}

int64_t TimeAxis::frame_at(double x, double left_px, double width_px) const {
  const double share = std::clamp((x - left_px) / std::max(width_px, 1.0), 0.0, 1.0);
  const int64_t frame = std::llround(left_ + share * (right_ - left_));
  return std::clamp(frame, first_frame_, std::max(first_frame_, end_frame_ - 1));
}

void TimeAxis::show(double left, double right) {
  const auto first = static_cast<double>(first_frame_), end = std::max(first, last());
  double frames = std::min(std::max(right - left, kMinFrames), end - first);
  if (end - first - frames < kNearlyAll) frames = end - first;  // by rounding
  if (right - left < frames) left = (left + right - frames) / 2;
  left = std::clamp(left, first, end - frames);
  if (left == left_ && left + frames == right_) return;
  left_ = left, right_ = left + frames;
  emit changed();
}

void TimeAxis::zoom(double factor, double otherwise_at) {
  const auto playhead = static_cast<double>(playhead_);
  const double at = shows(playhead) ? playhead : std::clamp(otherwise_at, left_, right_);
  const double frames = std::max((right_ - left_) / factor, kMinFrames);
  const double share = right_ > left_ ? (at - left_) / (right_ - left_) : 0;
  show(at - share * frames, at + (1 - share) * frames);
}

void TimeAxis::move_by(double share) {
  const double by = share * (right_ - left_);
  show(left_ + by, right_ + by);
}

void TimeAxis::show_all() {
  show(static_cast<double>(first_frame_), last());
}

void TimeAxis::bring_into_view(int64_t frame) {
  const auto at = static_cast<double>(frame);
  if (shows(at)) return;
  const double frames = right_ - left_, left = at < left_ ? at - (1 - kAhead) * frames : at - kAhead * frames;
  show(left, left + frames);
}

void TimeAxis::turn(const QWheelEvent& wheel, double over_frame) {
  const QPoint by = wheel.angleDelta();
  const bool sideways = std::abs(by.x()) > std::abs(by.y());
  const double notches = (sideways ? by.x() : by.y()) / kNotch;
  if (sideways || wheel.modifiers().testFlag(Qt::ShiftModifier))
    move_by(-kMoveOfNotch * notches);
  else
    zoom(std::pow(kZoomOfNotch, notches), over_frame);
}

namespace {

constexpr double kMinute_s = 60, kDay_s = 86400;
constexpr double kSame_s = 1e-4;  // a clock that was put forward shows another time than the tick's

// Steps of a minute and more divide a day, so that every midnight is a tick.
double ruler_step(double px_per_s, double label_px) {
  static constexpr std::array<double, 24> kSteps_s = {0.01, 0.02, 0.04, 0.1,  0.2,   0.5,   1,     2,
                                                      5,    10,   15,   30,   60,    120,   300,   600,
                                                      900,  1800, 3600, 7200, 10800, 21600, 43200, kDay_s};
  for (const double step : kSteps_s)
    if (step * px_per_s >= label_px) return step;
  return kDay_s * std::ceil(label_px / (kDay_s * px_per_s));
}

QString label_of(const ClockTime& at, double step_s) {
  if (at.hour == 0 && at.minute == 0 && at.second == 0 && at.millisecond == 0)
    return QLocale().toString(QDate(at.year, at.month, at.day), QObject::tr("ddd d MMM"));
  QString text =
      QStringLiteral("%1:%2").arg(at.hour, 2, 10, QLatin1Char('0')).arg(at.minute, 2, 10, QLatin1Char('0'));
  if (step_s >= kMinute_s) return text;
  text += QStringLiteral(":%1").arg(at.second, 2, 10, QLatin1Char('0'));
  if (step_s >= 1) return text;
  return text + QLocale().decimalPoint() +
         QStringLiteral("%1").arg(at.millisecond / 10, 2, 10, QLatin1Char('0'));
}

// Seconds since 1970 that the clock shows, as if it were that of UTC.
double shown_s(const RecordingClock& clock, double seconds) {
  return clock.start_utc_s + seconds + kMinute_s * clock.at(seconds).zone_minutes;
}

std::vector<RulerTick> clock_ticks(double from_s, double to_s, double step_s, const RecordingClock& clock) {
  std::vector<RulerTick> ticks;
  const double first = std::ceil(shown_s(clock, from_s) / step_s) * step_s;
  const int zone = clock.at(from_s).zone_minutes;
  for (double shown = first;; shown += step_s) {
    double at = shown - clock.start_utc_s - kMinute_s * zone;
    at = shown - clock.start_utc_s - kMinute_s * clock.at(at).zone_minutes;
    if (at > to_s) return ticks;
    if (at >= from_s && std::abs(shown_s(clock, at) - shown) < kSame_s)
      ticks.push_back({at, label_of(clock.at(at), step_s)});
  }
}

}  // namespace

std::vector<RulerTick> ruler_ticks(double from_s, double to_s, double px_per_s, double label_px,
                                   const std::optional<RecordingClock>& clock) {
  if (!(px_per_s > 0) || !(to_s >= from_s)) return {};
  const double step_s = ruler_step(px_per_s, label_px);
  if (clock) return clock_ticks(from_s, to_s, step_s, *clock);
  std::vector<RulerTick> ticks;
  for (double i = std::ceil(from_s / step_s); i * step_s <= to_s; ++i) {
    const double at = i * step_s;
    ticks.push_back({at, step_s < 1 ? time_text(at).chopped(1) : short_time_text(at)});
  }
  return ticks;
}

namespace {

constexpr int kDateSize = 10, kTimeSize = 12;  // "2026-05-01", "14:32:05.480"

QString clock(int64_t whole_seconds) {
  const int64_t hours = whole_seconds / 3600, minutes = whole_seconds / 60 % 60, seconds = whole_seconds % 60;
  const QString tail = QStringLiteral(":%1").arg(seconds, 2, 10, QLatin1Char('0'));
  if (hours == 0) return QString::number(minutes) + tail;
  return QStringLiteral("%1:%2").arg(hours).arg(minutes, 2, 10, QLatin1Char('0')) + tail;
}

// "01.05.2026 14:32:05,480" of "2026-05-01 14:32:05.480", as the language has it.
QString local_time(QString text) {
  text.replace('.', QLocale().decimalPoint());
  const QDate date = QDate::fromString(text.left(kDateSize), Qt::ISODate);
  return date.isValid() ? QLocale().toString(date, QObject::tr("yyyy-MM-dd")) + text.mid(kDateSize) : text;
}

}  // namespace

double FrameTimes::seconds(int64_t frame) const {
  return frame_rate > 0 ? static_cast<double>(frame) / frame_rate : 0;
}

QString FrameTimes::text(int64_t frame) const {
  if (!clock) return time_text(seconds(frame));
  const QString time = full_text(frame).mid(kDateSize + 1);
  const ClockTime first = clock->at(0), at = clock->at(seconds(frame));
  if (first.day == at.day && first.month == at.month && first.year == at.year) return time;
  return QLocale().toString(QDate(at.year, at.month, at.day), QObject::tr("d MMM")) + ' ' + time;
}

QString FrameTimes::full_text(int64_t frame) const {
  if (!clock) return '+' + local_time(QString::fromStdString(elapsed_text(seconds(frame))));
  return local_time(QString::fromStdString(clock->text(seconds(frame))).left(kDateSize + 1 + kTimeSize));
}

QString time_text(double seconds) {
  const auto ms = static_cast<int64_t>(std::llround(std::max(0.0, seconds) * 1000));
  return local_time(clock(ms / 1000) + QStringLiteral(".%1").arg(ms % 1000, 3, 10, QLatin1Char('0')));
}

QString short_time_text(double seconds) {
  return clock(static_cast<int64_t>(std::llround(std::max(0.0, seconds))));
}

QString bytes_text(int64_t bytes) {
  constexpr double kMega = 1e6, kGiga = 1e9;
  const auto size = static_cast<double>(bytes);
  return size < kGiga ? QObject::tr("%1 MB").arg(size / kMega, 0, 'f', size < 10 * kMega ? 1 : 0)
                      : QObject::tr("%1 GB").arg(size / kGiga, 0, 'f', 1);
}

QString about_text(double seconds) {
  constexpr double kSmall_s = 10, kMinutes_s = 90, kHours_s = 90 * 60;
  if (seconds < kSmall_s) return QObject::tr("a few seconds");
  if (seconds < kMinutes_s) return QObject::tr("about %1 s").arg(10 * std::llround(seconds / 10));
  if (seconds < kHours_s) return QObject::tr("about %1 min").arg(std::llround(seconds / 60));
  return QObject::tr("about %1 h").arg(std::llround(seconds / 3600));
}

QString clock_text(double utc_s) {
  constexpr int kTenth_ms = 100;
  const auto tenths = static_cast<qint64>(utc_s * 10);
  const QDateTime time = QDateTime::fromMSecsSinceEpoch(tenths * kTenth_ms);
  return local_time(time.toString("HH:mm:ss.") + QString::number(tenths % 10));
}

QString typed_times(const std::optional<RecordingClock>& clock) {
  return clock ? QObject::tr("a time of day (%1), one from the start (+0:01 or 1.5 s), or a frame (25)")
                     .arg(QString::fromStdString(clock->text(0)).mid(kDateSize + 1, kTimeSize - 4))
               : QObject::tr("a time from the start (0:01 or 1.5 s), or a frame (25)");
}

std::string plain_time(QString typed) {
  const QLocale language;
  if (language.language() == QLocale::C) return typed.toStdString();
  const auto replace = [&](const QString& pattern, const QString& by) {
    typed.replace(QRegularExpression(pattern, QRegularExpression::CaseInsensitiveOption), by);
  };
  for (int month = 1; month <= 12; ++month)
    for (const auto length : {QLocale::LongFormat, QLocale::ShortFormat})
      replace("\\b(\\d{1,2})\\.? " + QRegularExpression::escape(language.monthName(month, length)) + "(?= )",
              "\\1 " + QLocale::c().monthName(month, QLocale::ShortFormat));
  replace("(?<!\\S)\\p{L}{2,3}\\.?,? (?=\\d{1,2} [A-Z])", {});  // the day of the week
  replace("\\b(\\d)\\.(\\d{1,2}\\.\\d{4})\\b", "0\\1.\\2");
  replace("\\b(\\d\\d)\\.(\\d)\\.(\\d{4})\\b", "\\1.0\\2.\\3");
  replace("\\b(\\d\\d)\\.(\\d\\d)\\.(\\d{4})\\b", "\\3-\\2-\\1");
  replace("(?<=\\d)" + QRegularExpression::escape(language.decimalPoint()) + "(?=\\d)", ".");
  replace('^' + QObject::tr("frame %1").arg(QString()), "frame ");
  replace(QRegularExpression::escape(QObject::tr(" to ")), " to ");
  return typed.toStdString();
}

QString rate_text(double rate) {
  return number_text(rate, 'g', 6) + QChar(0x00d7);
}

}  // namespace vantage::ui
