// A window of its own for a view that has left the main window, which it belongs to: it has the main window's
// commands and keys. Closing it asks for the view to go back.
#pragma once

#include <QWidget>

namespace vantage::ui {

class ViewWindow final : public QWidget {
  Q_OBJECT
 public:
  // Takes the view in. `main`: owns this.
  ViewWindow(const QString& title, QWidget* view, QWidget* main);

 signals:
  void closed();

 protected:
  void closeEvent(QCloseEvent* event) override;
};

}  // namespace vantage::ui
