// A button that says what its action will do, as long as there is room for it, and fills up while that is
// being done. Until then it alone has the accent colour: it is what a window is for.
#pragma once

#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolButton>
#include <QWidget>

namespace vantage::ui {

class ActionButton final : public QToolButton {
  Q_OBJECT
 public:
  explicit ActionButton(QWidget* parent = nullptr);

  // The long words; the action's own are shown where these do not fit.
  void set_words(const QString& words);
  const QString& words() const { return words_; }
  void set_share(double share);  // done so far, 0 to 1; negative: nothing is being done
  double share() const { return share_; }

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  // The second click of two would give the action that took the first one's place.
  void mouseDoubleClickEvent(QMouseEvent* event) override { event->accept(); }

 private:
  QSize size_for(const QString& text) const;
  QString shown() const;

  QString words_;
  double share_ = -1;
};

// Keys that a widget acts on itself while it has the focus, though the window has commands on them: letters
// by which a list judges what is chosen in it, arrows that move a choice in what is no list.

// "SX"; empty: none, all are the window's.
inline void set_own_keys(QWidget* widget, const QString& letters) {
  widget->setProperty("own_keys", letters);
}

// Arrows, Home, End and the page keys.
inline void set_takes_moves(QWidget* widget, bool takes) {
  widget->setProperty("takes_moves", takes);
}

inline bool has_own_moves(const QWidget& widget) {
  return widget.property("takes_moves").toBool();
}

inline bool is_own_key(const QWidget& widget, const QKeyEvent& key) {
  return key.modifiers() == Qt::NoModifier && key.key() >= Qt::Key_A && key.key() <= Qt::Key_Z &&
         widget.property("own_keys").toString().contains(QChar(key.key()));
}

}  // namespace vantage::ui
