// Integral images as published: P. Chen et al., "Efficient Algorithms for the Summed Area Tables Primitive on
// GPUs", section IV. ScanRow-BRLT and BRLT-ScanRow are each the same kernel twice, transposing through shared
// memory; ScanRowColumn sums rows, then columns. Warps scan as Kogge and Stone or as Ladner and Fischer do;
// BRLT-ScanRow scans serially. They write and read an intermediate of the output's size: 13, 16 and 32 bytes
// a pixel for u8 -> 32 bit, 32 -> 32 bit and f64, where a single pass moves 5, 8 and 16. u8 -> f32 keeps the
// intermediate as exact integers. Contract (forms, types, wrapping, errors):
// core/primitives/integral_image.h.
#pragma once

#include <cstddef>

#include "core/primitives/integral_image.h"
#include "gpu/runtime/work.h"

namespace vantage::gpu::published {

// Scratch memory, the caller's; aligned to 256 bytes. It serves one launch at a time and needs no
// preparation.
size_t integral_scratch_bytes(const IntegralRequest& request, IntegralAlgorithm algorithm);

// Enqueues the whole batch; the request holds device addresses and has passed check_integral_request().
// `algorithm` is not single_pass. passes: 1 the first, 2 the second, 3 both; one alone is for measuring it.
Status enqueue_integral_image(Work& work, const IntegralRequest& request, IntegralAlgorithm algorithm,
                              WarpScan scan, void* scratch, unsigned passes = 3);

}  // namespace vantage::gpu::published
