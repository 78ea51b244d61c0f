#include "core/metrics/set_distance.h"

#include <algorithm>
#include <cmath>

#include "core/base/assignment.h"

namespace vantage {
namespace {

double point_distance_m(const FloorPoint& a, const FloorPoint& b) {
  return std::hypot(a.x_m - b.x_m, a.y_m - b.y_m);
}

}  // namespace

// A pair saves c^p - d^p in both metrics; pairs that save nothing are not formed.
std::vector<int> set_pairs(std::span<const FloorPoint> truth, std::span<const FloorPoint> given,
                           const SetDistanceOptions& options) {
  if (truth.empty() || given.empty()) return std::vector<int>(truth.size(), -1);
  ScoreMatrix saved(static_cast<int>(truth.size()), static_cast<int>(given.size()));
  const double most = std::pow(options.cutoff_m, options.order);
  for (int i = 0; i < saved.rows; ++i)
    for (int j = 0; j < saved.columns; ++j) {
      const double apart_m = point_distance_m(truth[i], given[j]);
      saved.at(i, j) = std::max(0.0, most - std::pow(apart_m, options.order));
    }
  std::vector<int> pairs = assign_maximum(saved);
  for (int i = 0; i < saved.rows; ++i)
    if (int& pair = pairs[i]; pair >= 0 && saved.at(i, pair) <= 0) pair = -1;
  return pairs;
}

SetDistance set_distance(std::span<const double> pair_distances_m, size_t missed, size_t false_found,
                         const SetDistanceOptions& options) {
  SetDistance distance;
  const double most = std::pow(options.cutoff_m, options.order);
  for (const double apart_m : pair_distances_m) distance.localisation += std::pow(apart_m, options.order);
  distance.missed = most / 2 * static_cast<double>(missed);
  distance.false_found = most / 2 * static_cast<double>(false_found);
  const double sum = distance.localisation + distance.missed + distance.false_found;
  distance.gospa_m = std::pow(sum, 1 / options.order);
  // A missed and a false person together are one of OSPA's pairs, at the cut-off.
  const auto alone = static_cast<double>(std::max(missed, false_found));
  const double people = static_cast<double>(pair_distances_m.size()) + alone;
  if (people > 0)
    distance.ospa_m = std::pow((distance.localisation + most * alone) / people, 1 / options.order);
  return distance;
}

SetDistance set_distance(std::span<const FloorPoint> truth, std::span<const FloorPoint> given,
                         const SetDistanceOptions& options) {
  const std::vector<int> pairs = set_pairs(truth, given, options);
  std::vector<double> apart_m;
  for (size_t i = 0; i < pairs.size(); ++i)
    if (pairs[i] >= 0) apart_m.push_back(point_distance_m(truth[i], given[pairs[i]]));
  return set_distance(apart_m, truth.size() - apart_m.size(), given.size() - apart_m.size(), options);
}

}  // namespace vantage
