// A foreground model whose camera may shake (camera_shake.h): pictures are brought back to where the camera
// looks at rest before any method sees them, so that masks stand where the calibration says. Where the camera
// keeps still, and where a picture does not tell, pictures stay as they are.
//
// With foreground.steady automatic that happens from where on pictures show that the camera shakes: those
// that are learnt as the empty scene, or those that are examined every 32 frames, where they lie apart.
// Where the scene was learnt from the whole recording, its pictures have told already.
#pragma once

#include "core/foreground/foreground.h"

namespace vantage {

// A model of that method (methods.h) for one camera. Errors: those of making it.
Result<std::unique_ptr<ForegroundModel>> make_steady_model(const DeviceBackends& backends,
                                                           std::string_view method, int camera);

}  // namespace vantage
