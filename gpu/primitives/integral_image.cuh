// Integral images on a GPU. Contract (forms, types, wrapping, errors): core/primitives/integral_image.h.
//
// single_pass (ours) reads every input element once and writes every output element once. The picture is cut
// into tiles of 64 rows and 256 (outputs of 4 bytes) or 128 (8 bytes) columns, taken in row-major order from
// a counter by blocks that stay. A tile needs two things from others: for each of its rows the sum of the row
// to its left, and for each of its columns the value of J just above. It publishes its own row sums as soon
// as it has them, and adds up those of the tiles to its left (no chain: one exchange). With the row sums
// known it publishes, for each column, the sum over its own rows of everything up to that column; J above is
// the sum of these over the tiles above in the same group of 8 tile rows, plus J at the end of the group
// before, which the last tile of each group publishes (a chain of height / 512 links). In small pictures the
// column sums are published without the part to the left, which comes from the tile totals: one exchange in
// all. The next tile's input is on its way (asynchronous copy) while a tile waits for its neighbours.
//
//   Bytes beside one read and one write: (rows + columns) * 8 of each tile, 3 % for u8 -> 32 bit; reads of
//   published sums, 64 * tiles_left * 8 + 256 * 4.5 * 8 a tile on average, come from the L2 cache.
//   A published number carries the launch's number in the same 64-bit word, so it needs no fence, no flag and
//   no clearing between launches; 8-byte sums travel as two such words.
//   Order of f32 and f64 additions: inside a tile 4 (2) columns, 32 lanes by doubling, 2 halves, then 4 rows,
//   16 warps; row sums of the tiles to the left in 8 interleaved parts, each from the left; the columns'
//   parts from above in 2 (4) interleaved parts. It depends on the sizes alone. Progress: a tile waits only
//   for tiles of smaller number, and the smallest unfinished number is always being worked on by a running
//   block, whatever else runs on the device. Needs compute capability 7.0 and 100 KB of shared memory a
//   block; else use scan_row_column.
//
// two_reads (ours) reads the input twice and waits for nobody: one launch sums the rows and columns of tiles
// of 32 rows and 512 (outputs of 4 bytes) or 256 (8 bytes) columns, one adds up the columns' sums over the
// tiles above, one reads the input again and writes the output. For bytes the second read is a fifth of the
// traffic, and of a picture that fits the L2 cache it costs nothing; large pictures gain more by it than
// single_pass does by its one read, pictures of bytes already from about 2500 x 2500 on. Order of f32 and f64 additions: it depends on the sizes alone.
// integral_algorithm_for() chooses.
//
// The other three are the published ones: P. Chen et al., "Efficient Algorithms for the Summed Area Tables
// Primitive on GPUs", section IV: ScanRow-BRLT, BRLT-ScanRow (each the same kernel twice, transposing through
// shared memory) and ScanRowColumn, with Kogge-Stone or Ladner-Fischer warp scans (BRLT-ScanRow scans
// serially). They write and read an intermediate of the output's size: 13, 16 and 32 bytes a pixel for u8 ->
// 32 bit, 32 -> 32 bit and f64 instead of 5, 8 and 16. u8 -> f32 keeps the intermediate as exact integers.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "core/primitives/integral_image.h"

namespace vantage::gpu {

enum class IntegralAlgorithm : uint8_t {
  single_pass,
  two_reads,
  scan_row_brlt,
  brlt_scan_row,
  scan_row_column
};
enum class WarpScan : uint8_t { kogge_stone, ladner_fischer };

// Scratch memory, the caller's; aligned to 256 bytes. It serves one launch at a time.
size_t integral_scratch_bytes(const IntegralRequest& request, IntegralAlgorithm algorithm);

// Once before the first use of a scratch, and again whenever anything of the request but the addresses
// changes. Enqueued.
cudaError_t integral_prepare_scratch(cudaStream_t stream, const IntegralRequest& request,
                                     IntegralAlgorithm algorithm, void* scratch);

// The fastest that this device can run, as measured on an H200.
IntegralAlgorithm integral_algorithm_for(int device, const IntegralRequest& request);

// Enqueues the whole batch; the request holds device addresses and has passed check_integral_request(). May
// be captured into a graph.
cudaError_t integral_image(cudaStream_t stream, const IntegralRequest& request, IntegralAlgorithm algorithm,
                           WarpScan scan, void* scratch);

namespace integral {
// The three files behind it.
size_t single_pass_scratch_bytes(const IntegralRequest& request);
size_t single_pass_shared_bytes(const IntegralRequest& request);
cudaError_t run_single_pass(cudaStream_t stream, const IntegralRequest& request, void* scratch);
size_t two_reads_scratch_bytes(const IntegralRequest& request);
cudaError_t run_two_reads(cudaStream_t stream, const IntegralRequest& request, void* scratch);
size_t published_scratch_bytes(const IntegralRequest& request, IntegralAlgorithm algorithm);
// passes: 1 the first, 2 the second, 3 both; one alone is for measuring it.
cudaError_t run_published(cudaStream_t stream, const IntegralRequest& request, IntegralAlgorithm algorithm,
                          WarpScan scan, void* scratch, unsigned passes = 3);
}  // namespace integral

}  // namespace vantage::gpu
