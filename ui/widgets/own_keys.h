// Keys that a widget acts on itself while it has the focus, though the window has commands on them: letters
// by which a list judges what is chosen in it, arrows that move a choice in what is no list.
#pragma once

#include <QKeyEvent>
#include <QWidget>

namespace vantage::ui {

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
