#include "ui/main_window/focus_keys.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QTabBar>
#include <QTextEdit>
#include <QWidget>

#include "ui/widgets/action_button.h"

namespace vantage::ui {
namespace {

// Keys without Ctrl and Alt, but for function keys and Esc.
bool may_be_command(const QKeyEvent& key) {
  const bool function_key = key.key() >= Qt::Key_F1 && key.key() <= Qt::Key_F35;
  return !(key.modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier)) && !function_key &&
         key.key() != Qt::Key_Escape;
}

bool moves(const QKeyEvent& key) {
  switch (key.key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_Home:
    case Qt::Key_End:
    case Qt::Key_PageUp:
    case Qt::Key_PageDown:
      return true;
    default:
      return false;
  }
}

bool takes_text(const QWidget& focus) {
  if (const auto* line = qobject_cast<const QLineEdit*>(&focus)) return !line->isReadOnly();
  if (const auto* text = qobject_cast<const QPlainTextEdit*>(&focus)) return !text->isReadOnly();
  if (const auto* text = qobject_cast<const QTextEdit*>(&focus)) return !text->isReadOnly();
  if (const auto* box = qobject_cast<const QComboBox*>(&focus)) return box->isEditable();
  return qobject_cast<const QAbstractSpinBox*>(&focus) != nullptr;
}

// What only scrolls has no first and last.
bool takes_move(const QWidget& focus, const QKeyEvent& key) {
  if (qobject_cast<const QAbstractItemView*>(&focus) || qobject_cast<const QAbstractSlider*>(&focus) ||
      qobject_cast<const QComboBox*>(&focus) || qobject_cast<const QTabBar*>(&focus) || has_own_moves(focus))
    return true;
  return qobject_cast<const QAbstractScrollArea*>(&focus) && key.key() != Qt::Key_Home &&
         key.key() != Qt::Key_End;
}

}  // namespace

bool needs_key(const QWidget& focus, const QKeyEvent& key) {
  if (!may_be_command(key)) return false;
  return takes_text(focus) || is_own_key(focus, key) || (moves(key) && takes_move(focus, key));
}

const QWidget* focus_in(const QWidget& window) {
  const QWidget* focus = QApplication::focusWidget();
  if (!focus) return nullptr;
  const QWidget* its = focus->window();
  const bool beside = its->windowType() == Qt::Tool || its->windowType() == Qt::Window;
  if (beside && its->parentWidget()) its = its->parentWidget()->window();
  return its == &window ? focus : nullptr;
}

FocusKeys::FocusKeys(QWidget& window, const QWidget& commanded)
    : QObject(&window), window_(window), commanded_(commanded) {
  qApp->installEventFilter(this);
}

void FocusKeys::note_reason(const QEvent& event) {
  switch (static_cast<const QFocusEvent&>(event).reason()) {
    case Qt::TabFocusReason:
    case Qt::BacktabFocusReason:
    case Qt::ShortcutFocusReason:
      reached_by_keys_ = true;
      return;
    case Qt::MouseFocusReason:
      reached_by_keys_ = false;
      return;
    default:
      return;
  }
}

// A button that was clicked has the focus, too: Space then plays. One that was reached by keys is pressed.
bool FocusKeys::presses(const QWidget& focus, const QKeyEvent& key) const {
  if (key.key() != Qt::Key_Space) return false;
  if (qobject_cast<const QAbstractButton*>(&focus) || qobject_cast<const QComboBox*>(&focus))
    return reached_by_keys_;
  const auto* list = qobject_cast<const QAbstractItemView*>(&focus);
  return list && list->currentIndex().flags().testFlag(Qt::ItemIsUserCheckable);
}

bool FocusKeys::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::FocusIn) note_reason(*event);
  if (event->type() != QEvent::ShortcutOverride) return QObject::eventFilter(watched, event);
  const auto* key = static_cast<QKeyEvent*>(event);
  const QWidget* focus = focus_in(window_);
  if (!focus || !may_be_command(*key)) return false;
  if (commanded_.isVisible() && !needs_key(*focus, *key) && !presses(*focus, *key)) return false;
  event->accept();
  return true;
}

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
