#include "core/carving/carving.h"

#include <algorithm>
#include <limits>
#include <string>

#include "core/base/text.h"
#include "core/carving/voxel_votes.h"

namespace vantage {

Status check_arguments(const Carver::Arguments& arguments) {
  if (arguments.cameras.size() > kMaxCarvingCameras)
    return fail(ErrorKind::invalid_argument,
                "carving takes at most " + std::to_string(kMaxCarvingCameras) + " cameras", "carving");
  for (size_t c = 0; c < arguments.cameras.size(); ++c)
    if (std::max(arguments.cameras[c].width_px, arguments.cameras[c].height_px) > BlockView::kLargestSide_px)
      return fail(ErrorKind::invalid_argument,
                  "the picture of " +
                      size_text(arguments.cameras[c].width_px, arguments.cameras[c].height_px) +
                      " pixels is too large",
                  "carving, camera " + std::to_string(c),
                  "At most " + std::to_string(BlockView::kLargestSide_px) + " pixels a side.");
  const VoxelGrid& grid = arguments.grid;
  if (arguments.cameras.empty())
    return fail(ErrorKind::invalid_argument, "carving needs at least one camera", "carving");
  if (grid.nx <= 0 || grid.ny <= 0 || grid.nz <= 0 || !(grid.voxel_size_m > 0))
    return fail(ErrorKind::invalid_argument, "the voxel grid is empty", "carving",
                "Give a grid with at least one voxel.");
  const double count = static_cast<double>(grid.nx) * grid.ny * grid.nz;
  if (count > std::numeric_limits<int32_t>::max())
    return fail(ErrorKind::invalid_argument, "the grid holds more than 2^31 - 1 voxels", "carving",
                "Choose larger voxels.");
  return {};
}

Status check_indicators(std::span<const Image> indicators, std::span<const PinholeCamera<float>> cameras,
                        MemoryPlace place) {
  if (indicators.size() != cameras.size())
    return fail(
        ErrorKind::invalid_argument,
        std::to_string(indicators.size()) + " indicators for " + std::to_string(cameras.size()) + " cameras",
        "carving");
  for (size_t c = 0; c < indicators.size(); ++c) {
    const Image& image = indicators[c];
    if (!image) continue;
    const std::string where = "carving, camera " + std::to_string(c);
    if (image.type() != ImageType::u8 || image.place() != place)
      return fail(
          ErrorKind::invalid_argument,
          place.kind == MemoryKind::host
              ? std::string("the indicator is not an 8-bit image in host memory")
              : "the indicator is not an 8-bit image in the memory of cuda:" + std::to_string(place.device),
          where);
    if (image.width() != cameras[c].width_px || image.height() != cameras[c].height_px)
      return fail(ErrorKind::invalid_argument,
                  "the indicator has " + size_text(image.width(), image.height()) +
                      " pixels, the calibration " + size_text(cameras[c].width_px, cameras[c].height_px),
                  where, "Check that video and calibration belong together.");
  }
  return {};
}

template <>
const ParameterTable& parameter_table<CarvingParameters>() {
  using P = CarvingParameters;
  using enum ParameterOption;
  static const ParameterTable table = ParameterTable::make<P>(
      "carving", "Volume",
      {
          real<&P::threshold>(
              "Agreement", "", 0.01, 1,
              "Share of the cameras seeing a place that must see foreground there; 1: all of them."),
          integer<&P::min_cameras>(
              "Minimum cameras", "cameras", 1, 64,
              "Cameras that must see a place before it counts; all, where there are fewer."),
          choice<&P::divide_by>(
              "Agreement of", {"seeing", "all"},
              "Whether agreement is a share of the cameras that see a place or of all cameras.", expert),
      });
  return table;
}

}  // namespace vantage
