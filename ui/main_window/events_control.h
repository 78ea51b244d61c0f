// Events in the window: the project's rules held against everybody's tracks, of results and of live cameras
// alike, off the GUI thread; with pictures, marks kept beside the results, and a warning where a zone or line
// lies beyond what the cameras see.
#pragma once

#include <QObject>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "core/project/event_marks.h"
#include "core/session/session.h"
#include "ui/main_window/window_actions.h"
#include "ui/platform/background_job.h"

namespace vantage::ui {

class CameraGrid;
class EventsPanel;
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
  void go_to_next_new();
  void show_rules();

 signals:
  void seek_requested(qint64 frame);

 private:
  struct Found {
    std::vector<FloorEvent> events;
    std::vector<std::vector<size_t>> items;
    QStringList warnings;
    double per_hour = 0, frame_rate = 0;
    QString error;
  };
  static Found find(const Project& project, const TracksRef& tracks);
  void look();
  void show_found(Found found);
  void fetch_pictures();
  void go_to(size_t item);
  void keep_mark(size_t item, const EventMark& mark);
  EventMark mark_of(const std::vector<size_t>& item) const;
  QString time_of(int64_t frame) const;
  QImage picture_now(const FloorEvent& event) const;
  EventKey key(size_t item) const { return key_of(found_.events[found_.items[item].front()]); }

  const WindowActions& actions_;
  Parts parts_;
  Project project_;
  TracksRef tracks_;
  FrameResultRef result_;
  bool live_ = false, looked_ = false;
  double start_utc_s_ = 0;
  Found found_;
  EventMarks marks_;
  std::map<EventKey, QImage> pictures_;
  std::set<EventKey> known_;  // items that were told
  BackgroundJob finding_, fetching_;
};

}  // namespace vantage::ui
