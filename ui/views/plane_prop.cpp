#include "ui/views/plane_prop.h"

#include <vtkCamera.h>
#include <vtkObjectFactory.h>
#include <vtkRenderer.h>

#include <QOpenGLContext>

#include "ui/platform/gl_state.h"
#include "ui/views/vtk_view.h"

namespace vantage::ui {
namespace {

std::vector<PlanePoint> corners_of(const FloorPicture& picture) {
  const auto f = [](double value) { return static_cast<float>(value); };
  std::vector<PlanePoint> points;
  for (const auto& [u, v] : {std::pair(0, 0), {1, 0}, {1, 1}, {0, 1}}) {
    const Eigen::Vector3d p = picture.corner_in_world_m + u * picture.u_edge_m() + v * picture.v_edge_m();
    points.push_back({f(p.x()), f(p.y()), f(p.z()), 1, f(u), f(v)});
  }
  return points;
}

}  // namespace

vtkStandardNewMacro(PlaneProp);

void PlaneProp::set_pictures(std::array<FloorPictureRef, 2> pictures) {
  pictures_ = std::move(pictures);
  Eigen::AlignedBox3d box;
  for (const FloorPictureRef& picture : pictures_)
    if (picture) {
      box.extend(picture->corner_in_world_m);
      box.extend(picture->corner_in_world_m + picture->u_edge_m() + picture->v_edge_m());
    }
  for (int axis = 0; axis < 3 && !box.isEmpty(); ++axis)
    bounds_[2 * axis] = box.min()[axis], bounds_[2 * axis + 1] = box.max()[axis];
  Modified();
}

double* PlaneProp::GetBounds() {
  return pictures_[0] || pictures_[1] ? bounds_ : nullptr;
}

int PlaneProp::RenderOpaqueGeometry(vtkViewport* viewport) {
  auto* renderer = vtkRenderer::SafeDownCast(viewport);
  if (!renderer || !(pictures_[0] || pictures_[1]) || !state_) return 0;
  const GlStateGuard guard;
  state_ = painter_.prepare();
  const QMatrix4x4 matrix = clip_from_world(*renderer->GetActiveCamera(), renderer->GetTiledAspectRatio());
  gl().glEnable(GL_DEPTH_TEST);
  gl().glDepthMask(GL_FALSE);
  for (int slot = 0; slot < 2; ++slot) {
    const FloorPictureRef& picture = pictures_[slot];
    FloorPictureRef& known = meshed_[slot];
    if (picture && picture != known) painter_.set_mesh(slot, corners_of(*picture), {0, 1, 2, 0, 2, 3});
    if (picture) painter_.draw(slot, picture, slot, matrix);
    known = picture;
  }
  return 1;
}

void PlaneProp::ReleaseGraphicsResources(vtkWindow* window) {
  if (QOpenGLContext::currentContext()) painter_.release();
  meshed_ = {};
  vtkProp::ReleaseGraphicsResources(window);
}

}  // namespace vantage::ui
