// How a view gets pixels and points into OpenGL without knowing where they are. The view owns texture and
// buffer names and a current context; the surface fills them. draw() is called from paintGL and only enqueues
// work.
//
// Implementations: gpu/interop (CUDA and GL on the same GPU, no host copy) and ui/platform (host memory: the
// CPU chain, or a CUDA chain whose display stage copied to the host because GL runs elsewhere).
#pragma once

#include <cstdint>
#include <string>

#include "core/base/result.h"

namespace vantage {

struct FrameResult;

enum class DisplayLayer {
  picture,     // GL_RGBA8, converted from Y'CbCr with the picture's range and matrix
  foreground,  // GL_R8, the indicator
  heights,     // GL_R8, levels of the height map (HeightEstimate), of its reference camera
  unsettled,   // GL_R8, 255 where the height map may still change
};

// One vertex of the shell: voxel centre in world metres and the voxel's confidence (1 where it was not kept).
struct ShellPoint {
  float x_m, y_m, z_m, confidence;
};

struct DrawnSize {
  int width_px = 0, height_px = 0;  // 0: the result has nothing to draw there
};

class DisplaySurface {
 public:
  virtual ~DisplaySurface() = default;
  // For people: "CUDA-OpenGL interop on NVIDIA H200", "copied through the host".
  virtual std::string description() const = 0;
  // Fills the GL_TEXTURE_2D `texture`, (re)allocating its storage when the size changes.
  virtual Result<DrawnSize> draw(unsigned texture, const FrameResult& result, int camera,
                                 DisplayLayer layer) = 0;
  // Fills the GL_ARRAY_BUFFER `buffer` with ShellPoints, growing it when needed; returns how many.
  virtual Result<int64_t> draw_points(unsigned buffer, const FrameResult& result) = 0;
  // Lets go of everything tied to the context, which is current. draw() may be called again afterwards.
  virtual void release() = 0;
};

}  // namespace vantage
