#include "gpu/occupancy/occupancy_kernels.h"

namespace vantage::gpu::occupancy {
namespace {

constexpr int kThreads = 128;

LaunchGrid grid_of(int64_t things) {
  return {dim3(blocks_for(things, kThreads)), dim3(kThreads)};
}

__device__ bool nothing_moves(const Scene& scene, int iteration) {
  return iteration > 0 &&
         __longlong_as_double(static_cast<long long>(scene.moved[iteration - 1])) <= Marginals::kStill;
}

__device__ void draw(const Scene& scene, int cell, double q) {
  const double log_empty = rint(log1p(-q) / marginals::kLogUnit);
  for (int c = 0; c < scene.cameras; ++c) {
    const BodyRectangle r = scene.rectangles[static_cast<int64_t>(c) * scene.cells + cell];
    if (!scene.masks[c].data || r.x0 >= r.x1 || r.y0 >= r.y1) continue;
    double* steps = scene.steps + static_cast<int64_t>(c) * scene.height * scene.width;
    const auto add = [&](int x, int y, double value) {
      if (x < scene.width && y < scene.height)
        atomicAdd(steps + static_cast<int64_t>(y) * scene.width + x, value);
    };
    add(r.x0, r.y0, log_empty), add(r.x1, r.y1, log_empty);
    add(r.x1, r.y0, -log_empty), add(r.x0, r.y1, -log_empty);
  }
}

__global__ void __launch_bounds__(kThreads) shrink_masks(const Scene scene) {
  const int camera = static_cast<int>(blockIdx.z), y = static_cast<int>(blockIdx.y),
            x = static_cast<int>(blockIdx.x * kThreads + threadIdx.x);
  const SourceMask& from = scene.masks[camera];
  bool background = false;
  if (x < scene.width) {
    uint8_t value = 0;
    if (from.data && x < from.width && y < from.height) {
      value = from.data[(y * from.step + from.step / 2) * from.stride_bytes + x * from.step + from.step / 2];
      background = value == 0;
    }
    scene.small[(static_cast<int64_t>(camera) * scene.height + y) * scene.width + x] = value;
  }
  const int count = __syncthreads_count(background);
  if (threadIdx.x == 0 && count > 0) atomicAdd(scene.background + camera, count);
}

__global__ void __launch_bounds__(kThreads) start_cells(const Scene scene, const Rule rule) {
  const int cell = static_cast<int>(blockIdx.x * kThreads + threadIdx.x);
  if (cell >= scene.cells) return;
  scene.q[cell] = rule.prior;
  draw(scene, cell, rule.prior);
}

__global__ void __launch_bounds__(kThreads) write_empty(const Scene scene, int iteration) {
  if (nothing_moves(scene, iteration)) return;
  const int64_t pixels = static_cast<int64_t>(scene.cameras) * scene.height * scene.width;
  const int64_t i = static_cast<int64_t>(blockIdx.x) * kThreads + threadIdx.x;
  if (i >= pixels) return;
  scene.steps[i] = 0;
  const double empty = exp(scene.logs[i] * marginals::kLogUnit);
  scene.empty[i] = empty;
  scene.empty[pixels + i] = scene.small[i] ? empty : -empty;
}

// The exclusive sums of one picture.
struct Sums {
  const double* at;
  int64_t pitch;
  __device__ double over(const BodyRectangle& r) const {
    return at[r.y1 * pitch + r.x1] - at[r.y1 * pitch + r.x0] - at[r.y0 * pitch + r.x1] +
           at[r.y0 * pitch + r.x0];
  }
};

// psi with a person in the cell minus psi without.
__device__ double difference(const Scene& scene, int camera, const BodyRectangle& r, double q, double sigma) {
  const SourceMask& mask = scene.masks[camera];
  const int64_t pitch = scene.width + 1, picture = pitch * (scene.height + 1);
  const Sums empties{scene.sums + camera * picture, pitch},
      signs{scene.sums + (scene.cameras + camera) * picture, pitch};
  const int64_t corner = mask.height * pitch + mask.width;
  const double empty = empties.at[corner], signed_empty = signs.at[corner];
  const double e = empties.over(r), s = signs.over(r), without = 1 / (1 - q);
  const double area = static_cast<double>(mask.width) * mask.height;
  const double full_there = area - empty + e, full_without = area - empty + e - e * without;
  const double background = scene.background[camera];
  const double wrong_there = background + signed_empty - s,
               wrong_without = background + signed_empty - s + s * without;
  return (wrong_there / fmax(full_there, 1.0) - wrong_without / fmax(full_without, 1.0)) / sigma;
}

__global__ void __launch_bounds__(kThreads)
    move_cells(const Scene scene, const Rule rule, double against, int iteration) {
  if (nothing_moves(scene, iteration)) return;
  const int cell = static_cast<int>(blockIdx.x * kThreads + threadIdx.x);
  unsigned long long moved = 0;
  if (cell < scene.cells) {
    const double q = scene.q[cell];
    double sum = against, next = q;
    bool seen = false;
    for (int c = 0; c < scene.cameras; ++c) {
      const BodyRectangle r = scene.rectangles[static_cast<int64_t>(c) * scene.cells + cell];
      if (!scene.masks[c].data || r.x0 >= r.x1 || r.y0 >= r.y1) continue;
      seen = true;
      sum += difference(scene, c, r, q, rule.sigma);
    }
    if (seen) {
      const double evidence = fmin(fmax(sum, -marginals::kMaxEvidence), marginals::kMaxEvidence);
      const double wanted = 1 / (1 + exp(evidence));
      next = fmin(fmax(q + rule.step * (wanted - q), marginals::kMin), 1 - marginals::kMin);
      scene.q[cell] = next;
      draw(scene, cell, next);
    }
    moved = static_cast<unsigned long long>(__double_as_longlong(fabs(next - q)));
  }
  // Bits of doubles that are not negative are ordered as they are.
  for (int offset = 16; offset > 0; offset /= 2) {
    const unsigned long long other = __shfl_xor_sync(0xffffffffu, moved, offset);
    moved = other > moved ? other : moved;
  }
  if (threadIdx.x % 32 == 0 && moved > 0) atomicMax(scene.moved + iteration, moved);
}

}  // namespace

Status enqueue_shrink_masks(Work& work, const Scene& scene) {
  const dim3 blocks(blocks_for(scene.width, kThreads), static_cast<unsigned>(scene.height),
                    static_cast<unsigned>(scene.cameras));
  return launch(work, "shrink_masks", {blocks, dim3(kThreads)}, shrink_masks, scene);
}

Status enqueue_start_cells(Work& work, const Scene& scene, const Rule& rule) {
  return launch(work, "start_cells", grid_of(scene.cells), start_cells, scene, rule);
}

Status enqueue_write_empty(Work& work, const Scene& scene, int iteration) {
  const int64_t pixels = static_cast<int64_t>(scene.cameras) * scene.height * scene.width;
  return launch(work, "write_empty", grid_of(pixels), write_empty, scene, iteration);
}

Status enqueue_move_cells(Work& work, const Scene& scene, const Rule& rule, int iteration) {
  const double against = log((1 - rule.prior) / rule.prior);
  return launch(work, "move_cells", grid_of(scene.cells), move_cells, scene, rule, against, iteration);
}

}  // namespace vantage::gpu::occupancy
