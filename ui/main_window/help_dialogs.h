// Five steps for who sees the window for the first time, each with its keys.
#pragma once

#include <QDialog>
#include <vector>

namespace vantage::ui {

class FirstStepsDialog final : public QDialog {
  Q_OBJECT
 public:
  explicit FirstStepsDialog(QWidget* parent);
};

}  // namespace vantage::ui

class QAction;
class QLabel;
class QTableWidget;
class QTableWidgetItem;

namespace vantage::ui {

// Every command of the window with its key, which can be changed.

class ShortcutsDialog final : public QDialog {
  Q_OBJECT
 public:
  ShortcutsDialog(const std::vector<QAction*>& actions, QWidget* parent);

 private:
  void list();
  void take_key(QTableWidgetItem* item);
  void reset(bool all);

  std::vector<QAction*> actions_;  // by row, behind the first rows
  QTableWidget* table_;
  QLabel* note_;
};

}  // namespace vantage::ui
