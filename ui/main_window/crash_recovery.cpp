#include "ui/main_window/crash_recovery.h"

#include <QDateTime>
#include <QDesktopServices>
#include <QFileInfo>
#include <QLocale>
#include <QUrl>

#include "core/base/crash_report.h"
#include "core/session/autosave.h"
#include "ui/main_window/preferences_dialog.h"
#include "ui/main_window/status_line.h"
#include "ui/widgets/message_bar.h"

namespace vantage::ui {
namespace {

// The report that the run left; empty: none, as when it was killed.
QString report_of(const EarlyEnd& end) {
  const std::string ending = "-" + std::to_string(end.process) + ".txt";
  for (const std::filesystem::path& report : crash_reports(crash_folder()))
    if (end.process != 0 && report.filename().string().ends_with(ending))
      return QString::fromStdString(report.string());
  return {};
}

}  // namespace

CrashRecovery::CrashRecovery(const WindowParts& parts) : Control(parts), marker_(parts.services.marker) {
  timer_.setSingleShot(true);
  connect(&timer_, &QTimer::timeout, this, [this] { post(command::Autosave{}); });
}

void CrashRecovery::apply(const Preferences& preferences) {
  timer_.setInterval(qRound(1000 * preferences.autosave_s));
}

void CrashRecovery::refresh(Changes what) {
  if (what.testFlag(Change::other_project)) {
    if (!state().open()) return project_closed();
    offered_ = false;
    if (marker_) marker_->set_project(project().path);
  } else if (what.testFlag(Change::project)) {
    timer_.start();
  }
  if (what.testFlag(Change::status)) offer_changes();
}

void CrashRecovery::project_closed() {
  timer_.stop();
  if (marker_) marker_->set_project({});
}

void CrashRecovery::offer_changes() {
  const int64_t of_utc_s = state().status().recoverable_s;
  if (of_utc_s == 0 || offered_) return;
  offered_ = true;
  const QString when = QLocale().toString(QDateTime::fromSecsSinceEpoch(of_utc_s), tr("d MMM, HH:mm"));
  parts().messages->post({Severity::doubtful,
                          tr("Vantage closed unexpectedly. Unsaved changes to %1 were kept.").arg(when),
                          tr("Restore Changes"), [this] { post(command::Recover{}); }});
}

void CrashRecovery::offer_what_was_open(bool layout_set_aside) {
  if (!marker_) return;
  for (const EarlyEnd& end : marker_->early_ends()) {
    const QString file = QString::fromStdString(end.project.string());
    const bool there = !file.isEmpty() && QFileInfo::exists(file);
    const bool unsaved =
        there && QFileInfo::exists(QString::fromStdString(autosave_path(end.project).string()));
    if (end.asked && !unsaved) continue;
    const QString name = QFileInfo(file).completeBaseName();
    QString text = there                ? tr("Vantage closed unexpectedly with %1 open.").arg(name)
                   : end.while_starting ? tr("Vantage closed unexpectedly while starting.")
                                        : tr("Vantage closed unexpectedly.");
    if (unsaved) text += ' ' + tr("It has unsaved changes.");
    if (!end.asked) text += ' ' + tr("The window is back to its default layout for now.");
    const QString report = report_of(end);
    if (!report.isEmpty()) text += ' ' + tr("What is known of it: %1").arg(report);
    Message message{Severity::doubtful, text, {}, {}};
    const auto offer = [&message](const QString& words, std::function<void()> action) {
      const bool first = message.button.isEmpty();
      if (!first && !message.second_button.isEmpty()) return;  // there are two at most
      (first ? message.button : message.second_button) = words;
      (first ? message.action : message.second_action) = std::move(action);
    };
    if (there) offer(tr("Open %1").arg(name), [this, file] { emit open_requested(file); });
    if (layout_set_aside && !end.asked) offer(tr("Restore the Layout"), [this] { emit layout_requested(); });
    if (!report.isEmpty())
      offer(tr("Show the Report"), [report] { QDesktopServices::openUrl(QUrl::fromLocalFile(report)); });
    message.of_program = true;
    parts().messages->post(std::move(message));
  }
}

}  // namespace vantage::ui
