// The commands of the overlays: how they are declared, connected, and kept in the settings.
#include <QSettings>
#include <algorithm>
#include <iterator>

#include "ui/main_window/overlay_control.h"
#include "ui/views/camera_grid.h"
#include "ui/views/scene_view.h"
#include "ui/widgets/message_bar.h"

namespace vantage::ui {
namespace {

constexpr int kArrowSpacings_px[] = {0, 8, 16, 32, 64};

QStringList style_names() {
  return {"box", "ring", "number"};
}

}  // namespace

void OverlayControl::add_actions() {
  const MenuPosition place{Menu::overlays};
  const auto calibrated = [this] {
    return unmet({{project().calibrated(), tr("3-D and people need a calibration.")}});
  };
  const auto marks = [this] { update_marks(); };
  // Kept in the settings; `on` where they have none.
  const auto shown = [&](const ActionSpec& spec, auto changed, WhyNot why_not, bool on = true) {
    QAction* action = add_switch(spec, place, changed, std::move(why_not));
    keep_switch(action, spec.name, on);
    return action;
  };
  CameraGrid* cameras = parts().cameras;
  SceneView* scene = parts().scene;
  shown(
      {"foreground", "&Foreground", "F", "Show what differs from the empty scene (hold X for bare footage)"},
      [cameras](bool on) { cameras->set_foreground_visible(on); }, needs_project);
  people_ = shown({"people", "&People", "P", "Show where people are, with their IDs"}, marks, calibrated);
  add_action(
      {"people_style", "People as Box, Ri&ng or ID", "Shift+P",
       "Mark people by a box, a ring on the floor, or their ID alone"},
      place, [this] { next_people_style(); }, calibrated);
  trails_ =
      shown({"trails", "&Trails", "T", "Show where people walked in the last seconds"}, marks, calibrated);
  shown(
      {"volume", "&Volume", "V", "Show the carved volume in the scene"},
      [scene](bool on) { scene->set_volume_visible(on); }, calibrated);
  shown(
      {"color_by_person", "&Colour by Person", "Shift+V", "Colour the volume by person; off: by height"},
      [scene](bool on) { scene->set_color_by_person(on); }, calibrated);
  floor_map_switch_ =
      shown({"floor_map", "Floor &Map", "G", "Show the occupied volume above each cell of the floor"}, marks,
            calibrated, false);
  heads_ = shown({"heads", "&Heads", "H", "Show the heads found in each picture"}, marks, needs_project);
  detections_ = shown(
      {"detections", "D&etections", "Shift+D", "Show the people detected in each picture, with their scores"},
      marks, [this] {
        return unmet(
            {{project().has_detections(), tr("The project names neither a model nor files of detections.")}});
      });
  skeletons_ = shown({"skeletons", "S&keletons", "Shift+J", "Show the joints of people, connected by limbs"},
                     marks, [this] {
                       return unmet({{project().calibrated() && project().has_detections(),
                                      tr("Skeletons need a calibration and detections with joints.")}});
                     });
  slice_ = add_switch(
      {"cut", "Sl&ice Plane", "U", "Show the confidence on a slice through the volume"}, place,
      [this](bool on) { set_cut(on, 0); }, calibrated);
  const auto sliced = [this] {
    return unmet({{slice_->isChecked(), tr("Show the slice plane (U) first.")}});
  };
  add_action(
      {"cut_turn", "Turn Sli&ce", "Shift+U", "Slice horizontally, then across x, then across y"}, place,
      [this] { turn_cut(); }, sliced);
  add_action(
      {"cut_higher", "Move Slice &Up", "Shift+Up", "Move the slice by 10 cm, up or along its axis"}, place,
      [this] { set_cut(true, 0.1); }, sliced);
  add_action(
      {"cut_lower", "Move Slice Do&wn", "Shift+Down", "Move the slice back by 10 cm, down or along its axis"},
      place, [this] { set_cut(true, -0.1); }, sliced);
  region_ = shown({"region", "&Region", "R", "Show the region of the floor that is analysed"}, marks,
                  calibrated, false);
  coverage_switch_ = shown({"coverage", "C&overage", "C", "Show how many cameras see each part of the floor"},
                           marks, calibrated, false);
  figure_ = shown(
      {"figure", "&Standing Figure", "S", "Show a person 1.75 m tall where the pointer is on the floor"},
      marks, calibrated);
  details_ = shown(
      {"details", "&Details", "D", "Show offsets and the frame's timings in the corners"},
      [this] { update_details(); }, needs_project, false);
  flow_ = shown(
      {"flow", "Optical Flo&w", "W", "Show how every pixel moved since the previous frame"},
      [this] { update_flow(); }, needs_project, false);
  add_action(
      {"flow_arrows", "Flow &Arrows", "Shift+W",
       "Draw the flow as arrows too: none, or every 8, 16, 32 or 64 px"},
      place, [this] { next_arrows(); },
      [this] { return unmet({{flow_->isChecked(), tr("Show the optical flow (W) first.")}}); });
  QAction* heights = shown(
      {"heights", "Hei&ght Map", "Shift+H",
       "Show the height map over its camera's picture, coloured by the height of heads"},
      [cameras](bool on) { cameras->set_heights_visible(on); },
      [this] { return unmet({{project().calibrated(), tr("Height maps need a calibration.")}}); });
  connect_stage(flow_, "flow");
  connect_stage(heads_, "heads");
  connect_stage(detections_, "detections");
  connect_stage(skeletons_, "skeletons");
  connect_stage(heights, "heightmap");
  parts().menus->place(region_, {Menu::scene, "reset_scene", true});
  parts().menus->place(figure_, {Menu::scene, "edit_numbers"});
}

// Without its stage there is nothing to be shown or hidden: asked for, it stays on, and that is said.
void OverlayControl::connect_stage(QAction* action, const char* stage) {
  connect(action, &QAction::triggered, this, [this, action, stage] {
    if (!state().open() || project().parameters.get(stage, "enabled").value_or(0) != 0) return;
    action->setChecked(true);
    offer_stage(QString::fromLatin1(stage));
  });
}

void OverlayControl::offer_stage(const QString& stage) {
  const struct {
    const char* stage;
    QString missed, offer;
  } stages[] = {{"flow", tr("Optical flow is switched off in this project."), tr("Switch On")},
                {"heads", tr("Head detection is switched off in this project."), tr("Detect Heads")},
                {"detections", tr("Detections are switched off in this project."), tr("Use Detections")},
                {"skeletons", tr("Skeletons are switched off in this project."), tr("Join Joints")},
                {"heightmap", tr("Height maps are switched off in this project."), tr("Switch On")}};
  for (const auto& one : stages)
    if (stage == QLatin1String(one.stage))
      parts().messages->post({Severity::note, one.missed, one.offer, [this, stage] {
                                post(command::SetParameter{stage.toStdString(), "enabled", 1});
                              }});
}

void OverlayControl::next_arrows() {
  const auto now = std::find(std::begin(kArrowSpacings_px), std::end(kArrowSpacings_px), arrow_spacing_px_);
  const auto next = now == std::end(kArrowSpacings_px) ? now : std::next(now);
  arrow_spacing_px_ = next == std::end(kArrowSpacings_px) ? kArrowSpacings_px[0] : *next;
  update_flow();
}

void OverlayControl::next_people_style() {
  marks_.people_style = static_cast<PeopleStyle>((static_cast<int>(marks_.people_style) + 1) % 3);
  people_->setChecked(true);
  update_marks();
}

// ---- settings

void OverlayControl::restore(const QSettings& settings) {
  Control::restore(settings);
  const auto style = style_names().indexOf(settings.value("people_style", "box").toString());
  marks_.people_style = static_cast<PeopleStyle>(std::max<qsizetype>(0, style));
  const int spacing_px = settings.value("flow_arrow_spacing", 0).toInt();
  const bool offered = std::find(std::begin(kArrowSpacings_px), std::end(kArrowSpacings_px), spacing_px) !=
                       std::end(kArrowSpacings_px);
  arrow_spacing_px_ = offered ? spacing_px : 0;
  update_flow();
}

void OverlayControl::save(QSettings& settings) const {
  Control::save(settings);
  settings.setValue("flow_arrow_spacing", arrow_spacing_px_);
  settings.setValue("people_style", style_names().at(static_cast<int>(marks_.people_style)));
}

}  // namespace vantage::ui
