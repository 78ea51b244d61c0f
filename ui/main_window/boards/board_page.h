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
  // The actions as buttons; `print` beside the kind of board.
  explicit BoardPage(const std::vector<QAction*>& actions, QAction* print, QWidget* parent = nullptr);

  // Pictures are kept by the cameras' names.
  void show_cameras(const std::vector<ProjectCamera>& cameras);
  ProjectBoards boards() const;
  void set_board(const Board& board);
  void set_pictures(int camera, const QString& path);  // empty: its own video
  std::vector<int> chosen_cameras() const;
  void restore(const QSettings& settings);
  void save(QSettings& settings) const;
  QTableWidget* table() const { return table_; }

 signals:
  void cameras_chosen();

 private:
  void show_kind();

  QComboBox* kind_;
  QSpinBox *columns_, *rows_, *first_tag_;
  QDoubleSpinBox *square_, *marker_, *gap_, *above_;
  QComboBox *markers_, *lens_;
  QLabel* counted_;  // what columns and rows count
  QCheckBox* still_;
  QTableWidget* table_;
};

}  // namespace vantage::ui
