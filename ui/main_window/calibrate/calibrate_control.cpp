#include "ui/main_window/calibrate/calibrate_control.h"

#include <QPointer>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/geometry/camera.h"
#include "ui/main_window/boxes/box_control.h"
#include "ui/main_window/boxes/box_list.h"
#include "ui/main_window/check_control.h"
#include "ui/main_window/overlay_control.h"
#include "ui/views/camera_grid.h"
#include "ui/widgets/message_bar.h"

namespace vantage::ui {
namespace {

bool about_calibration(const CheckItem& item) {
  return item.check == "calibration" || item.check == "view" || item.check == "silhouettes" ||
         item.check == "outlines";
}

QString stands_text(const ProjectCamera& camera) {
  if (!camera.calibration) return CalibrateControl::tr("not calibrated");
  const Eigen::Vector3d at = camera.calibration->center_in_world_m();
  QString text =
      QStringLiteral("%1 %2 %3").arg(at.x(), 0, 'f', 2).arg(at.y(), 0, 'f', 2).arg(at.z(), 0, 'f', 2);
  for (const LaterCalibration& later : camera.later_calibrations)
    text += QStringLiteral(" \u25b7%1").arg(later.from_frame);
  return text;
}

// How it stands from later frames on; empty: as in the beginning.
QString later_text(const ProjectCamera& camera) {
  QStringList lines;
  const Camera* before = camera.calibration ? &*camera.calibration : nullptr;
  for (const LaterCalibration& later : camera.later_calibrations) {
    const CameraChange change = change_between(*before, later.camera);
    lines << CalibrateControl::tr("another pose from frame %1 on: turned by %2\u00b0, moved by %3 cm")
                 .arg(later.from_frame)
                 .arg(change.head<3>().norm() * 180 / M_PI, 0, 'f', 2)
                 .arg(100 * change.segment<3>(3).norm(), 0, 'f', 1);
    before = &later.camera;
  }
  return lines.join('\n');
}

}  // namespace

CalibrateControl::CalibrateControl(const WindowParts& parts)
    : Control(parts), boxes_(parts.window->findChild<BoxControl*>()) {
  panel_ = new CalibratePanel(add_commands());
  add_dock({"calibrate", "Cali&brate", "Shift+F7",
            "Show cameras and clicked points, and solve, level or scale the calibration"},
           "checks", tr("Calibrate"), panel_);
  panel_->add_page(boxes_->list(), tr("Boxes"));
  connect(boxes_, &BoxControl::box_chosen, this, &CalibrateControl::update_availability);
  connect(panel_, &CalibratePanel::cameras_chosen, this, [this] { update_availability(); });
  connect(panel_, &CalibratePanel::points_chosen, this, [this] {
    const std::vector<std::string> chosen = panel_->chosen_points();
    current_ = chosen.size() == 1 ? chosen[0] : std::string();
    show_clicks();
    update_availability();
  });
  connect(panel_, &CalibratePanel::renamed, this, &CalibrateControl::rename);
  connect(panel_, &CalibratePanel::coordinates_typed, this, &CalibrateControl::set_known);
  connect(&solve_job_, &BackgroundJob::stopped, this, [this] {
    long_task_.reset();
    panel_->hide_progress();
    emit running_changed();
  });
  if (auto* checks = parts.window->findChild<CheckControl*>()) {
    connect(checks, &CheckControl::checked, this, [this](const CheckReport& report) {
      checked_ = report;
      show_project();
    });
    connect(checks, &CheckControl::pose_wanted, this, [this](const QString& camera) {
      panel_->choose_cameras({camera.toStdString()});
      action("solve_people")->trigger();
    });
  }
  parts.cameras->installEventFilter(this);
  panel_->installEventFilter(this);
}

CalibrateCommands CalibrateControl::add_commands() {
  click_points_ = add_switch(
      {"click_points", "Click &Points", "Shift+C",
       "Click a mark in several cameras; drag moves a click, Return begins the next point, Delete removes "
       "it, "
       "Esc ends"},
      {Menu::scene, "learn_entrances", true}, [this](bool on) { set_clicking(on); }, needs_project);
  QAction* delete_point = add_action(
      {"delete_point", "Delete P&oints", "Ctrl+Shift+K", "Delete the chosen points with their clicks", false,
       "Delete"},
      {Menu::scene, "click_points"}, [this] { delete_points(); },
      [this] { return unmet({chosen_points(1, tr("Choose points in the list first."))}); });
  CalibrateCommands commands;
  commands.points = {click_points_, delete_point};
  commands.solve = {
      add_action(
          {"solve_points", "&Solve From Points", "Ctrl+K",
           "Place the ticked cameras by the clicked points; the others are fixed"},
          {Menu::analysis, "check", true},
          [this] {
            propose([cameras = panel_->chosen_cameras(), focal = panel_->focal()](const Project& project) {
              return propose_by_points(project, cameras, focal);
            });
          },
          [this] {
            return unmet({unsolved(), ticked(), {!project().points.empty(), tr("Click points first.")}});
          }),
      add_action(
          {"solve_people", "Solve From Peop&le", "Ctrl+Alt+K",
           "Place the ticked cameras by the people in the marked range; tick all, or leave two or more "
           "fixed; Esc stops"},
          {Menu::analysis, "solve_points"}, [this] { propose_people(); },
          [this] {
            return unmet({unsolved(),
                          {project().calibrated() && project().has_pictures() && !state().live(),
                           tr("People place cameras of a calibrated recording.")},
                          idle(),
                          ticked()});
          })};
  commands.solve.back()->setVisible(parts().services.place_by_people != nullptr);
  commands.in_time = {
      add_action(
          {"find_bumped", "Find &Bumped Cameras", "Ctrl+Alt+A",
           "Find cameras whose view jumped in the middle of the recording, and their poses from there "
           "on; the ticked ones, or all; Esc stops",
           false, "Find Bumped"},
          {Menu::analysis, "solve_people"}, [this] { propose_bumps(); },
          [this] {
            return unmet(
                {unsolved(),
                 {project().has_pictures() && !state().live(), tr("Bumped cameras are found in recordings.")},
                 idle()});
          }),
      add_action(
          {"drop_later_calibrations", "One Cali&bration for All Frames", "",
           "Remove the calibrations that the ticked cameras have from a later frame on", false, "Drop Later"},
          {Menu::analysis, "find_bumped"}, [this] { drop_later(); },
          [this] {
            return unmet(
                {{ticked_later(), tr("Tick cameras that have another pose from a later frame on.")}, idle()});
          })};
  const MenuPosition level{Menu::scene, "delete_point", true};
  const QString no_box = tr("Show the box (B) and lay it over the thing first.");
  commands.world = {
      add_action(
          {"level_world", "&Level", "Ctrl+L", "The chosen points, three or more, become the floor"}, level,
          [this] {
            const LevelChoice choice{panel_->chosen_points(), panel_->origin(), panel_->towards_x()};
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
            propose(
                [points = panel_->chosen_points(), length_m = panel_->length_m()](const Project& project) {
                  return propose_scale(project, points[0], points[1], length_m);
                });
          },
          [this] {
            return unmet({unsolved(),
                          {calibrated() && panel_->chosen_points().size() == 2,
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
              propose([box = *chosen, points = panel_->chosen_points()](const Project& project) {
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
            return unmet(
                {unsolved(),
                 {calibrated() && known >= 3, tr("Type the measured coordinates of three points first.")}});
          })};
  const QString nothing = tr("Nothing is proposed.");
  commands.apply = add_action(
      {"apply_calibration", "Apply Proposed Cali&bration", "Ctrl+Shift+F7",
       "Apply the proposed calibration; can be undone"},
      {Menu::analysis, "solve_people"}, [this] { apply(); },
      [this, nothing] { return unmet({{proposal_ && proposal_->change, nothing}, idle()}); });
  commands.dismiss = add_action(
      {"dismiss_calibration", "Dismiss Proposed Calibration", "Ctrl+Shift+F9",
       "Keep the calibration as it is"},
      {Menu::analysis, "apply_calibration"}, [this] { drop_proposal(); },
      [this, nothing] { return unmet({{proposal_.has_value(), nothing}}); });
  return commands;
}

Control::Need CalibrateControl::unsolved() const {
  return {!solve_job_.running(), tr("A calibration is being solved.")};
}

Control::Need CalibrateControl::ticked() const {
  return {!panel_->chosen_cameras().empty(), tr("Tick the cameras to solve first.")};
}

Control::Need CalibrateControl::chosen_points(size_t min_count, const QString& otherwise) const {
  return {panel_->chosen_points().size() >= min_count, otherwise};
}

bool CalibrateControl::calibrated() const {
  return !project().named_calibrations().empty();
}

bool CalibrateControl::ticked_later() const {
  const std::vector<std::string> ticked = panel_->chosen_cameras();
  return std::any_of(project().cameras.begin(), project().cameras.end(), [&](const ProjectCamera& camera) {
    return !camera.later_calibrations.empty() &&
           std::find(ticked.begin(), ticked.end(), camera.name) != ticked.end();
  });
}

void CalibrateControl::apply() {
  if (!proposal_) return;
  const CalibrationProposal proposal = *proposal_;
  const auto offsets = panel_->takes_offsets() ? proposal.offsets : nullptr;
  known_poses_.take(proposal.solved);
  drop_proposal();
  post(command::Edit{offsets ? proposal.what + " with offsets" : proposal.what,
                     [change = proposal.change, offsets](Project& project) {
                       change(project);
                       if (offsets) offsets(project);
                     }});
}

// The views live longer.
CalibrateControl::~CalibrateControl() {
  parts().cameras->drop_picture_tool(this);
}

std::optional<RunningWork> CalibrateControl::running() const {
  return solve_job_.running() ? long_task_ : std::nullopt;
}

void CalibrateControl::stop() {
  click_points_->setChecked(false);
  if (long_task_) solve_job_.stop();
}

void CalibrateControl::forget() {
  click_points_->setChecked(false);
  measure_job_.stop();
  solve_job_.stop();
  dragged_.reset();
  measured_.reset();
  problem_.clear();
  checked_ = {};
  known_poses_.forget();
  renamed_.clear();
  pending_.clear();
  current_.clear();
  drop_proposal();
  panel_->show_cameras({});
  panel_->show_points({});
  panel_->show_text({});
  show_clicks();
}

void CalibrateControl::refresh(Changes what) {
  if (what.testFlag(Change::frame) && state().open() && !project().calibration_changes().empty())
    show_clicks();
  if (!what.testFlag(Change::project) || !state().open()) return;
  const ProjectChange& change = state().project_change();
  if (what.testFlag(Change::other_project) || change.recording || change.points) {
    take_answered();
    if (change.recording) checked_ = {};  // the cameras had other poses
    drop_proposal();
    measure();
  }
  show_project();
}

// Clicks that the project has now are no longer pending; none is where its points changed otherwise: an undo.
void CalibrateControl::take_answered() {
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
void CalibrateControl::measure() {
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
      show_project();
    };
  });
}

void CalibrateControl::show_project() {
  std::vector<CalibrateCameraRow> cameras;
  for (const ProjectCamera& camera : project().cameras) {
    CalibrateCameraRow row{QString::fromStdString(camera.name),
                           camera.calibration.has_value(),
                           stands_text(camera),
                           later_text(camera),
                           {},
                           {},
                           {}};
    Verdict worst = Verdict::passed;
    for (const CheckItem& item : checked_.items) {
      if (item.camera != camera.name || !about_calibration(item)) continue;
      if (row.check.isEmpty() || item.verdict > worst) {
        worst = item.verdict;
        row.check = QString::fromStdString(std::string(verdict_name(worst)));
        row.check_tip = QString::fromStdString(item.figure + ". " + item.remedy);
      }
    }
    if (row.check.isEmpty()) row.check = tr("not checked"), row.check_tip = tr("Check it: Ctrl+F7");
    if (measured_)
      for (const PointsSolvedCamera& one : measured_->cameras)
        if (one.camera.name() == camera.name && one.clicks > 0)
          row.misses = tr("%1 px").arg(one.after_px, 0, 'f', 2);
    cameras.push_back(std::move(row));
  }
  panel_->show_cameras(cameras);
  std::vector<CalibratePointRow> points;
  for (const ClickedPoint& point : project().points) {
    CalibratePointRow row{point.name, static_cast<int>(point.clicks.size()), {}, 0, point.known_m, {}, false};
    if (measured_)
      for (const SolvedPoint& one : measured_->points) {
        if (one.name != point.name || !one.at_m) continue;
        row.at_m = one.at_m, row.std_m = one.std_m.norm();
        if (!one.clicks.empty()) row.rms_px = one.rms_px;
        for (const SolvedClick& click : one.clicks) row.doubtful |= click.doubtful;
      }
    points.push_back(std::move(row));
  }
  panel_->show_points(points);
  if (!renamed_.empty()) current_ = std::exchange(renamed_, {});
  if (!current_.empty()) panel_->choose_points({current_});
  QStringList notes;
  if (!problem_.isEmpty()) notes << problem_;
  if (measured_)
    for (const std::string& note : measured_->notes) notes << QString::fromStdString(note);
  panel_->show_text(notes.join('\n'));
  show_clicks();
  update_availability();
}

// ---- changes of points

void CalibrateControl::rename(const QString& before, const QString& after) {
  const std::string from = before.toStdString(), to = after.toStdString();
  if (from == to) return;
  const bool taken = std::any_of(project().points.begin(), project().points.end(),
                                 [&](const ClickedPoint& point) { return point.name == to; });
  if (to.empty() || taken || to.find(',') != std::string::npos) {
    parts().messages->post(
        {Severity::failed, taken        ? tr("There is another point named %1.").arg(after)
                           : to.empty() ? tr("A point needs a name.")
                                        : tr("A point's name holds no comma, which files of points need.")});
    return show_project();
  }
  renamed_ = to;
  post(command::Edit{"rename " + from, [from, to](Project& project) {
                       for (ClickedPoint& point : project.points)
                         if (point.name == from) point.name = to;
                     }});
}

void CalibrateControl::set_known(const QString& point, const std::optional<Eigen::Vector3d>& known_m) {
  post(command::Edit{"coordinates of " + point.toStdString(),
                     [name = point.toStdString(), known_m](Project& project) {
                       for (ClickedPoint& one : project.points)
                         if (one.name == name) one.known_m = known_m;
                     }});
}

void CalibrateControl::delete_points() {
  const std::vector<std::string> names = panel_->chosen_points();
  if (names.empty()) return;
  post(command::Edit{"delete points", [names](Project& project) {
                       std::erase_if(project.points, [&](const ClickedPoint& point) {
                         return std::find(names.begin(), names.end(), point.name) != names.end();
                       });
                     }});
}

void CalibrateControl::move_box() {
  const NamedBox* chosen = boxes_->chosen();
  if (!chosen) return;
  solve_job_.start([this, named = *chosen, names = panel_->chosen_points(),
                    project = project()](const StopSource&) -> BackgroundJob::Deliver {
    return [this, name = named.name,
            box = std::make_shared<Result<UprightBox>>(box_at_points(project, named.box, names))] {
      update_availability();
      if (!*box) return emit failed(box->error());
      if (QAction* shown = action("box")) shown->setChecked(true);
      post(command::Edit{"box to points", [name, box = **box](Project& project) {
                           if (NamedBox* its = box_named(project.boxes, name)) its->box = box;
                         }});
    };
  });
  update_availability();
}

// ---- proposals

void CalibrateControl::propose(Proposing work) {
  emit dock_wanted();
  drop_proposal();
  solve_job_.start([this, work = std::move(work),
                    project = project()](const StopSource&) -> BackgroundJob::Deliver {
    return
        [this, found = std::make_shared<Result<CalibrationProposal>>(work(project))] { on_proposed(*found); };
  });
  update_availability();
}

void CalibrateControl::propose_people() {
  std::vector<bool> free;
  const std::vector<std::string> chosen = panel_->chosen_cameras();
  for (const ProjectCamera& camera : project().cameras)
    free.push_back(std::find(chosen.begin(), chosen.end(), camera.name) != chosen.end());
  propose_at_length(
      {tr("Placing cameras by people"), tr("Cameras are being placed by people.")},
      [free, lenses = panel_->lenses(), range = state().frames_of_range(),
       place = parts().services.place_by_people](const Project& project, const FramesDone& progress,
                                                 const StopSource& stop) -> Result<CalibrationProposal> {
        VANTAGE_ASSIGN(const PeopleSolution solution, place(project, free, lenses, range, progress, stop));
        return propose_by_people(project, solution, range.begin);
      });
}

void CalibrateControl::propose_bumps() {
  const std::vector<std::string> chosen = panel_->chosen_cameras();
  std::vector<bool> asked;
  for (const ProjectCamera& camera : project().cameras)
    asked.push_back(chosen.empty() || std::find(chosen.begin(), chosen.end(), camera.name) != chosen.end());
  propose_at_length({tr("Searching for bumped cameras"), tr("Bumped cameras are being searched for.")},
                    [asked](const Project& project, const FramesDone& progress,
                            const StopSource& stop) -> Result<CalibrationProposal> {
                      VANTAGE_ASSIGN(const std::vector<WatchedCamera> watched,
                                     watch_cameras(project, asked, progress, stop));
                      return vantage::ui::propose_bumps(project, watched);
                    });
}

void CalibrateControl::drop_later() {
  post(command::Edit{"calibration", [names = panel_->chosen_cameras()](Project& project) {
                       for (ProjectCamera& camera : project.cameras)
                         if (std::find(names.begin(), names.end(), camera.name) != names.end())
                           camera.later_calibrations.clear();
                     }});
}

void CalibrateControl::propose_at_length(const RunningWork& what, LongProposing work) {
  emit dock_wanted();
  drop_proposal();
  long_task_ = what;
  panel_->show_text({});
  panel_->hide_progress();
  panel_->show_progress(0, 0);
  const auto progress = [panel = QPointer<CalibratePanel>(panel_), this](int64_t done, int64_t total) {
    QMetaObject::invokeMethod(this, [panel, done, total, this] {
      if (panel && long_task_) panel->show_progress(done, total);
    });
  };
  solve_job_.start([this, work = std::move(work), progress,
                    project = project()](const StopSource& stop) -> BackgroundJob::Deliver {
    return [this, found = std::make_shared<Result<CalibrationProposal>>(work(project, progress, stop))] {
      long_task_.reset();
      panel_->hide_progress();
      emit running_changed();
      on_proposed(*found);
    };
  });
  emit running_changed();
  update_availability();
}

void CalibrateControl::on_proposed(const Result<CalibrationProposal>& proposal) {
  if (proposal) {
    proposal_ = *proposal;
    panel_->show_proposal(proposal_->text, proposal_->rows, proposal_->columns);
    panel_->offer_offsets(proposal_->offsets != nullptr, proposal_->offsets_wanted);
    emit proposed(*proposal_);
  } else {
    panel_->show_text(QString::fromStdString(proposal.error().message()));
  }
  update_availability();
}

void CalibrateControl::add_to_proposal(const QString& paragraph) {
  if (!proposal_) return;
  proposal_->text += QStringLiteral("\n") + paragraph;
  panel_->show_proposal(proposal_->text, proposal_->rows, proposal_->columns);
}

void CalibrateControl::drop_proposal() {
  const bool shown = proposal_.has_value();
  proposal_.reset();
  panel_->hide_proposal();
  update_availability();
  if (shown) emit proposal_dropped();
}

}  // namespace vantage::ui
