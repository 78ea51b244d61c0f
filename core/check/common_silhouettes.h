// Silhouettes without what only some cameras show.
#pragma once

#include <span>
#include <vector>

#include "core/check/detail/grid_views.h"
#include "core/image/picture.h"

namespace vantage {

class CommonSilhouettes {
 public:
  // `views`: outlives it.
  CommonSilhouettes(const GridViews& views, double tolerance_px)
      : views_(views), tolerance_px_(tolerance_px) {}

  // The masks (u8, 0 or 255, host memory; an empty Image: none) without what does not lie, to the tolerance,
  // before the silhouettes of all others that see it, three or more seeing it where there are three, and
  // without specks. Calls may overlap.
  std::vector<Image> of(std::span<const Image> masks) const;

 private:
  const GridViews& views_;
  double tolerance_px_;
};

}  // namespace vantage
