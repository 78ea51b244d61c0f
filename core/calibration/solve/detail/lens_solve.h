// One camera's lens from its own views of a board or several: from first guesses (lens_solve.cpp) the model
// as asked for, then with fewer free coefficients as long as the views do not determine it all over the
// picture. Coefficients that the views need are solved even if they are known only as far out as corners were
// seen.
#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/calibration/solve/board_solve.h"

namespace vantage {

struct SolvedLens {
  BundleCamera lens = {};  // without a pose
  std::string held = {};   // what the views do not determine, as a sentence; or empty
};

// The lens as given where it is not to be solved. Fails where the views do not determine one that is not
// given, or after a stop.
Result<SolvedLens> solve_lens(const std::vector<Board>& boards, const BoardCamera& camera,
                              const std::vector<BoardView>& views, bool k3, const StopSource& stop = {});

}  // namespace vantage
