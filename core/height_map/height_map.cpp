#include "core/height_map/height_map.h"

#include <cmath>
#include <string>

#include "core/base/memory.h"
#include "core/base/text.h"
#include "core/height_map/detail/belief_grid.h"

namespace vantage {

template <>
const ParameterTable& parameter_table<HeightMapParameters>() {
  using P = HeightMapParameters;
  using enum ParameterOption;
  static const ParameterTable table = ParameterTable::make<P>(
      "heightmap", "Height map",
      {
          boolean<&P::enabled>("Height map",
                               "Estimate the height of the head seen at each pixel of one camera."),
          real<&P::lowest_m>("Lowest head", "m", 0, 3, "Height above the floor of the first label.", expert),
          real<&P::step_m>("Height step", "m", 0.005, 0.5, "From one label to the next."),
          integer<&P::heights>("Heights", "", 2, kMaxHeights, "Number of height labels, besides \"no head\".",
                               expert),
          real<&P::lambda>("Smoothness", "1/m", 0.01, 200,
                           "Cost of a metre of height difference between neighbours beyond the expected one.",
                           expert, logarithmic),
          real<&P::no_head_cost>(
              "No-head cost", "", 0, 2,
              "Limit of what a pixel without a head costs, D_p(no head); lower finds fewer heads.", expert),
          integer<&P::below_heights>(
              "Heights below", "", 0, 16,
              "Heights from the floor to below the lowest head that are tried as \"no head\".", expert),
          real<&P::no_head_jump_m>("Head border", "m", 0, 2,
                                   "Height difference that the border of a head counts as.", expert),
          integer<&P::iterations>("Iterations", "", 1, 10000,
                                  "Iterations of belief propagation; half of the pixels send in each.",
                                  expert, logarithmic),
          integer<&P::check_every>("Check interval", "", 1, 10000,
                                   "Iterations from one check of labels and energy to the next.", expert),
          real<&P::settled_share>(
              "Settled share", "", 0, 1,
              "Stop when fewer than this share of the pixels changed between two checks; 0: never.", expert),
          real<&P::damping>("Damping", "", 0, 0.95,
                            "Share of the old message that is kept, against oscillation.", expert),
          choice<&P::method>("Messages", {"linear", "published"},
                             "All pairs of labels as published, or the same result in linear time.", expert),
          choice<&P::precision>(
              "Precision", {"fp32", "fp16"},
              "Precision of messages in the GPU's memory, sums are fp32; the CPU keeps fp32.", expert),
          integer<&P::reference>("Camera", "", 0, 64,
                                 "Reference camera, from 1; 0: the one that sees the most floor.", expert),
          real<&P::descriptor_heads>("Descriptor size", "heads", 0, 2,
                                     "Radius of what is compared, in diameters of a head as the reference "
                                     "camera sees it; 0: daisy.radius_px.",
                                     expert),
          choice<&P::combine>(
              "View combination", {"mean", "robust", "best"},
              "Cost over several views: their mean, the mean of costs cut off at robust_limit, or the mean "
              "of the best_views smallest, so that views in which the head is hidden do not count.",
              expert),
          real<&P::robust_limit>("Cut-off", "", 0, 1.5, "Limit of what one view costs under robust.", expert),
          integer<&P::best_views>("Best views", "", 1, 4, "How many views count under best.", expert),
          integer<&P::min_views>("Minimum views", "", 1, 16,
                                 "A height that fewer other views see costs unseen_cost.", expert),
          choice<&P::unseen>("Out of view", {"skip", "cost"},
                             "A view that does not see the point is skipped, or costs unseen_cost.", expert),
          real<&P::unseen_cost>("Out-of-view cost", "", 0, 2,
                                "Cost of a view, or of a point, that is not seen.", expert),
          boolean<&P::use_foreground>(
              "Foreground only", "Search for heads only near the reference camera's foreground.", expert),
          choice<&P::surface>(
              "Surface", {"vertical", "round"},
              "How heights are expected to change: as on a wall (the source) or on a round head.", expert),
          real<&P::outline_drop_m>(
              "Outline drop", "m", 0, 0.2,
              "How much lower than a head's surface its outline lies, by which it is matched.", expert),
          real<&P::head_step_m>("Region step", "m", 0, 1,
                                "Maximum change of height from pixel to pixel within one region.", expert),
          real<&P::head_area_m2>("Minimum head area", "m²", 0, 0.2, "Surface of a head that must be seen.",
                                 expert),
          real<&P::head_distance_m>("Head distance", "m", 0.05, 1,
                                    "Minimum distance across the floor between two heads.", expert),
          boolean<&P::outlines>(
              "Outlines", "Measure heads, and the map's heights there, by their outlines in all views."),
          real<&P::min_outline>("Minimum outline", "", 0, 1,
                                "Share of its outline that must lie on edges for a head to count.", expert),
          real<&P::memory_limit_mb>("Memory limit", "MB", 1, 1e6, "A map that needs more is refused.", expert,
                                    logarithmic),
      });
  return table;
}

}  // namespace vantage

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
