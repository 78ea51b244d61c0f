#include "ui/main_window/boxes/box_control.h"

#include <QEvent>
#include <algorithm>
#include <cmath>

#include "core/display/box_handles.h"
#include "core/display/world_lines.h"
#include "ui/main_window/overlay_control.h"
#include "ui/views/box_editor.h"
#include "ui/views/camera_grid.h"
#include "ui/views/scene_view.h"

namespace vantage::ui {
namespace {

constexpr double kFine_m = 0.001, kCoarse_m = 0.01, kFine_deg = 0.1, kCoarse_deg = 1;

struct Nudge {
  ActionSpec spec;
  Eigen::Vector3d own_m;
  double turn_degrees;
};

}  // namespace

BoxControl::Actions BoxControl::make_actions() {
  return {
      .box = add_action({"box", "&Box", "B",
                         "Show a box to lay over a thing of known size, to check the calibration; its "
                         "handles are dragged in any view",
                         true},
                        {Menu::overlays, "coverage"}),
      .edit_region =
          add_action({"edit_region", "&Edit Region", "Shift+R",
                      "Move and resize the region that is analysed, in any view or by numbers", true},
                     {Menu::scene, "region"}),
      .edit_numbers =
          add_action({"edit_numbers", "By N&umbers", "Shift+B", "Set the box or the region by numbers", true},
                     {Menu::scene, "box"}),
      .nudges = make_nudges(),
  };
}

// Along the box's own axes, which are the same in every picture.
std::vector<QAction*> BoxControl::make_nudges() {
  const Eigen::Vector3d x(1, 0, 0), y(0, 1, 0), z(0, 0, 1), none(0, 0, 0);
  const Nudge kNudges[] = {
      {{"nudge_x_up", "&Forwards", "Alt+Right", "Move the box by 1 mm along its length"}, kFine_m * x, 0},
      {{"nudge_x_down", "&Backwards", "Alt+Left", "Move the box back by 1 mm along its length"},
       -kFine_m * x,
       0},
      {{"nudge_y_up", "&Sideways", "Alt+Up", "Move the box by 1 mm along its width"}, kFine_m * y, 0},
      {{"nudge_y_down", "Sideways B&ack", "Alt+Down", "Move the box back by 1 mm along its width"},
       -kFine_m * y,
       0},
      {{"nudge_z_up", "&Up", "Alt+PgUp", "Raise the box by 1 mm"}, kFine_m * z, 0},
      {{"nudge_z_down", "&Down", "Alt+PgDown", "Lower the box by 1 mm"}, -kFine_m * z, 0},
      {{"nudge_turn_left", "&Turn Left", "Alt+Home", "Turn the box by 0.1° counter-clockwise"},
       none,
       kFine_deg},
      {{"nudge_turn_right", "Turn &Right", "Alt+End", "Turn the box by 0.1° clockwise"}, none, -kFine_deg},
      {{"push_x_up", "Forwards, 1 cm", "Alt+Shift+Right", "Move the box by 1 cm along its length"},
       kCoarse_m * x,
       0},
      {{"push_x_down", "Backwards, 1 cm", "Alt+Shift+Left", "Move the box back by 1 cm along its length"},
       -kCoarse_m * x,
       0},
      {{"push_y_up", "Sideways, 1 cm", "Alt+Shift+Up", "Move the box by 1 cm along its width"},
       kCoarse_m * y,
       0},
      {{"push_y_down", "Sideways Back, 1 cm", "Alt+Shift+Down", "Move the box back by 1 cm along its width"},
       -kCoarse_m * y,
       0},
      {{"push_z_up", "Up, 1 cm", "Alt+Shift+PgUp", "Raise the box by 1 cm"}, kCoarse_m * z, 0},
      {{"push_z_down", "Down, 1 cm", "Alt+Shift+PgDown", "Lower the box by 1 cm"}, -kCoarse_m * z, 0},
      {{"push_turn_left", "Turn Left, 1°", "Alt+Shift+Home", "Turn the box by 1° counter-clockwise"},
       none,
       kCoarse_deg},
      {{"push_turn_right", "Turn Right, 1°", "Alt+Shift+End", "Turn the box by 1° clockwise"},
       none,
       -kCoarse_deg},
  };
  std::vector<QAction*> actions;
  for (const Nudge& one : kNudges)
    actions.push_back(add_action(one.spec, {Menu::nudge},
                                 [this, own_m = one.own_m, turn = one.turn_degrees] { nudge(own_m, turn); }));
  return actions;
}

BoxControl::BoxControl(const WindowParts& parts)
    : Control(parts), actions_(make_actions()), editor_(new BoxEditor(parts.scene)) {
  parts.menus->place(actions_.box, {Menu::scene, "edit_region"});
  editor_->hide();
  const auto& a = actions_;
  connect(a.box, &QAction::toggled, this, &BoxControl::toggle_box);
  connect(a.edit_region, &QAction::toggled, this, &BoxControl::edit_region);
  connect(a.edit_numbers, &QAction::toggled, this, &BoxControl::edit_by_numbers);
  connect(editor_, &BoxEditor::edited, this, &BoxControl::on_edited);
  connect(editor_, &BoxEditor::closed, a.edit_numbers, [this] { actions_.edit_numbers->setChecked(false); });
  connect_views();
}

void BoxControl::connect_views() {
  for (BoxGizmo* gizmo : gizmos()) {
    connect(gizmo, &BoxGizmo::taken, this, &Control::availability_changed);
    connect(gizmo, &BoxGizmo::edited, this, &BoxControl::on_dragged);
    connect(gizmo, &BoxGizmo::given_up, this, [this] {
      dragged_.reset();
      show();
      emit availability_changed();
    });
  }
  parts().scene->installEventFilter(this);
  parts().cameras->installEventFilter(this);
}

std::vector<BoxGizmo*> BoxControl::gizmos() const {
  return {parts().cameras->gizmo(), parts().scene->gizmo()};
}

bool BoxControl::held() const {
  const std::vector<BoxGizmo*> all = gizmos();
  return std::any_of(all.begin(), all.end(), [](const BoxGizmo* gizmo) { return gizmo->held(); });
}

void BoxControl::stop() {
  for (BoxGizmo* gizmo : gizmos()) gizmo->give_up();
}

// ---- project and results

void BoxControl::refresh(Changes what) {
  if (what.testFlag(Change::project) && state().open()) take_project();
  // A first frame says what region was fitted to the cameras.
  if (!what.testFlag(Change::frame) || grid_ || !parts().overlays->grid()) return;
  take_project();
  update_availability();
}

void BoxControl::take_project() {
  dragged_.reset();
  grid_ = parts().overlays->grid();
  show();
}

void BoxControl::forget() {
  stop();
  grid_.reset();
  dragged_.reset();
  actions_.edit_region->setChecked(false);
  actions_.edit_numbers->setChecked(false);
  show();
}

void BoxControl::update_availability() {
  const auto& a = actions_;
  const bool calibrated = project().calibrated(), shown = a.box->isChecked();
  const QString uncalibrated = tr("3-D and people need a calibration.");
  enable(a.box, calibrated, uncalibrated);
  enable(a.edit_region, calibrated && grid_.has_value(),
         calibrated ? tr("The region is being fitted to the cameras.") : uncalibrated);
  enable(a.edit_numbers, shown || editing_region(), tr("Show the box (B) or edit the region first."));
  for (QAction* nudge : a.nudges)
    enable(nudge, calibrated && shown && !editing_region(), tr("Show the box (B) first."));
}

// ---- what is shown

bool BoxControl::editing_region() const {
  return actions_.edit_region->isChecked();
}

double BoxControl::voxel_m() const {
  return grid_ ? grid_->voxel_size_m : kDefaultVoxelSize_m;
}

// In the middle of what is analysed, as large as a person.
UprightBox BoxControl::first_box() const {
  UprightBox box;
  box.size_m = {0.5, 0.5, kStandingFigure_m};
  if (grid_) box.base_in_world_m.head<2>() = box_of_grid(*grid_).base_in_world_m.head<2>();
  return box;
}

// Showing a box changes no project: it becomes the project's when it is moved.
UprightBox BoxControl::shown_box() const {
  return project().box.value_or(first_box());
}

void BoxControl::toggle_box(bool shown) {
  if (!shown && !editing_region()) actions_.edit_numbers->setChecked(false);
  update_availability();
  show();
}

void BoxControl::edit_region(bool on) {
  if (!on && !actions_.box->isChecked()) actions_.edit_numbers->setChecked(false);
  if (on) action("region")->setChecked(true);
  update_availability();
  show();
  if (on) actions_.edit_numbers->setChecked(true);
}

void BoxControl::edit_by_numbers(bool on) {
  if (!on) actions_.edit_region->setChecked(false);
  show();
}

// Marks, handles and numbers; of a box that is being dragged where it is now.
void BoxControl::show() {
  const bool calibrated = state().open() && project().calibrated();
  const bool region = calibrated && editing_region() && grid_.has_value();
  const bool boxed = calibrated && actions_.box->isChecked();
  std::optional<UprightBox> edited;
  if (region)
    edited = box_of_grid(*grid_);
  else if (boxed)
    edited = shown_box();
  if (edited && dragged_) edited = dragged_;
  parts().overlays->set_edited_region(region ? edited : std::nullopt);
  parts().overlays->set_box(!boxed ? std::nullopt : region ? std::optional(shown_box()) : edited);
  for (BoxGizmo* gizmo : gizmos()) gizmo->set_box(edited, !region);
  const bool by_numbers = actions_.edit_numbers->isChecked() && edited;
  if (by_numbers)
    editor_->edit(region ? BoxEditor::Subject::region : BoxEditor::Subject::box, *edited, voxel_m());
  editor_->setVisible(by_numbers);
  place_editor();
}

// In the scene, or where that is not shown over the cameras.
void BoxControl::place_editor() {
  QWidget* view =
      parts().scene->isVisibleTo(parts().window) ? static_cast<QWidget*>(parts().scene) : parts().cameras;
  if (editor_->parentWidget() != view) {
    const bool shown = !editor_->isHidden();
    editor_->setParent(view);
    editor_->setVisible(shown);
  }
  editor_->adjustSize();
  editor_->move(std::max(4, view->width() - editor_->width() - 10), 10);
  editor_->raise();
}

bool BoxControl::eventFilter(QObject* watched, QEvent* event) {
  const bool placed =
      event->type() == QEvent::Resize || event->type() == QEvent::Show || event->type() == QEvent::Hide;
  if (placed && !editor_->isHidden()) place_editor();
  return QObject::eventFilter(watched, event);
}

// ---- edits

void BoxControl::on_dragged(const UprightBox& box, bool finished) {
  dragged_ = box;
  show();
  if (!finished) return;
  on_edited(box, voxel_m());
  emit availability_changed();
}

void BoxControl::on_edited(const UprightBox& box, double voxel_m) {
  if (editing_region())
    post(command::Edit{"region",
                       [grid = grid_of_box(box, voxel_m)](Project& project) { project.grid = grid; }});
  else
    post(command::Edit{"box", [box](Project& project) { project.box = box; }});
}

// Of the box as the session has it: keys repeat faster than it answers.
void BoxControl::nudge(const Eigen::Vector3d& own_m, double turn_degrees) {
  if (held()) return;
  post(command::Edit{"nudge box", [own_m, turn_degrees, first = first_box()](Project& project) {
                       UprightBox box = project.box.value_or(first);
                       box.base_in_world_m = box.to_world_m(own_m);
                       box.turn_degrees = std::remainder(box.turn_degrees + turn_degrees, 360.0);
                       project.box = box;
                     }});
}

}  // namespace vantage::ui
