// Whose a key is: the window's, as a command, or that of what has the focus. Keys without Ctrl and Alt are
// commands wherever the focus is, but for text that is typed, arrows in lists, Space on what it presses, and
// action_button.h.
#pragma once

#include <QObject>

class QKeyEvent;
class QWidget;

namespace vantage::ui {

// The key is one that a command may have and `focus` needs itself: to type, to move, to
// judge (action_button.h).
bool needs_key(const QWidget& focus, const QKeyEvent& key);
// What has the focus in the window, or in a dock or a view with a window of its own; null: another window has
// it.
const QWidget* focus_in(const QWidget& window);

// Keeps such keys from being commands, and all of them while `commanded` is not to be seen.
class FocusKeys final : public QObject {
  Q_OBJECT
 public:
  FocusKeys(QWidget& window, const QWidget& commanded);  // belongs to the window

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  bool presses(const QWidget& focus, const QKeyEvent& key) const;
  void note_reason(const QEvent& event);

  const QWidget& window_;
  const QWidget& commanded_;
  bool reached_by_keys_ = false;  // what has the focus
};

// Keys that act while they are held: X shows bare footage, K turns J and L into steps. They count where
// commands have their keys (focus_keys.h), while `area` is to be seen.

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
