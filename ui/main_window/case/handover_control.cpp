#include "ui/main_window/case/handover_control.h"

#include <QDesktopServices>
#include <QUrl>
#include <algorithm>

#include "core/base/log.h"
#include "ui/widgets/message_bar.h"

namespace vantage::ui {

HandoverControl::HandoverControl(const WindowParts& parts)
    : Control(parts),
      handover_(add_action({"handover", "&Hand-Over Page…", "Ctrl+Alt+H",
                            "Write what happened in the marked range and what is left to do, to be printed"},
                           {Menu::file_export, "export_case"}, [this] { ask(); })) {}

void HandoverControl::forget() {
  if (dialog_) dialog_->deleteLater();
}

void HandoverControl::update_availability() {
  if (state().live()) return enable(handover_, false, tr("Live cameras are recorded first."));
  enable(handover_, !project().path.empty() && state().tracks() != nullptr && project().calibrated(),
         tr("Analyse the project first: the page is made of its results."));
}

// The marked range, else everything.
void HandoverControl::ask() {
  delete dialog_;
  FrameRange span = state().frames_of_range();
  span.end = std::min(span.end, state().status().frame_count);
  dialog_ = new HandoverDialog(project(), span, state().frame_rate(), state().clock(), parts().window);
  dialog_->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog_, &HandoverDialog::chosen, this, &HandoverControl::begin);
  dialog_->show();
}

void HandoverControl::begin(const HandoverDialog::Choice& choice) {
  job_.start([this, choice, options = HandoverOptions{project(), choice.span, choice.who, {}}](
                 const StopSource&) -> BackgroundJob::Deliver {
    const Status written = [&]() -> Status {
      VANTAGE_ASSIGN(const Document page, handover_page(options));
      return write_handover(page, choice.file);
    }();
    return [this, written, file = QString::fromStdString(choice.file.string())] {
      if (!written) return emit failed(written.error());
      const QString text = tr("Hand-over page written to %1").arg(file);
      log_info(text.toStdString());
      parts().messages->post({Severity::note, text, tr("Open"),
                              [file] { QDesktopServices::openUrl(QUrl::fromLocalFile(file)); }});
    };
  });
}

}  // namespace vantage::ui
