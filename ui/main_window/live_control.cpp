#include "ui/main_window/live_control.h"

#include <QFileDialog>
#include <QMessageBox>

#include "ui/main_window/file_control.h"
#include "ui/main_window/status_line.h"
#include "ui/panels/health_panel.h"
#include "ui/views/camera_grid.h"
#include "ui/widgets/live_badge.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/timeline.h"
#include "ui/widgets/transport.h"

namespace vantage::ui {

LiveControl::LiveControl(const WindowParts& parts)
    : Control(parts),
      record_(add_action({"record", "R&ecord", "Ctrl+Alt+R",
                          "Record the live cameras with the results, next to the project, from some seconds "
                          "before now until pressed again",
                          true},
                         {Menu::analysis, "analyse_while_playing"}, [this](bool on) { record(on); })),
      panel_(new HealthPanel(
          add_action({"add_camera", "Add &Camera…", "Ctrl+Shift+N",
                      "Add a live camera to the project, or start a project with it", false, "Live Camera…"},
                     {Menu::file, "new_project"}, [this] { ask_for_camera(); }))) {
  add_dock({"health", "&Health", "F10", "Show the state of live cameras"}, "synchronisation", tr("Health"),
           panel_);
  parts.transport->set_record_action(record_);
  connect(panel_, &HealthPanel::view_accepted, this, &LiveControl::ask_whether_view_is_right);
}

void LiveControl::refresh(Changes what) {
  if (what.testFlag(Change::status)) show(state().status().live.get());
}

void LiveControl::show(const LiveStatus* live) {
  const bool was_live = parts().cameras->live();
  parts().cameras->set_live(live != nullptr);
  if (live) {
    panel_->show_health(live->health);
    panel_->show_push(live->push);
    parts().cameras->set_states(panel_->states());
  } else if (was_live) {
    panel_->clear();
    parts().cameras->set_states({});
  }
  parts().timeline->setVisible(!live || state().past());
  parts().cameras->set_past(live && !live->following && live->shown_utc_s > 0 ? ago_text(live->behind_s)
                                                                              : QString());
  note_recording(live);
  note_past(live);
  note_machine(live);
  show_summaries(live);
  record_->setChecked(state().recording());
  if (was_live == (live != nullptr)) return;
  if (live) emit dock_wanted();
}

void LiveControl::show_summaries(const LiveStatus* live) {
  const SetSummariesRef summaries = live ? live->summaries : nullptr;
  if (summaries == summaries_) return;
  summaries_ = summaries;
  if (summaries)
    parts().timeline->set_frames(summaries->entries, summaries->every, summaries->first);
  else
    parts().timeline->set_frames({});
}

// It can be opened from the start page, also after the program was killed.
void LiveControl::note_recording(const LiveStatus* live) {
  const std::filesystem::path recorded =
      live && live->recording ? live->recorded_project : std::filesystem::path();
  if (recorded == recorded_) return;
  recorded_ = recorded;
  if (!recorded.empty()) add_recent_project(QString::fromStdString(recorded.string()));
}

// Once, when it happens: the cameras go on.
void LiveControl::note_past(const LiveStatus* live) {
  const std::string problem = live ? live->past.kept.problem : std::string();
  if (problem == past_problem_) return;
  past_problem_ = problem;
  if (problem.empty()) return;
  parts().messages->post(
      {Severity::failed,
       tr("Nothing more of the cameras' past is kept: %1").arg(QString::fromStdString(problem))});
}

// Once a run: Health has the figures of now.
void LiveControl::note_machine(const LiveStatus* live) {
  const CameraState& machine = panel_->machine();
  if (!live) return machine_told_.clear();
  if (live->health.thinning <= 1 || machine.sentence.isEmpty() || machine_told_.contains(machine.words))
    return;
  machine_told_ << machine.words;
  parts().messages->post(
      {Severity::doubtful, machine.sentence, tr("Health"), [this] { emit dock_wanted(); }});
}

void LiveControl::update_availability() {
  set_available(record_, state().live(), tr("There are no live cameras."));
}

// The recording lies next to the project, under its name and the time.
void LiveControl::record(bool on) {
  record_->setChecked(state().recording());
  if (!on) return post(command::StopRecording{});
  std::filesystem::path path = project().path;
  if (path.empty()) {
    const QString file = QFileDialog::getSaveFileName(parts().window, tr("Record Into"), {},
                                                      tr("Vantage projects (*.vantage)"));
    if (file.isEmpty()) return;
    path = file.toStdString();
  }
  post(command::StartRecording{recording_path(path)});
}

void LiveControl::ask_for_camera() {
  auto* dialog = new AddCameraDialog({parts().services.credentials, parts().services.local_cameras},
                                     project(), parts().window);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &AddCameraDialog::added, this, &LiveControl::take_camera);
  dialog->open();
}

// It cannot be undone: the kept view is gone.
void LiveControl::ask_whether_view_is_right(int camera) {
  const auto index = static_cast<size_t>(camera);
  if (index >= project().cameras.size()) return;
  auto* question = new QMessageBox(QMessageBox::Question, tr("This View Is Right"),
                                   tr("Keep the present view of %1 as its reference view?")
                                       .arg(QString::fromStdString(project().cameras[index].name)),
                                   QMessageBox::Cancel, parts().window);
  question->setInformativeText(
      tr("It replaces the view that was kept with its calibration. Positions on the floor are correct only "
         "if the calibration still holds: if the camera was moved, turn it back or calibrate it again. It "
         "cannot be undone."));
  question->addButton(tr("&Keep This View"), QMessageBox::AcceptRole);
  question->setDefaultButton(QMessageBox::Cancel);
  question->setAttribute(Qt::WA_DeleteOnClose);
  connect(question, &QMessageBox::accepted, this, [this, index] { post(command::AcceptView{index}); });
  question->open();
}

void LiveControl::take_camera(const AddedCamera& camera) {
  parts().status_line->set_activity(tr("Connecting to %1 …").arg(QString::fromStdString(camera.name)));
  if (state().open())
    return post(
        command::Edit{"add " + camera.name, [camera](Project& project) { add_camera(camera, project); }});
  Project project;
  project.parameters = default_parameters();
  add_camera(camera, project);
  emit opening_started();
  post(command::OpenProject{project});
}

}  // namespace vantage::ui
