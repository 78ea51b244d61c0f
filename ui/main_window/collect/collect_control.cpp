#include "ui/main_window/collect/collect_control.h"

#include <QDesktopServices>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QSettings>
#include <QUrl>
#include <QVBoxLayout>
#include <utility>

#include "core/base/log.h"
#include "ui/widgets/form.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/panel_parts.h"
#include "ui/widgets/theme.h"

namespace vantage::ui {
namespace {

constexpr int kFolderWidth = 380;
constexpr const char* kFolderKey = "collect/folder";
constexpr int64_t kProgressSteps = 1000;

}  // namespace

CollectDialog::CollectDialog(const Project& project, QWidget* parent)
    : TaskDialog(tr("Collect Project"), tr("&Collect"),
                 tr("Copy everything; the window can be used meanwhile"), parent) {
  auto* rows = new QVBoxLayout(fields());
  rows->setContentsMargins(0, 0, 0, 0);
  rows->setSpacing(kWide);
  rows->addWidget(
      quiet_label(tr("Videos, detections, results, ground truth and all else that the project has, "
                     "with paths that open anywhere.")));
  auto* form = new Form;
  rows->addLayout(form);
  const QString in = QSettings().value(kFolderKey, QDir::homePath()).toString();
  folder_ =
      form->add_line(tr("Fol&der"), tr("The folder to be made; it is not there yet, or empty"),
                     QDir(in).filePath(QString::fromStdString(project.path.stem().string())), kFolderWidth);
  const QString title = tr("Choose where the folder is made");
  add_chooser(folder_, title, [this, title](const QString& typed) {
    const QFileInfo now(typed);
    const QString folder = QFileDialog::getExistingDirectory(this, title, now.absolutePath());
    return folder.isEmpty() ? QString() : QDir(folder).filePath(now.fileName());
  });
  connect(form, &Form::changed, this, &CollectDialog::update_state);
  lay_out();
  update_state();
}

void CollectDialog::offer_saving(bool unsaved) {
  name_button(unsaved ? tr("Save and &Collect") : tr("&Collect"));
}

void CollectDialog::update_state() {
  const QString folder = folder_->text().trimmed();
  if (folder.isEmpty()) return show_problem(tr("Say which folder is to be made."));
  const bool taken = QFileInfo::exists(folder) && (!QFileInfo(folder).isDir() || !QDir(folder).isEmpty());
  show_problem(taken ? tr("%1 is there already: nothing is overwritten.").arg(folder) : QString());
}

void CollectDialog::start() {
  const QFileInfo folder(folder_->text().trimmed());
  QSettings().setValue(kFolderKey, folder.absolutePath());
  emit chosen(folder.absoluteFilePath().toStdString());
}

CollectControl::CollectControl(const WindowParts& parts) : Control(parts) {
  add_action(
      {"collect_project", "Collec&t Project…", "Ctrl+Shift+D",
       "Copy the project and all its files into one folder, to open elsewhere"},
      {Menu::file, "save_as"}, [this] { ask(); },
      [this] {
        return unmet({{!project().path.empty(), tr("Save the project first.")},
                      {!state().recording(), tr("The cameras are being recorded.")},
                      {!state().status().unsaved ||
                           (!state().status().held_by && state().status().changed_outside.empty()),
                       tr("Save the project first: what is saved is collected.")}});
      });
}

// It goes on without the project, of which it has a copy.
void CollectControl::forget() {
  waiting_.reset();
  if (dialog_ && !job_.running()) dialog_->deleteLater();
}

void CollectControl::refresh(Changes what) {
  if (dialog_ && (what & (Change::status | Change::mode))) dialog_->offer_saving(state().status().unsaved);
  if (waiting_ && !state().status().unsaved) begin(*std::exchange(waiting_, std::nullopt));
}

void CollectControl::ask() {
  if (dialog_ && job_.running()) {
    dialog_->show();
    dialog_->raise();
    return;
  }
  delete dialog_;
  dialog_ = new CollectDialog(project(), parts().window);
  connect(dialog_, &CollectDialog::chosen, this, &CollectControl::begin);
  connect(dialog_, &CollectDialog::cancelled, this, [this] {
    waiting_.reset();
    job_.stop();
    dialog_->show_running(false);
  });
  dialog_->offer_saving(state().status().unsaved);
  dialog_->show();
}

// What is saved is collected.
void CollectControl::begin(const std::filesystem::path& folder) {
  dialog_->show_running(true);
  if (state().status().unsaved) {
    waiting_ = folder;
    return action("save")->trigger();
  }
  job_.start([this, folder, project = project()](const StopSource& stop) -> BackgroundJob::Deliver {
    CollectProjectOptions options;
    options.folder = folder;
    options.stop = stop;
    options.progress = [this, stop, last = int64_t{-1}](int64_t done, int64_t total) mutable {
      const int64_t step = total > 0 ? done * kProgressSteps / total : kProgressSteps;
      if (std::exchange(last, step) == step) return;
      QMetaObject::invokeMethod(
          this,
          [this, step, stop] {
            if (dialog_ && !stop.stop_requested() && job_.running())
              dialog_->show_progress(step, kProgressSteps);
          },
          Qt::QueuedConnection);
    };
    return [this, collected = collect_project(project, options)] { finish(collected); };
  });
}

void CollectControl::finish(const Result<CollectedProject>& collected) {
  if (dialog_) dialog_->show_running(false);
  if (!collected) return emit failed(collected.error());
  const QString file = QString::fromStdString(collected->project.string());
  QString text = tr("Project collected: %1, with %2 files.").arg(file).arg(collected->files);
  for (const std::string& note : collected->notes) text += ' ' + QString::fromStdString(note);
  log_info(text.toStdString());
  parts().messages->post({Severity::note, text, tr("Open Folder"), [file] {
                            QDesktopServices::openUrl(QUrl::fromLocalFile(QFileInfo(file).absolutePath()));
                          }});
  if (dialog_) dialog_->close();
}

}  // namespace vantage::ui
