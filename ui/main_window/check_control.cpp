#include "ui/main_window/check_control.h"

#include <QCheckBox>
#include <QCoreApplication>
#include <QFileDialog>
#include <QLocale>
#include <QMessageBox>
#include <QPushButton>
#include <QSettings>
#include <QString>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <memory>
#include <string_view>
#include <utility>

#include "core/base/log.h"
#include "core/project/new_project.h"
#include "core/results/results_paths.h"
#include "core/session/session.h"
#include "core/video/video_source.h"
#include "ui/main_window/window_docks.h"
#include "ui/panels/checks_panel.h"
#include "ui/platform/session_bridge.h"
#include "ui/views/camera_grid.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/time_axis.h"
#include "ui/widgets/timeline.h"
#include "ui/widgets/transport.h"

namespace vantage::ui {
namespace {

// Texts of the button of analyses: what it will do, how far it is, what it would replace.

QString tr(const char* text) {
  return QCoreApplication::translate("Analyse", text);
}

// "Analyse all, 500 frames, about 1 min". `frames`: 0 where they are not known yet; `seconds`: negative where
// nothing was measured yet.
QString analyse_offer(const QString& what, int64_t frames, bool exact, double seconds) {
  if (frames <= 0) return what;
  const QString many = exact ? tr("%1 frames").arg(frames) : tr("about %1 frames").arg(frames);
  const QString text = what + QStringLiteral(", ") + (frames == 1 ? tr("1 frame") : many);
  return seconds < 0 ? text : text + QStringLiteral(", ") + about_text(seconds);
}

// "Stop, 24 %, 0:38 left"
QString analyse_progress(const SessionStatus& status, double share) {
  if (status.live) return tr("Stop, %1 sets written").arg(status.live->written);
  if (share < 0 || status.seconds_left < 0) return tr("Stop");
  return tr("Stop, %1 %, %2 left")
      .arg(static_cast<int>(100 * share))
      .arg(short_time_text(status.seconds_left));
}

// The share analysed so far of `frames` frames, 0 to 1; negative: not known.
double analysed_share(const SessionStatus& status, int64_t frames) {
  if (!status.analysing || status.seconds_left < 0 || status.analysed_fps <= 0 || frames <= 0) return -1;
  return std::clamp(1 - status.seconds_left * status.analysed_fps / static_cast<double>(frames), 0.0, 1.0);
}

// The question before results are replaced; empty: none are.
QString replaced_results(const ResultCounts& counts, int64_t frames) {
  const int64_t analysed = counts.current + counts.out_of_date;
  if (analysed == 0) return {};
  if (counts.out_of_date > 0)
    return tr("The results of %1 of %2 frames were made with other settings. They are replaced; those of "
              "other "
              "frames stay as they are.")
        .arg(counts.out_of_date)
        .arg(frames);
  if (counts.current >= frames)
    return tr("All %1 frames are analysed already, with these settings. Their results are replaced.")
        .arg(frames);
  return tr("%1 of %2 frames are analysed already, with these settings. Their results are replaced.")
      .arg(counts.current)
      .arg(frames);
}

constexpr char kSpeed[] = "analysis/pixels_per_s";
// Checks look for people by their detectors' boxes alone.
constexpr std::string_view kBehindChecks[] = {"people", "tracking", "paths"};

// Parts of a check's input that are no cameras, calibration or region: the parameters of all that it runs or
// estimates.
std::vector<uint64_t> checked_of(const Project& project) {
  std::vector<uint64_t> parts;
  for (const ParameterTable* table : project.parameters.tables())
    if (std::find(std::begin(kBehindChecks), std::end(kBehindChecks), table->stage) ==
        std::end(kBehindChecks))
      parts.push_back(project.parameters.hash(table->stage));
  parts.push_back(static_cast<uint64_t>(people_source(project)));
  return parts;
}

}  // namespace

CheckControl::CheckControl(const WindowParts& parts) : Control(parts), panel_(new ChecksPanel) {
  const auto keeps = [this] { return unmet({unkept()}); };
  QAction* check = add_action(
      {"check", "&Check", "Ctrl+F7", "Check videos, foreground, calibration, disk and time on a few frames"},
      {Menu::analysis}, [this] { check_now(); },
      [this] {
        return unmet(
            {{!state().live(), tr("Checks are for recordings; F10 shows the health of live cameras.")},
             idle()});
      });
  analyse_range_ = add_action(
      {"analyse_range", "Analyse &Range", "Ctrl+R", "Analyse the marked range", false, "Analyse"},
      {Menu::analysis, nullptr, true}, [this] { ask_and_analyse(state().frames_of_range()); },
      [this] {
        return unmet({{!state().live(), no_past()},
                      unkept(),
                      {!state().range().empty(), tr("Mark a range with I and O first.")}});
      });
  analyse_all_ = add_action(
      {"analyse_all", "Analyse &All", "Ctrl+Shift+R", "Analyse every frame"}, {Menu::analysis},
      [this] { ask_and_analyse({0, state().status().frame_count}); }, keeps);
  continue_analysis_ = add_action(
      {"continue_analysis", "Con&tinue Analysis", "Ctrl+Return",
       "Continue the analysis that was stopped, from where it stopped", false, "Continue"},
      {Menu::analysis},
      [this] {
        if (rest_) begin(*rest_);
      },
      [this] { return unmet({unkept(), {rest_.has_value(), tr("No analysis was stopped.")}}); });
  analyse_while_playing_ =
      add_action({"analyse_while_playing", "Analyse While &Playing", "Ctrl+Shift+A",
                  "Analyse frames while they play; off: pictures only", true},
                 {Menu::analysis}, [this](bool on) { post(command::SetAnalyseWhilePlaying{on}); });
  add_dock({"checks", "&Checks", "F7", "Show what the checks found"}, "parameters", tr("Checks"), panel_)
      ->setVisible(available());
  check->setVisible(available());
  parts.transport->set_analyse_action(analyse_all_, {}, -1);
  connect(panel_, &ChecksPanel::check_requested, check, &QAction::trigger);
  connect(panel_, &ChecksPanel::cancel_requested, this, &CheckControl::stop);
  connect(panel_, &ChecksPanel::show_requested, this, &CheckControl::show_frame_of);
  connect(panel_, &ChecksPanel::remedy_requested, this, &CheckControl::do_remedy);
  connect(&job_, &BackgroundJob::stopped, this, &CheckControl::on_stopped);
  connect(parts.services.bridge, &SessionBridge::results_changed, this, &CheckControl::find_rest);
}

void CheckControl::restore(const QSettings& settings) {
  pixels_per_s_ = settings.value(kSpeed, 0).toDouble();
}

void CheckControl::save(QSettings& settings) const {
  settings.setValue(kSpeed, pixels_per_s_);
}

double CheckControl::share() const {
  return progress_.total == 0 ? 0
                              : static_cast<double>(progress_.done) / static_cast<double>(progress_.total);
}

std::optional<RunningWork> CheckControl::running() const {
  if (!job_.running()) return std::nullopt;
  const QString part = progress_.part.empty() ? QString() : ": " + part_text(progress_);
  return RunningWork{activity_ + part, tr("A check is running."), share()};
}

// Whatever keeps all analyses of files from starting.
Control::Need CheckControl::unkept() const {
  if (state().busy()) return idle();
  const std::string& kept_by = state().status().keeps_from_analysing;
  return {kept_by.empty(), QString::fromStdString(kept_by)};
}

QString CheckControl::no_past() {
  return tr("Live cameras have no earlier frames.");
}

void CheckControl::update_availability() {
  Control::update_availability();
  set_available(analyse_while_playing_, !state().live(), no_past());
  show_offer();
}

void CheckControl::show_live(bool live) {
  live_ = live;
  analyse_all_->setText(live ? tr("Write &Results") : tr("Analyse &All"));
  analyse_all_->setProperty(
      "tip", live ? tr("Write the results of every set from now on, until Stop") : tr("Analyse every frame"));
}

// ---- the button

// While something is analysed, or checked before it, the same button ends that.
void CheckControl::show_offer() {
  const SessionStatus& status = state().status();
  Transport* transport = parts().transport;
  QAction* stop = action("stop");
  if (stop && job_.running()) return transport->set_analyse_action(stop, tr("Stop, checking"), share());
  if (stop && state().stopping()) return transport->set_analyse_action(stop, tr("Stopping…"), -1);
  if (stop && status.analysing) {
    const double share = analysed_share(status, analysed_.end - analysed_.begin);
    return transport->set_analyse_action(stop, analyse_progress(status, share), share);
  }
  if (state().live() || !state().open()) return transport->set_analyse_action(analyse_all_, {}, -1);
  const bool range = !state().range().empty();
  const FrameRange frames = rest_   ? *rest_
                            : range ? state().frames_of_range()
                                    : FrameRange{0, status.frame_count};
  const int64_t count = frames.end - frames.begin;
  const QString what = rest_ ? tr("Continue") : range ? tr("Analyse range") : tr("Analyse all");
  transport->set_analyse_action(
      rest_   ? continue_analysis_
      : range ? analyse_range_
              : analyse_all_,
      analyse_offer(what, count, rest_ || range || status.frame_count_exact, seconds_for(count)), -1);
}

void CheckControl::stop() {
  job_.stop();
  stop_asked_ = state().status().analysing && !state().live();
}

// What an analysis that was stopped has left: from the first frame on that is not analysed as the settings
// are now.
void CheckControl::find_rest() {
  if (!stopped_ && !rest_) return;
  rest_.reset();
  const int64_t end = std::min(analysed_.end, state().status().frame_count);
  if (stopped_)
    if (const auto next = parts().timeline->first_not_current(analysed_.begin, end))
      rest_ = FrameRange{*next, end};
  update_availability();
}

double CheckControl::pixels_of_set() const {
  double pixels = 0;
  for (const ProjectCamera& camera : project().cameras)
    if (camera.calibration)
      pixels += static_cast<double>(camera.calibration->width_px()) * camera.calibration->height_px();
  return pixels;
}

// Pixels a second, so that it tells about other projects, too.
void CheckControl::measure_speed() {
  const SessionStatus& status = state().status();
  if (!status.analysing || state().live() || status.analysed_fps <= 0 || pixels_of_set() <= 0) return;
  pixels_per_s_ = status.analysed_fps * pixels_of_set();
}

double CheckControl::seconds_for(int64_t frames) const {
  const double pixels = pixels_of_set();
  return pixels_per_s_ > 0 && pixels > 0 ? static_cast<double>(frames) * pixels / pixels_per_s_ : -1;
}

// The findings may be of an older project.
void CheckControl::refresh(Changes what) {
  if (what.testFlag(Change::status) && state().live() != live_) show_live(state().live());
  if (what.testFlag(Change::status)) measure_speed();
  const bool other_frames = what.testFlag(Change::project) &&
                            (state().project_change().parameters || state().project_change().recording);
  if (other_frames || what.testFlag(Change::range)) stopped_ = false, find_rest();
  if (stop_asked_ && !state().status().analysing) stop_asked_ = false, stopped_ = state().open(), find_rest();
  if (what & (Change::status | Change::project | Change::mode)) show_offer();
  if (!what.testFlag(Change::project)) return;
  withdraw_if_cured();
  const bool same = !state().project_change().recording && checked_ == checked_of(project());
  if (checked_.empty() || same) return;
  checked_.clear();
  panel_->mark_out_of_date();
}

void CheckControl::forget() {
  parts().messages->withdraw(std::exchange(offered_, {}));
  analyse_after_.reset();
  job_.stop();
  clip_job_.stop();
  stop_asked_ = stopped_ = false;
  rest_.reset();
  asks_ = true;
  checked_.clear();
  panel_->clear();
  count();
}

void CheckControl::check_now() {
  emit dock_wanted();
  analyse_after_.reset();
  const CheckOptions every_check;
  start(every_check, tr("Checking"));
}

// What is lost is said before it is; names, repairs and marks are the project's and stay.
void CheckControl::ask_and_analyse(FrameRange frames) {
  const QString replaced = asks_ ? replaced_text(frames) : QString();
  if (replaced.isEmpty()) return analyse(frames);
  auto* question =
      new QMessageBox(QMessageBox::Question, tr("Analyse"), replaced, QMessageBox::Cancel, parts().window);
  question->setInformativeText(tr("Names, repairs, zones and notes stay."));
  QPushButton* replace = question->addButton(tr("&Replace"), QMessageBox::AcceptRole);
  question->setDefaultButton(replace);
  if (QAction* keep = action("keep_results"); keep->isEnabled()) {
    QPushButton* first = question->addButton(tr("&Keep Them First"), QMessageBox::RejectRole);
    first->setToolTip(keep->toolTip());
    connect(first, &QPushButton::clicked, keep, &QAction::trigger);
  }
  auto* again = new QCheckBox(tr("Do not ask &again while this project is open"));
  question->setCheckBox(again);
  question->setAttribute(Qt::WA_DeleteOnClose);
  connect(replace, &QPushButton::clicked, this, [this, again, frames] {
    asks_ = !again->isChecked();
    analyse(frames);
  });
  question->open();
}

QString CheckControl::replaced_text(FrameRange frames) const {
  if (!state().live()) {
    // Frames that were only shown are no results: they are in memory.
    if (!state().tracks() || state().tracks()->frames.empty()) return {};
    return replaced_results(parts().timeline->results_in(frames.begin, frames.end),
                            frames.end - frames.begin);
  }
  std::error_code none;
  const bool there =
      !project().path.empty() && std::filesystem::exists(project().results_folder() / "results.jsonl", none);
  return there ? tr("There are results of these cameras already. They are replaced.") : QString();
}

void CheckControl::begin(FrameRange frames) {
  analysed_ = frames;
  stop_asked_ = stopped_ = false;
  rest_.reset();
  post(command::Analyse{frames});
}

// Live cameras are not checked: what they will send is not known. A project that passed a check before an
// analysis is analysed at once until something changes that was examined.
void CheckControl::analyse(FrameRange frames) {
  const bool passed = passed_ && !checked_.empty() && checked_ == checked_of(project());
  if (state().live() || !available() || passed) return begin(frames);
  if (state().status().playing) post(command::Pause{});
  parts().messages->clear();  // all of it is in the log; what the check finds is to be seen
  offered_.clear();
  analyse_after_ = frames;
  start(quick_check_options(), tr("Checking before the analysis"));
}

void CheckControl::start(const CheckOptions& options, const QString& activity) {
  activity_ = activity;
  progress_ = {};
  panel_->show_running();
  job_.start([this, check = parts().services.check, project = project(),
              how = options](const StopSource& stop) mutable -> BackgroundJob::Deliver {
    how.stop = stop;
    how.progress = [this, stop](const CheckProgress& at) {
      QMetaObject::invokeMethod(
          this,
          [this, stop, at] {
            if (!stop.stop_requested() && job_.running()) on_progress(at);
          },
          Qt::QueuedConnection);
    };
    return [this, report = check(project, how)] { on_checked(report); };
  });
  emit running_changed();
  show_offer();
}

// ---- what comes of it

void CheckControl::on_progress(const CheckProgress& at) {
  const bool next = at.part != progress_.part;
  progress_ = at;
  panel_->show_progress(at);
  show_offer();
  if (next) emit running_changed();  // the status bar says the part
}

void CheckControl::on_checked(const CheckReport& report) {
  parts().messages->withdraw(std::exchange(offered_, {}));  // said again, where it still holds
  checked_ = checked_of(project());
  passed_ = false;
  activity_.clear();
  panel_->show_report(report);
  emit checked(report);
  for (const CheckItem& item : report.items)
    if (item.verdict >= Verdict::doubtful)
      log_warning(std::string(verdict_name(item.verdict)) + ": " + item.check + " " + item.camera + ": " +
                  item.figure + ". " + item.remedy);
  count();
  emit running_changed();
  const std::optional<Cure> cure = cure_of(report);
  const auto frames = std::exchange(analyse_after_, std::nullopt);
  passed_ = frames && report.worst() != Verdict::failed;
  if (frames && !passed_) return offer_to_go_on(report, *frames, cure);
  if (cure) offer(*cure, {Severity::doubtful, cure->text, cure->button, cure->action});
  if (!frames) return;
  begin(*frames);
}

// Nothing is known that was not before. Who cancels the check before an analysis may still want that.
void CheckControl::on_stopped() {
  if (const auto frames = std::exchange(analyse_after_, std::nullopt))
    parts().messages->post({Severity::doubtful, tr("The check before the analysis was cancelled."),
                            tr("Analyse Anyway"), [this, range = *frames] { begin(range); }});
  activity_.clear();
  panel_->show_stopped();
  emit running_changed();
}

void CheckControl::offer_to_go_on(const CheckReport& report, FrameRange frames,
                                  const std::optional<Cure>& cure) {
  const auto failed = std::find_if(report.items.begin(), report.items.end(),
                                   [](const CheckItem& item) { return item.verdict == Verdict::failed; });
  emit dock_wanted();
  const QString what = QString::fromStdString(
      (failed->camera.empty() ? failed->check : failed->camera + ", " + failed->check) + ": " +
      failed->figure);
  Message message{Severity::failed, tr("The check before the analysis failed: %1.").arg(what),
                  tr("Analyse Anyway"), [this, frames] { begin(frames); }};
  if (!cure) return parts().messages->post(std::move(message));
  message.second_button = cure->button, message.second_action = cure->action;
  offer(*cure, std::move(message));
}

std::optional<CheckControl::Cure> CheckControl::cure_of(const CheckReport& report) {
  for (const CheckItem& item : report.items) {
    const bool pose = item.check == "outlines";
    QAction* mend = action(pose ? "solve_people" : "find_offsets");
    if (item.verdict < Verdict::doubtful || item.camera.empty() || (!pose && item.check != "offsets") ||
        !mend || !mend->isVisible())
      continue;
    // The rest of the figure is in the list of checks.
    const std::string figure = item.figure.substr(
        0, pose ? std::min(item.figure.find(" ("), item.figure.find(';')) : std::string::npos);
    const QString camera = QString::fromStdString(item.camera);
    const QString text = (pose ? tr("%1: %2.") : tr("%1 %2.")).arg(camera, QString::fromStdString(figure));
    if (pose)
      return Cure{item.camera, text, tr("Solve From People"), [this, camera] { emit pose_wanted(camera); }};
    return Cure{item.camera, text, tr("Find Offsets"), [mend] { mend->trigger(); }};
  }
  return std::nullopt;
}

// Until the camera is another one: see withdraw_if_cured().
void CheckControl::offer(const Cure& cure, Message message) {
  const auto camera = std::ranges::find(project().cameras, cure.camera, &ProjectCamera::name);
  if (camera == project().cameras.end()) return;
  offered_ = message.text, accused_ = *camera;
  parts().messages->post(std::move(message));
}

void CheckControl::withdraw_if_cured() {
  if (offered_.isEmpty()) return;
  Project then, now;
  then.cameras = {accused_};
  for (const ProjectCamera& camera : project().cameras)
    if (camera.name == accused_.name) now.cameras = {camera};
  if (difference(then, now).recording) parts().messages->withdraw(std::exchange(offered_, {}));
}

// A camera's own frame, shown at the base camera's frame of the same instant.
void CheckControl::show_frame_of(const QString& camera, int64_t camera_frame) {
  for (size_t i = 0; i < project().cameras.size(); ++i) {
    const ProjectCamera& shown = project().cameras[i];
    if (QString::fromStdString(shown.name) != camera) continue;
    parts().cameras->enlarge(static_cast<int>(i));
    if (camera_frame < 0) return;
    const double base_rate = project().cameras.front().frame_rate;
    const double ratio = shown.frame_rate > 0 && base_rate > 0 ? base_rate / shown.frame_rate : 1;
    emit seek_requested(std::llround((static_cast<double>(camera_frame) - shown.offset_frames) * ratio));
  }
}

// One that cannot be given now says why.
void CheckControl::do_remedy(const QString& command, const QString& camera) {
  if (command == "add_clip") {
    const QString folder = QString::fromStdString(project().path.parent_path().string());
    const QString file =
        QFileDialog::getOpenFileName(parts().window, tr("Clip of the Empty Scene of %1").arg(camera), folder);
    return file.isEmpty() ? void() : use_clip(camera, file);
  }
  QAction* remedy = action(command.toUtf8().constData());
  if (!remedy) return;
  if (remedy->isEnabled()) return remedy->trigger();
  parts().messages->post({Severity::note, remedy->toolTip().section('\n', 1)});
}

void CheckControl::use_clip(const QString& camera, const QString& file) {
  const auto& cameras = project().cameras;
  const auto of = std::ranges::find(cameras, camera.toStdString(), &ProjectCamera::name);
  if (of == cameras.end()) return;
  clip_job_.start([this, name = of->name, video = of->video,
                   clip = file.toStdString()](const StopSource& stop) -> BackgroundJob::Deliver {
    const auto examined = std::make_shared<Status>([&]() -> Status {
      VideoOpenOptions how;
      how.stop = stop;
      VANTAGE_ASSIGN(const auto of_clip, open_video(clip, how));
      VANTAGE_ASSIGN(const auto of_video, open_video(video, how));
      return check_background(clip, of_clip->info(), name, of_video->info());
    }());
    return [this, name, clip, examined] {
      if (!*examined) return emit failed(examined->error());
      post(command::Edit{"clip", [name, clip](Project& changed) {
                           for (ProjectCamera& one : changed.cameras)
                             if (one.name == name) one.background = clip;
                         }});
    };
  });
}

void CheckControl::count() {
  parts().tool_bar->checks()->show_counts(panel_->count(Verdict::failed), panel_->count(Verdict::doubtful));
}

}  // namespace vantage::ui
