// Paths by how people move: node sets that share no detection, improved until no exchange makes them cheaper.
// The costs are stated in path_tracker.h under `motion`.
//
// A path is followed by a Kalman filter of position and velocity, so its cost is not a sum over links and no
// flow gives its optimum. The search starts twice: from the cheapest paths of links (path_worker.cpp), which
// weigh all frames but know no velocities, and from paths made frame by frame by the filter. From each it
// tries, until nothing is cheaper any more: to exchange what two or three paths do from a frame on, or
// between two frames; to part a path or join two; to give a detection to another path, or to no one. The
// cheaper result adopts from the other what makes it cheaper still; at last, paths that meet are exchanged
// for a trial although that costs a little. What comes out costs no more than either start, and no such
// change makes it cheaper; how far it lies above the cheapest of all is not known. J. K. Wolf, A. M. Viterbi,
// G. S. Dixon, "Finding the best set of K paths through a trellis with application to multitarget tracking",
// IEEE AES 1989, has the problem; S. Oh, S. Russell, S. Sastry, "Markov chain Monte Carlo data association
// for multi-target tracking", IEEE TAC 2009, the changes.
#pragma once

#include "core/tracking/paths/detail/path_windows.h"

namespace vantage::path_detail {

NodePaths improve_by_motion(const Problem& problem, NodePaths paths);

}  // namespace vantage::path_detail
