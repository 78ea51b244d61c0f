// A sticky error loses the device for the rest of the process, hence a program of its own; only one of the
// tests that lose it can run in a process. Not for compute-sanitizer: the error is the point.
#include <functional>

#include "gpu/runtime/work.h"
#include "tests/gpu/device.h"
#include "tests/gpu/kernels.h"
#include "tests/gpu/run_on_gpu.h"

namespace vantage::gpu {
namespace {

constexpr int64_t kFrames = 60, kTrouble = 20;

// `trouble` is made when kTrouble frames are written.
EndedRun run_into_trouble(const std::function<void()>& trouble) {
  const vantage::test::TemporaryFolder folder;
  const Project project = vantage::test::make_footage(folder.path(), 3, kFrames);
  return run_on_gpu(project, kFrames, [&](int64_t written) {
    if (written == kTrouble) trouble();
  });
}

void expect_complete(const EndedRun& run) {
  EXPECT_GE(run.written, kTrouble);
  EXPECT_LT(run.written, kFrames);
  ASSERT_EQ(run.stored.frames.size(), static_cast<size_t>(run.written));
  for (int64_t frame = 0; frame < run.written; ++frame) EXPECT_EQ(run.stored.frames[frame].frame, frame);
}

// Somebody else takes all of the memory while the run is in progress.
TEST(DeviceMemory, AnExhaustedOneEndsTheRunWithWhatIsDone) {
  VANTAGE_NEED_DEVICE(context);
  std::vector<BufferRef> taken;
  const auto take_all = [&] {
    context->device_pool().trim();
    for (size_t size = size_t{8} << 30; size >= 1024; size /= 2)
      while (auto block = context->device_pool().take(size)) taken.push_back(*std::move(block));
  };
  const EndedRun run = run_into_trouble(take_all);
  ASSERT_FALSE(run.status);
  EXPECT_EQ(run.status.error().kind, ErrorKind::out_of_memory) << run.status.error().message();
  EXPECT_FALSE(run.status.error().remedy.empty());
  expect_complete(run);
  taken.clear();
  context->device_pool().trim();
  const EndedRun again = run_into_trouble([] {});  // the device itself is as good as before
  EXPECT_TRUE(again.status) << again.status.error().message();
  EXPECT_EQ(again.written, kFrames);
}

TEST(DeviceLost, EndsTheRunWithWhatIsDone) {
  VANTAGE_NEED_DEVICE(context);
  auto stream = Stream::make(context, "test", nullptr).value();
  const auto crash = [&] {
    const Status enqueued = context->run([&]() -> Status {
      Work work(*stream, {.name = "crash", .frame = 0});
      VANTAGE_TRY(test::enqueue_crash(work));
      return work.finish();
    });
    EXPECT_TRUE(enqueued);
  };
  const EndedRun run = run_into_trouble(crash);
  ASSERT_FALSE(run.status);
  EXPECT_EQ(run.status.error().kind, ErrorKind::device_lost) << run.status.error().message();
  EXPECT_FALSE(run.status.error().remedy.empty());
  expect_complete(run);
}

TEST(DeviceLost, StopsEverythingWithTheFirstError) {
  VANTAGE_NEED_DEVICE(context);
  if (!context->status()) GTEST_SKIP() << "the test before lost the device; run this one alone";
  TraceRecorder trace;
  auto stream = Stream::make(context, "test", &trace).value();
  const BufferRef kept = context->device_pool().take(1000).value();
  EventRef done;
  ASSERT_TRUE(context->run([&]() -> Status {
    Work work(*stream, {.name = "crash", .frame = 0});
    VANTAGE_TRY(test::enqueue_crash(work));
    VANTAGE_TRY(work.finish());
    done = work.done();
    return {};
  }));
  const Status first = context->wait(done);
  ASSERT_FALSE(first);
  EXPECT_EQ(first.error().kind, ErrorKind::device_lost) << first.error().message();
  EXPECT_FALSE(first.error().remedy.empty());
  bool ran = false;
  const Status second = context->run([&]() -> Status {
    ran = true;
    return {};
  });
  ASSERT_FALSE(second);
  EXPECT_FALSE(ran) << "work was enqueued on a lost device";
  EXPECT_EQ(second.error().message(), first.error().message());
  const auto memory = context->device_pool().take(1000);
  ASSERT_FALSE(memory);
  EXPECT_EQ(memory.error().kind, ErrorKind::device_lost);
  stream.reset();  // cleaning up goes through
}

}  // namespace
}  // namespace vantage::gpu
