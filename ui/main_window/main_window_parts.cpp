// Playback, exports, recovery, checks, offsets, people, zones and lines, the comparison of trackers, events
// and live cameras, joined to session and views.
#include <QDockWidget>

#include "ui/main_window/crash_recovery.h"
#include "ui/main_window/events_control.h"
#include "ui/main_window/export_control.h"
#include "ui/main_window/floor_control.h"
#include "ui/main_window/live_control.h"
#include "ui/main_window/main_window.h"
#include "ui/main_window/people_control.h"
#include "ui/main_window/playback_control.h"
#include "ui/main_window/status_line.h"
#include "ui/main_window/trackers_control.h"
#include "ui/main_window/window_tool_bar.h"
#include "ui/panels/checks_button.h"
#include "ui/panels/floor_panel.h"
#include "ui/panels/people_panel.h"
#include "ui/panels/timings_panel.h"
#include "ui/panels/trackers_panel.h"
#include "ui/platform/session_bridge.h"
#include "ui/views/camera_grid.h"

namespace vantage::ui {

// People and trackers lie under the timeline, whose times their lanes share.
void MainWindow::build_people_docks() {
  const auto& a = actions_;
  people_panel_ =
      new PeoplePanel({a.follow_person, a.join_people, a.split_person, a.swap_people, a.delete_person});
  trackers_panel_ = new TrackersPanel({a.compare_trackers, a.draw_trackers, a.load_truth});
  floor_panel_ =
      new FloorPanel({a.draw_zone, a.draw_line, a.move_corners, a.delete_shape, a.learn_entrances});
  floor_dock_ = add_dock(tr("Zones and Lines"), floor_panel_, a.floor_dock);
  QDockWidget* people = add_dock(tr("People"), people_panel_, a.people_dock);
  QDockWidget* trackers = add_dock(tr("Trackers"), trackers_panel_, a.trackers_dock);
  setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
  addDockWidget(Qt::BottomDockWidgetArea, people);
  addDockWidget(Qt::BottomDockWidgetArea, trackers);
  tabifyDockWidget(people, trackers);
}

void MainWindow::bring_up(QDockWidget* dock) {
  dock->show();
  dock->raise();
}

void MainWindow::connect_files() {
  exports_ = new ExportControl(
      actions_, messages_, [this] { return problem_words(); }, this);
  connect(exports_, &ExportControl::failed, this, &MainWindow::on_error);
  connect(timings_, &TimingsPanel::work_requested, exports_, &ExportControl::in_background);
  recovery_ = new CrashRecovery(messages_, services_.session, this);
  connect(recovery_, &CrashRecovery::open_requested, this, &MainWindow::open_project);
  recovery_->offer_project();
}

void MainWindow::connect_playback() {
  playback_ = new PlaybackControl(actions_, {timeline_, transport_, held_, services_.session}, this);
  connect(playback_, &PlaybackControl::range_changed, this, [this] {
    update_availability();
    show_scene_words();
  });
}

void MainWindow::connect_checks() {
  check_ = new CheckControl(actions_, {checks_, messages_, services_.session}, services_.check, this);
  connect(check_, &CheckControl::dock_wanted, this, [this] { bring_up(checks_dock_); });
  connect(check_, &CheckControl::counted, toolbar_->checks(), &ChecksButton::show_counts);
  connect(check_, &CheckControl::camera_requested, cameras_, &CameraGrid::enlarge);
  connect(check_, &CheckControl::seek_requested, playback_, &PlaybackControl::go_to);
  connect(check_, &CheckControl::running_changed, this, [this] {
    show_activity();
    update_availability();
  });
}

// What live cameras will send cannot be checked before.
void MainWindow::analyse(FrameRange frames) {
  if (status_.live) return services_.session->analyse(frames);
  if (check_->available() && status_.playing) services_.session->pause();
  check_->analyse(frames);
}

void MainWindow::connect_sync() {
  sync_ = new SyncControl(actions_, {sync_panel_, proposal_card_, messages_, services_.session},
                          services_.align, services_.agreement, this);
  connect(sync_, &SyncControl::dock_wanted, this, [this] { bring_up(sync_dock_); });
  connect(sync_, &SyncControl::running_changed, this, [this] {
    show_activity();
    update_availability();
  });
  connect(services_.bridge, &SessionBridge::offset_proposed, sync_, &SyncControl::take_watched);
  connect(sync_, &SyncControl::proposals_changed, this, [this] {
    if (!status_.live) cameras_->set_states(sync_->states());
    update_availability();
  });
  connect(sync_, &SyncControl::lines_changed, cameras_, &CameraGrid::set_twins);
}

void MainWindow::connect_people() {
  people_ = new PeopleControl(
      actions_, {people_panel_, cameras_, scene_, overlays_, messages_, services_.session}, this);
  connect(services_.bridge, &SessionBridge::tracks_changed, people_, &PeopleControl::set_tracks);
  connect(services_.bridge, &SessionBridge::results_changed, people_, &PeopleControl::set_frames);
  connect(people_, &PeopleControl::seek_requested, playback_, &PlaybackControl::go_to);
  connect(people_, &PeopleControl::step_requested, playback_, &PlaybackControl::step);
  connect(people_, &PeopleControl::following_changed, this, &MainWindow::update_availability);
}

void MainWindow::connect_floor() {
  floor_ = new FloorControl(actions_,
                            {floor_panel_, cameras_, scene_, overlays_, messages_, services_.session}, this);
  connect(services_.bridge, &SessionBridge::tracks_changed, floor_, &FloorControl::set_tracks);
  connect(floor_, &FloorControl::drawing_changed, this, &MainWindow::update_availability);
  connect(floor_, &FloorControl::work_requested, exports_, &ExportControl::in_background);
  connect(floor_, &FloorControl::dock_wanted, this, [this] { bring_up(floor_dock_); });
}

void MainWindow::connect_trackers() {
  trackers_ = new TrackersControl(actions_, trackers_panel_, overlays_, this);
  connect(services_.bridge, &SessionBridge::tracks_changed, trackers_, &TrackersControl::set_tracks);
  connect(services_.bridge, &SessionBridge::tracks_changed, this, &MainWindow::update_availability);
  connect(trackers_, &TrackersControl::seek_requested, playback_, &PlaybackControl::go_to);
}

void MainWindow::connect_events() {
  events_ = new EventsControl(actions_, {events_panel_, cameras_, messages_, services_.session}, this);
  connect(services_.bridge, &SessionBridge::tracks_changed, events_, &EventsControl::set_tracks);
  connect(events_, &EventsControl::seek_requested, playback_, &PlaybackControl::go_to);
}

void MainWindow::connect_live() {
  live_ = new LiveControl(actions_, {health_, cameras_, events_, timeline_, transport_, services_.session},
                          {services_.credentials, services_.local_cameras}, this);
  connect(live_, &LiveControl::dock_wanted, this, [this] { bring_up(health_dock_); });
  connect(live_, &LiveControl::connecting, this, [this](const QString& camera) {
    status_line_->set_activity(tr("Connecting to %1 …").arg(camera));
  });
  connect(live_, &LiveControl::opening_started, this, [this] {
    messages_->clear();
    opening_ = true;
  });
}

}  // namespace vantage::ui
