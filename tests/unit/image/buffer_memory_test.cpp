// A pool of buffers where memory is short: this program's operator new fails when it is told to.
#include <gtest/gtest.h>

#include <cstdlib>
#include <new>
#include <optional>

#include "core/image/buffer.h"

namespace {

thread_local int64_t allowed = -1;  // allocations that succeed before one fails; -1: all do

void* allocate(size_t size, size_t alignment) {
  if (allowed == 0) return nullptr;
  if (allowed > 0) --allowed;
  const size_t rounded = (size + alignment - 1) / alignment * alignment;
  return std::aligned_alloc(alignment, rounded > 0 ? rounded : alignment);
}

void* allocate_or_throw(size_t size, size_t alignment) {
  if (void* const block = allocate(size, alignment)) return block;
  throw std::bad_alloc();
}

}  // namespace

void* operator new(size_t size) {
  return allocate_or_throw(size, __STDCPP_DEFAULT_NEW_ALIGNMENT__);
}
void* operator new(size_t size, std::align_val_t alignment) {
  return allocate_or_throw(size, static_cast<size_t>(alignment));
}
void* operator new(size_t size, const std::nothrow_t&) noexcept {
  return allocate(size, __STDCPP_DEFAULT_NEW_ALIGNMENT__);
}
void* operator new(size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return allocate(size, static_cast<size_t>(alignment));
}
void operator delete(void* block) noexcept {
  std::free(block);
}
void operator delete(void* block, size_t) noexcept {
  std::free(block);
}
void operator delete(void* block, std::align_val_t) noexcept {
  std::free(block);
}
void operator delete(void* block, size_t, std::align_val_t) noexcept {
  std::free(block);
}

namespace vantage {
namespace {

TEST(HostPool, WhereMemoryIsShortNothingHangsAndNothingIsLost) {
  int failed = 0, taken = 0;
  for (int64_t number = 0; taken == 0; ++number) {
    ASSERT_LT(number, 100);
    HostPool pool;
    {
      allowed = number;
      std::optional<Result<BufferRef>> buffer;
      try {
        buffer = pool.take(100'000);
      } catch (const std::bad_alloc&) {
      }
      allowed = -1;
      if (buffer && *buffer)
        ++taken;
      else
        ++failed;
    }
    EXPECT_EQ(pool.statistics().in_use_bytes, 0u) << number << " allocations succeed";
  }
  EXPECT_GE(failed, 3) << "the block, what names it, the count of its references";
}

TEST(HostPool, WhereMemoryIsShortABlockThatComesBackIsFreed) {
  HostPool pool(1'000'000);
  BufferRef buffer = pool.take(100'000).value();
  allowed = 0;
  buffer.reset();
  allowed = -1;
  EXPECT_EQ(pool.statistics().in_use_bytes, 0u);
  EXPECT_EQ(pool.statistics().cached_bytes, 0u);
}

}  // namespace
}  // namespace vantage
