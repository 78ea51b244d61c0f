// Times on a GPU: a graph of launches, replayed, by events. Every CUDA error ends the program.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace vantage::bench {

inline void require(cudaError_t code, const char* what) {
  if (code == cudaSuccess) return;
  std::fprintf(stderr, "primitives_bench: %s: %s\n", what, cudaGetErrorString(code));
  std::exit(1);
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

// call(stream, i) enqueues one run on the i-th of `sets` sets of buffers, which together are larger than the
// cache where one would stay in it. Returns the median of the replays, a run.
template <typename F>
double device_time_us(const F& call, int sets, int runs) {
  cudaStream_t stream = nullptr;
  require(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "stream");
  for (int i = 0; i < 2; ++i) call(stream, i % sets);
  require(cudaStreamSynchronize(stream), "first runs");
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t ready = nullptr;
  require(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "capture");
  for (int i = 0; i < runs; ++i) call(stream, i % sets);
  require(cudaStreamEndCapture(stream, &graph), "end of capture");
  require(cudaGraphInstantiate(&ready, graph, 0), "graph");
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
    if (replay > 0) times.push_back(1000.0 * ms / runs);
  }
  cudaEventDestroy(start);
  cudaEventDestroy(end);
  cudaGraphExecDestroy(ready);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
  std::nth_element(times.begin(), times.begin() + static_cast<long>(times.size() / 2), times.end());
  return times[times.size() / 2];
}

}  // namespace vantage::bench
