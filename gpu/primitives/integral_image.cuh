// Integral images on a GPU. Contract (forms, types, wrapping, errors): core/primitives/integral_image.h.
//
// single_pass (ours, the one that IntegralImage takes) reads every input element once and writes every output
// element once. The picture is cut into tiles (integral_single_pass.cu: 64 to 256 rows, 128 or 256 columns,
// by size and type); each block draws one and keeps it in registers, bytes of large tiles in part in shared
// memory, elements as wide as their sums as the tile's own integral image (integral_packed_elements.cuh,
// integral_summed_elements.cuh). It publishes the sums of its rows, of its columns and of all of it, and adds
// up those of the tiles to its left, above it, and above and to the left, for which each thread asks all at
// once. Of large pictures a few rows and columns of tiles make a group, whose last tiles hand on what has
// been summed up to there, and tiles are drawn by diagonals, so that what a tile waits for is mostly there
// (integral_plan.cuh, integral_exchange.cuh). Tiles are of the input; exclusive sums go out a row down and a
// column to the right (integral_row_writer.cuh).
//
//   A published number carries the launch's number in the same 64-bit word, so it needs no fence, no flag and
//   no clearing between launches; 8-byte sums travel as two such words, two sums of bytes as one. Of u8 -> 32
//   bit 0.6 to 2 % more bytes are published than are read and written. Order of f32 and f64 additions: it
//   depends on the sizes alone.
//   Progress: a tile waits only for tiles that were drawn before it, by blocks that run, whatever else runs
//   on the device. Tiles are drawn, and the input of the first of them asked for, while the kernel before
//   still works (gpu/runtime/overlap.cuh).
//
// The other three algorithms are published ones, kept beside it as what it is measured against
// (published/integral.cuh).
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "core/primitives/integral_image.h"

namespace vantage::gpu {

// Scratch memory, the caller's; aligned to 256 bytes. It serves one launch at a time.
size_t integral_scratch_bytes(const IntegralRequest& request, IntegralAlgorithm algorithm);

// Once before the first use of a scratch, and again whenever anything of the request but the addresses
// changes. Enqueued.
cudaError_t integral_prepare_scratch(cudaStream_t stream, const IntegralRequest& request,
                                     IntegralAlgorithm algorithm, void* scratch);

// Enqueues the whole batch; the request holds device addresses and has passed check_integral_request(). May
// be captured into a graph.
cudaError_t integral_image(cudaStream_t stream, const IntegralRequest& request, IntegralAlgorithm algorithm,
                           WarpScan scan, void* scratch);

namespace integral {
size_t single_pass_scratch_bytes(const IntegralRequest& request);
cudaError_t run_single_pass(cudaStream_t stream, const IntegralRequest& request, void* scratch);
}  // namespace integral

}  // namespace vantage::gpu
