#include "ui/main_window/window_menus.h"

#include <QActionGroup>
#include <QCoreApplication>
#include <QMainWindow>
#include <QMenuBar>
#include <algorithm>
#include <iterator>

#include "ui/main_window/recent_projects.h"

namespace vantage::ui {
namespace {

QString menu_tr(const char* text) {
  return QCoreApplication::translate("MainWindow", text);
}

using Open = std::function<void(const QString& file)>;

// A null action is a separator.
QMenu* filled(QMenu* menu, const std::vector<QAction*>& actions) {
  menu->setToolTipsVisible(true);
  for (QAction* action : actions) {
    if (action)
      menu->addAction(action);
    else
      menu->addSeparator();
  }
  return menu;
}

// Of which one is chosen.
void make_exclusive(QMenu* menu) {
  auto* group = new QActionGroup(menu);
  for (QAction* action : menu->actions()) group->addAction(action);
}

void add_recent_menu(QMenu* file, const Open& open) {
  QMenu* recent = filled(file->addMenu(menu_tr("Open &Recent")), {});
  QObject::connect(file, &QMenu::aboutToShow, recent,
                   [recent] { recent->menuAction()->setEnabled(!recent_projects().isEmpty()); });
  QObject::connect(recent, &QMenu::aboutToShow, recent, [recent, open] {
    recent->clear();
    for (const QString& path : recent_projects()) {
      QAction* action =
          recent->addAction(QString(path).replace("&", "&&"), recent, [open, path] { open(path); });
      action->setToolTip(menu_tr("Open %1").arg(path));
    }
  });
}

}  // namespace

WindowMenus::WindowMenus(QMainWindow& window, const WindowActions& a, Open open) : QObject(&window) {
  QMenuBar* bar = window.menuBar();
  build_file_menu(bar, a, open);
  build_edit_menu(bar, a);
  build_view_menu(bar, a);
  of(Menu::playback) =
      filled(bar->addMenu(menu_tr("&Playback")),
             {a.play, a.backwards, a.pause, a.forwards, nullptr, a.step_back, a.step_forward, a.second_back,
              a.second_forward, a.first, a.last, nullptr, a.mark_in, a.mark_out, a.clear_range});
  of(Menu::analysis) = filled(bar->addMenu(menu_tr("&Analysis")),
                              {a.check, a.find_offsets, nullptr, a.analyse_range, a.analyse_all,
                               a.analyse_while_playing, a.record, nullptr, a.stop});
  of(Menu::scene) =
      filled(bar->addMenu(menu_tr("&Scene")), {a.top, a.reset_scene, nullptr, a.region, a.edit_region, a.box,
                                               a.edit_numbers, a.figure, a.why_nobody});
  filled(bar->addMenu(menu_tr("&Help")), {a.first_steps, a.shortcuts, nullptr, a.report_problem, a.about});
}

void WindowMenus::build_file_menu(QMenuBar* bar, const WindowActions& a, const Open& open) {
  QMenu* file = filled(bar->addMenu(tr("&File")), {a.new_project, a.add_camera, a.open});
  add_recent_menu(file, open);
  filled(file, {a.demonstration, a.save, a.save_as});
  of(Menu::file_export) =
      filled(file->addMenu(tr("&Export")), {a.export_results, a.export_picture, a.export_calibration});
  filled(file, {a.serve, nullptr, a.close, a.quit});
}

void WindowMenus::build_edit_menu(QMenuBar* bar, const WindowActions& a) {
  QMenu* edit =
      filled(bar->addMenu(tr("&Edit")), {a.undo, a.redo, nullptr, a.copy_picture, a.copy_command, nullptr});
  of(Menu::edit_people) = filled(edit->addMenu(tr("&People")), {});
  filled(edit, {nullptr, a.preferences});
}

void WindowMenus::build_view_menu(QMenuBar* bar, const WindowActions& a) {
  QMenu* view = filled(bar->addMenu(tr("&View")), {});
  const auto add = [view](const QString& title, const std::vector<QAction*>& actions) {
    return filled(view->addMenu(title), actions);
  };
  add(tr("&Overlays"), {a.foreground, a.people, a.people_style, a.trails, a.volume,   a.color_by_person,
                        a.floor_map,  a.heads,  a.detections,   a.cut,    a.cut_turn, a.cut_higher,
                        a.cut_lower,  a.region, a.coverage,     a.shapes, a.box,      a.figure,
                        a.details,    a.flow,   a.flow_arrows,  a.heights});
  std::vector<QAction*> cameras = {a.all_cameras};
  cameras.insert(cameras.end(), a.cameras.begin(), a.cameras.end());
  add(tr("&Cameras"), cameras);
  of(Menu::docks) = add(tr("&Docks"), {});
  this->add(a.checks, {Menu::docks, "parameters"});
  make_exclusive(add(tr("&Layout"), {a.layout_both, a.layout_cameras, a.layout_scene, a.layout_height_map}));
  make_exclusive(add(tr("&Theme"), {a.theme_system, a.theme_light, a.theme_dark}));
  view->addAction(a.full_screen);
}

void WindowMenus::add(QAction* action, const MenuPlace& place) {
  waiting_.push_back({action, place});
  while (add_waiting()) {
  }
}

// One that can stand where it belongs, because what is above it is there.
bool WindowMenus::add_waiting() {
  for (auto one = waiting_.begin(); one != waiting_.end(); ++one) {
    const QList<QAction*> there = of(one->place.menu)->actions();
    const auto above = std::find_if(there.begin(), there.end(), [&](const QAction* other) {
      return one->place.after && other->objectName() == QLatin1String(one->place.after);
    });
    if (one->place.after && above == there.end()) continue;
    QAction* below = above == there.end() || std::next(above) == there.end() ? nullptr : *std::next(above);
    if (one->place.separated) of(one->place.menu)->insertSeparator(below);
    of(one->place.menu)->insertAction(below, one->action);
    waiting_.erase(one);
    return true;
  }
  return false;
}

}  // namespace vantage::ui
