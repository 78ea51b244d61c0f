#include "ui/main_window/export_control.h"

#include <QCoreApplication>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QProcess>

#include "core/base/file.h"
#include "core/base/log.h"
#include "core/calibration/calibration.h"
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

ExportControl::ExportControl(const WindowActions& actions, MessageBar* messages,
                             std::function<QString()> problem_words, QWidget* window)
    : QObject(window), messages_(messages), problem_words_(std::move(problem_words)), window_(window) {
  connect(actions.export_results, &QAction::triggered, this, &ExportControl::export_results);
  connect(actions.export_calibration, &QAction::triggered, this, &ExportControl::export_calibration);
  connect(actions.report_problem, &QAction::triggered, this, &ExportControl::report_problem);
}

void ExportControl::in_background(std::function<Status()> work, const QString& done) {
  threads_.start([this, work = std::move(work), done] {
    const Status status = work();
    QMetaObject::invokeMethod(
        this,
        [this, status, done] {
          if (!status) return emit failed(status.error());
          log_info(done.toStdString());
          messages_->post({Severity::note, done, {}, {}});
        },
        Qt::QueuedConnection);
  });
}

void ExportControl::export_results() {
  const QString folder = QFileDialog::getExistingDirectory(window_, tr("Export Results Into"));
  if (folder.isEmpty()) return;
  const std::filesystem::path from = project_.results_folder();
  const std::filesystem::path to = std::filesystem::path(folder.toStdString()) / from.filename();
  const QString name = QString::fromStdString(to.string());
  if (QFileInfo::exists(name) &&
      QMessageBox::question(window_, tr("Export Results"),
                            tr("%1 exists. Overwrite the results in it?").arg(name)) != QMessageBox::Yes)
    return;
  in_background([from, to] { return copy_results(from, to); }, tr("Results written to %1.").arg(name));
}

void ExportControl::export_calibration() {
  QString file =
      QFileDialog::getSaveFileName(window_, tr("Export Calibration"), QStringLiteral("calibration.json"),
                                   tr("Vantage calibrations (*.json)"));
  if (file.isEmpty()) return;
  if (!file.endsWith(".json")) file += ".json";
  in_background(
      [file, cameras = project_.calibrations()] {
        return write_file_atomically(file.toStdString(), calibration_to_json(cameras));
      },
      tr("Calibration written to %1.").arg(file));
}

void ExportControl::report_problem() {
  const QString file =
      QFileDialog::getSaveFileName(window_, tr("Report a Problem: Save the Report"),
                                   QStringLiteral("vantage-report.txt"), tr("Text files (*.txt)"));
  if (!file.isEmpty()) write_report(file);
}

// The text is made when vantage-cli has answered, or cannot.
void ExportControl::write_report(const QString& file) {
  auto* doctor = new QProcess(this);
  const auto write = [this, doctor, file](const QString& answer) {
    doctor->disconnect(this);
    doctor->deleteLater();
    const QString text = problem_words_() + tr("\n== vantage-cli doctor\n%1\n").arg(answer);
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
