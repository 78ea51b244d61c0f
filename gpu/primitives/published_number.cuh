// Numbers that blocks hand to each other inside a launch. Each travels with the number of its launch in one
// 64-bit word, written and read whole: who reads the launch's number has the value, without fences, and what
// an earlier launch left is recognised, so nothing needs clearing. Values of 8 bytes travel as two words.
#pragma once

#include <cstdint>
#include <cstring>

namespace vantage::gpu {

template <typename T>
class PublishedNumbers {
 public:
  static_assert(sizeof(T) == 4 || sizeof(T) == 8);
  static constexpr size_t kBytesEach = 2 * sizeof(T);

  __device__ PublishedNumbers(unsigned long long* words, uint32_t launch) : words_(words), launch_(launch) {}

  __device__ void publish(size_t index, T value) const {
    if constexpr (sizeof(T) == 4) {
      asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(words_ + index), "l"(word(bits(value))));
    } else {
      const unsigned long long b = bits(value);
      asm volatile("st.relaxed.gpu.global.v2.u64 [%0], {%1, %2};" ::"l"(words_ + 2 * index),
                   "l"(word(static_cast<uint32_t>(b))), "l"(word(static_cast<uint32_t>(b >> 32))));
    }
  }

  // False while the number has not been published in this launch.
  __device__ bool read(size_t index, T& value) const {
    if constexpr (sizeof(T) == 4) {
      unsigned long long a;
      asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(a) : "l"(words_ + index));
      value = number(a & 0xffffffffu);
      return static_cast<uint32_t>(a >> 32) == launch_;
    } else {
      unsigned long long a, b;
      asm volatile("ld.relaxed.gpu.global.v2.u64 {%0, %1}, [%2];"
                   : "=l"(a), "=l"(b)
                   : "l"(words_ + 2 * index));
      value = number((b << 32) | (a & 0xffffffffu));
      return static_cast<uint32_t>(a >> 32) == launch_ && static_cast<uint32_t>(b >> 32) == launch_;
    }
  }

 private:
  __device__ unsigned long long word(uint32_t half) const {
    return static_cast<unsigned long long>(launch_) << 32 | half;
  }
  __device__ static unsigned long long bits(T value) {
    unsigned long long b = 0;
    memcpy(&b, &value, sizeof(T));
    return b;
  }
  __device__ static T number(unsigned long long b) {
    T value;
    memcpy(&value, &b, sizeof(T));
    return value;
  }
  unsigned long long* words_;
  uint32_t launch_;
};

// Sum of the `count` <= kMost numbers first, first + stride, ..., in this order. ask() asks for the first
// kAtOnce, so that several sums can be under way together; wait() asks again, together, for what was not
// there yet, and then for the others, kAtOnce at a time.
template <typename T, typename Sum, int kMost, int kAtOnce = kMost>
class AskedSum {
 public:
  __device__ AskedSum(const PublishedNumbers<T>& numbers, uint32_t first, uint32_t stride, int count)
      : numbers_(numbers), first_(first), stride_(stride), count_(count) {
    begin();
  }
  __device__ void ask() {
#pragma unroll
    for (int u = 0; u < kAtOnce; ++u)
      if (!known_[u]) known_[u] = numbers_.read(first_ + static_cast<uint32_t>(u) * stride_, value_[u]);
  }
  __device__ Sum wait() {
    Sum total = 0;
    for (;;) {
      while (!all_known()) ask();
#pragma unroll
      for (int u = 0; u < kAtOnce; ++u) total += value_[u];
      if constexpr (kMost <= kAtOnce) return total;
      count_ -= kAtOnce;
      if (count_ <= 0) return total;
      first_ += kAtOnce * stride_;
      begin();
    }
  }

 private:
  __device__ void begin() {
#pragma unroll
    for (int u = 0; u < kAtOnce; ++u) known_[u] = u >= count_, value_[u] = 0;
  }
  __device__ bool all_known() const {
    bool all = true;
#pragma unroll
    for (int u = 0; u < kAtOnce; ++u) all = all && known_[u];
    return all;
  }

  const PublishedNumbers<T>& numbers_;
  uint32_t first_;
  const uint32_t stride_;
  int count_;
  T value_[kAtOnce];
  bool known_[kAtOnce];
};

}  // namespace vantage::gpu
