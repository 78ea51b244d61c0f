// Epipolar lines: for planes through two camera centres, the line each camera sees of it.
//
// Planes are chosen to cut the tracked volume: points are spread evenly over the volume's box, those that
// both cameras see are kept, and the planes go through the quantiles of their angle about the baseline. A
// plane is cut to its half on the side of the baseline where the point lies, to the box and to what both
// cameras see; each camera's line is what it sees of that polygon. So the lines of a pair end at the same
// positions, and a baseline that runs through the middle of the volume is nothing special.
//
// The view of a camera is taken as the pyramid inside its picture's sides at their middles: with a lens that
// bends them the lines miss the corners, never more than the picture.
#pragma once

#include <vector>

#include "core/geometry/camera.h"
#include "core/geometry/voxel_grid.h"
#include "core/sync/line_segment.h"

namespace vantage {

struct EpipolarLines {
  double overlap = 0;  // share of the volume that both cameras see
  // Lines by plane, in order of the angle. Both empty where the cameras see nothing in common or stand at the
  // same place; a plane without a polygon has lines of no length.
  std::vector<LineSegment> first, second;
};

EpipolarLines choose_epipolar_lines(const Camera& first, const Camera& second, const VoxelGrid& volume,
                                    int lines);

}  // namespace vantage
