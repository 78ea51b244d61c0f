#include "ui/main_window/case/case_control.h"

#include <QCheckBox>
#include <QDateTime>
#include <QDesktopServices>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QRegularExpression>
#include <QSettings>
#include <QUrl>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/log.h"
#include "core/export/case/handover.h"
#include "ui/main_window/playback_control.h"
#include "ui/widgets/form.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/panel_parts.h"
#include "ui/widgets/theme.h"
#include "ui/widgets/time_axis.h"
#include "ui/widgets/timeline.h"

namespace vantage::ui {
namespace {

constexpr double kAround_s = 5;  // before and behind the frame that is shown

}  // namespace

CaseControl::CaseControl(const WindowParts& parts) : Control(parts) {
  add_action(
      {"export_case", "C&ase…", "Ctrl+Shift+X",
       "Hand over the marked range: blurred videos, tables, a report, signed"},
      {Menu::file_export, "export_results"}, [this] { ask(); },
      [this] {
        return unmet(
            {{!state().live(), tr("Live cameras are recorded first, and exported from the recording.")},
             {project().has_pictures(), tr("The project has no videos.")},
             {!project().path.empty() && (!state().status().unsaved || may_save()),
              tr("Save the project first: a case is exported of what is saved.")}});
      })
      ->setVisible(static_cast<bool>(parts.services.export_case));
}

// The export goes on without the project: it has read its file.
void CaseControl::forget() {
  waiting_.reset();
  if (dialog_ && !job_.running()) dialog_->deleteLater();
}

void CaseControl::refresh(Changes what) {
  if (what.testFlag(Change::other_project)) show_exported();
  if (dialog_ && (what & (Change::status | Change::mode))) dialog_->offer_saving(state().status().unsaved);
  if (waiting_ && !state().status().unsaved) begin(*std::exchange(waiting_, std::nullopt));
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
  connect(dialog_, &CaseDialog::cancelled, this, [this] { waiting_.reset(); });
  dialog_->offer_clock(state().clock());
  dialog_->offer_saving(state().status().unsaved);
  dialog_->show();
}

// Else Save has a question first.
bool CaseControl::may_save() const {
  return !state().status().held_by && state().status().changed_outside.empty();
}

// A case is of what is saved.
void CaseControl::begin(const CaseOptions& chosen) {
  dialog_->show_running(true);
  if (state().status().unsaved) {
    waiting_ = chosen;
    return action("save")->trigger();
  }
  job_.start(
      [this, chosen, run = parts().services.export_case](const StopSource& stop) -> BackgroundJob::Deliver {
        CaseOptions options = chosen;
        options.stop = stop;
        options.progress = [this, stop](const CaseProgress& at) {
          QMetaObject::invokeMethod(
              this,
              [this, at, stop] {
                if (dialog_ && !stop.stop_requested() && job_.running())
                  dialog_->show_progress(at.done, at.total, QString::fromStdString(at.doing));
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
  if (blurred > 0)
    text += ' ' + tr("%n pictures are blurred as a whole.", nullptr, static_cast<int>(blurred));
  for (const std::string& note : made->notes) text += ' ' + QString::fromStdString(note);
  log_info(text.toStdString());
  const QString folder = QString::fromStdString(made->folder.string());
  parts().messages->post({Severity::note, text, tr("Open Folder"),
                          [folder] { QDesktopServices::openUrl(QUrl::fromLocalFile(folder)); }});
  if (dialog_) dialog_->close();
}

namespace {

enum Blurred { kNobody, kEverybody, kEverybodyBut };

constexpr int kCaseFieldWidth = 300, kCamerasShown = 5;

tl::unexpected<Error> wrong(const QString& text) {
  return fail(ErrorKind::invalid_argument, text.toStdString());
}

}  // namespace

CaseDialog::CaseDialog(const Project& project, FrameRange span, double frame_rate, int64_t frame_count,
                       int64_t person, QWidget* parent)
    : TaskDialog(tr("Export Case"), tr("&Export"), tr("Write the case; the window can be used meanwhile"),
                 parent),
      project_(project),
      frame_rate_(frame_rate),
      frame_count_(frame_count),
      span_(quiet_label()) {
  auto* columns = new QHBoxLayout(fields());
  columns->setContentsMargins(0, 0, 0, 0);
  columns->setSpacing(kPage);
  columns->addWidget(make_what());
  columns->addWidget(make_whom());
  from_->setText(QString::number(span.begin));
  to_->setText(QString::number(span.end - 1));
  if (person > 0) ids_->setText(QString::number(person));
  // Kept free: else the buttons would move from under the pointer when the line comes.
  span_->setMinimumHeight(fontMetrics().lineSpacing());
  lay_out();
  update_state();
}

// Span and cameras, and what the videos show besides.
QWidget* CaseDialog::make_what() {
  auto* page = new QWidget;
  auto* form = new Form(page);
  const auto line = [form](const QString& name, const QString& tip) {
    return form->add_line(name, tip, {}, kCaseFieldWidth);
  };
  from_ = line(tr("&From"), tr("The first frame: a time as the window shows it, or a frame"));
  to_ = line(tr("&To"), tr("The last frame: a time as the window shows it, or a frame"));
  clock_ = line(tr("Cl&ock"),
                tr("Time of day of frame 0, as in 2026-05-01T14:00:00; empty: as the recording states"));
  clock_->setPlaceholderText(tr("looking it up"));
  form->addRow(QString(), span_);
  cameras_ = new QListWidget;
  for (const ProjectCamera& camera : project_.cameras)
    add_ticked(cameras_, QString::fromStdString(camera.name), true);
  set_rows_shown(cameras_, std::min(kCamerasShown, std::max(2, cameras_->count())));
  form->add(tr("&Cameras"), tr("One video for each; Space checks"), cameras_);
  grid_ = form->add_check(tr("One video with &all of them and the plan"),
                          tr("Also all_cameras.mp4: the cameras side by side, and where everybody is"));
  people_ = form->add_check(tr("&Rectangles and IDs of people"), tr("Drawn into the videos"), true);
  trails_ = form->add_check(tr("Trai&ls"), tr("The last 4 s of everybody's path, drawn into the videos"));
  floor_ = form->add_check(tr("&Zones and lines"), tr("Drawn into the videos"));
  connect(form, &Form::changed, this, &CaseDialog::update_state);
  return page;
}

// Whom it shows, who exports it, and where to.
QWidget* CaseDialog::make_whom() {
  auto* page = new QWidget;
  auto* form = new Form(page);
  blur_ = form->add_choice(tr("&Blurred"),
                           tr("Who is made unrecognisable in every camera; a picture in which this cannot be "
                              "guaranteed is blurred "
                              "as a whole and counted"),
                           {tr("No one"), tr("Everyone"), tr("Everyone but…")});
  blur_->setCurrentIndex(kEverybody);
  ids_ = form->add_line(tr("&IDs kept"), tr("IDs of people who stay recognisable, as in 3, 7"), {},
                        kCaseFieldWidth);
  sound_ = form->add_check(tr("&Sound"), tr("The cameras' sound as it was recorded; voices are not changed"),
                           true);
  originals_ =
      form->add_check(tr("Ori&ginals, not blurred"),
                      tr("Also the packets as they were recorded, from the key picture before the span on"));
  who_ = form->add_line(tr("E&xported by"), tr("Who exports it; recorded in the signed manifest"),
                        QSettings().value("case/who").toString(), kCaseFieldWidth);
  why_ = form->add_line(tr("Reaso&n"), tr("Reason for the export; recorded in the signed manifest"), {},
                        kCaseFieldWidth);
  const QString beside = QSettings().value("case/folder", QDir::homePath()).toString();
  const QString stem = QString::fromStdString(project_.path.stem().string());
  const QString time = QDateTime::currentDateTime().toString("yyyy-MM-dd HHmmss");
  out_ = form->add_line(tr("Fol&der"), tr("The folder to be made; it is not there yet, or empty"),
                        QDir(beside).filePath(tr("%1 case %2").arg(stem, time)), kCaseFieldWidth);
  const QString title = tr("Choose where the folder is made");
  add_chooser(out_, title, [this, title](const QString& typed) {
    const QFileInfo now(typed);
    const QString folder = QFileDialog::getExistingDirectory(this, title, now.absolutePath());
    return folder.isEmpty() ? QString() : QDir(folder).filePath(now.fileName());
  });
  connect(form, &Form::changed, this, &CaseDialog::update_state);
  return page;
}

void CaseDialog::offer_clock(const std::optional<RecordingClock>& clock) {
  found_clock_ = clock;
  clock_->setPlaceholderText(
      clock ? tr("%1, %2").arg(QString::fromStdString(clock->text(0)), QString::fromStdString(clock->source))
            : tr("not known: times count from the start"));
  update_state();
}

void CaseDialog::offer_saving(bool unsaved) {
  name_button(unsaved ? tr("Save and &Export") : tr("&Export"));
}

std::optional<RecordingClock> CaseDialog::clock() const {
  if (clock_->text().trimmed().isEmpty()) return found_clock_;
  const Result<RecordingClock> typed = parse_clock(plain_time(clock_->text().trimmed()));
  return typed ? std::optional(*typed) : std::nullopt;
}

Result<CaseBlur> CaseDialog::blur() const {
  if (blur_->currentIndex() == kNobody) return CaseBlur();
  CaseBlur blur{true, {}};
  if (blur_->currentIndex() == kEverybody) return blur;
  static const QRegularExpression separators("[,;\\s#]+");
  for (const QString& text : ids_->text().split(separators, Qt::SkipEmptyParts)) {
    bool good = false;
    const qlonglong id = text.toLongLong(&good);
    if (!good || id < 1) return wrong(tr("'%1' is not an ID.").arg(text));
    blur.kept.insert(id);
  }
  if (blur.kept.empty()) return wrong(tr("Say who stays recognisable: IDs, as in 3, 7."));
  return blur;
}

Result<CaseOptions> CaseDialog::options() const {
  CaseOptions options;
  options.project = project_.path;
  if (const QString typed = clock_->text().trimmed(); !typed.isEmpty())
    VANTAGE_TRY(parse_clock(plain_time(typed)));
  options.clock = clock();
  VANTAGE_ASSIGN(const TypedTime first, parse_time(plain_time(from_->text()), frame_rate_, options.clock));
  VANTAGE_ASSIGN(const TypedTime last, parse_time(plain_time(to_->text()), frame_rate_, options.clock));
  options.span = {first.frame, last.frame + 1};
  if (options.span.begin < 0 || options.span.begin >= std::min(options.span.end, frame_count_))
    return wrong(tr("The span holds no picture of the recording."));
  for (int row = 0; row < cameras_->count(); ++row)
    if (cameras_->item(row)->checkState() == Qt::Checked) options.cameras.push_back(static_cast<size_t>(row));
  if (options.cameras.empty()) return wrong(tr("Choose at least one camera."));
  VANTAGE_ASSIGN(options.blur, blur());
  if (options.blur.on && !project_.calibrated())
    return wrong(tr("No one can be blurred without a calibration. Choose No one, or calibrate the cameras."));
  options.overlays = {people_->isChecked(), trails_->isChecked(), floor_->isChecked()};
  options.grid = grid_->isChecked(), options.originals = originals_->isChecked();
  options.sound = sound_->isChecked();
  options.who = who_->text().trimmed().toStdString(), options.why = why_->text().trimmed().toStdString();
  if (options.who.empty()) return wrong(tr("Say who exports the case."));
  if (options.why.empty()) return wrong(tr("Say what the case is for."));
  if (out_->text().trimmed().isEmpty()) return wrong(tr("Say which folder is to be made."));
  options.out = QFileInfo(out_->text().trimmed()).absoluteFilePath().toStdString();
  return options;
}

void CaseDialog::update_state() {
  const Result<CaseOptions> wanted = options();
  ids_->setEnabled(blur_->currentIndex() == kEverybodyBut);
  show_problem(wanted ? QString() : QString::fromStdString(wanted.error().message()));
  if (!wanted) return span_->clear();
  const int64_t frames = std::min(wanted->span.end, frame_count_) - wanted->span.begin;
  const double from_s = static_cast<double>(wanted->span.begin) / frame_rate_;
  span_->setText(
      tr("%1 frames, %2, from %3")
          .arg(frames)
          .arg(time_text(static_cast<double>(frames) / frame_rate_),
               wanted->clock ? QString::fromStdString(wanted->clock->text(from_s)) : time_text(from_s)));
}

void CaseDialog::start() {
  const Result<CaseOptions> wanted = options();
  if (!wanted) return;
  QSettings settings;
  settings.setValue("case/who", who_->text().trimmed());
  settings.setValue("case/folder", QFileInfo(out_->text().trimmed()).absolutePath());
  emit chosen(*wanted);
}

}  // namespace vantage::ui
