// The arithmetic of the data cost, shared by CPU and CUDA: same operations, same order, in float. Plain
// functions: .cu files include this header.
#pragma once

#include <cmath>
#include <cstdint>

#include "core/features/daisy.h"
#include "core/geometry/projection.h"
#include "core/height_map/cost.h"
#include "core/image/image_view.h"

namespace vantage {

inline constexpr int kMaxHistograms = 1 + kMaxDaisyRings * kMaxDaisyPoints;
inline constexpr int kMaxBestViews = 4;
inline constexpr int kMaxBelow = 16;

// Values computed once from the parameters.
struct CostPlan {
  float lowest_m, step_m;
  int heights, below;
  int histograms;  // of a descriptor
  int level[kMaxHistograms];
  float ring_x[kMaxHistograms], ring_y[kMaxHistograms];  // px, not turned
  ViewCombination combine;
  float robust_limit;
  int best_views, min_views;
  bool unseen_counts;
  float unseen_cost, no_head_cost;
  float center_m[3];  // of the reference camera

  static CostPlan make(const HeightMapParameters& parameters, const DaisyParameters& descriptor,
                       const double* center_in_world_m);
};

struct CostView {
  PinholeCamera<float> camera;
  float baseline_m[3];                  // 0.1 m from the reference camera towards this one
  ImageView<const uint8_t> histograms;  // no data: no picture
};

// The height of a label, or, from `heights` on, of one of the heights below them.
VANTAGE_HD float cost_height(const CostPlan& plan, int k) {
  if (k < plan.heights) return plan.lowest_m + static_cast<float>(k) * plan.step_m;
  return plan.lowest_m * (static_cast<float>(k - plan.heights) / static_cast<float>(plan.below));
}

// Rotation of the two pictures at a pixel: unit vectors along the epipolar segment, and the turn in bins.
struct EpipolarTurn {
  float cos_here, sin_here, cos_there, sin_there;
  int bins;
  float fraction;
  bool valid;
};

VANTAGE_HD bool direction_of(const PinholeCamera<float>& camera, const float* point, const float* along,
                             float* c, float* s) {
  const Pixel<float> a = project(camera, point[0] - along[0], point[1] - along[1], point[2] - along[2]);
  const Pixel<float> b = project(camera, point[0] + along[0], point[1] + along[1], point[2] + along[2]);
  const float dx = b.x - a.x, dy = b.y - a.y, length = sqrtf(dx * dx + dy * dy);
  if (!(a.in_front && b.in_front && length > 1e-3f)) return false;
  *c = dx / length;
  *s = dy / length;
  return true;
}

// The angle of (c, s) in bins of 45 degrees, 0 to 8; within a bin to 0.5 % of one.
VANTAGE_HD float angle_in_bins(float c, float s) {
  const float ax = fabsf(c), ay = fabsf(s);
  const float t = ax > ay ? ay / ax : ax / ay;
  float bins = t * (1.0f + 0.3476f * (1.0f - t));
  if (ay > ax) bins = 2.0f - bins;
  if (c < 0.0f) bins = 4.0f - bins;
  if (s < 0.0f) bins = 8.0f - bins;
  return bins;
}

VANTAGE_HD EpipolarTurn epipolar_turn(const PinholeCamera<float>& reference, const CostView& view,
                                      const float* point) {
  EpipolarTurn turn;
  turn.valid = direction_of(reference, point, view.baseline_m, &turn.cos_here, &turn.sin_here) &&
               direction_of(view.camera, point, view.baseline_m, &turn.cos_there, &turn.sin_there);
  turn.bins = 0;
  turn.fraction = 0;
  if (!turn.valid) return turn;
  const float c = turn.cos_here * turn.cos_there + turn.sin_here * turn.sin_there;
  const float s = turn.cos_here * turn.sin_there - turn.sin_here * turn.cos_there;
  const float bins = angle_in_bins(c, s);
  turn.bins = static_cast<int>(bins);
  turn.fraction = bins - static_cast<float>(turn.bins);
  return turn;
}

// The nearest pixel, within the picture.
VANTAGE_HD int nearest_px(float at, int size) {
  const int nearest = static_cast<int>(floorf(at + 0.5f));
  return nearest < 0 ? 0 : nearest >= size ? size - 1 : nearest;
}

VANTAGE_HD const uint8_t* histogram_at(const ImageView<const uint8_t>& histograms, int height_px, int level,
                                       float x, float y) {
  const int column = nearest_px(x, histograms.width / kDaisyBins), row = nearest_px(y, height_px);
  return histograms.row(level * height_px + row) + kDaisyBins * column;
}

// A histogram of the reference as the other picture would show it.
VANTAGE_HD void turn_histogram(const uint8_t* from, const EpipolarTurn& turn, uint8_t* to) {
  for (int k = 0; k < kDaisyBins; ++k) {
    const float a = static_cast<float>(from[(k - turn.bins) & (kDaisyBins - 1)]);
    const float b = static_cast<float>(from[(k - turn.bins - 1) & (kDaisyBins - 1)]);
    to[k] = static_cast<uint8_t>(a + turn.fraction * (b - a) + 0.5f);
  }
}

VANTAGE_HD void turned(float c, float s, float x, float y, float* to_x, float* to_y) {
  *to_x = c * x - s * y;
  *to_y = s * x + c * y;
}

// The views' costs of one height, combined.
struct CombinedCost {
  float sum = 0;
  int views = 0, seeing = 0;
  float best[kMaxBestViews] = {1e30f, 1e30f, 1e30f, 1e30f};  // ascending
};

VANTAGE_HD void combine_cost(const CostPlan& plan, bool seen, float cost, CombinedCost& to) {
  if (!seen && !plan.unseen_counts) return;
  if (seen) ++to.seeing;
  if (!seen) cost = plan.unseen_cost;
  if (plan.combine == ViewCombination::robust && cost > plan.robust_limit) cost = plan.robust_limit;
  ++to.views;
  to.sum = to.sum + cost;
  for (int i = 0; i < kMaxBestViews; ++i) {
    const float other = to.best[i];
    if (cost < other) {
      to.best[i] = cost;
      cost = other;
    }
  }
}

VANTAGE_HD float combined_cost(const CostPlan& plan, const CombinedCost& costs) {
  if (costs.views == 0 || costs.seeing < plan.min_views) return plan.unseen_cost;
  if (plan.combine != ViewCombination::best) return costs.sum / static_cast<float>(costs.views);
  const int count = costs.views < plan.best_views ? costs.views : plan.best_views;
  float sum = 0;
  for (int i = 0; i < kMaxBestViews; ++i)
    if (i < count) sum = sum + costs.best[i];
  return sum / static_cast<float>(count);
}

VANTAGE_HD void point_at(const CostPlan& plan, float slope_x, float slope_y, float height_m, float* point) {
  const float down = height_m - plan.center_m[2];
  point[0] = plan.center_m[0] + down * slope_x;
  point[1] = plan.center_m[1] + down * slope_y;
  point[2] = height_m;
}

VANTAGE_HD bool inside_picture(const PinholeCamera<float>& camera, const Pixel<float>& at) {
  return at.in_front && at.x >= -0.5f && at.y >= -0.5f && at.x < static_cast<float>(camera.width_px) - 0.5f &&
         at.y < static_cast<float>(camera.height_px) - 0.5f;
}

// Views without histograms.
std::vector<CostView> make_cost_views(const HeightCost::Arguments& arguments);

}  // namespace vantage
