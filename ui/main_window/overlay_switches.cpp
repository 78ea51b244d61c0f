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

OverlayControl::Actions OverlayControl::make_actions() {
  const MenuPosition place{Menu::overlays};
  const auto shown = [&](const char* name, const char* text, const char* key, const char* tip) {
    return add_action({name, text, key, tip, true}, place);
  };
  return {
      .foreground = shown("foreground", "&Foreground", "F",
                          "Show what differs from the empty scene (hold X for bare footage)"),
      .people = shown("people", "&People", "P", "Show where people are, with their IDs"),
      .people_style = add_action({"people_style", "People as Box, Ri&ng or ID", "Shift+P",
                                  "Mark people by a box, a ring on the floor, or their ID alone"},
                                 place, [this] { next_people_style(); }),
      .trails = shown("trails", "&Trails", "T", "Show where people walked in the last seconds"),
      .volume = shown("volume", "&Volume", "V", "Show the carved volume in the scene"),
      .color_by_person = shown("color_by_person", "&Colour by Person", "Shift+V",
                               "Colour the volume by person; off: by height"),
      .floor_map =
          shown("floor_map", "Floor &Map", "G", "Show the occupied volume above each cell of the floor"),
      .heads = shown("heads", "&Heads", "H", "Show the heads found in each picture"),
      .detections = shown("detections", "D&etections", "Shift+D",
                          "Show the people detected in each picture, with their scores"),
      .skeletons =
          shown("skeletons", "S&keletons", "Shift+J", "Show the joints of people, connected by limbs"),
      .cut = shown("cut", "Sl&ice Plane", "U", "Show the confidence on a slice through the volume"),
      .cut_turn = add_action(
          {"cut_turn", "Turn Sli&ce", "Shift+U", "Slice horizontally, then across x, then across y"}, place,
          [this] { turn_cut(); }),
      .cut_higher = add_action(
          {"cut_higher", "Move Slice &Up", "Shift+Up", "Move the slice by 10 cm, up or along its axis"},
          place, [this] { set_cut(true, 0.1); }),
      .cut_lower = add_action({"cut_lower", "Move Slice Do&wn", "Shift+Down",
                               "Move the slice back by 10 cm, down or along its axis"},
                              place, [this] { set_cut(true, -0.1); }),
      .region = shown("region", "&Region", "R", "Show the region of the floor that is analysed"),
      .coverage = shown("coverage", "C&overage", "C", "Show how many cameras see each part of the floor"),
      .figure = shown("figure", "&Standing Figure", "S",
                      "Show a person 1.75 m tall where the pointer is on the floor"),
      .details = shown("details", "&Details", "D", "Show offsets and the frame's timings in the corners"),
      .flow = shown("flow", "Optical Flo&w", "W", "Show how every pixel moved since the previous frame"),
      .flow_arrows = add_action({"flow_arrows", "Flow &Arrows", "Shift+W",
                                 "Draw the flow as arrows too: none, or every 8, 16, 32 or 64 px"},
                                place, [this] { next_arrows(); }),
      .heights = shown("heights", "Hei&ght Map", "Shift+H",
                       "Show the height map over its camera's picture, coloured by the height of heads"),
  };
}

void OverlayControl::place_in_scene_menu() {
  WindowMenus& menus = *parts().menus;
  menus.place(actions_.region, {Menu::scene, "reset_scene", true});
  menus.place(actions_.figure, {Menu::scene, "edit_numbers"});
}

void OverlayControl::connect_switches() {
  const auto& a = actions_;
  for (QAction* action :
       {a.people, a.trails, a.floor_map, a.heads, a.detections, a.skeletons, a.region, a.coverage, a.figure})
    connect(action, &QAction::toggled, this, &OverlayControl::update_marks);
  connect(a.foreground, &QAction::toggled, parts().cameras, &CameraGrid::set_foreground_visible);
  connect(a.heights, &QAction::toggled, parts().cameras, &CameraGrid::set_heights_visible);
  connect(a.volume, &QAction::toggled, parts().scene, &SceneView::set_volume_visible);
  connect(a.color_by_person, &QAction::toggled, parts().scene, &SceneView::set_color_by_person);
  connect(a.cut, &QAction::toggled, this, [this](bool shown) { set_cut(shown, 0); });
  connect(a.details, &QAction::toggled, this, &OverlayControl::update_details);
  connect(a.flow, &QAction::toggled, this, &OverlayControl::update_flow);
  connect_stage(a.flow, "flow");
  connect_stage(a.heads, "heads");
  connect_stage(a.detections, "detections");
  connect_stage(a.skeletons, "skeletons");
  connect_stage(a.heights, "heightmap");
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
  if (!actions_.people->isChecked()) actions_.people->setChecked(true);
  update_marks();
}

// ---- settings

void OverlayControl::restore(const QSettings& settings) {
  const auto& a = actions_;
  const std::pair<QAction*, bool> switches[] = {
      {a.foreground, true}, {a.people, true},    {a.trails, true},         {a.volume, true},
      {a.floor_map, false}, {a.heads, true},     {a.detections, true},     {a.skeletons, true},
      {a.region, false},    {a.coverage, false}, {a.figure, true},         {a.details, false},
      {a.flow, false},      {a.heights, true},   {a.color_by_person, true}};
  for (const auto& [action, otherwise] : switches)
    action->setChecked(settings.value(action->objectName(), otherwise).toBool());
  const auto style = style_names().indexOf(settings.value("people_style", "box").toString());
  marks_.people_style = static_cast<PeopleStyle>(std::max<qsizetype>(0, style));
  const int spacing_px = settings.value("flow_arrow_spacing", 0).toInt();
  const bool offered = std::find(std::begin(kArrowSpacings_px), std::end(kArrowSpacings_px), spacing_px) !=
                       std::end(kArrowSpacings_px);
  arrow_spacing_px_ = offered ? spacing_px : 0;
  update_flow();
  parts().cameras->set_foreground_visible(a.foreground->isChecked());
  parts().cameras->set_heights_visible(a.heights->isChecked());
  parts().scene->set_volume_visible(a.volume->isChecked());
  parts().scene->set_color_by_person(a.color_by_person->isChecked());
}

void OverlayControl::save(QSettings& settings) const {
  const auto& a = actions_;
  for (const QAction* action :
       {a.foreground, a.people, a.trails, a.volume, a.floor_map, a.heads, a.detections, a.skeletons, a.region,
        a.coverage, a.figure, a.details, a.flow, a.heights, a.color_by_person})
    settings.setValue(action->objectName(), action->isChecked());
  settings.setValue("flow_arrow_spacing", arrow_spacing_px_);
  settings.setValue("people_style", style_names().at(static_cast<int>(marks_.people_style)));
}

}  // namespace vantage::ui
