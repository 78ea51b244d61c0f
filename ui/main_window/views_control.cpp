#include "ui/main_window/views_control.h"

#include <QActionGroup>
#include <algorithm>

#include "core/project/camera_in_time.h"
#include "ui/main_window/calibrate/proposal.h"
#include "ui/main_window/focus_keys.h"
#include "ui/main_window/overlay_control.h"
#include "ui/main_window/result_text.h"
#include "ui/main_window/status_line.h"
#include "ui/panels/height_map_panel.h"
#include "ui/platform/session_bridge.h"
#include "ui/views/camera_grid.h"
#include "ui/views/scene_view.h"

namespace vantage::ui {

ViewsControl::ViewsControl(const WindowParts& parts) : Control(parts), layouts_(new QActionGroup(this)) {
  using Layout = Workspace::Layout;
  const auto layout = [this](const ActionSpec& spec, Layout chosen, WhyNot why_not) {
    return layouts_->addAction(add_action(
        spec, {Menu::layout, nullptr, chosen == Layout::both},
        [this, chosen] { this->parts().workspace->choose(chosen); }, std::move(why_not)));
  };
  layout({"layout_both", "Cameras and &Scene", "Ctrl+1", "Show cameras and scene side by side", true},
         Layout::both, needs_project);
  layout({"layout_cameras", "&Cameras Only", "Ctrl+2", "Show only the cameras", true}, Layout::cameras,
         needs_project);
  layout({"layout_scene", "S&cene Only", "Ctrl+3", "Show only the scene", true}, Layout::scene,
         needs_project);
  layout({"layout_height_map", "&Height Map", "Ctrl+4", "Show and tune the height map of the current frame",
          true},
         Layout::height_map,
         [this] { return unmet({{project().calibrated(), tr("Height maps need a calibration.")}}); })
      ->setVisible(parts.services.height_study != nullptr);
  all_cameras_ = add_action({"all_cameras", "&All Cameras", "0", "Show all cameras"}, {Menu::cameras},
                            [this] { this->parts().cameras->enlarge(std::nullopt); });
  add_action(
      {"top", "From &Top", "M", "Look at the scene from above, as a map", true}, {Menu::scene},
      [this](bool top) { this->parts().scene->set_top(top); }, needs_project);
  add_action(
      {"reset_scene", "&Reset View", "Ctrl+0", "Show the whole scene again"}, {Menu::scene},
      [this] { this->parts().scene->reset(); }, needs_project);
  for (size_t i = 0; i < cameras_.size(); ++i) {
    const QByteArray number = QByteArray::number(static_cast<int>(i) + 1);
    const QByteArray name = "camera_" + number;
    // Behind the ninth, Shift adds ten.
    const QByteArray key = i < 9 ? number : "Shift+" + QByteArray::number(static_cast<int>(i) - 9);
    cameras_[i] = add_action({name, "Camera %1", key, "Show this camera alone"}, {Menu::cameras},
                             [this, i] { this->parts().cameras->enlarge(static_cast<int>(i)); });
    cameras_[i]->setText(cameras_[i]->text().arg(i + 1));
  }
  connect(parts.workspace, &Workspace::layout_chosen, this, [this](Workspace::Layout layout) {
    layouts_->actions().at(static_cast<qsizetype>(layout))->setChecked(true);
  });
  connect_views();
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
  const Proposal* proposal = parts().proposal;
  connect(proposal, &Proposal::cameras_changed, this, [this] {
    if (state().open() && !project().calibrated()) show_cameras();
  });
  for (const auto changed : {&Proposal::solving_changed, &Proposal::found, &Proposal::dropped})
    connect(proposal, changed, this, &ViewsControl::show_hint);
  connect(parts().services.bridge, &SessionBridge::results_changed, parts().timeline,
          [this](const std::vector<FrameSummary>& frames) {
            if (state().open()) parts().timeline->set_frames(frames);
          });
}

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
  show_cameras();
  parts().timeline->set_people_shown(project().calibrated());
  update_cameras();
}

// As they stand at the frame that is shown.
void ViewsControl::show_cameras() {
  const ShownFrameRef& shown = state().shown();
  const int64_t frame = shown ? shown->result->frame : 0;
  const Project then = project_at(project(), frame);
  parts().cameras->set_cameras(then.cameras);
  show_scene(then);
  parts().height_map->set_project(then);
  shown_span_ = calibration_span(project(), frame);
}

// The scene of a project without a calibration shows cameras as they are found and proposed.
void ViewsControl::show_scene(Project then) {
  if (!project().calibrated())
    for (const Camera& found : parts().proposal->found_cameras())
      for (ProjectCamera& camera : then.cameras)
        if (camera.name == found.name()) camera.calibration = found;
  parts().scene->set_project(then);
}

void ViewsControl::show_nothing() {
  parts().cameras->show_result(nullptr);
  parts().cameras->set_cameras({});
  parts().height_map->clear();
  parts().timeline->set_frames({});
}

void ViewsControl::show_frame() {
  const FrameResultRef& result = state().shown()->result;
  if (calibration_span(project(), result->frame) != shown_span_) show_cameras();
  parts().cameras->show_result(result);
  parts().scene->show_result(result);
  parts().height_map->show_result(result);
}

void ViewsControl::show_hint() {
  const ShownFrameRef& shown = state().shown();
  // Pictures of a frame whose people are known from the results need no word.
  const bool recorded = shown && !shown->result->volume() && shown->people();
  if (!shown || state().status().analysing || recorded) return parts().scene->set_hint({}, nullptr);
  const SceneText words = scene_text(project(), *shown);
  if (words.state == SceneState::needs_calibration) return show_first_step(words.text);
  const bool offers_analysis = words.state == SceneState::not_analysed;
  if (state().live() && offers_analysis) return parts().scene->set_hint({}, nullptr);
  QAction* analyse = action(state().range().empty() ? "analyse_all" : "analyse_range");
  parts().scene->set_hint(words.text, offers_analysis ? analyse : nullptr);
}

// Without a calibration: what gives one, then what is found and proposed.
void ViewsControl::show_first_step(const QString& text) {
  const Proposal& proposal = *parts().proposal;
  if (proposal.solving()) return parts().scene->set_hint(tr("Cameras are being solved…"), nullptr);
  if (proposal.proposed() && proposal.proposed()->change)
    return parts().scene->set_hint(tr("These cameras are proposed; nothing has changed yet."),
                                   action("apply_calibration"));
  if (project().has_detections()) return parts().scene->set_hint(text, action("solve_footage"));
  parts().scene->set_hint(
      text + QChar(' ') +
          tr("Solve one in the Calibrate dock: from a board or, if the project detects people, from them."),
      nullptr);
}

void ViewsControl::point_at(const std::optional<Eigen::Vector3d>& point_in_world_m) {
  parts().cameras->set_pointed(point_in_world_m);
  parts().scene->set_pointed(point_in_world_m);
  QStringList words;
  if (point_in_world_m) {
    const OverlayControl& overlays = *parts().overlays;
    const ShownFrameRef& shown = state().shown();
    words << (project().calibrated()
                  ? position_text(project(), shown ? shown->result->frame : 0, *point_in_world_m)
                  : QString());
    const QString layer = overlays.layer_text(*point_in_world_m);
    if (!layer.isEmpty()) words << layer;
    const QString person = overlays.person_text(*point_in_world_m);
    if (!person.isEmpty()) words << person;
    const QString rejected = overlays.rejected_because(*point_in_world_m);
    if (!rejected.isEmpty()) words << tr("not a person: %1").arg(rejected);
  }
  parts().status_line->set_position(words.join("; "));
}

void ViewsControl::update_cameras() {
  const int count = parts().cameras->camera_count();
  for (size_t i = 0; i < cameras_.size(); ++i) {
    QAction* action = cameras_[i];
    const bool exists = static_cast<int>(i) < count;
    action->setVisible(exists);
    action->setEnabled(exists);
    if (exists) action->setText(QString::fromStdString(project().cameras[i].name).replace("&", "&&"));
  }
  set_available(all_cameras_, parts().cameras->enlarged().has_value(), tr("All cameras are shown."));
}

}  // namespace vantage::ui
