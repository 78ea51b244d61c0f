#include "ui/widgets/time_text.h"

#include <QDateTime>
#include <cmath>

namespace vantage::ui {
namespace {

QString clock(int64_t whole_seconds) {
  const int64_t hours = whole_seconds / 3600, minutes = whole_seconds / 60 % 60, seconds = whole_seconds % 60;
  const QString tail = QStringLiteral(":%1").arg(seconds, 2, 10, QLatin1Char('0'));
  if (hours == 0) return QString::number(minutes) + tail;
  return QStringLiteral("%1:%2").arg(hours).arg(minutes, 2, 10, QLatin1Char('0')) + tail;
}

}  // namespace

QString time_text(double seconds) {
  const auto ms = static_cast<int64_t>(std::llround(std::max(0.0, seconds) * 1000));
  return clock(ms / 1000) + QStringLiteral(".%1").arg(ms % 1000, 3, 10, QLatin1Char('0'));
}

QString short_time_text(double seconds) {
  return clock(static_cast<int64_t>(std::llround(std::max(0.0, seconds))));
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
