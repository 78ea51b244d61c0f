#include "ui/main_window/analyse_text.h"

#include <QCoreApplication>
#include <QLocale>
#include <algorithm>
#include <cmath>

#include "ui/widgets/time_text.h"

namespace vantage::ui {
namespace {

QString tr(const char* text) {
  return QCoreApplication::translate("Analyse", text);
}

}  // namespace

QString analyse_offer(bool range, int64_t frames, bool exact, double seconds) {
  const QString what = range ? tr("Analyse range") : tr("Analyse all");
  const QString many = exact || range ? tr("%1 frames").arg(frames) : tr("about %1 frames").arg(frames);
  const QString text = what + QStringLiteral(", ") + (frames == 1 ? tr("1 frame") : many);
  return seconds < 0 ? text : text + QStringLiteral(", ") + about_text(seconds);
}

QString analyse_progress(const SessionStatus& status, double share) {
  if (status.live) return tr("Stop, %1 sets written").arg(status.live->written);
  if (share < 0 || status.seconds_left < 0) return tr("Stop");
  return tr("Stop, %1 %, %2 left")
      .arg(static_cast<int>(100 * share))
      .arg(short_time_text(status.seconds_left));
}

double analysed_share(const SessionStatus& status, int64_t frames) {
  if (!status.analysing || status.seconds_left < 0 || status.analysed_fps <= 0 || frames <= 0) return -1;
  return std::clamp(1 - status.seconds_left * status.analysed_fps / static_cast<double>(frames), 0.0, 1.0);
}

QString replaced_results(const ResultCounts& counts, int64_t frames) {
  const int64_t analysed = counts.current + counts.out_of_date;
  if (analysed == 0) return {};
  if (counts.out_of_date > 0)
    return tr("The results of %1 of %2 frames were made with other settings. They are replaced.")
        .arg(counts.out_of_date)
        .arg(frames);
  if (counts.current >= frames)
    return tr("All %1 frames are analysed already, with these settings. Their results are replaced.")
        .arg(frames);
  return tr("%1 of %2 frames are analysed already, with these settings. Their results are replaced.")
      .arg(counts.current)
      .arg(frames);
}

}  // namespace vantage::ui
