// The kernels of non-maximum suppression on a GPU; contract (methods, ties, invalid boxes):
// core/primitives/nms.h. How they work: resources/docs/algorithms/non-maximum-suppression.md. On the
// submission thread. Nothing returns to the host; the list of kept boxes is ascending. Boxes must be aligned
// to 8 bytes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/primitives/nms_rule.h"
#include "gpu/runtime/work.h"

namespace vantage::gpu {

struct NmsOutput {
  int32_t* kept;   // n entries of room
  int32_t* count;  // one entry
  float* scores;   // n entries: score of each kept box; may be null except for Soft-NMS
};

enum class GreedyVariant : uint8_t { automatic, dense, indexed };
inline constexpr int kDenseNmsLimit = 2048;  // above, the index is faster

// Scratch memory, the caller's; aligned to 256 bytes, zeroed once and serving one launch at a time; every
// launch leaves it ready for the next of the same method with any number of boxes up to the one it was sized
// for.
size_t greedy_nms_scratch_bytes(int max_boxes);

// n: 0 to 65,536. ErrorKind::unsupported where the device or `variant` does not take so many.
Status enqueue_greedy_nms(Work& work, const Detection* boxes, int n, const NmsRule& rule,
                          const NmsOutput& output, void* scratch, size_t scratch_bytes,
                          GreedyVariant variant = GreedyVariant::automatic);

// The published rule without a matrix, for any number of boxes.
size_t mapreduce_nms_scratch_bytes(int max_boxes);
Status enqueue_mapreduce_nms(Work& work, const Detection* boxes, int n, const NmsRule& rule,
                             const NmsOutput& output, void* scratch);

struct SoftNms {
  NmsRule rule;
  bool gaussian;
  float sigma, min_score;
};
size_t soft_nms_scratch_bytes(int max_boxes);
Status enqueue_soft_nms(Work& work, const Detection* boxes, int n, const SoftNms& options,
                        const NmsOutput& output, void* scratch);

namespace nms {
bool dense_fits(const DeviceLimits& limits, int n);
size_t dense_scratch_bytes();
Status enqueue_dense(Work& work, const Detection* boxes, int n, const NmsRule& rule, const NmsOutput& output,
                     void* scratch);
size_t indexed_scratch_bytes(int max_boxes);
Status enqueue_indexed(Work& work, const Detection* boxes, int n, const NmsRule& rule,
                       const NmsOutput& output, void* scratch, size_t scratch_bytes);
// compact_flags: the indices whose flag is 1, ascending, with the boxes' scores (or those given).
Status enqueue_compact(Work& work, const uint8_t* flags, int n, const Detection* boxes, const float* scores,
                       const NmsOutput& output);
}  // namespace nms

}  // namespace vantage::gpu
