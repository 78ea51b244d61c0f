// What is solved by a board: the board, where its pictures are, and which lenses are solved.
#pragma once

#include <QWidget>
#include <vector>

#include "core/board_calibration/project_boards.h"

class QAction;
class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QSettings;
class QSpinBox;
class QTableWidget;

namespace vantage::ui {

class BoardPage final : public QWidget {
  Q_OBJECT
 public:
  // The actions as buttons; those of live cameras in a row of their own, `print` beside the kind of board.
  BoardPage(const std::vector<QAction*>& actions, const std::vector<QAction*>& live_actions, QAction* print,
            QWidget* parent = nullptr);

  // Pictures are kept by the cameras' names.
  void show_cameras(const std::vector<ProjectCamera>& cameras);
  ProjectBoards boards() const;
  void set_board(const Board& board);
  void set_pictures(int camera, const QString& path);  // empty: its own video
  // In place of the pictures' paths, by camera, and what to show next; both empty: the paths again. Meanwhile
  // the board's fields are locked: what is picked up is of this board, from before the first picture on.
  struct PickedUpRow {
    QString text, tip;
  };
  void show_picked_up(const std::vector<PickedUpRow>& rows, const QString& next);
  QString next_text() const;
  std::vector<int> chosen_cameras() const;
  void restore(const QSettings& settings);
  void save(QSettings& settings) const;
  QTableWidget* table() const { return table_; }
  QSpinBox* columns() const { return columns_; }

 signals:
  void cameras_chosen();

 private:
  void show_kind();

  QComboBox* kind_;
  QSpinBox *columns_, *rows_, *first_tag_;
  QDoubleSpinBox *square_, *marker_, *gap_, *above_;
  QComboBox *markers_, *lens_;
  QLabel* counted_;  // what columns and rows count
  QCheckBox *still_, *out_of_step_;
  QTableWidget* table_;
  QLabel* next_;  // what to show live cameras next
};

}  // namespace vantage::ui
