// A dialog that asks for what a long task needs, says what is missing, and shows how far the task is. While
// it runs nothing can be changed, Cancel reads Stop, and closing only hides the dialog.
#pragma once

#include <QDialog>
#include <QLabel>

class QDialogButtonBox;
class QProgressBar;

namespace vantage::ui {

class TaskDialog : public QDialog {
  Q_OBJECT
 public:
  QString problem() const { return problem_->text(); }  // what hinders the task, for people; empty: nothing
  void show_running(bool running);
  // `doing`: the part of the task; may be empty.
  void show_progress(int64_t done, int64_t total, const QString& doing = {});
  void reject() override;

 signals:
  void cancelled();  // the running task

 protected:
  // `button`, `tip`: of the one that begins the task.
  TaskDialog(const QString& title, const QString& button, const QString& tip, QWidget* parent);
  QWidget* fields() const { return fields_; }  // to be filled, before
  void lay_out();                              // the dialog
  void show_problem(const QString& problem);
  void name_button(const QString& text);  // the one that begins the task
  // Shows what follows from the fields: the problem first of all.
  virtual void update_state() = 0;
  virtual void start() = 0;

 private:
  bool running_ = false;
  QWidget* fields_;
  QLabel* problem_;
  QProgressBar* bar_;
  QDialogButtonBox* buttons_;
};

}  // namespace vantage::ui
