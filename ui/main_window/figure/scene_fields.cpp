#include "ui/main_window/figure/scene_fields.h"

#include "ui/widgets/form.h"

namespace vantage::ui {
namespace {

constexpr double kFarthestLook_m = 1000;

}  // namespace

SceneFields::SceneFields(Form* form, const SceneFigure& offered, bool film, QObject* parent)
    : QObject(parent), form_(form) {
  const QString degrees = QStringLiteral("\u00b0");
  azimuth_ = number(tr("Azimuth"), tr("Where the eye is, in degrees from x towards y"), -360, 360, 1, degrees,
                    offered.azimuth_deg);
  azimuth_->setPrefix(tr("azimuth "));
  elevation_ = number(tr("Elevation"), tr("Degrees of the eye above the floor"), kMinSceneElevation_deg,
                      kMaxSceneElevation_deg, 1, degrees, offered.elevation_deg);
  elevation_->setPrefix(tr("elevation "));
  distance_ =
      number(tr("Distance"), tr("Metres to the point that the eye looks at; the minimum: all is in view"), 0,
             kFarthestLook_m, 2, tr(" m"), offered.distance_m.value_or(0));
  distance_->setSpecialValueText(tr("all in view"));
  add_row(tr("Seen fr&om"), tr("Azimuth and elevation in degrees, distance in metres"),
          side_by_side({azimuth_, elevation_, distance_}));
  add_look_at(offered);
  color_ = new QComboBox;
  color_->addItems({tr("By person"), tr("By height")});
  color_->setCurrentIndex(offered.by_height ? 1 : 0);
  add_row(tr("Volu&me's colour"), tr("What the colour of the volume means"), color_);
  add_slice(offered);
  if (film) {
    turn_ = number(tr("Turn"),
                   tr("Degrees by which the eye turns around the scene during the film, counter-clockwise "
                      "from above; 0: it does not move"),
                   -kMaxSceneTurn_deg, kMaxSceneTurn_deg, 0, degrees, 0);
    seconds_ = number(tr("Seconds"), tr("How long a film of one frame turns; the minimum: 30\u00b0 a second"),
                      0, kMaxSceneFilm_s, 1, tr(" s"), 0);
    seconds_->setSpecialValueText(tr("30\u00b0 a second"));
    add_row(tr("T&urns by"), tr("Degrees; for a film of one frame also the seconds"),
            side_by_side({turn_, seconds_}));
  }
  for (QComboBox* box : {color_, slice_axis_})
    connect(box, &QComboBox::currentIndexChanged, this, &SceneFields::update_state);
  update_state();
}

void SceneFields::add_row(const QString& name, const QString& tip, QWidget* field) {
  form_->add_row(name, tip, field);
  rows_.push_back(field);
}

QDoubleSpinBox* SceneFields::number(const QString& name, const QString& tip, double low, double high,
                                    int decimals, const QString& suffix, double value) {
  QDoubleSpinBox* box = described(number_field(low, high, value, decimals, suffix), name, tip);
  connect(box, &QDoubleSpinBox::valueChanged, this, &SceneFields::update_state);
  return box;
}

void SceneFields::add_look_at(const SceneFigure& offered) {
  const Eigen::Vector3d at = offered.look_at_m.value_or(Eigen::Vector3d::Zero());
  std::vector<QWidget*> boxes;
  for (int axis = 0; axis < 3; ++axis) {
    QDoubleSpinBox*& box = look_at_[axis];
    box = number(tr("Looks at %1").arg(QChar("xyz"[axis])),
                 tr("What the eye looks at, %1 in the world").arg(QChar("xyz"[axis])), -kFarthestLook_m,
                 kFarthestLook_m, 2, tr(" m"), at[axis]);
    boxes.push_back(box);
  }
  add_row(tr("Looks a&t"),
          tr("A position in the world: x, y and z; the middle of the scene where all is in view"),
          side_by_side(boxes));
}

void SceneFields::add_slice(const SceneFigure& offered) {
  slice_axis_ = new QComboBox;
  slice_axis_->addItems({tr("None"), tr("Across x"), tr("Across y"), tr("Level")});
  slice_axis_->setAccessibleName(tr("Slice plane"));
  slice_axis_->setCurrentIndex(offered.slice ? offered.slice->axis + 1 : 0);
  slice_at_ = number(tr("Slice position"), tr("Where the plane lies along its axis, metres"),
                     -kFarthestLook_m, kFarthestLook_m, 2, tr(" m"), offered.slice ? offered.slice->at_m : 1);
  add_row(tr("Slice &plane"), tr("A plane through the volume with the confidence on it"),
          side_by_side({slice_axis_, slice_at_}));
}

void SceneFields::set_visible(bool visible) {
  for (QWidget* field : rows_) form_->setRowVisible(field, visible);
}

void SceneFields::update_state() {
  for (QDoubleSpinBox* box : look_at_) box->setEnabled(distance_->value() > 0);
  slice_at_->setEnabled(slice_axis_->currentIndex() > 0);
  if (seconds_) seconds_->setEnabled(turn_->value() != 0);
  emit changed();
}

SceneFigure SceneFields::scene() const {
  SceneFigure scene;
  scene.azimuth_deg = azimuth_->value();
  scene.elevation_deg = elevation_->value();
  if (distance_->value() > 0) {
    scene.distance_m = distance_->value();
    scene.look_at_m = {look_at_[0]->value(), look_at_[1]->value(), look_at_[2]->value()};
  }
  scene.by_height = color_->currentIndex() == 1;
  if (const int axis = slice_axis_->currentIndex() - 1; axis >= 0) scene.slice = {axis, slice_at_->value()};
  if (turn_) scene.turn_deg = turn_->value(), scene.seconds = seconds_->value();
  return scene;
}

}  // namespace vantage::ui
