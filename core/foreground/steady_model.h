// A foreground model whose camera may shake (camera_shake.h): pictures are brought back to the view at rest
// before any method sees them, so that masks agree with the calibration. Pictures of a camera that keeps
// still, and inconclusive ones, are unchanged.
//
// Automatic steadying (foreground.steady) begins once pictures show that the camera shakes: those learnt as
// the empty scene, or differing offsets of those examined every 32 frames. A scene learnt from the whole
// recording has shown it already.
//
// Pixels of ignored regions are undecided (ignored_painter.h). Regions do not move with the shaking camera:
// time stamps do not, and a few pixels' margin suffices for the rest.
#pragma once

#include "core/foreground/foreground.h"
#include "core/geometry/ignored_region.h"

namespace vantage {

// A model of that method (methods.h) for one camera. Errors: those of making it.
Result<std::unique_ptr<ForegroundModel>> make_steady_model(const DeviceBackends& backends,
                                                           std::string_view method, int camera,
                                                           IgnoredRegions ignored = {});

}  // namespace vantage
