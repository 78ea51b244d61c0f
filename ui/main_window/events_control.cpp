#include "ui/main_window/events_control.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <algorithm>
#include <optional>

#include "core/base/log.h"
#include "core/base/process_owner.h"
#include "core/results/floor_counts.h"
#include "ui/main_window/moment_pictures.h"
#include "ui/main_window/people_control.h"
#include "ui/main_window/preferences_dialog.h"
#include "ui/panels/rules_dialog.h"
#include "ui/views/camera_grid.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/time_axis.h"
#include "ui/widgets/timeline.h"

namespace vantage::ui {
namespace {

constexpr size_t kMaxPictures = 200;

QString tr_text(const char* text) {
  return QCoreApplication::translate("Events", text);
}

double seconds_of(size_t frames, double frame_rate) {
  return frame_rate > 0 ? static_cast<double>(frames) / frame_rate : 0;
}

QString event_text(const FloorEvent& event, const Project& project, const PersonNames& names) {
  const auto rule = std::find_if(project.rules.begin(), project.rules.end(),
                                 [&](const FloorRule& r) { return r.name == event.rule; });
  const QString name = QString::fromStdString(event.rule);
  if (rule == project.rules.end()) return name;
  const auto named = names.find(event.id);
  const QString who = named != names.end() ? QString::fromStdString(named->second)
                      : event.id > 0       ? tr_text("person %1").arg(event.id)
                                           : QString();
  QStringList words = {name + ":"};
  if (!who.isEmpty()) words << who;
  words << rule_text(*rule);
  if (!rule->where.empty()) words << QString::fromStdString(rule->where);
  return words.join(' ');
}

// Zones and lines that the cameras do not see well enough to count in.
QStringList coverage_warnings(const Project& project) {
  QStringList warnings;
  if (!project.calibrated() || (project.zones.empty() && project.lines.empty())) return warnings;
  const Result<CoveredShares> shares = covered_shares(project);
  if (!shares) return warnings;
  const auto warn = [&](const auto& shapes, const std::vector<double>& covered) {
    for (size_t i = 0; i < shapes.size(); ++i)
      if (covered[i] < kCoveredEnough)
        warnings << tr_text("%1 is not fully covered: enough cameras see only %2 % of it.")
                        .arg(QString::fromStdString(shapes[i].name))
                        .arg(qRound(100 * covered[i]));
  };
  warn(project.zones, shares->zones);
  warn(project.lines, shares->lines);
  return warnings;
}

}  // namespace

EventsControl::EventsControl(const WindowParts& parts) : Control(parts) {
  std::vector<QAction*> commands;  // what events end in; a program that cannot write them does not offer them
  for (const char* name : {"export_case", "handover"})
    if (QAction* command = action(name); command && command->isVisible()) commands.push_back(command);
  panel_ = new EventsPanel(commands);
  add_dock({"events", "&Events", "F5", "Show what the rules over zones and lines found"}, "health",
           tr("Events"), panel_);
  add_action(
      {"next_event", "Ne&xt New Event", "N", "Go to the next event not yet seen"}, {Menu::playback, "last"},
      [this] { go_to_next_new(); },
      [this] { return unmet({{panel_->next_new().has_value(), tr("There is no new event.")}}); });
  connect(panel_, &EventsPanel::chosen, this, &EventsControl::go_to);
  connect(panel_, &EventsPanel::judged, this, &EventsControl::keep_marks);
  connect(panel_, &EventsPanel::item_unfolded, this, [this] {
    if (!state().live()) fetch_pictures();
  });
  connect(panel_, &EventsPanel::next_requested, this, &EventsControl::go_to_next_new);
  connect(panel_, &EventsPanel::rules_requested, this, &EventsControl::show_rules);
  connect(&marks_watch_, &QFileSystemWatcher::directoryChanged, this, &EventsControl::take_changed_marks);
  connect(&alarm_, &AlarmSound::failed, this, &EventsControl::tell_silence);
}

void EventsControl::refresh(Changes what) {
  if (what.testFlag(Change::other_project)) read_marks();
  if (what.testFlag(Change::project) && state().open()) take_project();
  if (what.testFlag(Change::status)) {
    take_live();
    take_held();
  }
  if (what.testFlag(Change::clock) && !found_.events.empty()) show_found(Found(found_));
  if (what.testFlag(Change::tracks)) watch_marks();
  if (what.testFlag(Change::tracks)) state().live() ? show_live_rate() : look();
}

void EventsControl::take_project() {
  const ProjectChange& change = state().project_change();
  if (change.recording || change.floor) warnings_.reset();
  if (change.any()) look();
}

void EventsControl::read_marks() {
  if (project().path.empty()) return;
  if (const auto marks = read_event_marks(project().results_folder()); !marks)
    log_warning(marks.error().message());
  else
    marks_ = *marks;
}

// The folder is watched, as the file is replaced; there are results by the time that there are tracks.
void EventsControl::watch_marks() {
  const QString folder =
      project().path.empty() ? QString() : QString::fromStdString(project().results_folder().string());
  if (marks_watch_.directories() == QStringList{folder}) return;
  if (!marks_watch_.directories().isEmpty()) marks_watch_.removePaths(marks_watch_.directories());
  if (folder.isEmpty() || state().live() || !QFileInfo(folder).isDir()) return;
  marks_watch_.addPath(folder);
  take_changed_marks();
}

void EventsControl::take_changed_marks() {
  if (state().live() || project().path.empty()) return;
  const auto marks = read_event_marks(project().results_folder());
  if (!marks || *marks == marks_) return;
  marks_ = *marks;
  show_found(Found(found_));
}

void EventsControl::take_live() {
  const auto& live = state().status().live;
  if (!live) return live_events_.reset();
  start_utc_s_ = live->health.start_utc_s, live_rate_ = live->health.rate;
  if (live_events_ == live->events) return;
  live_events_ = live->events;
  look();
}

void EventsControl::forget() {
  finding_.stop();
  fetching_.stop();
  found_ = {};
  live_events_.reset();
  marks_.clear();
  pictures_.clear();
  known_.clear();
  if (!marks_watch_.directories().isEmpty()) marks_watch_.removePaths(marks_watch_.directories());
  panel_->show_events({}, {}, {});
  tell_frames();
}

// The program that had the project may have judged until it came free.
void EventsControl::take_held() {
  const auto& held_by = state().status().held_by;
  const QString why = held_by ? tr("Events are judged where the project was opened first: %1.")
                                    .arg(QString::fromStdString(owner_text(*held_by)))
                              : QString();
  panel_->set_read_only(state().live() ? QString() : why);
  if (held_ && why.isEmpty()) {
    read_marks();
    look();
  }
  held_ = !why.isEmpty();
}

EventsControl::Found EventsControl::find(const Project& project, const TracksRef& tracks) {
  Found found;
  if (!tracks) return found;
  const TrackedRange range{tracks->paths, tracks->known_frames, tracks->frame_rate};
  auto events = find_events(range, project.rules, project.zones, project.lines);
  if (!events) {
    found.error = QString::fromStdString(events.error().message());
    return found;
  }
  found.events = std::move(*events);
  found.frame_rate = range.frame_rate;
  found.items = group_events(found.events, range.frame_rate);
  found.rate = {found.events.size(), seconds_of(range.frames.size(), range.frame_rate)};
  return found;
}

EventsControl::Found EventsControl::group_live(const LiveEventsRef& events, double rate) {
  Found found;
  found.events = *events;
  found.frame_rate = rate;
  found.items = group_events(found.events, rate);
  return found;
}

void EventsControl::look() {
  const bool any_live = live_events_ && !live_events_->empty();
  if (project().rules.empty() && project().zones.empty() && project().lines.empty() &&
      found_.events.empty() && !any_live)
    return;
  finding_.start([this, project = project(), tracks = state().tracks(), live = live_events_,
                  rate = live_rate_, warnings = warnings_](const StopSource&) {
    Found found = live ? group_live(live, rate) : find(project, tracks);
    found.warnings = warnings ? *warnings : coverage_warnings(project);
    return [this, found = std::move(found)] { show_found(found); };
  });
}

// The rate over the last minutes, which is as far as the tracks go back.
void EventsControl::show_live_rate() {
  if (!state().tracks() || state().tracks()->known_frames.empty()) return;
  const auto late = std::count_if(found_.events.begin(), found_.events.end(), [&](const FloorEvent& event) {
    return event.raised_frame >= state().tracks()->known_frames.front();
  });
  panel_->set_rate({static_cast<size_t>(late),
                    seconds_of(state().tracks()->known_frames.size(), state().tracks()->frame_rate), true});
}

QString EventsControl::time_of(int64_t frame) const {
  const FrameTimes times{found_.frame_rate > 0 ? found_.frame_rate : state().frame_rate(), state().clock()};
  return state().live() ? clock_text(start_utc_s_ + times.seconds(frame)) : times.text(frame);
}

// Names of the tracks that the events are found in.
const PersonNames& EventsControl::names() const {
  static const PersonNames kNone;
  return state().tracks() ? state().tracks()->names : kNone;
}

ShownItem EventsControl::shown(const EventItem& item) const {
  ShownItem shown;
  for (const size_t index : item) {
    const FloorEvent& event = found_.events[index];
    ShownEvent& one = shown.emplace_back();
    one.number = index + 1;
    one.key = key_of(event);
    one.time = time_of(event.raised_frame);
    one.words = event_text(event, project(), names());
    if (const auto mark = marks_.find(one.key); mark != marks_.end()) one.mark = mark->second;
    if (const auto picture = pictures_.find(one.key); picture != pictures_.end())
      one.picture = picture->second;
  }
  return shown;
}

// True when nothing of the item was told before. Pictures are what the cameras see now.
bool EventsControl::tell_unknown(const EventItem& item) {
  bool fresh = true;
  for (const size_t index : item) {
    const FloorEvent& event = found_.events[index];
    if (!known_.insert(key_of(event)).second) {
      fresh = false;
      continue;
    }
    if (const QImage picture = picture_now(event); !picture.isNull()) pictures_[key_of(event)] = picture;
  }
  return fresh;
}

// Live cameras have no end.
void EventsControl::forget_others() {
  std::set<EventKey> there;
  for (const FloorEvent& event : found_.events) there.insert(key_of(event));
  std::erase_if(known_, [&](const EventKey& key) { return !there.contains(key); });
  std::erase_if(pictures_, [&](const auto& picture) { return !there.contains(picture.first); });
}

void EventsControl::tell_frames() {
  std::vector<EventTick> ticks;
  for (const FloorEvent& event : found_.events) {
    const auto mark = marks_.find(key_of(event));
    ticks.push_back({event.raised_frame, mark == marks_.end() ? EventStanding::fresh : mark->second.standing,
                     event_text(event, project(), names())});
  }
  std::stable_sort(ticks.begin(), ticks.end(),
                   [](const EventTick& a, const EventTick& b) { return a.frame < b.frame; });
  parts().timeline->set_events(std::move(ticks));
}

void EventsControl::show_found(Found found) {
  found_ = std::move(found);
  warnings_ = found_.warnings;
  if (!found_.error.isEmpty()) found_.warnings << found_.error;
  std::vector<ShownItem> items;
  size_t fresh = 0;
  for (const EventItem& item : found_.items) {
    if (state().live() && tell_unknown(item)) ++fresh;
    items.push_back(shown(item));
  }
  if (fresh > 0) {
    if (panel_->sound()) alarm_.play();
    const ShownEvent& newest = items.back().front();
    parts().messages->post(
        {Severity::doubtful, newest.time + "  " + newest.words, tr("Show"), [this] { go_to_next_new(); }});
  }
  forget_others();
  panel_->show_events(std::move(items), found_.rate, found_.warnings);
  tell_frames();
  if (state().live()) show_live_rate();
  update_availability();
  if (!state().live()) fetch_pictures();
}

// A picture in a device's memory is taken from the screen.
QImage EventsControl::picture_now(const FloorEvent& event) const {
  const ShownFrameRef& shown = state().shown();
  if (!state().live() || !shown || !shown->result->frames()) return {};
  const FrameSet& frames = *shown->result->frames();
  const auto sight = nearest_sight(project(), frames, event.x_m, event.y_m);
  if (!sight) return {};
  if (frames.cameras[sight->camera].picture.place().kind == MemoryKind::host)
    return picture_of_place(project(), frames, event.x_m, event.y_m);
  return reduced(parts().cameras->shown_part(static_cast<int>(sight->camera), sight->part));
}

// Pictures come from the recording itself, one after the other: of each line the first, of unfolded ones all.
void EventsControl::fetch_pictures() {
  std::vector<EventKey> wanted;
  std::vector<Moment> moments;
  for (size_t i = 0; i < found_.items.size() && wanted.size() < kMaxPictures; ++i)
    for (size_t k = 0; k < (panel_->unfolded(i) ? found_.items[i].size() : 1); ++k)
      if (const FloorEvent& event = event_at({i, k}); !pictures_.contains(key_of(event))) {
        wanted.push_back(key_of(event));
        moments.push_back({event.raised_frame, event.x_m, event.y_m});
      }
  if (wanted.empty()) return;
  fetching_.start([this, wanted, moments, project = project()](const StopSource& stop) {
    std::map<EventKey, QImage> pictures;
    read_pictures(project, moments, stop,
                  [&](size_t i, QImage picture) { pictures[wanted[i]] = std::move(picture); });
    return [this, pictures] {
      for (size_t i = 0; i < found_.items.size(); ++i)
        for (size_t k = 0; k < found_.items[i].size(); ++k)
          if (const auto picture = pictures.find(key_of(event_at({i, k}))); picture != pictures.end())
            panel_->set_picture({i, k}, pictures_[picture->first] = picture->second);
    };
  });
}

void EventsControl::go_to(const EventIndex& place) {
  if (place.item >= found_.items.size() || place.event >= found_.items[place.item].size()) return;
  const FloorEvent& event = event_at(place);
  emit seek_requested(event.raised_frame);
  if (event.id > 0 && parts().people) parts().people->choose({event.id, 0});
  parts().cameras->set_pointed(Eigen::Vector3d(event.x_m, event.y_m, 0));
}

void EventsControl::go_to_next_new() {
  if (const auto next = panel_->next_new()) panel_->choose(*next);
}

// Numbers of live sets restart each time, so marks of live events are not kept.
std::filesystem::path EventsControl::marks_folder() const {
  return state().live() || project().path.empty() ? std::filesystem::path() : project().results_folder();
}

// One step to undo.
void EventsControl::keep_marks(const std::vector<JudgedEvent>& judged) {
  EventMarks before, after;
  EventIndex one;
  bool noted = true;   // and nothing else
  bool fresh = false;  // one at least was
  for (const auto& [place, mark] : judged) {
    if (place.item >= found_.items.size() || place.event >= found_.items[place.item].size()) continue;
    const EventKey key = key_of(event_at(place));
    const auto known = marks_.find(key);
    const EventMark now = known == marks_.end() ? EventMark() : known->second;
    if (now == mark) continue;
    before[key] = now, after[key] = mark;
    one = place;
    fresh = fresh || now.standing == EventStanding::fresh;
    noted = noted && now.standing != EventStanding::fresh && now.standing == mark.standing;
  }
  if (after.empty()) return;
  const QString whose = after.size() > 1 ? tr("%1 Events").arg(after.size())
                                         : tr("Event %1 (%2)")
                                               .arg(found_.items[one.item][one.event] + 1)
                                               .arg(time_of(event_at(one).raised_frame));
  const QString what = noted                                                   ? tr("Note of %1")
                       : after.begin()->second.standing == EventStanding::seen ? tr("Seen of %1")
                                                                               : tr("False Alarm of %1");
  const std::filesystem::path folder = marks_folder();
  const auto change_to = [this, folder](const EventMarks& marks) {
    return on_present<EventsControl>(
        [folder, marks](EventsControl& now) { now.change_marks(marks, folder); });
  };
  post(command::Did{what.arg(whose).toStdString(), change_to(before), change_to(after)});
  set_marks(after, folder);
  // The next one is reached by itself; in the past of live cameras only when it is asked for.
  if (fresh && !state().live()) go_to_next_new();
}

void EventsControl::set_marks(const EventMarks& changed, const std::filesystem::path& folder) {
  if (folder == marks_folder())
    for (const auto& [key, mark] : changed) marks_[key] = mark;
  tell_frames();
  update_availability();
  if (folder.empty()) return;
  if (const auto kept = change_event_marks(folder, changed); !kept)
    parts().messages->post({Severity::failed, QString::fromStdString(kept.error().message())});
}

// Undo and Redo go to the event, whose mark is otherwise now.
void EventsControl::change_marks(const EventMarks& changed, const std::filesystem::path& folder) {
  set_marks(changed, folder);
  show_found(Found(found_));
  for (size_t i = 0; i < found_.items.size(); ++i)
    for (size_t k = 0; k < found_.items[i].size(); ++k)
      if (key_of(event_at({i, k})) == changed.begin()->first) return panel_->choose({i, k});
}

void EventsControl::apply(const Preferences& preferences) {
  const AlarmTone& tone = preferences.alarm;
  if (alarm_.tone() != tone) silence_told_.clear();  // another sound may fail again
  alarm_.set_tone(tone);
}

// Once: every alarm would say the same.
void EventsControl::tell_silence(const QString& why) {
  if (silence_told_.contains(why)) return;
  silence_told_ << why;
  log_warning(why.toStdString());
  parts().messages->post(
      {Severity::doubtful, why, tr("Preferences…"), [this] { action("preferences")->trigger(); }});
}

void EventsControl::show_rules() {
  TriedFrames tried{state().tracks(), [this](int64_t frame) { return time_of(frame); }, {}};
  if (state().live()) tried.first_frame = state().first_frame();
  auto* dialog = new RulesDialog(project(), std::move(tried), panel_->window());
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &RulesDialog::moment_chosen, this, &EventsControl::seek_requested);
  connect(dialog, &QDialog::accepted, this, [this, dialog] {
    post(command::Edit{"rules", [rules = dialog->rules()](Project& project) { project.rules = rules; }});
  });
  dialog->open();
}

}  // namespace vantage::ui
