#include "ui/main_window/boxes/box_control.h"

#include <fmt/core.h>
#include <QEvent>
#include <algorithm>
#include <cmath>
#include <iterator>

#include "core/base/text.h"
#include "core/display/box_handles.h"
#include "core/display/world_lines.h"
#include "ui/main_window/boxes/box_list.h"
#include "ui/main_window/overlay_control.h"
#include "ui/main_window/result_text.h"
#include "ui/views/box_editor.h"
#include "ui/views/camera_grid.h"
#include "ui/views/scene_view.h"
#include "ui/widgets/message_bar.h"

namespace vantage::ui {

BoxControl::BoxControl(const WindowParts& parts) : Control(parts), editor_(new BoxEditor(parts.scene)) {
  const auto uncalibrated = [this] { return unmet({calibrated()}); };
  const auto some = [this] {
    return unmet({calibrated(),
                  {!project().boxes.empty(),
                   tr("The project has no box yet: add one, or move the one that B shows.")}});
  };
  box_ = add_switch(
      {"box", "&Box", "B",
       "Show a box to lay over a thing of known size, to check the calibration; its handles are "
       "dragged in any view"},
      {Menu::overlays, "coverage"}, [this](bool shown) { toggle_box(shown); }, uncalibrated);
  edit_region_ = add_switch(
      {"edit_region", "&Edit Region", "Shift+R",
       "Move and resize the region that is analysed, in any view or by numbers"},
      {Menu::scene, "region"}, [this](bool on) { edit_region(on); },
      [this] {
        return unmet({calibrated(), {grid_.has_value(), tr("The region is being fitted to the cameras.")}});
      });
  edit_numbers_ = add_switch(
      {"edit_numbers", "By N&umbers", "Shift+B", "Set the box or the region by numbers"},
      {Menu::scene, "box"}, [this](bool on) { edit_by_numbers(on); },
      [this] {
        return unmet(
            {{box_->isChecked() || editing_region(), tr("Show the box (B) or edit the region first.")}});
      });
  QAction* add = add_action(
      {"add_box", "&Add Box", "Alt+Ins", "Lay another box over another thing", false, "Add"},
      {Menu::scene, "edit_numbers"}, [this] { add_first(); }, uncalibrated);
  QAction* duplicate = add_action(
      {"duplicate_box", "&Duplicate Box", "Alt+Shift+Ins", "Lay a copy of the chosen box next to it", false,
       "Duplicate"},
      {Menu::scene, "add_box"}, [this] { this->duplicate(); }, some);
  QAction* remove = add_action(
      {"remove_box", "&Remove Box", "Alt+Del", "Remove the chosen box", false, "Remove"},
      {Menu::scene, "duplicate_box"}, [this] { this->remove(); }, some);
  add_action(
      {"next_box", "Ne&xt Box", "Alt+B", "Choose the next box: it gets the handles", false, "Next"},
      {Menu::scene, "remove_box"}, [this] { choose_next(); },
      [this] {
        return unmet({{project().calibrated() && project().boxes.size() > 1, tr("There is no other box.")}});
      });
  add_nudges();
  list_ = new BoxList({add, duplicate, remove, edit_numbers_});
  parts.menus->place(box_, {Menu::scene, "edit_region"});
  editor_->hide();
  connect(editor_, &BoxEditor::edited, this, &BoxControl::on_edited);
  connect(editor_, &BoxEditor::closed, edit_numbers_, [this] { edit_numbers_->setChecked(false); });
  connect(list_, &BoxList::chosen_by_hand, this, [this](const QString& name) { choose(name.toStdString()); });
  connect(list_, &BoxList::renamed, this, &BoxControl::rename);
  connect_views();
}

Control::Need BoxControl::calibrated() const {
  return {project().calibrated(), tr("3-D and people need a calibration.")};
}

void BoxControl::connect_views() {
  for (BoxGizmo* gizmo : gizmos()) {
    connect(gizmo, &BoxGizmo::taken, this, &Control::availability_changed);
    connect(gizmo, &BoxGizmo::edited, this, &BoxControl::on_dragged);
    connect(gizmo, &BoxGizmo::chosen, this, &BoxControl::choose);
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
  emit box_chosen();
}

void BoxControl::forget() {
  stop();
  grid_.reset();
  dragged_.reset();
  chosen_.clear();
  edit_region_->setChecked(false);
  edit_numbers_->setChecked(false);
  show();
}

// ---- what is shown

bool BoxControl::editing_region() const {
  return edit_region_->isChecked();
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

const NamedBox* BoxControl::chosen() const {
  const std::vector<NamedBox>& boxes = project().boxes;
  const NamedBox* named = box_named(boxes, chosen_);
  return named || boxes.empty() ? named : &boxes.front();
}

// Showing a box changes no project: it becomes the project's when it is moved.
UprightBox BoxControl::shown_box() const {
  const NamedBox* named = chosen();
  return named ? named->box : first_box();
}

std::string BoxControl::edited_name() const {
  const NamedBox* named = chosen();
  return named ? named->name : free_box_name(project().boxes);
}

void BoxControl::toggle_box(bool shown) {
  if (!shown && !editing_region()) edit_numbers_->setChecked(false);
  update_availability();
  show();
}

void BoxControl::edit_region(bool on) {
  if (!on && !box_->isChecked()) edit_numbers_->setChecked(false);
  if (on) action("region")->setChecked(true);
  update_availability();
  show();
  if (on) edit_numbers_->setChecked(true);
}

void BoxControl::edit_by_numbers(bool on) {
  if (!on) edit_region_->setChecked(false);
  show();
}

// Marks, handles and numbers; of a box that is being dragged where it is now.
void BoxControl::show() {
  const bool calibrated = state().open() && project().calibrated();
  const bool region = calibrated && editing_region() && grid_.has_value();
  const bool boxed = calibrated && box_->isChecked();
  std::optional<UprightBox> edited;
  if (region)
    edited = box_of_grid(*grid_);
  else if (boxed)
    edited = shown_box();
  if (edited && dragged_) edited = dragged_;
  parts().overlays->set_edited_region(region ? edited : std::nullopt);
  mark_boxes(!boxed ? std::nullopt : region ? std::optional(shown_box()) : edited);
  std::vector<NamedBox> listed = project().boxes;
  if (NamedBox* own = box_named(listed, edited_name()); own && boxed && !region) own->box = *edited;
  list_->show_boxes(listed, edited_name());
  std::vector<NamedBox> others;
  if (boxed && !region)
    std::copy_if(listed.begin(), listed.end(), std::back_inserter(others),
                 [&](const NamedBox& one) { return one.name != edited_name(); });
  for (BoxGizmo* gizmo : gizmos()) gizmo->set_box(edited, !region), gizmo->set_others(others);
  const bool by_numbers = edit_numbers_->isChecked() && edited;
  if (by_numbers)
    region
        ? editor_->edit(BoxEditor::Subject::region, tr("Region: the floor that is analysed"), *edited,
                        voxel_m())
        : editor_->edit(BoxEditor::Subject::box, QString::fromStdString(edited_name()), *edited, voxel_m());
  editor_->setVisible(by_numbers);
  place_editor();
}

// All of them, the chosen one where it is edited; nothing: none are shown.
void BoxControl::mark_boxes(const std::optional<UprightBox>& edited) {
  std::vector<MarkedBox> marks;
  if (edited) {
    const std::string name = edited_name();
    const auto text = [several = project().boxes.size() > 1](const std::string& of) {
      return several ? QString::fromStdString(of) : QString();
    };
    for (const NamedBox& one : project().boxes)
      if (one.name != name) marks.push_back({text(one.name), one.box, false});
    QStringList own = {text(name)};
    if (dragged_ && !editing_region())
      own << tr("%1 m").arg(coordinates_text(edited->size_m, tr(" \u00d7 ")));
    marks.push_back({own.join(' ').trimmed(), *edited, true});
  }
  parts().overlays->set_boxes(std::move(marks));
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

// Boxes are dragged, typed, nudged, added, removed, renamed.

namespace {

constexpr double kFine_m = 0.001, kCoarse_m = 0.01, kFine_deg = 0.1, kCoarse_deg = 1;

struct Nudge {
  ActionSpec spec;
  Eigen::Vector3d own_m;
  double turn_degrees;
};

// A box that is not there any more is added: it was removed while it was moved.
void set_box(Project& project, const std::string& name, const UprightBox& box) {
  NamedBox* known = box_named(project.boxes, name);
  known ? void(known->box = box) : project.boxes.push_back({name, box});
}

}  // namespace

// Along the box's own axes, which are the same in every picture.
void BoxControl::add_nudges() {
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
  for (const Nudge& one : kNudges)
    add_action(
        one.spec, {Menu::nudge}, [this, own_m = one.own_m, turn = one.turn_degrees] { nudge(own_m, turn); },
        [this] {
          return unmet({{project().calibrated() && box_->isChecked() && !editing_region(),
                         tr("Show the box (B) first.")}});
        });
}

// Every drag is a change of its own, however fast they follow.
void BoxControl::on_dragged(const UprightBox& box, bool finished) {
  dragged_ = box;
  show();
  if (!finished) return;
  post_edit(fmt::format("drag {} of ", ++drags_), box, voxel_m());
  emit availability_changed();
}

void BoxControl::on_edited(const UprightBox& box, double voxel_m) {
  post_edit({}, box, voxel_m);
}

void BoxControl::post_edit(const std::string& what, const UprightBox& box, double voxel_m) {
  if (editing_region())
    post(command::Edit{what + "region",
                       [grid = grid_of_box(box, voxel_m)](Project& project) { project.grid = grid; }});
  else
    post(command::Edit{what + "box",
                       [box, name = edited_name()](Project& project) { set_box(project, name, box); }});
}

// The box of the session is moved, not the one shown here: keys repeat faster than the session answers.
void BoxControl::nudge(const Eigen::Vector3d& own_m, double turn_degrees) {
  if (held()) return;
  post(command::Edit{"nudge box",
                     [own_m, turn_degrees, name = edited_name(), first = first_box()](Project& project) {
                       const NamedBox* known = box_named(project.boxes, name);
                       UprightBox box = known ? known->box : first;
                       box.base_in_world_m = box.to_world_m(own_m);
                       box.turn_degrees = std::remainder(box.turn_degrees + turn_degrees, 360.0);
                       set_box(project, name, box);
                     }});
}

// ---- several

void BoxControl::choose(const std::string& name) {
  chosen_ = name;
  box_->setChecked(true);
  show();
  update_availability();
  emit box_chosen();
}

void BoxControl::choose_next() {
  const std::vector<NamedBox>& boxes = project().boxes;
  if (boxes.empty()) return;
  const auto now = static_cast<size_t>(chosen() - boxes.data());
  choose(boxes[(now + 1) % boxes.size()].name);
}

void BoxControl::add(UprightBox box) {
  const std::string name = free_box_name(project().boxes);
  post(command::Edit{"add box", [name, box](Project& project) {
                       // The one added just before may have that name by now.
                       const bool taken = box_named(project.boxes, name) != nullptr;
                       project.boxes.push_back({taken ? free_box_name(project.boxes) : name, box});
                     }});
  choose(name);
}

// The new box is as large as a person and lies next to the chosen one.
void BoxControl::add_first() {
  UprightBox box = first_box();
  if (const NamedBox* other = chosen())
    box.base_in_world_m = other->box.to_world_m({0, other->box.size_m.y() / 2 + box.size_m.y(), 0});
  add(box);
}

void BoxControl::duplicate() {
  const NamedBox* other = chosen();
  if (!other) return;
  UprightBox box = other->box;
  box.base_in_world_m = box.to_world_m({0, 1.5 * box.size_m.y(), 0});
  add(box);
}

void BoxControl::remove() {
  const NamedBox* box = chosen();
  if (!box) return;
  post(command::Edit{"remove " + box->name, [name = box->name](Project& project) {
                       std::erase_if(project.boxes, [&](const NamedBox& one) { return one.name == name; });
                     }});
}

void BoxControl::rename(const QString& before, const QString& after) {
  const std::string from = before.toStdString(), to = after.toStdString();
  if (from == to) return;
  if (to.empty() || box_named(project().boxes, to)) {
    parts().messages->post({Severity::failed, to.empty() ? tr("A box needs a name.")
                                                         : tr("There is another box named %1.").arg(after)});
    return show();
  }
  chosen_ = to;
  post(command::Edit{"rename " + from, [from, to](Project& project) {
                       if (NamedBox* box = box_named(project.boxes, from)) box->name = to;
                     }});
}

}  // namespace vantage::ui
