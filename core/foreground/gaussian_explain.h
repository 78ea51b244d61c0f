// What the method `gaussian` finds of one pixel, with a model as it stands before the frame: the passes of
// the CPU over the whole picture, of which one pixel is read. For models of every device.
#pragma once

#include "core/foreground/foreground.h"
#include "core/foreground/gaussian_model.h"
#include "core/foreground/pixel_evidence.h"

namespace vantage {

// `model`: before any learn() the frame is learnt first, as apply() does. Errors: a picture that is not in
// host memory or of another size, a pixel outside of it (invalid_argument); out_of_memory.
Result<PixelEvidence> explain_gaussian(GaussianModel model, const ForegroundParameters& parameters,
                                       const Picture& picture, int x_px, int y_px);

}  // namespace vantage
