// The shell's points in the VTK scene, drawn directly from the display surface's OpenGL buffer of
// ShellPoints, without a copy through the CPU. Their appearance is that of core/display/shell_points.h.
#pragma once

#include <vtkProp.h>

#include <QOpenGLShaderProgram>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/result.h"
#include "core/display/shell_points.h"
#include "core/geometry/voxel_grid.h"

namespace vantage::ui {

class ShellProp final : public vtkProp {
 public:
  static ShellProp* New();
  vtkTypeMacro(ShellProp, vtkProp);
  ShellProp(const ShellProp&) = delete;
  ShellProp& operator=(const ShellProp&) = delete;

  // `buffer`: a GL_ARRAY_BUFFER of the scene's context; the grid gives bounds and point size.
  void set_points(unsigned buffer, int64_t count, const VoxelGrid& grid);
  // Nothing: coloured by height. The first kMaxPeople count.
  static constexpr int kMaxPeople = 32;
  void set_people(std::optional<std::vector<ShellPerson>> people);
  bool by_height() const { return !people_; }
  // The error of drawing, reported once.
  const Status& state() const { return state_; }

  double* GetBounds() override;
  int RenderOpaqueGeometry(vtkViewport* viewport) override;
  vtkTypeBool HasTranslucentPolygonalGeometry() override { return 0; }
  void ReleaseGraphicsResources(vtkWindow* window) override;

 private:
  ShellProp() = default;
  ~ShellProp() override = default;
  void prepare();
  void set_color_uniforms();

  unsigned buffer_ = 0, bound_buffer_ = 0, vertex_array_ = 0;
  int64_t count_ = 0;
  VoxelGrid grid_;
  std::optional<std::vector<ShellPerson>> people_;
  double bounds_[6] = {1, -1, 1, -1, 1, -1};
  std::unique_ptr<QOpenGLShaderProgram> program_;
  Status state_;
};

}  // namespace vantage::ui
