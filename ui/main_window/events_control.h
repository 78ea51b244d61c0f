// Events in the window: the project's rules compared with everybody's tracks in the results, off the GUI
// thread; of live cameras what the session tells, which holds the rules against every set. With pictures,
// marks kept next to the results, and a warning where a zone or line lies beyond what the cameras see.
#pragma once

#include <QFileSystemWatcher>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "core/results/results_events.h"
#include "core/tracks/counting/counting.h"
#include "ui/main_window/control.h"
#include "ui/panels/events_panel.h"
#include "ui/platform/alarm_sound.h"
#include "ui/platform/background_job.h"

namespace vantage::ui {

class EventsControl final : public Control {
  Q_OBJECT
 public:
  explicit EventsControl(const WindowParts& parts);

  void forget() override;
  void refresh(Changes what) override;
  void apply(const Preferences& preferences) override;

 private:
  struct Found {
    std::vector<FloorEvent> events;
    std::vector<EventItem> items;
    QStringList warnings;
    EventRate rate;
    double frame_rate = 0;
    QString error;
  };
  static Found find(const Project& project, const TracksRef& tracks);
  static Found group_live(const LiveEventsRef& events, double rate);
  void take_project();
  void take_live();
  void take_held();
  void go_to_next_new();
  void show_rules();
  void look();
  void show_found(Found found);
  void tell_frames();
  const PersonNames& names() const;
  void show_live_rate();
  void tell_silence(const QString& why);
  bool tell_unknown(const EventItem& item);
  void forget_others();
  void fetch_pictures();
  void go_to(const EventIndex& place);
  void read_marks();
  void watch_marks();
  void take_changed_marks();
  std::filesystem::path marks_folder() const;  // empty: marks are not kept
  void keep_marks(const std::vector<JudgedEvent>& judged);
  void set_marks(const EventMarks& changed, const std::filesystem::path& folder);
  void change_marks(const EventMarks& changed, const std::filesystem::path& folder);
  ShownItem shown(const EventItem& item) const;
  QString time_of(int64_t frame) const;
  QImage picture_now(const FloorEvent& event) const;
  const FloorEvent& event_at(const EventIndex& place) const {
    return found_.events[found_.items[place.item][place.event]];
  }

  EventsPanel* panel_ = nullptr;
  double start_utc_s_ = 0, live_rate_ = 0;  // sets a second
  LiveEventsRef live_events_;               // null: a recording
  Found found_;
  std::optional<QStringList> warnings_;  // of the present zones and lines; nothing: to be made
  EventMarks marks_;
  QFileSystemWatcher marks_watch_;  // others change them, too: the command line, clients of the server
  bool held_ = false;
  std::map<EventKey, QImage> pictures_;
  std::set<EventKey> known_;  // those reported of live cameras
  AlarmSound alarm_;
  QStringList silence_told_;  // why alarms did not sound
  BackgroundJob finding_, fetching_;
};

}  // namespace vantage::ui
