// The window's commands: text, keys, what each does. Controls add theirs (Control::add_action()); the others
// are made from one table. A command that cannot be given now is disabled and says why in its tooltip.
#pragma once

#include <QAction>
#include <array>
#include <vector>

namespace vantage::ui {

struct ActionSpec {
  const char* name;
  const char* text;
  const char* keys;  // separated by a space; the first is shown
  const char* tip;
  bool checkable = false;
  const char* on_button = nullptr;  // null: the text
};

struct WindowActions {
  QAction *new_project, *add_camera, *open, *demonstration, *save, *save_as, *export_results, *export_picture,
      *export_calibration, *serve, *close, *quit;
  QAction *undo, *redo, *copy_picture, *copy_command, *preferences;
  QAction *foreground, *people, *people_style, *trails, *volume, *color_by_person, *floor_map, *heads,
      *detections, *why_nobody, *heights, *region, *coverage, *figure, *details, *flow, *flow_arrows, *cut,
      *cut_turn, *cut_higher, *cut_lower;
  QAction* shapes;
  QAction *box, *edit_region, *edit_numbers;
  QAction *all_cameras, *checks, *layout_both, *layout_cameras, *layout_scene, *layout_height_map;
  QAction *theme_system, *theme_light, *theme_dark, *full_screen;
  QAction *play, *backwards, *pause, *forwards, *step_back, *step_forward, *second_back, *second_forward,
      *first, *last;
  QAction *mark_in, *mark_out, *clear_range;
  QAction *check, *find_offsets, *analyse_range, *analyse_all, *analyse_while_playing, *record, *stop;
  QAction *top, *reset_scene;
  QAction *first_steps, *shortcuts, *report_problem, *about;
  std::array<QAction*, 9> cameras;

  std::vector<QAction*> all;
  std::vector<QAction*>
      in_views;  // keys without a modifier: act only where the views or the timeline have the focus
};

WindowActions make_actions(QObject* parent);
// Kept in `actions`; belongs to `parent`.
QAction* add_action(WindowActions& actions, const ActionSpec& spec, QObject* parent);

// Enabled, or disabled with the reason ("Open a project first.") in the tooltip.
void set_available(QAction* action, bool available, const QString& reason);
// "Play (Space)": what the tooltip shows while the action is enabled.
QString tooltip_of(const QAction& action);

}  // namespace vantage::ui
