// Events in the window: the project's rules held against everybody's tracks in the results, off the GUI
// thread; of live cameras what the session tells, which holds the rules against every set. With pictures,
// marks kept beside the results, and a warning where a zone or line lies beyond what the cameras see.
#pragma once

#include <QObject>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "core/counting/event_items.h"
#include "core/results/event_marks.h"
#include "core/session/session.h"
#include "ui/main_window/window_actions.h"
#include "ui/panels/events_panel.h"
#include "ui/platform/alarm_sound.h"
#include "ui/platform/background_job.h"

namespace vantage::ui {

class CameraGrid;
class MessageBar;

class EventsControl final : public QObject {
  Q_OBJECT
 public:
  struct Parts {
    EventsPanel* panel;
    CameraGrid* cameras;
    MessageBar* messages;
    Session* session;
  };
  EventsControl(const WindowActions& actions, Parts parts, QObject* parent);

  void set_project(const Project& project, bool another);
  void set_tracks(const TracksRef& tracks);
  void set_live(const LiveStatus* live);
  void show_result(const FrameResultRef& result) { result_ = result; }
  void forget();
  void update_availability(bool open, const QString& why_closed);
  // Why events are not judged here: another window has the project and keeps its marks. Empty: they are.
  void set_held(const QString& why);
  void go_to_next_new();
  void set_alarm(const AlarmTone& tone);
  void show_rules();

 signals:
  void seek_requested(qint64 frame);
  // The frames in which they were raised, ascending.
  void events_changed(const std::vector<int64_t>& frames);

 private:
  struct Found {
    std::vector<FloorEvent> events;
    std::vector<EventItem> items;
    QStringList warnings;
    double per_hour = 0, frame_rate = 0;
    QString error;
  };
  static Found find(const Project& project, const TracksRef& tracks);
  static Found group_live(const LiveEventsRef& events, double rate);
  void look();
  void show_found(Found found);
  void tell_frames();
  void show_live_rate();
  void tell_silence(const QString& why);
  bool tell_unknown(const EventItem& item);
  void forget_others();
  void fetch_pictures();
  void go_to(const EventPlace& place);
  void read_marks();
  void keep_marks(const std::vector<JudgedEvent>& judged);
  ShownItem shown(const EventItem& item) const;
  QString time_of(int64_t frame) const;
  QImage picture_now(const FloorEvent& event) const;
  const FloorEvent& event_at(const EventPlace& place) const {
    return found_.events[found_.items[place.item][place.event]];
  }

  const WindowActions& actions_;
  Parts parts_;
  Project project_;
  TracksRef tracks_;
  FrameResultRef result_;
  bool live_ = false;
  double start_utc_s_ = 0, live_rate_ = 0;  // sets a second
  LiveEventsRef live_events_;               // null: a recording
  Found found_;
  std::optional<QStringList> warnings_;  // of the present zones and lines; nothing: to be made
  EventMarks marks_;
  bool held_ = false;
  std::map<EventKey, QImage> pictures_;
  std::set<EventKey> known_;  // of live cameras: those that were told
  AlarmSound alarm_;
  QStringList silence_told_;  // why alarms did not sound
  BackgroundJob finding_, fetching_;
};

}  // namespace vantage::ui
