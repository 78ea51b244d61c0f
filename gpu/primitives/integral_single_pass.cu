// The single-pass integral image; see integral_image.cuh.
#include "gpu/primitives/integral_image.cuh"
#include "gpu/primitives/integral_tile.cuh"
#include "gpu/primitives/published_number.cuh"
#include "gpu/primitives/warp_scan.cuh"

namespace vantage::gpu::integral {
namespace {

constexpr int kGroupRows = 8;            // tile rows of a group, in large pictures
constexpr int kMostDirectTileRows = 24;  // pictures of more tile rows work in groups
constexpr int kMostDirectTiles = 1024;
constexpr int kBlocksPerMultiprocessor = 2;

// Where the numbers of a batch lie in the scratch, and how its tiles are counted.
struct Plan {
  int tiles_x, tiles_y, groups, images;
  bool direct;
  size_t ticket_at, rows_at, columns_at, totals_at, groups_at, size_bytes;

  __host__ __device__ int tiles() const { return tiles_x * tiles_y * images; }
};

struct Launch {
  Plan plan;
  unsigned char* scratch;
  int piece_bytes;   // of the input's copies
  bool whole_packs;  // the output is aligned to 16 bytes
  bool single_wave;  // as many blocks as tiles: each takes one
};

struct Place {
  int image, tile_x, tile_y, index;
};

__device__ Place place_of(const Plan& plan, int tile) {
  const int per_image = plan.tiles_x * plan.tiles_y, image = tile / per_image, in_image = tile % per_image;
  return {image, in_image % plan.tiles_x, in_image / plan.tiles_x, tile};
}

template <typename In, typename Out, bool kDirect>
class TileWorker {
 public:
  using T = Tile<In, Out>;
  using Local = typename T::Local;
  using Global = typename T::Global;

  __device__ TileWorker(const Launch& launch, const Source<In>& in, const Target<Out>& out,
                        typename T::Shared& shared, uint32_t number)
      : launch_(launch),
        in_(in),
        out_(out),
        shared_(shared),
        rows_(words(launch.plan.rows_at), number),
        columns_(words(launch.plan.columns_at), number),
        totals_(words(launch.plan.totals_at), number),
        groups_(words(launch.plan.groups_at), number),
        lane_(static_cast<int>(threadIdx.x) % 32),
        warp_(static_cast<int>(threadIdx.x) / 32) {}

  __device__ void load(const Place& p) const {
    load_tile<In, Out>(in_, launch_.piece_bytes, p.image, p.tile_x * T::kColumns, p.tile_y * kTileRows,
                       shared_.input);
  }

  __device__ void take_input() {
#pragma unroll
    for (int r = 0; r < kWarpRows; ++r)
#pragma unroll
      for (int h = 0; h < kHalves; ++h) {
        const In* from = shared_.input + (warp_ * kWarpRows + r) * T::kColumns + in_tile(h);
        const auto pack = *reinterpret_cast<const typename T::InPack*>(from);
#pragma unroll
        for (int k = 0; k < T::kVector; ++k) v_[r][h][k] = static_cast<Local>(pack.v[k]);
      }
  }

  // From the tile's input to its output; every thread of the block.
  __device__ void work(const Place& p) {
    scan_rows(p);
    scan_columns();
    __syncthreads();
    const Local bottom = finish_columns(p);
    add_tiles_to_the_left(p);
    if constexpr (kDirect) {
      add_columns_directly(p);
      __syncthreads();
      if (warp_ == 0) scan_row_carries();
      __syncthreads();
    } else {
      __syncthreads();
      if (warp_ == 0) scan_row_carries();
      __syncthreads();
      const Local with_left = bottom + shared_.row_carry[kTileRows - 1];
      if (column() < T::kColumns) columns_.publish(column_slot(p.index), with_left);
      add_columns_in_groups(p);
      __syncthreads();
      publish_group(p, with_left);
    }
    store(p);
  }

 private:
  __device__ unsigned long long* words(size_t at) const {
    return reinterpret_cast<unsigned long long*>(launch_.scratch + at);
  }
  // A thread's numbers side by side, moved 16 bytes at a time.
  template <typename N>
  struct alignas(sizeof(N) * T::kVector < 16 ? sizeof(N) * T::kVector : 16) Side {
    N v[T::kVector];
  };
  // First of this thread's columns in a half of the tile.
  __device__ int in_tile(int half) const {
    return half * T::kHalfColumns + lane_ * T::kVector;
  }
  // As a thread of the column work, this thread's column.
  __device__ int column() const {
    return static_cast<int>(threadIdx.x);
  }
  __device__ size_t column_slot(int tile) const {
    return static_cast<size_t>(tile) * T::kColumns + static_cast<size_t>(column());
  }

  // Prefix along each row inside the tile; the rows' sums are published.
  __device__ void scan_rows(const Place& p) {
    Local own_row = 0;
#pragma unroll
    for (int r = 0; r < kWarpRows; ++r) {
      Local before = 0;
#pragma unroll
      for (int h = 0; h < kHalves; ++h) {
#pragma unroll
        for (int k = 1; k < T::kVector; ++k) v_[r][h][k] += v_[r][h][k - 1];
        const Local sums = KoggeStone::scan(v_[r][h][T::kVector - 1], lane_);
        Local left = __shfl_up_sync(0xffffffffu, sums, 1);
        left = lane_ == 0 ? before : left + before;
#pragma unroll
        for (int k = 0; k < T::kVector; ++k) v_[r][h][k] += left;
        before += __shfl_sync(0xffffffffu, sums, 31);
      }
      if (lane_ == r) own_row = before;
    }
    if (lane_ < kWarpRows)
      rows_.publish(static_cast<size_t>(p.index) * kTileRows + static_cast<size_t>(warp_ * kWarpRows + lane_),
                    own_row);
  }

  // Adds up the warp's rows; its last row goes to the other warps.
  __device__ void scan_columns() {
#pragma unroll
    for (int h = 0; h < kHalves; ++h) {
      Side<Local> last;
#pragma unroll
      for (int k = 0; k < T::kVector; ++k) {
#pragma unroll
        for (int r = 1; r < kWarpRows; ++r) v_[r][h][k] += v_[r - 1][h][k];
        last.v[k] = v_[kWarpRows - 1][h][k];
      }
      *reinterpret_cast<Side<Local>*>(&shared_.warp_columns[warp_][in_tile(h)]) = last;
    }
  }

  // Turns the warps' sums into sums of the warps above. Returns the integral of the tile alone at its last
  // row.
  __device__ Local finish_columns(const Place& p) {
    Local sum = 0;
    if (column() < T::kColumns) {
#pragma unroll
      for (int w = 0; w < kTileWarps; ++w) {
        const Local own = shared_.warp_columns[w][column()];
        shared_.warp_columns[w][column()] = sum;
        sum += own;
      }
      if constexpr (kDirect) {
        columns_.publish(column_slot(p.index), sum);
        if (column() == T::kColumns - 1) totals_.publish(static_cast<size_t>(p.index), sum);
      }
    }
    return sum;
  }

  __device__ void add_tiles_to_the_left(const Place& p) {
    const int row = static_cast<int>(threadIdx.x) % kTileRows,
              part = static_cast<int>(threadIdx.x) / kTileRows;
    const size_t first = static_cast<size_t>(p.index - p.tile_x) * kTileRows + static_cast<size_t>(row);
    shared_.row_parts[part][row] = rows_.template sum<Local>(first, kTileRows, part, p.tile_x, T::kRowParts);
  }

  // One warp: from the sums left of each row to those left of all rows down to it.
  __device__ void scan_row_carries() {
    Local pair[2] = {0, 0};
#pragma unroll
    for (int part = 0; part < T::kRowParts; ++part) {
      pair[0] += shared_.row_parts[part][2 * lane_];
      pair[1] += shared_.row_parts[part][2 * lane_ + 1];
    }
    pair[1] += pair[0];
    const Local sums = KoggeStone::scan(pair[1], lane_);
    Local above = __shfl_up_sync(0xffffffffu, sums, 1);
    if (lane_ == 0) above = 0;
    shared_.row_carry[2 * lane_] = above + pair[0];
    shared_.row_carry[2 * lane_ + 1] = above + pair[1];
  }

  // Small pictures: J above is the tiles' own columns above and the totals of all tiles to the upper left.
  __device__ void add_columns_directly(const Place& p) {
    const int part = column() / T::kColumns, x = column() % T::kColumns;
    const int above_all = p.image * launch_.plan.tiles_x * launch_.plan.tiles_y;
    const size_t first = static_cast<size_t>(above_all + p.tile_x) * T::kColumns + static_cast<size_t>(x);
    shared_.column_parts[part][x] = columns_.template sum<Global>(
        first, static_cast<size_t>(launch_.plan.tiles_x) * T::kColumns, part, p.tile_y, T::kColumnParts);
    Global corner = 0;
    if (p.tile_x > 0) {
      for (int i = static_cast<int>(threadIdx.x); i < p.tile_y * p.tile_x; i += kTileThreads) {
        const int tile = above_all + i / p.tile_x * launch_.plan.tiles_x + i % p.tile_x;
        corner += totals_.template sum<Global>(static_cast<size_t>(tile), 1, 0, 1, 1);
      }
    }
#pragma unroll
    for (int distance = 16; distance > 0; distance /= 2)
      corner += __shfl_down_sync(0xffffffffu, corner, distance);
    if (lane_ == 0) shared_.corner_parts[warp_] = corner;
  }

  // Large pictures: the tiles above in this group, and J at the end of the group before.
  __device__ void add_columns_in_groups(const Place& p) {
    const int part = column() / T::kColumns, x = column() % T::kColumns;
    const int group = p.tile_y / kGroupRows, begin = group * kGroupRows;
    const int above_all = p.image * launch_.plan.tiles_x * launch_.plan.tiles_y;
    const size_t first = static_cast<size_t>(above_all + p.tile_x) * T::kColumns + static_cast<size_t>(x);
    Global sum = columns_.template sum<Global>(first, static_cast<size_t>(launch_.plan.tiles_x) * T::kColumns,
                                               begin + part, p.tile_y, T::kColumnParts);
    if (part == 0 && group > 0) sum += groups_.template sum<Global>(group_slot(p, group - 1), 1, 0, 1, 1);
    shared_.column_parts[part][x] = sum;
  }

  __device__ size_t group_slot(const Place& p, int group) const {
    const size_t tile = (static_cast<size_t>(p.image) * launch_.plan.groups + static_cast<size_t>(group)) *
                            launch_.plan.tiles_x +
                        static_cast<size_t>(p.tile_x);
    return tile * T::kColumns + static_cast<size_t>(column() % T::kColumns);
  }

  __device__ void publish_group(const Place& p, Local with_left) const {
    if (column() >= T::kColumns || p.tile_y % kGroupRows != kGroupRows - 1) return;
    groups_.publish(group_slot(p, p.tile_y / kGroupRows), value_above(column()) + with_left);
  }

  __device__ Global value_above(int x) const {
    Global sum = shared_.column_parts[0][x];
#pragma unroll
    for (int part = 1; part < T::kColumnParts; ++part) sum += shared_.column_parts[part][x];
    return sum;
  }

  __device__ void store(const Place& p) const {
    Global corner = 0;
    if constexpr (kDirect) {
#pragma unroll
      for (int w = 0; w < kTileWarps; ++w) corner += shared_.corner_parts[w];
    }
    const int y0 = p.tile_y * kTileRows + warp_ * kWarpRows;
#pragma unroll
    for (int h = 0; h < kHalves; ++h) {
      Side<Global> above = *reinterpret_cast<const Side<Global>*>(&shared_.column_parts[0][in_tile(h)]);
#pragma unroll
      for (int part = 1; part < T::kColumnParts; ++part) {
        const auto more = *reinterpret_cast<const Side<Global>*>(&shared_.column_parts[part][in_tile(h)]);
#pragma unroll
        for (int k = 0; k < T::kVector; ++k) above.v[k] += more.v[k];
      }
      const auto inside = *reinterpret_cast<const Side<Local>*>(&shared_.warp_columns[warp_][in_tile(h)]);
#pragma unroll
      for (int r = 0; r < kWarpRows; ++r) {
        const Local left = shared_.row_carry[warp_ * kWarpRows + r];
        typename T::OutPack pack;
#pragma unroll
        for (int k = 0; k < T::kVector; ++k)
          pack.v[k] = static_cast<Out>(static_cast<Global>((v_[r][h][k] + inside.v[k]) + left) +
                                       (above.v[k] + corner));
        if (y0 + r < out_.height)
          store_pack<In, Out>(pack, out_.row(p.image, y0 + r), p.tile_x * T::kColumns + in_tile(h),
                              out_.width, launch_.whole_packs);
      }
    }
  }

  const Launch& launch_;
  const Source<In>& in_;
  const Target<Out>& out_;
  typename T::Shared& shared_;
  PublishedNumbers<Local> rows_, columns_, totals_;
  PublishedNumbers<Global> groups_;
  int lane_, warp_;
  Local v_[kWarpRows][kHalves][T::kVector];
};

// A launch takes one ticket a tile and, unless every block has exactly one tile, one more a block, which
// tells the block to end. So tickets number the launches as well.
__device__ long long take_ticket(const Launch& launch) {
  return static_cast<long long>(
      atomicAdd(reinterpret_cast<unsigned long long*>(launch.scratch + launch.plan.ticket_at), 1ull));
}

template <typename In, typename Out, bool kDirect>
__global__ void __launch_bounds__(kTileThreads, kBlocksPerMultiprocessor)
    single_pass(const __grid_constant__ Launch launch, const __grid_constant__ Source<In> in,
                const __grid_constant__ Target<Out> out) {
  extern __shared__ __align__(16) unsigned char memory[];
  auto& shared = *reinterpret_cast<typename Tile<In, Out>::Shared*>(memory);
  const int tiles = launch.plan.tiles();
  const long long per_launch = tiles + (launch.single_wave ? 0 : static_cast<long long>(gridDim.x));
  const bool first_thread = threadIdx.x == 0;
  if (first_thread) shared.ticket[0] = take_ticket(launch);
  __syncthreads();
  const long long first = shared.ticket[0];
  const long long launches_before = first / per_launch;
  TileWorker<In, Out, kDirect> worker(launch, in, out, shared, static_cast<uint32_t>(launches_before) + 1);
  int tile = static_cast<int>(first - launches_before * per_launch);
  if (tile >= tiles) return;
  worker.load(place_of(launch.plan, tile));
  // The tile after this one is known and on its way while this one is worked on.
  long long claimed = tiles;
  if (first_thread && !launch.single_wave) claimed = take_ticket(launch) - launches_before * per_launch;
  while (tile < tiles) {
    if (first_thread) shared.ticket[1] = claimed;
    wait_for_copies();
    __syncthreads();
    worker.take_input();
    const int next = static_cast<int>(shared.ticket[1]);
    __syncthreads();
    if (next < tiles) {
      worker.load(place_of(launch.plan, next));
      if (first_thread) claimed = take_ticket(launch) - launches_before * per_launch;
    }
    worker.work(place_of(launch.plan, tile));
    tile = next;
  }
}

template <typename In, typename Out>
Plan plan_for(const IntegralRequest& request) {
  using T = Tile<In, Out>;
  const IntegralPlane& out = request.out.first;
  Plan plan{};
  plan.tiles_x = (out.width + T::kColumns - 1) / T::kColumns;
  plan.tiles_y = (out.height + kTileRows - 1) / kTileRows;
  plan.groups = plan.tiles_y / kGroupRows;
  plan.images = request.count;
  plan.direct = plan.tiles_y <= kMostDirectTileRows && plan.tiles_x * plan.tiles_y <= kMostDirectTiles;
  const auto tiles = static_cast<size_t>(plan.tiles());
  const size_t local = PublishedNumbers<typename T::Local>::kBytesEach;
  const size_t global = PublishedNumbers<typename T::Global>::kBytesEach;
  plan.ticket_at = 0;
  plan.rows_at = 256;
  plan.columns_at = plan.rows_at + rounded(tiles * kTileRows * local);
  plan.totals_at = plan.columns_at + rounded(tiles * T::kColumns * local);
  plan.groups_at = plan.totals_at + rounded(tiles * local);
  plan.size_bytes =
      plan.groups_at + rounded(static_cast<size_t>(plan.groups) * static_cast<size_t>(plan.tiles_x) *
                               static_cast<size_t>(plan.images) * T::kColumns * global);
  return plan;
}

int piece_bytes(const IntegralRequest& request) {
  const int size = static_cast<int>(integral_type_size_bytes(request.in_type));
  if (request.kind == IntegralKind::exclusive) return size;
  if (aligned(request.in, request.count, 16)) return 16;
  return size == 1 && aligned(request.in, request.count, 4) ? 4 : size;
}

int multiprocessors() {
  int device = 0, count = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device);
  return count;
}

template <typename In, typename Out, bool kDirect>
cudaError_t launch_single_pass(cudaStream_t stream, const IntegralRequest& request, const Plan& plan,
                               void* scratch) {
  constexpr size_t kShared = sizeof(typename Tile<In, Out>::Shared);
  const auto kernel = single_pass<In, Out, kDirect>;
  if (const cudaError_t error = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                                     static_cast<int>(kShared));
      error != cudaSuccess)
    return error;
  const int most = kBlocksPerMultiprocessor * multiprocessors();
  const int blocks = plan.tiles() < most ? plan.tiles() : most;
  const Launch launch{plan, static_cast<unsigned char*>(scratch), piece_bytes(request),
                      aligned(request.out, request.count, 16), blocks == plan.tiles()};
  kernel<<<static_cast<unsigned>(blocks), kTileThreads, kShared, stream>>>(launch, source_of<In>(request),
                                                                           target_of<Out>(request));
  return cudaGetLastError();
}

}  // namespace

size_t single_pass_scratch_bytes(const IntegralRequest& request) {
  return with_types(request,
                    [&]<typename In, typename Out>() { return plan_for<In, Out>(request).size_bytes; });
}

size_t single_pass_shared_bytes(const IntegralRequest& request) {
  return with_types(request,
                    [&]<typename In, typename Out>() { return sizeof(typename Tile<In, Out>::Shared); });
}

cudaError_t run_single_pass(cudaStream_t stream, const IntegralRequest& request, void* scratch) {
  return with_types(request, [&]<typename In, typename Out>() {
    const Plan plan = plan_for<In, Out>(request);
    return plan.direct ? launch_single_pass<In, Out, true>(stream, request, plan, scratch)
                       : launch_single_pass<In, Out, false>(stream, request, plan, scratch);
  });
}

}  // namespace vantage::gpu::integral
