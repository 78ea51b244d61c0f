// Clicking points in the cameras' pictures, moving clicks, and what is drawn of them.

#include <fmt/core.h>
#include <QCoreApplication>
#include <QKeyEvent>
#include <QStringList>
#include <algorithm>

#include "core/geometry/epipolar_line.h"
#include "core/project/camera_in_time.h"
#include "ui/main_window/calibrate/calibrate_control.h"
#include "ui/main_window/calibrate/calibrate_proposals.h"
#include "ui/main_window/overlay_control.h"
#include "ui/views/camera_grid.h"

namespace vantage::ui {
namespace {

const PointClick* click_in(const ClickedPoint& point, const std::string& camera) {
  for (const PointClick& click : point.clicks)
    if (click.camera == camera) return &click;
  return nullptr;
}

// A new point, a new click of it, or the click moved.
void set_in(std::vector<ClickedPoint>& points, const PendingClick& click) {
  auto point =
      std::find_if(points.begin(), points.end(), [&](const auto& one) { return one.name == click.point; });
  if (point == points.end()) point = points.insert(point, ClickedPoint{click.point, {}, {}});
  for (PointClick& known : point->clicks)
    if (known.camera == click.camera) {
      known.at_px = click.at_px;
      return;
    }
  point->clicks.push_back({click.camera, click.at_px});
}

QPointF qt(const Eigen::Vector2d& pixel) {
  return {pixel.x(), pixel.y()};
}

}  // namespace

void CalibrateControl::set_clicking(bool on) {
  if (on) emit tool_begun();
  on ? parts().cameras->set_picture_tool(this) : parts().cameras->drop_picture_tool(this);
  if (on) {
    parts().cameras->setCursor(Qt::CrossCursor);
    emit dock_wanted();
    parts().cameras->setFocus();
  } else {
    if (!parts().cameras->has_tool()) parts().cameras->unsetCursor();
    dragged_.reset();
  }
  show_clicks();
  emit availability_changed();
}

// The project's points with the clicks that the session has not answered yet.
std::vector<ClickedPoint> CalibrateControl::points_now() const {
  std::vector<ClickedPoint> points = project().points;
  for (const PendingClick& click : pending_) set_in(points, click);
  return points;
}

// The point whose click in that camera is within reach, the nearest; empty: none is. While the current point
// wants a click here, others are to be hit more closely.
std::string CalibrateControl::point_at(const PicturePosition& place) const {
  const std::string& camera = project().cameras[place.camera].name;
  std::string nearest;
  const std::vector<ClickedPoint> points = points_now();
  const bool wanted = std::any_of(points.begin(), points.end(), [&](const ClickedPoint& point) {
    return point.name == current_ && !click_in(point, camera);
  });
  double nearest_px = wanted ? place.reach_px / 3 : place.reach_px;
  for (const ClickedPoint& point : points)
    if (const PointClick* click = click_in(point, camera))
      if (const double away_px = (click->at_px - place.at_px).norm(); away_px <= nearest_px)
        nearest = point.name, nearest_px = away_px;
  return nearest;
}

// A click that is near is taken up; else the current point gets one in this camera, or a new point where it
// has one already.
bool CalibrateControl::press(const PicturePosition& place) {
  press_taken_ = true;
  if (!state().open() || static_cast<size_t>(place.camera) >= project().cameras.size()) return true;
  if (refuses_click(place.camera)) return true;
  const std::string& camera = project().cameras[place.camera].name;
  const std::vector<ClickedPoint> points = points_now();
  const auto named = [&](const std::string& name) {
    return std::find_if(points.begin(), points.end(), [&](const auto& point) { return point.name == name; });
  };
  if (const std::string near = point_at(place); !near.empty()) {
    current_ = near;
    dragged_ = PendingClick{near, camera, click_in(*named(near), camera)->at_px};
  } else {
    const auto current = named(current_);
    if (current == points.end() || click_in(*current, camera)) {
      int number = 1;
      while (named(fmt::format("P{}", number)) != points.end()) ++number;
      current_ = fmt::format("P{}", number);
    }
    dragged_ = PendingClick{current_, camera, place.at_px};
  }
  panel_->choose_points({current_});
  update_availability();
  show_clicks();
  return true;
}

// Within the camera in which the press was.
void CalibrateControl::drag(const PicturePosition& place) {
  if (!dragged_ || project().cameras[place.camera].name != dragged_->camera) return;
  dragged_->at_px = place.at_px;
  show_clicks();
}

void CalibrateControl::release() {
  if (!dragged_) return;
  const PendingClick click = *dragged_;
  for (const ClickedPoint& point : points_now()) {
    const PointClick* known = point.name == click.point ? click_in(point, click.camera) : nullptr;
    if (known && known->at_px == click.at_px) return abandon();
  }
  dragged_.reset();
  std::erase_if(pending_, [&](const PendingClick& one) {
    return one.point == click.point && one.camera == click.camera;
  });
  pending_.push_back(click);
  post(command::Edit{"click " + click.point + " in " + click.camera,
                     [click](Project& project) { set_in(project.points, click); }});
  show_clicks();
}

void CalibrateControl::abandon() {
  dragged_.reset();
  show_clicks();
}

// Return begins the next point; Delete takes the chosen ones away.
bool CalibrateControl::eventFilter(QObject* watched, QEvent* event) {
  if (watched == panel_ && (event->type() == QEvent::Show || event->type() == QEvent::Hide)) show_clicks();
  if (watched != parts().cameras || !clicking() || event->type() != QEvent::KeyPress)
    return QObject::eventFilter(watched, event);
  const int key = static_cast<QKeyEvent*>(event)->key();
  if (key == Qt::Key_Return || key == Qt::Key_Enter) {
    current_.clear();
    panel_->choose_points({});
    update_availability();
    show_clicks();
    return true;
  }
  if (key != Qt::Key_Delete) return QObject::eventFilter(watched, event);
  delete_points();
  return true;
}

// Clicks and places of all points, and the epipolar lines of the chosen point's clicks.
void CalibrateControl::show_through(std::vector<ProjectCamera> cameras) {
  through_ = std::move(cameras);
  show_clicks();
}

void CalibrateControl::show_clicks() {
  MarkedClicks marks;
  std::vector<MarkedPoint> in_scene;
  const bool shown = state().open() && (panel_->isVisible() || clicking());
  std::vector<ClickedPoint> points = shown ? points_now() : std::vector<ClickedPoint>();
  if (shown && dragged_) set_in(points, *dragged_);
  std::vector<std::string> chosen = panel_->chosen_points();
  if (clicking() && !current_.empty()) chosen = {current_};
  // As the views show the cameras: as they stand at the frame, or nudged.
  const int64_t frame = state().shown() ? state().shown()->result->frame : 0;
  const std::vector<ProjectCamera> cameras =
      through_.empty() ? project_at(project(), frame).cameras : through_;
  for (const ClickedPoint& point : points) {
    const bool is_chosen = std::find(chosen.begin(), chosen.end(), point.name) != chosen.end();
    const SolvedPoint* solved = nullptr;
    if (measured_ && !(dragged_ && dragged_->point == point.name))
      for (const SolvedPoint& one : measured_->points)
        if (one.name == point.name && one.at_m) solved = &one;
    if (solved) in_scene.push_back({QString::fromStdString(point.name), *solved->at_m, is_chosen});
    for (size_t c = 0; c < cameras.size(); ++c) {
      const ProjectCamera& camera = cameras[c];
      const std::vector<LaterCalibration>& later = project().cameras[c].later_calibrations;
      // A click is of the picture before the camera stood otherwise.
      const bool holds = later.empty() || frame < later.front().from_frame;
      const PointClick* click = holds ? click_in(point, camera.name) : nullptr;
      MarkedClick mark{static_cast<int>(c), QString::fromStdString(point.name), {}, {}, is_chosen, false};
      if (click) mark.clicked = qt(click->at_px);
      if (solved && camera.calibration)
        if (const auto at = camera.calibration->project(*solved->at_m)) mark.placed = qt(*at);
      if (solved)
        for (const SolvedClick& one : solved->clicks)
          mark.doubtful |= one.doubtful && measured_->cameras[one.camera].camera.name() == camera.name;
      if (mark.clicked || mark.placed) marks.clicks.push_back(std::move(mark));
      if (!is_chosen || !click || !camera.calibration) continue;
      for (size_t other = 0; other < cameras.size(); ++other) {
        if (other == c || !cameras[other].calibration) continue;
        for (const auto& run :
             epipolar_line(*camera.calibration, click->at_px, *cameras[other].calibration)) {
          MarkedEpipolarCurve curve{static_cast<int>(other), static_cast<int>(c), {}};
          for (const Eigen::Vector2d& pixel : run) curve.pixels << qt(pixel);
          marks.curves.push_back(std::move(curve));
        }
      }
    }
  }
  parts().cameras->set_clicks(std::move(marks));
  parts().overlays->set_points(std::move(in_scene));
}

// Proposals for cameras that were bumped in the middle of a recording.

namespace {

QString bump_tr(const char* text) {
  return QCoreApplication::translate("BumpProposal", text);
}

CalibrateProposalRow row_of(const QString& camera, const SolvedJump& jump, int64_t from_frame) {
  const QString none = QStringLiteral("\u2013");
  CalibrateProposalRow row{bump_tr("%1\nfrom frame %2").arg(camera).arg(from_frame), none, none, none, none};
  row.tip = bump_tr("Jumped by %1 px between its frames %2 and %3; %4 places of the scene were compared.")
                .arg(jump.jump.moved_px, 0, 'f', 1)
                .arg(jump.jump.last_before)
                .arg(jump.jump.first_after)
                .arg(jump.jump.places.size());
  if (jump.turn) {
    row.turned = QStringLiteral("%1\u00b0").arg(jump.turn->degrees, 0, 'f', 2);
    row.moved = QStringLiteral("0 cm");
    row.misses = QStringLiteral("%1\n\u2192 %2 px")
                     .arg(jump.turn->before_px, 0, 'f', 1)
                     .arg(jump.turn->after_px, 0, 'f', 1);
  }
  if (jump.floor_m) row.floor = QStringLiteral("%1 cm").arg(100 * *jump.floor_m, 0, 'f', 1);
  return row;
}

// Why nothing can be proposed for a camera.
QString open_text(const QString& camera, const WatchedCamera& watched) {
  if (!watched.untold.empty())
    return bump_tr("%1: cannot tell (%2).").arg(camera, QString::fromStdString(watched.untold));
  if (watched.solved()) return {};
  return bump_tr(
             "%1 was moved, not only turned, or is not calibrated: place it by people or points after the "
             "jump.")
      .arg(camera);
}

}  // namespace

CalibrationProposal propose_bumps(const Project& project, const std::vector<WatchedCamera>& watched) {
  CalibrationProposal proposal;
  proposal.world = ProposedWorld::later;
  proposal.what = "calibration of bumped cameras";
  QStringList still, known, open;
  for (const WatchedCamera& one : watched) {
    const QString name = QString::fromStdString(project.cameras[one.camera].name);
    if (const QString text = open_text(name, one); !text.isEmpty()) open << text;
    if (one.jumps.empty() && one.untold.empty()) still << name;
    bool all_known = !one.jumps.empty();
    for (size_t j = 0; j < one.jumps.size(); ++j) {
      if (one.jumps[j].known_and_fits()) continue;
      all_known = false;
      proposal.rows.push_back(row_of(name, one.jumps[j], one.from_frames[j]));
    }
    if (all_known) known << name;
  }
  QStringList words;
  if (!proposal.rows.empty())
    words << bump_tr(
        "Bumped cameras get a calibration from their jump on; earlier frames keep theirs. \"Floor\" is the "
        "error of positions there without it.");
  if (!still.isEmpty()) words << bump_tr("Stands still: %1.").arg(still.join(QStringLiteral(", ")));
  if (!known.isEmpty())
    words << bump_tr("Has a fitting calibration from its jump on: %1.").arg(known.join(QStringLiteral(", ")));
  words << open;
  proposal.text = words.join(QStringLiteral(" "));
  Project after = project;
  if (add_bumps(watched, &after) > 0)
    proposal.change = [watched](Project& changed) { add_bumps(watched, &changed); };
  return proposal;
}

}  // namespace vantage::ui
