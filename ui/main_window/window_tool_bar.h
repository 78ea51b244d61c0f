// The bar above the views: overlays, layouts, and how many checks need attention.
// In a narrow window the buttons with a picture leave their text to their tooltips.
#pragma once

#include <QToolBar>
#include <initializer_list>

namespace vantage::ui {

class ChecksButton;

class WindowToolBar final : public QToolBar {
  Q_OBJECT
 public:
  // Once every action of `window` is there: the bar finds them by their names.
  explicit WindowToolBar(const QWidget& window, QWidget* parent = nullptr);

  ChecksButton* checks() const { return checks_; }

 protected:
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  QWidget* menu_button(const QString& text, const QString& name, const QString& tip,
                       std::initializer_list<const char*> actions);
  void set_icons();
  int width_with_text() const;

  const QWidget& window_;
  QList<QAction*> pictured_;  // have an icon, named as it
  QAction* top_;
  ChecksButton* checks_;
};

}  // namespace vantage::ui
