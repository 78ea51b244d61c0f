// Edits a box by numbers, in a small panel over the scene. Also for the analysed region, which does not turn
// and has a voxel size.
#pragma once

#include <QFrame>
#include <array>

#include "core/geometry/upright_box.h"

class QDoubleSpinBox;
class QLabel;
class QToolButton;

namespace vantage::ui {

class BoxEditor final : public QFrame {
  Q_OBJECT
 public:
  enum class Subject { box, region };
  explicit BoxEditor(QWidget* parent = nullptr);

  // Shows the box without a signal.
  void edit(Subject subject, const QString& title, const UprightBox& box, double voxel_m);
  Subject subject() const { return subject_; }

 signals:
  void edited(const vantage::UprightBox& box, double voxel_m);
  void closed();  // emitted for its own button or Esc

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  enum Field { kX, kY, kBottom, kLength, kWidth, kHeight, kTurn, kVoxel, kFieldCount };
  QDoubleSpinBox* add_field(Field field, const char* name, const char* tip);
  void read_fields();
  void show_icon();

  Subject subject_ = Subject::box;
  UprightBox box_;
  double voxel_m_ = 0;
  QLabel* title_;
  QToolButton* close_;
  std::array<QLabel*, kFieldCount> labels_{};
  std::array<QDoubleSpinBox*, kFieldCount> fields_{};
};

}  // namespace vantage::ui
