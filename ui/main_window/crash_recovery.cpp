#include "ui/main_window/crash_recovery.h"

#include <QDateTime>
#include <QFileInfo>

#include "core/session/autosave.h"
#include "ui/main_window/preferences.h"
#include "ui/main_window/run_marker.h"
#include "ui/widgets/message_bar.h"

namespace vantage::ui {

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
  const QString when = QDateTime::fromSecsSinceEpoch(of_utc_s).toString("d MMM, HH:mm");
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
    Message message{Severity::doubtful, text, {}, {}};
    if (there) message.button = tr("Open %1").arg(name);
    if (there) message.action = [this, file] { emit open_requested(file); };
    if (layout_set_aside && !end.asked) {
      message.second_button = tr("Restore the Layout");
      message.second_action = [this] { emit layout_requested(); };
    }
    message.of_program = true;
    parts().messages->post(std::move(message));
  }
}

}  // namespace vantage::ui
