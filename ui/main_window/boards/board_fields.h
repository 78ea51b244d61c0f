// The fields of one board: its kind, counts, sizes in millimetres, the dictionary and the lowest identity.
#pragma once

#include <QObject>
#include <QString>

#include "core/calibration/solve/board.h"

class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QLabel;
class QSpinBox;
class QWidget;

namespace vantage::ui {

class BoardFields final : public QObject {
  Q_OBJECT
 public:
  // Adds its rows to the form.
  BoardFields(QFormLayout* form, QObject* parent);

  Board board() const;
  void show_board(const Board& board);  // not an edit by the user
  void set_locked(bool locked);         // pictures of this board were picked up
  QSpinBox* columns() const { return columns_; }

 signals:
  void edited();  // by the user

 private:
  void add_size(QFormLayout* form);
  void add_gap(QFormLayout* form);
  void show_kind();

  QComboBox* kind_;
  QSpinBox *columns_, *rows_, *first_id_;
  QDoubleSpinBox *square_, *marker_, *gap_;
  QComboBox* markers_;
  QLabel* counted_;  // what columns and rows count
  bool locked_ = false, filling_ = false;
};

// A field of millimetres, in steps of a tenth.
QDoubleSpinBox* millimetres_field(double low, double high, double value);
inline constexpr double kMaxSide_mm = 2000;

// "ChArUco 9 × 6, IDs 0 to 34, DICT_4X4_50".
QString board_words(const Board& board);

}  // namespace vantage::ui
