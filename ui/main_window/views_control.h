// The views of the workspace: what they show of project and frame, the position under the pointer in all of
// them, the scene's hint, and which camera is enlarged.
#pragma once

#include <array>
#include <optional>

#include "ui/main_window/control.h"
#include "ui/main_window/workspace.h"

namespace vantage::ui {

class ViewsControl final : public Control {
  Q_OBJECT
 public:
  explicit ViewsControl(const WindowParts& parts);

  void forget() override;
  void refresh(Changes what) override;
  void update_availability() override;

 private:
  struct Actions {
    std::array<QAction*, 4> layouts;  // by Workspace::Layout
    QAction *all_cameras, *top, *reset_scene;
    std::array<QAction*, 16> cameras;
  };
  Actions make_actions();
  QAction* add_layout(const ActionSpec& spec, Workspace::Layout layout);
  void connect_views();
  void show_project();
  void show_nothing();
  void show_frame();
  void show_cameras();
  void show_hint();
  void point_at(const std::optional<Eigen::Vector3d>& point_in_world_m);
  void update_cameras();

  const Actions actions_;
  size_t shown_span_ = 0;  // calibration_span() of the frame that cameras and scene were given
};

}  // namespace vantage::ui
