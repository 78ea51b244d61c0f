#include "ui/main_window/window_actions.h"

#include <QCoreApplication>

namespace vantage::ui {
namespace {

struct TableRow {
  QAction* WindowActions::* slot;
  ActionSpec spec;
};

using W = WindowActions;
constexpr TableRow kTable[] = {
    {&W::new_project,
     {"new_project", "&New Project…", "Ctrl+N", "Make a project from videos and their calibration"}},
    {&W::add_camera,
     {"add_camera", "Add &Camera…", "Ctrl+Shift+N",
      "Add a live camera to the project, or start a project with it"}},
    {&W::open, {"open", "&Open…", "Ctrl+O", "Open a project file"}},
    {&W::demonstration,
     {"demonstration", "Open &Demonstration", "Ctrl+D", "Open the demonstration and play it"}},
    {&W::save, {"save", "&Save", "Ctrl+S", "Save the project"}},
    {&W::save_as, {"save_as", "Save &As…", "Ctrl+Shift+S", "Save the project to another file"}},
    {&W::export_results,
     {"export_results", "&Results…", "Ctrl+Shift+E", "Write the results to another folder"}},
    {&W::export_picture,
     {"export_picture", "&Picture…", "Ctrl+E", "Write what the views show to a PNG file"}},
    {&W::export_calibration,
     {"export_calibration", "&Calibration…", "Ctrl+Alt+E", "Write the cameras' calibration to a JSON file"}},
    {&W::serve,
     {"serve", "Ser&ve Results…", "Ctrl+Shift+H", "Let other programs read the project's results over HTTP"}},
    {&W::close, {"close", "&Close Project", "Ctrl+W", "Close the project"}},
    {&W::quit, {"quit", "&Quit", "Ctrl+Q", "Quit Vantage"}},
    {&W::undo, {"undo", "&Undo", "Ctrl+Z", "Undo the last change"}},
    {&W::redo, {"redo", "&Redo", "Ctrl+Shift+Z Ctrl+Y", "Redo the last undone change"}},
    {&W::copy_picture, {"copy_picture", "&Copy Picture", "Ctrl+Shift+C", "Copy what the views show"}},
    {&W::copy_command,
     {"copy_command", "Copy as Co&mmand", "Ctrl+Alt+C",
      "Copy the vantage-cli command that runs this analysis"}},
    {&W::preferences,
     {"preferences", "Pre&ferences…", "Ctrl+,",
      "Theme, memory and other settings of the program, not of a project"}},
    {&W::foreground,
     {"foreground", "&Foreground", "F", "Show what differs from the empty scene (hold X for bare footage)",
      true}},
    {&W::people, {"people", "&People", "P", "Show where people are, with their IDs", true}},
    {&W::people_style,
     {"people_style", "People as Box, Ri&ng or ID", "Shift+P",
      "Mark people by a box, a ring on the floor, or their ID alone"}},
    {&W::trails, {"trails", "&Trails", "T", "Show where people walked in the last seconds", true}},
    {&W::volume, {"volume", "&Volume", "V", "Show the carved volume in the scene", true}},
    {&W::color_by_person,
     {"color_by_person", "&Colour by Person", "Shift+V", "Colour the volume by person; off: by height",
      true}},
    {&W::floor_map,
     {"floor_map", "Floor &Map", "G", "Show the occupied volume above each cell of the floor", true}},
    {&W::heads, {"heads", "&Heads", "H", "Show the heads found in each picture", true}},
    {&W::detections,
     {"detections", "D&etections", "Shift+D", "Show the people detected in each picture, with their scores",
      true}},
    {&W::why_nobody,
     {"why_nobody", "Why &Is Nobody Here?", "?",
      "Say what each camera sees at the position under the pointer, and why nobody was found there"}},
    {&W::heights,
     {"heights", "Hei&ght Map", "Shift+H",
      "Show the height map over its camera's picture, coloured by the height of heads", true}},
    {&W::cut, {"cut", "Sl&ice Plane", "U", "Show the confidence on a slice through the volume", true}},
    {&W::cut_turn,
     {"cut_turn", "Turn Sli&ce", "Shift+U", "Slice horizontally, then across x, then across y"}},
    {&W::cut_higher,
     {"cut_higher", "Move Slice &Up", "Shift+Up", "Move the slice by 10 cm, up or along its axis"}},
    {&W::cut_lower,
     {"cut_lower", "Move Slice Do&wn", "Shift+Down", "Move the slice back by 10 cm, down or along its axis"}},
    {&W::region, {"region", "&Region", "R", "Show the region of the floor that is analysed", true}},
    {&W::coverage, {"coverage", "C&overage", "C", "Show how many cameras see each part of the floor", true}},
    {&W::figure,
     {"figure", "&Standing Figure", "S", "Show a person 1.75 m tall where the pointer is on the floor",
      true}},
    {&W::details, {"details", "&Details", "D", "Show offsets and the frame's timings in the corners", true}},
    {&W::flow, {"flow", "Optical Flo&w", "W", "Show how every pixel moved since the previous frame", true}},
    {&W::flow_arrows,
     {"flow_arrows", "Flow &Arrows", "Shift+W",
      "Draw the flow as arrows too: none, or every 8, 16, 32 or 64 px"}},
    {&W::box,
     {"box", "&Box", "B", "Show a box to compare with something of known size, to check the calibration",
      true}},
    {&W::edit_region,
     {"edit_region", "&Edit Region", "Shift+R",
      "Move and resize the region that is analysed, in the scene or by numbers", true}},
    {&W::edit_numbers,
     {"edit_numbers", "By N&umbers", "Shift+B", "Set the box or the region by numbers", true}},
    {&W::shapes, {"shapes", "&Zones and Lines", "Z", "Show the zones and lines drawn on the floor", true}},
    {&W::all_cameras, {"all_cameras", "&All Cameras", "0", "Show all cameras"}},
    {&W::checks, {"checks", "&Checks", "F7", "Show what the checks found", true}},
    {&W::layout_both,
     {"layout_both", "Cameras and &Scene", "Ctrl+1", "Show cameras and scene side by side", true}},
    {&W::layout_cameras, {"layout_cameras", "&Cameras Only", "Ctrl+2", "Show only the cameras", true}},
    {&W::layout_scene, {"layout_scene", "S&cene Only", "Ctrl+3", "Show only the scene", true}},
    {&W::layout_height_map,
     {"layout_height_map", "&Height Map", "Ctrl+4", "Show and tune the height map of the current frame",
      true}},
    {&W::theme_system,
     {"theme_system", "Follow S&ystem", "Ctrl+Alt+1", "Light or dark like the system", true}},
    {&W::theme_light, {"theme_light", "&Light", "Ctrl+Alt+2", "Light colours", true}},
    {&W::theme_dark, {"theme_dark", "&Dark", "Ctrl+Alt+3", "Dark colours", true}},
    {&W::full_screen, {"full_screen", "&Full Screen", "F11", "Fill the screen", true}},
    {&W::play, {"play", "&Play or Pause", "Space", "Play or pause"}},
    {&W::backwards,
     {"backwards", "Play &Backwards", "J", "Play backwards; again: faster. With K held: one frame back"}},
    {&W::pause, {"pause", "Pa&use", "K", "Pause"}},
    {&W::forwards,
     {"forwards", "Play For&wards", "L", "Play forwards; again: faster. With K held: one frame forward"}},
    {&W::step_back, {"step_back", "P&revious Frame", ", Left", "One frame back"}},
    {&W::step_forward, {"step_forward", "&Next Frame", ". Right", "One frame forward"}},
    {&W::second_back, {"second_back", "One Second Bac&k", "Shift+Left", "One second back"}},
    {&W::second_forward, {"second_forward", "One Secon&d Forward", "Shift+Right", "One second forward"}},
    {&W::first, {"first", "&First Frame", "Home", "Go to the first frame"}},
    {&W::last, {"last", "&Last Frame", "End", "Go to the last frame"}},
    {&W::mark_in, {"mark_in", "Mark &In", "I", "Start the range at this frame"}},
    {&W::mark_out, {"mark_out", "Mark &Out", "O", "End the range at this frame"}},
    {&W::clear_range, {"clear_range", "&Clear Range", "Ctrl+Shift+I", "Clear the marked range"}},
    {&W::check,
     {"check", "&Check", "Ctrl+F7", "Check videos, foreground, calibration, disk and time on a few frames"}},
    {&W::find_offsets,
     {"find_offsets", "Find &Offsets", "Ctrl+F12", "Find from the pictures when each camera started"}},
    {&W::analyse_range,
     {"analyse_range", "Analyse &Range", "Ctrl+R", "Analyse the marked range", false, "Analyse"}},
    {&W::analyse_all, {"analyse_all", "Analyse &All", "Ctrl+Shift+R", "Analyse every frame"}},
    {&W::analyse_while_playing,
     {"analyse_while_playing", "Analyse While &Playing", "Ctrl+Shift+P",
      "Analyse frames while they play; off: pictures only", true}},
    {&W::record,
     {"record", "R&ecord", "Ctrl+Alt+R",
      "Record the live cameras with the results, beside the project, until pressed again", true}},
    {&W::stop,
     {"stop", "&Stop", "Esc", "Stop the analysis (results so far are kept), following a person, or drawing"}},
    {&W::top, {"top", "From &Top", "M", "Look at the scene from above, as a map", true}},
    {&W::reset_scene, {"reset_scene", "&Reset View", "Ctrl+0", "Show the whole scene again"}},
    {&W::first_steps, {"first_steps", "&First Steps", "Ctrl+F1", "Five steps to get started"}},
    {&W::shortcuts, {"shortcuts", "&Shortcuts", "F1", "List every shortcut"}},
    {&W::report_problem,
     {"report_problem", "&Report a Problem…", "Ctrl+Alt+F1",
      "Save a report about the program and this machine"}},
    {&W::about, {"about", "&About Vantage", "Shift+F1", "Version and licence"}},
};

QString tr(const char* text) {
  return QCoreApplication::translate("WindowActions", text);
}

bool without_modifier(const QKeySequence& keys) {
  const QKeyCombination key = keys[0];
  const bool function_key = key.key() >= Qt::Key_F1 && key.key() <= Qt::Key_F35;
  return !(key.keyboardModifiers() & (Qt::ControlModifier | Qt::AltModifier)) && !function_key &&
         key.key() != Qt::Key_Escape;
}

}  // namespace

QString tooltip_of(const QAction& action) {
  const QString tip = action.property("tip").toString();
  const QString key = action.shortcut().toString(QKeySequence::NativeText);
  return key.isEmpty() ? tip : QStringLiteral("%1 (%2)").arg(tip, key);
}

void set_available(QAction* action, bool available, const QString& reason) {
  action->setEnabled(available);
  action->setToolTip(available ? tooltip_of(*action) : tooltip_of(*action) + QStringLiteral("\n") + reason);
}

QAction* add_action(WindowActions& actions, const ActionSpec& spec, QObject* parent) {
  auto* action = new QAction(tr(spec.text), parent);
  QList<QKeySequence> keys;
  for (const QString& key : QString(spec.keys).split(' ')) keys << QKeySequence(key);
  action->setObjectName(spec.name);
  action->setShortcuts(keys);
  action->setCheckable(spec.checkable);
  action->setAutoRepeat(false);
  action->setProperty("tip", tr(spec.tip));
  action->setToolTip(tooltip_of(*action));
  if (spec.on_button) action->setIconText(tr(spec.on_button));
  actions.all.push_back(action);
  if (without_modifier(keys.front())) {
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    actions.in_views.push_back(action);
  }
  return action;
}

WindowActions make_actions(QObject* parent) {
  WindowActions actions{};
  for (const TableRow& row : kTable) actions.*row.slot = add_action(actions, row.spec, parent);
  // Holding a key repeats only what moves the playhead.
  for (QAction* action :
       {actions.step_back, actions.step_forward, actions.second_back, actions.second_forward})
    action->setAutoRepeat(true);
  for (size_t i = 0; i < actions.cameras.size(); ++i) {
    const QByteArray number = QByteArray::number(static_cast<int>(i) + 1);
    const QByteArray name = "camera_" + number, text = "Camera " + number;
    actions.cameras[i] = add_action(actions, {name, text, number, "Show this camera alone"}, parent);
  }
  actions.quit->setMenuRole(QAction::QuitRole);
  actions.preferences->setMenuRole(QAction::PreferencesRole);
  actions.about->setMenuRole(QAction::AboutRole);
  return actions;
}

}  // namespace vantage::ui
