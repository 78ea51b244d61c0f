#include "ui/main_window/screens/view_window.h"

#include <QAction>
#include <QCloseEvent>
#include <QVBoxLayout>

namespace vantage::ui {

ViewWindow::ViewWindow(const QString& title, QWidget* view, QWidget* main) : QWidget(main, Qt::Window) {
  setWindowTitle(title);
  setAccessibleName(title);
  auto* all = new QVBoxLayout(this);
  all->setContentsMargins(0, 0, 0, 0);
  all->addWidget(view);
  for (QAction* command : main->findChildren<QAction*>(QString(), Qt::FindDirectChildrenOnly))
    if (!command->shortcuts().isEmpty()) addAction(command);
}

void ViewWindow::closeEvent(QCloseEvent* event) {
  event->ignore();
  emit closed();
}

}  // namespace vantage::ui
