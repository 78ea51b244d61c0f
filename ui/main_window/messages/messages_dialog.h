// Where the project's messages go: a list of targets with their fields, what waits for each, and a test.
#pragma once

#include <QDialog>
#include <QLabel>
#include <map>
#include <string>
#include <vector>

#include "core/project/project.h"
#include "core/push/push_queue.h"
#include "ui/main_window/messages/target_editor.h"

class QDialogButtonBox;
class QListWidget;
class QPushButton;
class QToolButton;

namespace vantage::ui {

// What this machine knows of a target of the project's.
struct KnownTarget {
  std::string name;
  bool allowed = false;
  int64_t waiting = 0;  // messages on the disk
  std::string problem;  // why nothing is sent, as noted by the sender; empty: all is well
};

class MessagesDialog final : public QDialog {
  Q_OBJECT
 public:
  // `place`: where passwords are kept, as text.
  MessagesDialog(const Project& project, const QString& place, QWidget* parent = nullptr);

  // As they are read; what the user has changed meanwhile stays.
  void offer_known(const std::vector<KnownTarget>& known);
  void offer_secrets(const std::vector<std::string>& kept);  // names of targets that have one
  void show_states(const std::vector<PushState>& states);    // of live cameras

  void show_testing(const QString& where);
  void show_answer(const QString& answer, bool failed);
  // While it is applied nothing can be changed.
  void show_applying(bool applying);

  QString problem() const { return problem_->text(); }  // what hinders it, for people
  QString answer() const { return answer_->text(); }
  bool testing() const { return testing_; }
  QListWidget* list() const { return list_; }
  TargetEditor* editor() const { return editor_; }
  void add_target(PushKind kind);

 signals:
  void chosen(const std::vector<vantage::ui::EditedTarget>& targets);
  void test_wanted(const vantage::ui::EditedTarget& target);
  void test_stopped();
  void discard_wanted(const std::string& target);

 private:
  QWidget* make_list();
  QWidget* make_fields();
  void make_buttons();
  void remove_target();
  void show_row(int row);
  void show_rows();
  QString row_text(const EditedTarget& edited) const;
  void update_state();
  std::string free_name(PushKind kind) const;
  Status check() const;

  std::vector<EditedTarget> targets_;
  std::map<std::string, KnownTarget> known_;  // by name in the project
  std::map<std::string, PushState> states_;   // by name in the project, of live cameras
  int row_ = -1;
  bool testing_ = false, applying_ = false;
  QListWidget* list_;
  TargetEditor* editor_;
  QToolButton* add_;
  QPushButton *remove_, *discard_, *test_;
  QLabel *nothing_, *answer_, *problem_;
  QWidget* fields_;
  QDialogButtonBox* buttons_;
};

}  // namespace vantage::ui
