#include "core/optical_flow/detail/flow_tile.h"

#include <algorithm>
#include <cstring>
#include <new>

namespace vantage::flow {

AlignedFloats::AlignedFloats(size_t count) {
  const size_t bytes = (count * sizeof(float) + 63) / 64 * 64;
  data_.reset(static_cast<float*>(std::aligned_alloc(64, bytes)));
  if (!data_) throw std::bad_alloc();
  std::memset(data_.get(), 0, bytes);
}

namespace {

constexpr int kTileWidth = 384, kTileHeight = 240;  // the expansions and sums in flight stay in about 1 MB
constexpr int kMargin = 24;                         // px around a tile that iterating several times may cost
constexpr int kRowsAStep = 2;                       // that an iteration goes on by before the next follows
constexpr int kVector = 16;                         // the widest vector; column ranges are rounded to it

int round_down(int x) {
  return x / kVector * kVector;
}
int round_up(int x) {
  return (x + kVector - 1) / kVector * kVector;
}

// The range that iteration t reads and makes. Iteration t's result is needed `radius` px further out than
// iteration t + 1's.
class TileRanges {
 public:
  TileRanges(const Tile& tile, int width, int height, int iterations, int radius)
      : tile_(tile), width_(width), height_(height), iterations_(iterations), radius_(radius) {}
  // Columns of the flow that iteration t starts from, and of its equations; t == iterations: the result.
  Columns columns(int t) const {
    const int margin = (iterations_ - t) * radius_;
    return {round_down(std::max(0, tile_.columns.begin - margin)),
            std::min(width_, round_up(tile_.columns.end + margin))};
  }
  bool has_row(int t, int y) const {
    const int margin = (iterations_ - t) * radius_;
    return y >= std::max(0, tile_.begin_row - margin) && y < std::min(height_, tile_.end_row + margin);
  }
  int first_row() const { return std::max(0, tile_.begin_row - iterations_ * radius_); }
  int end_row() const { return tile_.end_row + iterations_ * radius_; }

 private:
  Tile tile_;
  int width_, height_, iterations_, radius_;
};

// The scratch memory of one tile: a line of equations, a line of flow, and per iteration a ring of window
// sums.
struct TileMemory {
  size_t pitch;
  int ring_rows;
  float *equations, *flows, *rings;
  TileMemory(int columns, int iterations, int radius)
      : pitch(static_cast<size_t>(round_up(columns) + 2 * kRowPadding)), ring_rows(2 * radius + kRowsAStep) {
    const size_t line = pitch * kChannels;
    const size_t ring = line * static_cast<size_t>(ring_rows) * static_cast<size_t>(iterations);
    equations = scratch(line + 2 * pitch * kRowsAStep + ring) + kRowPadding;
    flows = equations + line;
    rings = flows + 2 * pitch * kRowsAStep;
  }
  // Between an iteration and the next.
  float* flow(int row) const { return flows + 2 * pitch * static_cast<size_t>(row % kRowsAStep); }
  float* sums(int iteration, int y) const {
    return rings + (static_cast<size_t>(iteration) * static_cast<size_t>(ring_rows) +
                    static_cast<size_t>(y % ring_rows)) *
                       kChannels * pitch;
  }
};

}  // namespace

float* scratch(size_t floats) {
  static thread_local size_t size = 0;
  static thread_local AlignedFloats values;
  if (size < floats) {
    size = 0;
    values = AlignedFloats(floats);
    size = floats;
  }
  return values.data();
}

TilePlan TilePlan::make(int width, int height, int radius) {
  TilePlan plan{width, height, 1, 1, std::max(1, kMargin / radius)};
  plan.across = (width + kTileWidth - 1) / kTileWidth;
  plan.down = (height + kTileHeight - 1) / kTileHeight;
  // Two threads should have work on small levels, too.
  if (plan.count() == 1 && height >= kTileHeight / 2) plan.down = 2;
  return plan;
}

Tile TilePlan::tile(int index) const {
  const int i = index % across, j = index / across;
  const auto column = [&](int n) { return n == across ? width : round_down(width * n / across); };
  return {{column(i), column(i + 1)}, height * j / down, height * (j + 1) / down};
}

void iterate_tile(const TileArguments& a, const Tile& tile, int iterations) {
  const int height = a.earlier.height(), radius = a.window.radius;
  const TileRanges ranges(tile, a.earlier.width(), height, iterations, radius);
  const TileMemory memory(ranges.columns(0).count(), iterations, radius);
  for (int step = ranges.first_row(); step < ranges.end_row(); step += kRowsAStep)
    for (int t = 0; t < iterations; ++t) {
      const Columns in = ranges.columns(t), out = ranges.columns(t + 1);
      const int begin = step - t * radius;
      for (int row = begin; row < begin + kRowsAStep; ++row) {
        if (!ranges.has_row(t, row)) continue;
        const float* flow = t == 0 ? a.from.row(row) + 2 * in.begin : memory.flow(row);
        equations_row(a.earlier, a.later, row, in, flow, a.border_x.data(),
                      a.border_y[static_cast<size_t>(row)], memory.equations, memory.pitch);
        window_row(memory.equations, memory.pitch, in, out, a.window, memory.sums(t, row));
      }
      // Whole vectors fit: a tile ends on a multiple of them, or in the row's padding.
      const float* lines[2 * WindowWeights::kMaxRadius + kRowsAStep];
      float* flow[kRowsAStep];
      int rows = 0;
      for (int solved = begin - radius; solved < begin - radius + kRowsAStep; ++solved) {
        if (!ranges.has_row(t + 1, solved)) continue;
        if (rows == 0)
          for (int i = 0; i < 2 * radius + kRowsAStep; ++i)
            lines[i] = memory.sums(t, std::clamp(solved - radius + i, 0, height - 1));
        flow[rows++] = t + 1 == iterations ? a.to.row(solved) + 2 * out.begin : memory.flow(solved);
      }
      if (rows > 0) solve_rows(lines, memory.pitch, out.count(), a.window, flow, rows);
    }
}

}  // namespace vantage::flow
