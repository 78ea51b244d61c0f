// Lookback: a warp polls what the tiles to the left of its tile, or above it, have published.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gpu/primitives/integral_image/plan.cuh"

namespace vantage::gpu::integral {

// kSums: rows, or columns, that the warp adds up over all these tiles, of which there are kMaxTiles at most.
// A lane takes a pack of their sums (Tile::kPackSums, sixteen bytes) of every kParts-th tile, and polls
// kAtOnce packs together.
template <typename T, int kSums, int kMaxTiles, int kAtOnce>
class TileLookback {
 public:
  using Local = typename T::Local;

  // first: the first tile's sum of the warp's first row or column; stride: from a tile to the next, in sums.
  __device__ TileLookback(const PublishedNumbers<typename T::Published>& numbers, uint32_t first,
                          uint32_t stride, int tiles, int lane)
      : words_(numbers.words(0)),
        launch_(numbers.launch()),
        stride_(stride / T::kPackSums * kParts),
        at_(first / T::kPackSums + static_cast<uint32_t>(lane % kPacks) +
            static_cast<uint32_t>(lane / kPacks) * (stride / T::kPackSums)),
        count_(lane / kPacks < kParts ? tiles - lane / kPacks : 0) {
    begin();
  }
  __device__ void poll() {
    opaque_to_optimizer(at_);
#pragma unroll
    for (int u = 0; u < kAtOnce; ++u)
      packs_[u].poll(words_ + 2 * static_cast<size_t>(at_ + static_cast<uint32_t>(u) * stride_), launch_);
  }
  __device__ bool ready() const {
    bool all = true;
#pragma unroll
    for (int u = 0; u < kAtOnce; ++u) all = packs_[u].ready(launch_) && all;
    return all;
  }
  // Adds packs that are ready, then begins with the next ones.
  __device__ void add() {
#pragma unroll
    for (int u = 0; u < kAtOnce; ++u)
#pragma unroll
      for (int k = 0; k < T::kPackSums; ++k) sums_[k] += sum_of(packs_[u], k);
    at_ += kAtOnce * stride_;
    count_ -= kAtOnce * kParts;
    begin();
  }
  __device__ bool more() const { return kMaxTiles > kParts * kAtOnce && count_ > 0; }

  // A warp's sums of its lanes, in shared memory.
  using Parts = Local[32 * T::kPackSums];
  // Once there are no more.
  __device__ void put(Parts& parts, int lane) const {
#pragma unroll
    for (int k = 0; k < T::kPackSums; ++k) parts[lane * T::kPackSums + k] = sums_[k];
  }
  // Once all lanes have put theirs: the i-th sum over all tiles for lane i < kSums.
  __device__ static Local total(const Parts& parts, int lane) {
    Local sum = 0;
    if (lane < kSums)
#pragma unroll
      for (int part = 0; part < kParts; ++part) sum += parts[part * kSums + lane];
    return sum;
  }

 private:
  static constexpr int kPacks = kSums / T::kPackSums, kParts = 32 / kPacks;
  static_assert(kSums % T::kPackSums == 0 && kSums <= 32);

  __device__ void begin() {
#pragma unroll
    for (int u = 0; u < kAtOnce; ++u) packs_[u].begin(u * kParts < count_, launch_);
  }
  __device__ static Local sum_of(const PolledWords<2>& pack, int k) {
    if constexpr (T::kPaired)
      return pack.template number<uint32_t>(k / 2) >> (16 * (k % 2)) & 0xffffu;
    else
      return pack.template number<Local>(k);
  }

  const unsigned long long* words_;
  const uint32_t launch_, stride_;
  uint32_t at_;
  int count_;  // of tiles from this lane's next one on
  PolledWords<2> packs_[kAtOnce];
  Local sums_[T::kPackSums] = {};
};

// A scratch begins with a counter of tickets, which thread blocks draw for their work and which number the
// launches as well.

inline constexpr size_t kTicketBytes = 256;

struct Ticket {
  uint32_t number;  // from 0, in the order of drawing
  uint32_t launch;  // from 1
};

// Called by one thread of each of the launch's blocks, before its trigger_dependent_launch(); every launch
// draws as many.
__device__ inline Ticket draw_ticket(unsigned char* scratch) {
  const unsigned long long drawn = atomicAdd(reinterpret_cast<unsigned long long*>(scratch), 1ull);
  const unsigned long long before = drawn / gridDim.x;
  return {static_cast<uint32_t>(drawn - before * gridDim.x), static_cast<uint32_t>(before) + 1};
}

}  // namespace vantage::gpu::integral
