// Corners of tags to a fraction of a pixel.
#pragma once

#include <array>
#include <vector>

#include "core/calibration/solve/board.h"
#include "core/calibration/solve/detail/saddle_grid.h"
#include "core/image/image_view.h"

namespace vantage {

struct FoundTag {
  int id = 0;
  std::array<GridCorner, 4> corners;  // from the tag's top left, clockwise; to about two pixels
};

// Tags of which something hides a part, and corners that cannot be refined, are left out. `border_bits`: the
// width of the tags' black border, in bits.
std::vector<GridCorner> refined_tag_corners(ImageView<const uint8_t> gray, const BoardTags& tags,
                                            int border_bits, const std::vector<FoundTag>& found);

}  // namespace vantage
