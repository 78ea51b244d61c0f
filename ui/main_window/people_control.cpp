#include "ui/main_window/people_control.h"

#include <QSettings>
#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

#include "core/display/trails.h"
#include "ui/main_window/overlay_control.h"
#include "ui/main_window/playback_control.h"
#include "ui/panels/people_panel.h"
#include "ui/views/camera_grid.h"
#include "ui/views/scene_view.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/timeline.h"

namespace vantage::ui {
namespace {

PlaceInTime place_of(const PathPoint& point) {
  return {point.frame, point.x_m, point.y_m};
}

// A position that the person's own detections give: the one to state, since a bridged one is a guess.
std::optional<PathPoint> first_seen(const PersonPath& path) {
  const auto found =
      std::find_if(path.points.begin(), path.points.end(), [](const PathPoint& p) { return p.seen; });
  return found == path.points.end() ? std::nullopt : std::optional(*found);
}

std::optional<PathPoint> last_seen(const PersonPath& path) {
  for (size_t i = path.points.size(); i-- > 0;)
    if (const PathPoint point = path.points[i]; point.seen) return point;
  return std::nullopt;
}

}  // namespace

PeopleControl::PeopleControl(const WindowParts& parts) : Control(parts) {
  const auto some = [this] {
    return unmet({{!panel_->lanes()->lanes().empty() || !this->parts().overlays->marks().everybody.empty(),
                   tr("No one was found here.")}});
  };
  add_action(
      {"next_person", "&Next Person", "A", "Choose the next person"}, {Menu::edit_people},
      [this] { choose_next(1); }, some);
  add_action(
      {"previous_person", "&Previous Person", "Shift+A", "Choose the previous person"}, {Menu::edit_people},
      [this] { choose_next(-1); }, some);
  follow_ = add_action(
      {"follow_person", "&Follow", "E", "Keep the chosen person in the middle of every view (Esc ends it)",
       true},
      {Menu::edit_people}, [this](bool on) { set_following(on); },
      [this] { return unmet({{chosen_.first > 0, choose_one()}}); });
  QAction* join = add_action(
      {"join_people", "&Join", "Ctrl+J", "Join the two chosen people into one"}, {Menu::edit_people},
      [this] { this->join(); }, [this] { return unmet({recorded(), has_first(), has_second()}); });
  split_ = add_action(
      {"split_person", "&Split", "Ctrl+Shift+J", "Give the chosen person a new ID from this frame on"},
      {Menu::edit_people}, [this] { split(); },
      [this] {
        return unmet({recorded(),
                      has_first(),
                      {place_now(chosen_.first).has_value(), tr("The person is not there in this frame.")}});
      });
  QAction* swap = add_action(
      {"swap_people", "S&wap", "Ctrl+Alt+J", "Exchange the IDs of the two chosen people from this frame on"},
      {Menu::edit_people}, [this] { this->swap(); },
      [this] {
        return unmet({recorded(),
                      has_first(),
                      has_second(),
                      {place_now(chosen_.first) && place_now(chosen_.second),
                       tr("One of the two is not there in this frame.")}});
      });
  const auto one_of_results = [this] {
    return unmet(
        {recorded(),
         {chosen_.first > 0, choose_one()},
         {who().path(chosen_.first) != nullptr, tr("Analyse first: repairs change tracks of the results.")}});
  };
  delete_ = add_action(
      {"delete_person", "&Delete", "Ctrl+Del", "Delete the chosen track: it is not a person"},
      {Menu::edit_people}, [this] { remove(); }, one_of_results);
  rename_ = add_action(
      {"rename_person", "&Rename…", "Ctrl+Alt+N",
       "Give the chosen person a name, for all views, lists and exports"},
      {Menu::edit_people}, [this] { ask_name(); }, one_of_results);
  QAction* present_first = add_switch(
      {"present_first", "Those &Here First", "Shift+F2",
       "Show the lanes of people in this frame first if not all lanes fit"},
      {Menu::edit_people}, [this](bool on) { panel_->lanes()->set_present_first(on); }, needs_project);
  panel_ = new PeoplePanel({follow_, join, split_, swap, delete_, rename_});
  add_dock({"people_dock", "P&eople", "F2", "Show a lane for each person, and repair identities"}, nullptr,
           tr("People"), panel_, DockArea::bottom);
  present_first->setChecked(true);
  keep_switch(present_first, "people/present_first", true);
  panel_->share(parts.timeline->axis());
  connect(parts.cameras, &CameraGrid::person_clicked, this, &PeopleControl::click);
  connect(parts.scene, &SceneView::person_clicked, this, &PeopleControl::click);
  const auto offer_in = [this](auto* view) {
    using View = std::remove_pointer_t<decltype(view)>;
    connect(view, &View::person_pointed, this, [this](int64_t id) { pointed_ = id; });
    connect(view, &View::menu_wanted, this, [this](const auto&, const QPoint& at) {
      if (pointed_ > 0) offer_menu(pointed_, at);
    });
  };
  offer_in(parts.cameras);
  offer_in(parts.scene);
  TrackLanes* lanes = panel_->lanes();
  connect(lanes, &TrackLanes::menu_requested, this, &PeopleControl::offer_menu);
  connect(lanes, &TrackLanes::chosen_by_hand, this, &PeopleControl::choose);
  connect(lanes, &TrackLanes::step_requested, parts.playback, &PlaybackControl::step);
  connect(lanes, &TrackLanes::follow_requested, this, [this] { set_following(chosen_.first > 0); });
  connect(panel_, &PeoplePanel::seek_requested, this, &PeopleControl::seek_requested);
  connect(panel_, &PeoplePanel::repair_dropped, this, &PeopleControl::drop);
}

// ---- the tracks

void PeopleControl::refresh(Changes what) {
  if (what.testFlag(Change::project)) panel_->show_tracks(tracks_, project().repairs);
  if (what.testFlag(Change::status))
    panel_->set_frame_count(state().live() ? 0 : state().status().frame_count);
  if (what & (Change::clock | Change::frame_rate | Change::other_project)) panel_->set_times(state().times());
  if (what.testFlag(Change::tracks)) take_tracks();
  if (what.testFlag(Change::frame)) show_frame();
}

void PeopleControl::take_tracks() {
  const TracksRef& tracks = state().tracks();
  // Another run or a repair may have given an ID to another person: who was chosen stays chosen.
  const ShownPeople before(nullptr, tracks_);
  const auto again = [&](int64_t id) {
    if (id == 0 || !before.path(id)) return id > 0 && ShownPeople(nullptr, tracks).path(id) ? id : 0;
    return tracks ? before.same_person(id, frame_, *tracks) : 0;
  };
  ChosenPeople chosen{again(chosen_.first), again(chosen_.second)};
  if (chosen.first == 0) chosen = {};
  tracks_ = tracks;
  panel_->show_tracks(tracks_, project().repairs);
  if (chosen != chosen_) choose(chosen);
  show_choice();
  update_availability();
}

void PeopleControl::show_frame() {
  frame_ = state().shown()->result->frame;
  panel_->lanes()->set_frame(frame_);
  if (following_) follow();
  update_availability();
}

void PeopleControl::forget() {
  stop_following();
  tracks_.reset();
  choose({});
  panel_->show_tracks(nullptr, {});
}

const ShownPeople& PeopleControl::who() const {
  return parts().overlays->who();
}

// The present position of a person who is in the tracks and in this frame, also between two sightings.
std::optional<PlaceInTime> PeopleControl::place_now(int64_t id) const {
  const auto person = who().find(id);
  if (!person || !person->path) return std::nullopt;
  const std::optional<PathPoint> point = person->path->points.find(frame_);
  return point ? std::optional(place_of(*point)) : std::nullopt;
}

// ---- choosing and following

void PeopleControl::choose(const ChosenPeople& chosen) {
  chosen_ = chosen;
  if (chosen_.first == 0) stop_following();
  panel_->lanes()->choose(chosen_);
  show_choice();
  if (following_) follow();
  update_availability();
}

void PeopleControl::choose_next(int by) {
  std::vector<int64_t> ids;
  for (const Lane& lane : panel_->lanes()->lanes()) ids.push_back(lane.id);
  if (ids.empty())
    for (const MarkedPerson& person : parts().overlays->marks().everybody)
      if (person.id > 0) ids.push_back(person.id);
  std::sort(ids.begin(), ids.end());
  if (ids.empty()) return;
  const auto now = std::find(ids.begin(), ids.end(), chosen_.first);
  const auto count = static_cast<std::ptrdiff_t>(ids.size());
  const std::ptrdiff_t at =
      now == ids.end() ? (by > 0 ? 0 : count - 1) : (now - ids.begin() + by + count) % count;
  choose({ids[at], 0});
}

// A click follows; with Ctrl a second person is chosen, too.
void PeopleControl::click(int64_t id, bool second) {
  if (second && id > 0 && chosen_.first > 0 && id != chosen_.first) return choose({chosen_.first, id});
  if (id == 0) {
    if (!following_) choose({});
    return;
  }
  choose({id, 0});
  set_following(true);
}

void PeopleControl::set_following(bool on) {
  on = on && chosen_.first > 0;
  const bool changed = std::exchange(following_, on) != on;
  follow_->setChecked(on);
  if (on) follow();
  if (!changed) return;
  if (!on) {
    parts().cameras->follow(std::nullopt);
    parts().scene->follow(std::nullopt);
  }
  emit availability_changed();
}

void PeopleControl::stop_following() {
  set_following(false);
}

// In frames without the person the views stay where they are.
void PeopleControl::follow() {
  const auto person = who().find(chosen_.first);
  if (!person) return;
  const MarkedPerson marked{
      person->id, {person->x_m, person->y_m, 0}, person->height_m > 0 ? person->height_m : kStandingFigure_m};
  const ShownFrameRef& shown = state().shown();
  const double frame = shown ? static_cast<double>(shown->result->frame) : 0;
  parts().cameras->follow(marked, frame / state().frame_rate());
  parts().scene->follow(marked);
}

void PeopleControl::show_choice() {
  MarkedChoice choice{chosen_.first, chosen_.second, {}};
  if (const PersonPath* path = who().path(chosen_.first)) choice.way_m = walked_path(*path);
  parts().overlays->set_choice(std::move(choice));
}

// ---- repairs

void PeopleControl::join() {
  const PersonPath *a = who().path(chosen_.first), *b = who().path(chosen_.second);
  if (!a || !b) return;
  if (a->points.frame(0) > b->points.frame(0)) std::swap(a, b);
  const std::optional<PathPoint> from = last_seen(*a), to = first_seen(*b);
  if (from && to) add({{RepairKind::join, place_of(*from), place_of(*to)}, a->id, b->id});
}

void PeopleControl::split() {
  if (const auto position = place_now(chosen_.first))
    add({{RepairKind::split, *position, {}}, chosen_.first, 0});
}

void PeopleControl::swap() {
  const auto a = place_now(chosen_.first), b = place_now(chosen_.second);
  if (a && b) add({{RepairKind::swap, *a, *b}, chosen_.first, chosen_.second});
}

// Deletes the chosen person, named by their present position, if they are seen.
void PeopleControl::remove() {
  if (!who().tracks()) return;
  if (const auto position = unambiguous_position(who().tracks()->paths, chosen_.first, frame_))
    add({{RepairKind::remove, *position, {}}, chosen_.first, 0});
}

// A repair that would not do what is meant is reported and not added; the session checks again before it
// writes.
void PeopleControl::add(const IntendedRepair& meant) {
  const TracksRef& tracks = who().tracks();
  const std::string why = tracks ? why_not(tracks->paths, meant) : std::string("nothing has been analysed");
  if (why.empty()) return post(command::Repair{meant});
  parts().messages->post(
      {Severity::failed, tr("This repair does not apply: %1.").arg(QString::fromStdString(why))});
}

void PeopleControl::drop(int number) {
  post(command::Edit{"remove repair", [number](Project& project) {
                       if (static_cast<size_t>(number) < project.repairs.size())
                         project.repairs.erase(project.repairs.begin() + number);
                     }});
}

QString PeopleControl::choose_one() {
  return tr("Choose a person first: click one in a view or a lane.");
}

Control::Need PeopleControl::recorded() const {
  return {!state().live(),
          tr("IDs of live cameras start again each time: record them and repair the recording.")};
}

Control::Need PeopleControl::has_first() const {
  return {who().path(chosen_.first) != nullptr, choose_one()};
}

Control::Need PeopleControl::has_second() const {
  return {who().path(chosen_.second) != nullptr,
          tr("Choose a second person: Ctrl+click one in a view or a lane.")};
}

}  // namespace vantage::ui
