// Non-maximum suppression on a GPU: exact greedy, the published kernels over k and n, and Soft-NMS.
#include <string>

#include "gpu/primitives/nms_kernels.h"
#include "gpu/primitives/published/nms_mapreduce.h"
#include "tests/bench/primitives/device_timing.cuh"
#include "tests/bench/primitives/report.h"
#include "tools/bench/boxes.h"

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
  run_and_wait([&](gpu::Work& work) { return work.set_zero(scratch.data(), scratch.bytes()); });
  const double time = device_time_us(
      [&](gpu::Work& work, int) { return call(work, scratch.data(), scratch_bytes); }, 1, runs);
  report.add({"non-maximum suppression, CUDA", "n = " + std::to_string(boxes.size()),
              method + ", keeps " + std::to_string(boxes.kept()), time, 0});
}

void measure_greedy(Report& report, const Boxes& boxes) {
  const NmsRule rule;
  for (const auto& [variant, name] : {std::pair{gpu::GreedyVariant::automatic, "greedy"},
                                      std::pair{gpu::GreedyVariant::indexed, "greedy, indexed"}})
    measure(report, boxes, name, gpu::greedy_nms_scratch_bytes(boxes.size()), 20,
            [&](gpu::Work& work, void* scratch, size_t bytes) {
              return gpu::enqueue_greedy_nms(work, boxes.data(), boxes.size(), rule, boxes.output(), scratch,
                                             bytes, variant);
            });
}

int runs_of(const Boxes& boxes) {
  return boxes.size() > 20000 ? 3 : 10;
}

void measure_mapreduce(Report& report, const Boxes& boxes) {
  const NmsRule rule = published_nms(0.5f).rule;
  measure(report, boxes, "map-reduce, no matrix", gpu::mapreduce_nms_scratch_bytes(boxes.size()),
          runs_of(boxes), [&](gpu::Work& work, void* scratch, size_t) {
            return gpu::enqueue_mapreduce_nms(work, boxes.data(), boxes.size(), rule, boxes.output(),
                                              scratch);
          });
}

// The published kernels together and each alone. What is reduced alone is the matrix that the last map left.
void measure_published(Report& report, const Boxes& boxes, int k) {
  using gpu::published::MapReduceSteps;
  if (boxes.size() > kMapReduceNmsMaxDetections || k < mapreduce_nms_min_partitions(boxes.size())) return;
  const NmsRule rule = published_nms(0.5f).rule;
  const size_t bytes = gpu::published::mapreduce_nms_scratch_bytes(boxes.size(), k);
  const DeviceArray scratch(bytes);
  for (const auto& [steps, name] :
       {std::pair{MapReduceSteps::both, ""}, std::pair{MapReduceSteps::map, ", map"},
        std::pair{MapReduceSteps::reduce, ", reduce"}}) {
    const std::string method = "map-reduce, k = " + std::to_string(k) + name;
    const double time = device_time_us(
        [&](gpu::Work& work, int) {
          return gpu::published::enqueue_mapreduce_nms(work, boxes.data(), boxes.size(), rule, boxes.output(),
                                                       scratch.data(), k, steps);
        },
        1, runs_of(boxes));
    report.add({"non-maximum suppression, CUDA", "n = " + std::to_string(boxes.size()),
                steps == MapReduceSteps::map ? method : method + ", keeps " + std::to_string(boxes.kept()),
                time, 0});
  }
}

void measure_soft(Report& report, const Boxes& boxes, bool gaussian) {
  const gpu::SoftNms options{{}, gaussian, 0.5f, 0.001f};
  measure(report, boxes, gaussian ? "soft, Gaussian" : "soft, linear",
          gpu::soft_nms_scratch_bytes(boxes.size()), 2, [&](gpu::Work& work, void* scratch, size_t) {
            return gpu::enqueue_soft_nms(work, boxes.data(), boxes.size(), options, boxes.output(), scratch);
          });
}

}  // namespace

void measure_nms_cuda(Report& report) {
  if (!device_answers()) return;
  for (const int n : {200, 1027, 2895, 4096, 10000, 32768, 65536}) {
    const Boxes boxes(n);
    measure_greedy(report, boxes);
    for (const int k : {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024}) measure_published(report, boxes, k);
    measure_mapreduce(report, boxes);
    if (n <= 3000) {
      measure_soft(report, boxes, false);
      measure_soft(report, boxes, true);
    }
  }
}

}  // namespace vantage::bench
