// Files that people ask for: results, calibration, the report of a problem. What may take long runs on
// another thread and answers with a message.
#pragma once

#include <QObject>
#include <QThreadPool>
#include <functional>

#include "core/base/result.h"
#include "core/project/project.h"
#include "ui/main_window/window_actions.h"

namespace vantage::ui {

class MessageBar;

class ExportControl final : public QObject {
  Q_OBJECT
 public:
  // `problem_words` tells what is known for a report beside what `vantage-cli doctor` says.
  ExportControl(const WindowActions& actions, MessageBar* messages, std::function<QString()> problem_words,
                QWidget* window);

  void set_project(const Project& project) { project_ = project; }
  // Says `done` when the work succeeded; may be asked for by other parts of the window.
  void in_background(std::function<Status()> work, const QString& done);
  void write_report(const QString& file);

 signals:
  void failed(const vantage::Error& error);

 private:
  void export_results();
  void export_calibration();
  void report_problem();

  MessageBar* messages_;
  std::function<QString()> problem_words_;
  QWidget* window_;  // that dialogs belong to
  Project project_;
  QThreadPool threads_;  // goes first: what runs in it answers here
};

}  // namespace vantage::ui
