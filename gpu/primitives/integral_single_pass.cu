// The single-pass integral image; see integral_image.cuh.
#include "gpu/primitives/integral_image.cuh"
#include "gpu/primitives/integral_launch.cuh"
#include "gpu/primitives/integral_rows.cuh"
#include "gpu/primitives/published_number.cuh"

namespace vantage::gpu::integral {
namespace {

// Small pictures: narrow tiles and many threads, so that a tile is soon done. Large ones: more tiles at a
// time.
template <typename In, typename Out>
struct Small {
  using TileType =
      Tile<In, Out, sizeof(Out) == 8 ? 2 : 1, sizeof(Out) == 8 ? 8 : 4, sizeof(Out) == 8 ? 8 : 16>;
  static constexpr int kBlocks = 2;
};
template <typename In, typename Out>
struct Large {
  using TileType = Tile<In, Out, 2, 8, 8>;
  static constexpr int kBlocks = std::is_same_v<Out, float> && sizeof(In) == 1 ? 3 : 2;
};
// Four times as many rows: fewer tiles to wait for, up to 4096 x 4096 all of them there at once.
template <>
struct Large<uint8_t, uint32_t> {
  using TileType = Tile<uint8_t, uint32_t, 2, 16, 16>;
  static constexpr int kBlocks = 2;
};
constexpr int64_t kLargeFrom = 3'000'000;  // pixels
// Beyond so many rows of tiles they work in groups.
constexpr int kMostDirect = 32, kGroupRows = 8;

struct Plan {
  int tiles_x, tiles_y, images;
  int group_rows, groups;  // rows of tiles of a group, complete groups of a picture
  size_t rows_at, columns_at, totals_at, carries_at, corners_at, size_bytes;
  int tiles() const { return tiles_x * tiles_y * images; }
};

struct Launch {
  Plan plan;
  unsigned char* scratch;
  bool whole_in, whole_out;
};

template <typename In, typename Out, typename Choice>
class TileWorker {
 public:
  using T = typename Choice::TileType;
  using Local = typename T::Local;
  using Global = typename T::Global;
  static constexpr int kColumnParts = T::kThreads / T::kColumns;  // threads that share a column's look-back
  static constexpr int kRowParts = 32 / T::kWarpRows;             // and a row's
  static_assert(T::kThreads % T::kColumns == 0);
  struct Shared {
    alignas(16) Local below[T::kWarps][T::kColumns];  // each warp's sums of its rows; then of the warps above
    alignas(16) Local above[kColumnParts][T::kColumns];
    Local warp_totals[T::kWarps], warp_lefts[T::kWarps];
    Global corners[T::kWarps];
    long long ticket;
  };

  __device__ TileWorker(const Launch& launch, Shared& shared, int tile, uint32_t number)
      : plan_(launch.plan),
        shared_(shared),
        tile_(tile),
        first_(tile / (plan_.tiles_x * plan_.tiles_y) * (plan_.tiles_x * plan_.tiles_y)),
        tile_x_((tile - first_) % plan_.tiles_x),
        tile_y_((tile - first_) / plan_.tiles_x),
        thread_(static_cast<int>(threadIdx.x)),
        lane_(thread_ % 32),
        warp_(thread_ / 32),
        first_above_(tile_y_ / plan_.group_rows * plan_.group_rows),
        carried_((first_ / plan_.tiles_x / plan_.tiles_y * plan_.groups + tile_y_ / plan_.group_rows - 1) *
                     plan_.tiles_x +
                 tile_x_),
        rows_(words(launch, plan_.rows_at), number),
        columns_(words(launch, plan_.columns_at), number),
        totals_(words(launch, plan_.totals_at), number),
        carries_(words(launch, plan_.carries_at), number),
        corners_(words(launch, plan_.corners_at), number) {}

  __device__ void prepare(const Launch& launch, const Source<In>& in) const {
    bring_near<T>(in, launch.whole_in, image(), tile_x_ * T::kColumns, tile_y_ * T::kRows);
  }

  __device__ void work(const Launch& launch, const Source<In>& in, const Target<Out>& out) {
    const int x0 = tile_x_ * T::kColumns, y0 = tile_y_ * T::kRows + warp_ * T::kWarpRows;
    Elements<T, In, Out> elements;
    elements.load(in, launch.whole_in, image(), x0, y0, lane_);
    const Local own_column = publish_sums(elements);
    const Local left = sum_left();
    sum_above();
    sum_corner();
    __syncthreads();
    if (tile_y_ % plan_.group_rows == plan_.group_rows - 1) hand_on(own_column);
    // Lane r: of all rows of the tile down to the warp's r-th.
    const Local beside = left + warp_sum(lane_ < warp_ ? shared_.warp_lefts[lane_] : Local(0));
    const Global corner = warp_sum(lane_ < T::kWarps ? shared_.corners[lane_] : Global(0));
    Global above[T::kGroups][T::kVector];
    gather_above(above);
    scan_columns<T>(above, corner, lane_);
    write_rows(
        elements, above, [&](int r) { return __shfl_sync(kAllLanes, beside, r); }, out, launch.whole_out,
        image(), x0, y0, lane_);
  }

 private:
  __device__ int image() const { return first_ / (plan_.tiles_x * plan_.tiles_y); }
  __device__ static unsigned long long* words(const Launch& launch, size_t at) {
    return reinterpret_cast<unsigned long long*>(launch.scratch + at);
  }
  __device__ static size_t slot(int tile, int each, int i) {
    return static_cast<size_t>(tile) * static_cast<size_t>(each) + static_cast<size_t>(i);
  }
  __device__ int in_tile(int group) const { return group * T::kGroupColumns + lane_ * T::kVector; }

  // The sums of the tile's rows, of its columns and of all of it, for the others. Returns the column's of a
  // thread that has one.
  __device__ Local publish_sums(const Elements<T, In, Out>& elements) {
    Local own = 0, total = 0;
#pragma unroll
    for (int r = 0; r < T::kWarpRows; ++r) {
      const Local row = warp_sum(elements.sum_of_row(r));
      if (lane_ == r) own = row;
      total += row;
    }
    if (lane_ < T::kWarpRows) rows_.publish(slot(tile_, T::kRows, warp_ * T::kWarpRows + lane_), own);
    if (lane_ == 0) shared_.warp_totals[warp_] = total;
#pragma unroll
    for (int g = 0; g < T::kGroups; ++g)
      *reinterpret_cast<typename T::Side*>(&shared_.below[warp_][in_tile(g)]) = elements.sum_of_rows(g);
    __syncthreads();
    Local own_column = 0;
    if (thread_ < T::kColumns) {
#pragma unroll
      for (int w = 0; w < T::kWarps; ++w) {
        const Local more = shared_.below[w][thread_];
        shared_.below[w][thread_] = own_column;
        own_column += more;
      }
      columns_.publish(slot(tile_, T::kColumns, thread_), own_column);
    }
    if (warp_ == T::kWarps - 1) {
      const Local sum = warp_sum(lane_ < T::kWarps ? shared_.warp_totals[lane_] : Local(0));
      if (lane_ == 0) totals_.publish(static_cast<size_t>(tile_), sum);
    }
    return own_column;
  }

  // Everything left of the tile in the warp's rows down to row lane % T::kWarpRows.
  __device__ Local sum_left() {
    const int row = lane_ % T::kWarpRows, part = lane_ / T::kWarpRows;
    Local left = rows_.template sum<Local>(slot(tile_ - tile_x_, T::kRows, warp_ * T::kWarpRows + row),
                                           T::kRows, part, tile_x_, kRowParts);
#pragma unroll
    for (int distance = T::kWarpRows; distance < 32; distance *= 2)
      left += __shfl_xor_sync(kAllLanes, left, distance);
#pragma unroll
    for (int distance = 1; distance < T::kWarpRows; distance *= 2) {
      const Local more = __shfl_up_sync(kAllLanes, left, distance, T::kWarpRows);
      if (row >= distance) left += more;
    }
    if (lane_ == T::kWarpRows - 1) shared_.warp_lefts[warp_] = left;
    return left;
  }

  // Whether a group ends above this one.
  __device__ bool carries() const {
    return first_above_ > 0;
  }

  // Each column over the tiles above: those of this group, and what the group before has handed on.
  __device__ void sum_above() {
    const int part = thread_ / T::kColumns, x = thread_ % T::kColumns;
    Local sum = columns_.template sum<Local, 8>(slot(first_ + tile_x_, T::kColumns, x),
                                                slot(plan_.tiles_x, T::kColumns, 0), first_above_ + part,
                                                tile_y_, kColumnParts);
    if (part == 0 && carries())
      sum += carries_.template sum<Local>(slot(carried_, T::kColumns, x), 1, 0, 1, 1);
    shared_.above[part][x] = sum;
  }

  // All tiles above and to the left.
  __device__ void sum_corner() {
    Global corner = 0;
    const int tiles = (tile_y_ - first_above_) * tile_x_;
    for (int i = thread_; i < tiles; i += T::kThreads) {
      const int tile = first_ + (first_above_ + i / tile_x_) * plan_.tiles_x + i % tile_x_;
      corner += totals_.template sum<Global>(static_cast<size_t>(tile), 1, 0, 1, 1);
    }
    if (carries())
      for (int i = thread_; i < tile_x_; i += T::kThreads)
        corner += corners_.template sum<Global>(static_cast<size_t>(carried_ - tile_x_ + i), 1, 0, 1, 1);
    corner = warp_sum(corner);
    if (lane_ == 0) shared_.corners[warp_] = corner;
  }

  // By the last tiles of a group: the columns' sums down to here, and of all of them together.
  __device__ void hand_on(Local own_column) const {
    const int to = carried_ + plan_.tiles_x;
    if (thread_ < T::kColumns) {
      Local sum = shared_.above[0][thread_];
#pragma unroll
      for (int part = 1; part < kColumnParts; ++part) sum += shared_.above[part][thread_];
      carries_.publish(slot(to, T::kColumns, thread_), sum + own_column);
    }
    if (warp_ != T::kWarps - 1) return;
    Global sum = 0;
    for (int y = first_above_ + lane_; y <= tile_y_; y += 32)
      sum +=
          totals_.template sum<Global>(static_cast<size_t>(first_ + y * plan_.tiles_x + tile_x_), 1, 0, 1, 1);
    if (lane_ == 31 && carries())
      sum += corners_.template sum<Global>(static_cast<size_t>(carried_), 1, 0, 1, 1);
    sum = warp_sum(sum);
    if (lane_ == 0) corners_.publish(static_cast<size_t>(to), sum);
  }

  __device__ void gather_above(Global (&above)[T::kGroups][T::kVector]) const {
#pragma unroll
    for (int g = 0; g < T::kGroups; ++g) {
      auto sum = *reinterpret_cast<const typename T::Side*>(&shared_.below[warp_][in_tile(g)]);
#pragma unroll
      for (int part = 0; part < kColumnParts; ++part) {
        const auto more = *reinterpret_cast<const typename T::Side*>(&shared_.above[part][in_tile(g)]);
#pragma unroll
        for (int k = 0; k < T::kVector; ++k) sum.v[k] += more.v[k];
      }
#pragma unroll
      for (int k = 0; k < T::kVector; ++k) above[g][k] = static_cast<Global>(sum.v[k]);
    }
  }

  const Plan& plan_;
  Shared& shared_;
  const int tile_, first_, tile_x_, tile_y_;  // first_: of its picture
  const int thread_, lane_, warp_;
  const int first_above_;  // the first row of tiles of this group
  const int carried_;      // where the group before, if any, has handed on this column of tiles
  const PublishedNumbers<Local> rows_, columns_, totals_, carries_;
  const PublishedNumbers<Global> corners_;
};

// Every block draws one tile, so that a tile waits only for tiles that running blocks have.
template <typename In, typename Out, typename Choice>
__global__ void __launch_bounds__(Choice::TileType::kThreads, Choice::kBlocks)
    single_pass(const __grid_constant__ Launch launch, const __grid_constant__ Source<In> in,
                const __grid_constant__ Target<Out> out) {
  __shared__ typename TileWorker<In, Out, Choice>::Shared shared;
  if (threadIdx.x == 0) shared.ticket = take_ticket(launch.scratch);
  __syncthreads();
  let_next_come();  // the next launch of this scratch may take tickets
  const long long ticket = shared.ticket, launches_before = ticket / gridDim.x;
  TileWorker<In, Out, Choice> worker(launch, shared, static_cast<int>(ticket - launches_before * gridDim.x),
                                     static_cast<uint32_t>(launches_before) + 1);
  worker.prepare(launch, in);
  wait_for_previous();
  worker.work(launch, in, out);
}

template <typename T>
Plan plan_for(const IntegralRequest& request) {
  const IntegralPlane& out = request.out.first;
  Plan plan{};
  plan.tiles_x = (out.width + T::kColumns - 1) / T::kColumns;
  plan.tiles_y = (out.height + T::kRows - 1) / T::kRows;
  plan.images = request.count;
  plan.group_rows = plan.tiles_y <= kMostDirect ? kMostDirect + 1 : kGroupRows;
  plan.groups = plan.tiles_y / plan.group_rows;
  const auto tiles = static_cast<size_t>(plan.tiles());
  const size_t carries = static_cast<size_t>(plan.images * plan.groups) * static_cast<size_t>(plan.tiles_x);
  constexpr size_t kLocal = PublishedNumbers<typename T::Local>::kBytesEach;
  plan.rows_at = kTicketBytes;
  plan.columns_at = plan.rows_at + rounded(tiles * T::kRows * kLocal);
  plan.totals_at = plan.columns_at + rounded(tiles * T::kColumns * kLocal);
  plan.carries_at = plan.totals_at + rounded(tiles * kLocal);
  plan.corners_at = plan.carries_at + rounded(carries * T::kColumns * kLocal);
  plan.size_bytes = plan.corners_at + rounded(carries * PublishedNumbers<typename T::Global>::kBytesEach);
  return plan;
}

template <typename In, typename Out, typename Choice>
cudaError_t run(cudaStream_t stream, const IntegralRequest& request, void* scratch) {
  using T = typename Choice::TileType;
  const Source<In> in = source_of<In>(request);
  const Launch launch{plan_for<T>(request), static_cast<unsigned char*>(scratch),
                      in.shift == 0 && aligned(request.in, request.count, sizeof(typename T::InPack)),
                      aligned(request.out, request.count, 16)};
  return launch_beside_previous(single_pass<In, Out, Choice>,
                                dim3(static_cast<unsigned>(launch.plan.tiles())), T::kThreads, stream, launch,
                                in, target_of<Out>(request));
}

bool is_large(const IntegralRequest& request) {
  const IntegralPlane& out = request.out.first;
  return int64_t{out.width} * out.height * request.count >= kLargeFrom;
}

}  // namespace

size_t single_pass_scratch_bytes(const IntegralRequest& request) {
  return with_types(request, [&]<typename In, typename Out>() {
    return is_large(request) ? plan_for<typename Large<In, Out>::TileType>(request).size_bytes
                             : plan_for<typename Small<In, Out>::TileType>(request).size_bytes;
  });
}

cudaError_t run_single_pass(cudaStream_t stream, const IntegralRequest& request, void* scratch) {
  return with_types(request, [&]<typename In, typename Out>() {
    return is_large(request) ? run<In, Out, Large<In, Out>>(stream, request, scratch)
                             : run<In, Out, Small<In, Out>>(stream, request, scratch);
  });
}

}  // namespace vantage::gpu::integral
