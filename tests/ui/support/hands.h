// What an operator does with a window: by keyboard alone, or by mouse, where only texts are typed. Clicks and
// keys are counted: a chord is one key, and the letters of typed texts are none.
#pragma once

#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QTabBar>
#include <QTest>
#include <QToolButton>
#include <functional>

#include "tests/ui/support/patience.h"
#include "ui/main_window/main_window.h"

namespace vantage::ui {

enum class Hand { keyboard, mouse };

class Hands {
 public:
  Hands(Hand hand, MainWindow& window) : hand_(hand), window_(window) {}
  bool keys() const { return hand_ == Hand::keyboard; }
  int clicks() const { return clicks_; }
  int keys_pressed() const { return keys_pressed_; }
  void click(QWidget* at, const QPoint& point, Qt::KeyboardModifiers with = {}) const {
    ++clicks_;
    QTest::mouseClick(at, Qt::LeftButton, with, point);
    QCoreApplication::processEvents();
  }
  void count_click() const { ++clicks_; }  // one that was made without this
  void click(QWidget* at) const { click(at, at->rect().center()); }
  void key(QWidget* at, Qt::Key key, Qt::KeyboardModifiers with = {}) const {
    ++keys_pressed_;
    QTest::keyClick(at, key, with);
  }

  // A command: by its key, or through the menus.
  bool command(const char* name) const {
    QAction* action = window_.action(name);
    if (!available(action)) return false;
    if (!keys()) return click_in_menus(action);
    if (action->shortcut().isEmpty()) return false;
    QApplication::setActiveWindow(&window_);
    QWidget* focus = QApplication::focusWidget();
    ++keys_pressed_;
    QTest::keySequence(focus ? focus : &window_, action->shortcut());
    QCoreApplication::processEvents();
    return true;
  }
  // One that has a button in the window, which is seen; by its key, or by a click on that.
  bool button(const char* name) const {
    if (keys()) return command(name);
    const QAction* action = window_.action(name);
    if (!available(action)) return false;
    QToolButton* seen = nullptr;
    const auto find = [&] {
      for (auto* one : window_.findChildren<QToolButton*>())
        if (one->defaultAction() == action && one->isVisible() && !one->visibleRegion().isEmpty()) seen = one;
      return seen != nullptr;
    };
    if (QTest::qWaitFor(find, kWait_ms)) {
      click(seen);
      return true;
    }
    qWarning("no button of %s is seen", name);
    return false;
  }
  // A dock behind others comes to the front: by the key of its command, or by its tab.
  bool bring_up(const char* command_name, const QString& title) const {
    if (keys()) return command(command_name);
    for (auto* tabs : window_.findChildren<QTabBar*>())
      for (int i = 0; tabs->isVisible() && i < tabs->count(); ++i)
        if (tabs->tabText(i) == title) {
          click(tabs, tabs->tabRect(i).center());
          return true;
        }
    return false;
  }
  // The focus goes there: by Tab, or by a click.
  bool go_to(QWidget* field) const {
    QApplication::setActiveWindow(field->window());
    if (field->hasFocus()) return true;
    if (!keys()) {
      click(field);
      return field->hasFocus() || field->isAncestorOf(QApplication::focusWidget());
    }
    constexpr int kMaxTabs = 120;
    for (int i = 0; i < kMaxTabs && !field->hasFocus(); ++i) {
      QWidget* focus = QApplication::focusWidget();
      key(focus ? focus : field->window(), Qt::Key_Tab);
    }
    return field->hasFocus();
  }
  bool type(QLineEdit* field, const QString& text) const {
    if (!field || !go_to(field)) return false;
    QTest::keyClick(field, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(field, text);
    return field->text() == text;
  }
  // Into the field behind the one that has the focus.
  bool type_next(QLineEdit* field, const QString& text) const {
    key(QApplication::focusWidget(), Qt::Key_Tab);
    return field && field->hasFocus() && type(field, text);
  }
  bool choose(QComboBox* box, int index) const {
    if (!box || (keys() && !go_to(box))) return false;
    if (!keys()) {
      click(box);
      if (!QTest::qWaitFor([&] { return box->view()->isVisible(); }, kWait_ms)) return false;
      const QModelIndex row = box->model()->index(index, box->modelColumn(), box->rootModelIndex());
      const QPoint at = box->view()->visualRect(row).center();
      QTest::mouseMove(box->view()->viewport(), at);
      QTest::qWait(QApplication::doubleClickInterval());  // until then a release ends nothing
      click(box->view()->viewport(), at);
    }
    for (int i = 0; keys() && i < box->count() && box->currentIndex() != index; ++i)
      key(box, box->currentIndex() < index ? Qt::Key_Down : Qt::Key_Up);
    return QTest::qWaitFor([&] { return box->currentIndex() == index; }, kWait_ms);
  }
  // By the letter that is underlined, or by a click.
  bool press(QPushButton* button) const {
    if (!button || !QTest::qWaitFor([&] { return button->isEnabled(); }, kWait_ms)) return false;
    if (!keys()) {
      click(button);
      return true;
    }
    const QString text = button->text();
    const auto at = text.indexOf('&');
    if (at < 0) return false;
    QApplication::setActiveWindow(button->window());
    QWidget* focus = QApplication::focusWidget();
    ++keys_pressed_;
    QTest::keySequence(focus && focus->window() == button->window() ? focus : button->window(),
                       QKeySequence(QStringLiteral("Alt+") + text[at + 1]));
    QCoreApplication::processEvents();
    return true;
  }

 private:
  static bool available(const QAction* action) {
    if (QTest::qWaitFor([&] { return action->isEnabled(); }, kWait_ms)) return true;
    qWarning("%s is not available: %s", qPrintable(action->objectName()), qPrintable(action->toolTip()));
    return false;
  }
  static QList<QAction*> path_to(const QList<QAction*>& actions, QAction* wanted) {
    for (QAction* action : actions) {
      if (action == wanted) return {action};
      if (!action->menu()) continue;
      QList<QAction*> below = path_to(action->menu()->actions(), wanted);
      if (below.isEmpty()) continue;
      below.prepend(action);
      return below;
    }
    return {};
  }
  // A submenu opens when the pointer rests on it, or at once by a click. A click closes one that has just
  // opened, and a busy machine may close them all: then the way begins again at the bar.
  bool click_in_menus(QAction* wanted) const {
    const QList<QAction*> path = path_to(window_.menuBar()->actions(), wanted);
    constexpr int kTries = 20;
    for (int tries = 0; !path.isEmpty() && tries < kTries; ++tries) {
      if (open_menus(path)) {
        QMenu* menu = path[path.size() - 2]->menu();
        clicks_ += 2;  // on the bar and on the command; a busy machine's tries are no operator's
        QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(wanted).center());
        QCoreApplication::processEvents();
        return true;
      }
      while (QWidget* popup = QApplication::activePopupWidget()) popup->close();
    }
    qWarning("the menus of %s do not open", qPrintable(wanted->objectName()));
    return false;
  }
  bool open_menus(const QList<QAction*>& path) const {
    QWidget* above = window_.menuBar();
    QPoint at = window_.menuBar()->actionGeometry(path[0]).center();
    for (qsizetype i = 0; i + 1 < path.size(); ++i) {
      QMenu* menu = path[i]->menu();
      QTest::mouseMove(above, at);
      if (above == window_.menuBar() || !opens(menu)) QTest::mouseClick(above, Qt::LeftButton, {}, at);
      if (!opens(menu)) return false;
      above = menu, at = menu->actionGeometry(path[i + 1]).center();
    }
    QTest::mouseMove(above, at);
    QCoreApplication::processEvents();
    return above->isVisible();
  }
  static bool opens(const QMenu* menu) {
    constexpr int kRest_ms = 1500;
    return QTest::qWaitFor([menu] { return menu->isVisible(); }, kRest_ms);
  }

  const Hand hand_;
  MainWindow& window_;
  mutable int clicks_ = 0, keys_pressed_ = 0;
};

}  // namespace vantage::ui
