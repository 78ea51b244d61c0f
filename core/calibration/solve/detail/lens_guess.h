// First guesses for a camera's lens, from its views of a board: polynomial by homographies (guess_lens());
// fisheye by a search over focal lengths of a lens that shows equal angles at equal distances, since
// homographies do not hold far off the axis; rational by both.
#pragma once

#include <vector>

#include "core/calibration/solve/board.h"
#include "core/calibration/solve/bundle.h"

namespace vantage {

// Without poses; nothing of them free. Empty where the views do not tell.
std::vector<BundleCamera> guess_lenses(LensModel model, const std::vector<Board>& boards,
                                       const std::vector<BoardView>& views, int width_px, int height_px);

}  // namespace vantage
