// The kernels that write into mapped OpenGL objects. Enqueue only; on the submission thread.
#pragma once

#include "core/carving/carving.h"
#include "core/display/display_surface.h"
#include "core/image/picture.h"
#include "gpu/runtime/work.h"

namespace vantage::gpu {

// RGBA, 8 bits, of a surface at least as large as the picture. Alpha is 255.
Status enqueue_rgba(Work& work, const Picture& picture, cudaSurfaceObject_t surface);

// points[0, count) from the volume's shell IDs and, where it was kept, its confidence.
Status enqueue_points(Work& work, const CarvedVolume& volume, const Image& shell_ids, int64_t count,
                      ShellPoint* points);

}  // namespace vantage::gpu
