// Checks: on demand, and before every analysis. A failed one stops the analysis, with the choice to go on.
#include <QDockWidget>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>
#include <algorithm>
#include <cmath>

#include "core/base/log.h"
#include "ui/main_window/main_window.h"
#include "ui/panels/checks_panel.h"
#include "ui/platform/session_bridge.h"
#include "ui/views/camera_grid.h"
#include "ui/widgets/icons.h"

namespace vantage::ui {
namespace {

constexpr int kMark = 14;

// What a check looks at: cameras, calibration, region and the parameters of foreground and volume. Compared
// to say that a report is of an older project.
std::vector<uint64_t> checked_of(const Project& project) {
  std::vector<uint64_t> parts;
  for (const ParameterTable* table : project.parameters.tables())
    parts.push_back(project.parameters.hash(table->stage));
  for (const ProjectCamera& camera : project.cameras)
    parts.push_back(std::hash<std::string>()(camera.video + '\n' + camera.background + '\n' +
                                             std::to_string(camera.offset_frames)));
  return parts;
}

}  // namespace

void MainWindow::connect_checks() {
  actions_.check->setVisible(check_runner_.available());
  actions_.checks->setVisible(check_runner_.available());
  connect(actions_.check, &QAction::triggered, this, &MainWindow::check_now);
  connect(checks_, &ChecksPanel::check_requested, actions_.check, &QAction::trigger);
  connect(checks_, &ChecksPanel::show_requested, this, &MainWindow::show_check_place);
  connect(&check_runner_, &CheckRunner::finished, this, &MainWindow::on_checked);
  connect(&check_runner_, &CheckRunner::stopped, this, &MainWindow::on_check_stopped);
}

void MainWindow::connect_sync() {
  sync_ = new SyncControl(actions_, {sync_panel_, proposal_card_, messages_, services_.session},
                          services_.align, services_.agreement, this);
  connect(sync_, &SyncControl::dock_wanted, this, [this] {
    sync_dock_->show();
    sync_dock_->raise();
  });
  connect(sync_, &SyncControl::running_changed, this, [this] {
    activity_label_->setText(sync_->running() ? tr("Finding offsets") : QString());
    stop_button_->setVisible(busy());
    update_availability();
  });
  connect(services_.bridge, &SessionBridge::offset_proposed, sync_, &SyncControl::take_watched);
  connect(sync_, &SyncControl::proposals_changed, this, [this] {
    if (!status_.live) cameras_->set_states(sync_->states());
    update_availability();
  });
  connect(sync_, &SyncControl::lines_changed, cameras_, &CameraGrid::set_twins);
}

void MainWindow::check_now() {
  checks_dock_->show();
  checks_dock_->raise();
  analyse_after_check_.reset();
  checks_->show_running();
  check_runner_.start(project_, {});
  activity_label_->setText(tr("Checking"));
  stop_button_->show();
  update_availability();
}

void MainWindow::analyse(FrameRange frames) {
  if (!check_runner_.available() || status_.live) return services_.session->analyse(frames);
  if (status_.playing) services_.session->pause();
  messages_->clear();  // all of it is in the log; what the check finds is to be seen
  analyse_after_check_ = frames;
  checks_->show_running();
  check_runner_.start(project_, quick_check_options());
  activity_label_->setText(tr("Checking before the analysis"));
  stop_button_->show();
  update_availability();
}

void MainWindow::on_checked(const CheckReport& report) {
  checked_project_ = checked_of(project_);
  checks_->show_report(report);
  for (const CheckItem& item : report.items)
    if (item.verdict >= Verdict::doubtful)
      log_warning(std::string(verdict_name(item.verdict)) + ": " + item.check + " " + item.camera + ": " +
                  item.figure + ". " + item.remedy);
  activity_label_->clear();
  stop_button_->hide();
  show_check_mark();
  update_availability();
  offer_offsets(report);
  const auto frames = std::exchange(analyse_after_check_, std::nullopt);
  if (!frames) return;
  if (report.worst() == Verdict::failed) return offer_to_go_on(report, *frames);
  services_.session->analyse(*frames);
}

void MainWindow::offer_to_go_on(const CheckReport& report, FrameRange frames) {
  const auto failed = std::find_if(report.items.begin(), report.items.end(),
                                   [](const CheckItem& item) { return item.verdict == Verdict::failed; });
  checks_dock_->show();
  checks_dock_->raise();
  const QString what = QString::fromStdString(
      (failed->camera.empty() ? failed->check : failed->camera + ", " + failed->check) + ": " +
      failed->figure);
  messages_->post({Severity::failed, tr("The check before the analysis failed: %1.").arg(what),
                   tr("Analyse Anyway"), [this, frames] { services_.session->analyse(frames); }});
}

// "Offsets: cam3 …" leads to where they are found.
void MainWindow::offer_offsets(const CheckReport& report) {
  if (!sync_->available()) return;
  for (const CheckItem& item : report.items)
    if (item.check == "offsets" && item.verdict >= Verdict::doubtful)
      return messages_->post(
          {Severity::doubtful,
           tr("%1: %2.").arg(QString::fromStdString(item.camera), QString::fromStdString(item.figure)),
           tr("Find Offsets"), [this] { actions_.find_offsets->trigger(); }});
}

void MainWindow::on_check_stopped() {  // nothing is known that was not before
  analyse_after_check_.reset();
  checks_->show_stopped();
  activity_label_->clear();
  stop_button_->setVisible(status_.analysing);
  show_check_mark();
  update_availability();
}

// A camera's own frame, shown at the base camera's frame of the same moment.
void MainWindow::show_check_place(const QString& camera, int64_t camera_frame) {
  for (size_t i = 0; i < project_.cameras.size(); ++i) {
    const ProjectCamera& shown = project_.cameras[i];
    if (QString::fromStdString(shown.name) != camera) continue;
    cameras_->enlarge(static_cast<int>(i));
    if (camera_frame < 0) return;
    const double base_rate = project_.cameras.front().frame_rate;
    const double ratio = shown.frame_rate > 0 && base_rate > 0 ? base_rate / shown.frame_rate : 1;
    go_to(std::llround((static_cast<double>(camera_frame) - shown.offset_frames) * ratio));
  }
}

void MainWindow::note_project_for_checks() {
  if (checked_project_.empty() || checked_project_ == checked_of(project_)) return;
  checked_project_.clear();
  checks_->mark_out_of_date();
}

void MainWindow::forget_checks() {
  check_runner_.stop();
  sync_->forget();
  checked_project_.clear();
  checks_->clear();
  show_check_mark();
}

// "Checks ▲1": only what needs a look is counted.
void MainWindow::show_check_mark() {
  if (!checks_button_) return;
  const int failed = checks_->count(Verdict::failed), doubtful = checks_->count(Verdict::doubtful);
  const int shown = failed > 0 ? failed : doubtful;
  if (shown == 0) return actions_.checks->setIcon({});
  const VerdictLook look = look_of(failed > 0 ? Verdict::failed : Verdict::doubtful, palette());
  const qreal ratio = devicePixelRatioF();
  const QString number = QString::number(shown);
  const QSize size(kMark + 3 + fontMetrics().horizontalAdvance(number), 18);
  const auto draw = [&](QPalette::ColorRole text) {
    QPixmap mark(size * ratio);
    mark.setDevicePixelRatio(ratio);
    mark.fill(Qt::transparent);
    QPainter painter(&mark);
    painter.drawPixmap(0, 2, colored_pixmap(look.icon, look.color, kMark, ratio));
    painter.setFont(font());
    painter.setPen(palette().color(text));
    painter.drawText(QRect(kMark + 3, 0, size.width() - kMark - 3, size.height()), Qt::AlignVCenter, number);
    return mark;
  };
  QIcon icon(draw(QPalette::ButtonText));
  icon.addPixmap(draw(QPalette::HighlightedText), QIcon::Normal, QIcon::On);
  checks_button_->setIconSize(size);
  actions_.checks->setIcon(icon);
  checks_button_->setAccessibleDescription(tr("%1 failed, %2 doubtful").arg(failed).arg(doubtful));
}

}  // namespace vantage::ui
