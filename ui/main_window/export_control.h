// Files that people ask for: results, calibration, the report of a problem. What may take long runs on
// another thread and answers with a message.
#pragma once

#include <QThreadPool>
#include <functional>

#include "ui/main_window/control.h"

namespace vantage::ui {

class ExportControl final : public Control {
  Q_OBJECT
 public:
  explicit ExportControl(const WindowParts& parts);

  // Says `done` when the work succeeded; may be asked for by other parts of the window.
  void in_background(std::function<Status()> work, const QString& done);
  void write_report(const QString& file);
  // Format: one of written_calibration_formats().
  void export_calibration_to(const QString& file, const QString& format);
  // Format: by the ending (kPeopleFormats).
  void export_people_to(const QString& file);

 private:
  QPixmap picture() const;
  void copy_picture();
  void copy_command();
  void export_results();
  void export_calibration();
  void export_people();
  void export_picture();
  void report_problem();
  QString problem_text() const;

  QThreadPool threads_;  // goes first: what runs in it answers here
};

}  // namespace vantage::ui
