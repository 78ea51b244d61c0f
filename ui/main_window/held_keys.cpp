#include "ui/main_window/held_keys.h"

#include <QApplication>
#include <QKeyEvent>
#include <QWidget>

#include "ui/main_window/focus_keys.h"

namespace vantage::ui {

HeldKeys::HeldKeys(QWidget* area) : QObject(area), area_(area) {
  qApp->installEventFilter(this);
}

void HeldKeys::set_x(bool held) {
  if (held == x_held_) return;
  x_held_ = held;
  emit bare_changed(held);
}

bool HeldKeys::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::WindowDeactivate) {
    k_held_ = false;
    set_x(false);
  }
  // A press that is a shortcut is only seen as ShortcutOverride.
  const bool press = event->type() == QEvent::ShortcutOverride, release = event->type() == QEvent::KeyRelease;
  if (press || release) {
    const auto* key = static_cast<QKeyEvent*>(event);
    const QWidget* focus = focus_in(*area_->window());
    const bool here = focus && area_->isVisible() && !needs_key(*focus, *key);
    if (!key->isAutoRepeat() && (release || (here && key->modifiers() == Qt::NoModifier))) {
      if (key->key() == Qt::Key_K) k_held_ = press;
      if (key->key() == Qt::Key_X) set_x(press);
    }
  }
  return QObject::eventFilter(watched, event);
}

}  // namespace vantage::ui
