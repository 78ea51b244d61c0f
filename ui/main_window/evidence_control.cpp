#include "ui/main_window/evidence_control.h"

#include <QCursor>
#include <QMenu>
#include <QToolTip>
#include <QWhatsThis>
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

EvidenceControl::EvidenceControl(const WindowParts& parts)
    : Control(parts),
      why_nobody_(add_action(
          {"why_nobody", "Why &Is Nobody Here?", "?",
           "Say what each camera sees at the position under the pointer, and why nobody was found there"},
          {Menu::scene, "figure"}, [this] { explain_pointed(); })) {
  const auto connect_view = [this](auto* view) {
    using View = std::remove_pointer_t<decltype(view)>;
    connect(view, &View::person_pointed, this, [this](int64_t id) { person_ = id; });
    connect(view, &View::pointed, this, &EvidenceControl::point_at);
    connect(view, &View::menu_wanted, this, &EvidenceControl::offer_menu);
  };
  connect_view(parts.cameras);
  connect_view(parts.scene);
}

void EvidenceControl::forget() {
  person_ = 0;
  pointed_.reset();
  hover_text_.clear();
}

void EvidenceControl::update_availability() {
  const bool detects = project().has_detections();
  enable(why_nobody_, detects && project().calibrated(),
         detects ? tr("3-D and people need a calibration.")
                 : tr("The project names neither a model nor files of detections."));
}

void EvidenceControl::point_at(const std::optional<Eigen::Vector3d>& position_in_world_m) {
  pointed_ = position_in_world_m;
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

void EvidenceControl::offer_menu(const std::optional<Eigen::Vector3d>& position_in_world_m,
                                 const QPoint& at) {
  if (person_ > 0) return;  // people have a menu of their own
  auto* menu = new QMenu(parts().window);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->setToolTipsVisible(true);
  QAction* why = menu->addAction(why_nobody_->text());
  why->setEnabled(why_nobody_->isEnabled() && position_in_world_m);
  why->setToolTip(position_in_world_m ? why_nobody_->toolTip()
                                      : tr("There is no floor at this point of the picture."));
  connect(why, &QAction::triggered, this,
          [this, position_in_world_m, at] { explain(*position_in_world_m, at); });
  menu->popup(at);
}

void EvidenceControl::explain_pointed() {
  if (pointed_) return explain(*pointed_, QCursor::pos());
  QWhatsThis::showText(QCursor::pos(), answer_ = tr("Point at the floor in a view or the scene first."),
                       parts().window);
}

void EvidenceControl::explain(const Eigen::Vector3d& position_in_world_m, const QPoint& at) {
  QToolTip::hideText();
  if (!state().shown()) return;
  std::vector<std::string> names;
  for (const ShownPerson& person : parts().overlays->who().people())
    names.push_back(person.id > 0 ? parts().overlays->called(person.id).toStdString() : std::string());
  const auto explained =
      explain_place(project(), *state().shown(), position_in_world_m.x(), position_in_world_m.y(), names);
  QStringList lines = explained ? lines_of(explained->lines)
                                : QStringList(QString::fromStdString(explained.error().message()));
  for (QString& line : lines) line = line.toHtmlEscaped();
  lines.front() = "<b>" + lines.front() + "</b>";
  answer_ = lines.join("<br>");
  QWhatsThis::showText(at, answer_, parts().window);
}

}  // namespace vantage::ui
