#include "ui/main_window/panel_controls.h"

#include <QCursor>
#include <QToolTip>
#include <cmath>
#include <type_traits>

#include "core/session/evidence_text.h"
#include "ui/main_window/overlay_control.h"
#include "ui/panels/height_map_panel.h"
#include "ui/panels/log_panel.h"
#include "ui/panels/parameters_panel.h"
#include "ui/panels/timings_panel.h"
#include "ui/views/camera_grid.h"
#include "ui/views/scene_view.h"

namespace vantage::ui {

LogControl::LogControl(const WindowParts& parts) : Control(parts) {
  add_dock({"log", "&Log", "F9", "Show the log"}, "timings", tr("Log"), parts.log);
}

TimingsControl::TimingsControl(const WindowParts& parts) : Control(parts) {
  add_dock({"timings", "&Timings", "F8", "Show how long each stage takes"}, "checks", tr("Timings"),
           parts.timings);
  parts.timings->set_launches(parts.services.launches);
  connect(parts.timings, &TimingsPanel::work_requested, this, &TimingsControl::work_requested);
}

void TimingsControl::refresh(Changes what) {
  if (what.testFlag(Change::status))
    parts().timings->set_running(state().live() || state().status().analysing);
  if (!what.testFlag(Change::project) || !state().open()) return;
  std::vector<std::string> cameras;
  for (const ProjectCamera& camera : project().cameras) cameras.push_back(camera.name);
  parts().timings->set_cameras(std::move(cameras));
}

ParametersControl::ParametersControl(const WindowParts& parts) : Control(parts), panel_(new ParametersPanel) {
  add_dock({"parameters", "&Parameters", "F6", "Show the parameters"}, "trackers_dock", tr("Parameters"),
           panel_);
  connect_editing(panel_);
  connect_editing(parts.height_map);
}

template <typename Panel>
void ParametersControl::connect_editing(Panel* panel) {
  connect(panel, &Panel::edited, this,
          [this](const std::string& stage, const std::string& name, double value) {
            post(command::SetParameter{stage, name, value});
          });
  connect(panel, &Panel::reset_requested, this, [this](const std::string& stage, const std::string& name) {
    post(command::SetParameter{stage, name, std::nullopt});
  });
}

void ParametersControl::show_parameter(const QString& key) {
  emit dock_wanted();
  panel_->search_for(key);
}

namespace {

// Voxel size and region are the project's, and searched for here.
QString scene_hint(const Project& project) {
  const Result<VoxelGrid> grid =
      project.calibrated() ? project.effective_grid() : Result<VoxelGrid>(fail(ErrorKind::not_found, "none"));
  if (!grid)
    return ParametersControl::tr("Voxel size and region belong to the project, once it is calibrated.");
  const double side = grid->voxel_size_m;
  return ParametersControl::tr(
             "Voxel size and region belong to the project: voxels of %1 cm, a region of %2 \u00d7 %3 \u00d7 "
             "%4 m. "
             "Shift+R edits the region; a new project chooses the voxel size (vantage-cli new --voxel-size).")
      .arg(100 * side, 0, 'g', 3)
      .arg(side * grid->nx, 0, 'f', 1)
      .arg(side * grid->ny, 0, 'f', 1)
      .arg(side * grid->nz, 0, 'f', 1);
}

}  // namespace

void ParametersControl::refresh(Changes what) {
  if (!what.testFlag(Change::project)) return;
  if (state().open() && state().project_change().recording)
    panel_->set_hint({"voxel", "region", "grid", "resolution"}, scene_hint(project()));
  state().open() ? panel_->set_parameters(project().parameters) : panel_->clear();
}

namespace {

QStringList lines_of(const std::vector<std::string>& lines) {
  QStringList all;
  for (const std::string& line : lines) all << QString::fromStdString(line);
  return all;
}

}  // namespace

EvidenceControl::EvidenceControl(const WindowParts& parts) : Control(parts) {
  const auto connect_view = [this](auto* view) {
    using View = std::remove_pointer_t<decltype(view)>;
    connect(view, &View::person_pointed, this, [this](int64_t id) { person_ = id; });
    connect(view, &View::pointed, this, &EvidenceControl::point_at);
  };
  connect_view(parts.cameras);
  connect_view(parts.scene);
}

void EvidenceControl::forget() {
  person_ = 0;
  hover_text_.clear();
}

void EvidenceControl::point_at(const std::optional<Eigen::Vector3d>& position_in_world_m) {
  const bool shown = !hover_text_.isEmpty();
  hover_text_ = position_in_world_m || person_ > 0
                    ? text_at(position_in_world_m.value_or(Eigen::Vector3d::Zero()))
                    : QString();
  if (!hover_text_.isEmpty())
    QToolTip::showText(QCursor::pos(), hover_text_, parts().window);
  else if (shown)
    QToolTip::hideText();
}

// The evidence of the person whose body is under the pointer, else of the person or the rejected peak at the
// position.
QString EvidenceControl::text_at(const Eigen::Vector3d& position_in_world_m) const {
  const ShownPerson* nearest = nullptr;
  double nearest_m = kRing_m;
  for (const ShownPerson& person : parts().overlays->who().people()) {
    const double away_m =
        std::hypot(person.x_m - position_in_world_m.x(), person.y_m - position_in_world_m.y());
    if (person_ > 0 ? person.id == person_ : away_m <= nearest_m) nearest = &person, nearest_m = away_m;
  }
  if (nearest && state().shown() && nearest->place >= 0) {
    const QStringList lines =
        lines_of(person_evidence_text(project(), *state().shown(), static_cast<size_t>(nearest->place)));
    const QString name = nearest->id > 0 ? tr("%1: ").arg(parts().overlays->called(nearest->id)) : QString();
    if (!lines.isEmpty()) return name + lines.join('\n');
  }
  const QString rejected = nearest ? QString() : parts().overlays->rejected_because(position_in_world_m);
  return rejected.isEmpty() ? QString() : tr("not a person: %1").arg(rejected);
}

}  // namespace vantage::ui
