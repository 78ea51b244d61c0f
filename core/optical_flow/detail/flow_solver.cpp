#include "core/optical_flow/detail/flow_solver.h"

#include <tbb/parallel_for.h>

#include <algorithm>

#include "core/optical_flow/detail/flow_tile.h"

namespace vantage::flow {
namespace {

constexpr int kRowsPerTask = 8;

template <typename Body>
void for_rows(int height, const Body& body) {
  const int tasks = (height + kRowsPerTask - 1) / kRowsPerTask;
  tbb::parallel_for(0, tasks, [&](int task) {
    const int end = std::min(height, (task + 1) * kRowsPerTask);
    for (int y = task * kRowsPerTask; y < end; ++y) body(y);
  });
}

std::vector<float> squared_axis_weights(int size) {
  std::vector<float> weights(static_cast<size_t>((size + 15) / 16 * 16), 0.0f);
  for (int i = 0; i < size; ++i) {
    const float weight = FlowPlan::axis_weight(i, size);
    weights[static_cast<size_t>(i)] = weight * weight;
  }
  return weights;
}

void resample_flow(const FlowRows& from, const ResampleAxis& x, const ResampleAxis& y, float gain,
                   FlowRows& to) {
  std::vector<const float*> rows(static_cast<size_t>(from.height()));
  for (int i = 0; i < from.height(); ++i) rows[static_cast<size_t>(i)] = from.row(i);
  for_rows(to.height(), [&](int row) {
    resample_flow_row(rows.data(), from.width(), x, y, row, gain,
                      scratch(2 * static_cast<size_t>(from.width() + 16)), to.row(row));
  });
}

}  // namespace

FlowSolver::FlowSolver(FlowPlan plan) : plan_(std::move(plan)) {
  for (const FlowLevel& level : plan_.levels) {
    levels_.push_back({{FlowRows(level.width, level.height), FlowRows(level.width, level.height)},
                       squared_axis_weights(level.width),
                       squared_axis_weights(level.height)});
    pictures_.emplace_back(level.width, level.height, 1);
  }
}

void FlowSolver::expand(ImageView<const uint8_t> picture, PictureExpansion& out) {
  if (out.size() != plan_.levels.size()) {
    out.clear();
    for (const FlowLevel& level : plan_.levels) out.emplace_back(level.width, level.height, kChannels);
  }
  for (size_t k = 0; k < plan_.levels.size(); ++k) {
    const FlowLevel& level = plan_.levels[k];
    Rows& image = pictures_[k];
    for_rows(level.height, [&](int row) {
      resample_picture_row(picture, level.image_x, level.image_y, row,
                           scratch(static_cast<size_t>(picture.width) + 16), image.row(row));
    });
    for_rows(level.height, [&](int row) {
      expand_row(image, row, plan_.polynomial, scratch(3 * image.pitch()) + kRowPadding, out[k]);
    });
  }
}

const FlowRows& FlowSolver::solve(const PictureExpansion& earlier, const PictureExpansion& later,
                                  const FlowRows* initial) {
  const FlowRows* coarser = nullptr;
  for (size_t k = plan_.levels.size(); k-- > 0;) {
    if (coarser)
      start_from_coarser(k, *coarser);
    else
      start_from(initial, levels_[k].flow[0]);
    coarser = &levels_[k].flow[iterate(k, earlier[k], later[k])];
  }
  return *coarser;
}

void FlowSolver::start_from(const FlowRows* initial, FlowRows& coarsest) {
  if (!initial) {
    coarsest = FlowRows(coarsest.width(), coarsest.height());
    return;
  }
  resample_flow(*initial, plan_.initial_x, plan_.initial_y, static_cast<float>(plan_.levels.back().scale),
                coarsest);
}

void FlowSolver::start_from_coarser(size_t k, const FlowRows& coarser) {
  const FlowLevel& level = plan_.levels[k];
  resample_flow(coarser, level.coarse_x, level.coarse_y, static_cast<float>(1 / plan_.pyramid_scale),
                levels_[k].flow[0]);
}

size_t FlowSolver::iterate(size_t k, const Rows& earlier, const Rows& later) {
  Level& level = levels_[k];
  const TilePlan tiles = TilePlan::make(earlier.width(), earlier.height(), plan_.window.radius);
  size_t from = 0;
  for (int done = 0; done < plan_.iterations; done += tiles.iterations, from = 1 - from) {
    const int iterations = std::min(tiles.iterations, plan_.iterations - done);
    tbb::parallel_for(0, tiles.count(), [&](int tile) {
      const TileArguments arguments{earlier,
                                    later,
                                    plan_.window,
                                    level.border_x,
                                    level.border_y,
                                    level.flow[from],
                                    level.flow[1 - from]};
      iterate_tile(arguments, tiles.tile(tile), iterations);
    });
  }
  return from;
}

}  // namespace vantage::flow
