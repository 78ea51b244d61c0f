#include "ui/main_window/crash_recovery.h"

#include <QDateTime>
#include <QFileInfo>
#include <QSettings>

#include "core/session/autosave.h"
#include "core/session/session.h"
#include "ui/widgets/message_bar.h"

namespace vantage::ui {
namespace {

constexpr const char* kOpenProject = "open_project";  // while it is open: what a crash leaves behind

}  // namespace

CrashRecovery::CrashRecovery(MessageBar* messages, Session* session, QObject* parent)
    : QObject(parent), messages_(messages), session_(session) {
  timer_.setSingleShot(true);
  connect(&timer_, &QTimer::timeout, this, [this] { session_->autosave(); });
}

void CrashRecovery::keep_changes_after(double seconds) {
  timer_.setInterval(qRound(1000 * seconds));
}

void CrashRecovery::project_opened(const QString& file) {
  offered_ = false;
  QSettings().setValue(kOpenProject, file);
}

void CrashRecovery::project_changed() {
  timer_.start();
}

void CrashRecovery::project_closed() {
  timer_.stop();
  QSettings().remove(kOpenProject);
}

void CrashRecovery::offer_changes(int64_t of_utc_s) {
  if (of_utc_s == 0 || offered_) return;
  offered_ = true;
  const QString when = QDateTime::fromSecsSinceEpoch(of_utc_s).toString("d MMM, HH:mm");
  messages_->post({Severity::doubtful,
                   tr("Vantage ended early: changes of %1 were not saved, but are still there.").arg(when),
                   tr("Take Them Over"), [this] { session_->recover(); }});
}

void CrashRecovery::offer_project() {
  const QString file = QSettings().value(kOpenProject).toString();
  if (file.isEmpty() || !QFileInfo::exists(file)) return;
  if (!QFileInfo::exists(QString::fromStdString(autosave_path(file.toStdString()).string()))) return;
  messages_->post(
      {Severity::doubtful,
       tr("Vantage ended early: %1 has changes that were not saved.").arg(QFileInfo(file).completeBaseName()),
       tr("Open"), [this, file] { emit open_requested(file); }});
}

}  // namespace vantage::ui
