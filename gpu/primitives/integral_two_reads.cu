// The integral image that reads its input twice; see integral_image.cuh.
#include <type_traits>

#include "gpu/primitives/integral_image.cuh"
#include "gpu/primitives/integral_source.cuh"
#include "gpu/primitives/warp_scan.cuh"

namespace vantage::gpu::integral {
namespace {

constexpr unsigned kAllLanes = 0xffffffffu;
constexpr int kGroups = 4;        // groups of columns of a warp: 16 bytes of output a thread in each
constexpr int kPrefixParts = 32;  // threads that share the tiles of a column

template <typename In, typename Out>
struct Shape {
  // Sums over a column of bytes, or over a tile's rows and everything left of them, fit 32 bits.
  using Local = std::conditional_t<std::is_same_v<In, uint8_t>, uint32_t, Out>;
  // Whole sums; u8 -> f32 is exact until it is rounded at the end.
  using Global = std::conditional_t<std::is_same_v<In, uint8_t> && std::is_same_v<Out, float>, Wide, Out>;
  static constexpr int kVector = 16 / static_cast<int>(sizeof(Out));
  static constexpr int kGroupColumns = 32 * kVector;
  static constexpr int kColumns = kGroups * kGroupColumns;
  static constexpr int kWarpRows = sizeof(In) == 1 ? 8 : 4;  // what fits the registers
  static constexpr int kWarps = 32 / kWarpRows;
  static constexpr int kRows = kWarps * kWarpRows;
  static constexpr int kThreads = kWarps * 32;
  static constexpr int kPartials = kColumns / 32;  // sums of 32 columns of a tile
  static_assert(kRows == 32, "one warp holds a sum a row");

  static constexpr bool kBytes = sizeof(In) == 1;
  struct alignas(sizeof(In) * kVector) InPack {
    In v[kVector];
  };
  struct alignas(16) OutPack {
    Out v[kVector];
  };
  // A thread's sums side by side, moved at once.
  struct alignas(sizeof(Local) * kVector) Side {
    Local v[kVector];
  };
};

// Where the sums lie in the scratch. Padded to whole tiles.
template <typename In, typename Out>
struct Sums {
  using S = Shape<In, Out>;
  typename S::Local* rows;       // [image][tile_x][row]: sum of the row inside the tile
  typename S::Local* columns;    // [image][tile_y][column]: of the tile's rows; then of all tiles above
  typename S::Global* partials;  // [image][tile_y][column / 32]: of the latter
  int tiles_x, tiles_y;

  __host__ __device__ size_t row_at(int image, int tile_x, int row) const {
    return (static_cast<size_t>(image) * static_cast<size_t>(tiles_x) + static_cast<size_t>(tile_x)) *
               static_cast<size_t>(tiles_y * S::kRows) +
           static_cast<size_t>(row);
  }
  __host__ __device__ size_t column_at(int image, int tile_y, int column) const {
    return (static_cast<size_t>(image) * static_cast<size_t>(tiles_y) + static_cast<size_t>(tile_y)) *
               static_cast<size_t>(tiles_x * S::kColumns) +
           static_cast<size_t>(column);
  }
};

// This thread's elements of its warp's rows. Bytes stay in the words they came in until they are added up: to
// take them apart at once would make every load wait for the one before.
template <typename In, typename Out>
struct Elements {
  using S = Shape<In, Out>;
  using Local = typename S::Local;
  using Word = std::conditional_t<S::kVector == 4, uint32_t, uint16_t>;
  std::conditional_t<S::kBytes, uint32_t, typename S::InPack> v[S::kWarpRows][kGroups];

  __device__ void load(const Source<In>& in, bool whole_packs, int image, int x0, int y0, int lane) {
    if (whole_packs && x0 + S::kColumns <= in.width && y0 + S::kWarpRows <= in.height)
      load_inside(in, image, x0 + lane * S::kVector, y0);
    else
      load_anywhere(in, image, x0 + lane * S::kVector, y0);
  }
  __device__ Local at(int row, int group, int k) const {
    if constexpr (S::kBytes)
      return v[row][group] >> (8 * k) & 255u;
    else
      return v[row][group].v[k];
  }
  __device__ Local sum_of_row(int row) const {
    Local sum = 0;
#pragma unroll
    for (int g = 0; g < kGroups; ++g) {
      if constexpr (S::kBytes) {
        sum = __dp4a(v[row][g], 0x01010101u, sum);
      } else {
#pragma unroll
        for (int k = 0; k < S::kVector; ++k) sum += at(row, g, k);
      }
    }
    return sum;
  }
  // Sums down the warp's rows.
  __device__ typename S::Side sum_of_rows(int group) const {
    typename S::Side sum;
    if constexpr (S::kBytes) {
      static_assert(255 * S::kWarpRows < 65536);  // two sums a word
      uint32_t even = 0, odd = 0;
#pragma unroll
      for (int r = 0; r < S::kWarpRows; ++r) {
        even += v[r][group] & 0x00ff00ffu;
        odd += v[r][group] >> 8 & 0x00ff00ffu;
      }
#pragma unroll
      for (int k = 0; k < S::kVector; ++k) sum.v[k] = (k % 2 ? odd : even) >> (8 * (k - k % 2)) & 0xffffu;
    } else {
#pragma unroll
      for (int k = 0; k < S::kVector; ++k) {
        sum.v[k] = 0;
#pragma unroll
        for (int r = 0; r < S::kWarpRows; ++r) sum.v[k] += at(r, group, k);
      }
    }
    return sum;
  }

 private:
  __device__ void load_inside(const Source<In>& in, int image, int x, int y0) {
#pragma unroll
    for (int r = 0; r < S::kWarpRows; ++r) {
      const In* row = in.row(image, y0 + r) + x;
#pragma unroll
      for (int g = 0; g < kGroups; ++g) {
        if constexpr (S::kBytes)
          v[r][g] = *reinterpret_cast<const Word*>(row + g * S::kGroupColumns);
        else
          v[r][g] = *reinterpret_cast<const typename S::InPack*>(row + g * S::kGroupColumns);
      }
    }
  }
  __device__ void load_anywhere(const Source<In>& in, int image, int x, int y0) {
#pragma unroll
    for (int r = 0; r < S::kWarpRows; ++r) {
      const In* row = in.row_under(image, y0 + r);
#pragma unroll
      for (int g = 0; g < kGroups; ++g) {
        if constexpr (S::kBytes) v[r][g] = 0;
#pragma unroll
        for (int k = 0; k < S::kVector; ++k) {
          const In element = in.element(row, x + g * S::kGroupColumns + k);
          if constexpr (S::kBytes)
            v[r][g] |= static_cast<uint32_t>(element) << (8 * k);
          else
            v[r][g].v[k] = element;
        }
      }
    }
  }
};

struct Place {
  int tile_x, tile_y, image, warp, lane;
};
__device__ Place place_of_block() {
  return {static_cast<int>(blockIdx.x), static_cast<int>(blockIdx.y), static_cast<int>(blockIdx.z),
          static_cast<int>(threadIdx.x) / 32, static_cast<int>(threadIdx.x) % 32};
}

template <typename T>
__device__ T warp_sum(T value) {
#if __CUDA_ARCH__ >= 800
  constexpr bool kReduced = std::is_same_v<T, uint32_t>;
#else
  constexpr bool kReduced = false;
#endif
  if constexpr (kReduced) {
    value = __reduce_add_sync(kAllLanes, value);
  } else {
#pragma unroll
    for (int distance = 16; distance > 0; distance /= 2) value += __shfl_xor_sync(kAllLanes, value, distance);
  }
  return value;
}

// Each warp's sums of its rows, for the other warps.
template <typename S>
struct Below {
  alignas(16) typename S::Local sums[S::kWarps][S::kColumns];

  template <typename E>
  __device__ void put(const E& elements, const Place& p) {
#pragma unroll
    for (int g = 0; g < kGroups; ++g)
      *reinterpret_cast<typename S::Side*>(&sums[p.warp][g * S::kGroupColumns + p.lane * S::kVector]) =
          elements.sum_of_rows(g);
  }
  __device__ typename S::Side at(int warp, int column) const {
    return *reinterpret_cast<const typename S::Side*>(&sums[warp][column]);
  }
};

// First launch: the sums of each tile's rows and columns.
template <typename In, typename Out>
__global__ void __launch_bounds__((Shape<In, Out>::kThreads))
    sum_tiles(const __grid_constant__ Source<In> in, bool whole_packs,
              const __grid_constant__ Sums<In, Out> sums) {
  using S = Shape<In, Out>;
  using Local = typename S::Local;
  __shared__ Below<S> below;
  const Place p = place_of_block();
  Elements<In, Out> elements;
  elements.load(in, whole_packs, p.image, p.tile_x * S::kColumns, p.tile_y * S::kRows + p.warp * S::kWarpRows,
                p.lane);
  Local own = 0;
#pragma unroll
  for (int r = 0; r < S::kWarpRows; ++r) {
    const Local sum = warp_sum(elements.sum_of_row(r));
    if (p.lane == r) own = sum;
  }
  if (p.lane < S::kWarpRows)
    sums.rows[sums.row_at(p.image, p.tile_x, p.tile_y * S::kRows + p.warp * S::kWarpRows + p.lane)] = own;
  below.put(elements, p);
  __syncthreads();
  for (int x = static_cast<int>(threadIdx.x); x < S::kColumns; x += S::kThreads) {
    Local sum = 0;
#pragma unroll
    for (int w = 0; w < S::kWarps; ++w) sum += below.sums[w][x];
    sums.columns[sums.column_at(p.image, p.tile_y, p.tile_x * S::kColumns + x)] = sum;
  }
}

// Second launch: from the columns' sums of each tile to those of all tiles above it. A block takes 32
// columns, a warp a run of tiles, a thread up to kAtOnce of them at a time.
template <typename In, typename Out>
__global__ void __launch_bounds__(32 * kPrefixParts) add_above(const __grid_constant__ Sums<In, Out> sums) {
  using S = Shape<In, Out>;
  using Local = typename S::Local;
  constexpr int kAtOnce = 8;
  __shared__ Local parts[kPrefixParts][33];
  const Place p = place_of_block();
  const int column = static_cast<int>(blockIdx.x) * 32 + p.lane, image = static_cast<int>(blockIdx.y);
  const int each = (sums.tiles_y + kPrefixParts - 1) / kPrefixParts;
  const int begin = min(sums.tiles_y, p.warp * each), end = min(sums.tiles_y, begin + each);
  Local sum = 0;
  for (int t = begin; t < end; ++t) sum += sums.columns[sums.column_at(image, t, column)];
  parts[p.warp][p.lane] = sum;
  __syncthreads();
  Local above = 0;
  for (int w = 0; w < p.warp; ++w) above += parts[w][p.lane];
  for (int first = begin; first < end; first += kAtOnce) {
    Local own[kAtOnce];
#pragma unroll
    for (int k = 0; k < kAtOnce; ++k)
      own[k] = first + k < end ? sums.columns[sums.column_at(image, first + k, column)] : Local(0);
#pragma unroll
    for (int k = 0; k < kAtOnce; ++k) {
      if (first + k >= end) break;
      sums.columns[sums.column_at(image, first + k, column)] = above;
      const auto total = warp_sum(static_cast<typename S::Global>(above));
      if (p.lane == 0) sums.partials[sums.column_at(image, first + k, column) / 32] = total;
      above += own[k];
    }
  }
}

// Sum of each of a tile's rows and the ones above it in the tile, over everything left of the tile; one warp,
// a lane a row.
template <typename In, typename Out>
__device__ typename Shape<In, Out>::Local left_of_tile(const Sums<In, Out>& sums, const Place& p) {
  using S = Shape<In, Out>;
  typename S::Local sum = 0;
  const size_t first = sums.row_at(p.image, 0, p.tile_y * S::kRows + p.lane);
  const auto stride = static_cast<size_t>(sums.tiles_y * S::kRows);
#pragma unroll 4
  for (int t = 0; t < p.tile_x; ++t) sum += sums.rows[first + static_cast<size_t>(t) * stride];
  return KoggeStone::scan(sum, p.lane);
}

// From sums of single columns to sums of all columns up to each, starting at `start`; a warp, over its
// groups.
template <typename Shape_, typename T>
__device__ void scan_columns(T (&values)[kGroups][Shape_::kVector], T start, int lane) {
#pragma unroll
  for (int g = 0; g < kGroups; ++g) {
#pragma unroll
    for (int k = 1; k < Shape_::kVector; ++k) values[g][k] += values[g][k - 1];
    const T own = values[g][Shape_::kVector - 1], sums = KoggeStone::scan(own, lane);
    T before;
    if constexpr (std::is_integral_v<T>) {
      before = sums - own + start;
    } else {
      before = __shfl_up_sync(kAllLanes, sums, 1);
      before = lane == 0 ? start : before + start;
    }
#pragma unroll
    for (int k = 0; k < Shape_::kVector; ++k) values[g][k] += before;
    start += __shfl_sync(kAllLanes, sums, 31);
  }
}

// Third launch: the input again, and everything above and to the left of it.
template <typename In, typename Out>
__global__ void __launch_bounds__((Shape<In, Out>::kThreads))
    write_sums(const __grid_constant__ Source<In> in, const __grid_constant__ Target<Out> out, bool whole_in,
               bool whole_out, const __grid_constant__ Sums<In, Out> sums) {
  using S = Shape<In, Out>;
  using Local = typename S::Local;
  using Global = typename S::Global;
  __shared__ Below<S> below;
  __shared__ Local left[S::kRows];
  const Place p = place_of_block();
  const int x0 = p.tile_x * S::kColumns, y0 = p.tile_y * S::kRows + p.warp * S::kWarpRows;
  Elements<In, Out> elements;
  elements.load(in, whole_in, p.image, x0, y0, p.lane);
  if (p.warp == 0) left[p.lane] = left_of_tile<In, Out>(sums, p);
  Global corner = 0;
  const size_t partials = sums.column_at(p.image, p.tile_y, 0) / 32;
  for (int i = p.lane; i < p.tile_x * S::kPartials; i += 32)
    corner += sums.partials[partials + static_cast<size_t>(i)];
  corner = warp_sum(corner);
  below.put(elements, p);
  __syncthreads();
  // Per column everything above this warp's rows, then over all columns up to it.
  Global above[kGroups][S::kVector];
#pragma unroll
  for (int g = 0; g < kGroups; ++g) {
    const int x = g * S::kGroupColumns + p.lane * S::kVector;
    auto sum =
        *reinterpret_cast<const typename S::Side*>(sums.columns + sums.column_at(p.image, p.tile_y, x0 + x));
    for (int w = 0; w < p.warp; ++w) {
      const typename S::Side more = below.at(w, x);
#pragma unroll
      for (int k = 0; k < S::kVector; ++k) sum.v[k] += more.v[k];
    }
#pragma unroll
    for (int k = 0; k < S::kVector; ++k) above[g][k] = static_cast<Global>(sum.v[k]);
  }
  scan_columns<S>(above, corner, p.lane);
#pragma unroll
  for (int r = 0; r < S::kWarpRows; ++r) {
    Local row[kGroups][S::kVector];
#pragma unroll
    for (int g = 0; g < kGroups; ++g)
#pragma unroll
      for (int k = 0; k < S::kVector; ++k) row[g][k] = elements.at(r, g, k);
    scan_columns<S>(row, Local(0), p.lane);
    const Local beside = left[p.warp * S::kWarpRows + r];
#pragma unroll
    for (int g = 0; g < kGroups; ++g) {
      typename S::OutPack pack;
#pragma unroll
      for (int k = 0; k < S::kVector; ++k) {
        above[g][k] += static_cast<Global>(row[g][k]);
        pack.v[k] = static_cast<Out>(above[g][k] + static_cast<Global>(beside));
      }
      const int x = x0 + g * S::kGroupColumns + p.lane * S::kVector;
      if (y0 + r >= out.height) continue;
      Out* to = out.row(p.image, y0 + r) + x;
      if (whole_out && x + S::kVector <= out.width) {
        *reinterpret_cast<typename S::OutPack*>(to) = pack;
      } else {
#pragma unroll
        for (int k = 0; k < S::kVector; ++k)
          if (x + k < out.width) to[k] = pack.v[k];
      }
    }
  }
}

// The scratch laid out from `scratch` on; returns its end as well.
template <typename In, typename Out>
Sums<In, Out> lay_out(const IntegralRequest& request, unsigned char* scratch, size_t* size_bytes) {
  using S = Shape<In, Out>;
  const IntegralPlane& out = request.out.first;
  Sums<In, Out> sums{};
  sums.tiles_x = (out.width + S::kColumns - 1) / S::kColumns;
  sums.tiles_y = (out.height + S::kRows - 1) / S::kRows;
  size_t at = 0;
  const auto take = [&](size_t bytes) {
    unsigned char* here = scratch + at;
    at += rounded(bytes);
    return here;
  };
  sums.rows = reinterpret_cast<typename S::Local*>(
      take(sums.row_at(request.count, 0, 0) * sizeof(typename S::Local)));
  const size_t columns = sums.column_at(request.count, 0, 0);
  sums.columns = reinterpret_cast<typename S::Local*>(take(columns * sizeof(typename S::Local)));
  sums.partials = reinterpret_cast<typename S::Global*>(take(columns / 32 * sizeof(typename S::Global)));
  *size_bytes = at;
  return sums;
}

}  // namespace

size_t two_reads_scratch_bytes(const IntegralRequest& request) {
  return with_types(request, [&]<typename In, typename Out>() {
    size_t bytes = 0;
    lay_out<In, Out>(request, nullptr, &bytes);
    return bytes;
  });
}

cudaError_t run_two_reads(cudaStream_t stream, const IntegralRequest& request, void* scratch) {
  return with_types(request, [&]<typename In, typename Out>() {
    using S = Shape<In, Out>;
    size_t bytes = 0;
    const Sums<In, Out> sums = lay_out<In, Out>(request, static_cast<unsigned char*>(scratch), &bytes);
    const Source<In> in = source_of<In>(request);
    const bool whole_in = in.shift == 0 && aligned(request.in, request.count, sizeof(typename S::InPack));
    const bool whole_out = aligned(request.out, request.count, 16);
    const auto images = static_cast<unsigned>(request.count);
    const dim3 tiles(static_cast<unsigned>(sums.tiles_x), static_cast<unsigned>(sums.tiles_y), images);
    sum_tiles<In, Out><<<tiles, S::kThreads, 0, stream>>>(in, whole_in, sums);
    const dim3 strips(static_cast<unsigned>(sums.tiles_x * S::kPartials), images);
    add_above<In, Out><<<strips, 32 * kPrefixParts, 0, stream>>>(sums);
    write_sums<In, Out>
        <<<tiles, S::kThreads, 0, stream>>>(in, target_of<Out>(request), whole_in, whole_out, sums);
    return cudaGetLastError();
  });
}

}  // namespace vantage::gpu::integral
