#include <cmath>
#include <string>

#include "core/base/formatted.h"
#include "core/base/memory_need.h"
#include "core/height_map/detail/belief_grid.h"
#include "core/height_map/height_map.h"

namespace vantage::height_map {
namespace {

tl::unexpected<Error> unusable_arguments(const char* what) {
  return fail(ErrorKind::invalid_argument, what, "height map");
}

bool is_plane(const Image& image, int width, int height, MemoryPlace place) {
  return image && image.type() == ImageType::f32 && image.width() == width && image.height() == height &&
         image.place() == place;
}

// As gpu/height_map lays it out.
size_t device_bytes(int width, int height, const HeightMapParameters& p) {
  const size_t half = (static_cast<size_t>(width) + 1) / 2, pixels = half * static_cast<size_t>(height);
  const size_t labels = static_cast<size_t>(stored_heights(p.heights)) + 1;
  const size_t element = p.precision == MessagePrecision::fp16 ? 2 : 4;
  const size_t arrays = p.damping > 0 ? 2 : 1;
  return pixels * (labels * element * (2 + 4 * arrays) + 4 * sizeof(float));
}

}  // namespace

size_t memory_bytes(int width, int height, const HeightMapParameters& parameters, Device device) {
  const size_t pixels = static_cast<size_t>(width) * static_cast<size_t>(height);
  const size_t given = pixels * (static_cast<size_t>(parameters.heights) + 1) * sizeof(float);
  return given + (device == Device::cpu
                      ? BeliefGrid::memory_bytes(width, height, parameters.heights, parameters.damping > 0)
                      : device_bytes(width, height, parameters));
}

Status check_memory(int width, int height, const HeightMapParameters& parameters, Device device) {
  const MemoryNeed need{
      {{"a map of " + size_text(width, height) + " pixels and " + std::to_string(parameters.heights) +
            " heights",
        static_cast<double>(memory_bytes(width, height, parameters, device)), 0,
        "Choose a smaller picture, fewer heights, or a larger heightmap.memory_limit_mb."}}};
  return vantage::check_memory(need, {parameters.memory_limit_mb * 1e6, {}});
}

Status check(const HeightSolver::Arguments& arguments) {
  const EdgeShifts& shifts = arguments.shifts;
  if (arguments.width < 1 || arguments.height < 1) return unusable_arguments("the picture is empty");
  for (const Image* image : {&shifts.right, &shifts.down}) {
    if (!is_plane(*image, arguments.width, arguments.height, {}))
      return unusable_arguments("the edge shifts must be 32-bit, in host memory and of the picture's size");
    const ImageView<const float> view = image->view<float>();
    for (int y = 0; y < view.height; ++y)
      for (int x = 0; x < view.width; ++x)
        if (!(std::abs(view.at(x, y)) <= static_cast<float>(kMaxHeights)))
          return unusable_arguments("an edge shift is not a number or larger than the number of heights");
  }
  return {};
}

Status check(const HeightSolver::Arguments& arguments, const CostVolume& costs,
             const HeightMapParameters& parameters, MemoryPlace place) {
  if (parameters.heights < 2 || parameters.heights > kMaxHeights)
    return unusable_arguments("between 2 and 64 heights are possible");
  if (costs.labels != parameters.labels())
    return unusable_arguments("the data cost is of other heights than the parameters'");
  if (costs.width != arguments.width || costs.height != arguments.height ||
      !is_plane(costs.costs, costs.width, (costs.labels.count + 1) * costs.height, place))
    return unusable_arguments(
        "the data cost must be 32-bit, of the picture's size and in the memory it is worked on");
  return {};
}

}  // namespace vantage::height_map
