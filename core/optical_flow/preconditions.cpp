#include "core/optical_flow/preconditions.h"

#include <string>

namespace vantage::flow {

Status check_step(const FlowInput& picture, const FlowInput& last, const FlowRequest& request,
                  MemoryPlace place, int camera) {
  const auto wrong = [&](const std::string& what) {
    return fail(ErrorKind::invalid_argument, what, "optical flow, camera " + std::to_string(camera));
  };
  const std::string memory =
      place.kind == MemoryKind::host ? "host memory" : "the memory of cuda:" + std::to_string(place.device);
  const int width = picture.plane.width, height = picture.plane.height;
  if (!picture.buffer || picture.buffer->place() != place) return wrong("the picture is not in " + memory);
  if (last.buffer && (last.plane.width != width || last.plane.height != height))
    return wrong("the picture has another size than the one before");
  const Image& mask = request.mask;
  if (mask && (mask.type() != ImageType::u8 || mask.place() != place || mask.width() != width ||
               mask.height() != height))
    return wrong("the mask must be 8-bit, in " + memory + " and of the picture's size");
  const FlowField& initial = request.initial;
  if (initial && (initial.vectors.place() != place || initial.width != width || initial.height != height))
    return wrong("the initial flow must be in " + memory + " and of the picture's size");
  return {};
}

}  // namespace vantage::flow
