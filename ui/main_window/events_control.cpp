#include "ui/main_window/events_control.h"

#include <QApplication>
#include <algorithm>
#include <limits>
#include <optional>

#include "core/base/log.h"
#include "core/counting/event_items.h"
#include "core/project/floor_counts.h"
#include "core/video/recording.h"
#include "ui/panels/events_panel.h"
#include "ui/panels/rules_dialog.h"
#include "ui/platform/video_probe.h"
#include "ui/views/camera_grid.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/time_text.h"

namespace vantage::ui {
namespace {

constexpr size_t kMostPictures = 200;
constexpr int kPictureWidth_px = 224;  // of the list's pictures, on a screen of two pixels a point
constexpr double kChest_m = 1;         // what a picture shows the middle of
constexpr double kPart = 0.35;         // of the camera picture's width

QString tr_words(const char* text) {
  return QCoreApplication::translate("Events", text);
}

QString words_of(const FloorEvent& event, const Project& project) {
  const auto rule = std::find_if(project.rules.begin(), project.rules.end(),
                                 [&](const FloorRule& r) { return r.name == event.rule; });
  const QString name = QString::fromStdString(event.rule);
  if (rule == project.rules.end()) return name;
  const QString who = event.id > 0 ? tr_words("person %1").arg(event.id) : QString();
  QStringList words = {name + ":"};
  if (!who.isEmpty()) words << who;
  words << rule_kind_words(rule->kind);
  if (rule->limit > 0) words << QString::number(rule->limit);
  if (!rule->where.empty()) words << QString::fromStdString(rule->where);
  return words.join(' ');
}

struct SightOfPlace {
  size_t camera = 0;
  QRect part;  // of its picture
};

// Where the nearest camera that has a picture sees the place.
std::optional<SightOfPlace> nearest_sight(const Project& project, const FrameSet& frames,
                                          const FloorEvent& event) {
  const Eigen::Vector3d place(event.x_m, event.y_m, kChest_m);
  std::optional<SightOfPlace> best;
  double nearest = std::numeric_limits<double>::infinity();
  for (size_t i = 0; i < project.cameras.size() && i < frames.cameras.size(); ++i) {
    const auto& calibration = project.cameras[i].calibration;
    const Picture& picture = frames.cameras[i].picture;
    if (!calibration || !picture || !calibration->sees(place)) continue;
    const double distance = (calibration->center_in_world_m() - place).norm();
    const auto pixel = calibration->project(place);
    if (!pixel || distance >= nearest) continue;
    nearest = distance;
    const int width = static_cast<int>(kPart * picture.width()), height = width * 3 / 4;
    best = {i, QRect(std::clamp(static_cast<int>(pixel->x()) - width / 2, 0, picture.width() - width),
                     std::clamp(static_cast<int>(pixel->y()) - height / 2, 0,
                                std::max(0, picture.height() - height)),
                     width, height)};
  }
  return best;
}

// As large as it is ever shown.
QImage reduced(const QImage& picture) {
  return picture.width() > kPictureWidth_px
             ? picture.scaledToWidth(kPictureWidth_px, Qt::SmoothTransformation)
             : picture;
}

// Of pictures in host memory.
QImage crop(const Project& project, const FrameSet& frames, const FloorEvent& event) {
  const auto sight = nearest_sight(project, frames, event);
  return sight ? reduced(to_image(frames.cameras[sight->camera].picture).copy(sight->part)) : QImage();
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
        warnings << tr_words("%1 lies beyond the cameras' coverage: enough cameras see only %2 % of it.")
                        .arg(QString::fromStdString(shapes[i].name))
                        .arg(qRound(100 * covered[i]));
  };
  warn(project.zones, shares->zones);
  warn(project.lines, shares->lines);
  return warnings;
}

}  // namespace

EventsControl::EventsControl(const WindowActions& actions, Parts parts, QObject* parent)
    : QObject(parent), actions_(actions), parts_(parts) {
  EventsPanel* panel = parts_.panel;
  connect(panel, &EventsPanel::chosen, this, [this](qint64 item) { go_to(static_cast<size_t>(item)); });
  connect(panel, &EventsPanel::marked, this,
          [this](qint64 item, const EventMark& mark) { keep_mark(static_cast<size_t>(item), mark); });
  connect(panel, &EventsPanel::next_requested, this, &EventsControl::go_to_next_new);
  connect(panel, &EventsPanel::rules_requested, this, &EventsControl::show_rules);
  connect(actions_.next_event, &QAction::triggered, this, &EventsControl::go_to_next_new);
}

void EventsControl::set_project(const Project& project, bool another) {
  const ProjectChange change = difference(project, project_);
  const bool changed = another || change.any();
  if (another || change.recording || change.floor) warnings_.reset();
  project_ = project;
  if (another) {
    tracks_.reset();
    forget();
    project_ = project;
    if (const auto marks = read_event_marks(project.results_folder()); !marks)
      log_warning(marks.error().message());
    else if (!project.path.empty())
      marks_ = *marks;
  }
  if (changed) look();
}

void EventsControl::set_tracks(const TracksRef& tracks) {
  tracks_ = tracks;
  if (live_)
    show_live_rate();
  else
    look();
}

void EventsControl::set_live(const LiveStatus* live) {
  live_ = live != nullptr;
  if (!live) return live_events_.reset();
  start_utc_s_ = live->health.start_utc_s, live_rate_ = live->health.rate;
  if (live_events_ == live->events) return;
  live_events_ = live->events;
  look();
}

void EventsControl::forget() {
  finding_.stop();
  fetching_.stop();
  project_ = {};
  result_.reset();
  found_ = {};
  live_events_.reset();
  marks_.clear();
  pictures_.clear();
  known_.clear();
  parts_.panel->show_events({}, 0, {});
}

void EventsControl::update_availability(bool open, const QString& why_closed) {
  const bool fresh = parts_.panel->next_new().has_value();
  set_available(actions_.next_event, open && fresh, open ? tr("There is no new event.") : why_closed);
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
  found.per_hour = events_per_hour(found.items.size(), range.frames.size(), range.frame_rate);
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
  if (project_.rules.empty() && project_.zones.empty() && project_.lines.empty() && found_.events.empty() &&
      !any_live)
    return;
  finding_.start([this, project = project_, tracks = tracks_, live = live_events_, rate = live_rate_,
                  warnings = warnings_](const StopSource&) {
    Found found = live ? group_live(live, rate) : find(project, tracks);
    found.warnings = warnings ? *warnings : coverage_warnings(project);
    return [this, found = std::move(found)] { show_found(found); };
  });
}

// Of the last minutes, which is as far as the tracks go back.
void EventsControl::show_live_rate() {
  if (!tracks_ || tracks_->known_frames.empty()) return;
  const auto late = std::count_if(found_.items.begin(), found_.items.end(), [&](const auto& item) {
    return found_.events[item.front()].raised_frame >= tracks_->known_frames.front();
  });
  parts_.panel->set_per_hour(
      events_per_hour(static_cast<size_t>(late), tracks_->known_frames.size(), tracks_->frame_rate));
}

QString EventsControl::time_of(int64_t frame) const {
  const double seconds = found_.frame_rate > 0 ? static_cast<double>(frame) / found_.frame_rate : 0;
  return live_ ? clock_text(start_utc_s_ + seconds) : time_text(seconds);
}

// Of an item: what was said about its first event.
EventMark EventsControl::mark_of(const std::vector<size_t>& item) const {
  const auto mark = marks_.find(key_of(found_.events[item.front()]));
  return mark == marks_.end() ? EventMark() : mark->second;
}

// Of an item: the first that there is. The oldest events of live cameras go, also out of an item.
QImage EventsControl::picture_of(const std::vector<size_t>& item) const {
  for (const size_t event : item)
    if (const auto picture = pictures_.find(key_of(found_.events[event])); picture != pictures_.end())
      return picture->second;
  return {};
}

// True when nothing of the item was told before. Its picture is what the cameras see now.
bool EventsControl::tell_unknown(const std::vector<size_t>& item) {
  bool fresh = true;
  for (const size_t event : item) fresh = known_.insert(key_of(found_.events[event])).second && fresh;
  if (!fresh) return false;
  const QImage picture = picture_now(found_.events[item.front()]);
  for (const size_t event : item)
    if (!picture.isNull()) pictures_[key_of(found_.events[event])] = picture;
  return true;
}

// Live cameras have no end.
void EventsControl::forget_others() {
  std::set<EventKey> there;
  for (const FloorEvent& event : found_.events) there.insert(key_of(event));
  std::erase_if(known_, [&](const EventKey& key) { return !there.contains(key); });
  std::erase_if(pictures_, [&](const auto& picture) { return !there.contains(picture.first); });
}

void EventsControl::show_found(Found found) {
  found_ = std::move(found);
  warnings_ = found_.warnings;
  if (!found_.error.isEmpty()) found_.warnings << found_.error;
  std::vector<ShownEvent> shown;
  size_t fresh = 0;
  for (const std::vector<size_t>& item : found_.items) {
    const FloorEvent& first = found_.events[item.front()];
    if (live_ && tell_unknown(item)) ++fresh;
    ShownEvent event;
    event.frame = first.raised_frame;
    event.time = time_of(first.raised_frame);
    event.words = words_of(first, project_);
    if (item.size() > 1) event.words += tr(", and %1 more").arg(item.size() - 1);
    event.mark = mark_of(item);
    event.picture = picture_of(item);
    shown.push_back(std::move(event));
  }
  if (fresh > 0) {
    if (parts_.panel->sound()) QApplication::beep();
    parts_.messages->post({Severity::doubtful, shown.back().time + "  " + shown.back().words, tr("Show"),
                           [this] { go_to_next_new(); }});
  }
  forget_others();
  parts_.panel->show_events(std::move(shown), found_.per_hour, found_.warnings);
  if (live_) show_live_rate();
  actions_.next_event->setEnabled(parts_.panel->next_new().has_value());
  if (!live_) fetch_pictures();
}

// What lies in a device's memory is taken from the screen.
QImage EventsControl::picture_now(const FloorEvent& event) const {
  if (!live_ || !result_ || !result_->frames()) return {};
  const FrameSet& frames = *result_->frames();
  const auto sight = nearest_sight(project_, frames, event);
  if (!sight) return {};
  if (frames.cameras[sight->camera].picture.place().kind == MemoryKind::host)
    return crop(project_, frames, event);
  return reduced(parts_.cameras->shown_part(static_cast<int>(sight->camera), sight->part));
}

// From the recording itself, one after the other.
void EventsControl::fetch_pictures() {
  std::vector<std::pair<EventKey, FloorEvent>> wanted;
  for (size_t i = 0; i < found_.items.size() && wanted.size() < kMostPictures; ++i)
    if (!pictures_.contains(key(i))) wanted.emplace_back(key(i), found_.events[found_.items[i].front()]);
  if (wanted.empty()) return;
  fetching_.start([this, wanted, project = project_](const StopSource& stop) {
    std::map<EventKey, QImage> pictures;
    RecordingOptions options;
    for (const ProjectCamera& camera : project.cameras)
      options.cameras.push_back(
          {camera.name, camera.video, camera.offset_frames, camera.frame_rate, camera.offset_changes});
    if (const auto recording = Recording::open(std::move(options)); recording)
      for (const auto& [which, event] : wanted) {
        if (stop.stop_requested()) break;
        if (const auto frames = (*recording)->read(event.raised_frame); frames)
          pictures[which] = crop(project, *frames, event);
      }
    return [this, pictures] {
      for (size_t i = 0; i < found_.items.size(); ++i)
        if (const auto picture = pictures.find(key(i)); picture != pictures.end())
          parts_.panel->set_picture(i, pictures_[key(i)] = picture->second);
    };
  });
}

void EventsControl::go_to(size_t item) {
  if (item >= found_.items.size()) return;
  const FloorEvent& event = found_.events[found_.items[item].front()];
  emit seek_requested(event.raised_frame);
  parts_.cameras->set_pointed(Eigen::Vector3d(event.x_m, event.y_m, 0));
}

void EventsControl::go_to_next_new() {
  if (const auto next = parts_.panel->next_new()) parts_.panel->choose(*next);
}

// Numbers of live sets begin anew each time, so marks of live events are not kept.
void EventsControl::keep_mark(size_t item, const EventMark& mark) {
  if (item >= found_.items.size()) return;
  for (const size_t event : found_.items[item]) marks_[key_of(found_.events[event])] = mark;
  actions_.next_event->setEnabled(parts_.panel->next_new().has_value());
  if (live_ || project_.path.empty()) return;
  if (const Status written = write_event_marks(project_.results_folder(), marks_); !written)
    parts_.messages->post({Severity::failed, QString::fromStdString(written.error().message()), {}, {}});
}

void EventsControl::show_rules() {
  auto* dialog = new RulesDialog(project_, tracks_, parts_.panel->window());
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QDialog::accepted, this, [this, dialog] {
    parts_.session->edit("rules", [rules = dialog->rules()](Project& project) { project.rules = rules; });
  });
  dialog->open();
}

}  // namespace vantage::ui
