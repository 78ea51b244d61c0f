// Height map: the height above the floor of the head seen at each pixel of a reference camera, as the
// labelling of least energy on the 4-connected grid of pixels, found by loopy belief propagation. Source:
// "height-map-belief-propagation": E(l) = sum D_p(l_p) + lambda sum V_pq(l_p, l_q); messages and schedule:
// resources/docs/algorithms/height-map.md.
//
// Labels 0 .. heights - 1 are heights lowest_m + k step_m, label `heights` is "no head". In label steps, with
// the shift c_pq = the expected l_p - l_q (EdgeShifts; c_qp = -c_pq) and s = lambda step_m:
//   lambda V_pq(j, k)              = s |j - k - c_pq|      both heights
//   lambda V_pq(height, no head)   = lambda no_head_jump_m
//   lambda V_pq(no head, no head)  = 0
// D_p(no head) is part of the data cost (cost.h). Methods `published` and `linear` give the same up to
// rounding. Iteration t = 1, 2, ... sends from the even pixels (x + y even) when t is odd, from the odd ones
// when t is even; one slot per undirected edge, with damping both directions are kept. After iteration T one
// closing half-step gives the senders' beliefs, of age T + 1.
#pragma once

#include <array>
#include <functional>
#include <string_view>
#include <vector>

#include "core/base/parameters.h"
#include "core/geometry/height_surface.h"
#include "core/image/backend/registry.h"
#include "core/image/picture.h"

namespace vantage {

enum class MessageMethod : uint8_t { linear, published };
enum class MessagePrecision : uint8_t { fp32, fp16 };
enum class ViewCombination : uint8_t { mean, robust, best };
enum class UnseenView : uint8_t { skip, cost };

inline constexpr int kMaxHeights = 64;
inline constexpr double kMinDescriptor_px = 3;

struct HeightLabels {
  double lowest_m = 1.4;
  double step_m = 0.025;
  int count = 24;  // of heights; with "no head" one label more
  int no_head() const { return count; }
  double height_m(int label) const { return lowest_m + label * step_m; }
  // Position in the labels' range, 0 to 1 within it.
  double share(double at_m) const { return (at_m - lowest_m) / (step_m * (count > 1 ? count - 1 : 1)); }
  bool operator==(const HeightLabels&) const = default;
};

struct HeightMapParameters {
  bool enabled = false;
  double lowest_m = 1.4;
  double step_m = 0.025;
  int heights = 24;
  double lambda = 2;
  double no_head_cost = 0.525;
  int below_heights = 1;
  double no_head_jump_m = 0.05;
  int iterations = 100;
  int check_every = 10;
  double settled_share = 0;
  double damping = 0;
  MessageMethod method = MessageMethod::linear;
  MessagePrecision precision = MessagePrecision::fp32;
  double memory_limit_mb = 4096;
  int reference = 0;
  // At least kMinDescriptor_px. What surrounds a head moves otherwise from view to view.
  double descriptor_heads = 0.15;
  // The data cost (cost.h).
  ViewCombination combine = ViewCombination::mean;
  double robust_limit = 0.5;
  int best_views = 1;
  int min_views = 1;
  UnseenView unseen = UnseenView::skip;
  double unseen_cost = 0.6;
  bool use_foreground = true;
  HeightSurface surface = HeightSurface::round;
  // Descriptors match a round head by its edge: the costs of a height are those so much below it. Measured on
  // rendered heads, which have no texture.
  double outline_drop_m = 0.035;
  // People from the map (heads.h).
  double head_step_m = 0.1;
  double head_area_m2 = 0.012;
  double head_distance_m = 0.3;
  // head_shape.h.
  bool outlines = true;
  double min_outline = 0.25;

  HeightLabels labels() const { return {lowest_m, step_m, heights}; }
  bool operator==(const HeightMapParameters&) const = default;
};
template <>
const ParameterTable& parameter_table<HeightMapParameters>();

// D_p(l): plane l of `costs` (rows l * height ... of it) is label l's, the last "no head"'s. Finite; at most
// 1000.
struct CostVolume {
  int width = 0, height = 0;
  HeightLabels labels;
  Image costs;  // f32, width x (labels.count + 1) * height
  explicit operator bool() const { return static_cast<bool>(costs); }
};

// Expected label of a pixel less that of its right and of its lower neighbour; f32, picture size, in label
// steps and within +-labels.count. The last column of `right` and the last row of `down` mean nothing.
struct EdgeShifts {
  Image right, down;
};

// At a check: after this many iterations.
struct HeightMapCheck {
  int iteration = 0;
  double energy = 0;
  int64_t changed = 0;  // pixels with another label than at the check before (at the first: than none)
};

struct HeightMap {
  int width = 0, height = 0;
  int64_t frame = -1;
  HeightLabels scale;
  Image labels;     // u8
  Image unsettled;  // u8: 255 where the label changed since the check before the last
  std::vector<HeightMapCheck> checks;
  bool settled = false;  // stopped early
  explicit operator bool() const { return static_cast<bool>(labels); }
};

struct HeightSolveRequest {
  // Starts from the messages of the solve before instead of none; the first solve, and one of another number
  // of heights, starts from none.
  bool warm_start = false;
  // Called at every check but the last with the map so far; false ends it there.
  std::function<bool(const HeightMap&)> on_check = {};
};

// The costs that a pixel's label was chosen from; by label, "no head" last.
struct PixelBelief {
  std::vector<float> cost, belief;  // the data cost; with the messages added
  std::array<std::vector<float>, 4>
      messages;  // from the left, right, upper, lower pixel; empty: there is none
};

// Belief propagation on pictures of one size. Not thread-safe.
class HeightSolver {
 public:
  static constexpr std::string_view kAlgorithm = "height map";
  struct Arguments {
    int width = 0, height = 0;
    EdgeShifts shifts;  // host memory
  };
  virtual ~HeightSolver() = default;
  virtual void set_parameters(const HeightMapParameters& parameters) = 0;
  // Errors: another size or memory than the implementation's (invalid_argument), more than memory_limit_mb
  // (out_of_memory, with the figure), device_lost. The map is in the implementation's memory, complete.
  virtual Result<HeightMap> solve(const CostVolume& costs, const HeightSolveRequest& request,
                                  int64_t frame) = 0;
  // As it stands after a solve or in its on_check. One slot an edge keeps what was sent last: of the pixels
  // that sent last the messages are those of the half-step to come, so where the map is not settled their
  // belief may prefer another label than the map's. Errors: no solve, or no such pixel (invalid_argument).
  virtual Result<PixelBelief> belief_of(int x, int y) = 0;
};

namespace height_map {

// The number of heights that the CUDA kernels are made for: they lie in pieces of 16 bytes.
constexpr int stored_heights(int heights) {
  return heights <= 32 ? (heights + 7) / 8 * 8 : kMaxHeights;
}

// Working memory of a solve, the data cost itself included.
size_t memory_bytes(int width, int height, const HeightMapParameters& parameters, Device device);
Status check_memory(int width, int height, const HeightMapParameters& parameters, Device device);
Status check(const HeightSolver::Arguments& arguments);
Status check(const HeightSolver::Arguments& arguments, const CostVolume& costs,
             const HeightMapParameters& parameters, MemoryPlace place);

}  // namespace height_map

}  // namespace vantage
