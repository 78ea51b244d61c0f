// Floor pictures in the VTK scene, with the depth test, but without hiding anything.
#pragma once

#include <vtkProp.h>

#include <array>

#include "ui/views/plane_painter.h"

namespace vantage::ui {

class PlaneProp final : public vtkProp {
 public:
  static PlaneProp* New();
  vtkTypeMacro(PlaneProp, vtkProp);
  PlaneProp(const PlaneProp&) = delete;
  PlaneProp& operator=(const PlaneProp&) = delete;

  // Drawn in this order; null: none.
  void set_pictures(std::array<FloorPictureRef, 2> pictures);
  const Status& state() const { return state_; }

  double* GetBounds() override;
  int RenderOpaqueGeometry(vtkViewport* viewport) override;
  vtkTypeBool HasTranslucentPolygonalGeometry() override { return 0; }
  void ReleaseGraphicsResources(vtkWindow* window) override;

 private:
  PlaneProp() = default;
  ~PlaneProp() override = default;

  PlanePainter painter_;
  std::array<FloorPictureRef, 2> pictures_, meshed_;
  double bounds_[6] = {1, -1, 1, -1, 1, -1};
  Status state_;
};

}  // namespace vantage::ui
