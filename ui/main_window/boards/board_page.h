// What is solved by a board, or several: the boards, where their pictures are, and which lenses are solved.
#pragma once

#include <QLabel>
#include <QWidget>
#include <vector>

#include "core/project/project.h"
#include "ui/main_window/boards/board_fields.h"

class QAction;
class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QSettings;
class QSpinBox;
class QTableWidget;

namespace vantage::ui {

class BoardFields;

// As buttons: what is done with boards, with pictures, with hand-held cameras, and with live cameras.
struct BoardPageActions {
  std::vector<QAction*> boards, pictures, hand_held, live;
};

class BoardPage final : public QWidget {
  Q_OBJECT
 public:
  explicit BoardPage(const BoardPageActions& actions, QWidget* parent = nullptr);

  // What the project states, by no hand; where it states no board, those of restore().
  void show_project(const ProjectBoards& stated, const std::vector<ProjectCamera>& cameras);
  bool shows(const ProjectBoards& stated, const std::vector<ProjectCamera>& cameras) const;
  ProjectBoards boards() const;
  std::vector<std::string> pictures() const;  // by camera; empty: its own video
  // As by hand.
  void set_board(const Board& board, const QString& step = tr("board %1"));  // the chosen one
  void add_board();                                                          // one more like the chosen one
  void remove_board();                                                       // the chosen one
  // Rows: cameras, then hand-held ones. Empty: the camera's own video; a hand-held camera is removed.
  void set_pictures(int row, const QString& path);
  void add_hand_held(const QString& path);

  // In place of the pictures' paths, by camera, and what to show next; both empty: the paths again. Meanwhile
  // the board's fields are locked: what is picked up is of this board, from before the first picture on.
  struct PickedUpRow {
    QString text, tip;
  };
  void show_picked_up(const std::vector<PickedUpRow>& rows, const QString& next);
  QString next_text() const { return next_->text(); }
  void show_results(const std::vector<BoardResult>& results) { list_->show_results(results); }
  std::vector<int> chosen_rows() const;  // of the table of pictures
  bool is_hand_held(int row) const { return row >= cameras_; }
  bool picking_up() const { return locked_; }
  void remember() { remembered_ = {boards_[0]}; }  // for projects that state no board
  void restore(const QSettings& settings);
  void save(QSettings& settings) const;
  BoardList* list() const { return list_; }
  QTableWidget* table() const { return table_; }
  QSpinBox* columns() const;

 signals:
  void edited(const QString& what);  // by the user: names the change
  void rows_chosen();

 private:
  void add_lenses(QFormLayout* form);
  void connect_fields();
  void show_boards();
  void show_rows(const std::vector<QString>& names, const std::vector<QString>& paths);
  void show_path(int row, const QString& path);

  BoardList* list_;
  BoardFields* fields_;
  QDoubleSpinBox* above_;
  QComboBox* lens_;
  QCheckBox *still_, *out_of_step_;
  QTableWidget* table_;
  QLabel* next_;  // what to show live cameras next
  std::vector<Board> boards_, remembered_;
  int cameras_ = 0;
  bool locked_ = false, filling_ = false;
};

}  // namespace vantage::ui
