// Sets the models by which people and their joints are detected in the pictures of the open project.
#pragma once

#include <QPointer>

#include "core/detections/person_detector.h"
#include "ui/main_window/control.h"
#include "ui/platform/background_job.h"
#include "ui/widgets/task_dialog.h"

class QLineEdit;

namespace vantage::ui {

// Asks for the two files.

class DetectorDialog final : public TaskDialog {
  Q_OBJECT
 public:
  DetectorDialog(const Project& project, QWidget* parent);
  // Why the models cannot be used; stays until other files are named.
  void show_refusal(const Error& error);

 signals:
  void chosen(const QString& people, const QString& joints);  // files; empty: none

 private:
  QLineEdit* add_model(Form* form, const QString& name, const QString& tip, const std::string& file);
  void update_state() override;
  void start() override;

  QLineEdit *people_, *joints_;
  QString refusal_;
};

class DetectorControl final : public Control {
  Q_OBJECT
 public:
  explicit DetectorControl(const WindowParts& parts);

  void forget() override;
  DetectorDialog* dialog() const { return dialog_; }  // null: none is open

 private:
  void ask();
  void try_out(const QString& people, const QString& joints);
  void use(const QString& people, const QString& joints, const PersonDetector* detector);

  QPointer<DetectorDialog> dialog_;
  BackgroundJob job_;
};

}  // namespace vantage::ui
