#include <algorithm>
#include <limits>

#include "core/height_map/detail/belief_grid.h"
#include "core/height_map/height_map.h"

#include "core/base/vector_targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/height_map/belief_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace vantage::height_map::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using FloatTag = hn::CappedTag<float, 16>;
using IntTag = hn::RebindToSigned<FloatTag>;
using Vec = hn::Vec<FloatTag>;
using Mask = hn::Mask<FloatTag>;
constexpr FloatTag d;
constexpr IntTag di;
constexpr int kMaxLanes = 16;

int lanes() {
  return static_cast<int>(hn::Lanes(d));
}

// One neighbour of a row's pixels: where the messages of the edge lie.
struct Edge {
  const float* in;
  float* out;
  const float* shift;
  bool exists;  // for the row; columns are masked
  int dx;
};

struct RowEdges {
  Edge edge[kDirections];
  float sign;  // of the shift: it is kept as seen from the even pixel
};

RowEdges edges_of(const BeliefGrid& grid, int color, int y) {
  RowEdges row;
  const int first = BeliefGrid::first_x(color, y);
  for (int direction = 0; direction < kDirections; ++direction) {
    const int dx = direction == kLeft ? -1 : direction == kRight ? 1 : 0;
    const int owner_y = y + (direction == kUp ? -1 : direction == kDown ? 1 : 0);
    Edge& edge = row.edge[direction];
    edge.exists = owner_y >= 0 && owner_y < grid.height;
    edge.dx = dx;
    if (color == kEven) {
      edge.in = grid.slots(kOdd, y, direction);
      edge.out = grid.slots(kEven, y, direction);
      edge.shift = grid.shifts(y, direction);
    } else {
      // The even neighbour's index less this pixel's: (first + dx) / 2, rounded down.
      const ptrdiff_t offset = (first + dx + 2) / 2 - 1;
      edge.in = grid.slots(kEven, owner_y, kOpposite[direction]) + offset;
      edge.out = grid.slots(kOdd, owner_y, kOpposite[direction]) + offset;
      edge.shift = grid.shifts(owner_y, kOpposite[direction]) + offset;
    }
  }
  row.sign = color == kEven ? 1.0f : -1.0f;
  return row;
}

// Working memory of one vector of pixels, lines of lanes() floats.
struct Scratch {
  alignas(64) float sum[(kMaxHeights + 1) * kMaxLanes];
  alignas(64) float h[(kMaxHeights + 1) * kMaxLanes];
  alignas(64) float out[(kMaxHeights + 1) * kMaxLanes];
  // The envelope at labels -(kMaxHeights + 1) ... 2 kMaxHeights.
  alignas(64) float envelope[(3 * kMaxHeights + 2) * kMaxLanes];
};

// out(k) = min_j h(j) + s |j - k - c|, all pairs.
void published_message(int heights, Vec shift, float step_cost, const float* h, float* out) {
  const int n = lanes();
  const Vec s = hn::Set(d, step_cost);
  for (int k = 0; k < heights; ++k) {
    const Vec x = hn::Add(hn::Set(d, static_cast<float>(k)), shift);
    Vec best = hn::Set(d, std::numeric_limits<float>::infinity());
    for (int j = 0; j < heights; ++j) {
      const Vec away = hn::Abs(hn::Sub(hn::Set(d, static_cast<float>(j)), x));
      best = hn::Min(best, hn::Add(hn::Load(d, h + j * n), hn::Mul(s, away)));
    }
    hn::Store(best, d, out + k * n);
  }
}

// The same in two passes. With F(j) = min over i <= j, B(j) = min over i >= j and f the shift's fraction, the
// envelope at j + f is min(F(j) + s f, B(j + 1) + s (1 - f)); beyond the ends it grows by s a label.
void linear_message(int heights, Vec shift, float step_cost, const float* h, float* envelope, float* out) {
  const int n = lanes();
  const Vec s = hn::Set(d, step_cost);
  const Vec whole = hn::Floor(shift), fraction = hn::Sub(shift, whole);
  const Vec up = hn::Mul(s, fraction), down = hn::Sub(s, up);
  float* const u = envelope + (kMaxHeights + 1) * n;
  Vec f = hn::Load(d, h);
  hn::Store(hn::Add(f, up), d, u);
  for (int j = 1; j < heights; ++j) {
    f = hn::Min(hn::Load(d, h + j * n), hn::Add(f, s));
    hn::Store(hn::Add(f, up), d, u + j * n);
  }
  Vec b = hn::Load(d, h + (heights - 1) * n);
  for (int j = heights - 2; j >= 0; --j) {
    hn::Store(hn::Min(hn::Load(d, u + j * n), hn::Add(b, down)), d, u + j * n);
    b = hn::Min(hn::Load(d, h + j * n), hn::Add(b, s));
  }
  hn::Store(hn::Add(b, down), d, u - n);
  const auto steps = hn::ConvertTo(di, whole);
  const int lowest = hn::GetLane(hn::MinOfLanes(di, steps)), highest = hn::GetLane(hn::MaxOfLanes(di, steps));
  for (int j = -2; j >= lowest; --j) hn::Store(hn::Add(hn::Load(d, u + (j + 1) * n), s), d, u + j * n);
  for (int j = heights; j < heights + highest; ++j)
    hn::Store(hn::Add(hn::Load(d, u + (j - 1) * n), s), d, u + j * n);
  if (lowest == highest) {
    for (int k = 0; k < heights; ++k) hn::Store(hn::Load(d, u + (k + lowest) * n), d, out + k * n);
    return;
  }
  const auto lane = hn::Add(hn::Mul(steps, hn::Set(di, n)), hn::Iota(di, 0));
  for (int k = 0; k < heights; ++k) hn::Store(hn::GatherIndex(d, u + k * n, lane), d, out + k * n);
}

// One message of a vector of pixels; h is filled.
HWY_INLINE void send(const BeliefStep& step, Vec shift, Scratch& s, float* to, size_t pitch, Mask wanted,
                     bool all_wanted) {
  const int n = lanes(), heights = step.grid->heights;
  if (step.published)
    published_message(heights, shift, step.step_cost, s.h, s.out);
  else
    linear_message(heights, shift, step.step_cost, s.h, s.envelope, s.out);
  const Vec jump = hn::Set(d, step.jump_cost), none = hn::Load(d, s.h + heights * n),
            cap = hn::Add(none, jump);
  Vec lowest_h = hn::Load(d, s.h);
  for (int k = 1; k < heights; ++k) lowest_h = hn::Min(lowest_h, hn::Load(d, s.h + k * n));
  const Vec to_none = hn::Min(hn::Add(lowest_h, jump), none);
  hn::Store(to_none, d, s.out + heights * n);
  Vec min = to_none;
  for (int k = 0; k < heights; ++k) {
    const Vec capped = hn::Min(hn::Load(d, s.out + k * n), cap);
    hn::Store(capped, d, s.out + k * n);
    min = hn::Min(min, capped);
  }
  const Vec damping = hn::Set(d, step.damping);
  for (int k = 0; k <= heights; ++k) {
    float* const at = to + static_cast<size_t>(k) * pitch;
    Vec value = hn::Sub(hn::Load(d, s.out + k * n), min);
    if (step.damping > 0) value = hn::Add(value, hn::Mul(damping, hn::Sub(hn::LoadU(d, at), value)));
    hn::StoreU(all_wanted ? value : hn::IfThenElseZero(wanted, value), d, at);
  }
}

HWY_INLINE void sum_up(const RowEdges& row, const float* costs, int i, int labels, size_t pitch, float* sum) {
  const int n = lanes();
  for (int k = 0; k < labels; ++k) {
    const size_t at = static_cast<size_t>(k) * pitch;
    Vec value = hn::LoadU(d, costs + at + i);
    for (const Edge& edge : row.edge) value = hn::Add(value, hn::LoadU(d, edge.in + at + i));
    hn::Store(value, d, sum + k * n);
  }
}

void SendRow(const BeliefStep& step, int y) {
  const BeliefGrid& grid = *step.grid;
  const int n = lanes(), labels = grid.labels(), first = BeliefGrid::first_x(step.color, y);
  const RowEdges row = edges_of(grid, step.color, y);
  const float* const costs = grid.costs(step.color, y);
  Scratch s;
  for (int i = 0; i < grid.half; i += n) {
    sum_up(row, costs, i, labels, grid.pitch, s.sum);
    const Vec x = hn::Add(hn::Iota(d, 0.0f), hn::Set(d, static_cast<float>(i)));
    const Vec column = hn::Add(hn::Add(x, x), hn::Set(d, static_cast<float>(first)));
    const bool inner = i > 0 && first + 2 * (i + n - 1) + 1 < grid.width;
    for (const Edge& edge : row.edge) {
      for (int k = 0; k < labels; ++k) {
        const Vec in = hn::LoadU(d, edge.in + static_cast<size_t>(k) * grid.pitch + i);
        hn::Store(hn::Sub(hn::Load(d, s.sum + k * n), in), d, s.h + k * n);
      }
      // The slot stays zero where there is no neighbour: its reader takes it for a silent one.
      const Vec there = hn::Add(column, hn::Set(d, static_cast<float>(edge.dx)));
      const Vec last = hn::Set(d, edge.exists ? static_cast<float>(grid.width) : -1.0f);
      const Mask wanted =
          hn::And(hn::And(hn::Ge(there, hn::Zero(d)), hn::Lt(there, last)), hn::Lt(column, last));
      const Vec shift = hn::Mul(hn::Set(d, row.sign), hn::LoadU(d, edge.shift + i));
      send(step, shift, s, edge.out + i, grid.pitch, wanted, inner && edge.exists);
    }
  }
}

void LabelRow(const BeliefGrid& grid, int color, int y, uint8_t* labels_out) {
  const int n = lanes(), first = BeliefGrid::first_x(color, y);
  const RowEdges row = edges_of(grid, color, y);
  const float* const costs = grid.costs(color, y);
  Scratch s;
  alignas(64) int32_t best_label[kMaxLanes];
  for (int i = 0; i < grid.half; i += n) {
    sum_up(row, costs, i, grid.labels(), grid.pitch, s.sum);
    Vec best = hn::Load(d, s.sum), label = hn::Zero(d);
    for (int k = 1; k < grid.labels(); ++k) {
      const Vec value = hn::Load(d, s.sum + k * n);
      label = hn::IfThenElse(hn::Lt(value, best), hn::Set(d, static_cast<float>(k)), label);
      best = hn::Min(best, value);
    }
    hn::Store(hn::ConvertTo(di, label), di, best_label);
    for (int lane = 0; lane < n; ++lane) {
      const int x = first + 2 * (i + lane);
      if (x < grid.width) labels_out[x] = static_cast<uint8_t>(best_label[lane]);
    }
  }
}

}  // namespace vantage::height_map::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vantage::height_map {

HWY_EXPORT(SendRow);
HWY_EXPORT(LabelRow);

void send_row(const BeliefStep& step, int y) {
  HWY_DYNAMIC_DISPATCH(SendRow)(step, y);
}

void label_row(const BeliefGrid& grid, int color, int y, uint8_t* labels) {
  HWY_DYNAMIC_DISPATCH(LabelRow)(grid, color, y, labels);
}

}  // namespace vantage::height_map
#endif
