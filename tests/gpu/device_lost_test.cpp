// A sticky error loses the device for the rest of the process, hence a program of its own. Not for
// compute-sanitizer: the error is the point.
#include "gpu/runtime/work.h"
#include "tests/gpu/device.h"
#include "tests/gpu/kernels.h"

namespace vantage::gpu {
namespace {

TEST(DeviceLost, StopsEverythingWithTheFirstError) {
  VANTAGE_NEED_DEVICE(context);
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
