// The evidence of the method `gaussian` about one pixel, with the model before the frame: the CPU's passes
// run over the whole picture, and one pixel is read. For models of every device.
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
