#include "ui/main_window/evidence_control.h"

#include <QCursor>
#include <QToolTip>
#include <cmath>
#include <type_traits>

#include "core/session/evidence_text.h"
#include "ui/main_window/overlay_control.h"
#include "ui/views/camera_grid.h"
#include "ui/views/scene_view.h"

namespace vantage::ui {
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
