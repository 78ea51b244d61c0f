// The views of the workspace: what they show of project and frame, the position under the pointer in all of
// them, the scene's hint, and which camera is enlarged.
#pragma once

#include <optional>

#include "ui/main_window/control.h"

namespace vantage::ui {

class ViewsControl final : public Control {
  Q_OBJECT
 public:
  explicit ViewsControl(const WindowParts& parts);

  void forget() override;
  void refresh(Changes what) override;
  void update_availability() override;

 private:
  void connect_views();
  void show_project();
  void show_nothing();
  void show_frame();
  void show_hint();
  void point_at(const std::optional<Eigen::Vector3d>& point_in_world_m);
  void update_cameras();
};

}  // namespace vantage::ui
