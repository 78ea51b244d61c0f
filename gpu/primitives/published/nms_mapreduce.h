// Map-reduce non-maximum suppression as published: D. Oro, C. Fernandez, X. Martorell, J. Hernando,
// "Work-Efficient Parallel Non-Maximum Suppression Kernels". A Boolean matrix of all pairs (Algorithm 1,
// map), reduced by __syncthreads_and in k partitions a row (Algorithm 2). Rule and contract:
// core/primitives/nms.h; the same rule without a matrix, for more boxes and faster: nms_kernels.h.
#pragma once

#include "core/primitives/nms.h"
#include "gpu/primitives/nms_kernels.h"

namespace vantage::gpu::published {

// A byte a pair, and room for the list's flags; the caller's, aligned to 256 bytes. It serves one launch at a
// time and needs no preparation.
size_t mapreduce_nms_scratch_bytes(int n, int partitions);

enum class MapReduceSteps : uint8_t { both, map, reduce };  // one alone is for measuring it

// partitions (k): each row of the matrix is reduced in k steps by a block of n / k threads. n: 0 to
// kMapReduceNmsMaxDetections; k: from mapreduce_nms_min_partitions(n) on. map_pairs fills the matrix,
// reduce_rows and compact_flags write the list.
Status enqueue_mapreduce_nms(Work& work, const Detection* boxes, int n, const NmsRule& rule,
                             const NmsOutput& output, void* scratch, int partitions,
                             MapReduceSteps steps = MapReduceSteps::both);

}  // namespace vantage::gpu::published
