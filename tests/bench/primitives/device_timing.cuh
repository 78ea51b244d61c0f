// Times on a GPU: a graph of launches, replayed, by events. Every CUDA error ends the program.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "gpu/runtime/work.h"

namespace vantage::bench {

inline void require(cudaError_t code, const char* what) {
  if (code == cudaSuccess) return;
  std::fprintf(stderr, "primitives_bench: %s: %s\n", what, cudaGetErrorString(code));
  std::exit(1);
}

template <typename T>
T required(Result<T> result) {
  if (!result) {
    std::fprintf(stderr, "primitives_bench: %s\n", result.error().message().c_str());
    std::exit(1);
  }
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}

// False, saying why, where no GPU can be used.
inline bool device_answers() {
  int count = 0;
  const cudaError_t code = cudaGetDeviceCount(&count);
  if (code != cudaSuccess || count == 0)
    std::printf("# no GPU measured: %s\n", code != cudaSuccess ? cudaGetErrorString(code) : "no device");
  return code == cudaSuccess && count > 0;
}

class DeviceArray {
 public:
  explicit DeviceArray(size_t bytes) : bytes_(bytes) {
    require(cudaMalloc(&data_, std::max<size_t>(bytes, 1)), "cudaMalloc");
  }
  ~DeviceArray() { cudaFree(data_); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  unsigned char* data() const { return static_cast<unsigned char*>(data_); }
  size_t bytes() const { return bytes_; }

 private:
  void* data_ = nullptr;
  size_t bytes_;
};

// The device that is measured, with a stream.
struct Gpu {
  std::shared_ptr<gpu::Context> context;
  std::unique_ptr<gpu::Stream> stream;

  static const Gpu& get() {
    static auto* const gpu = new Gpu(make());  // kept: at the program's end the CUDA runtime goes first
    return *gpu;
  }

 private:
  static Gpu make() {
    Gpu gpu;
    gpu.context = required(gpu::Context::get(0));
    gpu.stream = required(gpu::Stream::make(gpu.context, "bench", nullptr));
    return gpu;
  }
};

// Calls enqueue(Work&) and waits for what it has enqueued.
template <typename F>
void run_and_wait(const F& enqueue) {
  const Gpu& gpu = Gpu::get();
  const gpu::EventRef done = required(gpu.context->run([&]() -> Result<gpu::EventRef> {
    gpu::Work work(*gpu.stream, {});
    VANTAGE_TRY(enqueue(work));
    VANTAGE_TRY(work.finish());
    return work.done();
  }));
  required(gpu.context->wait(done));
}

// Milliseconds of eight replays of a graph, after the first.
inline std::vector<double> replay_times_ms(cudaStream_t stream, cudaGraphExec_t ready) {
  cudaEvent_t start = nullptr, end = nullptr;
  require(cudaEventCreate(&start), "event");
  require(cudaEventCreate(&end), "event");
  std::vector<double> times;
  for (int replay = 0; replay < 8; ++replay) {
    require(cudaEventRecord(start, stream), "record");
    require(cudaGraphLaunch(ready, stream), "replay");
    require(cudaEventRecord(end, stream), "record");
    require(cudaEventSynchronize(end), "replay");
    float ms = 0;
    require(cudaEventElapsedTime(&ms, start, end), "time");
    if (replay > 0) times.push_back(ms);
  }
  cudaEventDestroy(start);
  cudaEventDestroy(end);
  return times;
}

// call(work, i) enqueues one run on the i-th of `sets` sets of buffers, which together are larger than the
// cache where one would stay in it. Returns the median of the replays, a run.
template <typename F>
double device_time_us(const F& call, int sets, int runs) {
  const Gpu& gpu = Gpu::get();
  std::vector<double> times;
  required(gpu.context->run([&]() -> Status {
    gpu::Work work(*gpu.stream, {});
    cudaStream_t stream = gpu.stream->handle();
    for (int i = 0; i < 2; ++i) VANTAGE_TRY(call(work, i % sets));
    require(cudaStreamSynchronize(stream), "first runs");
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t ready = nullptr;
    require(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "capture");
    for (int i = 0; i < runs; ++i) VANTAGE_TRY(call(work, i % sets));
    require(cudaStreamEndCapture(stream, &graph), "end of capture");
    require(cudaGraphInstantiate(&ready, graph, 0), "graph");
    times = replay_times_ms(stream, ready);
    cudaGraphExecDestroy(ready);
    cudaGraphDestroy(graph);
    return work.finish();
  }));
  std::nth_element(times.begin(), times.begin() + static_cast<long>(times.size() / 2), times.end());
  return 1000.0 * times[times.size() / 2] / runs;
}

}  // namespace vantage::bench
