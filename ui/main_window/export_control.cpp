#include "ui/main_window/export_control.h"

#include <QApplication>
#include <QClipboard>
#include <QDateTime>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QPainter>
#include <QProcess>

#include "core/base/file.h"
#include "core/base/log.h"
#include "core/calibration/formats/calibration.h"
#include "core/export/people/people_export.h"
#include "ui/main_window/playback_control.h"
#include "ui/main_window/result_text.h"
#include "ui/main_window/status_line.h"
#include "ui/main_window/workspace.h"
#include "ui/panels/log_panel.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/theme.h"
#include "ui/widgets/time_axis.h"

namespace vantage::ui {
namespace {

Status copy_results(const std::filesystem::path& from, const std::filesystem::path& to) {
  std::error_code code;
  std::filesystem::create_directories(to, code);
  if (!code)
    std::filesystem::copy(
        from, to,
        std::filesystem::copy_options::recursive | std::filesystem::copy_options::overwrite_existing, code);
  if (!code) return {};
  return fail(ErrorKind::io, "the results could not be written (" + code.message() + ")", to.string(),
              "Choose another folder, or free some space.");
}

}  // namespace

ExportControl::ExportControl(const WindowParts& parts) : Control(parts) {
  add_action(
      {"export_results", "&Results…", "Ctrl+Shift+E", "Write the results to another folder"},
      {Menu::file_export}, [this] { export_results(); },
      [this] {
        std::error_code none;
        return unmet({{!project().path.empty() &&
                           std::filesystem::exists(project().results_folder() / "results.jsonl", none),
                       tr("Analyse first.")}});
      });
  add_action(
      {"export_picture", "&Picture…", "Ctrl+E", "Write what the views show to a PNG file"},
      {Menu::file_export}, [this] { export_picture(); }, needs_project);
  add_action(
      {"export_calibration", "&Calibration…", "Ctrl+Alt+E",
       "Write the cameras' calibration, as at the frame that is shown, in Vantage's or another program's "
       "format"},
      {Menu::file_export}, [this] { export_calibration(); },
      [this] { return unmet({{project().calibrated(), tr("The cameras are not calibrated.")}}); });
  add_action(
      {"export_people", "Peo&ple…", "Ctrl+Shift+O",
       "Write the people, with cameras, floor and zones, for other programs: glTF, USD, MCAP, FiftyOne or "
       "CVAT"},
      {Menu::file_export}, [this] { export_people(); },
      [this] {
        return unmet({{!project().path.empty() && state().tracks() != nullptr, tr("Analyse first.")},
                      {project().calibrated(), tr("The cameras are not calibrated.")}});
      });
  add_action(
      {"copy_picture", "&Copy Picture", "Ctrl+Shift+C", "Copy what the views show"},
      {Menu::edit, "redo", true}, [this] { copy_picture(); }, needs_project);
  add_action(
      {"copy_command", "Copy as Co&mmand", "Ctrl+Alt+C",
       "Copy the vantage-cli command that runs this analysis"},
      {Menu::edit, "copy_picture"}, [this] { copy_command(); }, needs_project);
  add_action({"report_problem", "&Report a Problem…", "Ctrl+Shift+F1",
              "Save a report about the program and this machine"},
             {Menu::help, "shortcuts", true}, [this] { report_problem(); });
}

// The views' picture, and below it whose it is and when that was; cameras' names are in their pictures.
QPixmap ExportControl::picture() const {
  const QPixmap views = parts().workspace->picture();
  const QSizeF size = views.deviceIndependentSize();
  const int line = 2 * QFontMetrics(QApplication::font()).height();
  QPixmap picture((QSizeF(size.width(), size.height() + line) * views.devicePixelRatio()).toSize());
  picture.setDevicePixelRatio(views.devicePixelRatio());
  picture.fill(QColor(kViewBackground));
  const int64_t frame = parts().playback->frame();
  const auto& live = state().status().live;
  const std::filesystem::path& file = project().path;
  QPainter painter(&picture);
  painter.drawPixmap(0, 0, views);
  painter.setPen(Qt::white);
  painter.drawText(QRectF(8, size.height(), size.width() - 16, line), Qt::AlignVCenter,
                   tr("%1   %2   frame %3")
                       .arg(file.empty() ? tr("untitled") : QString::fromStdString(file.stem().string()),
                            live ? clock_text(live->shown_utc_s) : state().times().full_text(frame))
                       .arg(frame));
  return picture;
}

void ExportControl::copy_picture() {
  QApplication::clipboard()->setPixmap(picture());
}

void ExportControl::copy_command() {
  const FrameRange frames = state().frames_of_range();
  QApplication::clipboard()->setText(command_text(
      project(), state().saved_parameters(),
      state().range().empty() ? QString() : QStringLiteral("%1:%2").arg(frames.begin).arg(frames.end)));
}

void ExportControl::in_background(std::function<Status()> work, const QString& done) {
  threads_.start([this, work = std::move(work), done] {
    const Status status = work();
    QMetaObject::invokeMethod(
        this,
        [this, status, done] {
          if (!status) return emit failed(status.error());
          log_info(done.toStdString());
          parts().messages->post({Severity::note, done});
        },
        Qt::QueuedConnection);
  });
}

void ExportControl::export_results() {
  const QString folder = QFileDialog::getExistingDirectory(parts().window, tr("Export Results Into"));
  if (folder.isEmpty()) return;
  const std::filesystem::path from = project().results_folder();
  const std::filesystem::path to = std::filesystem::path(folder.toStdString()) / from.filename();
  const QString name = QString::fromStdString(to.string());
  if (QFileInfo::exists(name) &&
      QMessageBox::question(parts().window, tr("Export Results"),
                            tr("%1 exists. Overwrite the results in it?").arg(name)) != QMessageBox::Yes)
    return;
  in_background([from, to] { return copy_results(from, to); }, tr("Results written to %1.").arg(name));
}

void ExportControl::export_calibration() {
  QStringList filters;
  for (const std::string& format : written_calibration_formats())
    filters.prepend(QStringLiteral("%1 (*)").arg(QString::fromStdString(format)));
  QString chosen = QStringLiteral("vantage (*)");
  const QString file = QFileDialog::getSaveFileName(parts().window, tr("Export Calibration"),
                                                    QStringLiteral("calibration.json"),
                                                    filters.join(QStringLiteral(";;")), &chosen);
  if (file.isEmpty()) return;
  export_calibration_to(file, chosen.section(' ', 0, 0));
}

// A format with a file for each camera makes a folder of that name.
// With later calibrations the one of the frame that is shown.
void ExportControl::export_calibration_to(const QString& file, const QString& format) {
  const ShownFrameRef& shown = state().shown();
  const int64_t frame = shown ? shown->result->frame : parts().playback->frame();
  const bool changes = !project().calibration_changes().empty();
  in_background(
      [file = std::filesystem::path(file.toStdString()), format = format.toStdString(),
       cameras = project().named_calibrations(frame)]() -> Status {
        if (const auto saved = save_calibration(cameras, format, file, true); !saved)
          return fail(saved.error());
        return {};
      },
      changes ? tr("Calibration at frame %1 written to %2.").arg(frame).arg(file)
              : tr("Calibration written to %1.").arg(file));
}

void ExportControl::export_people() {
  QStringList filters;
  for (const PeopleFormat& format : kPeopleFormats)
    filters << QStringLiteral("%1 (*%2)")
                   .arg(QString::fromStdString(std::string(format.name)),
                        QString::fromStdString(std::string(format.ending)));
  const QString name = QString::fromStdString(project().path.stem().string()) + " people.glb";
  const QString file = QFileDialog::getSaveFileName(parts().window, tr("Export People"), name,
                                                    filters.join(QStringLiteral(";;")));
  if (!file.isEmpty()) export_people_to(file);
}

// A format with a file for each camera adds the cameras' names.
void ExportControl::export_people_to(const QString& file) {
  in_background(
      [file = std::filesystem::path(file.toStdString()), project = project()]() -> Status {
        const auto exported = vantage::export_people(project, {.out = file});
        if (!exported) return fail(exported.error());
        for (const std::string& note : exported->notes) log_warning(note);
        return {};
      },
      tr("People written to %1.").arg(file));
}

void ExportControl::export_picture() {
  const QString name = QStringLiteral("frame_%1.png").arg(parts().playback->frame(), 6, 10, QLatin1Char('0'));
  const QPixmap shown = picture();
  const QString file =
      QFileDialog::getSaveFileName(parts().window, tr("Export Picture"), name, tr("PNG pictures (*.png)"));
  if (file.isEmpty() || shown.save(file, "PNG")) return;
  emit failed(
      {ErrorKind::io, "the picture could not be written", file.toStdString(), "Choose another folder."});
}

// The window's part of the report; `vantage-cli doctor` makes the other. English, whatever the window speaks.
QString ExportControl::problem_text() const {
  QStringList report = {QStringLiteral("Vantage %1, %2")
                            .arg(VANTAGE_VERSION, QDateTime::currentDateTime().toString(Qt::ISODate)),
                        QStringLiteral("Backend: %1").arg(parts().services.backend),
                        parts().status_line->notes().join('\n')};
  report << QStringLiteral("\n== Project\n%1")
                .arg(state().open() ? command_text(project(), state().saved_parameters(), {})
                                    : QStringLiteral("none"));
  for (const ProjectCamera& camera : project().cameras)
    report << QString::fromStdString(camera.name + ": " + camera.video +
                                     (camera.calibration ? ", calibrated" : ", not calibrated"));
  report << QStringLiteral("\n== Log\n%1").arg(parts().log->text());
  return report.join('\n') + '\n';
}

void ExportControl::report_problem() {
  const QString file =
      QFileDialog::getSaveFileName(parts().window, tr("Report a Problem: Save the Report"),
                                   QStringLiteral("vantage-report.txt"), tr("Text files (*.txt)"));
  if (!file.isEmpty()) write_report(file);
}

// The text is made when vantage-cli has answered, or cannot.
void ExportControl::write_report(const QString& file) {
  auto* doctor = new QProcess(this);
  const auto write = [this, doctor, file](const QString& answer) {
    doctor->disconnect(this);
    doctor->deleteLater();
    const QString text = problem_text() + QStringLiteral("\n== vantage-cli doctor\n%1\n").arg(answer);
    in_background(
        [file, report = redact_credentials(text.toStdString())] {
          return write_file_atomically(file.toStdString(), report);
        },
        tr("Written to %1. It contains file names and parameters, but no pictures: read it before you send "
           "it.")
            .arg(file));
  };
  connect(doctor, &QProcess::finished, this,
          [doctor, write] { write(QString::fromUtf8(doctor->readAllStandardOutput())); });
  connect(doctor, &QProcess::errorOccurred, this, [doctor, write] { write(doctor->errorString()); });
  doctor->start(QCoreApplication::applicationDirPath() + "/vantage-cli", {"doctor"});
}

}  // namespace vantage::ui
