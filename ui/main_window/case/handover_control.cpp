#include "ui/main_window/case/handover_control.h"

#include <QAction>
#include <QDateTime>
#include <QDesktopServices>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>
#include <QStyle>
#include <QUrl>
#include <QVBoxLayout>
#include <algorithm>

#include "core/base/log.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/panel_parts.h"

namespace vantage::ui {
namespace {

constexpr int kLineWidth = 380;

}  // namespace

HandoverDialog::HandoverDialog(const Project& project, FrameRange span, double frame_rate,
                               const std::optional<RecordingClock>& clock, QWidget* parent)
    : QDialog(parent),
      frame_rate_(frame_rate),
      clock_(clock),
      from_(new QLineEdit(QString::number(span.begin))),
      to_(new QLineEdit(QString::number(span.end - 1))),
      who_(new QLineEdit(QSettings().value("case/who").toString())),
      file_(new QLineEdit),
      problem_(text_label()),
      buttons_(new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel)) {
  setWindowTitle(tr("Hand-Over Page"));
  const QString beside = QSettings().value("case/folder", QDir::homePath()).toString();
  file_->setText(QDir(beside).filePath(tr("%1 hand-over %2.pdf")
                                           .arg(QString::fromStdString(project.path.stem().string()),
                                                QDateTime::currentDateTime().toString("yyyy-MM-dd HHmmss"))));
  auto* form = new QFormLayout;
  form->setHorizontalSpacing(14);
  form->setVerticalSpacing(8);
  add_field(form, tr("&From"), tr("The first frame: a time as the window shows it, or a frame"), from_);
  add_field(form, tr("&To"), tr("The last frame: a time as the window shows it, or a frame"), to_);
  add_field(form, tr("&Handed over by"), tr("Who hands over; printed on the page"), who_);
  add_field(form, tr("Fil&e"), tr("The page: .pdf to print, .html to read in a browser"), file_);
  for (QLineEdit* line : {from_, to_, who_, file_}) {
    line->setMinimumWidth(kLineWidth);
    connect(line, &QLineEdit::textChanged, this, &HandoverDialog::update_state);
  }
  add_file_chooser();
  problem_->setAccessibleName(tr("What is missing"));
  problem_->setMinimumHeight(fontMetrics().lineSpacing());
  buttons_->button(QDialogButtonBox::Ok)->setText(tr("&Write"));
  buttons_->button(QDialogButtonBox::Ok)->setToolTip(tr("Write the page; the window can be used meanwhile"));
  auto* page = new QVBoxLayout(this);
  page->setContentsMargins(24, 20, 24, 16);
  page->setSpacing(12);
  page->addWidget(
      quiet_label(tr("Events with their marks and notes, bookmarks, cases, people and a map: what has not "
                     "been examined yet comes first.")));
  page->addLayout(form);
  page->addWidget(problem_);
  page->addStretch(1);
  page->addWidget(buttons_);
  connect(buttons_, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(buttons_, &QDialogButtonBox::accepted, this, [this] {
    const Result<Choice> chosen_now = choice();
    if (!chosen_now) return;
    QSettings settings;
    settings.setValue("case/who", who_->text().trimmed());
    settings.setValue("case/folder", QFileInfo(file_->text().trimmed()).absolutePath());
    emit chosen(*chosen_now);
    accept();
  });
  update_state();
}

void HandoverDialog::add_file_chooser() {
  const QString title = tr("Choose the file");
  QAction* choose =
      file_->addAction(style()->standardIcon(QStyle::SP_DialogOpenButton), QLineEdit::TrailingPosition);
  choose->setText(title);
  choose->setToolTip(title);
  connect(choose, &QAction::triggered, this, [this, title] {
    const QString file = QFileDialog::getSaveFileName(this, title, file_->text(), tr("Pages (*.pdf *.html)"));
    if (!file.isEmpty()) file_->setText(file);
  });
}

QString HandoverDialog::problem() const {
  return problem_->text();
}

Result<HandoverDialog::Choice> HandoverDialog::choice() const {
  const auto missing = [](const QString& text) {
    return fail(ErrorKind::invalid_argument, text.toStdString());
  };
  Choice choice;
  VANTAGE_ASSIGN(const TypedTime first, parse_time(from_->text().toStdString(), frame_rate_, clock_));
  VANTAGE_ASSIGN(const TypedTime last, parse_time(to_->text().toStdString(), frame_rate_, clock_));
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
  problem_->setText(wanted ? QString() : QString::fromStdString(wanted.error().message()));
  buttons_->button(QDialogButtonBox::Ok)->setEnabled(wanted.has_value());
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
