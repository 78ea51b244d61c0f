#include "ui/main_window/live_control.h"

#include <QDateTime>
#include <QFileDialog>
#include <QMessageBox>

#include "ui/main_window/events_control.h"
#include "ui/panels/health_panel.h"
#include "ui/views/camera_grid.h"
#include "ui/widgets/timeline.h"
#include "ui/widgets/transport.h"

namespace vantage::ui {

LiveControl::LiveControl(const WindowActions& actions, Parts parts, AddCameraDialog::Services cameras,
                         QWidget* window)
    : QObject(window), actions_(actions), parts_(parts), services_(std::move(cameras)), window_(window) {
  connect(actions_.add_camera, &QAction::triggered, this, &LiveControl::ask_for_camera);
  connect(actions_.record, &QAction::triggered, this, &LiveControl::record);
  connect(parts_.health, &HealthPanel::view_accepted, this, &LiveControl::ask_whether_view_is_right);
}

void LiveControl::set_project(const Project& project) {
  project_ = project;
}

void LiveControl::set_status(const SessionStatus& status) {
  live_ = status.live;
  show(live_.get());
}

void LiveControl::forget() {
  project_.reset();
  live_.reset();
  show(nullptr);
}

void LiveControl::show(const LiveStatus* live) {
  const bool was_live = parts_.cameras->live();
  parts_.cameras->set_live(live != nullptr);
  parts_.events->set_live(live);
  if (live) {
    parts_.health->show_health(live->health);
    parts_.cameras->set_states(parts_.health->states());
  } else if (was_live) {
    parts_.health->clear();
    parts_.cameras->set_states({});
  }
  parts_.timeline->setVisible(!live || live->recording);
  show_summaries(live);
  actions_.record->setChecked(recording());
  if (was_live == (live != nullptr)) return;
  show_words(live != nullptr);
  if (live) emit dock_wanted();
}

void LiveControl::show_summaries(const LiveStatus* live) {
  const SetSummariesRef summaries = live ? live->summaries : nullptr;
  if (summaries == summaries_) return;
  summaries_ = summaries;
  if (summaries)
    parts_.timeline->set_frames(summaries->entries, summaries->every);
  else
    parts_.timeline->set_frames({});
}

// What the same keys do with live cameras.
void LiveControl::show_words(bool live) {
  parts_.transport->set_analyse_action(live ? actions_.analyse_all : actions_.analyse_range);
  actions_.analyse_all->setText(live ? tr("Write &Results") : tr("Analyse &All"));
  actions_.analyse_all->setProperty(
      "tip", live ? tr("Write the results of every set from now on, until Stop") : tr("Analyse every frame"));
  actions_.last->setText(live ? tr("Go to &Live") : tr("&Last Frame"));
  actions_.last->setProperty("tip", live ? tr("Show what the cameras see now") : tr("Go to the last frame"));
}

// What belongs to recordings; with one under way, one can look back in it.
void LiveControl::update_availability() {
  const auto& a = actions_;
  set_available(a.record, live_ != nullptr, tr("There are no live cameras."));
  if (!live_) return;
  const QString only_now = tr("Live cameras have no earlier frames.");
  for (QAction* action : {a.backwards, a.forwards, a.mark_in, a.mark_out, a.clear_range, a.analyse_range,
                          a.analyse_while_playing})
    set_available(action, false, only_now);
  for (QAction* action : {a.step_back, a.step_forward, a.second_back, a.second_forward, a.first})
    set_available(action, recording(), only_now + QChar(' ') + tr("Record to look back."));
  set_available(a.check, false, tr("Checks are for recordings; F10 shows the health of live cameras."));
  set_available(a.find_offsets, false, tr("Live cameras are watched while they run."));
}

// Beside the project, under its name and the time.
void LiveControl::record(bool on) {
  actions_.record->setChecked(recording());
  if (!on) return parts_.session->post(command::StopRecording{});
  std::filesystem::path path = project_ ? project_->path : std::filesystem::path();
  if (path.empty()) {
    const QString file =
        QFileDialog::getSaveFileName(window_, tr("Record Into"), {}, tr("Vantage projects (*.vantage)"));
    if (file.isEmpty()) return;
    path = file.toStdString();
  }
  const QString time = QDateTime::currentDateTime().toString("yyyyMMdd-HHmmss");
  path.replace_filename(path.stem().string() + "-" + time.toStdString() + ".vantage");
  parts_.session->post(command::StartRecording{path});
}

void LiveControl::ask_for_camera() {
  auto* dialog = new AddCameraDialog(services_, project_.value_or(Project{}), window_);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &AddCameraDialog::added, this, &LiveControl::take_camera);
  dialog->open();
}

// It cannot be undone: the kept view is gone.
void LiveControl::ask_whether_view_is_right(int camera) {
  const auto index = static_cast<size_t>(camera);
  if (!project_ || index >= project_->cameras.size()) return;
  auto* question = new QMessageBox(QMessageBox::Question, tr("This View Is Right"),
                                   tr("Keep what %1 shows now as its right view?")
                                       .arg(QString::fromStdString(project_->cameras[index].name)),
                                   QMessageBox::Cancel, window_);
  question->setInformativeText(
      tr("It replaces the view that was kept with its calibration. Positions on the floor are correct only "
         "if the calibration still holds: if the camera was moved, turn it back or calibrate it again."));
  question->addButton(tr("&Keep This View"), QMessageBox::AcceptRole);
  question->setDefaultButton(QMessageBox::Cancel);
  question->setAttribute(Qt::WA_DeleteOnClose);
  connect(question, &QMessageBox::accepted, this,
          [this, index] { parts_.session->post(command::AcceptView{index}); });
  question->open();
}

void LiveControl::take_camera(const AddedCamera& camera) {
  emit connecting(QString::fromStdString(camera.name));
  if (project_)
    return parts_.session->post(
        command::Edit{"camera", [camera](Project& project) { add_camera(camera, project); }});
  Project project;
  project.parameters = default_parameters();
  add_camera(camera, project);
  emit opening_started();
  parts_.session->post(command::OpenProject{project});
}

}  // namespace vantage::ui
