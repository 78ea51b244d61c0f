// Files: new projects, dropped files, exports, unsaved changes and the report of a problem. What may take
// long runs on another thread and answers with a message.
#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QMessageBox>
#include <QMimeData>
#include <QProcess>
#include <QSettings>
#include <QStackedWidget>
#include <QThreadPool>
#include <QToolBar>

#include "core/base/file.h"
#include "core/base/log.h"
#include "core/calibration/calibration.h"
#include "core/session/autosave.h"
#include "ui/main_window/main_window.h"
#include "ui/main_window/recent_projects.h"
#include "ui/main_window/result_words.h"
#include "ui/panels/log_panel.h"
#include "ui/panels/new_project_page.h"
#include "ui/panels/timings_panel.h"
#include "ui/views/camera_grid.h"
#include "ui/widgets/start_page.h"

namespace vantage::ui {
namespace {

constexpr int kThumbnailMs = 3000;
constexpr const char* kOpenProject = "open_project";  // while it is open: what a crash leaves behind

Status copy_results(const std::filesystem::path& from, const std::filesystem::path& to) {
  std::error_code code;
  std::filesystem::create_directories(to, code);
  if (!code)
    std::filesystem::copy(
        from, to,
        std::filesystem::copy_options::recursive | std::filesystem::copy_options::overwrite_existing, code);
  if (!code) return {};
  return fail(ErrorKind::io, "the results could not be written (" + code.message() + ")", to.string(),
              "Choose another folder, or free some room.");
}

QStringList dropped_paths(const QMimeData& data) {
  QStringList paths;
  for (const QUrl& url : data.urls())
    if (url.isLocalFile()) paths << url.toLocalFile();
  return paths;
}

}  // namespace

void MainWindow::connect_files() {
  setAcceptDrops(true);
  const auto on = [this](QAction* action, auto command) {
    connect(action, &QAction::triggered, this, command);
  };
  on(actions_.new_project, [this] { show_new_project({}); });
  on(actions_.export_results, [this] { export_results(); });
  on(actions_.export_calibration, [this] { export_calibration(); });
  on(actions_.report_problem, [this] { report_problem(); });
  connect(new_page_, &NewProjectPage::created, this, &MainWindow::open_project);
  connect(new_page_, &NewProjectPage::failed, this, &MainWindow::on_error);
  connect(new_page_, &NewProjectPage::cancelled, this, &MainWindow::leave_new_project);
  connect(timings_, &TimingsPanel::work_requested, this, &MainWindow::in_background);
  autosave_timer_.setSingleShot(true);
  connect(&autosave_timer_, &QTimer::timeout, this, [this] { services_.session->autosave(); });
  offer_crashed_project();
}

// ---- new projects

void MainWindow::show_new_project(const QStringList& files) {
  if (pages_->currentWidget() != new_page_) new_page_->reset();
  pages_->setCurrentWidget(new_page_);
  new_page_->setFocus();
  messages_->raise();
  toolbar_->hide();
  if (!files.isEmpty()) new_page_->add_files(files);
}

void MainWindow::leave_new_project() {
  if (!project_open_) return show_start_page();
  pages_->setCurrentWidget(workspace_);
  messages_->raise();
  toolbar_->show();
  cameras_->setFocus();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (!dropped_paths(*event->mimeData()).isEmpty()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  const QStringList paths = dropped_paths(*event->mimeData());
  event->acceptProposedAction();
  open_files(paths);
}

// A project is opened; anything else makes a new one.
void MainWindow::open_files(const QStringList& paths) {
  for (const QString& path : paths)
    if (path.endsWith(".vantage")) return open_project(path);
  if (!paths.isEmpty()) show_new_project(paths);
}

// ---- unsaved changes

void MainWindow::note_project_change(bool another) {
  const QString path = QString::fromStdString(project_.path.string());
  if (another) {
    recovery_offered_ = false;
    QSettings().setValue(kOpenProject, path);
    QTimer::singleShot(kThumbnailMs, this, &MainWindow::keep_thumbnail);
  } else {
    autosave_timer_.start();
  }
}

void MainWindow::forget_open_project() {
  autosave_timer_.stop();
  QSettings().remove(kOpenProject);
}

void MainWindow::offer_recovery() {
  if (status_.recoverable_s == 0 || recovery_offered_) return;
  recovery_offered_ = true;
  const QString when = QDateTime::fromSecsSinceEpoch(status_.recoverable_s).toString("d MMM, HH:mm");
  messages_->post({Severity::doubtful,
                   tr("Vantage ended early: changes of %1 were not saved, but are still there.").arg(when),
                   tr("Take Them Over"), [this] { services_.session->recover(); }});
}

void MainWindow::offer_crashed_project() {
  const QString file = QSettings().value(kOpenProject).toString();
  if (file.isEmpty() || !QFileInfo::exists(file)) return;
  if (!QFileInfo::exists(QString::fromStdString(autosave_path(file.toStdString()).string()))) return;
  messages_->post(
      {Severity::doubtful,
       tr("Vantage ended early: %1 has changes that were not saved.").arg(QFileInfo(file).completeBaseName()),
       tr("Open"), [this, file] { open_project(file); }});
}

void MainWindow::keep_thumbnail() {
  if (!project_open_ || project_.path.empty() || !result_ || !cameras_->isVisible()) return;
  save_thumbnail(QString::fromStdString(project_.path.string()), cameras_->grab());
}

// ---- exports

void MainWindow::in_background(std::function<Status()> work, const QString& done) {
  QThreadPool::globalInstance()->start([this, work = std::move(work), done] {
    const Status status = work();
    QMetaObject::invokeMethod(
        this,
        [this, status, done] {
          if (!status) return on_error(status.error());
          log_info(done.toStdString());
          messages_->post({Severity::note, done, {}, {}});
        },
        Qt::QueuedConnection);
  });
}

void MainWindow::export_results() {
  const QString folder = QFileDialog::getExistingDirectory(this, tr("Export Results Into"));
  if (folder.isEmpty()) return;
  const std::filesystem::path from = project_.results_folder();
  const std::filesystem::path to = std::filesystem::path(folder.toStdString()) / from.filename();
  const QString name = QString::fromStdString(to.string());
  if (QFileInfo::exists(name) &&
      QMessageBox::question(this, tr("Export Results"),
                            tr("%1 exists. Overwrite the results in it?").arg(name)) != QMessageBox::Yes)
    return;
  in_background([from, to] { return copy_results(from, to); }, tr("Results written to %1.").arg(name));
}

void MainWindow::export_calibration() {
  QString file =
      QFileDialog::getSaveFileName(this, tr("Export Calibration"), QStringLiteral("calibration.json"),
                                   tr("Vantage calibrations (*.json)"));
  if (file.isEmpty()) return;
  if (!file.endsWith(".json")) file += ".json";
  in_background(
      [file, cameras = project_.calibrations()] {
        return write_file_atomically(file.toStdString(), calibration_to_json(cameras));
      },
      tr("Calibration written to %1.").arg(file));
}

// ---- a problem

QString MainWindow::problem_text(const QString& doctor) const {
  const QString none = tr("none");
  QStringList parts = {
      tr("Vantage %1, %2").arg(VANTAGE_VERSION, QDateTime::currentDateTime().toString(Qt::ISODate)),
      tr("Backend: %1").arg(services_.backend), notes_.join('\n')};
  parts << tr("\n== Project\n%1").arg(project_open_ ? command_words(project_, saved_parameters_, {}) : none);
  for (const ProjectCamera& camera : project_.cameras)
    parts << QString::fromStdString(camera.name + ": " + camera.video +
                                    (camera.calibration ? ", calibrated" : ", not calibrated"));
  parts << tr("\n== vantage-cli doctor\n%1").arg(doctor) << tr("\n== Log\n%1").arg(log_->text());
  return QString::fromStdString(redact_credentials(parts.join('\n').toStdString() + "\n"));
}

void MainWindow::report_problem() {
  const QString file =
      QFileDialog::getSaveFileName(this, tr("Report a Problem: Write What Is Known to a File"),
                                   QStringLiteral("vantage-report.txt"), tr("Text files (*.txt)"));
  if (!file.isEmpty()) write_report(file);
}

// The text is made when vantage-cli has answered, or cannot.
void MainWindow::write_report(const QString& file) {
  auto* doctor = new QProcess(this);
  const auto write = [this, doctor, file](const QString& text) {
    doctor->disconnect(this);
    doctor->deleteLater();
    in_background(
        [file, report = problem_text(text).toStdString()] {
          return write_file_atomically(file.toStdString(), report);
        },
        tr("Written to %1. It names files and parameters, no pictures: look through it before you send it.")
            .arg(file));
  };
  connect(doctor, &QProcess::finished, this,
          [doctor, write] { write(QString::fromUtf8(doctor->readAllStandardOutput())); });
  connect(doctor, &QProcess::errorOccurred, this, [doctor, write] { write(doctor->errorString()); });
  doctor->start(QCoreApplication::applicationDirPath() + "/vantage-cli", {"doctor"});
}

}  // namespace vantage::ui
