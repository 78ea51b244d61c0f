#include "ui/panels/health_text.h"

#include <QCoreApplication>
#include <algorithm>

#include "core/base/utc_clock.h"

namespace vantage::ui {
namespace {

constexpr double kSilent_s = 1;       // without a picture, beyond which it is told
constexpr double kPoorRate = 0.8;     // of the declared rate
constexpr double kMuchOfBound = 0.5;  // jitter
constexpr int64_t kFewLate = 5;       // pictures, in the seconds that are looked back on
constexpr double kClockTold_s = 1;    // a clock that is wrong by more is told

QString tr(const char* text) {
  return QCoreApplication::translate("HealthText", text);
}

QString number(double value, int decimals) {
  return QString::number(value, 'f', decimals);
}

}  // namespace

CameraState camera_state(const CameraHealth& h, const RecentFaults& recent, double bound_ms) {
  using enum CameraStanding;
  const QString why = QString::fromStdString(h.state);
  if (!h.here)
    return {away, why.isEmpty() ? tr("connecting") : tr("not connected"),
            why.isEmpty() ? tr("No picture has arrived yet.") : why};
  if (!h.picture.empty()) return {doubtful, tr("picture"), QString::fromStdString(h.picture)};
  if (!h.detector.empty()) return {doubtful, tr("detector"), QString::fromStdString(h.detector)};
  if (h.age_s > kSilent_s)
    return {doubtful, tr("silent %1 s").arg(number(h.age_s, 0)),
            tr("Connected, but nothing has arrived for %1 s: the camera or its network stalls.")
                .arg(number(h.age_s, 1))};
  if (recent.decode_errors > 0)
    return {doubtful, tr("damaged"),
            tr("%1 damaged pictures in the last seconds: data is lost on the way. Try rtsp:// (TCP), or a "
               "wired network.")
                .arg(recent.decode_errors)};
  if (h.declared_rate > 0 && h.delivered_rate > 0 && h.delivered_rate < kPoorRate * h.declared_rate)
    return {doubtful, tr("%1 of %2/s").arg(number(h.delivered_rate, 0), number(h.declared_rate, 0)),
            tr("Only %1 of %2 pictures a second arrive: check the network and the camera's load.")
                .arg(number(h.delivered_rate, 1), number(h.declared_rate, 1))};
  if (h.jitter_ms > kMuchOfBound * bound_ms || recent.late > kFewLate)
    return {doubtful, tr("late"),
            tr("Its pictures arrive %1 ms late on average, %2 too late for their frame set, which waits %3 "
               "ms: check the network.")
                .arg(number(h.jitter_ms, 0))
                .arg(recent.late)
                .arg(number(bound_ms, 0))};
  if (h.clock_offset_s && std::abs(*h.clock_offset_s) > kClockTold_s)
    return {good, tr("good"),
            tr("Its clock is wrong by %1 s; arrival times are used. Set it by NTP.")
                .arg(number(*h.clock_offset_s, 1))};
  if (!h.certificate_checked.value_or(true))
    return {good, tr("unverified"),
            tr("Encrypted, but the camera's identity is not checked: add #ca=FILE or #sha256=FINGERPRINT to "
               "its rtsps:// address.")};
  return {good, tr("good"), {}};
}

QStringList health_figures(const CameraHealth& h) {
  const QString delivered = number(h.delivered_rate, 1);
  // Right after connecting, the declared rate is not known yet.
  QStringList first = {
      h.declared_rate > 0 ? tr("%1 of %2 pictures/s").arg(delivered, number(h.declared_rate, 1))
                          : tr("%1 pictures/s").arg(delivered),
      tr("%1 kbit/s").arg(number(h.bit_rate * 1e-3, 0)), tr("jitter %1 ms").arg(number(h.jitter_ms, 0))};
  if (h.age_s >= 0) first << tr("last %1 s ago").arg(number(h.age_s, h.age_s < 10 ? 1 : 0));
  QStringList second = {tr("%1 damaged").arg(h.decode_errors), tr("%1 left out").arg(h.left_out),
                        tr("%1 late").arg(h.late), tr("%1 reconnected").arg(h.reconnections)};
  if (h.clock_offset_s)
    second << tr("clock %1%2 s").arg(*h.clock_offset_s < 0 ? "" : "+").arg(number(*h.clock_offset_s, 3));
  if (h.correction_s != 0)
    second << tr("corrected by %1%2 s").arg(h.correction_s < 0 ? "" : "+").arg(number(h.correction_s, 3));
  if (h.certificate_checked)
    second << (*h.certificate_checked ? tr("certificate checked") : tr("certificate not checked"));
  second << (h.view_of_utc_s ? tr("view of %1").arg(QString::fromStdString(utc_date(*h.view_of_utc_s)))
                             : tr("view since this start"));
  return {first.join(QStringLiteral(" · ")), second.join(QStringLiteral(" · "))};
}

CameraState push_state_text(const PushState& push) {
  using enum CameraStanding;
  if (!push.allowed)
    return {
        doubtful, tr("not allowed"),
        tr("Nothing is sent to %1: it is not allowed on this machine. File \u25b8 Messages\u2026 allows it.")
            .arg(QString::fromStdString(push.destination))};
  QStringList figures;
  if (push.delivered > 0 || push.waiting == 0) figures << tr("%1 delivered").arg(push.delivered);
  if (push.waiting > 0) figures << tr("%1 waiting").arg(push.waiting);
  const QString words = figures.join(QStringLiteral(", "));
  if (push.problem.empty()) return {good, words, {}};
  return {push.failures > 0 ? away : doubtful, words, QString::fromStdString(push.problem)};
}

QString live_summary(const LiveHealth& h) {
  const auto here = std::count_if(h.cameras.begin(), h.cameras.end(),
                                  [](const CameraHealth& camera) { return camera.here; });
  QStringList lines = {tr("%1 of %2 cameras deliver. %3 frame sets/s, waiting up to %4 ms.")
                           .arg(here)
                           .arg(h.cameras.size())
                           .arg(number(h.rate, 2), number(h.bound_ms, 0))};
  if (h.delay_span_ms > 0)
    lines << tr("They wait %1 ms more for cameras with a longer delay.").arg(number(h.delay_span_ms, 0));
  if (h.analysed > 0)
    lines << tr("Results %1 ms after the last picture (95 % within %2 ms).")
                 .arg(number(h.latency_p50_ms, 0), number(h.latency_p95_ms, 0));
  if (h.code_p50_ms >= 0)
    lines << tr("By the time code in the pictures: results %1 ms after capture (95 % within %2 ms).")
                 .arg(number(h.code_p50_ms, 0), number(h.code_p95_ms, 0));
  lines << tr("%1 of %2 frame sets dropped, %3 incomplete.").arg(h.dropped).arg(h.sets).arg(h.incomplete);
  if (h.thinning > 1)
    lines << tr("The analysis is slower than the cameras: 1 of %1 frame sets is analysed.").arg(h.thinning);
  return lines.join('\n');
}

}  // namespace vantage::ui
