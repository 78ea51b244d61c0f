// The bar above the views: what is drawn over them, how they share the room, and how many checks need a look.
// Where the window is narrow, the buttons with a picture leave their words to their tooltips.
#pragma once

#include <QToolBar>

#include "ui/main_window/window_actions.h"

namespace vantage::ui {

class ChecksButton;

class WindowToolBar final : public QToolBar {
  Q_OBJECT
 public:
  explicit WindowToolBar(const WindowActions& actions, QWidget* parent = nullptr);

  ChecksButton* checks() const { return checks_; }

 protected:
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  QWidget* menu_button(const QString& text, const QString& name, const QString& tip,
                       const QList<QAction*>& actions);
  void set_icons();
  int width_with_words() const;

  QList<QAction*> pictured_;  // have an icon, named as it
  QAction* top_;
  ChecksButton* checks_;
};

}  // namespace vantage::ui
