// The main window on the CPU, as every ui test opens it.
#pragma once

#include <QApplication>
#include <QDir>
#include <QMessageBox>
#include <QPushButton>
#include <memory>

#include "ui/main_window/main_window.h"
#include "ui/platform/host_surface.h"
#include "ui/platform/session_bridge.h"

namespace vantage::ui {

// What a window needs at least; a test adds to it.
inline WindowServices services_of(Session* session, SessionBridge* bridge, SpanReaders* spans) {
  WindowServices services;
  services.session = session;
  services.bridge = bridge;
  services.spans = spans;
  services.surfaces = [] { return std::make_unique<HostSurface>("test"); };
  services.backend = "CPU";
  return services;
}

// Shown and active.
inline std::unique_ptr<MainWindow> show_window(WindowServices services, const QSize& size) {
  auto window = std::make_unique<MainWindow>(std::move(services));
  window->resize(size);
  window->show();
  QApplication::setActiveWindow(window.get());
  return window;
}

// The one to be seen there; null: there is none.
inline QPushButton* button(QWidget* in, const QString& text) {
  for (auto* one : in->findChildren<QPushButton*>())
    if (one->text() == text && one->isVisible()) return one;
  return nullptr;
}

// The question that is asked; null: none is.
inline QMessageBox* question(const MainWindow& window) {
  for (auto* one : window.findChildren<QMessageBox*>())
    if (one->isVisible()) return one;
  return nullptr;
}
// Answers it by the button that does what is asked about; false: nothing is asked.
inline bool agree(const MainWindow& window) {
  const QMessageBox* asked = question(window);
  if (!asked) return false;
  for (QAbstractButton* one : asked->buttons())
    if (asked->buttonRole(one) == QMessageBox::AcceptRole) {
      one->click();
      return true;
    }
  return false;
}

// VANTAGE_SCREENSHOTS names a folder to look at what a test made.
inline void keep_picture(MainWindow& window, const QString& name) {
  const QString folder = qEnvironmentVariable("VANTAGE_SCREENSHOTS");
  if (!folder.isEmpty()) window.grab().save(QDir(folder).filePath(name + ".png"));
}

}  // namespace vantage::ui
