// The single-pass integral image; see integral_image.cuh.
#include "gpu/primitives/integral_elements.cuh"
#include "gpu/primitives/integral_exchange.cuh"
#include "gpu/primitives/integral_image.cuh"
#include "gpu/primitives/integral_launch.cuh"

namespace vantage::gpu::integral {
namespace {

// How a picture is cut up, by its size. kBlocks: at a time on a multiprocessor. kMostUngrouped, kGroup: see
// plan_tiles(). kLeftAtOnce, kAboveAtOnce: see Exchange.
//
// Narrow tiles and many threads, so that a tile is soon done.
template <typename In, typename Out>
struct Small {
  static constexpr bool kWide = sizeof(Out) == 8, kDoubles = sizeof(In) == 8;
  using TileType = Tile<In, Out, kWide ? 2 : 1, kDoubles ? 8 : 4, kDoubles ? 8 : 16>;
  static constexpr int kBlocks = 2, kMostUngrouped = 32, kGroup = 8, kLeftAtOnce = 2, kAboveAtOnce = 4;
  static constexpr bool kDiagonal = false;
};
// Nearly all tiles are there at once.
template <typename In, typename Out>
struct Medium {
  static constexpr bool kBytes = sizeof(In) == 1, kWide = sizeof(Out) == 8;
  using TileType = Tile<In, Out, !kBytes ? 2 : kWide ? 4 : 1, 8, kBytes && !kWide ? 16 : 8>;
  static constexpr int kBlocks = 2, kMostUngrouped = 32, kGroup = 8, kLeftAtOnce = kBytes ? 4 : 2;
  static constexpr int kAboveAtOnce = 4;
  static constexpr bool kDiagonal = false;
};
// Bytes take few registers: up to kResidentUpTo all tiles are there at once.
template <typename Out>
struct Resident {
  using TileType = Tile<uint8_t, Out, 2, 16, 16>;
  static constexpr int kBlocks = 2, kMostUngrouped = 16, kGroup = 8, kLeftAtOnce = 2, kAboveAtOnce = 2;
  static constexpr bool kDiagonal = true;
};
// As many rows as registers hold.
template <typename In, typename Out>
struct Large {
  static constexpr bool kBytes = sizeof(In) == 1, kWide = sizeof(Out) == 8;
  using TileType = Tile<In, Out, kBytes && kWide ? 4 : 2, kBytes ? 16 : kWide ? 8 : 10, 8>;
  static constexpr int kBlocks = 2, kMostUngrouped = 0, kGroup = 4, kLeftAtOnce = kBytes ? 2 : 1;
  static constexpr int kAboveAtOnce = 3;
  static constexpr bool kDiagonal = true;
};
constexpr int64_t kMediumFrom = 3'000'000, kLargeFrom = 8'000'000;  // pixels of all pictures
constexpr int64_t kResidentUpTo = 17'000'000;  // above it 32-bit integers still gain by them

struct Launch {
  Plan plan;
  unsigned char* scratch;
  bool whole_in, whole_out;
};

// Every block draws one tile, so that a tile waits only for tiles that running blocks have.
template <typename In, typename Out, typename Choice>
__global__ void __launch_bounds__(Choice::TileType::kThreads, Choice::kBlocks)
    single_pass(const __grid_constant__ Launch launch, const __grid_constant__ Source<In> in,
                const __grid_constant__ Target<Out> out) {
  using T = typename Choice::TileType;
  using Elements = std::conditional_t<T::kSummed, SummedElements<T, In, Out>, PackedElements<T, In, Out>>;
  using TileExchange = Exchange<Choice>;
  __shared__ typename TileExchange::Shared shared;
  __shared__ Ticket ticket;
  if (threadIdx.x == 0) ticket = draw_ticket(launch.scratch);
  __syncthreads();
  let_next_come();  // the next launch of this scratch may draw tickets
  const TilePlace tile = Choice::kDiagonal ? by_diagonals(launch.plan, static_cast<int>(ticket.number))
                                           : by_rows(launch.plan, static_cast<int>(ticket.number));
  bring_near<T>(in, launch.whole_in, tile.image, tile.x * T::kColumns, tile.y * T::kRows);
  wait_for_previous();

  const int warp = static_cast<int>(threadIdx.x) / 32;
  const WarpPlace at{tile.image, tile.x * T::kColumns, tile.y * T::kRows + warp * T::kWarpRows,
                     static_cast<int>(threadIdx.x) % 32};
  TileExchange exchange(launch.plan, launch.scratch, shared, tile, ticket.launch);
  Elements elements;
  elements.load(in, launch.whole_in, at);
  {
    typename Elements::Columns columns;
    const auto rows = elements.sum(columns, at.lane);
    exchange.publish(rows.own, rows.total, columns);
  }
  exchange.collect();
  typename T::Global above[T::kGroups][T::kVector];
  exchange.gather_above(above);
  elements.write(
      above, exchange.corner(), [&](int r) { return exchange.beside(r); }, out, launch.whole_out, at);
}

template <typename Choice>
Plan plan_for(const IntegralRequest& request) {
  const IntegralPlane& out = request.out.first;
  return plan_tiles<typename Choice::TileType>(out.width, out.height, request.count, Choice::kMostUngrouped,
                                               Choice::kGroup, kTicketBytes);
}

template <typename In, typename Out, typename Choice>
cudaError_t run(cudaStream_t stream, const IntegralRequest& request, void* scratch) {
  using T = typename Choice::TileType;
  const Source<In> in = source_of<In>(request);
  const Launch launch{plan_for<Choice>(request), static_cast<unsigned char*>(scratch),
                      in.shift == 0 && aligned(request.in, request.count, sizeof(typename T::InPack)),
                      aligned(request.out, request.count, 16)};
  return launch_beside_previous(single_pass<In, Out, Choice>,
                                dim3(static_cast<unsigned>(launch.plan.tiles())), T::kThreads, stream, launch,
                                in, target_of<Out>(request));
}

// Calls f.template operator()<Choice>().
template <typename In, typename Out, typename F>
auto with_choice(const IntegralRequest& request, const F& f) {
  const IntegralPlane& out = request.out.first;
  const int64_t pixels = int64_t{out.width} * out.height * request.count;
  if (pixels >= kLargeFrom) {
    if constexpr (sizeof(In) == 1 && std::is_same_v<Out, uint32_t>) {
      return f.template operator()<Resident<Out>>();
    } else {
      if constexpr (sizeof(In) == 1 && std::is_same_v<Out, float>)
        if (pixels <= kResidentUpTo) return f.template operator()<Resident<Out>>();
      return f.template operator()<Large<In, Out>>();
    }
  }
  if (pixels >= kMediumFrom) return f.template operator()<Medium<In, Out>>();
  return f.template operator()<Small<In, Out>>();
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
