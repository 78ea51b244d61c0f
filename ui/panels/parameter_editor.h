// One parameter's row, made from its description: a slider and a number, a choice or a check box, with help
// as tooltip. A value that differs from the default is marked and can be put back on its own.
#pragma once

#include <QWidget>

#include "core/base/parameters.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QSlider;
class QToolButton;

namespace vantage::ui {

class ParameterEditor final : public QWidget {
  Q_OBJECT
 public:
  ParameterEditor(std::string stage, const ParameterDescription& description, QWidget* parent = nullptr);

  const std::string& stage() const { return stage_; }
  const ParameterDescription& description() const { return description_; }
  double value() const { return value_; }
  // Without telling anyone. A slider that is being dragged keeps its position.
  void set_value(double value);
  bool matches(const QString& search) const;

 signals:
  void edited(double value);
  void reset_requested();

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void make_number(QWidget* row);
  void make_choice();
  void make_check();
  void edit(double value);
  void show_changed();
  int slider_position(double value) const;
  double slider_value(int position) const;
  QString tooltip() const;

  std::string stage_;
  ParameterDescription description_;
  double value_ = 0;
  QLabel* name_;
  QToolButton* reset_;
  QSlider* slider_ = nullptr;
  QDoubleSpinBox* number_ = nullptr;
  QComboBox* choice_ = nullptr;
  QCheckBox* check_ = nullptr;
};

}  // namespace vantage::ui
