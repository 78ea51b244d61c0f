// A device, or its pinned memory, that is full at one call: for every call of a run, one after the other.
#include "gpu/runtime/failing_memory.h"

#include <fmt/core.h>
#include "tests/gpu/device.h"
#include "tests/gpu/run_on_gpu.h"

namespace vantage::gpu {
namespace {

constexpr int64_t kFrames = 6;

// Each is said in a sentence or does no harm, what is written is whole, and the next run is as the first.
void fail_each(MemoryPool::Kind kind) {
  const vantage::test::TemporaryFolder folder;
  const Project project = vantage::test::make_footage(folder.path(), 3, kFrames);
  const auto run = [&] { return run_on_gpu(project, kFrames, [](int64_t) {}); };
  const EndedRun first = run();
  ASSERT_TRUE(first.status) << first.status.error().message();
  ASSERT_EQ(first.written, kFrames);
  int64_t failed = 0;
  for (int64_t n = 1;; ++n) {
    fail_take(kind, n);
    const EndedRun ended = run();
    const bool met = take_failed(kind);
    fail_take(kind, 0);
    if (!met) break;
    ++failed;
    if (!ended.status) {
      EXPECT_EQ(ended.status.error().kind, ErrorKind::out_of_memory)
          << n << ": " << ended.status.error().message();
      EXPECT_FALSE(ended.status.error().remedy.empty()) << n;
    }
    EXPECT_EQ(ended.stored.frames.size(), static_cast<size_t>(ended.written)) << n;
    for (size_t i = 0; i < ended.stored.frames.size(); ++i)
      EXPECT_EQ(ended.stored.frames[i].people.size(), first.stored.frames[i].people.size())
          << n << ", frame " << i;
  }
  EXPECT_GT(failed, 3);
  const EndedRun last = run();
  ASSERT_TRUE(last.status) << last.status.error().message();
  ASSERT_EQ(last.stored.frames.size(), first.stored.frames.size());
  for (size_t i = 0; i < last.stored.frames.size(); ++i)
    EXPECT_EQ(last.stored.frames[i].people.size(), first.stored.frames[i].people.size());
  fmt::print("{} calls failed\n", failed);
}

TEST(DeviceMemory, AnyCallMayFail) {
  VANTAGE_NEED_DEVICE(context);
  fail_each(MemoryPool::Kind::device);
}

TEST(DeviceMemory, AnyCallForPinnedMemoryMayFail) {
  VANTAGE_NEED_DEVICE(context);
  fail_each(MemoryPool::Kind::pinned);
}

}  // namespace
}  // namespace vantage::gpu
