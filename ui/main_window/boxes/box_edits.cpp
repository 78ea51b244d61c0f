// What is done to boxes: dragged, typed, nudged, added, removed, renamed.
#include <cmath>

#include "core/base/formatted.h"
#include "core/display/box_handles.h"
#include "ui/main_window/boxes/box_control.h"
#include "ui/widgets/message_bar.h"

namespace vantage::ui {
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

// Every drag is a change of its own, however fast they follow.
void BoxControl::on_dragged(const UprightBox& box, bool finished) {
  dragged_ = box;
  show();
  if (!finished) return;
  post_edit(formatted("drag %d of ", ++drags_), box, voxel_m());
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
  actions_.box->setChecked(true);
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
    parts().messages->post(
        {Severity::failed,
         to.empty() ? tr("A box needs a name.") : tr("There is another box named %1.").arg(after),
         {},
         {}});
    return show();
  }
  chosen_ = to;
  post(command::Edit{"rename " + from, [from, to](Project& project) {
                       if (NamedBox* box = box_named(project.boxes, from)) box->name = to;
                     }});
}

}  // namespace vantage::ui
