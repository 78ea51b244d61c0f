// A non-owning view of a 2-D array in host or device memory. Plain data: .cu files include this header.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace vantage {

template <typename T>
struct ImageView {
  T* data = nullptr;
  int width = 0;            // in elements
  int height = 0;           // in rows
  size_t stride_bytes = 0;  // from one row to the next; any value >= width * sizeof(T)

#ifdef __CUDACC__
  __host__ __device__
#endif
      T*
      row(int y) const {
    using Byte = unsigned char;
    return reinterpret_cast<T*>(const_cast<Byte*>(reinterpret_cast<const Byte*>(data)) +
                                static_cast<size_t>(y) * stride_bytes);
  }
#ifdef __CUDACC__
  __host__ __device__
#endif
      T&
      at(int x, int y) const {
    return row(y)[x];
  }

  operator ImageView<const T>() const
    requires(!std::is_const_v<T>)
  {
    return {data, width, height, stride_bytes};
  }
};

}  // namespace vantage
