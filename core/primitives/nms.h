// Non-maximum suppression: of detections that overlap, the best one stays. Definitions, sources and cost:
// resources/docs/algorithms/non-maximum-suppression.md.
//
//   greedy      by falling scores (equal: the smaller index first) a box stays unless a box that has stayed
//               overlaps it by more than the threshold (`inclusive`: by at least it)
//   map-reduce  D. Oro et al., Algorithm 1: i goes if any j of higher score has A(i and j) / A(j) >=
//               threshold, whether or not j stays; equal scores both stay; a box covers x to x + w inclusive
//   soft        N. Bodla et al., "Soft-NMS", ICCV 2017; a box's new score is the one it is taken with
//
// Boxes need no order. What is not a detection (NaN in any number, a negative size, a corner outside +-1e15)
// is never kept and suppresses nothing. Infinite scores are ordered like any other. Boxes that do not
// intersect never suppress each other, not even at threshold 0 inclusive. CPU and CUDA agree on every input
// for greedy and map-reduce; soft scores agree to 1e-5 relative per suppressor as long as no two scores come
// closer than that. Memory O(n).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/image/backend/registry.h"
#include "core/primitives/nms_rule.h"

namespace vantage {

enum class NmsMethod : uint8_t { greedy, mapreduce, soft_linear, soft_gaussian };

struct NmsOptions {
  NmsMethod method = NmsMethod::greedy;
  NmsRule rule;
  float sigma = 0.5f;        // Gaussian Soft-NMS
  float min_score = 0.001f;  // Soft-NMS: boxes whose score falls below are dropped
  // Map-reduce on a GPU: above 0 by the published kernels, a matrix of all pairs of which each row is reduced
  // in so many partitions. 0: without a matrix, which keeps the same boxes in less time and memory.
  int partitions = 0;
};

// The map-reduce method as published.
inline NmsOptions published_nms(float threshold) {
  return {NmsMethod::mapreduce, {NmsOverlap::other, threshold, true, true, 1.0f}};
}

inline constexpr int kNmsMaxDetections = 1 << 20;  // on the CPU
inline constexpr int kNmsMaxDetectionsCuda = 1 << 16;

// Limit of the published map-reduce kernels: a byte a pair, and a block of a partition's threads, at most
// 1024.
inline constexpr int kMapReduceNmsMaxDetections = 1 << 15;
inline constexpr int kMapReduceNmsMaxPartitions = 1024;
constexpr int mapreduce_nms_min_partitions(int detections) {
  return detections <= 1024 ? 1 : (detections + 1023) / 1024;
}

struct NmsResult {
  std::vector<int32_t> kept;  // ascending
  std::vector<float> scores;  // of the kept ones; changed by Soft-NMS only
};

// threads: for map-reduce, 0 = as many as oneTBB allows; the other methods use the caller's thread alone.
// Errors: invalid_argument for too many detections, a threshold that is not a number, sigma not above 0,
// partitions below 0, above kMapReduceNmsMaxPartitions or with another method than map-reduce; unsupported
// for partitions, which only the published kernels have.
Result<NmsResult> non_maximum_suppression_cpu(std::span<const Detection> detections,
                                              const NmsOptions& options, int threads = 0);
Status check_nms_request(size_t count, size_t limit, const NmsOptions& options);

// Host memory in and out on every device; the CUDA implementation copies, which is two copies on top of the
// kernels' time. Code that has its boxes on the device calls gpu/primitives/nms_kernels.h.
class NonMaximumSuppression {
 public:
  static constexpr std::string_view kAlgorithm = "non-maximum suppression";
  struct Arguments {};
  virtual ~NonMaximumSuppression() = default;
  virtual Result<NmsResult> run(std::span<const Detection> detections, const NmsOptions& options) = 0;
};

}  // namespace vantage
