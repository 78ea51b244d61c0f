// A sticky error loses the device for the rest of the process, hence a program of its own; only one of the
// tests that lose it can run in a process. Not for compute-sanitizer: the error is the point.
#include <functional>

#include "core/results/results_reader.h"
#include "core/results/results_writer.h"
#include "core/run/analysis.h"
#include "gpu/runtime/work.h"
#include "tests/gpu/device.h"
#include "tests/gpu/kernels.h"
#include "tests/support/data.h"
#include "tests/unit/pipeline/footage.h"

namespace vantage::gpu {
namespace {

constexpr int64_t kFrames = 60, kTrouble = 20;

struct EndedRun {
  Status status;
  int64_t written = 0;
  StoredResults stored;
};

// What `vantage-cli run` does on the GPU; `trouble` is made when that many frames are written.
void run_into_trouble(const std::function<void()>& trouble, EndedRun* ended) {
  const vantage::test::TemporaryFolder folder;
  const Project project = vantage::test::make_footage(folder.path(), 3, kFrames);
  BackendRegistry backends;
  register_cuda_backends(backends);
  AnalysisOptions options;
  options.backends = {&backends, Device::cuda};
  options.pipeline.cache_bytes = 0;
  const auto analysis = Analysis::open(project, options);
  ASSERT_TRUE(analysis) << analysis.error().message();
  RunDescription run;
  run.device = Device::cuda;
  run.frame_rate = (*analysis)->source().frame_rate();
  for (int i = 0; i < (*analysis)->source().camera_count(); ++i)
    run.videos.push_back((*analysis)->source().info(i));
  run.grid = *(*analysis)->grid();
  run.coverage = *(*analysis)->coverage();
  run.transfer = backends.create<MemoryTransfer>(Device::cuda, {}, {}).value();
  auto writer = ResultsWriter::open(project.results_folder(), project, run);
  ASSERT_TRUE(writer) << writer.error().message();
  std::vector<FrameResultRef> held;  // so that no frame can do with another's memory
  ended->status = (*analysis)->pipeline().analyse({0, kFrames}, ExecutionMode::threaded,
                                                  [&](const FrameResultRef& result) {
                                                    const Status written = (*writer)->write(*result);
                                                    held.push_back(result);
                                                    if (written && ++ended->written == kTrouble) trouble();
                                                    return written.has_value();
                                                  },
                                                  {});
  ASSERT_TRUE((*writer)->finish(nullptr));
  const auto stored = read_results(project.results_folder());
  ASSERT_TRUE(stored) << stored.error().message();
  ended->stored = *stored;
}

void expect_complete(const EndedRun& run) {
  EXPECT_GE(run.written, kTrouble);
  EXPECT_LT(run.written, kFrames);
  ASSERT_EQ(run.stored.frames.size(), static_cast<size_t>(run.written));
  for (int64_t frame = 0; frame < run.written; ++frame)
    EXPECT_EQ(run.stored.frames[static_cast<size_t>(frame)].frame, frame);
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
  EndedRun run;
  run_into_trouble(take_all, &run);
  if (HasFatalFailure()) return;
  ASSERT_FALSE(run.status);
  EXPECT_EQ(run.status.error().kind, ErrorKind::out_of_memory) << run.status.error().message();
  EXPECT_FALSE(run.status.error().remedy.empty());
  expect_complete(run);
  taken.clear();
  context->device_pool().trim();
  EndedRun again;  // the device itself is as good as before
  run_into_trouble([] {}, &again);
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
  EndedRun run;
  run_into_trouble(crash, &run);
  if (HasFatalFailure()) return;
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
