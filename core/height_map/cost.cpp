#include "core/height_map/cost.h"

#include <tbb/blocked_range2d.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <string>

#include "core/algorithms.h"
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
    // A view without a baseline has no direction: it is never seen.
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

namespace {

constexpr int kBandRows = 64;  // between two reports of progress

int squared_distance(const uint8_t* a, const uint8_t* b) {
  int sum = 0;
  for (int k = 0; k < kDaisyBins; ++k) {
    const int difference = int{a[k]} - int{b[k]};
    sum += difference * difference;
  }
  return sum;
}

class HeightCostCpu final : public HeightCost {
 public:
  HeightCostCpu(const Arguments& arguments, TraceRecorder* trace)
      : arguments_(arguments),
        reference_(cast_camera<float>(arguments.reference)),
        views_(make_cost_views(arguments)),
        trace_(trace) {
    set_parameters({}, {});
  }

  void set_parameters(const HeightMapParameters& parameters, const DaisyParameters& descriptor) override {
    plan_ = CostPlan::make(parameters, descriptor, arguments_.center_in_world_m);
    labels_ = parameters.labels();
    levels_ = descriptor.rings;
  }

  Result<CostVolume> measure(const DaisyField& reference, std::span<const DaisyField> others,
                             const Image& mask, int64_t frame) override {
    VANTAGE_TRY(height_map::check(arguments_, reference, others, mask, levels_, {}));
    const SpanGuard span(trace_, "height_cost", "cpu height map", frame, -1, SpanKind::kernel);
    const int w = reference.width, h = reference.height;
    CostVolume volume{w, h, labels_, {}};
    VANTAGE_ASSIGN(volume.costs, Image::make(ImageType::f32, w, (labels_.count + 1) * h, HostPool::shared()));
    const ImageView<float> out = volume.costs.writable_view<float>();
    const ImageView<const uint8_t> wanted = mask ? mask.view<uint8_t>() : ImageView<const uint8_t>{};
    const ImageView<const uint8_t> here = reference.histograms.view<uint8_t>();
    std::vector<CostView> views = views_;
    for (size_t i = 0; i < views.size(); ++i)
      if (others[i]) views[i].histograms = others[i].histograms.view<uint8_t>();
    for (int y = 0; y < h; y += kBandRows) {
      if (progress_ && !progress_(static_cast<double>(y) / h))
        return fail(ErrorKind::cancelled, "stopped", "height map");
      measure_rows(y, std::min(h, y + kBandRows), views, here, wanted, out);
    }
    return volume;
  }

 private:
  void measure_rows(int begin, int end, const std::vector<CostView>& views,
                    const ImageView<const uint8_t>& here, const ImageView<const uint8_t>& wanted,
                    const ImageView<float>& out) const {
    tbb::parallel_for(tbb::blocked_range2d<int>(begin, end, 8, 0, arguments_.reference.width_px, 64),
                      [&](const tbb::blocked_range2d<int>& range) {
                        for (int y = range.rows().begin(); y < range.rows().end(); ++y)
                          for (int x = range.cols().begin(); x < range.cols().end(); ++x)
                            measure_pixel(x, y, views, here, wanted, out);
                      });
  }

  void measure_pixel(int x, int y, const std::vector<CostView>& views, const ImageView<const uint8_t>& here,
                     const ImageView<const uint8_t>& wanted, const ImageView<float>& out) const {
    const int h = arguments_.reference.height_px;
    const ImageView<const float> slopes = arguments_.slopes.view<float>();
    const float slope_x = slopes.at(2 * x, y), slope_y = slopes.at(2 * x + 1, y);
    if (std::isnan(slope_x) || (wanted.data && wanted.at(x, y) == 0)) {
      for (int k = 0; k < labels_.count; ++k) out.at(x, k * h + y) = kMaskedCost;
      out.at(x, labels_.count * h + y) = 0;
      return;
    }
    CombinedCost costs[kMaxHeights + kMaxBelow];
    for (const CostView& view : views) add_view(view, here, x, y, slope_x, slope_y, costs);
    for (int k = 0; k < labels_.count; ++k) out.at(x, k * h + y) = combined_cost(plan_, costs[k]);
    float none = plan_.no_head_cost;
    for (int k = labels_.count; k < labels_.count + plan_.below; ++k)
      none = std::min(none, combined_cost(plan_, costs[k]));
    out.at(x, labels_.count * h + y) = none;
  }

  void add_view(const CostView& view, const ImageView<const uint8_t>& here, int x, int y, float slope_x,
                float slope_y, CombinedCost* costs) const {
    float point[3];
    point_at(plan_, slope_x, slope_y, cost_height(plan_, plan_.heights / 2), point);
    const EpipolarTurn turn = epipolar_turn(reference_, view, point);
    const bool usable = turn.valid && view.histograms.data;
    uint8_t descriptor[kMaxHistograms][kDaisyBins];
    float ring_x[kMaxHistograms], ring_y[kMaxHistograms];
    for (int i = 0; usable && i < plan_.histograms; ++i) {
      float dx, dy;
      turned(turn.cos_here, turn.sin_here, plan_.ring_x[i], plan_.ring_y[i], &dx, &dy);
      turn_histogram(histogram_at(here, reference_.height_px, plan_.level[i], static_cast<float>(x) + dx,
                                  static_cast<float>(y) + dy),
                     turn, descriptor[i]);
      turned(turn.cos_there, turn.sin_there, plan_.ring_x[i], plan_.ring_y[i], &ring_x[i], &ring_y[i]);
    }
    for (int k = 0; k < plan_.heights + plan_.below; ++k) {
      point_at(plan_, slope_x, slope_y, cost_height(plan_, k), point);
      const Pixel<float> there = project(view.camera, point[0], point[1], point[2]);
      const bool seen = usable && inside_picture(view.camera, there);
      float sum = 0;
      for (int i = 0; seen && i < plan_.histograms; ++i)
        sum = sum + sqrtf(static_cast<float>(squared_distance(
                        descriptor[i], histogram_at(view.histograms, view.camera.height_px, plan_.level[i],
                                                    there.x + ring_x[i], there.y + ring_y[i]))));
      combine_cost(plan_, seen, sum / (255.0f * static_cast<float>(plan_.histograms)), costs[k]);
    }
  }

  const Arguments arguments_;
  const PinholeCamera<float> reference_;
  const std::vector<CostView> views_;
  TraceRecorder* const trace_;
  CostPlan plan_;
  HeightLabels labels_;
  int levels_ = 0;
};

}  // namespace

void register_height_cost_cpu(BackendRegistry& registry) {
  registry.add<HeightCost>(Device::cpu,
                           [](const BackendContext& context,
                              const HeightCost::Arguments& arguments) -> Result<std::unique_ptr<HeightCost>> {
                             VANTAGE_TRY(height_map::check(arguments));
                             return std::make_unique<HeightCostCpu>(arguments, context.trace);
                           });
}

}  // namespace vantage
