// The CUDA runtime layer: submission thread, stream-ordered memory, spans, errors.
#include <fmt/core.h>
#include <algorithm>
#include <atomic>
#include <map>
#include <span>
#include <thread>
#include <utility>

#include "core/image/backend/memory_transfer.h"
#include "gpu/runtime/launch_shapes.h"
#include "gpu/runtime/submission_thread.h"
#include "gpu/runtime/upload.h"
#include "gpu/runtime/work.h"
#include "tests/gpu/device.h"
#include "tests/gpu/kernels.h"
#include "tests/support/pictures.h"

namespace vantage::gpu {
namespace {

constexpr int kCount = 1 << 16;
constexpr size_t kBytes = kCount * sizeof(uint32_t);
constexpr uint64_t kSlowNs = 20'000'000;

std::unique_ptr<Stream> make_stream(const std::shared_ptr<Context>& context, TraceRecorder* trace = nullptr) {
  return Stream::make(context, "test", trace).value();
}

uint32_t* values_of(const BufferRef& buffer) {
  return reinterpret_cast<uint32_t*>(buffer->data());
}

Status fill(Stream& stream, const BufferRef& buffer, uint32_t value, uint64_t wait_ns, int64_t frame = 0) {
  return stream.context().run([&]() -> Status {
    Work work(stream, {.name = "fill", .frame = frame});
    VANTAGE_TRY(work.writes(buffer));
    VANTAGE_TRY(test::enqueue_slow_fill(work, values_of(buffer), kCount, value, wait_ns));
    return work.finish();
  });
}

// Copies through pinned memory, on a stream of its own, and waits.
std::vector<uint32_t> fetch(const std::shared_ptr<Context>& context, const BufferRef& buffer) {
  const auto stream = make_stream(context);
  const BufferRef host = context->pinned_pool().take(kBytes).value();
  EventRef done;
  const Status copied = context->run([&]() -> Status {
    Work work(*stream, {});
    VANTAGE_TRY(work.reads(buffer));
    VANTAGE_TRY(work.writes(host));
    VANTAGE_TRY(work.copy("copy device to host", host->data(), buffer->data(), kBytes));
    VANTAGE_TRY(work.finish());
    done = work.done();
    return {};
  });
  EXPECT_TRUE(copied) << copied.error().message();
  const Status waited = context->wait(done);
  EXPECT_TRUE(waited) << waited.error().message();
  return {values_of(host), values_of(host) + kCount};
}

int64_t count_of(const std::vector<uint32_t>& values, uint32_t value) {
  return std::count(values.begin(), values.end(), value);
}

TEST(SubmissionThread, RunsOnOneThreadAndInsideItself) {
  VANTAGE_NEED_DEVICE(context);
  std::thread::id first, second, inner;
  ASSERT_TRUE(context->run([&]() -> Status {
    first = std::this_thread::get_id();
    return context->run([&]() -> Status {
      inner = std::this_thread::get_id();
      return {};
    });
  }));
  std::thread([&] {
    EXPECT_TRUE(context->run([&]() -> Status {
      second = std::this_thread::get_id();
      return {};
    }));
  }).join();
  EXPECT_EQ(first, second);
  EXPECT_EQ(first, inner);
  EXPECT_NE(first, std::this_thread::get_id());
}

// Without a device. Callers look for their task's end and the thread for its next task before they sleep:
// tasks are shorter and longer than they look, and follow at once and late.
TEST(SubmissionThread, TasksQuickAndSlowAllRun) {
  constexpr int kCallers = 4, kTasks = 60;
  int ran = 0, posted = 0, unseen = 0;  // by the one thread only
  {
    SubmissionThread thread([] {}, [] { return false; });
    std::vector<std::thread> callers;
    for (int caller = 0; caller < kCallers; ++caller)
      callers.emplace_back([&] {
        for (int task = 0; task < kTasks; ++task) {
          int done = -1;
          thread.run([&] {
            if (task % 20 == 7) std::this_thread::sleep_for(std::chrono::milliseconds(1));
            ++ran, done = task;
          });
          if (done != task) thread.run([&] { ++unseen; });
          if (task % 20 == 13) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
      });
    for (std::thread& caller : callers) caller.join();
    for (int task = 0; task < kTasks; ++task) thread.post([&] { ++posted; });
  }
  EXPECT_EQ(ran, kCallers * kTasks);
  EXPECT_EQ(unseen, 0);
  EXPECT_EQ(posted, kTasks) << "what was posted runs before the thread ends";
}

TEST(SubmissionThread, GivesErrorsBack) {
  VANTAGE_NEED_DEVICE(context);
  const Status failed = context->run([&] { return context->check(cudaErrorInvalidValue, "test"); });
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().kind, ErrorKind::invalid_argument);
  EXPECT_NE(failed.error().message().find("cudaErrorInvalidValue"), std::string::npos);
  EXPECT_TRUE(context->status()) << "an error that is not sticky must not lose the device";
}

TEST(Context, IsSharedAndMadeAgain) {
  {
    VANTAGE_NEED_DEVICE(context);
    EXPECT_EQ(context, Context::get(0).value());
    EXPECT_FALSE(Context::get(-1));
    EXPECT_FALSE(Context::get(1000));
  }
  VANTAGE_NEED_DEVICE(again);
  EXPECT_TRUE(again->run([]() -> Status { return {}; }));
}

TEST(Context, MayEndOnItsOwnThread) {
  auto made = Context::get(0);
  if (!made) GTEST_SKIP() << "no CUDA device: " << made.error().message();
  Context* context = made->get();
  std::atomic<bool> ran{false};
  context->post([last = std::exchange(*made, nullptr), &ran] { ran = true; });
  while (!ran) std::this_thread::yield();
  const auto again = Context::get(0);
  ASSERT_TRUE(again) << again.error().message();
  EXPECT_TRUE((*again)->run([]() -> Status { return {}; }));
}

// A block given back while a slow kernel still writes to it goes to a writer on another stream: that one has
// to wait for the kernel, or the kernel's values come out.
TEST(MemoryPool, ReusesInStreamOrder) {
  VANTAGE_NEED_DEVICE(context);
  MemoryPool pool(*context, MemoryPool::Kind::device, size_t{1} << 30);
  const auto first = make_stream(context), second = make_stream(context);
  BufferRef buffer = pool.take(kBytes).value();
  const std::byte* block = buffer->data();
  ASSERT_TRUE(fill(*first, buffer, 1, kSlowNs));
  buffer.reset();
  buffer = pool.take(kBytes).value();
  ASSERT_EQ(buffer->data(), block) << "the block was not reused";
  EXPECT_EQ(pool.statistics().reuses, 1u);
  ASSERT_TRUE(fill(*second, buffer, 2, 0));
  EXPECT_EQ(count_of(fetch(context, buffer), 2), kCount);
}

// The same with a slow reader: the next writer must not overwrite what is being read.
TEST(MemoryPool, WaitsForReaders) {
  VANTAGE_NEED_DEVICE(context);
  MemoryPool pool(*context, MemoryPool::Kind::device, size_t{1} << 30);
  const auto first = make_stream(context), second = make_stream(context);
  BufferRef buffer = pool.take(kBytes).value();
  const BufferRef delay = pool.take(kBytes).value(), copy = pool.take(kBytes).value();
  ASSERT_TRUE(fill(*first, buffer, 1, 0));
  ASSERT_TRUE(context->run([&]() -> Status {
    Work work(*first, {});
    VANTAGE_TRY(work.reads(buffer));
    VANTAGE_TRY(work.writes(delay));
    VANTAGE_TRY(work.writes(copy));
    VANTAGE_TRY(test::enqueue_slow_fill(work, values_of(delay), kCount, 0, kSlowNs));
    VANTAGE_TRY(work.copy("copy", copy->data(), buffer->data(), kBytes));
    return work.finish();
  }));
  buffer.reset();
  buffer = pool.take(kBytes).value();
  ASSERT_TRUE(fill(*second, buffer, 2, 0));
  EXPECT_EQ(count_of(fetch(context, copy), 1), kCount);
  EXPECT_EQ(count_of(fetch(context, buffer), 2), kCount);
}

TEST(MemoryPool, CountsAndKeepsToItsCap) {
  VANTAGE_NEED_DEVICE(context);
  for (const MemoryPool::Kind kind : {MemoryPool::Kind::device, MemoryPool::Kind::pinned}) {
    MemoryPool pool(*context, kind, 4 << 20);
    BufferRef a = pool.take(3 << 20).value();
    EXPECT_EQ(reinterpret_cast<uintptr_t>(a->data()) % 256, 0u);
    const auto full = pool.take(2 << 20);
    ASSERT_FALSE(full);
    EXPECT_EQ(full.error().kind, ErrorKind::out_of_memory);
    EXPECT_NE(full.error().message().find("2 MiB"), std::string::npos) << full.error().message();
    EXPECT_NE(full.error().message().find("4 MiB"), std::string::npos) << full.error().message();
    EXPECT_EQ(pool.statistics().in_use_bytes, size_t{3} << 20);
    a.reset();
    EXPECT_EQ(pool.statistics().in_use_bytes, 0u);
    EXPECT_EQ(pool.statistics().cached_bytes, size_t{3} << 20);
    const auto fits = pool.take(2 << 20);  // the cached block of another size makes room
    ASSERT_TRUE(fits) << fits.error().message();
    EXPECT_EQ(pool.statistics().cached_bytes, 0u);
    EXPECT_EQ(pool.statistics().peak_bytes, size_t{3} << 20);
  }
}

TEST(MemoryPool, OutlivedByItsBuffers) {
  VANTAGE_NEED_DEVICE(context);
  BufferRef buffer;
  {
    MemoryPool pool(*context, MemoryPool::Kind::device, 1 << 20);
    buffer = pool.take(1000).value();
  }
  buffer.reset();
  EXPECT_TRUE(context->run([]() -> Status { return {}; }));
}

TEST(Work, RefusesOrdinaryHostMemory) {
  VANTAGE_NEED_DEVICE(context);
  const auto stream = make_stream(context);
  const BufferRef host = HostPool::shared().take(100).value();
  const Status refused = context->run([&]() -> Status {
    Work work(*stream, {});
    return work.writes(host);
  });
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::invalid_argument);
}

// Device spans lie on the host's clock: within what the host measured around the work, up to the
// calibration's error.
TEST(Tracer, PlacesSpansOnTheHostsClock) {
  VANTAGE_NEED_DEVICE(context);
  constexpr int64_t kCalibrationErrorNs = 1'000'000;
  TraceRecorder trace;
  const int64_t before = trace_now_ns();
  {
    const auto stream = make_stream(context, &trace);
    const BufferRef buffer = context->device_pool().take(kBytes).value();
    ASSERT_TRUE(fill(*stream, buffer, 1, kSlowNs, Work::kTimedFrames));
    ASSERT_TRUE(fill(*stream, buffer, 2, kSlowNs, Work::kTimedFrames + 1));  // no span of its kernel
    EXPECT_EQ(count_of(fetch(context, buffer), 2), kCount);
  }
  const int64_t after = trace_now_ns();
  int stages = 0, kernels = 0;
  for (const TraceSpan& span : trace.snapshot()) {
    stages += span.kind == SpanKind::stage;
    kernels += span.kind == SpanKind::kernel;
    EXPECT_EQ(span.lane, "cuda:0 test");
    EXPECT_GE(span.start_ns, before - kCalibrationErrorNs) << span.name;
    EXPECT_LE(span.start_ns + span.duration_ns, after + kCalibrationErrorNs) << span.name;
    // The kernel itself waits for that long.
    EXPECT_GE(span.duration_ns, static_cast<int64_t>(kSlowNs) * 9 / 10) << span.name;
  }
  EXPECT_EQ(stages, 2);
  EXPECT_EQ(kernels, 1);
}

TEST(Tracer, CopiesCarryTheirBytes) {
  VANTAGE_NEED_DEVICE(context);
  TraceRecorder trace;
  {
    const auto stream = make_stream(context, &trace);
    const BufferRef from = context->device_pool().take(kBytes).value(),
                    to = context->device_pool().take(kBytes).value();
    ASSERT_TRUE(fill(*stream, from, 1, 0));
    ASSERT_TRUE(context->run([&]() -> Status {
      Work work(*stream, {.name = {}, .frame = 5, .camera = 2});
      VANTAGE_TRY(work.reads(from));
      VANTAGE_TRY(work.writes(to));
      VANTAGE_TRY(work.copy("copy there", to->data(), from->data(), kBytes));
      return work.finish();
    }));
  }
  const auto spans = trace.snapshot();
  const auto copy =
      std::find_if(spans.begin(), spans.end(), [](const TraceSpan& s) { return s.kind == SpanKind::copy; });
  ASSERT_NE(copy, spans.end());
  EXPECT_EQ(copy->bytes, static_cast<int64_t>(kBytes));
  EXPECT_EQ(copy->name, "copy there");
  EXPECT_EQ(copy->frame, 5);
  EXPECT_EQ(copy->camera, 2);
}

// Frame after frame with another buffer, other values and, every ten frames, other kernels. What lies behind
// the values stays as it is.
TEST(KernelGraph, FollowsArgumentsAndKernels) {
  VANTAGE_NEED_DEVICE(context);
  constexpr int kHalf = kCount / 2;
  constexpr uint32_t kUntouched = 7;
  TraceRecorder trace;
  {
    const auto stream = make_stream(context, &trace);
    KernelGraph graph(context);
    for (uint32_t frame = 0; frame < 40; ++frame) {
      const BufferRef buffer = context->device_pool().take(kBytes).value();
      ASSERT_TRUE(fill(*stream, buffer, kUntouched, 0, 1));
      uint32_t expected = frame;
      ASSERT_TRUE(context->run([&]() -> Status {
        Work work(*stream, {.name = {}, .frame = frame * (Work::kTimedFrames / 16)});
        VANTAGE_TRY(work.writes(buffer));
        KernelSequence kernels;
        test::add_fill(kernels, values_of(buffer), kHalf, frame);
        for (uint32_t added = 100; added <= 10 * frame; added += 100) {
          test::add_addition(kernels, values_of(buffer), kHalf, added);
          expected += added;
        }
        VANTAGE_TRY(graph.launch(work, std::move(kernels)));
        return work.finish();
      }));
      const std::vector<uint32_t> values = fetch(context, buffer);
      EXPECT_EQ(std::count(values.begin(), values.begin() + kHalf, expected), kHalf) << "frame " << frame;
      EXPECT_EQ(std::count(values.begin() + kHalf, values.end(), kUntouched), kHalf) << "frame " << frame;
    }
  }
  // Kernel by kernel in the rounds 0, 16 and 32.
  std::map<std::string, int> timed;
  for (const TraceSpan& span : trace.snapshot()) timed[span.name] += span.kind == SpanKind::kernel;
  EXPECT_EQ(timed["slow_fill"], 3);
  EXPECT_EQ(timed["add_value"], 0 + 1 + 3);
}

// As many thread blocks as there are multiprocessors meet; they can only because all run at the same time.
TEST(Work, LaunchesCooperatively) {
  VANTAGE_NEED_DEVICE(context);
  if (!context->limits().cooperative) GTEST_SKIP() << "the device has no cooperative launches";
  constexpr unsigned kShared = 1000;
  const int blocks = context->limits().multiprocessors;
  TraceRecorder trace;
  const auto stream = make_stream(context, &trace);
  const BufferRef buffer = context->device_pool().take(kBytes).value();
  ASSERT_TRUE(context->run([&]() -> Status {
    Work work(*stream, {});
    VANTAGE_TRY(work.writes(buffer));
    VANTAGE_TRY(work.set_zero(buffer->data(), kBytes));
    VANTAGE_TRY(test::enqueue_meeting(work, values_of(buffer), blocks, kShared));
    return work.finish();
  }));
  EXPECT_EQ(count_of(fetch(context, buffer), static_cast<uint32_t>(blocks)), blocks + 1);
  const auto shape = last_launch("meet");
  ASSERT_TRUE(shape);
  EXPECT_EQ(shape->blocks[0], static_cast<unsigned>(blocks));
  EXPECT_GE(shape->shared_bytes, kShared) << "dynamic shared memory counts";
}

TEST(Work, RefusesMoreBlocksThanCanMeet) {
  VANTAGE_NEED_DEVICE(context);
  if (!context->limits().cooperative) GTEST_SKIP() << "the device has no cooperative launches";
  const auto stream = make_stream(context);
  const BufferRef buffer = context->device_pool().take(kBytes).value();
  const Status refused = context->run([&]() -> Status {
    Work work(*stream, {});
    VANTAGE_TRY(work.writes(buffer));
    return test::enqueue_meeting(work, values_of(buffer), kCount - 1);
  });
  EXPECT_FALSE(refused);
  EXPECT_TRUE(context->status()) << "nothing ran, so the device is not lost";
}

TEST(KernelGraph, LaunchesCooperatively) {
  VANTAGE_NEED_DEVICE(context);
  if (!context->limits().cooperative) GTEST_SKIP() << "the device has no cooperative launches";
  const int blocks = context->limits().multiprocessors;
  const auto stream = make_stream(context);
  KernelGraph graph(context);
  for (int frame = 0; frame < 3; ++frame) {
    const BufferRef buffer = context->device_pool().take(kBytes).value();
    ASSERT_TRUE(context->run([&]() -> Status {
      Work work(*stream, {});
      VANTAGE_TRY(work.writes(buffer));
      KernelSequence kernels;
      test::add_fill(kernels, values_of(buffer), kCount, 0);
      test::add_meeting(kernels, values_of(buffer), blocks);
      VANTAGE_TRY(graph.launch(work, std::move(kernels)));
      return work.finish();
    }));
    EXPECT_EQ(count_of(fetch(context, buffer), static_cast<uint32_t>(blocks)), blocks + 1);
  }
}

TEST(Upload, ValuesAndRowsArrive) {
  VANTAGE_NEED_DEVICE(context);
  const auto stream = make_stream(context);
  std::vector<uint32_t> values(kCount);
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<uint32_t>(i * i);
  const auto uploaded = upload(*stream, std::span(values));
  ASSERT_TRUE(uploaded) << uploaded.error().message();
  EXPECT_EQ(uploaded->count(), values.size());
  EXPECT_EQ(fetch(context, *uploaded), values);
  const auto filled_with = filled<uint32_t>(*stream, kCount, 0x11);
  ASSERT_TRUE(filled_with) << filled_with.error().message();
  EXPECT_EQ(count_of(fetch(context, *filled_with), 0x11111111), kCount);
  // Rows of an odd width, which the device pads.
  Image image = Image::make(ImageType::u32, 333, 7, HostPool::shared()).value();
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x)
      image.writable_view<uint32_t>().at(x, y) = static_cast<uint32_t>(1000 * y + x);
  const auto there = upload(*stream, image);
  ASSERT_TRUE(there) << there.error().message();
  BackendRegistry registry;
  register_cuda_backends(registry);
  const auto transfer = registry.create<MemoryTransfer>(Device::cuda, {}, {}).value();
  EXPECT_TRUE(vantage::test::same_pixels<uint32_t>(image, transfer->download(*there, -1, -1).value()));
}

TEST(Devices, AreListedOrSayWhyNot) {
  const auto devices = list_devices();
  if (!devices) {
    EXPECT_EQ(devices.error().kind, ErrorKind::unsupported);
    EXPECT_FALSE(devices.error().what.empty());
    EXPECT_FALSE(devices.error().remedy.empty());
    EXPECT_FALSE(make_hardware_decode(0, nullptr));
    EXPECT_FALSE(make_interop_surface(0, nullptr));
    GTEST_SKIP() << "no CUDA device: " << devices.error().message();
  }
  ASSERT_FALSE(devices->empty());
  for (const DeviceInfo& device : *devices) {
    EXPECT_FALSE(device.name.empty());
    EXPECT_GT(device.multiprocessors, 0);
    EXPECT_GT(device.memory_bytes, 0u);
    EXPECT_LE(device.free_bytes, device.memory_bytes);
    for (const std::string& codec : device.decoders) fmt::print("{} decodes {}\n", device.name, codec);
  }
}

}  // namespace
}  // namespace vantage::gpu
