// The input and the output of an integral image as every kernel sees them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/primitives/integral_image.h"

namespace vantage::gpu::integral {

template <typename T>
struct Source {
  const unsigned char* first;
  size_t stride_bytes, distance_bytes;
  int width, height;

  __device__ const T* row(int image, int y) const {
    return reinterpret_cast<const T*>(first + static_cast<size_t>(image) * distance_bytes +
                                      static_cast<size_t>(y) * stride_bytes);
  }
  __device__ const T* next(const T* row) const {
    return reinterpret_cast<const T*>(reinterpret_cast<const unsigned char*>(row) + stride_bytes);
  }
  // Null outside.
  __device__ const T* row_or_null(int image, int y) const {
    return y >= 0 && y < height ? row(image, y) : nullptr;
  }
  // An element of such a row; 0 outside.
  __device__ T element(const T* row, int x) const {
    return row != nullptr && x >= 0 && x < width ? row[x] : T(0);
  }
};

template <typename T>
struct Target {
  unsigned char* first;
  size_t stride_bytes, distance_bytes;
  int width, height;

  __device__ T* row(int image, int y) const {
    return reinterpret_cast<T*>(first + static_cast<size_t>(image) * distance_bytes +
                                static_cast<size_t>(y) * stride_bytes);
  }
  __device__ T* next(T* row) const {
    return reinterpret_cast<T*>(reinterpret_cast<unsigned char*>(row) + stride_bytes);
  }
};

template <typename T>
Source<T> source_of(const IntegralRequest& request) {
  const IntegralPlane& plane = request.in.first;
  return {static_cast<const unsigned char*>(plane.data), plane.stride_bytes,
          request.count > 1 ? request.in.distance_bytes : 0, plane.width, plane.height};
}

template <typename T>
Target<T> target_of(const IntegralRequest& request) {
  const IntegralPlane& plane = request.out.first;
  return {static_cast<unsigned char*>(plane.data), plane.stride_bytes,
          request.count > 1 ? request.out.distance_bytes : 0, plane.width, plane.height};
}

inline bool is_empty(const IntegralRequest& request) {
  return request.count == 0 || request.out.first.width == 0 || request.out.first.height == 0;
}

// Parts of a scratch begin at multiples of 256 bytes.
inline size_t rounded(size_t bytes) {
  return (bytes + 255) / 256 * 256;
}

// True if every row of every picture begins at a multiple of `bytes`.
inline bool aligned(const IntegralBatch& batch, int count, size_t bytes) {
  return reinterpret_cast<uintptr_t>(batch.first.data) % bytes == 0 &&
         batch.first.stride_bytes % bytes == 0 && (count == 1 || batch.distance_bytes % bytes == 0);
}

// Integers are added as unsigned (wrapping round is then defined), so six pairs cover all eight.
using Wide = unsigned long long;

// Calls f.template operator()<In, Out>() for the request's types.
template <typename F>
auto with_types(const IntegralRequest& request, const F& f) {
  switch (request.in_type) {
    case IntegralType::s32:
    case IntegralType::u32:
      return f.template operator()<uint32_t, uint32_t>();
    case IntegralType::f32:
      return f.template operator()<float, float>();
    case IntegralType::f64:
      return f.template operator()<double, double>();
    default:
      break;
  }
  if (request.out_type == IntegralType::f32) return f.template operator()<uint8_t, float>();
  if (request.out_type == IntegralType::u64) return f.template operator()<uint8_t, Wide>();
  return f.template operator()<uint8_t, uint32_t>();
}

}  // namespace vantage::gpu::integral
