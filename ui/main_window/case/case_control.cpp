#include "ui/main_window/case/case_control.h"

#include <QDesktopServices>
#include <QUrl>
#include <algorithm>
#include <cmath>

#include "core/base/log.h"
#include "core/export/case/exported_spans.h"
#include "ui/main_window/playback_control.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/timeline.h"

namespace vantage::ui {
namespace {

constexpr double kAround_s = 5;  // before and behind the frame that is shown

}  // namespace

CaseControl::CaseControl(const WindowParts& parts)
    : Control(parts),
      export_case_(add_action({"export_case", "C&ase…", "Ctrl+Shift+X",
                               "Hand over the marked range: blurred videos, tables, a report, signed"},
                              {Menu::file_export, "export_results"}, [this] { ask(); })) {
  export_case_->setVisible(static_cast<bool>(parts.services.export_case));
}

// The export goes on without the project: it has read its file.
void CaseControl::forget() {
  if (dialog_ && !job_.running()) dialog_->deleteLater();
}

void CaseControl::refresh(Changes what) {
  if (what.testFlag(Change::other_project)) show_exported();
  if (what.testFlag(Change::clock) && dialog_ && !job_.running()) dialog_->offer_clock(state().clock());
}

// On the time axis.
void CaseControl::show_exported() {
  std::vector<ExportedFrames> shown;
  if (!project().path.empty()) {
    const auto spans = read_exported_spans(project().results_folder());
    if (!spans) log_warning(spans.error().message());
    for (const ExportedSpan& span : spans.value_or(std::vector<ExportedSpan>()))
      shown.push_back(
          {span.first_frame, span.last_frame, tr("exported to %1").arg(QString::fromStdString(span.folder))});
  }
  parts().timeline->set_exported(std::move(shown));
}

void CaseControl::update_availability() {
  if (state().live())
    return enable(export_case_, false,
                  tr("Live cameras are recorded first, and exported from the recording."));
  if (!project().has_pictures()) return enable(export_case_, false, tr("The project has no videos."));
  enable(export_case_, !project().path.empty() && !state().status().unsaved,
         tr("Save the project first: a case is exported of what is saved."));
}

// The marked range, else what is around the frame that is shown.
FrameRange CaseControl::offered_span() const {
  const int64_t count = state().status().frame_count;
  if (!state().range().empty()) {
    const FrameRange marked = state().frames_of_range();
    return {marked.begin, std::min(marked.end, count)};
  }
  const int64_t around = std::lround(kAround_s * state().frame_rate());
  const int64_t frame = parts().playback->frame();
  return {std::max<int64_t>(0, frame - around), std::min(count, frame + around)};
}

void CaseControl::ask() {
  if (dialog_ && job_.running()) {
    dialog_->show();
    dialog_->raise();
    return;
  }
  delete dialog_;
  dialog_ = new CaseDialog(project(), offered_span(), state().frame_rate(), state().status().frame_count, 0,
                           parts().window);
  connect(dialog_, &CaseDialog::chosen, this, &CaseControl::begin);
  connect(dialog_, &CaseDialog::cancelled, this, [this] {
    job_.stop();
    dialog_->show_running(false);
  });
  dialog_->offer_clock(state().clock());
  dialog_->show();
}

void CaseControl::begin(const CaseOptions& chosen) {
  dialog_->show_running(true);
  job_.start(
      [this, chosen, run = parts().services.export_case](const StopSource& stop) -> BackgroundJob::Deliver {
        CaseOptions options = chosen;
        options.stop = stop;
        options.progress = [this, stop](const CaseProgress& at) {
          QMetaObject::invokeMethod(
              this,
              [this, at, stop] {
                if (dialog_ && !stop.stop_requested() && job_.running()) dialog_->show_progress(at);
              },
              Qt::QueuedConnection);
        };
        return [this, made = run(options)] { finish(made); };
      });
}

void CaseControl::finish(const Result<ExportedCase>& made) {
  if (dialog_) dialog_->show_running(false);
  if (!made) return emit failed(made.error());
  show_exported();
  int64_t blurred = 0;
  for (const CaseCamera& camera : made->cameras) blurred += camera.fully_blurred;
  QString text = tr("Case exported to %1: %2 videos of %3 frames.")
                     .arg(QString::fromStdString(made->folder.string()))
                     .arg(made->cameras.size())
                     .arg(made->frames);
  if (blurred > 0) text += ' ' + tr("%1 pictures are blurred as a whole.").arg(blurred);
  for (const std::string& note : made->notes) text += ' ' + QString::fromStdString(note);
  log_info(text.toStdString());
  const QString folder = QString::fromStdString(made->folder.string());
  parts().messages->post({Severity::note, text, tr("Open Folder"),
                          [folder] { QDesktopServices::openUrl(QUrl::fromLocalFile(folder)); }});
  if (dialog_) dialog_->close();
}

}  // namespace vantage::ui
