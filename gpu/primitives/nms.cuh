// Non-maximum suppression on a GPU. Contract (methods, ties, invalid boxes): core/primitives/nms.h.
//
// Exact greedy without sorting rounds: a box waits until one box that comes before it and overlaps it has
// stayed (then it goes) or all of them are gone (then it stays). Decisions are published as they fall, so a
// chain of decisions costs one exchange through the L2 cache a link, and boxes without better neighbours
// none.
//   dense (up to 2048 boxes): one cooperative launch. Every block keeps all boxes in shared memory; a warp
//     tests one or two boxes against all others into bit masks in registers, then waits on those bits; the
//     block that finishes last writes the list. n^2 tests of about 20
//     operations, plus one launch and one exchange a link.
//   indexed (any number): one cooperative launch. Boxes go into the cells of nms_grid.h, in no order; a warp
//     tests a box against its neighbours alone, remembers the better ones that overlap it and waits for
//     those, taking its next box meanwhile. All blocks run at the same time, so the boxes need no order and
//     nothing is sorted.
// Map-reduce: the published rule, a warp a box, for any number of boxes; the published kernels are beside it
// (published/nms_mapreduce.cuh). Soft-NMS: one block, one box after the other.
//
// Everything is enqueued, nothing returns to the host; the list is ascending. Boxes must be aligned to 8
// bytes.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "core/primitives/nms_rule.h"

namespace vantage::gpu {

struct NmsOutput {
  int32_t* kept;   // n entries of room
  int32_t* count;  // one entry
  float* scores;   // n entries: score of each kept box; may be null except for Soft-NMS
};

enum class GreedyVariant : uint8_t { automatic, dense, indexed };
inline constexpr int kDenseNmsLimit = 2048;  // above, the index is faster

// Scratch memory, the caller's; aligned to 256 bytes, zeroed once (nms_prepare_scratch) and serving one
// launch at a time; every launch leaves it ready for the next of the same method with any number of boxes up
// to the one it was sized for.
size_t greedy_nms_scratch_bytes(int most_boxes);
cudaError_t nms_prepare_scratch(cudaStream_t stream, void* scratch, size_t bytes);

// n: 0 to 65,536.
cudaError_t greedy_nms(cudaStream_t stream, const Detection* boxes, int n, const NmsRule& rule,
                       const NmsOutput& output, void* scratch, size_t scratch_bytes, GreedyVariant variant);

size_t mapreduce_nms_scratch_bytes(int most_boxes);
cudaError_t mapreduce_nms(cudaStream_t stream, const Detection* boxes, int n, const NmsRule& rule,
                          const NmsOutput& output, void* scratch);

struct SoftNms {
  NmsRule rule;
  bool gaussian;
  float sigma, min_score;
};
size_t soft_nms_scratch_bytes(int most_boxes);
cudaError_t soft_nms(cudaStream_t stream, const Detection* boxes, int n, const SoftNms& options,
                     const NmsOutput& output, void* scratch);

namespace nms {
bool dense_fits(int n);  // on the current device
size_t dense_scratch_bytes(int most_boxes);
cudaError_t run_dense(cudaStream_t stream, const Detection* boxes, int n, const NmsRule& rule,
                      const NmsOutput& output, void* scratch);
size_t indexed_scratch_bytes(int most_boxes);
cudaError_t run_indexed(cudaStream_t stream, const Detection* boxes, int n, const NmsRule& rule,
                        const NmsOutput& output, void* scratch, size_t scratch_bytes);
// The indices whose flag is 1, ascending, with the boxes' scores (or those given).
cudaError_t compact(cudaStream_t stream, const uint8_t* flags, int n, const Detection* boxes,
                    const float* scores, const NmsOutput& output);
}  // namespace nms

}  // namespace vantage::gpu
