#include "core/tracking/floor_peaks.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

namespace vantage::people_detail {
namespace {

// The top of a head covers about this much of the floor; a height that fewer cells reach is noise.
constexpr double kHeadTop_m2 = 0.012;
constexpr double kHeadReach_m = 0.20;
// Peaks nearer to a larger one than this are the same peak.
constexpr double kPeakDistance_m = 0.20;

class Peaks {
 public:
  Peaks(const PeopleInput& input, const PeopleParameters& parameters)
      : input_(input), grid_(input.grid), width_(grid_.nx), height_(grid_.ny) {
    radius_ = std::max(1, static_cast<int>(std::lround(parameters.footprint_m / 2 / grid_.voxel_size_m)));
    footprint_m_ = parameters.footprint_m;
    make_sums();
  }

  std::vector<Person> find(double min_volume_l) const {
    const double litres = grid_.liters(1);
    const auto least = std::max<int64_t>(1, static_cast<int64_t>(std::ceil(min_volume_l / litres)));
    std::vector<Person> peaks;
    int64_t largest = 0;
    int at_x = 0, at_y = 0;
    for (int y = 0; y < height_; ++y)
      for (int x = 0; x < width_; ++x) {
        const int64_t sum = at(x, y);
        if (sum > largest) largest = sum, at_x = x, at_y = y;
        if (sum >= least && is_maximum(x, y, sum)) peaks.push_back(describe(x, y));
      }
    if (peaks.empty() && largest > 0) peaks.push_back(describe(at_x, at_y));
    std::stable_sort(peaks.begin(), peaks.end(),
                     [](const Person& a, const Person& b) { return a.volume_l > b.volume_l; });
    return peaks;
  }

 private:
  int64_t at(int x, int y) const {
    return sums_[static_cast<size_t>(x) + static_cast<size_t>(width_) * static_cast<size_t>(y)];
  }
  // Occupied voxels in the square of radius_ around each cell, from an integral image.
  void make_sums() {
    const auto pitch = static_cast<size_t>(width_) + 1;
    std::vector<int64_t> integral(pitch * (static_cast<size_t>(height_) + 1));
    for (int y = 0; y < height_; ++y) {
      int64_t row = 0;
      for (int x = 0; x < width_; ++x) {
        row += input_.columns.at(x, y);
        const size_t cell = static_cast<size_t>(x) + 1 + pitch * (static_cast<size_t>(y) + 1);
        integral[cell] = integral[cell - pitch] + row;
      }
    }
    sums_.resize(static_cast<size_t>(width_) * static_cast<size_t>(height_));
    for (int y = 0; y < height_; ++y)
      for (int x = 0; x < width_; ++x) {
        const auto x0 = static_cast<size_t>(std::max(0, x - radius_));
        const auto x1 = static_cast<size_t>(std::min(width_, x + radius_ + 1));
        const size_t y0 = pitch * static_cast<size_t>(std::max(0, y - radius_));
        const size_t y1 = pitch * static_cast<size_t>(std::min(height_, y + radius_ + 1));
        sums_[static_cast<size_t>(x) + static_cast<size_t>(width_) * static_cast<size_t>(y)] =
            integral[x1 + y1] - integral[x0 + y1] - integral[x1 + y0] + integral[x0 + y0];
      }
  }

  // Of equal neighbours the first in reading order counts.
  bool is_maximum(int x, int y, int64_t sum) const {
    const int reach = std::max(1, static_cast<int>(std::lround(kPeakDistance_m / grid_.voxel_size_m)));
    for (int ny = std::max(0, y - reach); ny <= std::min(height_ - 1, y + reach); ++ny)
      for (int nx = std::max(0, x - reach); nx <= std::min(width_ - 1, x + reach); ++nx) {
        const int64_t other = at(nx, ny);
        if (other > sum || (other == sum && (ny < y || (ny == y && nx < x)))) return false;
      }
    return true;
  }

  Person describe(int x, int y) const {
    Person person;
    person.x_m = grid_.center(0, x), person.y_m = grid_.center(1, y);
    person.volume_l = grid_.liters(at(x, y));
    // The volume may lie in a corner of the square: reach that far first.
    move_to_middle(person, footprint_m_ / 2 * std::numbers::sqrt2 + grid_.voxel_size_m);
    for (int step = 0; step < 3; ++step) move_to_middle(person, footprint_m_ / 2);
    person.height_m = height_at(person);
    return person;
  }

  template <typename F>
  void for_cells_within(const Person& person, double radius_m, const F& use) const {
    const double v = grid_.voxel_size_m;
    const auto cell = [&](int axis, double m) {
      return static_cast<int>(std::floor((m - grid_.origin_in_world_m[axis]) / v));
    };
    for (int y = std::max(0, cell(1, person.y_m - radius_m));
         y <= std::min(height_ - 1, cell(1, person.y_m + radius_m)); ++y)
      for (int x = std::max(0, cell(0, person.x_m - radius_m));
           x <= std::min(width_ - 1, cell(0, person.x_m + radius_m)); ++x)
        if (std::hypot(grid_.center(0, x) - person.x_m, grid_.center(1, y) - person.y_m) <= radius_m)
          use(x, y);
  }

  void move_to_middle(Person& person, double radius_m) const {
    double sum = 0, x_sum = 0, y_sum = 0;
    for_cells_within(person, radius_m, [&](int x, int y) {
      const double weight = input_.columns.at(x, y);
      sum += weight;
      x_sum += weight * grid_.center(0, x), y_sum += weight * grid_.center(1, y);
    });
    if (sum > 0) person.x_m = x_sum / sum, person.y_m = y_sum / sum;
  }

  double height_at(const Person& person) const {
    std::vector<uint16_t> tops;
    for_cells_within(person, kHeadReach_m, [&](int x, int y) {
      if (input_.tops.at(x, y) > 0) tops.push_back(input_.tops.at(x, y));
    });
    if (tops.empty()) return 0;
    const double cell_m2 = grid_.voxel_size_m * grid_.voxel_size_m;
    const auto nth = std::min(tops.size() - 1, static_cast<size_t>(kHeadTop_m2 / cell_m2));
    std::nth_element(tops.begin(), tops.begin() + static_cast<std::ptrdiff_t>(nth), tops.end(),
                     std::greater<>());
    return grid_.origin_in_world_m[2] + tops[nth] * grid_.voxel_size_m;
  }

  const PeopleInput& input_;
  const VoxelGrid& grid_;
  int width_, height_, radius_;
  double footprint_m_;
  std::vector<int64_t> sums_;
};

}  // namespace

std::vector<Person> find_peaks(const PeopleInput& input, const PeopleParameters& parameters) {
  return Peaks(input, parameters).find(parameters.min_volume_l);
}

}  // namespace vantage::people_detail
