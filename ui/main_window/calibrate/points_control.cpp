#include "ui/main_window/calibrate/points_control.h"

#include <fmt/core.h>
#include <QKeyEvent>
#include <algorithm>
#include <map>
#include <utility>

#include "core/geometry/epipolar_line.h"
#include "ui/main_window/boxes/box_control.h"
#include "ui/main_window/boxes/box_list.h"
#include "ui/main_window/calibrate/calibrate_panel.h"
#include "ui/main_window/calibrate/points_page.h"
#include "ui/main_window/calibrate/proposal.h"
#include "ui/main_window/overlay_control.h"
#include "ui/views/camera_grid.h"
#include "ui/widgets/message_bar.h"

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

PointsControl::PointsControl(const WindowParts& parts)
    : Control(parts),
      boxes_(parts.window->findChild<BoxControl*>()),
      page_(new PointsPage(add_point_actions(), add_world_actions())) {
  parts.calibrate->add_page(page_, tr("Points"));
  parts.calibrate->add_page(boxes_->list(), tr("Boxes"));
  connect(boxes_, &BoxControl::box_chosen, this, &PointsControl::update_availability);
  connect(parts.proposal, &Proposal::solving_changed, this, &PointsControl::update_availability);
  connect(page_, &PointsPage::chosen_changed, this, [this] {
    const std::vector<std::string> chosen = page_->chosen();
    current_ = chosen.size() == 1 ? chosen[0] : std::string();
    show_clicks();
    update_availability();
  });
  connect(page_, &PointsPage::renamed, this, &PointsControl::rename);
  connect(page_, &PointsPage::coordinates_typed, this, &PointsControl::set_known);
  connect(parts.cameras, &CameraGrid::cameras_changed, this, &PointsControl::show_clicks);
  parts.cameras->installEventFilter(this);
  parts.calibrate->installEventFilter(this);
}

std::vector<QAction*> PointsControl::add_point_actions() {
  click_points_ = add_switch(
      {"click_points", "Click &Points", "Shift+C",
       "Click a mark in several cameras; drag moves a click, Return begins the next point, Delete removes "
       "it, "
       "Esc ends"},
      {Menu::scene, "learn_entrances", true}, [this](bool on) { set_clicking(on); }, needs_project);
  return {click_points_,
          add_action(
              {"delete_point", "Delete P&oints", "Ctrl+Shift+K", "Delete the chosen points with their clicks",
               false, "Delete"},
              {Menu::scene, "click_points"}, [this] { delete_points(); },
              [this] { return unmet({chosen_points(1, tr("Choose points in the list first."))}); })};
}

std::vector<QAction*> PointsControl::add_world_actions() {
  const QString no_box = tr("Show the box (B) and lay it over the thing first.");
  return {add_action(
              {"level_world", "&Level", "Ctrl+L", "The chosen points, three or more, become the floor"},
              {Menu::scene, "delete_point", true},
              [this] {
                const LevelChoice choice{page_->chosen(), page_->origin(), page_->towards_x()};
                propose([choice](const Project& project) { return propose_level(project, choice); });
              },
              [this] {
                const QString three = tr("Choose three points of the floor in the list first.");
                return unmet({unsolved(), {calibrated(), three}, chosen_points(3, three)});
              }),
          add_action(
              {"scale_world", "Sc&ale", "Ctrl+Alt+S",
               "Scale the world so that the two chosen points are as far apart as measured"},
              {Menu::scene, "level_world"},
              [this] {
                propose([points = page_->chosen(), length_m = page_->length_m()](const Project& project) {
                  return propose_scale(project, points[0], points[1], length_m);
                });
              },
              [this] {
                return unmet({unsolved(),
                              {calibrated() && page_->chosen().size() == 2,
                               tr("Choose two points in the list first.")}});
              }),
          add_action(
              {"box_to_points", "Box to P&oints", "Ctrl+Alt+B",
               "Move and turn the box so that its corners lie at the chosen points"},
              {Menu::scene, "scale_world"}, [this] { move_box(); },
              [this, no_box] {
                return unmet({unsolved(),
                              {boxes_->chosen() != nullptr, no_box},
                              chosen_points(1, tr("Choose points in the list first."))});
              }),
          add_action(
              {"world_to_box", "World to Bo&x", "Ctrl+Shift+B",
               "Level, scale and move the world so that the chosen points, three or more, lie at the box's "
               "corners"},
              {Menu::scene, "box_to_points"},
              [this] {
                if (const NamedBox* chosen = boxes_->chosen())
                  propose([box = *chosen, points = page_->chosen()](const Project& project) {
                    return propose_box_world(project, box, points);
                  });
              },
              [this, no_box] {
                return unmet({unsolved(),
                              {boxes_->chosen() != nullptr, no_box},
                              chosen_points(3, tr("Choose three points in the list first."))});
              }),
          add_action(
              {"world_to_known", "World to &Measured", "Ctrl+Shift+L",
               "Level, scale and move the world to the measured points, three or more"},
              {Menu::scene, "world_to_box"}, [this] { propose(propose_known); },
              [this] {
                const auto known =
                    std::count_if(project().points.begin(), project().points.end(),
                                  [](const ClickedPoint& point) { return point.known_m.has_value(); });
                return unmet({unsolved(),
                              {calibrated() && known >= 3,
                               tr("Type the measured coordinates of three points first.")}});
              })};
}

// The views live longer.
PointsControl::~PointsControl() {
  parts().cameras->drop_picture_tool(this);
}

Control::Need PointsControl::unsolved() const {
  return {!parts().proposal->solving(), Proposal::why_busy()};
}

Control::Need PointsControl::chosen_points(size_t min_count, const QString& otherwise) const {
  return {page_->chosen().size() >= min_count, otherwise};
}

bool PointsControl::calibrated() const {
  return !project().named_calibrations().empty();
}

void PointsControl::propose(Proposing work) {
  parts().proposal->solve(
      [work = std::move(work)](const Project& project, const auto&, const auto&) { return work(project); });
}

void PointsControl::forget() {
  end_tool();
  measure_job_.stop();
  box_job_.stop();
  dragged_.reset();
  measured_.reset();
  problem_.clear();
  renamed_.clear();
  pending_.clear();
  current_.clear();
  page_->show_points({}, nullptr);
  show_clicks();
}

void PointsControl::refresh(Changes what) {
  if (what.testFlag(Change::frame) && state().open() && !project().calibration_changes().empty())
    show_clicks();
  if (!what.testFlag(Change::project) || !state().open()) return;
  const ProjectChange& change = state().project_change();
  if (what.testFlag(Change::other_project) || change.recording || change.points) {
    take_answered();
    measure();
  }
  show();
}

// Clicks that the project has now are no longer pending; none is where its points changed otherwise: an undo.
void PointsControl::take_answered() {
  const auto answered = std::erase_if(pending_, [&](const PendingClick& click) {
    for (const ClickedPoint& point : project().points)
      for (const PointClick& known : point.clicks)
        if (point.name == click.point && known.camera == click.camera && known.at_px == click.at_px)
          return true;
    return false;
  });
  if (answered == 0 && state().project_change().points) pending_.clear();
  const std::vector<ClickedPoint> points = points_now();
  if (std::none_of(points.begin(), points.end(), [&](const auto& point) { return point.name == current_; }))
    current_.clear();
}

// ---- the project

// Off the GUI thread: points are many in a long list.
void PointsControl::measure() {
  measured_.reset();
  problem_.clear();
  const std::vector<Camera> cameras = project().named_calibrations();
  if (cameras.empty() || project().points.empty()) return measure_job_.stop();
  PointsInput input;
  for (const Camera& camera : cameras) input.cameras.push_back({camera, false, false});
  input.points = project().points;
  for (ClickedPoint& point : input.points)
    std::erase_if(point.clicks, [&](const PointClick& click) {
      return std::none_of(cameras.begin(), cameras.end(),
                          [&](const Camera& camera) { return camera.name() == click.camera; });
    });
  measure_job_.start([this, input](const StopSource&) -> BackgroundJob::Deliver {
    return [this, solution = std::make_shared<Result<PointsSolution>>(solve_points(input))] {
      if (*solution)
        measured_ = std::make_shared<const PointsSolution>(**solution);
      else
        problem_ = QString::fromStdString(solution->error().message());
      show();
    };
  });
}

void PointsControl::show() {
  page_->show_points(project().points, measured_.get());
  if (!renamed_.empty()) current_ = std::exchange(renamed_, {});
  if (!current_.empty()) page_->choose({current_});
  QStringList notes;
  std::map<std::string, double> miss_px;
  if (!problem_.isEmpty()) notes << problem_;
  if (measured_) {
    for (const std::string& note : measured_->notes) notes << QString::fromStdString(note);
    for (const PointsSolvedCamera& one : measured_->cameras)
      if (one.clicks > 0) miss_px[one.camera.name()] = one.after_px;
  }
  parts().calibrate->show_misses(miss_px);
  parts().calibrate->show_text(notes.join('\n'));
  show_clicks();
  update_availability();
}

// ---- changes of points

void PointsControl::rename(const QString& before, const QString& after) {
  const std::string from = before.toStdString(), to = after.toStdString();
  if (from == to) return;
  const bool taken = std::any_of(project().points.begin(), project().points.end(),
                                 [&](const ClickedPoint& point) { return point.name == to; });
  if (to.empty() || taken || to.find(',') != std::string::npos) {
    parts().messages->post(
        {Severity::failed, taken        ? tr("There is another point named %1.").arg(after)
                           : to.empty() ? tr("A point needs a name.")
                                        : tr("A point's name holds no comma, which files of points need.")});
    return show();
  }
  renamed_ = to;
  post(command::Edit{"rename " + from, [from, to](Project& project) {
                       for (ClickedPoint& point : project.points)
                         if (point.name == from) point.name = to;
                     }});
}

void PointsControl::set_known(const QString& point, const std::optional<Eigen::Vector3d>& known_m) {
  post(command::Edit{"coordinates of " + point.toStdString(),
                     [name = point.toStdString(), known_m](Project& project) {
                       for (ClickedPoint& one : project.points)
                         if (one.name == name) one.known_m = known_m;
                     }});
}

void PointsControl::delete_points() {
  const std::vector<std::string> names = page_->chosen();
  if (names.empty()) return;
  post(command::Edit{"delete points", [names](Project& project) {
                       std::erase_if(project.points, [&](const ClickedPoint& point) {
                         return std::find(names.begin(), names.end(), point.name) != names.end();
                       });
                     }});
}

void PointsControl::move_box() {
  const NamedBox* chosen = boxes_->chosen();
  if (!chosen) return;
  box_job_.start([this, named = *chosen, names = page_->chosen(),
                  project = project()](const StopSource&) -> BackgroundJob::Deliver {
    return [this, name = named.name,
            box = std::make_shared<Result<UprightBox>>(box_at_points(project, named.box, names))] {
      if (!*box) return emit failed(box->error());
      if (QAction* shown = action("box")) shown->setChecked(true);
      post(command::Edit{"box to points", [name, box = **box](Project& project) {
                           if (NamedBox* its = box_named(project.boxes, name)) its->box = box;
                         }});
    };
  });
}

// ---- clicks in the cameras' pictures

void PointsControl::set_clicking(bool on) {
  if (on) emit tool_begun();
  on ? parts().cameras->set_picture_tool(this) : parts().cameras->drop_picture_tool(this);
  if (on) {
    parts().cameras->setCursor(Qt::CrossCursor);
    emit parts().calibrate -> wanted();
    parts().cameras->setFocus();
  } else {
    if (!parts().cameras->has_tool()) parts().cameras->unsetCursor();
    dragged_.reset();
  }
  show_clicks();
  emit availability_changed();
}

// The point gets the next click; empty: a new one does.
void PointsControl::set_current(const std::string& point) {
  current_ = point;
  page_->choose({current_});
  update_availability();
  show_clicks();
}

// The project's points with the clicks that the session has not answered yet.
std::vector<ClickedPoint> PointsControl::points_now() const {
  std::vector<ClickedPoint> points = project().points;
  for (const PendingClick& click : pending_) set_in(points, click);
  return points;
}

// The point whose click in that camera is within reach, the nearest; empty: none is. While the current point
// wants a click here, others are to be hit more closely.
std::string PointsControl::point_at(const PicturePosition& place) const {
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
bool PointsControl::press(const PicturePosition& place) {
  press_taken_ = true;
  if (!state().open() || static_cast<size_t>(place.camera) >= project().cameras.size()) return true;
  if (refuses_click(place.camera)) return true;
  const std::string& camera = project().cameras[place.camera].name;
  const std::vector<ClickedPoint> points = points_now();
  const auto named = [&](const std::string& name) {
    return std::find_if(points.begin(), points.end(), [&](const auto& point) { return point.name == name; });
  };
  if (const std::string near = point_at(place); !near.empty()) {
    dragged_ = PendingClick{near, camera, click_in(*named(near), camera)->at_px};
  } else {
    dragged_ = PendingClick{current_, camera, place.at_px};
    const auto current = named(current_);
    if (current == points.end() || click_in(*current, camera)) {
      int number = 1;
      while (named(fmt::format("P{}", number)) != points.end()) ++number;
      dragged_->point = fmt::format("P{}", number);
    }
  }
  set_current(dragged_->point);
  return true;
}

// Within the camera in which the press was.
void PointsControl::drag(const PicturePosition& place) {
  if (!dragged_ || project().cameras[place.camera].name != dragged_->camera) return;
  dragged_->at_px = place.at_px;
  show_clicks();
}

void PointsControl::release() {
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

void PointsControl::abandon() {
  dragged_.reset();
  show_clicks();
}

// Return begins the next point; Delete takes the chosen ones away.
bool PointsControl::eventFilter(QObject* watched, QEvent* event) {
  if (watched == parts().calibrate && (event->type() == QEvent::Show || event->type() == QEvent::Hide))
    show_clicks();
  if (watched != parts().cameras || !clicking() || event->type() != QEvent::KeyPress)
    return QObject::eventFilter(watched, event);
  const int key = static_cast<QKeyEvent*>(event)->key();
  if (key == Qt::Key_Return || key == Qt::Key_Enter) {
    set_current({});
    return true;
  }
  if (key != Qt::Key_Delete) return QObject::eventFilter(watched, event);
  delete_points();
  return true;
}

void PointsControl::show_clicks() {
  MarkedClicks marks;
  std::vector<MarkedPoint> in_scene;
  const bool shown = state().open() && (parts().calibrate->isVisible() || clicking());
  std::vector<ClickedPoint> points = shown ? points_now() : std::vector<ClickedPoint>();
  if (shown && dragged_) set_in(points, *dragged_);
  std::vector<std::string> chosen = page_->chosen();
  if (clicking() && !current_.empty()) chosen = {current_};
  const int64_t frame = state().shown() ? state().shown()->result->frame : 0;
  const std::vector<ProjectCamera>& cameras = project().cameras;
  // As the views show the cameras: with the poses of the frame, or nudged.
  const auto seen_by = [this](size_t camera) {
    return parts().cameras->calibration(static_cast<int>(camera));
  };
  for (const ClickedPoint& point : points) {
    const bool is_chosen = std::find(chosen.begin(), chosen.end(), point.name) != chosen.end();
    const SolvedPoint* solved = nullptr;
    if (measured_ && !(dragged_ && dragged_->point == point.name))
      for (const SolvedPoint& one : measured_->points)
        if (one.name == point.name && one.at_m) solved = &one;
    if (solved) in_scene.push_back({QString::fromStdString(point.name), *solved->at_m, is_chosen});
    for (size_t c = 0; c < cameras.size(); ++c) {
      const ProjectCamera& camera = cameras[c];
      const Camera* calibration = seen_by(c);
      const std::vector<LaterCalibration>& later = camera.later_calibrations;
      // A click is of the picture before the camera stood otherwise.
      const bool holds = later.empty() || frame < later.front().from_frame;
      const PointClick* click = holds ? click_in(point, camera.name) : nullptr;
      MarkedClick mark{static_cast<int>(c), QString::fromStdString(point.name), {}, {}, is_chosen, false};
      if (click) mark.clicked = qt(click->at_px);
      if (solved && calibration)
        if (const auto at = calibration->project(*solved->at_m)) mark.placed = qt(*at);
      if (solved)
        for (const SolvedClick& one : solved->clicks)
          mark.doubtful |= one.doubtful && measured_->cameras[one.camera].camera.name() == camera.name;
      if (mark.clicked || mark.placed) marks.clicks.push_back(std::move(mark));
      if (!is_chosen || !click || !calibration) continue;
      for (size_t other = 0; other < cameras.size(); ++other) {
        if (other == c || !seen_by(other)) continue;
        for (const auto& run : epipolar_line(*calibration, click->at_px, *seen_by(other))) {
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

}  // namespace vantage::ui
