// The kernel of the integral image: every thread block draws a tile, sums it, exchanges sums with the tiles
// to the left and above, and writes it.
#pragma once

#include "gpu/primitives/integral_image/row_writer.cuh"
#include "gpu/primitives/integral_image/shapes.cuh"
#include "gpu/primitives/integral_image/tile_lookback.cuh"
#include "gpu/runtime/dependent_launch.cuh"

namespace vantage::gpu::integral {

struct Launch {
  Plan plan;
  unsigned char* scratch;
  int at_once;      // thread blocks that the device holds
  int turn_clocks;  // in which memory delivers a tile
  bool whole_in, whole_out, exclusive;
};

template <typename Shape>
__device__ TilePlace place_of(const Plan& plan, int n) {
  return Shape::kDiagonal ? by_diagonals(plan, n) : by_rows(plan, n);
}
// The tile whose input the block that draws number n prefetches while the launch before still works; -1:
// none. With few tiles the first half prefetch their own. Else the blocks that come last, when the launch
// before has hardly anything left to write that this would hold up, prefetch the first tiles, for which all
// others wait.
template <typename Shape>
__device__ int prefetched_tile(const Launch& launch, int n) {
  if (Shape::kDiagonal) return n < launch.at_once ? n - launch.at_once * 5 / 8 : -1;
  return n < launch.at_once / 2 ? n : -1;
}

struct DrawnTile {
  GroupedTile tile;
  int turn;  // of the blocks that load at once; 0 of later ones
  bool prefetches;
  TilePlace prefetched;
};
static_assert(sizeof(DrawnTile) <= kDrawnTileBytes);

template <typename Shape>
__device__ DrawnTile draw_tile(const Launch& launch) {
  const Ticket ticket = draw_ticket(launch.scratch);
  const int n = static_cast<int>(ticket.number), prefetched = prefetched_tile<Shape>(launch, n);
  return {grouped_tile(launch.plan, place_of<Shape>(launch.plan, n), ticket.launch),
          n < launch.at_once ? n : 0, prefetched >= 0, place_of<Shape>(launch.plan, max(prefetched, 0))};
}

// Memory then serves the tiles in their order, not all of them late.
__device__ inline void wait_clocks(int clocks) {
  const long long begin = clock64();
  while (clock64() - begin < clocks) {
  }
}

// A tile waits only for tiles that were drawn before it, by blocks that run.
template <typename In, typename Out, typename Shape>
__global__ void __launch_bounds__(Shape::TileType::kThreads, Shape::kBlocks)
    integral_single_pass(const __grid_constant__ Launch launch, const __grid_constant__ Source<In> in,
                         const __grid_constant__ Target<Out> out) {
  using T = typename Shape::TileType;
  using Elements = ElementsOf<In, Out, Shape>;
  using TileExchange = Exchange<Shape>;
  __shared__ typename TileExchange::Shared shared;
  __shared__ DrawnTile drawn;
  if (threadIdx.x == 0) drawn = draw_tile<Shape>(launch);
  __syncthreads();
  trigger_dependent_launch();  // the next launch of this scratch may draw tickets
  if (drawn.prefetches) prefetch_tile<T>(in, launch.whole_in, drawn.prefetched);
  grid_dependency_sync();
  if (Shape::kDiagonal) wait_clocks(drawn.turn * launch.turn_clocks);
  const GroupedTile& tile = drawn.tile;

  Elements elements;
  {
    const WarpPlace at = warp_place<T>(tile.place);
    elements.load(in, launch.whole_in, at);
    typename Elements::Columns columns;
    const auto rows = elements.sum(columns, at.lane);
    TileExchange(launch.plan, launch.scratch, shared, tile).publish(rows.own, rows.total, columns);
  }
  elements.scan(static_cast<int>(threadIdx.x) % 32);
  // Values that shared memory has again take no registers in addition to the elements.
  TileExchange exchange(launch.plan, launch.scratch, shared, tile);
  exchange.collect();
  typename T::Local above[T::kGroups][T::kVector];
  exchange.gather_above(above);
  const auto beside = [&](int r) { return exchange.beside(r); };
  const WarpPlace at = warp_place<T>(tile.place);
  if (launch.exclusive)
    elements.write(above, beside, ExclusiveRowWriter<T, Out>(out, launch.whole_out, at, in.width), at.lane);
  else
    elements.write(above, beside, RowWriter<T, Out>(out, launch.whole_out, at), at.lane);
}

}  // namespace vantage::gpu::integral
