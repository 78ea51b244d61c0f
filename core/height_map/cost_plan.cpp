#include <cmath>
#include <numbers>
#include <string>

#include "core/height_map/cost.h"
#include "core/height_map/cost_pixel.h"

namespace vantage {

CostPlan CostPlan::make(const HeightMapParameters& p, const DaisyParameters& descriptor,
                        const double* center_in_world_m) {
  CostPlan plan{};
  plan.lowest_m = static_cast<float>(p.lowest_m - p.outline_drop_m),
  plan.step_m = static_cast<float>(p.step_m);
  plan.heights = p.heights, plan.below = p.below_heights;
  plan.histograms = 1;
  for (int q = 0; q < descriptor.rings; ++q)
    for (int t = 0; t < descriptor.points; ++t, ++plan.histograms) {
      const double radius = descriptor.radius_px * (q + 1) / descriptor.rings;
      const double angle = 2 * std::numbers::pi * t / descriptor.points;
      plan.level[plan.histograms] = q;
      plan.ring_x[plan.histograms] = static_cast<float>(radius * std::cos(angle));
      plan.ring_y[plan.histograms] = static_cast<float>(radius * std::sin(angle));
    }
  plan.combine = p.combine;
  plan.robust_limit = static_cast<float>(p.robust_limit);
  plan.best_views = p.best_views, plan.min_views = p.min_views;
  plan.unseen_counts = p.unseen == UnseenView::cost;
  plan.unseen_cost = static_cast<float>(p.unseen_cost),
  plan.no_head_cost = static_cast<float>(p.no_head_cost);
  for (int i = 0; i < 3; ++i) plan.center_m[i] = static_cast<float>(center_in_world_m[i]);
  return plan;
}

std::vector<CostView> make_cost_views(const HeightCost::Arguments& arguments) {
  std::vector<CostView> views;
  for (const PinholeCamera<double>& camera : arguments.others) {
    CostView view{cast_camera<float>(camera), {}, {}};
    const double* const r = camera.rotation_cam_from_world;
    const double* const t = camera.translation_cam_from_world_m;
    double baseline[3], squared = 0;
    for (int i = 0; i < 3; ++i) {
      baseline[i] = -(r[i] * t[0] + r[3 + i] * t[1] + r[6 + i] * t[2]) - arguments.center_in_world_m[i];
      squared += baseline[i] * baseline[i];
    }
    // Without a baseline there is no direction: such a view is never seen.
    for (int i = 0; i < 3; ++i)
      view.baseline_m[i] = squared > 0 ? static_cast<float>(0.1 * baseline[i] / std::sqrt(squared)) : 0.0f;
    views.push_back(view);
  }
  return views;
}

namespace height_map {
namespace {

tl::unexpected<Error> unusable_views(const std::string& what) {
  return fail(ErrorKind::invalid_argument, what, "height map");
}

Status check_field(const DaisyField& field, const PinholeCamera<double>& camera, int levels,
                   MemoryPlace place, const std::string& of) {
  if (field.width != camera.width_px || field.height != camera.height_px)
    return unusable_views("the picture of " + of + " has another size than its calibration");
  if (field.levels != levels || field.histograms.place() != place)
    return unusable_views("the descriptors of " + of + " are of other parameters or in another memory");
  return {};
}

}  // namespace

Status check(const HeightCost::Arguments& arguments) {
  const PinholeCamera<double>& camera = arguments.reference;
  if (camera.width_px < 1 || camera.height_px < 1) return unusable_views("the reference picture is empty");
  if (!arguments.slopes || arguments.slopes.type() != ImageType::f32 ||
      arguments.slopes.place() != MemoryPlace{} || arguments.slopes.width() != 2 * camera.width_px ||
      arguments.slopes.height() != camera.height_px)
    return unusable_views("the slopes must be 32-bit, in host memory and of the reference picture's size");
  return {};
}

Status check(const HeightCost::Arguments& arguments, const DaisyField& reference,
             std::span<const DaisyField> others, const Image& mask, int levels, MemoryPlace place) {
  if (!reference) return unusable_views("the reference camera has no picture");
  VANTAGE_TRY(check_field(reference, arguments.reference, levels, place, "the reference camera"));
  if (others.size() != arguments.others.size())
    return unusable_views("a picture, or an empty one, is needed for every other view");
  for (size_t i = 0; i < others.size(); ++i)
    if (others[i])
      VANTAGE_TRY(
          check_field(others[i], arguments.others[i], levels, place, "view " + std::to_string(i + 1)));
  if (mask && (mask.type() != ImageType::u8 || mask.place() != place || mask.width() != reference.width ||
               mask.height() != reference.height))
    return unusable_views(
        "the mask must be 8-bit, of the reference picture's size and in the memory it is worked on");
  return {};
}

}  // namespace height_map
}  // namespace vantage
