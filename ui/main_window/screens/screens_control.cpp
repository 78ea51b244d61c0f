#include "ui/main_window/screens/screens_control.h"

#include <QAction>
#include <QCloseEvent>
#include <QEvent>
#include <QGuiApplication>
#include <QScreen>
#include <QSettings>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/main_window/workspace.h"
#include "ui/views/camera_grid.h"
#include "ui/views/scene_view.h"

namespace vantage::ui {

ViewWindow::ViewWindow(const QString& title, QWidget* view, QWidget* main) : QWidget(main, Qt::Window) {
  setWindowTitle(title);
  setAccessibleName(title);
  auto* all = new QVBoxLayout(this);
  all->setContentsMargins(0, 0, 0, 0);
  all->addWidget(view);
  for (QAction* command : main->findChildren<QAction*>(QString(), Qt::FindDirectChildrenOnly))
    if (!command->shortcuts().isEmpty()) addAction(command);
}

void ViewWindow::closeEvent(QCloseEvent* event) {
  event->ignore();
  emit closed();
}

namespace {

constexpr double kShareOfScreen = 0.6;  // of a window that fills none

int screen_index(const QWidget* window) {
  return static_cast<int>(QGuiApplication::screens().indexOf(window->screen()));
}

}  // namespace

int next_screen(int count, int main, const std::vector<int>& taken, int from) {
  int second_best = -1;
  for (int i = 1; i <= count; ++i) {
    const int screen = (std::max(0, from) + i) % count;
    if (screen == main) continue;
    if (std::find(taken.begin(), taken.end(), screen) == taken.end()) return screen;
    if (second_best < 0) second_best = screen;
  }
  return second_best;
}

ScreensControl::View ScreensControl::make_view(QWidget* view, const char* key, const QString& title,
                                               const ActionSpec& spec) {
  QAction* action = add_action(
      spec, {Menu::layout},
      [this, view](bool apart) {
        for (View& one : views_)
          if (one.view == view) set_apart(one, apart);
      },
      needs_project);
  return {view, key, title, action, nullptr, false};
}

ScreensControl::ScreensControl(const WindowParts& parts)
    : Control(parts),
      views_{
          make_view(
              parts.cameras, "screens/cameras", tr("Vantage: cameras"),
              {"cameras_apart", "Cameras on A&nother Screen", "Ctrl+Shift+1",
               "Give the cameras a window of their own; it fills another screen where there is one", true}),
          make_view(
              parts.scene, "screens/scene", tr("Vantage: scene"),
              {"scene_apart", "Scene on An&other Screen", "Ctrl+Shift+2",
               "Give the scene or the plan a window of its own; it fills another screen where there is one",
               true})} {
  add_action(
      {"next_screen", "Ne&xt Screen", "Ctrl+Shift+3",
       "Move the views that have left the window to the next screen"},
      {Menu::layout}, [this] { go_to_next_screen(); },
      [this] {
        const bool apart =
            std::any_of(views_.begin(), views_.end(), [](const View& one) { return one.window; });
        return unmet({{apart, tr("Put the cameras or the scene on another screen first.")},
                      {QGuiApplication::screens().size() > 2, tr("There is no further screen.")}});
      });
  QAction* wall = add_switch(
      {"wall", "&Wall that Follows", "Ctrl+5",
       "While a person is followed, show the camera that sees them best large and the others small"},
      {Menu::layout, nullptr, true}, [this](bool on) { this->parts().cameras->set_wall(on); },
      [this] {
        return unmet({{project().calibrated(),
                       tr("To find the camera that sees a person best, calibrate the cameras first.")}});
      });
  keep_switch(wall, "wall", false);
  parts.workspace->installEventFilter(this);
  connect(qGuiApp, &QGuiApplication::screenAdded, this, &ScreensControl::update_availability);
  connect(qGuiApp, &QGuiApplication::screenRemoved, this, &ScreensControl::leave_screen);
}

ViewWindow* ScreensControl::window_of(const QWidget* view) const {
  const auto found =
      std::find_if(views_.begin(), views_.end(), [&](const View& one) { return one.view == view; });
  return found == views_.end() ? nullptr : found->window;
}

void ScreensControl::set_apart(View& view, bool apart) {
  apart ? take_out(view, free_place(view)) : bring_back(view);
  update_availability();
}

// A screen that neither the main window nor the other view is on.
ScreensControl::Place ScreensControl::free_place(const View& view) const {
  std::vector<int> taken;
  for (const View& other : views_)
    if (other.window && other.view != view.view) taken.push_back(screen_index(other.window));
  const QList<QScreen*> screens = QGuiApplication::screens();
  const int main = screen_index(parts().window);
  const int chosen = next_screen(static_cast<int>(screens.size()), main, taken,
                                 view.window ? screen_index(view.window) : main);
  return chosen < 0 ? Place{} : Place{screens[chosen]->name(), true, {}};
}

void ScreensControl::take_out(View& view, const Place& place) {
  const QList<QScreen*> screens = QGuiApplication::screens();
  const auto found = std::find_if(screens.begin(), screens.end(),
                                  [&](const QScreen* one) { return one->name() == place.screen; });
  QScreen* screen = found == screens.end() ? parts().window->screen() : *found;
  if (!view.window) {
    parts().workspace->set_apart(view.view, true);
    view.window = new ViewWindow(view.title, view.view, parts().window);
    view.view->show();
    connect(view.window, &ViewWindow::closed, view.action, &QAction::trigger);
  } else {
    view.window->hide();
  }
  view.fills = place.fills;
  const QRect area = screen->availableGeometry();
  QRect window(QPoint(), area.size() * kShareOfScreen);
  window.moveCenter(area.center());
  view.window->setScreen(screen);
  if (place.geometry.isEmpty() || !view.window->restoreGeometry(place.geometry))
    view.window->setGeometry(place.fills ? screen->geometry() : window);
  view.action->setChecked(true);
  if (parts().workspace->isVisible()) show_window(view);
}

void ScreensControl::show_window(const View& view) const {
  view.fills ? view.window->showFullScreen() : view.window->show();
}

void ScreensControl::bring_back(View& view) {
  if (!view.window) return;
  view.window->hide();
  parts().workspace->set_apart(view.view, false);
  view.window->deleteLater();  // it may be the one that was closed
  view.window = nullptr;
  view.action->setChecked(false);
}

void ScreensControl::go_to_next_screen() {
  for (View& view : views_)
    if (view.window) take_out(view, free_place(view));
}

// Before Qt puts what was on it elsewhere.
void ScreensControl::leave_screen(const QScreen* gone) {
  for (View& view : views_)
    if (view.window && view.window->screen() == gone) bring_back(view);
  update_availability();
}

// The windows show an open project, and are seen with its page alone.
bool ScreensControl::eventFilter(QObject* watched, QEvent* event) {
  if (watched == parts().workspace && !event->spontaneous())
    for (const View& view : views_) {
      if (view.window && event->type() == QEvent::Show) show_window(view);
      if (view.window && event->type() == QEvent::Hide) view.window->hide();
    }
  return Control::eventFilter(watched, event);
}

// What was on a screen that is not there now stays in the main window.
void ScreensControl::restore(const QSettings& settings) {
  Control::restore(settings);
  for (View& view : views_) {
    const QStringList kept = settings.value(view.key).toStringList();
    const QList<QScreen*> screens = QGuiApplication::screens();
    const bool there =
        kept.size() == 3 && std::any_of(screens.begin(), screens.end(),
                                        [&](const QScreen* one) { return one->name() == kept[0]; });
    bring_back(view);
    if (there) take_out(view, {kept[0], kept[1] == "fills", QByteArray::fromBase64(kept[2].toLatin1())});
  }
}

void ScreensControl::save(QSettings& settings) const {
  Control::save(settings);
  for (const View& view : views_) {
    if (!view.window) {
      settings.remove(view.key);
      continue;
    }
    settings.setValue(view.key, QStringList{view.window->screen()->name(), view.fills ? "fills" : "window",
                                            QString::fromLatin1(view.window->saveGeometry().toBase64())});
  }
}

}  // namespace vantage::ui
