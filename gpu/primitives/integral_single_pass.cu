// The single-pass integral image; see integral_image.cuh.
#include <algorithm>

#include "gpu/primitives/integral_exchange.cuh"
#include "gpu/primitives/integral_image.cuh"
#include "gpu/primitives/integral_launch.cuh"
#include "gpu/primitives/integral_packed_elements.cuh"
#include "gpu/primitives/integral_summed_elements.cuh"

namespace vantage::gpu::integral {
namespace {

// How a picture is cut up, by its size. kBlocks: at a time on a multiprocessor. kLeftAtOnce, kAboveAtOnce:
// see AskedTiles. kParkedRows, kScannedRows: see PackedElements.
//
// Grouping, see plan_tiles(): a picture of up to so many tiles each way is one group, or tiles work in
// groups.
template <int kMost>
struct OneGroup {
  static constexpr int kMostUngrouped = kMost, kGroup = 0;
};
template <int kEach>
struct Groups {
  static constexpr int kMostUngrouped = 0, kGroup = kEach;
};
// Narrow tiles and many threads, so that a tile is soon done.
template <typename In, typename Out, typename Global>
struct Small : OneGroup<64> {
  static constexpr bool kBytes = sizeof(In) == 1, kDoubles = sizeof(In) == 8;
  using TileType = Tile<In, Out, Global, sizeof(Out) == 8 ? 2 : 1, kBytes ? 4 : 8, kBytes ? 16 : 8>;
  static constexpr int kBlocks = 2;
  static constexpr int kLeftAtOnce = kBytes || kDoubles ? 1 : 2, kAboveAtOnce = kBytes ? 2 : kDoubles ? 3 : 4;
  static constexpr int kParkedRows = 0, kScannedRows = 0;
  static constexpr bool kDiagonal = false;
};
// Nearly all tiles are there at once.
template <typename In, typename Out, typename Global, typename Grouping = OneGroup<64>>
struct Medium : Grouping {
  static constexpr bool kBytes = sizeof(In) == 1, kNarrow = kBytes && sizeof(Out) == 4;
  using TileType = Tile<In, Out, Global, kNarrow ? 1 : kBytes ? 4 : 2, 8, kNarrow ? 16 : 8>;
  static constexpr int kBlocks = 2;
  static constexpr int kLeftAtOnce = kNarrow ? 2 : 1, kAboveAtOnce = kNarrow ? 2 : 4;
  static constexpr int kParkedRows = 0, kScannedRows = 0;
  static constexpr bool kDiagonal = false;
};
// Bytes take few registers: of pictures up to 4096 x 4096 all tiles are there at once.
template <typename In, typename Out, typename Global, typename Grouping = OneGroup<16>>
struct Bytes : Grouping {
  using TileType = Tile<In, Out, Global, sizeof(Out) == 8 ? 4 : 2, 16, 16>;
  static constexpr int kBlocks = 2, kLeftAtOnce = 2, kAboveAtOnce = 2;
  static constexpr int kParkedRows = 11, kScannedRows = 4;
  static constexpr bool kDiagonal = true;
};
// As many rows as registers hold.
template <typename In, typename Out, typename Global>
struct Large : Groups<sizeof(In) == 1 ? 5 : 4> {
  static constexpr bool kBytes = sizeof(In) == 1, kDoubles = sizeof(In) == 8;
  using TileType = Tile<In, Out, Global, kBytes ? 4 : 2, kBytes ? 16 : kDoubles ? 8 : 10, 8>;
  static constexpr int kBlocks = 2;
  static constexpr int kLeftAtOnce = 1, kAboveAtOnce = kBytes ? 1 : 2;
  static constexpr int kParkedRows = 0, kScannedRows = 0;
  static constexpr bool kDiagonal = true;
};
// Pixels of all pictures.
constexpr int64_t kMediumFrom = 3'000'000, kLargeFrom = 8'000'000;
constexpr int64_t kWideBytesFrom = 11'000'000;  // u8 -> u64: before, more and smaller tiles gain more

int64_t pixels_of(const IntegralRequest& request) {
  const IntegralPlane& in = request.in.first;
  return int64_t{in.width} * in.height * request.count;
}

struct Launch {
  Plan plan;
  unsigned char* scratch;
  int at_once;  // blocks that the device holds
  bool whole_in, whole_out, exclusive;
};

template <typename Choice>
__device__ TilePlace place_of(const Plan& plan, int n) {
  return Choice::kDiagonal ? by_diagonals(plan, n) : by_rows(plan, n);
}
// Of which tile the block that draws number n asks for the input while the launch before still works, if any.
// Of few tiles the first half: their own. Else the blocks that come last, when the launch before has hardly
// anything left to write that this would hold up: the first tiles, for which all others wait.
template <typename Choice>
__device__ int asked_early(const Launch& launch, int n) {
  if (Choice::kDiagonal) return n < launch.at_once ? n - launch.at_once * 5 / 8 : -1;
  return n < launch.at_once / 2 ? n : -1;
}

struct DrawnTile {
  GroupedTile tile;
  int turn;  // of the blocks that load at once; 0 of later ones
  bool asks_early;
  TilePlace early;
};

template <typename Choice>
__device__ DrawnTile draw_tile(const Launch& launch) {
  const Ticket ticket = draw_ticket(launch.scratch);
  const int n = static_cast<int>(ticket.number), early = asked_early<Choice>(launch, n);
  return {grouped_tile(launch.plan, place_of<Choice>(launch.plan, n), ticket.launch),
          n < launch.at_once ? n : 0, early >= 0, place_of<Choice>(launch.plan, max(early, 0))};
}
// Memory then serves the tiles in their order, not all of them late.
template <typename T, typename In>
__device__ void wait_turn(int turn) {
  constexpr int kBytesPerCycle = 2400;  // from memory to all of an H200
  constexpr int kCycles = T::kRows * T::kColumns * static_cast<int>(sizeof(In)) / kBytesPerCycle;
  const long long begin = clock64();
  while (clock64() - begin < turn * kCycles) {
  }
}

template <typename In, typename Out, typename Choice>
using ElementsOf = std::conditional_t<
    Choice::TileType::kSummed, SummedElements<typename Choice::TileType, In, Out>,
    PackedElements<typename Choice::TileType, In, Out, Choice::kParkedRows, Choice::kScannedRows>>;

// Every block draws one tile, so that a tile waits only for tiles that running blocks have.
template <typename In, typename Out, typename Choice>
__global__ void __launch_bounds__(Choice::TileType::kThreads, Choice::kBlocks)
    single_pass(const __grid_constant__ Launch launch, const __grid_constant__ Source<In> in,
                const __grid_constant__ Target<Out> out) {
  using T = typename Choice::TileType;
  using Elements = ElementsOf<In, Out, Choice>;
  using TileExchange = Exchange<Choice>;
  __shared__ typename TileExchange::Shared shared;
  __shared__ DrawnTile drawn;
  if (threadIdx.x == 0) drawn = draw_tile<Choice>(launch);
  __syncthreads();
  let_next_come();  // the next launch of this scratch may draw tickets
  if (drawn.asks_early) bring_near<T>(in, launch.whole_in, drawn.early);
  wait_for_previous();
  if (Choice::kDiagonal) wait_turn<T, In>(drawn.turn);
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
  // What can be had again from shared memory takes no registers beside the elements.
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

template <typename Choice>
Plan plan_for(const IntegralRequest& request) {
  // Of the input; the output of nothing can be an exclusive one, whose 0 a tile writes.
  const int width = std::max(request.in.first.width, 1), height = std::max(request.in.first.height, 1);
  return plan_tiles<typename Choice::TileType>(width, height, request.count, Choice::kMostUngrouped,
                                               Choice::kGroup, kTicketBytes);
}

int attribute(cudaDeviceAttr which) {
  int device = 0, value = 0;
  const bool known =
      cudaGetDevice(&device) == cudaSuccess && cudaDeviceGetAttribute(&value, which, device) == cudaSuccess;
  return known ? value : 0;
}

template <typename In, typename Out, typename Choice>
cudaError_t run(cudaStream_t stream, const IntegralRequest& request, void* scratch) {
  using T = typename Choice::TileType;
  const Source<In> in = source_of<In>(request);
  const Launch launch{plan_for<Choice>(request),
                      static_cast<unsigned char*>(scratch),
                      Choice::kBlocks * attribute(cudaDevAttrMultiProcessorCount),
                      aligned(request.in, request.count, sizeof(typename T::InPack)),
                      aligned(request.out, request.count, 16),
                      request.kind == IntegralKind::exclusive};
  const auto kernel = single_pass<In, Out, Choice>;
  constexpr int kSharedBytes = ElementsOf<In, Out, Choice>::kSharedBytes;
  if constexpr (kSharedBytes > 0) {
    const cudaError_t allowed =
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kSharedBytes);
    if (allowed != cudaSuccess) return allowed;
  }
  return launch_beside_previous(kernel, dim3(static_cast<unsigned>(launch.plan.tiles())), T::kThreads,
                                kSharedBytes, stream, launch, in, target_of<Out>(request));
}

// Whether a block of this device may have the shared memory that the choice takes.
template <typename In, typename Out, typename Choice>
bool fits() {
  constexpr int kBytes = ElementsOf<In, Out, Choice>::kSharedBytes +
                         static_cast<int>(sizeof(typename Exchange<Choice>::Shared) + sizeof(DrawnTile));
  return kBytes <= attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
}

// Whether a picture is not grouped.
template <typename Choice>
bool one_group(const IntegralRequest& request) {
  using T = typename Choice::TileType;
  return request.in.first.width <= Choice::kMostUngrouped * T::kColumns &&
         request.in.first.height <= Choice::kMostUngrouped * T::kRows;
}

// Call f.template operator()<Choice>().
template <typename In, typename Out, typename Global, typename F>
auto with_large_bytes(const IntegralRequest& request, const F& f) {
  using One = Bytes<In, Out, Global>;
  constexpr bool kWide = sizeof(Out) == 8;
  const bool fitting = fits<In, Out, One>();
  if (fitting && one_group<One>(request) && (!kWide || pixels_of(request) >= kWideBytesFrom))
    return f.template operator()<One>();
  if constexpr (kWide)
    return f.template operator()<Large<In, Out, Global>>();
  else if (fitting)
    return f.template operator()<Bytes<In, Out, Global, Groups<8>>>();
  else
    return f.template operator()<Medium<In, Out, Global, Groups<8>>>();
}
template <typename In, typename Out, typename Global, typename F>
auto with_sums(const IntegralRequest& request, const F& f) {
  using First = Small<In, Out, Global>;
  using Second = Medium<In, Out, Global>;
  const int64_t pixels = pixels_of(request);
  if (pixels < kMediumFrom && one_group<First>(request)) return f.template operator()<First>();
  if (pixels < kLargeFrom && one_group<Second>(request)) return f.template operator()<Second>();
  if constexpr (sizeof(In) == 1)
    return with_large_bytes<In, Out, Global>(request, f);
  else
    return f.template operator()<Large<In, Out, Global>>();
}
// The same; u8 -> f32 is exact until it is rounded at the end.
template <typename In, typename Out, typename F>
auto with_choice(const IntegralRequest& request, const F& f) {
  constexpr int64_t kFit32Bits = 0xffffffff / 255;  // so many bytes' sum does
  if constexpr (sizeof(In) == 1 && std::is_same_v<Out, float>) {
    if (pixels_of(request) > kFit32Bits) return with_large_bytes<In, Out, Wide>(request, f);
    return with_sums<In, Out, uint32_t>(request, f);
  } else {
    return with_sums<In, Out, Out>(request, f);
  }
}

}  // namespace

size_t single_pass_scratch_bytes(const IntegralRequest& request) {
  return with_types(request, [&]<typename In, typename Out>() {
    return with_choice<In, Out>(request,
                                [&]<typename Choice>() { return plan_for<Choice>(request).size_bytes; });
  });
}

cudaError_t run_single_pass(cudaStream_t stream, const IntegralRequest& request, void* scratch) {
  return with_types(request, [&]<typename In, typename Out>() {
    return with_choice<In, Out>(
        request, [&]<typename Choice>() { return run<In, Out, Choice>(stream, request, scratch); });
  });
}

}  // namespace vantage::gpu::integral
