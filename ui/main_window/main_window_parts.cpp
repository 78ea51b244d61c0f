// Playback, exports, recovery, checks, offsets, people, zones and lines, the comparison of trackers, events
// and live cameras, joined to session and views.

#include "ui/main_window/crash_recovery.h"
#include "ui/main_window/events_control.h"
#include "ui/main_window/export_control.h"
#include "ui/main_window/file_control.h"
#include "ui/main_window/floor_control.h"
#include "ui/main_window/live_control.h"
#include "ui/main_window/main_window.h"
#include "ui/main_window/overlay_control.h"
#include "ui/main_window/people_control.h"
#include "ui/main_window/playback_control.h"
#include "ui/main_window/serve_control.h"
#include "ui/main_window/status_line.h"
#include "ui/main_window/trackers_control.h"
#include "ui/main_window/window_tool_bar.h"
#include "ui/main_window/workspace.h"
#include "ui/panels/checks_button.h"
#include "ui/panels/checks_panel.h"
#include "ui/panels/floor_panel.h"
#include "ui/panels/health_panel.h"
#include "ui/panels/people_panel.h"
#include "ui/panels/sync_panel.h"
#include "ui/panels/timings_panel.h"
#include "ui/panels/trackers_panel.h"
#include "ui/platform/session_bridge.h"
#include "ui/views/camera_grid.h"
#include "ui/widgets/timeline.h"

namespace vantage::ui {

void MainWindow::connect_files() {
  exports_ = new ExportControl(actions_, messages_, [this] { return problem_words(); }, this);
  connect(exports_, &ExportControl::failed, this, &MainWindow::on_error);
  connect(panels().timings, &TimingsPanel::work_requested, exports_, &ExportControl::in_background);
  files_ = new FileControl(messages_, services_.session, this);
  connect(files_, &FileControl::save_as_requested, this, &MainWindow::save_as);
  connect(files_, &FileControl::open_requested, this, &MainWindow::open_project);
  connect(files_, &FileControl::failed, this, &MainWindow::on_error);
  recovery_ = new CrashRecovery(services_.marker, messages_, services_.session, this);
  connect(recovery_, &CrashRecovery::open_requested, this, &MainWindow::open_project);
  connect(recovery_, &CrashRecovery::layout_requested, this, &MainWindow::restore_look_set_aside);
}

void MainWindow::connect_playback() {
  playback_ = new PlaybackControl(
      actions_, {workspace_->timeline(), workspace_->transport(), workspace_->held(), services_.session},
      this);
  connect(playback_, &PlaybackControl::range_changed, this, [this] {
    update_availability();
    show_scene_words();
  });
}

void MainWindow::connect_checks() {
  check_ = new CheckControl(actions_, {panels().checks, messages_, services_.session}, services_.check, this);
  connect(check_, &CheckControl::dock_wanted, this, [this] { docks_->bring_up(panels().checks); });
  connect(check_, &CheckControl::counted, toolbar_->checks(), &ChecksButton::show_counts);
  connect(check_, &CheckControl::camera_requested, workspace_->cameras(), &CameraGrid::enlarge);
  connect(check_, &CheckControl::seek_requested, playback_, &PlaybackControl::go_to);
  connect(check_, &CheckControl::running_changed, this, [this] {
    show_activity();
    update_availability();
  });
}

// What live cameras will send cannot be checked before.
void MainWindow::analyse(FrameRange frames) {
  if (status_.live) return services_.session->post(command::Analyse{frames});
  if (check_->available() && status_.playing) services_.session->post(command::Pause{});
  check_->analyse(frames);
}

void MainWindow::connect_sync() {
  sync_ = new SyncControl(actions_, {panels().sync, panels().proposal_card, messages_, services_.session},
                          services_.align, services_.agreement, this);
  connect(sync_, &SyncControl::dock_wanted, this, [this] { docks_->bring_up(panels().sync); });
  connect(sync_, &SyncControl::running_changed, this, [this] {
    show_activity();
    update_availability();
  });
  connect(services_.bridge, &SessionBridge::offset_proposed, sync_, &SyncControl::take_watched);
  connect(sync_, &SyncControl::proposals_changed, this, [this] {
    if (!status_.live) workspace_->cameras()->set_states(sync_->states());
    update_availability();
  });
  connect(sync_, &SyncControl::lines_changed, workspace_->cameras(), &CameraGrid::set_epipolar_lines);
}

void MainWindow::connect_people() {
  people_ = new PeopleControl(
      actions_,
      {panels().people, workspace_->cameras(), workspace_->scene(), overlays_, messages_, services_.session},
      this);
  connect(services_.bridge, &SessionBridge::tracks_changed, overlays_, &OverlayControl::set_tracks);
  connect(services_.bridge, &SessionBridge::tracks_changed, people_, &PeopleControl::set_tracks);
  connect(people_, &PeopleControl::seek_requested, playback_, &PlaybackControl::go_to);
  connect(people_, &PeopleControl::step_requested, playback_, &PlaybackControl::step);
  connect(people_, &PeopleControl::following_changed, this, &MainWindow::update_availability);
}

void MainWindow::connect_floor() {
  floor_ = new FloorControl(
      actions_,
      {panels().floor, workspace_->cameras(), workspace_->scene(), overlays_, messages_, services_.session},
      this);
  connect(services_.bridge, &SessionBridge::tracks_changed, floor_, &FloorControl::set_tracks);
  connect(floor_, &FloorControl::drawing_changed, this, &MainWindow::update_availability);
  connect(floor_, &FloorControl::work_requested, exports_, &ExportControl::in_background);
  connect(floor_, &FloorControl::dock_wanted, this, [this] { docks_->bring_up(panels().floor); });
}

void MainWindow::connect_trackers() {
  trackers_ = new TrackersControl(actions_, panels().trackers, overlays_, this);
  connect(services_.bridge, &SessionBridge::tracks_changed, trackers_, &TrackersControl::set_tracks);
  connect(services_.bridge, &SessionBridge::tracks_changed, this, &MainWindow::update_availability);
  connect(trackers_, &TrackersControl::seek_requested, playback_, &PlaybackControl::go_to);
}

void MainWindow::connect_events() {
  events_ = new EventsControl(actions_,
                              {panels().events, workspace_->cameras(), messages_, services_.session}, this);
  connect(services_.bridge, &SessionBridge::tracks_changed, events_, &EventsControl::set_tracks);
  connect(events_, &EventsControl::seek_requested, playback_, &PlaybackControl::go_to);
  connect(events_, &EventsControl::events_changed, workspace_->timeline(), &Timeline::set_events);
}

void MainWindow::connect_live() {
  live_ = new LiveControl(actions_,
                          {panels().health, workspace_->cameras(), events_, workspace_->timeline(),
                           workspace_->transport(), services_.session},
                          {services_.credentials, services_.local_cameras}, this);
  connect(live_, &LiveControl::dock_wanted, this, [this] { docks_->bring_up(panels().health); });
  connect(live_, &LiveControl::connecting, this, [this](const QString& camera) {
    status_line_->set_activity(tr("Connecting to %1 …").arg(camera));
  });
  connect(live_, &LiveControl::opening_started, this, [this] {
    messages_->clear();
    opening_ = true;
  });
}

void MainWindow::connect_serving() {
  serve_ = new ServeControl(actions_, {messages_, status_line_->serving()}, services_.result_service,
                            services_.credentials, this);
}

}  // namespace vantage::ui
