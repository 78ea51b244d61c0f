// Draws small pictures on planes of the world into a view, with perspective. The view provides the meshes:
// projected by a camera with its lens, or corners in the world.
#pragma once

#include <QMatrix4x4>
#include <QOpenGLShaderProgram>
#include <map>
#include <memory>
#include <vector>

#include "core/base/result.h"
#include "ui/views/marks.h"

namespace vantage::ui {

struct PlanePoint {
  float x, y, z, w;  // homogeneous, before the matrix given to draw()
  float u, v;        // in the picture: (0, 0) is the corner of the first cell
};

class PlanePainter {
 public:
  // All with a current context.
  Status prepare();
  // A mesh is kept under a key until it is set again.
  void set_mesh(int key, const std::vector<PlanePoint>& points, const std::vector<uint32_t>& triangles);
  // Uses the present viewport and depth test. The picture's texture is kept per slot and uploaded when it
  // changes.
  void draw(int slot, const FloorPictureRef& picture, int mesh, const QMatrix4x4& clip_from_mesh);
  void release();

 private:
  struct Mesh {
    unsigned array = 0, points = 0, triangles = 0;
    int count = 0;
  };
  struct Slot {
    unsigned texture = 0;
    FloorPictureRef picture;
  };
  void upload(Slot& slot, const FloorPictureRef& picture);

  std::unique_ptr<QOpenGLShaderProgram> program_;
  std::map<int, Mesh> meshes_;
  std::map<int, Slot> slots_;
};

}  // namespace vantage::ui
