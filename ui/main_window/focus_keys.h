// Whose a key is: the window's, as a command, or that of what has the focus. Keys without Ctrl and Alt are
// commands wherever the focus is, but for text that is typed, arrows in lists, Space on what it presses, and
// own_keys.h.
#pragma once

#include <QObject>

class QKeyEvent;
class QWidget;

namespace vantage::ui {

// The key is one that a command may have and `focus` needs itself: to type, to move, to
// judge (own_keys.h).
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

}  // namespace vantage::ui
