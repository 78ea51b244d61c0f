// Numbers that thread blocks publish to each other inside a launch. Each travels with the number of its
// launch in one 64-bit word, written and read whole: a reader that finds the launch's number has the value,
// without fences, and what an earlier launch left is recognised, so nothing needs clearing. Values of 8 bytes
// travel as two words.
#pragma once

#include <cstdint>
#include <cstring>

namespace vantage::gpu {

// One word of published numbers, or two side by side, polled until they are there. poll() has no branch, so
// that many reads are in flight together.
template <int kWords>
class PolledWords {
 public:
  // A word that is not needed is ready from the beginning, and zero.
  __device__ void begin(bool needed, uint32_t launch) {
#pragma unroll
    for (int i = 0; i < kWords; ++i) words_[i] = needed ? 0 : static_cast<unsigned long long>(launch) << 32;
  }
  __device__ bool ready(uint32_t launch) const {
    bool all = true;
#pragma unroll
    for (int i = 0; i < kWords; ++i) all = static_cast<uint32_t>(words_[i] >> 32) == launch && all;
    return all;
  }
  __device__ void poll(const unsigned long long* first, uint32_t launch) {
    const auto done = static_cast<uint32_t>(ready(launch));
    if constexpr (kWords == 2)
      asm volatile(
          "{\n .reg .pred p;\n setp.eq.u32 p, %3, 0;\n @p ld.relaxed.gpu.global.v2.u64 {%0, %1}, [%2];\n}"
          : "+l"(words_[0]), "+l"(words_[1])
          : "l"(first), "r"(done));
    else
      asm volatile("{\n .reg .pred p;\n setp.eq.u32 p, %2, 0;\n @p ld.relaxed.gpu.global.u64 %0, [%1];\n}"
                   : "+l"(words_[0])
                   : "l"(first), "r"(done));
  }
  // The i-th of 4 bytes; the only one of 8.
  template <typename T>
  __device__ T number(int i) const {
    T value;
    if constexpr (sizeof(T) == 4) {
      const auto bits = static_cast<uint32_t>(words_[i]);
      memcpy(&value, &bits, sizeof(T));
    } else {
      const unsigned long long bits = words_[1] << 32 | (words_[0] & 0xffffffffu);
      memcpy(&value, &bits, sizeof(T));
    }
    return value;
  }

 private:
  unsigned long long words_[kWords];
};

// Keeps the compiler from holding what is computed from the number: an address takes two registers, the index
// that it is computed from again takes one.
__device__ inline void opaque_to_optimizer(uint32_t& number) {
  asm volatile("" : "+r"(number));
}

template <typename T>
class PolledNumber {
 public:
  __device__ PolledNumber(const unsigned long long* words, uint32_t index, bool needed, uint32_t launch)
      : from_(words), index_(index), launch_(launch) {
    words_.begin(needed, launch);
  }
  __device__ void poll() {
    opaque_to_optimizer(index_);
    words_.poll(from_ + static_cast<size_t>(index_) * (sizeof(T) / 4), launch_);
  }
  __device__ bool ready() const { return words_.ready(launch_); }
  __device__ T value() const { return words_.template number<T>(0); }  // once it is ready
  __device__ T wait() {
    while (!ready()) poll();
    return value();
  }

 private:
  const unsigned long long* from_;
  uint32_t index_;
  const uint32_t launch_;
  PolledWords<sizeof(T) / 4> words_;
};

// Stands for a number that no one publishes.
template <typename T>
struct NoNumber {
  __device__ void poll() const {}
  __device__ bool ready() const { return true; }
  __device__ T value() const { return 0; }
};

template <typename T>
class PublishedNumbers {
 public:
  static_assert(sizeof(T) == 4 || sizeof(T) == 8);
  static constexpr size_t kBytesEach = 2 * sizeof(T);

  __device__ PublishedNumbers(unsigned long long* words, uint32_t launch) : words_(words), launch_(launch) {}

  __device__ uint32_t launch() const { return launch_; }
  __device__ unsigned long long* words(size_t index) const { return words_ + index * (sizeof(T) / 4); }
  __device__ PolledNumber<T> polled(uint32_t index, bool needed) const {
    return {words_, index, needed, launch_};
  }

  __device__ void publish(size_t index, T value) const {
    if constexpr (sizeof(T) == 4) {
      uint32_t bits;
      memcpy(&bits, &value, sizeof(T));
      asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(words(index)), "l"(word(bits)));
    } else {
      unsigned long long bits;
      memcpy(&bits, &value, sizeof(T));
      asm volatile("st.relaxed.gpu.global.v2.u64 [%0], {%1, %2};" ::"l"(words(index)),
                   "l"(word(static_cast<uint32_t>(bits))), "l"(word(static_cast<uint32_t>(bits >> 32))));
    }
  }

 private:
  __device__ unsigned long long word(uint32_t half) const {
    return static_cast<unsigned long long>(launch_) << 32 | half;
  }
  unsigned long long* words_;
  uint32_t launch_;
};

}  // namespace vantage::gpu
