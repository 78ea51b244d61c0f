#include "ui/main_window/window_menus.h"

#include <QActionGroup>
#include <QCoreApplication>
#include <QMainWindow>
#include <QMenuBar>

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

void build_file_menu(QMenuBar* bar, const WindowActions& a, const Open& open) {
  QMenu* file = filled(bar->addMenu(menu_tr("&File")), {a.new_project, a.add_camera, a.open});
  add_recent_menu(file, open);
  filled(file, {a.demonstration, a.save, a.save_as});
  filled(file->addMenu(menu_tr("&Export")),
         {a.export_results, a.export_counts, a.export_picture, a.export_calibration});
  filled(file, {a.serve, nullptr, a.close, a.quit});
}

void build_edit_menu(QMenuBar* bar, const WindowActions& a) {
  QMenu* edit = filled(bar->addMenu(menu_tr("&Edit")),
                       {a.undo, a.redo, nullptr, a.copy_picture, a.copy_command, nullptr});
  filled(edit->addMenu(menu_tr("&People")), {a.next_person, a.previous_person, a.follow_person, a.join_people,
                                             a.split_person, a.swap_people, a.delete_person});
  filled(edit, {nullptr, a.preferences});
}

void build_view_menu(QMenuBar* bar, const WindowActions& a) {
  QMenu* view = filled(bar->addMenu(menu_tr("&View")), {});
  const auto add = [view](const QString& title, const std::vector<QAction*>& actions) {
    return filled(view->addMenu(title), actions);
  };
  add(menu_tr("&Overlays"), {a.foreground, a.people, a.people_style, a.trails, a.volume,   a.color_by_person,
                             a.floor_map,  a.heads,  a.detections,   a.cut,    a.cut_turn, a.cut_higher,
                             a.cut_lower,  a.region, a.coverage,     a.shapes, a.box,      a.figure,
                             a.details,    a.flow,   a.flow_arrows,  a.heights});
  std::vector<QAction*> cameras = {a.all_cameras};
  cameras.insert(cameras.end(), a.cameras.begin(), a.cameras.end());
  add(menu_tr("&Cameras"), cameras);
  add(menu_tr("&Docks"), {a.people_dock, a.floor_dock, a.trackers_dock, a.parameters, a.checks, a.timings,
                          a.log, a.synchronisation, a.health, a.events});
  make_exclusive(
      add(menu_tr("&Layout"), {a.layout_both, a.layout_cameras, a.layout_scene, a.layout_height_map}));
  make_exclusive(add(menu_tr("&Theme"), {a.theme_system, a.theme_light, a.theme_dark}));
  view->addAction(a.full_screen);
}

}  // namespace

void build_menus(QMainWindow& window, const WindowActions& a, Open open) {
  QMenuBar* bar = window.menuBar();
  build_file_menu(bar, a, open);
  build_edit_menu(bar, a);
  build_view_menu(bar, a);
  filled(bar->addMenu(menu_tr("&Playback")),
         {a.play, a.backwards, a.pause, a.forwards, nullptr, a.step_back, a.step_forward, a.second_back,
          a.second_forward, a.first, a.last, a.next_event, nullptr, a.mark_in, a.mark_out, a.clear_range});
  filled(bar->addMenu(menu_tr("&Analysis")),
         {a.check, a.find_offsets, a.apply_offset, a.dismiss_offset, nullptr, a.analyse_range, a.analyse_all,
          a.analyse_while_playing, a.record, nullptr, a.compare_trackers, a.draw_trackers, a.load_truth,
          nullptr, a.stop});
  filled(bar->addMenu(menu_tr("&Scene")), {a.top, a.reset_scene, nullptr, a.region, a.edit_region, a.box,
                                           a.edit_numbers, a.figure, a.why_nobody, nullptr, a.draw_zone,
                                           a.draw_line, a.move_corners, a.delete_shape, a.learn_entrances});
  filled(bar->addMenu(menu_tr("&Help")), {a.first_steps, a.shortcuts, nullptr, a.report_problem, a.about});
}

}  // namespace vantage::ui
