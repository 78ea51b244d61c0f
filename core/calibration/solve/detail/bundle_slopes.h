// Slopes of a bundle's residuals, for what is computed from a solution.
#pragma once

#include "core/calibration/adjust/adjustment.h"
#include "core/calibration/solve/bundle.h"

namespace vantage {

// Two rows a corner, by the bundle's free values, whose columns are filled into the report. Errors: bad_data
// where a corner lies behind its camera.
Result<Jacobian> slopes_of(Bundle* bundle, BundleReport* columns);

}  // namespace vantage
