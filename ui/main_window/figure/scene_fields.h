// The rows of the figure's dialog about the 3-D scene: point of view, colour, slice, turn.
#pragma once

#include <QObject>
#include <array>
#include <vector>

#include "core/export/figure/figure.h"

class QComboBox;
class QDoubleSpinBox;
class QWidget;

namespace vantage::ui {

class Form;

class SceneFields final : public QObject {
  Q_OBJECT
 public:
  // `offered`: what they say at first. Only a film turns.
  SceneFields(Form* form, const SceneFigure& offered, bool film, QObject* parent);

  void set_visible(bool visible);
  SceneFigure scene() const;

 signals:
  void changed();

 private:
  QDoubleSpinBox* number(const QString& name, const QString& tip, double low, double high, int decimals,
                         const QString& suffix, double value);
  void add_look_at(const SceneFigure& offered);
  void add_slice(const SceneFigure& offered);
  void add_row(const QString& name, const QString& tip, QWidget* field);
  void update_state();

  Form* const form_;
  std::vector<QWidget*> rows_;
  QDoubleSpinBox *azimuth_, *elevation_, *distance_;
  std::array<QDoubleSpinBox*, 3> look_at_;
  QComboBox *color_, *slice_axis_;
  QDoubleSpinBox* slice_at_;
  QDoubleSpinBox *turn_ = nullptr, *seconds_ = nullptr;  // of a film
};

}  // namespace vantage::ui
