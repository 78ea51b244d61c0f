// The window's pages: start page, new project, workspace; what was dropped on them.
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QMimeData>
#include <QStackedWidget>

#include "ui/main_window/main_window.h"
#include "ui/main_window/recent_projects.h"
#include "ui/main_window/window_tool_bar.h"
#include "ui/main_window/workspace.h"
#include "ui/panels/new_project_page.h"
#include "ui/views/camera_grid.h"
#include "ui/widgets/start_page.h"

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
  connect(start_page_, &StartPage::file_chosen, this, &MainWindow::open_project);
  connect(new_page_, &NewProjectPage::created, this, &MainWindow::open_project);
  connect(new_page_, &NewProjectPage::failed, this, &MainWindow::on_error);
  connect(new_page_, &NewProjectPage::cancelled, this, &MainWindow::leave_new_project);
}

// The tool bar is about the views.
void MainWindow::show_page(QWidget* page) {
  pages_->setCurrentWidget(page);
  messages_->raise();
  parts_.tool_bar->setVisible(page == parts_.workspace);
}

void MainWindow::show_start_page() {
  QList<StartPage::Recent> recent;
  for (const QString& file : recent_projects()) recent << StartPage::Recent{file, thumbnail_of(file)};
  start_page_->set_recent(recent);
  show_page(start_page_);
  update_title();
}

void MainWindow::show_workspace() {
  show_page(parts_.workspace);
  parts_.cameras->setFocus();
}

void MainWindow::show_new_project(const QStringList& files) {
  if (pages_->currentWidget() != new_page_) new_page_->reset();
  show_page(new_page_);
  new_page_->setFocus();
  if (!files.isEmpty()) new_page_->add_files(files);
}

void MainWindow::leave_new_project() {
  state_.open() ? show_workspace() : show_start_page();
}

bool MainWindow::shows_start_page() const {
  return pages_->currentWidget() == start_page_;
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
  const std::filesystem::path& file = state_.project().path;
  if (file.empty() || !state_.shown() || !parts_.cameras->isVisible()) return;
  save_thumbnail(QString::fromStdString(file.string()), parts_.cameras->grab());
}

}  // namespace vantage::ui
