#include "ui/main_window/check_control.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/log.h"
#include "ui/panels/checks_panel.h"
#include "ui/widgets/message_bar.h"

namespace vantage::ui {
namespace {

// What a check looks at: cameras, calibration, region and the parameters of foreground and volume.
std::vector<uint64_t> checked_of(const Project& project) {
  std::vector<uint64_t> parts;
  for (const ParameterTable* table : project.parameters.tables())
    parts.push_back(project.parameters.hash(table->stage));
  for (const ProjectCamera& camera : project.cameras)
    parts.push_back(std::hash<std::string>()(camera.video + '\n' + camera.background + '\n' +
                                             std::to_string(camera.offset_frames)));
  return parts;
}

}  // namespace

CheckControl::CheckControl(const WindowActions& actions, Parts parts, CheckFunction check, QObject* parent)
    : QObject(parent), actions_(actions), parts_(parts), check_(std::move(check)) {
  actions.check->setVisible(available());
  actions.checks->setVisible(available());
  connect(actions.check, &QAction::triggered, this, &CheckControl::check_now);
  connect(parts_.panel, &ChecksPanel::check_requested, actions.check, &QAction::trigger);
  connect(parts_.panel, &ChecksPanel::show_requested, this, &CheckControl::show_place);
  connect(&job_, &BackgroundJob::stopped, this, &CheckControl::on_stopped);
}

void CheckControl::set_project(const Project& project) {
  project_ = project;
  if (checked_.empty() || checked_ == checked_of(project_)) return;
  checked_.clear();
  parts_.panel->mark_out_of_date();
}

void CheckControl::forget() {
  job_.stop();
  checked_.clear();
  parts_.panel->clear();
  count();
}

void CheckControl::check_now() {
  emit dock_wanted();
  analyse_after_.reset();
  start({}, tr("Checking"));
}

void CheckControl::analyse(FrameRange frames) {
  if (!available()) return parts_.session->post(command::Analyse{frames});
  parts_.messages->clear();  // all of it is in the log; what the check finds is to be seen
  analyse_after_ = frames;
  start(quick_check_options(), tr("Checking before the analysis"));
}

void CheckControl::start(const CheckOptions& options, const QString& activity) {
  activity_ = activity;
  parts_.panel->show_running();
  job_.start(
      [this, project = project_, how = options](const StopSource& stop) mutable -> BackgroundJob::Deliver {
        how.stop = stop;
        return [this, report = check_(project, how)] { on_checked(report); };
      });
  emit running_changed();
}

// ---- what comes of it

void CheckControl::on_checked(const CheckReport& report) {
  checked_ = checked_of(project_);
  activity_.clear();
  parts_.panel->show_report(report);
  for (const CheckItem& item : report.items)
    if (item.verdict >= Verdict::doubtful)
      log_warning(std::string(verdict_name(item.verdict)) + ": " + item.check + " " + item.camera + ": " +
                  item.figure + ". " + item.remedy);
  count();
  emit running_changed();
  offer_offsets(report);
  const auto frames = std::exchange(analyse_after_, std::nullopt);
  if (!frames) return;
  if (report.worst() == Verdict::failed) return offer_to_go_on(report, *frames);
  parts_.session->post(command::Analyse{*frames});
}

void CheckControl::on_stopped() {  // nothing is known that was not before
  analyse_after_.reset();
  activity_.clear();
  parts_.panel->show_stopped();
  emit running_changed();
}

void CheckControl::offer_to_go_on(const CheckReport& report, FrameRange frames) {
  const auto failed = std::find_if(report.items.begin(), report.items.end(),
                                   [](const CheckItem& item) { return item.verdict == Verdict::failed; });
  emit dock_wanted();
  const QString what = QString::fromStdString(
      (failed->camera.empty() ? failed->check : failed->camera + ", " + failed->check) + ": " +
      failed->figure);
  parts_.messages->post({Severity::failed, tr("The check before the analysis failed: %1.").arg(what),
                         tr("Analyse Anyway"),
                         [this, frames] { parts_.session->post(command::Analyse{frames}); }});
}

// "Offsets: cam3 …" leads to where they are found.
void CheckControl::offer_offsets(const CheckReport& report) {
  if (!actions_.find_offsets->isVisible()) return;
  for (const CheckItem& item : report.items)
    if (item.check == "offsets" && item.verdict >= Verdict::doubtful)
      return parts_.messages->post(
          {Severity::doubtful,
           tr("%1: %2.").arg(QString::fromStdString(item.camera), QString::fromStdString(item.figure)),
           tr("Find Offsets"), [this] { actions_.find_offsets->trigger(); }});
}

// A camera's own frame, shown at the base camera's frame of the same moment.
void CheckControl::show_place(const QString& camera, int64_t camera_frame) {
  for (size_t i = 0; i < project_.cameras.size(); ++i) {
    const ProjectCamera& shown = project_.cameras[i];
    if (QString::fromStdString(shown.name) != camera) continue;
    emit camera_requested(static_cast<int>(i));
    if (camera_frame < 0) return;
    const double base_rate = project_.cameras.front().frame_rate;
    const double ratio = shown.frame_rate > 0 && base_rate > 0 ? base_rate / shown.frame_rate : 1;
    emit seek_requested(std::llround((static_cast<double>(camera_frame) - shown.offset_frames) * ratio));
  }
}

void CheckControl::count() {
  emit counted(parts_.panel->count(Verdict::failed), parts_.panel->count(Verdict::doubtful));
}

}  // namespace vantage::ui
