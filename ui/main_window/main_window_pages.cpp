// The window's pages: start page, new project, workspace; what was dropped on them.
#include <QDateTime>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QMimeData>
#include <QStackedWidget>

#include "ui/main_window/main_window.h"
#include "ui/main_window/recent_projects.h"
#include "ui/main_window/result_words.h"
#include "ui/main_window/status_line.h"
#include "ui/main_window/window_tool_bar.h"
#include "ui/main_window/workspace.h"
#include "ui/panels/log_panel.h"
#include "ui/panels/new_project_page.h"
#include "ui/views/camera_grid.h"

namespace vantage::ui {
namespace {

QStringList dropped_paths(const QMimeData& data) {
  QStringList paths;
  for (const QUrl& url : data.urls())
    if (url.isLocalFile()) paths << url.toLocalFile();
  return paths;
}

}  // namespace

void MainWindow::connect_pages() {
  setAcceptDrops(true);
  connect(actions_.new_project, &QAction::triggered, this, [this] { show_new_project({}); });
  connect(new_page_, &NewProjectPage::created, this, &MainWindow::open_project);
  connect(new_page_, &NewProjectPage::failed, this, &MainWindow::on_error);
  connect(new_page_, &NewProjectPage::cancelled, this, &MainWindow::leave_new_project);
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
  workspace_->cameras()->setFocus();
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

void MainWindow::keep_thumbnail() {
  if (!project_open_ || project_.path.empty() || !shown_ || !workspace_->cameras()->isVisible()) return;
  save_thumbnail(QString::fromStdString(project_.path.string()), workspace_->cameras()->grab());
}

// ---- what is known for the report of a problem

QString MainWindow::problem_words() const {
  QStringList parts = {
      tr("Vantage %1, %2").arg(VANTAGE_VERSION, QDateTime::currentDateTime().toString(Qt::ISODate)),
      tr("Backend: %1").arg(services_.backend), status_line_->notes().join('\n')};
  parts << tr("\n== Project\n%1")
               .arg(project_open_ ? command_words(project_, saved_parameters_, {}) : tr("none"));
  for (const ProjectCamera& camera : project_.cameras)
    parts << QString::fromStdString(camera.name + ": " + camera.video +
                                    (camera.calibration ? ", calibrated" : ", not calibrated"));
  parts << tr("\n== Log\n%1").arg(panels().log->text());
  return parts.join('\n') + '\n';
}

}  // namespace vantage::ui
