#include "ui/main_window/export_control.h"

#include <QApplication>
#include <QClipboard>
#include <QDateTime>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QProcess>

#include "core/base/file.h"
#include "core/base/log.h"
#include "core/calibration/calibration.h"
#include "ui/main_window/playback_control.h"
#include "ui/main_window/result_words.h"
#include "ui/main_window/status_line.h"
#include "ui/main_window/workspace.h"
#include "ui/panels/log_panel.h"
#include "ui/widgets/message_bar.h"

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
  const auto& a = actions();
  connect(a.export_results, &QAction::triggered, this, &ExportControl::export_results);
  connect(a.export_calibration, &QAction::triggered, this, &ExportControl::export_calibration);
  connect(a.export_picture, &QAction::triggered, this, &ExportControl::export_picture);
  connect(a.copy_picture, &QAction::triggered, this,
          [this] { QApplication::clipboard()->setPixmap(this->parts().workspace->picture()); });
  connect(a.copy_command, &QAction::triggered, this, [this] {
    const FrameRange frames = state().frames_of_range();
    QApplication::clipboard()->setText(command_words(
        project(), state().saved_parameters(),
        state().range().empty() ? QString() : QStringLiteral("%1:%2").arg(frames.begin).arg(frames.end)));
  });
  connect(a.report_problem, &QAction::triggered, this, &ExportControl::report_problem);
}

void ExportControl::update_availability() {
  for (QAction* action : {actions().export_picture, actions().copy_picture, actions().copy_command})
    enable(action);
  std::error_code none;
  enable(
      actions().export_results,
      !project().path.empty() && std::filesystem::exists(project().results_folder() / "results.jsonl", none),
      tr("Analyse first."));
  enable(actions().export_calibration, project().calibrated(), tr("The cameras are not calibrated."));
}

void ExportControl::in_background(std::function<Status()> work, const QString& done) {
  threads_.start([this, work = std::move(work), done] {
    const Status status = work();
    QMetaObject::invokeMethod(
        this,
        [this, status, done] {
          if (!status) return emit failed(status.error());
          log_info(done.toStdString());
          parts().messages->post({Severity::note, done, {}, {}});
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
  QString file =
      QFileDialog::getSaveFileName(parts().window, tr("Export Calibration"),
                                   QStringLiteral("calibration.json"), tr("Vantage calibrations (*.json)"));
  if (file.isEmpty()) return;
  if (!file.endsWith(".json")) file += ".json";
  in_background(
      [file, cameras = project().calibrations()] {
        return write_file_atomically(file.toStdString(), calibration_to_json(cameras));
      },
      tr("Calibration written to %1.").arg(file));
}

void ExportControl::export_picture() {
  const QString name = QStringLiteral("frame_%1.png").arg(parts().playback->frame(), 6, 10, QLatin1Char('0'));
  const QPixmap picture = parts().workspace->picture();
  const QString file =
      QFileDialog::getSaveFileName(parts().window, tr("Export Picture"), name, tr("PNG pictures (*.png)"));
  if (file.isEmpty() || picture.save(file, "PNG")) return;
  emit failed(
      {ErrorKind::io, "the picture could not be written", file.toStdString(), "Choose another folder."});
}

// What is known for the report beside what `vantage-cli doctor` says.
QString ExportControl::problem_words() const {
  QStringList report = {
      tr("Vantage %1, %2").arg(VANTAGE_VERSION, QDateTime::currentDateTime().toString(Qt::ISODate)),
      tr("Backend: %1").arg(parts().services.backend), parts().status_line->notes().join('\n')};
  report << tr("\n== Project\n%1")
                .arg(state().open() ? command_words(project(), state().saved_parameters(), {}) : tr("none"));
  for (const ProjectCamera& camera : project().cameras)
    report << QString::fromStdString(camera.name + ": " + camera.video +
                                     (camera.calibration ? ", calibrated" : ", not calibrated"));
  report << tr("\n== Log\n%1").arg(parts().log->text());
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
    const QString text = problem_words() + tr("\n== vantage-cli doctor\n%1\n").arg(answer);
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
