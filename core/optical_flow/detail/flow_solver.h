// The CPU's way from two pictures to a flow, in single precision: expansions of all levels, then coarse to
// fine. Threads by oneTBB; every value is computed the same way whatever their number.
#pragma once

#include <vector>

#include "core/optical_flow/detail/flow_kernels.h"
#include "core/optical_flow/detail/flow_tile.h"
#include "core/optical_flow/flow_plan.h"

namespace vantage::flow {

// One picture's polynomial expansion at every level.
using PictureExpansion = std::vector<Rows>;

class FlowSolver {
 public:
  explicit FlowSolver(FlowPlan plan);
  const FlowPlan& plan() const { return plan_; }
  // Fills `out`, reusing its memory where it fits.
  void expand(ImageView<const uint8_t> picture, PictureExpansion& out);
  // initial: full size, or null for zero. The result stays valid until the next call.
  const FlowRows& solve(const PictureExpansion& earlier, const PictureExpansion& later,
                        const FlowRows* initial);

 private:
  struct Level {
    FlowRows flow[2];             // written in turns
    std::vector<float> border_x;  // squared axis weights, padded to whole vectors
    std::vector<float> border_y;
  };
  void start_from(const FlowRows* initial, FlowRows& coarsest);
  void start_from_coarser(size_t k, const FlowRows& coarser);
  // Runs all iterations; returns which of the level's two flows holds the result.
  size_t iterate(size_t k, const Rows& earlier, const Rows& later);

  FlowPlan plan_;
  std::vector<Level> levels_;
  std::vector<Rows> pictures_;  // level images
};

}  // namespace vantage::flow
