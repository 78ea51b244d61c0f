#include "ui/main_window/clock/clock_control.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/main_window/playback_control.h"
#include "ui/widgets/panel_parts.h"
#include "ui/widgets/time_axis.h"
#include "ui/widgets/transport.h"

namespace vantage::ui {

ClockControl::ClockControl(const WindowParts& parts) : Control(parts) {
  QAction* go = add_action(
      {"go_to", "&Go to…", "Ctrl+G", "Go to a time of day, a time from the start, or a frame"},
      {Menu::playback, "last"}, [this] { ask_where(); },
      [this] {
        return unmet({{!state().live() || state().past(), tr("Nothing of the live cameras is kept yet.")}});
      });
  parts.transport->set_go_to_action(go);
  add_action(
      {"time_of_day", "&Time of Day…", "Ctrl+Shift+G",
       "Say when this frame was taken: all times are then times of day"},
      {Menu::playback, "go_to"}, [this] { ask_time(); },
      [this] {
        return unmet({{!state().live(), tr("Live cameras show the time of day by this machine's clock.")}});
      });
}

void ClockControl::forget() {
  finding_.stop();
  delete dialog_;
}

void ClockControl::refresh(Changes what) {
  if (what.testFlag(Change::status)) take_live_clock();
  if (!what.testFlag(Change::project) || !state().open()) return;
  const ProjectChange& change = state().project_change();
  if (change.recording || change.clock) find();
}

// The clock is that of frame 0, which is the first set.
void ClockControl::take_live_clock() {
  const auto& live = state().status().live;
  if (!live || live->health.start_utc_s <= 0) return;
  const RecordingClock clock{live->health.start_utc_s, std::nullopt,
                             tr("clock of this machine").toStdString()};
  if (state().clock() != clock) emit clock_found(clock);
}

// The container is read for it.
void ClockControl::find() {
  if (project().live()) return;
  finding_.start([this, project = project()](const StopSource&) -> BackgroundJob::Deliver {
    const std::optional<RecordingClock> found = find_clock(project);
    return [this, found] { emit clock_found(found); };
  });
}

MomentDialog* ClockControl::open(const MomentQuestion& question) {
  delete dialog_;
  dialog_ = new MomentDialog(question, parts().window);
  dialog_->setAttribute(Qt::WA_DeleteOnClose);
  dialog_->open();
  return dialog_;
}

void ClockControl::ask_where() {
  MomentDialog* dialog = open({.title = tr("Go to"),
                               .label = tr("Ti&me"),
                               .hint = typed_times(state().clock()),
                               .text = {},
                               .button = tr("&Go"),
                               .removal = {},
                               .answer = [this](const QString& typed) { return frame_text(typed); }});
  connect(dialog, &QDialog::accepted, this, [this, dialog] {
    if (const Result<TypedTime> time =
            parse_time(plain_time(dialog->typed()), state().frame_rate(), state().clock()))
      emit seek_requested(time->frame);
  });
}

// The instant in full: the frame that will be shown, before one goes there.
Result<QString> ClockControl::frame_text(const QString& typed) const {
  VANTAGE_ASSIGN(const TypedTime time, parse_time(plain_time(typed), state().frame_rate(), state().clock()));
  const QString note = time.note.empty() ? QString() : QLatin1Char('\n') + QString::fromStdString(time.note);
  const int64_t frame = time.frame, first = state().first_frame(), end = state().status().frame_count;
  if (frame < first || frame >= end)
    return fail(
        ErrorKind::invalid_argument,
        ((state().live() ? tr("What is kept is from %1 to %2.") : tr("The recording is from %1 to %2."))
             .arg(state().times().full_text(first), state().times().full_text(std::max(end - 1, first))) +
         note)
            .toStdString());
  return tr("frame %1, %2.").arg(frame).arg(state().times().full_text(frame)) + note;
}

void ClockControl::ask_time() {
  const int64_t frame = parts().playback->frame();
  const std::optional<RecordingClock>& clock = state().clock();
  RecordingClock at_frame = clock.value_or(RecordingClock());
  at_frame.start_utc_s += state().times().seconds(frame);
  MomentDialog* dialog =
      open({.title = tr("Time of Day"),
            .label = tr("Frame %1 was &taken at").arg(frame),
            .hint = tr("2026-05-01 14:32:05, with Z or +02:00 unless it is this machine's time"),
            .text = clock ? QString::fromStdString(at_frame.typed_text()).replace('T', ' ') : QString(),
            .button = tr("&Set"),
            .removal = project().clock ? tr("&Forget") : QString(),
            .answer = [this, frame](const QString& typed) -> Result<QString> {
              VANTAGE_ASSIGN(const RecordingClock start, typed_clock(typed, frame));
              return tr("The recording began at %1.").arg(QString::fromStdString(start.text(0)));
            },
            .removal_tip = tr("Forget the time that was typed")});
  dialog->show_note(clock ? tr("Now by the %1.").arg(QString::fromStdString(clock->source))
                          : tr("Not known now: neither the first camera's file nor its name states it. Times "
                               "count from the start."));
  connect(dialog, &QDialog::accepted, this, [this, dialog, frame] {
    if (const Result<RecordingClock> start = typed_clock(dialog->typed(), frame)) keep(*start);
  });
  connect(dialog, &MomentDialog::removed, this, [this] { keep(std::nullopt); });
}

Result<RecordingClock> ClockControl::typed_clock(const QString& typed, int64_t frame) const {
  VANTAGE_ASSIGN(RecordingClock clock, parse_clock(plain_time(typed)));
  clock.start_utc_s -= state().times().seconds(frame);
  // As the project's file will hold it.
  return parse_clock(clock.typed_text());
}

void ClockControl::keep(const std::optional<RecordingClock>& clock) {
  post(command::Edit{"time of day", [clock](Project& project) { project.clock = clock; }});
}

namespace {

constexpr int kMomentWidth = 520, kAnswerLines = 3;

}  // namespace

MomentDialog::MomentDialog(const MomentQuestion& question, QWidget* parent)
    : QDialog(parent),
      question_(question),
      note_(new QLabel),
      field_(new QLineEdit(question.text)),
      answer_(new QLabel),
      accept_(nullptr) {
  setWindowTitle(question.title);
  note_->setWordWrap(true);
  note_->hide();
  field_->setMinimumSize(kMomentWidth, field_->sizeHint().height());
  describe(field_, QString(question.label).remove('&'), question.hint);
  field_->setAccessibleDescription(question.hint);
  answer_->setWordWrap(true);
  answer_->setAlignment(Qt::AlignTop);
  answer_->setMinimumHeight(kAnswerLines * fontMetrics().lineSpacing());
  answer_->setAccessibleName(tr("What it means"));
  auto* form = new QFormLayout;
  form->setRowWrapPolicy(QFormLayout::WrapLongRows);
  form->addRow(question.label, field_);
  form->addRow(QString(), answer_);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
  accept_ = buttons->addButton(question.button, QDialogButtonBox::AcceptRole);
  accept_->setDefault(true);
  accept_->setToolTip(question.title);
  if (!question.removal.isEmpty()) {
    QPushButton* removal = buttons->addButton(question.removal, QDialogButtonBox::DestructiveRole);
    removal->setAutoDefault(false);
    removal->setToolTip(question.removal_tip);
    connect(removal, &QPushButton::clicked, this, [this] {
      emit removed();
      reject();
    });
  }
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(field_, &QLineEdit::textChanged, this, &MomentDialog::update_answer);
  auto* page = new QVBoxLayout(this);
  page->addWidget(note_);
  page->addLayout(form);
  page->addWidget(buttons);
  field_->selectAll();
  update_answer();
}

QString MomentDialog::typed() const {
  return field_->text().trimmed();
}

void MomentDialog::show_note(const QString& note) {
  note_->setText(note);
  note_->show();
  note_->setMinimumHeight(note_->heightForWidth(kMomentWidth));
  adjustSize();
}

void MomentDialog::update_answer() {
  if (typed().isEmpty() && !question_.may_be_empty) {
    accept_->setEnabled(false);
    return answer_->setText(question_.hint);
  }
  const Result<QString> meant = question_.answer(typed());
  accept_->setEnabled(meant.has_value());
  answer_->setText(meant ? *meant : QString::fromStdString(meant.error().message()));
}

}  // namespace vantage::ui
