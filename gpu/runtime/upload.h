// Memory that stays the same from frame to frame, or begins with known content: host values to the device,
// through pinned memory, and memory that is filled. Enqueued on the stream; later work finds the values. The
// caller's memory is free on return. Any thread.
#pragma once

#include <span>
#include <type_traits>

#include "core/image/picture.h"
#include "gpu/runtime/device_buffer.h"
#include "gpu/runtime/stream.h"

namespace vantage::gpu {

Status upload_bytes(Stream& stream, const void* from, size_t size_bytes, const BufferRef& to);

// upload(*stream_, std::span(values))
template <typename T>
Result<DeviceBuffer<std::remove_const_t<T>>> upload(Stream& stream, std::span<T> values) {
  VANTAGE_ASSIGN(auto buffer, DeviceBuffer<std::remove_const_t<T>>::take(stream.context(), values.size()));
  VANTAGE_TRY(upload_bytes(stream, values.data(), values.size_bytes(), buffer));
  return buffer;
}

Result<Image> upload(Stream& stream, const Image& host);

Status fill_bytes(Stream& stream, const BufferRef& buffer, size_t size_bytes, int byte);

// Memory on the device whose every byte is `byte`.
template <typename T>
Result<DeviceBuffer<T>> filled(Stream& stream, size_t count, int byte) {
  VANTAGE_ASSIGN(auto buffer, DeviceBuffer<T>::take(stream.context(), count));
  VANTAGE_TRY(fill_bytes(stream, buffer, buffer.size_bytes(), byte));
  return buffer;
}

}  // namespace vantage::gpu
