#include "ui/main_window/views_control.h"

#include "ui/main_window/held_keys.h"
#include "ui/main_window/overlay_control.h"
#include "ui/main_window/result_words.h"
#include "ui/main_window/status_line.h"
#include "ui/panels/height_map_panel.h"
#include "ui/platform/session_bridge.h"
#include "ui/views/camera_grid.h"
#include "ui/views/scene_view.h"

namespace vantage::ui {

ViewsControl::ViewsControl(const WindowParts& parts) : Control(parts) {
  connect_views();
  const auto on = [this](QAction* action, auto command) {
    connect(action, &QAction::triggered, this, command);
  };
  const auto& a = actions();
  on(a.all_cameras, [this] { this->parts().cameras->enlarge(std::nullopt); });
  for (size_t i = 0; i < a.cameras.size(); ++i)
    on(a.cameras[i], [this, i] { this->parts().cameras->enlarge(static_cast<int>(i)); });
  on(a.top, [this](bool top) { this->parts().scene->set_top(top); });
  on(a.reset_scene, [this] { this->parts().scene->reset(); });
}

void ViewsControl::connect_views() {
  CameraGrid* cameras = parts().cameras;
  StatusLine* status_line = parts().status_line;
  connect(cameras, &CameraGrid::surface_ready, status_line, &StatusLine::set_surface);
  connect(cameras, &CameraGrid::flow_pointed, status_line, &StatusLine::set_flow);
  connect(cameras, &CameraGrid::enlarged_changed, this, &ViewsControl::update_cameras);
  connect(cameras, &CameraGrid::pointed, this, &ViewsControl::point_at);
  connect(parts().scene, &SceneView::pointed, this, &ViewsControl::point_at);
  connect(parts().held, &HeldKeys::bare_changed, cameras, &CameraGrid::set_bare);
  connect(parts().services.bridge, &SessionBridge::results_changed, parts().timeline,
          [timeline = parts().timeline](const std::vector<FrameSummary>& frames) {
            timeline->set_frames(frames);
          });
}

// The pictures stay until there are others.
void ViewsControl::forget() {
  parts().scene->clear();
}

void ViewsControl::refresh(Changes what) {
  if (what.testFlag(Change::project)) state().open() ? show_project() : show_nothing();
  if (what.testFlag(Change::status)) parts().height_map->set_playing(state().status().playing);
  if (what.testFlag(Change::frame)) show_frame();
  if (what & (Change::project | Change::mode | Change::frame | Change::range)) show_hint();
}

void ViewsControl::show_project() {
  parts().cameras->set_cameras(project().cameras);
  parts().scene->set_project(project());
  parts().height_map->set_project(project());
  parts().timeline->set_people_shown(project().calibrated());
  update_cameras();
}

void ViewsControl::show_nothing() {
  parts().cameras->show_result(nullptr);
  parts().cameras->set_cameras({});
  parts().height_map->clear();
  parts().timeline->set_frames({});
}

void ViewsControl::show_frame() {
  const FrameResultRef& result = state().shown()->result;
  parts().cameras->show_result(result);
  parts().scene->show_result(result);
  parts().height_map->show_result(result);
}

void ViewsControl::show_hint() {
  const ShownFrameRef& shown = state().shown();
  // Pictures of a frame whose people are known from the results need no word.
  const bool recorded = shown && !shown->result->volume() && shown->people();
  if (!shown || state().status().analysing || recorded) return parts().scene->set_hint({}, nullptr);
  const SceneWords words = scene_text(project(), *shown);
  const bool offers_analysis = words.state == SceneState::not_analysed;
  if (state().live() && offers_analysis) return parts().scene->set_hint({}, nullptr);
  QAction* analyse = state().range().empty() ? actions().analyse_all : actions().analyse_range;
  parts().scene->set_hint(words.text, offers_analysis ? analyse : nullptr);
}

void ViewsControl::point_at(const std::optional<Eigen::Vector3d>& point_in_world_m) {
  parts().cameras->set_pointed(point_in_world_m);
  parts().scene->set_pointed(point_in_world_m);
  QStringList words;
  if (point_in_world_m) {
    const OverlayControl& overlays = *parts().overlays;
    words << (project().calibrated() ? place_words(project(), *point_in_world_m) : QString());
    const QString person = overlays.person_words(*point_in_world_m);
    if (!person.isEmpty()) words << person;
    const QString rejected = overlays.rejected_because(*point_in_world_m);
    if (!rejected.isEmpty()) words << tr("not a person: %1").arg(rejected);
  }
  parts().status_line->set_place(words.join("; "));
}

void ViewsControl::update_cameras() {
  const int count = parts().cameras->camera_count();
  for (size_t i = 0; i < actions().cameras.size(); ++i) {
    QAction* action = actions().cameras[i];
    const bool exists = static_cast<int>(i) < count;
    action->setVisible(exists);
    action->setEnabled(exists);
    if (exists) action->setText(QString::fromStdString(project().cameras[i].name).replace("&", "&&"));
  }
  set_available(actions().all_cameras, parts().cameras->enlarged().has_value(), tr("All cameras are shown."));
}

void ViewsControl::update_availability() {
  const auto& a = actions();
  for (QAction* action : {a.layout_both, a.layout_cameras, a.layout_scene, a.top, a.reset_scene})
    enable(action);
  enable(a.layout_height_map, project().calibrated(), tr("Height maps need a calibration."));
}

}  // namespace vantage::ui
