// Views on other screens: the cameras or the scene in a window of their own, which fills another screen where
// there is one; and the wall that follows a person. Where each view stands is kept between starts; a view
// whose screen is gone comes back into the window.
#pragma once

#include <QPointer>
#include <QWidget>
#include <array>

#include "ui/main_window/control.h"

class QScreen;

namespace vantage::ui {

// A window of its own for a view that has left the main window, which it belongs to: it has the main window's
// commands and keys. Closing it asks for the view to go back.

class ViewWindow final : public QWidget {
  Q_OBJECT
 public:
  // Takes the view in. `main`: owns this.
  ViewWindow(const QString& title, QWidget* view, QWidget* main);

 signals:
  void closed();

 protected:
  void closeEvent(QCloseEvent* event) override;
};

// The next of `count` screens after `from`, in turn, that is neither `main` nor taken; of those there are,
// one that is taken; -1: there is only the main window's.
int next_screen(int count, int main, const std::vector<int>& taken, int from);

class ScreensControl final : public Control {
  Q_OBJECT
 public:
  explicit ScreensControl(const WindowParts& parts);

  void restore(const QSettings& settings) override;
  void save(QSettings& settings) const override;
  // The window of the cameras or the scene; null: it is in the main window.
  ViewWindow* window_of(const QWidget* view) const;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  struct View {
    QWidget* view = nullptr;
    const char* key = nullptr;  // in the settings
    QString title;
    QAction* action = nullptr;
    ViewWindow* window = nullptr;
    bool fills = false;  // its screen
  };
  // Where a window is. `screen` is empty: on that of the main window, where it fills nothing.
  struct Place {
    QString screen;
    bool fills = false;
    QByteArray geometry;
  };
  View make_view(QWidget* view, const char* key, const QString& title, const ActionSpec& spec);
  void set_apart(View& view, bool apart);
  void take_out(View& view, const Place& place);
  void bring_back(View& view);
  void show_window(const View& view) const;
  Place free_place(const View& view) const;
  void go_to_next_screen();
  void leave_screen(const QScreen* gone);

  std::array<View, 2> views_;
};

}  // namespace vantage::ui
