// Distances between the people in a frame and those who were found, as sets of positions on the floor: one
// figure for errors of position, missed and false people together.
//
// - OSPA: D. Schuhmacher, B.-T. Vo, B.-N. Vo, "A Consistent Metric for Performance Evaluation of Multi-Object
//   Filters", IEEE Trans. Signal Processing 56(8), 2008. With m <= n people, distances cut off at c:
//   ((min over assignments of the sum of d^p, plus c^p (n - m)) / n)^(1/p); 0 of two empty sets. A mean over
//   people, 0 to c.
// - GOSPA: A. S. Rahmathullah, A. F. Garcia-Fernandez, L. Svensson, "Generalized Optimal Sub-Pattern
//   Assignment Metric", FUSION 2017, with alpha = 2: (min over sets of pairs of the sum of their d^p, plus
//   c^p / 2 for everybody without a partner)^(1/p). A sum over people, which falls into localisation, missed
//   and false people.
#pragma once

#include <span>
#include <vector>

namespace vantage {

struct FloorPoint {
  double x_m = 0, y_m = 0;
};

struct SetDistanceOptions {
  double cutoff_m = 0.5;  // c, above 0: two who are farther apart are no pair
  double order = 1;       // p, at least 1: the larger, the more the largest error counts
};

struct SetDistance {
  double ospa_m = 0, gospa_m = 0;
  // Parts of GOSPA, in metres to the power of p: gospa_m^p is their sum.
  double localisation = 0, missed = 0, false_found = 0;
};

// Pairs of an optimal assignment of both metrics: for each true position the given one less than c away, -1
// where there is none.
std::vector<int> set_pairs(std::span<const FloorPoint> truth, std::span<const FloorPoint> given,
                           const SetDistanceOptions& options);

// Under pairs as set_pairs() has them, of all or of some of the people.
SetDistance set_distance(std::span<const double> pair_distances_m, size_t missed, size_t false_found,
                         const SetDistanceOptions& options);
SetDistance set_distance(std::span<const FloorPoint> truth, std::span<const FloorPoint> given,
                         const SetDistanceOptions& options);

}  // namespace vantage
