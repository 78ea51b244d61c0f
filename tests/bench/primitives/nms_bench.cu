// Non-maximum suppression on a GPU: exact greedy, the published kernels over k and n, and Soft-NMS.
#include <string>

#include "app/cli/bench/boxes.h"
#include "gpu/primitives/nms.cuh"
#include "tests/bench/primitives/device_timing.cuh"
#include "tests/bench/primitives/report.h"

namespace vantage::bench {
namespace {

// One list of boxes on the device and room for the result.
class Boxes {
 public:
  explicit Boxes(int n)
      : n_(n),
        boxes_(static_cast<size_t>(n) * sizeof(Detection)),
        kept_(static_cast<size_t>(n) * sizeof(int32_t)),
        scores_(static_cast<size_t>(n) * sizeof(float)),
        count_(sizeof(int32_t)) {
    const std::vector<Detection> host = cli::clustered_boxes(n);
    require(cudaMemcpy(boxes_.data(), host.data(), boxes_.bytes(), cudaMemcpyHostToDevice), "upload");
  }
  const Detection* data() const { return reinterpret_cast<const Detection*>(boxes_.data()); }
  int size() const { return n_; }
  gpu::NmsOutput output() const {
    return {reinterpret_cast<int32_t*>(kept_.data()), reinterpret_cast<int32_t*>(count_.data()),
            reinterpret_cast<float*>(scores_.data())};
  }
  int kept() const {
    int32_t count = 0;
    require(cudaMemcpy(&count, count_.data(), sizeof(count), cudaMemcpyDeviceToHost), "count");
    return count;
  }

 private:
  int n_;
  DeviceArray boxes_, kept_, scores_, count_;
};

template <typename F>
void measure(Report& report, const Boxes& boxes, const std::string& method, size_t scratch_bytes, int runs,
             const F& call) {
  const DeviceArray scratch(scratch_bytes);
  require(gpu::nms_prepare_scratch(nullptr, scratch.data(), scratch_bytes), "prepare");
  require(cudaDeviceSynchronize(), "prepare");
  const double time = device_time_us(
      [&](cudaStream_t stream, int) { require(call(stream, scratch.data(), scratch_bytes), method.c_str()); },
      1, runs);
  report.add({"non-maximum suppression, CUDA", "n = " + std::to_string(boxes.size()),
              method + ", keeps " + std::to_string(boxes.kept()), time, 0});
}

void measure_greedy(Report& report, const Boxes& boxes) {
  const NmsRule rule;
  for (const auto& [variant, name] : {std::pair{gpu::GreedyVariant::automatic, "greedy"},
                                      std::pair{gpu::GreedyVariant::indexed, "greedy, indexed"}})
    measure(report, boxes, name, gpu::greedy_nms_scratch_bytes(boxes.size()), 20,
            [&](cudaStream_t stream, void* scratch, size_t bytes) {
              return gpu::greedy_nms(stream, boxes.data(), boxes.size(), rule, boxes.output(), scratch, bytes,
                                     variant);
            });
}

void measure_mapreduce(Report& report, const Boxes& boxes, int k) {
  const NmsRule rule = published_nms(0.5f).rule;
  const std::string name = k < 0 ? "map-reduce, no matrix" : "map-reduce, k = " + std::to_string(k);
  measure(report, boxes, name, gpu::mapreduce_nms_scratch_bytes(boxes.size(), k),
          boxes.size() > 20000 ? 3 : 10, [&](cudaStream_t stream, void* scratch, size_t) {
            return gpu::mapreduce_nms(stream, boxes.data(), boxes.size(), rule, boxes.output(), scratch, k);
          });
}

void measure_soft(Report& report, const Boxes& boxes, bool gaussian) {
  const gpu::SoftNms options{{}, gaussian, 0.5f, 0.001f};
  measure(report, boxes, gaussian ? "soft, Gaussian" : "soft, linear",
          gpu::soft_nms_scratch_bytes(boxes.size()), 2, [&](cudaStream_t stream, void* scratch, size_t) {
            return gpu::soft_nms(stream, boxes.data(), boxes.size(), options, boxes.output(), scratch);
          });
}

}  // namespace

void measure_nms_cuda(Report& report) {
  if (!device_answers()) return;
  for (const int n : {200, 1027, 2895, 4096, 10000, 32768, 65536}) {
    const Boxes boxes(n);
    measure_greedy(report, boxes);
    for (const int k : {32, 64, 128, 256, 512, 1024})
      if (n <= gpu::kMapReduceLimit) measure_mapreduce(report, boxes, k);
    measure_mapreduce(report, boxes, -1);
    if (n <= 3000) {
      measure_soft(report, boxes, false);
      measure_soft(report, boxes, true);
    }
  }
}

}  // namespace vantage::bench
