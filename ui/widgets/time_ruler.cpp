#include "ui/widgets/time_ruler.h"

#include <QLocale>
#include <array>
#include <cmath>

#include "ui/widgets/time_text.h"

namespace vantage::ui {
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
    return QLocale::c().toString(QDate(at.year, at.month, at.day), "ddd d MMM");
  QString text =
      QStringLiteral("%1:%2").arg(at.hour, 2, 10, QLatin1Char('0')).arg(at.minute, 2, 10, QLatin1Char('0'));
  if (step_s >= kMinute_s) return text;
  text += QStringLiteral(":%1").arg(at.second, 2, 10, QLatin1Char('0'));
  if (step_s >= 1) return text;
  return text + QStringLiteral(".%1").arg(at.millisecond / 10, 2, 10, QLatin1Char('0'));
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

}  // namespace vantage::ui
