#include "ui/main_window/calibrate/calibrate_control.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/geometry/camera.h"
#include "ui/main_window/calibrate/calibrate_panel.h"
#include "ui/main_window/calibrate/proposal.h"
#include "ui/main_window/check_control.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/panel_parts.h"

namespace vantage::ui {
namespace {

bool about_calibration(const CheckItem& item) {
  return item.check == "calibration" || item.check == "view" || item.check == "silhouettes" ||
         item.check == "outlines";
}

QString center_text(const Camera& camera) {
  const Eigen::Vector3d at = camera.center_in_world_m();
  return QStringLiteral("%L1 %L2 %L3").arg(at.x(), 0, 'f', 2).arg(at.y(), 0, 'f', 2).arg(at.z(), 0, 'f', 2);
}

// `found`: cameras that are found so far, or proposed.
QString stands_text(const ProjectCamera& camera, const std::vector<Camera>& found) {
  if (!camera.calibration) {
    const auto its = std::ranges::find(found, camera.name, &Camera::name);
    return its == found.end() ? CalibrateControl::tr("not calibrated")
                              : CalibrateControl::tr("found: %1").arg(center_text(*its));
  }
  QString text = center_text(*camera.calibration);
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
    : Control(parts), panel_(new CalibratePanel(add_commands())) {
  add_dock({"calibrate", "Cali&brate", "Shift+F7",
            "Show cameras and clicked points, and solve, level or scale the calibration"},
           "checks", tr("Calibrate"), panel_);
  connect(panel_, &CalibratePanel::cameras_chosen, this, &CalibrateControl::update_availability);
  connect(panel_, &CalibratePanel::wanted, this, &CalibrateControl::dock_wanted);
  if (auto* checks = parts.window->findChild<CheckControl*>()) {
    connect(checks, &CheckControl::checked, this, [this](const CheckReport& report) {
      checked_ = report;
      show_cameras();
    });
    connect(checks, &CheckControl::pose_wanted, this, [this](const QString& camera) {
      panel_->choose_cameras({camera.toStdString()});
      action("solve_people")->trigger();
    });
  }
  show_proposals();
}

// What is solved, and what becomes of it.
void CalibrateControl::show_proposals() {
  const Proposal* proposal = parts().proposal;
  const auto show = [this] {
    const CalibrationProposal& found = *parts().proposal->proposed();
    panel_->show_proposal(found.text, found.rows, found.columns);
  };
  connect(proposal, &Proposal::solving_changed, this, [this] {
    if (parts().proposal->solving()) emit dock_wanted();
    if (running()) panel_->show_text({});
    emit running_changed();
    update_availability();
  });
  connect(proposal, &Proposal::progressed, this, &CalibrateControl::running_changed);
  connect(proposal, &Proposal::cameras_changed, this, [this] {
    if (state().open()) show_cameras();
  });
  connect(proposal, &Proposal::found, this, [this, show] {
    show();
    panel_->offer_offsets(parts().proposal->proposed()->offsets != nullptr,
                          parts().proposal->proposed()->offsets_wanted);
    update_availability();
  });
  connect(proposal, &Proposal::extended, this, show);
  connect(proposal, &Proposal::not_found, panel_, &CalibratePanel::show_text);
  connect(proposal, &Proposal::dropped, this, [this] {
    panel_->hide_proposal();
    update_availability();
  });
}

CalibrateCommands CalibrateControl::add_commands() {
  CalibrateCommands commands;
  commands.solve = {
      add_action(
          {"solve_points", "&Solve From Points", "Ctrl+K",
           "Place the ticked cameras by the clicked points; the others are fixed"},
          {Menu::analysis, "check", true},
          [this] {
            parts().proposal->solve([cameras = panel_->chosen_cameras(), focal = panel_->focal()](
                                        const Project& project, const auto&, const auto&) {
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
  const QString nothing = tr("Nothing is proposed.");
  commands.apply = add_action(
      {"apply_calibration", "Apply Proposed Cali&bration", "Ctrl+Shift+F7",
       "Apply the proposed calibration; can be undone"},
      {Menu::analysis, "solve_people"}, [this] { apply(); },
      [this, nothing] {
        const auto& proposed = parts().proposal->proposed();
        return unmet({{proposed && proposed->change, nothing}, idle()});
      });
  commands.dismiss = add_action(
      {"dismiss_calibration", "Dismiss Proposed Calibration", "Ctrl+Shift+F9",
       "Keep the calibration as it is"},
      {Menu::analysis, "apply_calibration"}, [this] { parts().proposal->drop(); },
      [this, nothing] { return unmet({{parts().proposal->proposed().has_value(), nothing}}); });
  return commands;
}

Control::Need CalibrateControl::unsolved() const {
  return {!parts().proposal->solving(), Proposal::why_busy()};
}

Control::Need CalibrateControl::ticked() const {
  return {!panel_->chosen_cameras().empty(), tr("Tick the cameras to solve first.")};
}

bool CalibrateControl::ticked_later() const {
  const std::vector<std::string> ticked = panel_->chosen_cameras();
  return std::any_of(project().cameras.begin(), project().cameras.end(), [&](const ProjectCamera& camera) {
    return !camera.later_calibrations.empty() &&
           std::find(ticked.begin(), ticked.end(), camera.name) != ticked.end();
  });
}

void CalibrateControl::apply() {
  const bool with_offsets = panel_->takes_offsets();
  const std::optional<CalibrationProposal> taken = parts().proposal->take();
  if (!taken) return;
  const auto offsets = with_offsets ? taken->offsets : nullptr;
  post(command::Edit{offsets ? taken->what + " with offsets" : taken->what,
                     [change = taken->change, offsets](Project& project) {
                       change(project);
                       if (offsets) offsets(project);
                     }});
}

std::optional<RunningWork> CalibrateControl::running() const {
  return parts().proposal->running();
}

void CalibrateControl::stop() {
  parts().proposal->stop();
}

void CalibrateControl::forget() {
  parts().proposal->forget();
  checked_ = {};
  panel_->show_cameras({});
  panel_->show_text({});
}

void CalibrateControl::refresh(Changes what) {
  if (!what.testFlag(Change::project) || !state().open()) return;
  const ProjectChange& change = state().project_change();
  if (change.recording) checked_ = {};  // the cameras had other poses
  if (what.testFlag(Change::other_project) || change.recording || change.points) parts().proposal->drop();
  show_cameras();
}

void CalibrateControl::show_cameras() {
  std::vector<CalibrateCameraRow> cameras;
  for (const ProjectCamera& camera : project().cameras) {
    CalibrateCameraRow row{QString::fromStdString(camera.name),
                           camera.calibration.has_value(),
                           stands_text(camera, parts().proposal->found_cameras()),
                           later_text(camera),
                           {},
                           {}};
    Verdict worst = Verdict::passed;
    for (const CheckItem& item : checked_.items) {
      if (item.camera != camera.name || !about_calibration(item)) continue;
      if (row.check.isEmpty() || item.verdict > worst) {
        worst = item.verdict;
        row.check = core_text(verdict_name(worst));
        row.check_tip = QString::fromStdString(item.figure + ". " + item.remedy);
      }
    }
    if (row.check.isEmpty()) row.check = tr("not checked"), row.check_tip = tr("Check it: Ctrl+F7");
    cameras.push_back(std::move(row));
  }
  panel_->show_cameras(cameras);
  update_availability();
}

void CalibrateControl::propose_people() {
  std::vector<bool> free;
  const std::vector<std::string> chosen = panel_->chosen_cameras();
  for (const ProjectCamera& camera : project().cameras)
    free.push_back(std::find(chosen.begin(), chosen.end(), camera.name) != chosen.end());
  parts().proposal->solve(
      [free, lenses = panel_->lenses(), range = state().frames_of_range(),
       place = parts().services.place_by_people](const Project& project, const Proposal::FramesDone& progress,
                                                 const StopSource& stop) -> Result<CalibrationProposal> {
        VANTAGE_ASSIGN(const PeopleSolution solution, place(project, free, lenses, range, progress, stop));
        return propose_by_people(project, solution, range.begin);
      },
      RunningWork{tr("Placing cameras by people"), tr("Cameras are being placed by people.")});
}

void CalibrateControl::propose_bumps() {
  const std::vector<std::string> chosen = panel_->chosen_cameras();
  std::vector<bool> asked;
  for (const ProjectCamera& camera : project().cameras)
    asked.push_back(chosen.empty() || std::find(chosen.begin(), chosen.end(), camera.name) != chosen.end());
  parts().proposal->solve(
      [asked](const Project& project, const Proposal::FramesDone& progress,
              const StopSource& stop) -> Result<CalibrationProposal> {
        VANTAGE_ASSIGN(const std::vector<WatchedCamera> watched,
                       watch_cameras(project, asked, progress, stop));
        return vantage::ui::propose_bumps(project, watched);
      },
      RunningWork{tr("Searching for bumped cameras"), tr("Bumped cameras are being searched for.")});
}

void CalibrateControl::drop_later() {
  post(command::Edit{"calibration", [names = panel_->chosen_cameras()](Project& project) {
                       for (ProjectCamera& camera : project.cameras)
                         if (std::find(names.begin(), names.end(), camera.name) != names.end())
                           camera.later_calibrations.clear();
                     }});
}

}  // namespace vantage::ui
