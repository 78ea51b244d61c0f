// Typed memory from a device's pools: elements on the device, and in pinned host memory, through which they
// are copied (upload.h).
#pragma once

#include <algorithm>
#include <span>
#include <type_traits>
#include <utility>

#include "gpu/runtime/context.h"

namespace vantage::gpu {

// Owns a share of its memory, as BufferRef does; without memory after its default constructor. Contents are
// undefined at first.
template <typename T>
class TypedBuffer {
 public:
  static_assert(std::is_trivially_copyable_v<T>);

  TypedBuffer() = default;

  T* data() const { return buffer_ ? reinterpret_cast<T*>(buffer_->data()) : nullptr; }
  size_t count() const { return count_; }
  size_t size_bytes() const { return count_ * sizeof(T); }
  explicit operator bool() const { return buffer_ != nullptr; }
  // As Work::reads() and Work::writes() take it.
  const BufferRef& ref() const { return buffer_; }
  operator const BufferRef&() const { return buffer_; }

 protected:
  TypedBuffer(BufferRef buffer, size_t count) : buffer_(std::move(buffer)), count_(count) {}
  static Result<BufferRef> take_from(MemoryPool& pool, size_t count) {
    return pool.take(std::max<size_t>(count * sizeof(T), 1));
  }

 private:
  BufferRef buffer_;
  size_t count_ = 0;
};

// data() is a device address.
template <typename T>
class DeviceBuffer final : public TypedBuffer<T> {
 public:
  DeviceBuffer() = default;
  // Called from any thread.
  static Result<DeviceBuffer> take(Context& context, size_t count) {
    VANTAGE_ASSIGN(BufferRef buffer, DeviceBuffer::take_from(context.device_pool(), count));
    return DeviceBuffer(std::move(buffer), count);
  }

 private:
  DeviceBuffer(BufferRef buffer, size_t count) : TypedBuffer<T>(std::move(buffer), count) {}
};

// Host memory that the device reads and writes.
template <typename T>
class PinnedBuffer final : public TypedBuffer<T> {
 public:
  PinnedBuffer() = default;
  // Called from any thread.
  static Result<PinnedBuffer> take(Context& context, size_t count) {
    VANTAGE_ASSIGN(BufferRef buffer, PinnedBuffer::take_from(context.pinned_pool(), count));
    return PinnedBuffer(std::move(buffer), count);
  }
  std::span<T> values() const { return {this->data(), this->count()}; }

 private:
  PinnedBuffer(BufferRef buffer, size_t count) : TypedBuffer<T>(std::move(buffer), count) {}
};

}  // namespace vantage::gpu
