// The views of the workspace: what they show of project and frame, the position under the pointer in all of
// them, the scene's hint, and which camera is enlarged.
#pragma once

#include <array>
#include <optional>

#include "ui/main_window/control.h"
#include "ui/main_window/workspace.h"

class QActionGroup;

namespace vantage::ui {

class ViewsControl final : public Control {
  Q_OBJECT
 public:
  explicit ViewsControl(const WindowParts& parts);

  void forget() override;
  void refresh(Changes what) override;

 private:
  void connect_views();
  void show_project();
  void show_nothing();
  void show_frame();
  void show_cameras();
  void show_scene(Project then);
  void show_hint();
  void show_first_step(const QString& text);
  void point_at(const std::optional<Eigen::Vector3d>& point_in_world_m);
  void update_cameras();

  QActionGroup* layouts_;  // by Workspace::Layout
  QAction* all_cameras_;
  std::array<QAction*, 16> cameras_;
  size_t shown_span_ = 0;  // calibration_span() of the frame that cameras and scene were given
};

}  // namespace vantage::ui
