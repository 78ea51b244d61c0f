// Probability that a person stands in each cell of the floor, from the masks of all cameras at once: F.
// Fleuret, J. Berclaz, R. Lengagne, P. Fua, "Multicamera People Tracking with a Probabilistic Occupancy Map",
// PAMI 2008. A person in a cell is a rectangle in each picture; the pictures that people of probability q_k
// would make on average, A = 1 - prod over k of (1 - q_k) in k's rectangle, are compared with the masks B:
//
//   psi(B, A) = 1/sigma * (sum of B (1 - A) + (1 - B) A) / (sum of A)
//   q_k = 1 / (1 + exp(log((1 - prior) / prior) + sum over cameras of psi(B, A with q_k = 1)
//                                                                     - psi(B, A with q_k = 0)))
//
// iterated from q = prior, each step only `step` of the way, until nothing moves by more than kStill. Where
// all masks are empty q stays the prior: psi is relative to A. Both sums are those of the whole picture but
// for one rectangle, where 1 - A is 0 or (1 - A) / (1 - q_k): with integral images of 1 - A and (2 B - 1)(1 -
// A) an iteration costs a few operations a pixel and cell. The sums of log(1 - q) in all rectangles over a
// pixel are whole numbers of kLogUnit, and thus the same in whatever order they are added.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/parameters.h"
#include "core/geometry/projection.h"
#include "core/image/image_view.h"
#include "core/people/floor_person.h"

namespace vantage {

struct MarginalParameters {
  double cell_m = 0.1;
  double height_m = 1.75, width_m = 0.4;
  double border_m = 1;
  double sigma = 0.001;
  double prior = 0.0025;
  double step = 0.3;
  int iterations = 200;
};
template <>
const ParameterTable& parameter_table<MarginalParameters>();

// Square cells; cell x + nx * y.
struct MarginalCells {
  double left_m = 0, low_m = 0, cell_m = 0.1;
  int nx = 0, ny = 0;
};

// Pixels [x0, x1) x [y0, y1) of a mask; empty where the camera sees less than half of the body.
struct BodyRectangle {
  int x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  bool empty() const { return x0 >= x1 || y0 >= y1; }
};

// One for each cell: around an upright cylinder on the cell's middle, in a mask of `width` x `height` pixels
// over the whole picture.
std::vector<BodyRectangle> body_rectangles(const PinholeCamera<double>& camera, const MarginalCells& cells,
                                           int width, int height, const MarginalParameters& parameters);

// Shared with the CUDA implementation.
namespace marginals {
inline constexpr double kMin = 1e-6;         // probabilities stay this far from 0 and 1
inline constexpr double kLogUnit = 0x1p-36;  // sums of up to 10,000 certain people over a pixel are exact
inline constexpr double kMaxEvidence = 60;
}  // namespace marginals

// A camera's mask (0 is background) and its rectangles, one for each cell.
struct MarginalView {
  ImageView<const uint8_t> mask;
  std::span<const BodyRectangle> rectangles;
};

struct Marginals {
  static constexpr double kStill = 1e-4;
  std::vector<double> probability;  // per cell; the prior where no camera sees it
  int iterations = 0;
};

// Views without a mask have no picture of this frame.
Marginals occupancy_marginals(std::span<const MarginalView> views, size_t cells,
                              const MarginalParameters& parameters);

// People from the probabilities of cells (marginals.h). Cells much narrower than a person look alike in the
// masks and share the probability: several neighbours keep a part each, and none of them need be probable
// alone. So what counts is that of all cells together within half a width, and at least of the cells around
// one:
//
//   a person stands where 1 - prod (1 - q) is kPresent or more, in the middle of the q there.
//
// Taken is first who has most of it near, a cell's q weighing 1 - (d / reach)^2 / 2 at a distance d; a cell
// counts for one person only, and who stands nearer than separation_m to a person taken before is part of
// that person, who sits or reaches out.

inline constexpr double kPresent = 0.5;
// Their confidence is that probability; height and the rest are not known.
std::vector<FloorPerson> probable_people(const MarginalCells& cells, const std::vector<double>& probability,
                                         double width_m, double separation_m);

}  // namespace vantage
