// Keys that act while they are held: X shows bare footage, K turns J and L into steps. They count where
// commands have their keys (focus_keys.h), while `area` is to be seen.
#pragma once

#include <QObject>

class QWidget;

namespace vantage::ui {

class HeldKeys final : public QObject {
  Q_OBJECT
 public:
  explicit HeldKeys(QWidget* area);
  bool k_held() const { return k_held_; }

 signals:
  void bare_changed(bool held);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void set_x(bool held);

  QWidget* area_;
  bool k_held_ = false, x_held_ = false;
};

}  // namespace vantage::ui
