// The fields of one board: its kind, counts, sizes in millimetres, the dictionary and the lowest identity.
#pragma once

#include <QLabel>
#include <QObject>
#include <QString>
#include <QWidget>
#include <vector>

#include "core/calibration/solve/board.h"

class QAction;
class QComboBox;
class QDoubleSpinBox;
class QSettings;
class QSpinBox;
class QTableWidget;

namespace vantage::ui {

class Form;

class BoardFields final : public QObject {
  Q_OBJECT
 public:
  // Adds its rows to the form.
  BoardFields(Form* form, QObject* parent);

  Board board() const;
  void show_board(const Board& board);  // not an edit by the user
  void set_locked(bool locked);         // pictures of this board were picked up
  QSpinBox* columns() const { return columns_; }

 signals:
  void edited();  // by the user

 private:
  void add_size(Form* form);
  void add_gap(Form* form);
  void show_kind();

  QSpinBox *columns_, *rows_, *first_id_;
  QDoubleSpinBox* gap_;
  QLabel* counted_;  // what columns and rows count
  QComboBox *kind_, *markers_;
  QDoubleSpinBox *square_, *marker_;
  bool locked_ = false, filling_ = false;
};

// A field of millimetres, in steps of a tenth.
QDoubleSpinBox* millimetres_field(double low, double high, double value);
inline constexpr double kMaxSide_mm = 2000;

// "ChArUco 9 × 6, IDs 0 to 34, DICT_4X4_50".
QString board_words(const Board& board);

// The boards that cameras are solved by: how many cameras saw each, and whether it is joined with the others.

// Findings about one board; as yet nothing: all empty.
struct BoardResult {
  QString cameras;  // "3"
  QString joined;   // "world", "joined", "not joined"
  QString text;     // in sentences: who saw it, where it stands, or why it is not joined
};

class BoardList final : public QWidget {
  Q_OBJECT
 public:
  // The actions as buttons.
  explicit BoardList(const std::vector<QAction*>& actions, QWidget* parent = nullptr);

  // Not an edit by the user. `problem`: why these boards solve nothing; or empty. One result a board, or
  // none.
  void show_boards(const std::vector<QString>& boards, size_t chosen, const QString& problem);
  void show_results(const std::vector<BoardResult>& results);
  size_t chosen() const { return chosen_; }
  QTableWidget* table() const { return table_; }
  QString text() const { return text_->text(); }  // what is shown of the chosen board, or what is wrong
  QLabel* found() const { return text_; }         // which shows it, to be put elsewhere

 signals:
  void chosen_by_hand(int board);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void show_text();
  void make_room();

  QTableWidget* table_;
  QLabel* text_;
  QString problem_;
  std::vector<BoardResult> results_;
  size_t chosen_ = 0;
  bool filling_ = false;
};

// The board that was used last, remembered for all projects: a workshop has one.

Board remembered_board(const QSettings& settings, const Board& otherwise);
void remember_board(const Board& board, QSettings& settings);

}  // namespace vantage::ui
