#include "core/people/detail/floor_volume.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace vantage::people_detail {
namespace {

// The top of a head covers about this much of the floor; a height that fewer cells reach is noise.
constexpr double kHeadTop_m2 = 0.012;
constexpr double kHeadReach_m = 0.20;
// Finer cells than this tell no more about a height.
constexpr double kHeightCell_m = 0.04;
// Peaks nearer to a larger one than this are the same peak.
constexpr double kPeakDistance_m = 0.20;

}  // namespace

FloorVolume::FloorVolume(const VoxelGrid& grid) : grid_(grid), blocks_((grid.nx + kBlock - 1) / kBlock) {
  make_head_cells();
  for (int x = 0; x < grid_.nx; ++x) centers_x_m_.push_back(grid_.center(0, x));
  for (int y = 0; y < grid_.ny; ++y) centers_y_m_.push_back(grid_.center(1, y));
  filled_.resize(static_cast<size_t>(blocks_) * static_cast<size_t>(grid_.ny));
  sums_.resize(static_cast<size_t>(grid_.nx) * static_cast<size_t>(grid_.ny));
}

void FloorVolume::take(const FloorViews& map, double footprint_m) {
  map_ = map;
  footprint_m_ = footprint_m;
  radius_ = std::max(1, static_cast<int>(std::lround(footprint_m / 2 / grid_.voxel_size_m)));
  for (const Span& span : spans_) std::fill(row(span.y) + span.begin, row(span.y) + span.end, 0);
  spans_.clear();
  find_filled();
  find_bounds();
  if (!empty()) make_sums();
}

// Most of a floor is empty: everything below looks only where something stands.
void FloorVolume::find_filled() {
  const int whole = grid_.nx / kBlock;
  for (int y = 0; y < grid_.ny; ++y) {
    const uint16_t* const columns = map_.columns.row(y);
    uint8_t* const filled = filled_row(y);
    for (int b = 0; b < whole; ++b) {
      unsigned any = 0;
      for (int i = 0; i < kBlock; ++i) any |= columns[b * kBlock + i];
      filled[b] = any != 0;
    }
    for (int b = whole; b < blocks_; ++b)
      filled[b] = std::any_of(columns + b * kBlock, columns + grid_.nx, [](uint16_t c) { return c != 0; });
  }
}

void FloorVolume::find_bounds() {
  x0_ = x1_ = y0_ = y1_ = 0;
  int x0 = grid_.nx, x1 = 0, y0 = grid_.ny, y1 = 0;
  for (int y = 0; y < grid_.ny; ++y) {
    const uint8_t* const filled = filled_row(y);
    int begin = 0, end = blocks_;
    while (begin < end && filled[begin] == 0) ++begin;
    if (begin == end) continue;
    while (filled[end - 1] == 0) --end;
    y0 = std::min(y0, y), y1 = y + 1;
    const uint16_t* const columns = map_.columns.row(y);
    int first = begin * kBlock, last = std::min(grid_.nx, end * kBlock);
    while (first < x0 && columns[first] == 0) ++first;
    while (last > x1 && columns[last - 1] == 0) --last;
    x0 = std::min(x0, first), x1 = std::max(x1, last);
  }
  if (x0 >= x1) return;
  x0_ = std::max(0, x0 - radius_), x1_ = std::min(grid_.nx, x1 + radius_);
  y0_ = std::max(0, y0 - radius_), y1_ = std::min(grid_.ny, y1 + radius_);
}

// Every row's sums come from the strip: for each x what stands in the rows that footprints around that row
// reach, which one row joins and one leaves from row to row.
void FloorVolume::make_sums() {
  strip_.assign(static_cast<size_t>(grid_.nx + 2 * (radius_ + 1)), 0);
  rows_in_strip_.assign(static_cast<size_t>(blocks_), 0);
  for (int y = y0_; y < std::min(y1_, y0_ + radius_); ++y) change_strip(y, 1);
  for (int y = y0_; y < y1_; ++y) {
    if (y + radius_ < y1_) change_strip(y + radius_, 1);
    find_spans(y);
    if (y - radius_ >= y0_) change_strip(y - radius_, -1);
  }
}

void FloorVolume::change_strip(int y, int32_t sign) {
  const uint8_t* const filled = filled_row(y);
  const uint16_t* const columns = map_.columns.row(y);
  int32_t* const strip = strip_.data() + radius_ + 1;
  for (int b = 0; b < blocks_; ++b) {
    if (filled[b] == 0) continue;
    rows_in_strip_[b] += sign;
    const int end = std::min(grid_.nx, (b + 1) * kBlock);
    for (int x = b * kBlock; x < end; ++x) strip[x] += sign * columns[x];
  }
}

// The cells of a row whose footprints reach blocks of the strip where something stands.
void FloorVolume::find_spans(int y) {
  Span span{y, 0, 0};
  for (int b = 0; b < blocks_; ++b) {
    if (rows_in_strip_[b] == 0) continue;
    const int begin = std::max(x0_, b * kBlock - radius_), end = std::min(x1_, (b + 1) * kBlock + radius_);
    if (begin > span.end || span.end == 0) {
      sum_span(span);
      span = {y, begin, end};
    }
    span.end = end;
  }
  sum_span(span);
}

void FloorVolume::sum_span(const Span& span) {
  if (span.begin >= span.end) return;
  spans_.push_back(span);
  const int32_t* const strip = strip_.data() + radius_ + 1;
  int32_t* const sums = row(span.y);
  int32_t sum = 0;
  for (int x = span.begin - radius_; x < span.begin + radius_; ++x) sum += strip[x];
  for (int x = span.begin; x < span.end; ++x) {
    sum += strip[x + radius_];
    sums[x] = sum;
    sum -= strip[x - radius_];
  }
}

double FloorVolume::litres_at(double x_m, double y_m) const {
  const int x = cell(0, x_m), y = cell(1, y_m);
  return x >= x0_ && x < x1_ && y >= y0_ && y < y1_ ? grid_.liters(at(x, y)) : 0;
}

// The cells that a head covers, from the cell it stands over; fine ones thinned.
void FloorVolume::make_head_cells() {
  const double v = grid_.voxel_size_m;
  const int stride = std::max(1, static_cast<int>(kHeightCell_m / v + 0.5));
  const int reach = static_cast<int>(kHeadReach_m / (v * stride));
  for (int y = -reach; y <= reach; ++y)
    for (int x = -reach; x <= reach; ++x)
      if (std::hypot(x, y) * v * stride <= kHeadReach_m) head_cells_.push_back({x * stride, y * stride});
  min_cells_ = 1 + static_cast<int>(kHeadTop_m2 / (v * stride * v * stride));
}

double FloorVolume::height_at(double x_m, double y_m) const {
  constexpr size_t kMax = 256;  // more than a head covers at kHeightCell_m
  std::array<uint16_t, kMax> tops;
  size_t count = 0;
  uint16_t top = 0;
  const int x = cell(0, x_m), y = cell(1, y_m);
  for (const auto& [dx, dy] : head_cells_) {
    const int cx = x + dx, cy = y + dy;
    if (cx < x0_ || cx >= x1_ || cy < y0_ || cy >= y1_ || count == kMax) continue;
    tops[count++] = map_.tops.at(cx, cy);
    top = std::max(top, tops[count - 1]);
  }
  // Down to the level that enough of them reach: a few steps.
  const auto reaching = [&](uint16_t level) {
    int cells = 0;
    for (size_t i = 0; i < count; ++i) cells += tops[i] >= level;
    return cells;
  };
  if (top == 0) return 0;
  const int needed = std::min(min_cells_, reaching(1));
  while (reaching(top) < needed) --top;
  return grid_.origin_in_world_m[2] + top * grid_.voxel_size_m;
}

std::vector<FoundPerson> FloorVolume::peaks(double min_volume_l) const {
  const auto min = std::max<int64_t>(1, static_cast<int64_t>(std::ceil(min_volume_l / grid_.liters(1))));
  std::vector<FoundPerson> peaks;
  int32_t largest = 0;
  int at_x = 0, at_y = 0;
  for (const Span& span : spans_) {
    const int32_t* const sums = row(span.y);
    int32_t max = 0;
    for (int x = span.begin; x < span.end; ++x) max = std::max(max, sums[x]);
    if (max > largest)
      largest = max, at_x = static_cast<int>(std::find(sums + span.begin, sums + span.end, max) - sums),
      at_y = span.y;
    if (max < min) continue;
    for (int x = span.begin; x < span.end; ++x)
      if (sums[x] >= min && is_maximum(x, span.y, sums[x])) peaks.push_back(describe(x, span.y));
  }
  if (peaks.empty() && largest > 0) peaks.push_back(describe(at_x, at_y));
  std::stable_sort(peaks.begin(), peaks.end(),
                   [](const FoundPerson& a, const FoundPerson& b) { return a.volume_l > b.volume_l; });
  return peaks;
}

// The first of equal neighbours in reading order counts.
bool FloorVolume::is_maximum(int x, int y, int32_t sum) const {
  // Nearly every cell already loses to the one next to it.
  const int32_t* const sums = row(y);
  if (x > x0_ && sums[x - 1] >= sum) return false;
  if (x + 1 < x1_ && sums[x + 1] > sum) return false;
  if (y > y0_ && row(y - 1)[x] >= sum) return false;
  if (y + 1 < y1_ && row(y + 1)[x] > sum) return false;
  const int reach = std::max(1, static_cast<int>(std::lround(kPeakDistance_m / grid_.voxel_size_m)));
  const int first = std::max(x0_, x - reach), last = std::min(x1_ - 1, x + reach);
  for (int ny = std::max(y0_, y - reach); ny <= std::min(y1_ - 1, y + reach); ++ny) {
    const int32_t* const others = row(ny);
    for (int nx = first; nx <= last; ++nx)
      if (others[nx] > sum || (others[nx] == sum && (ny < y || (ny == y && nx < x)))) return false;
  }
  return true;
}

FoundPerson FloorVolume::describe(int x, int y) const {
  FoundPerson person;
  person.x_m = grid_.center(0, x), person.y_m = grid_.center(1, y);
  person.volume_l = grid_.liters(at(x, y));
  // The volume may lie in a corner of the square: reach that far first.
  move_to_middle(person, footprint_m_ / 2 * std::numbers::sqrt2 + grid_.voxel_size_m);
  for (int step = 0; step < 3; ++step) move_to_middle(person, footprint_m_ / 2);
  person.height_m = height_at(person.x_m, person.y_m);
  return person;
}

void FloorVolume::move_to_middle(FoundPerson& person, double radius_m) const {
  const double x_m = person.x_m, y_m = person.y_m;
  const int x_first = std::max(x0_, cell(0, x_m - radius_m)),
            x_last = std::min(x1_ - 1, cell(0, x_m + radius_m));
  const int y_first = std::max(y0_, cell(1, y_m - radius_m)),
            y_last = std::min(y1_ - 1, cell(1, y_m + radius_m));
  double sum = 0, x_sum = 0, y_sum = 0;
  for (int y = y_first; y <= y_last; ++y) {
    const uint16_t* const columns = map_.columns.row(y);
    const double center_y_m = centers_y_m_[y], dy = center_y_m - y_m;
    for (int x = x_first; x <= x_last; ++x) {
      if (columns[x] == 0) continue;
      const double center_x_m = centers_x_m_[x], dx = center_x_m - x_m;
      if (dx * dx + dy * dy > radius_m * radius_m) continue;
      const double weight = columns[x];
      sum += weight;
      x_sum += weight * center_x_m, y_sum += weight * center_y_m;
    }
  }
  if (sum > 0) person.x_m = x_sum / sum, person.y_m = y_sum / sum;
}

}  // namespace vantage::people_detail
