// The single-pass integral image; see integral_image.cuh.
#include <algorithm>

#include "gpu/primitives/integral_exchange.cuh"
#include "gpu/primitives/integral_image.cuh"
#include "gpu/primitives/integral_launch.cuh"
#include "gpu/primitives/integral_packed_elements.cuh"
#include "gpu/primitives/integral_summed_elements.cuh"

namespace vantage::gpu::integral {
namespace {

// How a picture is cut up, by its size. kBlocks: at a time on a multiprocessor. kMostUngrouped, kGroup: see
// plan_tiles(); without groups, none. kLeftAtOnce, kAboveAtOnce: see AskedTiles. kParkedRows, kScannedRows:
// see PackedElements.
//
// Narrow tiles and many threads, so that a tile is soon done.
template <typename In, typename Out, typename Global>
struct Small {
  static constexpr bool kBytes = sizeof(In) == 1, kDoubles = sizeof(In) == 8;
  using TileType = Tile<In, Out, Global, sizeof(Out) == 8 ? 2 : 1, kBytes ? 4 : 8, kBytes ? 16 : 8>;
  static constexpr int kBlocks = 2, kMostUngrouped = 32, kGroup = 8;
  static constexpr int kLeftAtOnce = kBytes || kDoubles ? 1 : 2, kAboveAtOnce = kBytes ? 2 : kDoubles ? 3 : 4;
  static constexpr int kParkedRows = 0, kScannedRows = 0;
  static constexpr bool kDiagonal = false;
};
// Nearly all tiles are there at once.
template <typename In, typename Out, typename Global>
struct Medium {
  static constexpr bool kBytes = sizeof(In) == 1, kNarrow = kBytes && sizeof(Out) == 4;
  using TileType = Tile<In, Out, Global, kNarrow ? 1 : kBytes ? 4 : 2, 8, kNarrow ? 16 : 8>;
  static constexpr int kBlocks = 2, kMostUngrouped = 32, kGroup = 8;
  static constexpr int kLeftAtOnce = kNarrow ? 2 : 1, kAboveAtOnce = kNarrow ? 2 : 4;
  static constexpr int kParkedRows = 0, kScannedRows = 0;
  static constexpr bool kDiagonal = false;
};
// Bytes take few registers.
template <typename In, typename Out, typename Global>
struct LargeBytes {
  using TileType = Tile<In, Out, Global, 2, 16, 16>;
  static constexpr int kBlocks = 2, kMostUngrouped = 0, kGroup = 8, kLeftAtOnce = 2, kAboveAtOnce = 2;
  static constexpr int kParkedRows = 11, kScannedRows = 4;
  static constexpr bool kDiagonal = true;
};
// Of pictures up to 4096 x 4096 all tiles are there at once, and each adds up all others' sums.
template <typename In, typename Out, typename Global>
struct Resident : LargeBytes<In, Out, Global> {
  static constexpr int kMostUngrouped = 16, kGroup = 0;
};
// As many rows as registers hold.
template <typename In, typename Out, typename Global>
struct Large {
  static constexpr bool kBytes = sizeof(In) == 1, kDoubles = sizeof(In) == 8;
  using TileType = Tile<In, Out, Global, kBytes ? 4 : 2, kBytes ? 16 : kDoubles ? 8 : 10, 8>;
  static constexpr int kBlocks = 2, kMostUngrouped = 0, kGroup = kBytes ? 5 : 4;
  static constexpr int kLeftAtOnce = 1, kAboveAtOnce = kBytes ? 1 : 2;
  static constexpr int kParkedRows = 0, kScannedRows = 0;
  static constexpr bool kDiagonal = true;
};
// Pixels of all pictures. Between the last two a launch asks for no input while the one before still writes:
// that holds up these writes more than it gains.
constexpr int64_t kMediumFrom = 3'000'000, kLargeFrom = 8'000'000, kNearFrom = 20'000'000;

int64_t pixels_of(const IntegralRequest& request) {
  const IntegralPlane& in = request.in.first;
  return int64_t{in.width} * in.height * request.count;
}

struct Launch {
  Plan plan;
  unsigned char* scratch;
  bool whole_in, whole_out, near, exclusive;
};

template <typename Choice>
__device__ GroupedTile draw_tile(const Launch& launch) {
  const Ticket ticket = draw_ticket(launch.scratch);
  const auto n = static_cast<int>(ticket.number);
  return grouped_tile(launch.plan, Choice::kDiagonal ? by_diagonals(launch.plan, n) : by_rows(launch.plan, n),
                      ticket.launch);
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
  __shared__ GroupedTile tile;
  if (threadIdx.x == 0) tile = draw_tile<Choice>(launch);
  __syncthreads();
  let_next_come();  // the next launch of this scratch may draw tickets
  if (launch.near) bring_near<T>(in, launch.whole_in, tile.place);
  wait_for_previous();

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

template <typename In, typename Out, typename Choice>
cudaError_t run(cudaStream_t stream, const IntegralRequest& request, void* scratch) {
  using T = typename Choice::TileType;
  const Source<In> in = source_of<In>(request);
  const int64_t pixels = pixels_of(request);
  const Launch launch{plan_for<Choice>(request),
                      static_cast<unsigned char*>(scratch),
                      aligned(request.in, request.count, sizeof(typename T::InPack)),
                      aligned(request.out, request.count, 16),
                      sizeof(In) == 8 || pixels < kLargeFrom || pixels >= kNearFrom,
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
                         static_cast<int>(sizeof(typename Exchange<Choice>::Shared) + sizeof(GroupedTile));
  int device = 0, most = 0;
  return cudaGetDevice(&device) == cudaSuccess &&
         cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device) == cudaSuccess &&
         kBytes <= most;
}

// Call f.template operator()<Choice>().
template <typename In, typename Out, typename Global, typename F>
auto with_large_bytes(const IntegralRequest& request, const F& f) {
  using One = Resident<In, Out, Global>;
  using Grouped = LargeBytes<In, Out, Global>;
  using T = typename One::TileType;
  if (!fits<In, Out, Grouped>()) return f.template operator()<Medium<In, Out, Global>>();
  if (request.in.first.width <= One::kMostUngrouped * T::kColumns &&
      request.in.first.height <= One::kMostUngrouped * T::kRows)
    return f.template operator()<One>();
  return f.template operator()<Grouped>();
}
template <typename In, typename Out, typename Global, typename F>
auto with_sums(const IntegralRequest& request, const F& f) {
  const int64_t pixels = pixels_of(request);
  if (pixels < kMediumFrom) return f.template operator()<Small<In, Out, Global>>();
  if (pixels < kLargeFrom) return f.template operator()<Medium<In, Out, Global>>();
  if constexpr (sizeof(In) == 1 && sizeof(Out) == 4)
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
