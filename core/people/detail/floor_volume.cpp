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

FloorVolume::FloorVolume(const VoxelGrid& grid) : grid_(grid) {
  make_head_cells();
}

void FloorVolume::take(const FloorViews& map, double footprint_m) {
  map_ = map;
  footprint_m_ = footprint_m;
  radius_ = std::max(1, static_cast<int>(std::lround(footprint_m / 2 / grid_.voxel_size_m)));
  find_bounds();
  if (!empty()) make_sums();
}

// Most of a floor is empty: everything below looks only where something stands.
void FloorVolume::find_bounds() {
  x0_ = x1_ = y0_ = y1_ = 0;
  int x0 = grid_.nx, x1 = 0, y0 = grid_.ny, y1 = 0;
  for (int y = 0; y < grid_.ny; ++y) {
    const uint16_t* row = map_.columns.row(y);
    unsigned any = 0;
    for (int x = 0; x < grid_.nx; ++x) any |= row[x];
    if (any == 0) continue;
    y0 = std::min(y0, y), y1 = y + 1;
    int first = 0, last = grid_.nx;
    while (row[first] == 0) ++first;
    while (row[last - 1] == 0) --last;
    x0 = std::min(x0, first), x1 = std::max(x1, last);
  }
  if (x0 >= x1) return;
  x0_ = std::max(0, x0 - radius_), x1_ = std::min(grid_.nx, x1 + radius_);
  y0_ = std::max(0, y0 - radius_), y1_ = std::min(grid_.ny, y1 + radius_);
}

// Exclusive, of the columns within the bounds. Left of them are radius_ columns of zeros more, right of them
// radius_ more that repeat the last, so that a footprint that hangs over finds what it needs.
void FloorVolume::make_integral() {
  const auto width = static_cast<size_t>(x1_ - x0_), height = static_cast<size_t>(y1_ - y0_);
  const auto radius = static_cast<size_t>(radius_);
  const size_t pitch = width + 1 + 2 * radius;
  integral_.resize(pitch * (height + 1));
  std::fill_n(integral_.begin(), pitch, 0);
  for (size_t y = 0; y < height; ++y) {
    const uint16_t* columns = map_.columns.row(y0_ + static_cast<int>(y)) + x0_;
    const int32_t* above = integral_.data() + pitch * y + radius + 1;
    int32_t* here = integral_.data() + pitch * (y + 1);
    std::fill_n(here, radius + 1, 0);
    here += radius + 1;
    int32_t row = 0;
    for (size_t x = 0; x < width; ++x) {
      row += columns[x];
      here[x] = above[x] + row;
    }
    std::fill_n(here + width, radius, here[width - 1]);
  }
}

void FloorVolume::make_sums() {
  make_integral();
  const auto width = static_cast<size_t>(x1_ - x0_), height = static_cast<size_t>(y1_ - y0_);
  const auto radius = static_cast<size_t>(radius_);
  const size_t pitch = width + 1 + 2 * radius, across = 2 * radius + 1;
  sums_.resize(width * height);
  for (size_t y = 0; y < height; ++y) {
    const int32_t* upper = integral_.data() + pitch * (y - std::min(y, radius));
    const int32_t* lower = integral_.data() + pitch * std::min(height, y + radius + 1);
    int32_t* sums = sums_.data() + width * y;
    for (size_t x = 0; x < width; ++x) sums[x] = lower[x + across] - lower[x] - upper[x + across] + upper[x];
  }
}

double FloorVolume::litres_at(double x_m, double y_m) const {
  const int x = cell(0, x_m), y = cell(1, y_m);
  return x >= x0_ && x < x1_ && y >= y0_ && y < y1_ ? grid_.liters(at(x, y)) : 0;
}

template <typename F>
void FloorVolume::for_cells_within(double x_m, double y_m, double radius_m, const F& use) const {
  const int x_first = std::max(x0_, cell(0, x_m - radius_m)),
            x_last = std::min(x1_ - 1, cell(0, x_m + radius_m));
  const int y_first = std::max(y0_, cell(1, y_m - radius_m)),
            y_last = std::min(y1_ - 1, cell(1, y_m + radius_m));
  for (int y = y_first; y <= y_last; ++y) {
    const double dy = grid_.center(1, y) - y_m;
    for (int x = x_first; x <= x_last; ++x) {
      const double dx = grid_.center(0, x) - x_m;
      if (dx * dx + dy * dy <= radius_m * radius_m) use(x, y);
    }
  }
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
  for (int y = y0_; y < y1_; ++y) {
    const int32_t* const sums = row(y);
    int32_t max = 0;
    for (int x = x0_; x < x1_; ++x) max = std::max(max, sums[x]);
    if (max > largest)
      largest = max, at_x = static_cast<int>(std::find(sums + x0_, sums + x1_, max) - sums), at_y = y;
    if (max < min) continue;
    for (int x = x0_; x < x1_; ++x)
      if (sums[x] >= min && is_maximum(x, y, sums[x])) peaks.push_back(describe(x, y));
  }
  if (peaks.empty() && largest > 0) peaks.push_back(describe(at_x, at_y));
  std::stable_sort(peaks.begin(), peaks.end(),
                   [](const FoundPerson& a, const FoundPerson& b) { return a.volume_l > b.volume_l; });
  return peaks;
}

// The first of equal neighbours in reading order counts.
bool FloorVolume::is_maximum(int x, int y, int32_t sum) const {
  // Nearly every cell already loses to the one beside it.
  const int32_t* const sums = row(y);
  if (x > x0_ && sums[x - 1] >= sum) return false;
  if (x + 1 < x1_ && sums[x + 1] > sum) return false;
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
  double sum = 0, x_sum = 0, y_sum = 0;
  for_cells_within(person.x_m, person.y_m, radius_m, [&](int x, int y) {
    const double weight = map_.columns.at(x, y);
    sum += weight;
    x_sum += weight * grid_.center(0, x), y_sum += weight * grid_.center(1, y);
  });
  if (sum > 0) person.x_m = x_sum / sum, person.y_m = y_sum / sum;
}

}  // namespace vantage::people_detail
