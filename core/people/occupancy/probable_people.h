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
#pragma once

#include <vector>

#include "core/people/floor_person.h"
#include "core/people/occupancy/marginals.h"

namespace vantage {

inline constexpr double kPresent = 0.5;
// Their confidence is that probability; height and the rest are not known.
std::vector<FloorPerson> probable_people(const MarginalCells& cells, const std::vector<double>& probability,
                                         double width_m, double separation_m);

}  // namespace vantage
