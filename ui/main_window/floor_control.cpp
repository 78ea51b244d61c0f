#include "ui/main_window/floor_control.h"

#include <QFileDialog>
#include <QSettings>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/project/rename.h"
#include "core/tracks/counting/entrances.h"
#include "ui/main_window/floor_shapes.h"
#include "ui/main_window/overlay_control.h"
#include "ui/views/camera_grid.h"
#include "ui/views/scene_view.h"
#include "ui/widgets/message_bar.h"

namespace vantage::ui {
namespace {

constexpr double kMapCell_m = 0.1;

// The name, and the use of a zone that is not for counting.
QString shape_text(const Project& project, const FloorShapeRef& shape) {
  const QString name = QString::fromStdString(name_of(project, shape));
  const ZoneKind kind = shape.zone ? project.zones[shape.index].kind : ZoneKind::counted;
  if (kind == ZoneKind::counted) return name;
  return name + QStringLiteral(" \u00b7 ") +
         (kind == ZoneKind::entrance ? FloorControl::tr("entrance") : FloorControl::tr("area"));
}

bool about(const FloorRule& rule, const FloorShapeRef& shape, const std::string& name) {
  return rule.where == name && (rule.kind == RuleKind::crosses) != shape.zone;
}

FloorCells cells_of(const VoxelGrid& grid) {
  const auto count = [&](int voxels) {
    return static_cast<int>(std::ceil(voxels * grid.voxel_size_m / kMapCell_m));
  };
  return {grid.origin_in_world_m[0], grid.origin_in_world_m[1], kMapCell_m, count(grid.nx), count(grid.ny)};
}

}  // namespace

FloorControl::FloorControl(const WindowParts& parts) : Control(parts) {
  const auto calibrated = [this] {
    return unmet({{project().calibrated(), tr("Zones and lines need a calibration.")}});
  };
  shapes_ = add_switch(
      {"shapes", "&Zones and Lines", "Z", "Show the zones and lines drawn on the floor"},
      {Menu::overlays, "coverage"}, [this] { show_shapes(); }, calibrated);
  QAction* zone = add_action(
      {"draw_zone", "Draw &Zone", "Shift+Z",
       "Click the zone's corners on the floor; Return or a double-click ends it, Esc cancels"},
      {Menu::scene, "copy_why", true}, [this] { start_drawing({true, {}, tr("new zone"), {}}); }, calibrated);
  QAction* line = add_action(
      {"draw_line", "Draw &Line", "Shift+L",
       "Click the line's two ends on the floor; people who cross it are counted"},
      {Menu::scene, "draw_zone"}, [this] { start_drawing({false, {}, tr("new line"), {}}); }, calibrated);
  keep_switch(shapes_, "shapes", true);
  move_corners_ = add_switch(
      {"move_corners", "Move &Corners", "Shift+M", "Drag the corners of zones and lines", true, "Corners"},
      {Menu::scene, "draw_line"},
      [this](bool on) {
        if (on) emit tool_begun();
        update_tool();
        show_shapes();
      },
      [this] {
        return unmet(
            {{!project().zones.empty() || !project().lines.empty(), tr("Draw a zone or a line first.")}});
      });
  QAction* remove = add_action(
      {"delete_shape", "&Delete Zone or Line", "Ctrl+Shift+Del",
       "Delete the chosen zone or line, with its rules", false, "Delete"},
      {Menu::scene, "move_corners"}, [this] { this->remove(); },
      [this] {
        return unmet({{panel_->chosen().has_value(), tr("Choose a zone or a line in the list first.")}});
      });
  QAction* learn = add_action(
      {"learn_entrances", "L&earn Entrances", "Ctrl+Alt+Z",
       "Make zones where tracks begin and end; paths then begin and end only there", false, "Learn"},
      {Menu::scene, "delete_shape"}, [this] { this->learn(); },
      [this] {
        return unmet({{state().tracks() && !state().tracks()->frames.empty(), tr("Analyse first.")}});
      });
  add_action(
      {"export_counts", "C&ounts…", "Ctrl+Shift+T",
       "Export crossings, people in zones, visits and walks as CSV"},
      {Menu::file_export, "export_results"}, [this] { export_counts(); },
      [this] {
        return unmet(
            {{counted_ && counted_->counts && !counted_->people.frames.empty(), tr("Analyse first.")}});
      });
  panel_ = new FloorPanel({zone, line, move_corners_, remove, learn});
  add_dock({"floor_dock", "&Zones and Lines", "F3",
            "Show counts in zones and across lines, and how the floor was used"},
           "people_dock", tr("Zones and Lines"), panel_);
  connect(panel_, &FloorPanel::chosen_by_hand, this, [this] {
    show_shapes();
    update_availability();
  });
  connect(panel_, &FloorPanel::renamed, this, &FloorControl::rename);
  connect(panel_, &FloorPanel::corners_typed, this, &FloorControl::set_corners);
  connect(panel_, &FloorPanel::kind_chosen, this, &FloorControl::set_kind);
  connect(panel_, &FloorPanel::map_changed, this, &FloorControl::count);
  connect(parts.cameras, &CameraGrid::pointed, this, &FloorControl::point_at);
  connect(parts.scene, &SceneView::pointed, this, &FloorControl::point_at);
  parts.cameras->installEventFilter(this);
  parts.scene->installEventFilter(this);
}

// The views live longer.
FloorControl::~FloorControl() {
  parts().cameras->set_floor_tool(nullptr);
  parts().scene->set_floor_tool(nullptr);
}

// ---- the project

void FloorControl::refresh(Changes what) {
  if (what.testFlag(Change::project) && state().open()) take_project();
  if (what.testFlag(Change::tracks)) count();
  if (what.testFlag(Change::frame)) panel_->set_frame(state().shown()->result->frame);
}

void FloorControl::take_project() {
  const ProjectChange& change = state().project_change();
  const uint64_t carving = project().parameters.hash("carving");
  const bool counted_same = !change.floor && !change.recording && carving == counted_by_;
  counted_by_ = carving;
  if (!counted_same) counted_.reset();
  show_project();
  if (!counted_same) count();
}

void FloorControl::show_project() {
  dragged_.reset();
  panel_->show_project(project(), counted_ ? &counted_->people : nullptr,
                       counted_ && counted_->counts ? &*counted_->counts : nullptr);
  show_shapes();
}

void FloorControl::forget() {
  cancel();
  move_corners_->setChecked(false);
  job_.stop();
  again_ = false;
  counted_.reset();
  also_.reset();
  panel_->show_project({}, nullptr, nullptr);
  parts().overlays->set_shapes({});
  parts().overlays->set_floor_use(nullptr, {});
}

std::vector<FloorShapeRef> FloorControl::shapes() const {
  std::vector<FloorShapeRef> all;
  for (size_t i = 0; i < project().zones.size(); ++i) all.push_back({true, i});
  for (size_t i = 0; i < project().lines.size(); ++i) all.push_back({false, i});
  return all;
}

void FloorControl::show_shapes() {
  std::vector<MarkedShape> marked;
  const auto chosen = panel_->chosen();
  if (shapes_->isChecked() || drawn_ || move_corners_->isChecked())
    for (const FloorShapeRef& shape : shapes()) {
      const bool moved = dragged_ && dragged_->shape == shape;
      MarkedShape mark{shape_text(project(), shape),
                       moved ? dragged_->corners_m : corners_of(project(), shape),
                       shape.zone,
                       chosen == shape,
                       move_corners_->isChecked(),
                       false};
      if (counted_ && counted_->counts)
        mark.doubtful = shape.zone ? !counted_->counts->zones[shape.index].covered()
                                   : !counted_->counts->lines[shape.index].covered();
      marked.push_back(std::move(mark));
    }
  if (drawn_) {
    MarkedShape mark{drawn_->name, drawn_->corners_m, drawn_->zone, true, true, false};
    if (pointed_) mark.corners_m.push_back(*pointed_);
    marked.push_back(std::move(mark));
  }
  if (also_) marked.push_back(*also_);
  parts().overlays->set_shapes(std::move(marked));
}

// ---- changes

void FloorControl::set_corners(const FloorShapeRef& shape, const std::vector<Eigen::Vector2d>& corners_m) {
  if (!takes(shape.zone, corners_m)) return;
  const std::string name = warn_about_ = name_of(project(), shape);
  post(command::Edit{"corners of " + name, [=](Project& project) {
                       if (FloorZone* zone = shape.zone ? zone_named(project, name) : nullptr)
                         zone->corners_m = corners_m;
                       FloorLine* line = shape.zone ? nullptr : line_named(project, name);
                       if (line) line->from_m = corners_m[0], line->to_m = corners_m[1];
                     }});
}

void FloorControl::rename(const FloorShapeRef& shape, const QString& name) {
  const NamedPart part = shape.zone ? NamedPart::zone : NamedPart::line;
  const std::string before = name_of(project(), shape), after = name.toStdString();
  Project tried = project();
  if (const Status fits = rename_part(&tried, part, before, after); !fits) {
    emit failed(fits.error());
    return show_project();
  }
  if (before != after)
    post(command::Edit{"rename " + before, [=](Project& project) {
                         static_cast<void>(rename_part(&project, part, before, after));
                       }});
}

void FloorControl::remove() {
  const auto shape = panel_->chosen();
  if (!shape) return;
  const std::string name = name_of(project(), *shape);
  post(command::Edit{"delete " + name, [shape = *shape, name](Project& project) {
                       std::erase_if(project.rules,
                                     [&](const FloorRule& rule) { return about(rule, shape, name); });
                       const auto is_it = [&](const auto& one) { return one.name == name; };
                       if (shape.zone)
                         std::erase_if(project.zones, is_it);
                       else
                         std::erase_if(project.lines, is_it);
                     }});
}

void FloorControl::set_kind(const FloorShapeRef& shape, ZoneKind kind) {
  if (!shape.zone || project().zones[shape.index].kind == kind) return;
  const std::string name = name_of(project(), shape);
  post(command::Edit{"kind of " + name, [=](Project& project) {
                       if (FloorZone* zone = zone_named(project, name)) zone->kind = kind;
                     }});
}

// Makes entrances where tracks begin and end, in place of those learned before.
void FloorControl::learn() {
  const TracksRef& tracks = state().tracks();
  if (!tracks || tracks->frames.empty()) return;
  const std::vector<LearnedEntrance> learned =
      learn_entrances(tracks->paths, {tracks->frames.front(), tracks->frames.back()}, tracks->frame_rate);
  if (learned.empty()) {
    parts().messages->post(
        {Severity::doubtful,
         tr("No entrance was learned: no place where at least %1 tracks begin or end.").arg(kMinUses)});
    return;
  }
  post(command::Edit{"learn entrances", [learned](Project& project) {
                       for (const LearnedEntrance& one : learned) {
                         std::erase_if(project.zones,
                                       [&](const FloorZone& zone) { return zone.name == one.zone.name; });
                         project.zones.push_back(one.zone);
                       }
                     }});
  shapes_->setChecked(true);
}

// ---- counting

void FloorControl::count() {
  again_ = job_.running();
  if (again_ || !project().calibrated()) return;
  job_.start([this, project = project(), tracks = state().tracks(),
              kind = panel_->map()](const StopSource&) -> BackgroundJob::Deliver {
    auto counted = std::make_shared<Counted>(Counted{{}, FloorCounts{}, {}});
    if (tracks)
      counted->people = {tracks->paths, tracks->frames, tracks->known_frames, tracks->frame_rate,
                         tracks->names};
    if (const Result<CoveredShares> covered = covered_shares(project))
      counted->counts = count_floor(counted->people, project, *covered);
    else
      counted->counts = fail(covered.error());
    if (const Result<VoxelGrid> grid = project.effective_grid(); grid && kind && tracks)
      counted->map = floor_use_map(floor_use(tracks->paths, cells_of(*grid), tracks->frame_rate), *kind);
    return [this, counted, project] {
      if (difference(project, this->project()).floor) return count();  // the count is of an older project
      on_counted(counted);
      if (again_) count();
    };
  });
}

void FloorControl::on_counted(std::shared_ptr<const Counted> counted) {
  counted_ = std::move(counted);
  panel_->show_project(project(), &counted_->people, counted_->counts ? &*counted_->counts : nullptr);
  parts().overlays->set_floor_use(
      counted_->map ? std::make_shared<const FloorPicture>(floor_use_picture(*counted_->map)) : nullptr,
      counted_->map ? QString::fromStdString(counted_->map->words) : QString());
  panel_->set_map_text(counted_->map ? QString::fromStdString(counted_->map->words) : QString());
  show_shapes();
  warn_of_coverage();
  update_availability();
}

void FloorControl::warn_of_coverage() {
  const std::string name = std::exchange(warn_about_, {});
  if (name.empty() || !counted_->counts) return;
  for (const FloorShapeRef& shape : shapes()) {
    const double share = shape.zone ? counted_->counts->zones[shape.index].covered_share
                                    : counted_->counts->lines[shape.index].covered_share;
    if (name_of(project(), shape) != name || share >= kCoveredEnough) continue;
    const QString what =
        tr("Cameras cover %1 % of %2").arg(100 * share, 0, 'f', 0).arg(QString::fromStdString(name));
    parts().messages->post(
        {Severity::doubtful, shape.zone ? tr("%1: the number of people in it is unknown.").arg(what)
                                        : tr("%1: crossings may be missed.").arg(what)});
  }
}

void FloorControl::export_counts() {
  if (!counted_ || !counted_->counts) return;
  const QString folder = QFileDialog::getExistingDirectory(panel_, tr("Export Counts Into"));
  if (folder.isEmpty()) return;
  emit work_requested(
      [counted = counted_, project = project(), to = std::filesystem::path(folder.toStdString())] {
        return write_counts(to, counted->people, project, *counted->counts);
      },
      tr("Counts written to %1: crossings, zones, visits and people as CSV.").arg(folder));
}

}  // namespace vantage::ui
