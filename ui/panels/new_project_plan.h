// The chosen calibration's cameras from above: positions and heights, visible floor, and the common region.
// It makes wrong units and axes obvious.
#pragma once

#include <QWidget>
#include <optional>

#include "core/project/scene_plan.h"

namespace vantage::ui {

class NewProjectPlan final : public QWidget {
  Q_OBJECT
 public:
  explicit NewProjectPlan(QWidget* parent = nullptr);
  void show_layout(ScenePlan layout);
  QSize sizeHint() const override { return {300, 190}; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  std::optional<ScenePlan> layout_;
};

}  // namespace vantage::ui
