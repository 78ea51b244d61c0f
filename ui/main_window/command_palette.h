// Finds every command of the window by words of its text, menu or tip; Enter runs it. Commands that are not
// available are listed with the reason.
#pragma once

#include <QDialog>
#include <vector>

class QAction;
class QLabel;
class QLineEdit;
class QTreeWidget;

namespace vantage::ui {

class CommandPalette final : public QDialog {
  Q_OBJECT
 public:
  CommandPalette(const std::vector<QAction*>& actions, QWidget* parent);

  // The command that was chosen; null: none. The caller triggers it once the dialog is closed.
  QAction* chosen() const { return chosen_; }

 protected:
  bool eventFilter(QObject* object, QEvent* event) override;

 private:
  struct Command {
    QAction* action;
    QString text, menu;
  };
  void list(const QString& typed);
  void tell_current();
  void choose();

  std::vector<Command> commands_;
  QLineEdit* words_;
  QTreeWidget* list_;
  QLabel* tip_;
  QAction* chosen_ = nullptr;
};

}  // namespace vantage::ui
