#include "ui/widgets/time_text.h"

#include <QDateTime>
#include <QLocale>
#include <QObject>
#include <cmath>

namespace vantage::ui {
namespace {

constexpr int kDateSize = 10, kTimeSize = 12;  // "2026-05-01", "14:32:05.480"

QString clock(int64_t whole_seconds) {
  const int64_t hours = whole_seconds / 3600, minutes = whole_seconds / 60 % 60, seconds = whole_seconds % 60;
  const QString tail = QStringLiteral(":%1").arg(seconds, 2, 10, QLatin1Char('0'));
  if (hours == 0) return QString::number(minutes) + tail;
  return QStringLiteral("%1:%2").arg(hours).arg(minutes, 2, 10, QLatin1Char('0')) + tail;
}

}  // namespace

double FrameTimes::seconds(int64_t frame) const {
  return frame_rate > 0 ? static_cast<double>(frame) / frame_rate : 0;
}

QString FrameTimes::text(int64_t frame) const {
  if (!clock) return time_text(seconds(frame));
  const QString date_and_time = full_text(frame), time = date_and_time.mid(kDateSize + 1);
  const ClockTime first = clock->at(0), at = clock->at(seconds(frame));
  if (first.day == at.day && first.month == at.month && first.year == at.year) return time;
  return QLocale::c().toString(QDate(at.year, at.month, at.day), "d MMM ") + time;
}

QString FrameTimes::full_text(int64_t frame) const {
  if (!clock) return QLatin1Char('+') + QString::fromStdString(elapsed_text(seconds(frame)));
  return QString::fromStdString(clock->text(seconds(frame))).left(kDateSize + 1 + kTimeSize);
}

QString time_text(double seconds) {
  const auto ms = static_cast<int64_t>(std::llround(std::max(0.0, seconds) * 1000));
  return clock(ms / 1000) + QStringLiteral(".%1").arg(ms % 1000, 3, 10, QLatin1Char('0'));
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
  return time.toString("HH:mm:ss.") + QString::number(tenths % 10);
}

QString rate_text(double rate) {
  return QString::number(rate) + QChar(0x00d7);
}

}  // namespace vantage::ui
