#include "ui/main_window/case/handover_control.h"

#include <QDateTime>
#include <QDesktopServices>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QSettings>
#include <QUrl>
#include <QVBoxLayout>
#include <algorithm>

#include "core/base/log.h"
#include "ui/widgets/form.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/panel_parts.h"
#include "ui/widgets/theme.h"
#include "ui/widgets/time_axis.h"

namespace vantage::ui {
namespace {

constexpr int kLineWidth = 380;

}  // namespace

HandoverDialog::HandoverDialog(const Project& project, FrameRange span, double frame_rate,
                               const std::optional<RecordingClock>& clock, QWidget* parent)
    : TaskDialog(tr("Hand-Over Page"), tr("&Write"), tr("Write the page; the window can be used meanwhile"),
                 parent),
      frame_rate_(frame_rate),
      clock_(clock) {
  const QString beside = QSettings().value("case/folder", QDir::homePath()).toString();
  const QString name = tr("%1 hand-over %2.pdf")
                           .arg(QString::fromStdString(project.path.stem().string()),
                                QDateTime::currentDateTime().toString("yyyy-MM-dd HHmmss"));
  auto* rows = new QVBoxLayout(fields());
  rows->setContentsMargins(0, 0, 0, 0);
  rows->setSpacing(kWide);
  rows->addWidget(quiet_label(
      tr("Events with their marks and notes, bookmarks, cases, people and a map: what has not been "
         "examined yet comes first.")));
  auto* form = new Form;
  rows->addLayout(form);
  from_ = form->add_line(tr("&From"), tr("The first frame: a time as the window shows it, or a frame"),
                         QString::number(span.begin), kLineWidth);
  to_ = form->add_line(tr("&To"), tr("The last frame: a time as the window shows it, or a frame"),
                       QString::number(span.end - 1), kLineWidth);
  who_ = form->add_line(tr("&Handed over by"), tr("Who hands over; printed on the page"),
                        QSettings().value("case/who").toString(), kLineWidth);
  file_ = form->add_line(tr("Fil&e"), tr("The page: .pdf to print, .html to read in a browser"),
                         QDir(beside).filePath(name), kLineWidth);
  const QString title = tr("Choose the file");
  add_chooser(file_, title, [this, title](const QString& now) {
    return QFileDialog::getSaveFileName(this, title, now, tr("Pages (*.pdf *.html)"));
  });
  connect(form, &Form::changed, this, &HandoverDialog::update_state);
  lay_out();
  update_state();
}

void HandoverDialog::start() {
  const Result<Choice> wanted = choice();
  if (!wanted) return;
  QSettings settings;
  settings.setValue("case/who", who_->text().trimmed());
  settings.setValue("case/folder", QFileInfo(file_->text().trimmed()).absolutePath());
  emit chosen(*wanted);
  accept();
}

Result<HandoverDialog::Choice> HandoverDialog::choice() const {
  const auto missing = [](const QString& text) {
    return fail(ErrorKind::invalid_argument, text.toStdString());
  };
  Choice choice;
  VANTAGE_ASSIGN(const TypedTime first, parse_time(plain_time(from_->text()), frame_rate_, clock_));
  VANTAGE_ASSIGN(const TypedTime last, parse_time(plain_time(to_->text()), frame_rate_, clock_));
  choice.span = {first.frame, last.frame + 1};
  if (choice.span.begin >= choice.span.end) return missing(tr("The span holds no frame."));
  choice.who = who_->text().trimmed().toStdString();
  if (choice.who.empty()) return missing(tr("Say who hands over."));
  const QString file = file_->text().trimmed();
  const QString ending = QFileInfo(file).suffix().toLower();
  if (ending != "pdf" && ending != "html") return missing(tr("Use a file name that ends in .pdf or .html."));
  choice.file = QFileInfo(file).absoluteFilePath().toStdString();
  return choice;
}

void HandoverDialog::update_state() {
  const Result<Choice> wanted = choice();
  show_problem(wanted ? QString() : QString::fromStdString(wanted.error().message()));
}

HandoverControl::HandoverControl(const WindowParts& parts) : Control(parts) {
  add_action(
      {"handover", "&Hand-Over Page…", "Ctrl+Alt+H",
       "Write what happened in the marked range and what is left to do, to be printed"},
      {Menu::file_export, "export_case"}, [this] { ask(); },
      [this] {
        return unmet({{!state().live(), tr("Live cameras are recorded first.")},
                      {!project().path.empty() && state().tracks() != nullptr && project().calibrated(),
                       tr("Analyse the project first: the page is made of its results.")}});
      });
}

void HandoverControl::forget() {
  if (dialog_) dialog_->deleteLater();
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
