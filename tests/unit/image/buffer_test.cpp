#include "core/image/buffer.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <set>
#include <thread>

namespace vantage {
namespace {

TEST(HostPool, GivesAlignedMemoryAndTakesItBack) {
  HostPool pool;
  for (const size_t size : {size_t{1}, size_t{255}, size_t{257}, size_t{100'000}}) {
    const BufferRef buffer = pool.take(size).value();
    EXPECT_GE(buffer->size_bytes(), size);
    EXPECT_LT(buffer->size_bytes(), 2 * std::max<size_t>(size, 256));
    EXPECT_EQ(reinterpret_cast<uintptr_t>(buffer->data()) % 256, 0u);
    EXPECT_EQ(buffer->place(), MemoryPlace{});
    std::memset(buffer->data(), 1, buffer->size_bytes());
  }
  EXPECT_EQ(pool.statistics().in_use_bytes, 0u);
}

TEST(HostPool, ReusesWhatCameBack) {
  HostPool pool;
  const std::byte* first = pool.take(5000).value()->data();
  const BufferRef again = pool.take(4900).value();
  EXPECT_EQ(again->data(), first);
  const BufferRef other = pool.take(5000).value();
  EXPECT_NE(other->data(), first) << "still in use";
  EXPECT_EQ(pool.statistics().allocations, 2u);
  EXPECT_EQ(pool.statistics().reuses, 1u);
}

TEST(HostPool, ConstantMemoryOverManyFrames) {
  HostPool pool;
  for (int frame = 0; frame < 1000; ++frame) {
    const BufferRef a = pool.take(70'000).value(), b = pool.take(3'000).value();
  }
  EXPECT_EQ(pool.statistics().allocations, 2u);
  EXPECT_LT(pool.statistics().peak_bytes, 150'000u);
}

TEST(HostPool, KeepsNoMoreThanItsLimit) {
  HostPool pool(100'000);
  {
    std::vector<BufferRef> buffers;
    for (int i = 0; i < 10; ++i) buffers.push_back(pool.take(40'000).value());
  }
  EXPECT_LE(pool.statistics().cached_bytes, 100'000u);
  EXPECT_GT(pool.statistics().cached_bytes, 0u);
  EXPECT_EQ(pool.statistics().in_use_bytes, 0u);
}

// What a burst needed goes back to the system; what is in use all the time stays, and so do a few more.
TEST(FreeBlocks, ThoseThatNobodyNeedsAnyMoreAreGivenUp) {
  constexpr size_t kSize = size_t{1} << 20;
  for (const size_t burst : {size_t{20}, size_t{3}}) {
    std::vector<std::byte> memory(burst);  // stands for blocks; nobody writes to them
    FreeBlocks blocks;
    for (std::byte& block : memory) blocks.put(&block, kSize, 0);
    std::set<std::byte*> given_up;
    for (int64_t now = 0; now < 3 * FreeBlocks::kIdle_ns; now += FreeBlocks::kIdle_ns / 100) {
      std::byte* one = blocks.take(kSize);
      ASSERT_NE(one, nullptr);
      blocks.put(one, kSize, now);
      const std::vector<std::byte*> idle = blocks.take_idle(now);
      EXPECT_TRUE(now > FreeBlocks::kIdle_ns || idle.empty()) << now;
      given_up.insert(idle.begin(), idle.end());
    }
    EXPECT_EQ(given_up.size(), burst == 20 ? 19u : 0u);
    EXPECT_EQ(blocks.bytes(), (burst - given_up.size()) * kSize);
    EXPECT_EQ(blocks.take_all().size(), burst - given_up.size());
  }
}

TEST(HostPool, BuffersMayOutliveThePool) {
  BufferRef buffer;
  {
    HostPool pool;
    buffer = pool.take(1000).value();
  }
  std::memset(buffer->data(), 0, buffer->size_bytes());
}

TEST(HostPool, SaysWhenThereIsNotEnough) {
  HostPool pool;
  const Result<BufferRef> refused = pool.take(size_t{1} << 60);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::out_of_memory);
  EXPECT_EQ(pool.statistics().in_use_bytes, 0u);
}

TEST(HostPool, ServesSeveralThreads) {
  HostPool pool;
  std::vector<std::thread> threads;
  for (unsigned seed = 0; seed < 4; ++seed)
    threads.emplace_back([&pool, seed] {
      std::mt19937 random(seed);
      for (int i = 0; i < 2000; ++i) {
        const BufferRef buffer = pool.take(1 + random() % 20'000).value();
        const auto mark = static_cast<std::byte>(random());
        std::memset(buffer->data(), static_cast<int>(mark), buffer->size_bytes());
        for (size_t k = 0; k < buffer->size_bytes(); k += 997) EXPECT_EQ(buffer->data()[k], mark);
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(pool.statistics().in_use_bytes, 0u);
}

}  // namespace
}  // namespace vantage
